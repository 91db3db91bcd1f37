"""Claims about tables are scored through the owner's key."""

import polars as pl
import pytest

from discreet import Microdata, rng
from discreet.errors import DataError
from discreet.measure import score
from discreet.tables import (
    Background,
    BackgroundJoin,
    Codip,
    NaiveTCloseness,
    published_facts,
)

COLUMNS = ["race", "sex", "s", "t", "u"]


def test_claims_are_scored_through_the_key() -> None:
    rows = [
        ("white" if n % 3 else "black", "fm"[n % 2], "xyz"[n % 3], "xyz"[n % 3], "x")
        for n in range(60)
    ]
    data = Microdata.of(
        pl.DataFrame(rows, schema=COLUMNS, orient="row"), qids=COLUMNS[:2], sensitive=COLUMNS[2:]
    )
    publication = Codip(k=2, t=1, plan=(("s", "t"), ("u",))).publish(data, rng.seeded(2))
    findings = BackgroundJoin().attack([publication.release], Background())
    assert findings.claims
    people = published_facts(data, publication.release, publication.linkage_key)
    scored = score(findings, people)
    assert scored.figures["tested"] == len(findings.claims)
    assert scored.success.share == pytest.approx(1.0)
    assert scored.baseline.share < 1
    with pytest.raises(DataError, match="name its file as key"):
        published_facts(data, publication.release, None)
    other = NaiveTCloseness(k=2, t=1).publish(data, rng.seeded(2))
    with pytest.raises(DataError, match="must belong to this release"):
        published_facts(data, publication.release, other.linkage_key)
