"""Generalised sets come back from their tables as they were, and nonsense is refused."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.generalised_sets import GeneralisedSets
from discreet.errors import DataError

BLOCKS = (("a",), ("b", "c"), ("d", "e", "f"), ("g h",))


@given(st.lists(st.sets(st.sampled_from(BLOCKS)), max_size=8))
def test_tables_and_back(rows: list[set[tuple[str, ...]]]) -> None:
    content = GeneralisedSets.of(rows)
    table = content.tables()["transactions"]
    assert table.schema == {"items": pl.List(pl.List(pl.String))}
    assert [set(map(tuple, row)) for row in table["items"].to_list()] == rows
    again = GeneralisedSets.of_tables({"transactions": table})
    assert again.blocks == content.blocks
    assert list(again.sets) == list(content.sets)


def test_what_is_known_of_blocks() -> None:
    content = GeneralisedSets.of([[["wine", "beer"], ["bread"]], [["bread"]], []])
    assert content.blocks == (("beer", "wine"), ("bread",))
    assert content.sets.vocabulary == ("(beer, wine)", "bread")
    assert content.supports.tolist() == [1, 2]
    assert content.trivial.tolist() == [False, True]
    assert content.block_of == {"beer": 0, "wine": 0, "bread": 1}
    assert len(content) == 3
    assert "beer" not in repr(content)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([[["a"]], [[]]], "row 2: a block must hold at least one item"),
        ([[["a", "a"]]], "row 1: a block must hold each item once"),
        ([[["a"]], [["a", "b"]]], "an item must be in the same block throughout"),
        ([[["a", "b"]], [["b", "c"]]], "an item must be in the same block throughout"),
        ([[], [["a"], ["a"]]], "row 2: a record must hold each block once"),
        ([[["a", "b"], ["b", "a"]]], "row 1: a record must hold each block once"),
    ],
)
def test_nonsense_is_refused(rows: list[list[list[str]]], fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        GeneralisedSets.of(rows)
