"""Rare sets and recoded rows, compared with a plain search."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.generalised.kernels.rare_sets import Sought, rare_sets, recoded

WIDTH = 6
rows = st.lists(st.sets(st.integers(0, WIDTH - 1)), max_size=12)
UNIVERSE = [str(number) for number in range(WIDTH)]


def sets_of(records: list[set[int]]) -> Itemsets:
    return Itemsets.of([map(str, row) for row in records], UNIVERSE)


def plain(
    records: list[set[int]], counts: list[int], least: int, size: int
) -> dict[tuple[int, ...], int]:
    """Every set up to a size that somebody has and too few have, with how many have it."""
    held = {}
    for many in range(1, size + 1):
        for known in combinations(range(WIDTH), many):
            pairs = zip(records, counts, strict=True)
            people = sum(count for row, count in pairs if set(known) <= row)
            if 0 < people < least:
                held[known] = people
    return held


def found(
    records: list[set[int]], counts: list[int], sought: Sought
) -> tuple[dict[tuple[int, ...], int], int]:
    sets = sets_of(records)
    numbers, people, whole = rare_sets(
        sets.offsets.copy(), sets.items.copy(), np.array(counts, dtype=np.int64), sought
    )
    assert whole
    names = [tuple(item for item in row if item >= 0) for row in numbers.tolist()]
    return dict(zip(names, people.tolist(), strict=True)), len(names)


@given(rows, st.integers(1, 6), st.integers(1, 4))
def test_all_rare_sets_are_found(records: list[set[int]], least: int, size: int) -> None:
    counts = [1 + place % 3 for place in range(len(records))]
    sought = Sought(WIDTH, WIDTH, least, 1, size, 10_000)
    named, many = found(records, counts, sought)
    assert named == plain(records, counts, least, size)
    assert many == len(named)


@given(rows, st.integers(1, 6), st.integers(1, 4), st.integers(1, WIDTH))
def test_the_smallest_rare_sets_with_some_first_items(
    records: list[set[int]], least: int, size: int, firsts: int
) -> None:
    counts = [1] * len(records)
    named, _ = found(records, counts, Sought(WIDTH, firsts, least, least, size, 10_000))
    every = plain(records, counts, least, size)
    smaller = {
        known: people
        for known, people in every.items()
        # grown item by item: a set is met if none of its beginnings is rare
        if known[0] < firsts and not any(known[:n] in every for n in range(1, len(known)))
    }
    assert named == smaller


@given(rows)
def test_the_search_ends_at_its_limit(records: list[set[int]]) -> None:
    counts = [1] * len(records)
    named, _ = found(records, counts, Sought(WIDTH, WIDTH, 5, 1, 3, 1))
    assert len(named) == min(1, len(plain(records, counts, 5, 3)))


@given(rows, st.lists(st.integers(-1, 3), min_size=WIDTH, max_size=WIDTH))
def test_rows_under_other_labels(records: list[set[int]], label: list[int]) -> None:
    sets = sets_of(records)
    offsets, items = recoded(
        sets.offsets.copy(), sets.items.copy(), np.array(label, dtype=np.int64), 4
    )
    rows_ = [items[offsets[row] : offsets[row + 1]].tolist() for row in range(len(records))]
    assert rows_ == [sorted({label[item] for item in row} - {-1}) for row in records]
