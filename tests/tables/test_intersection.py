"""Several tables laid together, against plain loops."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, Release, rng
from discreet.core.projected_tables import ProjectedTables
from discreet.tables import (
    Background,
    CodipStar,
    Intersection,
)
from tests.releases import as_released

RACE = Hierarchy.flat(["white", "black"]).tables()["hierarchy"]
SEX = Hierarchy.flat(["f", "m"]).tables()["hierarchy"]


def release(*tables: pl.DataFrame) -> Release[ProjectedTables]:
    content = ProjectedTables(tables, {"race": RACE, "sex": SEX})
    return as_released(content)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["white", "black"]), st.sampled_from("fm"), *(st.sampled_from("xyz"),) * 3
    ),
    min_size=1,
    max_size=14,
)
COLUMNS = ["race", "sex", "s", "t", "u"]


@given(ROWS)
@settings(max_examples=40)
def test_tables_together_tell_no_more_than_one_of_them(rows: list[tuple[str, ...]]) -> None:
    data = Microdata.of(
        pl.DataFrame(rows, schema=COLUMNS, orient="row"), qids=COLUMNS[:2], sensitive=COLUMNS[2:]
    )
    published = CodipStar(k=1, t=1, beta=0).publish(data, rng.seeded(1)).release
    told = Intersection(confidence="0.000001").attack([published], Background())
    assert told.summary["joint_linkability_at_most"] <= told.summary["linkability"]  # type: ignore[operator]
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
