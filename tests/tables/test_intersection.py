"""Several tables laid together, against plain loops."""

import pytest
from hypothesis import given, settings

from discreet import rng
from discreet.tables import (
    Background,
    CodipStar,
    Intersection,
)
from tests.tables.race_and_sex import COLUMNS, ROWS, people


@given(ROWS)
@settings(max_examples=40)
def test_tables_together_tell_no_more_than_one_of_them(rows: list[tuple[str, ...]]) -> None:
    data = people(rows)
    published = CodipStar(k=1, t=1, beta=0).publish(data, rng.seeded(1)).release
    told = Intersection(confidence="0.000001").attack([published], Background())
    assert told.summary["joint_linkability_at_most"] <= told.summary["linkability"]
    person = dict(zip(COLUMNS[:2], rows[0][:2], strict=True))
    for claim in (
        Intersection(confidence="0.000001").attack([published], Background(person=person)).claims
    ):
        alike = [row for row in rows if row[:2] == rows[0][:2]]
        sure = 1.0
        for fact in claim.inferred:
            name, value = fact.split("=")
            sure *= sum(row[COLUMNS.index(name)] == value for row in alike) / len(alike)
        assert claim.confidence == pytest.approx(sure)
