from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.core.data_hierarchies import by_frequency, by_quantiles
from discreet.core.hierarchy import Hierarchy
from discreet.core.ranges import range_of
from discreet.errors import DataError, ParameterError


@given(
    numbers=st.lists(st.integers(-50, 50), min_size=2, max_size=60),
    groups=st.integers(2, 9),
    gap=st.booleans(),
)
def test_quantiles_are_nested_and_hold_about_as_many_people(
    numbers: list[int], groups: int, gap: bool
) -> None:
    assume(len(set(numbers)) > 1)
    column = [*map(str, numbers), *(["?"] if gap else [])]
    tree = by_quantiles(column, groups)
    assert set(tree.values) == set(column)
    people = Counter(tree.level(str(number), 1) for number in numbers)
    most = max(Counter(numbers).values())
    # a value that many people have is not cut in two
    assert max(people.values()) <= -(-len(numbers) // groups) + 2 * most
    for number in numbers:
        for level in range(1, tree.height):
            told = range_of(tree.level(str(number), level))
            assert told is not None
    assert [set(tree.ancestors(value)) for value in column if value == "?"] == [{"*"}] * gap


@given(
    column=st.lists(st.sampled_from("abcdefgh?"), min_size=2, max_size=60),
    groups=st.integers(2, 9),
)
def test_common_values_stand_before_rare_ones(column: list[str], groups: int) -> None:
    people = Counter(value for value in column if value != "?")
    assume(len(people) > 1)
    tree = by_frequency(column, groups)
    assert set(tree.values) == set(column)
    ranked = [value for value in tree.values if value != "?"]
    assert [people[value] for value in ranked] == sorted(people.values(), reverse=True)
    for level in range(1, tree.height):
        names = [tree.level(value, level) for value in ranked]
        # each group is a run of the order
        assert len(list(dict.fromkeys(names))) == 1 + sum(
            one != other for one, other in pairwise(names)
        )
    assert len({tree.level(value, 1) for value in ranked}) <= groups


@given(
    column=st.lists(st.integers(1, 9).map(str), min_size=2, max_size=30),
    groups=st.integers(2, 12),
    by=st.sampled_from([by_frequency, by_quantiles]),
)
def test_a_level_joins_something(
    column: list[str], groups: int, by: Callable[..., Hierarchy]
) -> None:
    assume(len(set(column)) > 1)
    tree = by([*column, "?"], groups)
    for level in range(1, tree.height):
        assert len({tree.level(value, level) for value in column}) < len(set(column))


def test_fewer_values_than_groups_have_no_level_of_their_own() -> None:
    tree = by_frequency(["a"] * 5 + ["b"] * 3 + ["c"] * 2 + ["?"], 8)
    assert tree.ancestors("a") == ("common 1 of 2", "*")
    assert tree.leaves("common 1 of 2") == ("a", "b")
    assert tree.ancestors("?") == ("*",)
    assert by_frequency(["a", "b"], 8).ancestors("a") == ("*",)
    assert by_quantiles(["1", "2", "3"], 8).ancestors("1") == ("<3", "*")


def test_what_cannot_be_grouped_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least 2"):
        by_quantiles(["1", "2"], 1)
    with pytest.raises(DataError, match="two values"):
        by_frequency(["a", "a", "?"])
    with pytest.raises(DataError, match="for numbers only"):
        by_quantiles(["1", "two"])


def test_more_groups_than_people_are_no_more_work() -> None:
    column = ["1", "2", "2", "3", "40", "50"]
    for grouped in (by_quantiles, by_frequency):
        huge, enough = (grouped(column, groups).tables()["hierarchy"] for groups in (10**12, 6))
        assert huge.equals(enough)
