"""Marginal tables and the scores R, F and MI, each against its definition."""

from itertools import combinations, product
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.counts.kernels.marginals import (
    FAR_FROM_INDEPENDENT,
    MUTUAL_INFORMATION,
    NEAR_DETERMINED,
    ONE_BIT,
    marginal,
    sample_item,
    score,
    score_parents,
)

KINDS = (FAR_FROM_INDEPENDENT, NEAR_DETERMINED, MUTUAL_INFORMATION)

cells = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8).filter(
    lambda pairs: sum(map(sum, pairs)) > 0
)


def far(pairs, n):
    held = [sum(pair[x] for pair in pairs) for x in (0, 1)]
    return sum(abs(n * pair[x] - held[x] * sum(pair)) for pair in pairs for x in (0, 1)) // 2


def determined(pairs, n):
    lost = []
    for given_to in product((0, 1), repeat=len(pairs)):
        a, b = (
            sum(pair[x] for pair, to in zip(pairs, given_to, strict=True) if to == x)
            for x in (0, 1)
        )
        lost.append(max(0, n - 2 * a) + max(0, n - 2 * b))
    return -min(lost)


def information(pairs, n):
    held = [sum(pair[x] for pair in pairs) for x in (0, 1)]
    return sum(
        pair[x] / n * log2(pair[x] * n / (held[x] * sum(pair)))
        for pair in pairs
        for x in (0, 1)
        if pair[x]
    )


def scored(kind, pairs):
    table = np.array(pairs, dtype=np.int64)
    n = int(table.sum())
    room = np.zeros((2, n // 2 + 1), dtype=np.int64)
    return score(kind, table.sum(axis=1), table[:, 1].copy(), room, n), n


@given(cells)
def test_r_is_half_the_distance_from_independence(pairs):
    value, n = scored(FAR_FROM_INDEPENDENT, pairs)
    assert value == far(pairs, n)


@given(cells)
def test_f_is_the_best_of_all_assignments(pairs):
    value, n = scored(NEAR_DETERMINED, pairs)
    assert value == determined(pairs, n)


@given(cells)
def test_mi_is_mutual_information(pairs):
    value, n = scored(MUTUAL_INFORMATION, pairs)
    assert value / ONE_BIT == pytest.approx(information(pairs, n), abs=1e-9)


def rows_of(seed, items, size):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (items, size), dtype=np.uint8), rng.integers(1, 9, size)


@pytest.mark.parametrize("items", [[], [2], [3, 0], [0, 1, 2, 3]])
def test_a_marginal_counts_every_combination(items):
    columns, counts = rows_of(1, 4, 30)
    table = marginal(columns, counts, np.array(items, dtype=np.int32))
    for cell, values in enumerate(product((0, 1), repeat=len(items))):
        fits = np.ones(30, dtype=bool)
        for item, value in zip(items, values, strict=True):
            fits &= columns[item] == value
        assert table[cell] == counts[fits].sum()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_choice_of_parents_with_the_last_is_scored_once(kind, size):
    columns, counts = rows_of(size, 7, 40)
    chosen, children = np.array([5, 0, 3, 2], dtype=np.int32), np.array([1, 4, 6], dtype=np.int32)
    parents, scores = score_parents(columns, counts, chosen, size, children, kind)
    wanted = {frozenset([2, *others]) for others in combinations([5, 0, 3], size - 1)}
    assert {frozenset(row) for row in parents.tolist()} == wanted
    assert len(parents) == len(wanted)
    for row, of_row in zip(parents, scores.tolist(), strict=True):
        for child, value in zip(children, of_row, strict=True):
            order = np.array([*row, child], dtype=np.int32)
            table = marginal(columns, counts, order).reshape(-1, 2)
            assert value == scored(kind, table.tolist())[0]


def test_a_sampled_item_follows_the_cell_of_its_parents():
    rows = np.array([0, 1 << 63, 1, 1 | 1 << 63], dtype=np.uint64)
    # an item comes where the word, cut to 53 bits, lies below the threshold
    words = np.full(4, (1 << 52) << 11, dtype=np.uint64)
    thresholds = np.array([0, 1 << 53, 1 << 52, (1 << 52) + 1])
    sample_item(rows, np.array([63, 0], dtype=np.int32), thresholds, 5, words)
    # cells: rows 0, 1, 2, 3 lie in 00, 10, 01, 11
    assert [int(row >> np.uint64(5)) & 1 for row in rows] == [0, 0, 1, 1]
    assert [int(row) & ~(1 << 5) for row in rows] == [0, 1 << 63, 1, 1 | 1 << 63]
