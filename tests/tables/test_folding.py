import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.microdata import Microdata
from discreet.tables.folding import codes_of, fold, order_of_codes

cell = {
    "text": st.text("aäZ0 ", max_size=3),
    "number": st.integers(-5, 10**12),
    "sets": st.lists(st.lists(st.sampled_from("ab"), max_size=2), max_size=2),
}


@given(kinds=st.lists(st.sampled_from(list(cell)), min_size=1, max_size=6), data=st.data())
def test_rows_stand_in_the_order_of_their_cells(kinds: list[str], data: st.DataObject) -> None:
    height = data.draw(st.integers(1, 12))
    types = {"text": pl.String(), "number": pl.Int64(), "sets": pl.List(pl.List(pl.String()))}
    table = pl.DataFrame(
        pl.Series(
            str(place),
            data.draw(st.lists(cell[kind], min_size=height, max_size=height)),
            dtype=types[kind],
        )
        for place, kind in enumerate(kinds)
    ).with_row_index("row")
    table = table.select(*table.columns[1:], pl.col("row").cast(pl.Int64))
    order = order_of_codes([codes_of(column) for column in table.iter_columns()])
    assert table[order].equals(table.sort(table.columns))


@given(rows=st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(["a|b", "b|a", ""]))))
def test_folded_rows_are_those_of_the_table_counted(rows: list[tuple[str, str]]) -> None:
    table = pl.DataFrame(rows, schema={"q": pl.String, "s": pl.String}, orient="row")
    folded = fold(Microdata.of(table, qids=["q"], sensitive=["s"], multi_valued=["s"]))
    expected = sorted((q, bool(s)) for q, s in rows)
    found = folded.distinct.table["q"].to_list()
    assert folded.counts.sum() == len(rows)
    assert found == sorted(found)
    assert len(found) == len(set(expected))
