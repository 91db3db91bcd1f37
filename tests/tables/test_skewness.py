"""Values that are likelier in a class than in its table, against plain loops."""

import polars as pl
import pytest
from hypothesis import given, settings

from discreet import rng
from discreet.errors import ParameterError
from discreet.tables import (
    Background,
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
