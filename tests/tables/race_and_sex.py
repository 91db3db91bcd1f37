"""Tables of people by race and sex, which several attacks look at."""

import polars as pl
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, Release
from discreet.core.projected_tables import ProjectedTables
from tests.releases import as_released

RACE = Hierarchy.flat(["white", "black"]).tables()["hierarchy"]
SEX = Hierarchy.flat(["f", "m"]).tables()["hierarchy"]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["white", "black"]), st.sampled_from("fm"), *(st.sampled_from("xyz"),) * 3
    ),
    min_size=1,
    max_size=14,
)
COLUMNS = ["race", "sex", "s", "t", "u"]


def people(rows: list[tuple[str, ...]]) -> Microdata:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    return Microdata.of(table, qids=COLUMNS[:2], sensitive=COLUMNS[2:])


def release(*tables: pl.DataFrame) -> Release[ProjectedTables]:
    return as_released(ProjectedTables(tables, {"race": RACE, "sex": SEX}))
