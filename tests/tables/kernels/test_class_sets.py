"""The sets of a class: no few items are rare, and nothing is given up that need not be."""

from collections import Counter
from itertools import combinations
from typing import TypeAlias

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.tables.kernels.class_sets import blocks_of_class

SETS = st.lists(st.sets(st.sampled_from("abcdefg")), min_size=1, max_size=24)
Shown: TypeAlias = list[set[int]]


def recoded(
    records: list[set[str]], k: int, m: int, *, single: bool = True
) -> tuple[Shown, Shown, Counter[int], float]:
    """Return the blocks each person keeps, those of the person's items, block sizes, the loss."""
    distinct = sorted({tuple(sorted(held)) for held in records})
    sets = Itemsets.of(distinct, "abcdefg")
    people = np.sort([distinct.index(tuple(sorted(held))) for held in records])
    arrays = (sets.offsets.copy(), sets.items.copy(), np.full(7, -1))
    plain = (np.zeros(0, np.int64), np.zeros((3, 0), np.int64))
    held, label, which, blocks, lost = blocks_of_class(people, *arrays, *plain, k, m, True, single)
    block_of = dict(zip(held.tolist(), label.tolist(), strict=True))
    kept: dict[int, set[int]] = {number: set() for number in range(len(distinct))}
    for number, block in zip(which.tolist(), blocks.tolist(), strict=True):
        kept[number].add(block)
    own = [
        {block_of[item] for item in sets.items[sets.offsets[p] : sets.offsets[p + 1]].tolist()}
        for p in people
    ]
    sizes = Counter(block for block in label.tolist() if block >= 0)
    return [kept[int(person)] for person in people], own, sizes, lost


def anonymous(rows: Shown, k: int, m: int) -> bool:
    counted = Counter(
        known
        for row in rows
        for size in range(1, m + 1)
        for known in combinations(sorted(row), size)
    )
    return all(rows >= k for rows in counted.values())


@given(SETS, st.integers(1, 4), st.integers(1, 4))
def test_no_few_known_items_are_rare(records: list[set[str]], k: int, m: int) -> None:
    shown, own, sizes, lost = recoded(records, k, m)
    assert anonymous(shown, k, m)
    assert all(row <= held - {-1} for row, held in zip(shown, own, strict=True))
    assert 0 <= lost <= sum(map(len, records)) + 1e-9
    assert sum(sizes.values()) <= 7


@given(SETS, st.integers(1, 4), st.integers(1, 3))
def test_no_block_that_was_left_out_can_be_put_back(
    records: list[set[str]], k: int, m: int
) -> None:
    shown, own, _, _ = recoded(records, k, m)
    for missing in {(tuple(row), tuple(held)) for row, held in zip(shown, own, strict=True)}:
        for block in set(missing[1]) - {-1} - set(missing[0]):
            again = [
                row | {block} if (tuple(row), tuple(held)) == missing else row
                for row, held in zip(shown, own, strict=True)
            ]
            assert not anonymous(again, k, m)


def test_what_everybody_may_know_stays_as_it_is() -> None:
    shown, _, sizes, lost = recoded([{"a", "b"}] * 3 + [{"c"}] * 3, 3, 2)
    assert lost == 0
    assert set(sizes.values()) == {1}
    assert sorted(map(len, shown)) == [1, 1, 1, 2, 2, 2]


def test_two_rare_items_are_merged_rather_than_left_out() -> None:
    shown, _, sizes, lost = recoded([{"a"}, {"a"}, {"b"}, {"b"}], 3, 1)
    assert list(sizes.values()) == [2]
    assert lost == 2.0
    assert all(len(row) == 1 for row in shown)


def test_a_single_occurrence_goes_where_whole_items_would_cost_more() -> None:
    records = [{"a", "b"}] * 5 + [{"a", "c"}] * 5 + [{"b", "c"}]
    shown, _, sizes, lost = recoded(records, 3, 2)
    assert lost == 1.0
    assert set(sizes.values()) == {1}
    assert sum(map(len, shown)) == 21


@given(SETS, st.integers(1, 4), st.integers(1, 3))
def test_without_single_occurrences_an_item_is_one_thing_in_the_whole_class(
    records: list[set[str]], k: int, m: int
) -> None:
    shown, own, _, lost = recoded(records, k, m, single=False)
    assert anonymous(shown, k, m)
    assert shown == [held - {-1} for held in own]
    assert lost >= recoded(records, k, m)[3] - 1e-9
