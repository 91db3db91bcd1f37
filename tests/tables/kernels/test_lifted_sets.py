"""Items lifted in a hierarchy: no few of them are rare, and no name is higher than it need be."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Hierarchy
from discreet.tables.classes.with_sets import below
from discreet.tables.kernels.lifted_sets import lifted_blocks

TREE = Hierarchy.of_pairs(
    [
        *(("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd"), ("ab", "abcd"), ("cd", "abcd")),
        *(("abcd", "*"), ("e", "ef"), ("f", "ef"), ("ef", "*"), ("g", "only"), ("only", "*")),
    ]
)
SETS = st.lists(st.sets(st.sampled_from("abcdefg")), min_size=1, max_size=24)


def names_of(records: list[set[str]], k: int, m: int, *, lifting: bool = True) -> dict[str, str]:
    """Return the name that stands for each item that is published."""
    held = sorted({item for record in records for item in record})
    counts = np.array([sum(item in record for record in records) for item in held], dtype=np.int64)
    bits = np.zeros((len(held), 1), dtype=np.uint64)
    for place, item in enumerate(held):
        for row, record in enumerate(records):
            bits[place, 0] |= np.uint64((item in record) << row)
    leaf = np.array([TREE.numbers[item] for item in held], dtype=np.int64)
    label, sizes, node = lifted_blocks(bits, counts, leaf, below(TREE), k, m, lifting)
    shown = {item: int(slot) for item, slot in zip(held, label, strict=True) if slot >= 0}
    for slot in shown.values():
        assert sizes[slot] == len(TREE.leaves(TREE.names[node[slot]]))
    return {item: TREE.names[node[slot]] for item, slot in shown.items()}


def rare(records: list[set[str]], names: dict[str, str], k: int, m: int) -> bool:
    """Say whether up to m items fit some records, but fewer than k."""
    counted = Counter(
        known
        for record in records
        for size in range(1, m + 1)
        for known in combinations(sorted({names[item] for item in record if item in names}), size)
    )
    return any(rows < k for rows in counted.values())


@given(SETS, st.integers(1, 4), st.integers(1, 3), st.booleans())
def test_no_few_known_items_are_rare(
    records: list[set[str]], k: int, m: int, lifting: bool
) -> None:
    names = names_of(records, k, m, lifting=lifting)
    assert not rare(records, names, k, m)
    for item, name in names.items():
        assert item in TREE.leaves(name)
        assert lifting or item == name
    for one, other in combinations(set(names.values()), 2):
        assert not set(TREE.leaves(one)) & set(TREE.leaves(other))


@given(SETS, st.integers(1, 4), st.integers(1, 3))
def test_no_name_can_be_replaced_by_those_below_it(records: list[set[str]], k: int, m: int) -> None:
    names = names_of(records, k, m)
    for name in set(names.values()) - set(TREE.values):
        lower = {
            item: next(each for each in (item, *TREE.ancestors(item)) if TREE.parent(each) == name)
            if shown == name
            else shown
            for item, shown in names.items()
        }
        assert rare(records, lower, k, m)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([{"a"}, {"a"}, {"b"}, {"b"}], {"a": "ab", "b": "ab"}),
        ([{"a"}] * 3 + [{"b"}] * 3, {"a": "a", "b": "b"}),
        ([{"a"}] * 3 + [{"g"}] * 3, {"a": "a", "g": "g"}),
        ([{"a"}, {"c"}, {"d"}], {"a": "abcd", "c": "abcd", "d": "abcd"}),
    ],
)
def test_items_are_lifted_no_further_than_needed(
    records: list[set[str]], expected: dict[str, str]
) -> None:
    assert names_of(records, 3, 1) == expected
