"""Disassociated releases: tables there and back, and damaged ones refused."""

from typing import Any

import polars as pl
import pytest

from discreet.core.disassociated import Disassociated
from discreet.errors import DataError

CUT = Disassociated.of(
    [(3, [[["beer"], ["beer"]], [["wine", "bread"], ["wine"]]], ["milk"]), (2, [], ["milk"])],
    shared=[([0, 1], [["tea"], ["tea"]])],
)


def test_the_tables_tell_all() -> None:
    tables = CUT.tables()
    again = Disassociated.of_tables(tables).tables()
    assert all(again[name].equals(table) for name, table in tables.items())


def test_a_release_without_chunks_is_read_back() -> None:
    nothing = Disassociated.of([(4, [], [])])
    assert Disassociated.of_tables(nothing.tables()).people.tolist() == [4]


def changed(name: str, **columns: Any) -> dict[str, pl.DataFrame]:
    tables = CUT.tables()
    return tables | {name: tables[name].with_columns(**columns)}


LISTS = pl.List(pl.Int64)


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        (changed("clusters", cluster=pl.lit(0)), "must name each cluster once"),
        (changed("clusters", people=pl.lit(0)), "at least one person"),
        (changed("clusters", people=pl.lit(1)), "no more sub-records than there are people"),
        (changed("clusters", people=pl.lit(None, pl.Int64)), "must hold a number in every row"),
        (changed("chunks", cluster=pl.lit(7)), "over clusters of the table of clusters"),
        (changed("chunks", cluster=pl.lit(-1)), "over clusters of the table of clusters"),
        (changed("chunks", items=pl.lit([], pl.List(pl.String))), "a sub-record must hold an item"),
        (changed("terms", cluster=pl.lit(9)), "one row for a cluster"),
        (changed("terms", items=pl.lit(["beer"])), "in one chunk of a cluster, or among its terms"),
        (changed("shared", cluster=pl.lit([0, 0], LISTS)), "each of its clusters once"),
        (changed("shared", cluster=pl.lit([0, 8], LISTS)), "over clusters of the table"),
        (changed("shared", cluster=pl.lit([], LISTS)), "a chunk must have a cluster"),
        (
            changed("shared", cluster=pl.Series([[0], [1]], dtype=LISTS)),
            "over the same clusters in all its rows",
        ),
        (
            changed("shared", items=pl.lit(["wine"])),
            "in one chunk of a cluster, or among its terms",
        ),
    ],
)
def test_what_no_data_set_can_be_behind_is_refused(
    tables: dict[str, pl.DataFrame], sentence: str
) -> None:
    with pytest.raises(DataError, match=sentence) as refused:
        Disassociated.of_tables(tables)
    assert "beer" not in str(refused.value)
