"""Tables of people by age and sex, with a job and any number of illnesses."""

import polars as pl
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata

TREES = (("age", Hierarchy.intervals([str(age) for age in range(8)], [2, 4])),)
ROWS = st.lists(
    st.tuples(
        st.sampled_from("01234567"),
        st.sampled_from("fm"),
        st.sampled_from("xyz"),
        st.sampled_from(["", "p", "p|q", "q|p", "q"]),
    ),
    min_size=4,
    max_size=30,
)


def people(rows: list[tuple[str, ...]]) -> Microdata:
    table = pl.DataFrame(rows, schema=["age", "sex", "job", "ill"], orient="row")
    return Microdata.of(table, qids=["age", "sex"], sensitive=["job", "ill"], multi_valued=["ill"])
