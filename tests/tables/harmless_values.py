"""Tables of two quasi-identifiers and three sensitive attributes with harmless values."""

import polars as pl
from hypothesis import strategies as st

from discreet import Microdata

ROWS = st.lists(
    st.tuples(*(st.sampled_from("ab"),) * 2, *(st.sampled_from("xyz"),) * 3),
    min_size=3,
    max_size=25,
)
COLUMNS = ["q", "r", "s", "t", "u"]


def people(rows: list[tuple[str, ...]], harmless: dict[str, frozenset[str]]) -> Microdata:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    return Microdata(table, ("q", "r"), ("s", "t", "u"), non_sensitive=harmless)
