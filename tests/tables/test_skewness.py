"""Values that are likelier in a class than in its table, against plain loops."""

import polars as pl
import pytest
from hypothesis import given, settings

from discreet import rng
from discreet.errors import ParameterError
from discreet.tables import (
    Background,
    BackgroundJoin,
    Intersection,
    NaiveTCloseness,
    Skewness,
)
from tests.tables.race_and_sex import COLUMNS, ROWS, people, release


@given(ROWS)
def test_the_skewest_value_of_each_class(rows: list[tuple[str, ...]]) -> None:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    told = Skewness(gain="0.000001").attack([release(table)], Background())
    rises = {}
    for column in range(2, 5):
        whole = [row[column] for row in rows]
        for key in {row[:2] for row in rows}:
            held = [row[column] for row in rows if row[:2] == key]
            rises[key, column] = max(
                held.count(v) / len(held) - whole.count(v) / len(whole) for v in set(held)
            )
    assert told.summary["largest_rise"] == pytest.approx(max(rises.values()))
    assert len(told.claims) == sum(rise >= 0.000001 for rise in rises.values())
    for claim in told.claims:
        name, value = claim.inferred[0].split("=")
        whole = [row[COLUMNS.index(name)] for row in rows]
        assert claim.prior == pytest.approx(whole.count(value) / len(whole))


@given(ROWS)
@settings(max_examples=40)
def test_under_closeness_no_value_rises_by_more_than_t(rows: list[tuple[str, ...]]) -> None:
    data = people(rows)
    published = NaiveTCloseness(k=1, t="0.2").publish(data, rng.seeded(1)).release
    rise = Skewness().attack([published], Background()).summary["largest_rise"]
    assert isinstance(rise, float)
    assert rise <= 0.2 + 1e-9


def test_a_gain_out_of_range_is_refused() -> None:
    with pytest.raises(ParameterError, match="gain"):
        Skewness(gain=0)


def test_what_just_reaches_a_bound_is_claimed() -> None:
    # 7 of 10 people and 9 of all 20: as floats 0.7 - 0.45 is less than 0.25, and 0.7 than 7/10
    known = [("white", "f") if n < 10 else ("black", "m") for n in range(20)]
    held = ["x" if n < 7 or n >= 18 else "y" for n in range(20)]
    rows = [(*person, s, "x", "x") for person, s in zip(known, held, strict=True)]
    apart = release(pl.DataFrame(rows, schema=COLUMNS, orient="row"))
    claims = Skewness(gain="0.25").attack(apart).claims
    assert [(claim.inferred, claim.confidence) for claim in claims] == [
        (("s=x",), 0.7),
        (("s=y",), 0.8),
    ]
    claims = Intersection(confidence="0.7").attack(apart).claims
    assert (("s=x",), 0.7) in [(claim.inferred, claim.confidence) for claim in claims]
    rows = [("white", "f", s, sex, "x") for (_, sex), s in zip(known, held, strict=True)]
    together = release(pl.DataFrame(rows, schema=COLUMNS, orient="row"))
    eve = Background(person={"race": "white", "sex": "f", "t": "f"})
    claims = BackgroundJoin(confidence="0.7").attack(together, eve).claims
    assert [(claim.inferred, claim.confidence) for claim in claims] == [(("s=x",), 0.7)]
