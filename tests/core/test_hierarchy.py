from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core import tree
from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError, ParameterError

JOBS = [
    ("baker", "food"),
    ("cook", "food"),
    ("nurse", "care"),
    ("food", "*"),
    ("care", "*"),
    ("spy", "*"),
]


@st.composite
def level_rows(draw: st.DrawFn) -> list[list[str]]:
    """Rows of levels that agree with each other, over so few labels that levels share them."""
    width = draw(st.integers(1, 4))
    label = st.sampled_from("abc*")
    above = [
        {name: draw(label) if level < width - 1 else "*" for name in "abc*"}
        for level in range(width)
    ]
    rows = []
    for value in draw(st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True)):
        row = [value, draw(label) if width > 1 else "*"]
        for level in range(1, width):
            row.append(above[level][row[-1]])
        rows.append(row)
    return rows


def pairs_of(parents: list[int]) -> list[tuple[str, str]]:
    """A tree: node i + 1 hangs below an earlier node."""
    return [(f"n{child}", f"n{parent % child}") for child, parent in enumerate(parents, 1)]


def test_pairs_are_a_tree() -> None:
    jobs = Hierarchy.of_pairs(JOBS)
    assert jobs.values == ("baker", "cook", "nurse", "spy")
    assert jobs.names == ("baker", "cook", "nurse", "spy", "food", "care", "*")
    assert jobs.root == "*"
    assert jobs.height == 2
    assert jobs.parent("baker") == "food"
    assert jobs.parent("*") is None
    assert jobs.ancestors("nurse") == ("care", "*")
    assert jobs.ancestors("*") == ()
    assert jobs.leaves("food") == ("baker", "cook")
    assert jobs.leaves("spy") == ("spy",)
    assert jobs.leaves("*") == jobs.values


def test_a_value_that_hangs_high_stays_until_its_own_level() -> None:
    jobs = Hierarchy.of_pairs(JOBS)
    assert [jobs.level("nurse", n) for n in range(3)] == ["nurse", "care", "*"]
    assert [jobs.level("spy", n) for n in range(3)] == ["spy", "spy", "*"]


def test_repeated_pairs_and_rows_fold() -> None:
    assert Hierarchy.of_pairs([*JOBS, JOBS[0]]).names == Hierarchy.of_pairs(JOBS).names
    assert Hierarchy.of_levels([["a", "*"], ["a", "*"]]).values == ("a",)


def test_flat_keeps_or_suppresses() -> None:
    flat = Hierarchy.flat(["x", "y"])
    assert (flat.height, flat.root, flat.leaves("*")) == (1, "*", ("x", "y"))
    assert Hierarchy.flat(["x"], root="any").level("x", 1) == "any"


def test_a_root_joins_several_trees() -> None:
    pairs = [("a", "x"), ("b", "y")]
    assert Hierarchy.of_pairs(pairs, root="*").ancestors("b") == ("y", "*")
    assert Hierarchy.of_pairs(pairs, root="x").ancestors("b") == ("y", "x")
    assert Hierarchy.of_pairs([("a", "x")], root="*").root == "x"
    with pytest.raises(DataError, match="circle"):
        Hierarchy.of_pairs(pairs, root="a")


def test_arrays_cannot_be_written() -> None:
    jobs = Hierarchy.of_pairs(JOBS)
    for array in (jobs.parents, jobs.levels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    ("pairs", "complaint"),
    [
        ([], "at least one child"),
        ([("a", "x"), ("b", "y")], "pair 2: .*one root.*'y'.*'x'"),
        ([("a", "x"), ("b", "x"), ("a", "y")], "pair 3: .*one parent.*'a' has 'y'.*pair 1"),
        ([("a", "a")], "pair 1: 'a' must not be its own parent"),
        ([("a", "b"), ("b", "c"), ("c", "b")], "pair 2: .*circle.*'b'"),
        ([("v", "r"), ("a", "b"), ("b", "a")], "pair 2: .*circle.*'a'"),
        ([("a", "")], "pair 1: .*names"),
    ],
)
def test_pairs_that_are_no_tree_are_refused(pairs: list[tuple[str, str]], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Hierarchy.of_pairs(pairs)


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([], "at least one value"),
        ([["a"]], "row 1: .*no level above"),
        ([["a", "*"], ["b", "g", "*"]], "row 2: must have 2 levels .* got 3"),
        ([["a", "x"], ["b", "y"]], "row 2: .*one top.*'y'.*'x'"),
        ([["a", "g", "*"], ["a", "h", "*"]], "row 2: 'a' of level 0 .*'h' here and 'g' at row 1"),
        ([["a", "g", "u", "*"], ["b", "g", "v", "*"]], "row 2: 'g' of level 1"),
        ([["a", "", "*"]], "row 1: .*one is empty"),
        ([["a", "a"]], "row 1: .*its only value stays"),
    ],
)
def test_levels_that_are_no_tree_are_refused(rows: list[list[str]], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Hierarchy.of_levels(rows)


def test_a_value_that_stays_is_one_node() -> None:
    tree = Hierarchy.of_levels([["a", "a", "*"], ["b", "g", "*"]])
    assert tree.names == ("a", "b", "*", "g")
    assert tree.ancestors("a") == ("*",)
    assert [tree.level("a", n) for n in range(3)] == ["a", "a", "*"]


def test_a_value_that_rises_early_goes_straight_to_the_top() -> None:
    tree = Hierarchy.of_levels([["a", "*", "*"], ["b", "g", "*"]])
    assert tree.ancestors("a") == ("*",)
    assert tree.level("a", 1) == "*"
    assert tree.leaves("*") == ("a", "b")


def test_a_group_with_the_name_of_a_value_is_told_apart() -> None:
    tree = Hierarchy.of_levels([["Other", "Other", "*"], ["spy", "Other", "*"]])
    assert tree.parent("Other") == "Other (level 1)"
    assert tree.leaves("Other") == ("Other",)
    assert tree.leaves("Other (level 1)") == ("Other", "spy")
    assert tree.level("spy", 1) == "Other (level 1)"


def test_a_value_is_told_apart_from_a_group_elsewhere() -> None:
    tree = Hierarchy.of_levels([["Other", "Misc", "*"], ["spy", "Other", "*"]])
    assert tree.ancestors("Other") == ("Misc", "*")
    assert tree.ancestors("spy") == ("Other (level 1)", "*")


def test_a_value_that_stays_and_then_gives_its_name_to_a_group_is_told_apart() -> None:
    tree = Hierarchy.of_levels([["a", "a", "a", "*"], ["b", "b", "a", "*"]])
    assert tree.ancestors("a") == ("a (level 2)", "*")
    assert tree.leaves("a") == ("a",)


def test_a_made_name_is_never_a_given_one() -> None:
    tree = Hierarchy.of_levels([["x", "x", "*"], ["y", "x", "*"], ["x (level 1)", "z", "*"]])
    assert len(set(tree.names)) == len(tree.names) == 6
    assert tree.leaves(tree.level("y", 1)) == ("x", "y")


@given(level_rows())
def test_levels_lead_up_the_tree(rows: list[list[str]]) -> None:
    tree = Hierarchy.of_levels(rows)
    assert tree.values == tuple(row[0] for row in rows)
    assert tree.height == len(rows[0]) - 1
    assert len(set(tree.names)) == len(tree.names)
    for row in rows:
        path = [tree.level(row[0], n) for n in range(len(row))]
        assert [name.split(" (")[0] for name in path] == row
        assert [name for name, _ in groupby(path)] == [row[0], *tree.ancestors(row[0])]
        assert path[-1] == tree.root


@given(level_rows())
def test_what_a_name_stands_for_is_what_passes_through_it(rows: list[list[str]]) -> None:
    tree = Hierarchy.of_levels(rows)
    for name in tree.names:
        below = {value for value in tree.values if name in (value, *tree.ancestors(value))}
        assert set(tree.leaves(name)) == below


@given(st.lists(st.integers(0, 10), min_size=1, max_size=12))
def test_levels_of_pairs_are_cuts(parents: list[int]) -> None:
    tree = Hierarchy.of_pairs(pairs_of(parents))
    for n in range(tree.height + 1):
        shown = [tree.level(value, n) for value in tree.values]
        held = [value for name in set(shown) for value in tree.leaves(name)]
        assert sorted(held) == sorted(tree.values)  # every value under exactly one name
    for value in tree.values:
        path = [tree.level(value, n) for n in range(tree.height + 1)]
        assert [name for name, _ in groupby(path)] == [value, *tree.ancestors(value)]


@given(st.one_of(level_rows().map(Hierarchy.of_levels), st.just(Hierarchy.of_pairs(JOBS))))
def test_a_published_hierarchy_reads_back(hierarchy: Hierarchy) -> None:
    again = Hierarchy.of_tables(hierarchy.tables())
    assert set(again.names) == set(hierarchy.names)
    assert all(again.parent(name) == hierarchy.parent(name) for name in hierarchy.names)


def test_unknown_names_and_levels_are_refused_without_repeating_them() -> None:
    jobs = Hierarchy.of_pairs(JOBS)
    with pytest.raises(DataError, match="must be in the hierarchy") as refusal:
        jobs.parent("a private value")
    assert "private" not in str(refusal.value)
    for n in (-1, 3):
        with pytest.raises(ParameterError, match=f"from 0 to 2, got {n}"):
            jobs.level("spy", n)
    with pytest.raises(DataError, match="'food' stands for several"):
        jobs.level("food", 1)


def test_a_deep_chain_is_built_and_a_huge_one_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = [(f"n{i}", f"n{i + 1}") for i in range(5_000)]
    assert Hierarchy.of_pairs(chain).height == 5_000
    monkeypatch.setattr(tree, "CELLS", 5_000)
    with pytest.raises(DataError, match="at most 5,000 values times levels"):
        Hierarchy.of_pairs(chain)
    with pytest.raises(DataError, match="at most 5,000 values times levels"):
        Hierarchy.of_levels([[str(value), "*"] for value in range(2_501)])


def test_long_labels_are_cut_in_messages() -> None:
    with pytest.raises(DataError) as refusal:
        Hierarchy.of_pairs([("x" * 10_000, "x" * 10_000)])
    assert len(str(refusal.value)) < 200


def test_levels_are_numbers_of_names() -> None:
    jobs = Hierarchy.of_pairs(JOBS)
    assert jobs.levels.dtype == np.int32
    assert [jobs.names[number] for number in jobs.levels[:, 1]] == ["food", "food", "care", "spy"]


def test_a_gap_among_numbers_stays_a_gap_up_to_the_root() -> None:
    ages = Hierarchy.intervals(["7", "?"], [5, 10])
    assert ages.rows() == [["7", "5..<10", "0..<10", "*"], ["?", "?", "?", "*"]]
