"""Claims about tables are scored through the owner's key."""

import pytest

from discreet import rng
from discreet.errors import DataError
from discreet.measure import score
from discreet.tables import (
    Background,
    BackgroundJoin,
    Codip,
    NaiveTCloseness,
    published_facts,
)
from tests.tables.race_and_sex import people


def test_claims_are_scored_through_the_key() -> None:
    rows = [
        ("white" if n % 3 else "black", "fm"[n % 2], "xyz"[n % 3], "xyz"[n % 3], "x")
        for n in range(60)
    ]
    data = people(rows)
    publication = Codip(k=2, t=1, plan=(("s", "t"), ("u",))).publish(data, rng.seeded(2))
    findings = BackgroundJoin().attack([publication.release], Background())
    assert findings.claims
    facts = published_facts(data, publication.release, publication.linkage_key)
    scored = score(findings, facts)
    assert scored.figures["tested"] == len(findings.claims)
    assert scored.success.share == pytest.approx(1.0)
    assert scored.baseline.share < 1
    with pytest.raises(DataError, match="name its file as key"):
        published_facts(data, publication.release, None)
    other = NaiveTCloseness(k=2, t=1).publish(data, rng.seeded(2))
    with pytest.raises(DataError, match="must belong to this release"):
        published_facts(data, publication.release, other.linkage_key)
