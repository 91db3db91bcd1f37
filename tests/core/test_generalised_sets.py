"""Generalised sets come back from their tables as they were, and nonsense is refused."""

from random import Random
from typing import Any

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
    tables = content.tables()
    assert tables["transactions"].schema == {"blocks": pl.List(pl.Int64)}
    assert tables["blocks"].schema == {"block": pl.Int64, "items": pl.List(pl.String)}
    items = tables["blocks"]["items"].to_list()
    held = tables["transactions"]["blocks"].to_list()
    assert [{tuple(items[number]) for number in row} for row in held] == rows
    again = GeneralisedSets.of_tables(tables)
    assert again.blocks == content.blocks
    assert list(again.sets) == list(content.sets)


@given(st.lists(st.sets(st.sampled_from(BLOCKS)), max_size=8), st.permutations(range(4)))
def test_the_numbers_of_blocks_are_names_only(
    rows: list[set[tuple[str, ...]]], numbers: list[int]
) -> None:
    content = GeneralisedSets.of(rows)
    tables = content.tables()
    other = {
        "transactions": tables["transactions"].select(
            pl.col("blocks").list.eval(pl.element().replace_strict(dict(enumerate(numbers))))
        )
        if any(rows)
        else tables["transactions"],
        "blocks": tables["blocks"].with_columns(
            pl.Series("block", numbers[: len(content.blocks)], dtype=pl.Int64)
        ),
    }
    again = GeneralisedSets.of_tables(other)
    assert again.blocks == content.blocks
    assert list(again.sets) == list(content.sets)


@given(st.lists(st.sets(st.sampled_from(BLOCKS)), max_size=8), st.randoms())
def test_blocks_are_numbered_by_what_they_hold(
    rows: list[set[tuple[str, ...]]], random: Random
) -> None:
    shuffled = random.sample(rows, len(rows))
    numbered = GeneralisedSets.of(shuffled).tables()["blocks"]
    assert numbered.equals(GeneralisedSets.of(rows).tables()["blocks"])
    assert numbered["items"].to_list() == sorted(numbered["items"].to_list())


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


@pytest.mark.parametrize(
    ("rows", "blocks", "fault"),
    [
        ([[0], [2]], [(0, ["a"]), (1, ["b"])], "row 2: a block must be one of the table"),
        ([[0, 0]], [(0, ["a"])], "row 1: a record must hold each block once"),
        ([[0]], [(0, ["a"]), (0, ["b"])], "must number each block once"),
        ([[0]], [(0, ["a"]), (None, ["b"])], "must number each block once"),
        ([[0]], [(0, ["a"]), (1, ["a", "b"])], "an item must be in one block, once"),
        ([[0]], [(0, ["a", "a"])], "an item must be in one block, once"),
        ([[0]], [(0, [])], "a block must hold at least one item"),
    ],
)
def test_nonsense_in_tables_is_refused(rows: Any, blocks: Any, fault: str) -> None:
    schema = {"block": pl.Int64, "items": pl.List(pl.String)}
    tables = {
        "transactions": pl.DataFrame({"blocks": pl.Series(rows, dtype=pl.List(pl.Int64))}),
        "blocks": pl.DataFrame(blocks, schema=schema, orient="row"),
    }
    with pytest.raises(DataError, match=fault):
        GeneralisedSets.of_tables(tables)
