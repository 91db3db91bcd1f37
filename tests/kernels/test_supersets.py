"""Sums over supersets against plain enumeration, in lists and in columns of bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.kernels import supersets
from discreet.kernels.supersets import containment_sums, holders_of
from discreet.rng import seeded

ITEMS = 70
"""More than a signature can tell apart."""


def _drawn(sets: int, of_a_hundred: int, seed: int) -> list[list[str]]:
    """Draw sets: so many of a hundred hold an even item, and hardly anybody an odd one."""
    chances = np.where(np.arange(ITEMS) % 2, 2, of_a_hundred)
    held = seeded(seed).integers(100, sets * ITEMS).reshape(sets, ITEMS) < chances
    return [[str(item) for item in np.flatnonzero(row)] for row in held]


@settings(max_examples=30)
@given(st.integers(1, 130), st.sampled_from([3, 30, 90]), st.booleans(), st.integers(0, 1 << 30))
def test_the_sums_are_those_of_plain_enumeration(
    sets: int, of_a_hundred: int, dense: bool, seed: int
) -> None:
    people = _drawn(sets, of_a_hundred, seed)
    universe = [str(item) for item in range(ITEMS)]
    own = [each[:3] for each in people[::3]] + [[], ["0"], ["0", "2"], ["1", "3"]]
    # asked so often that columns pay, or once
    asked = own * (10 if dense else 1)
    held, wanted = Itemsets.of(people, universe), Itemsets.of(asked, universe)
    weights = 1 + seeded(seed).integers(5, sets)
    sums = containment_sums(
        held.offsets,
        held.items,
        weights,
        holders_of(held.offsets, held.items, ITEMS),
        wanted.offsets,
        wanted.items,
    )
    expected = [
        sum(weights[row] for row in range(sets) if set(query) <= set(people[row])) for query in own
    ]
    assert sums.tolist() == expected * (len(asked) // len(own))


def test_long_lists_become_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    filled = []
    fill = supersets._fill
    monkeypatch.setattr(
        supersets,
        "_fill",
        lambda columns, *rest: filled.append(len(columns)) or fill(columns, *rest),
    )
    held = Itemsets.of(_drawn(100, 90, 1))
    holders = holders_of(held.offsets, held.items, len(held.vocabulary))
    for asked in (held.take(np.arange(3)), held.take(np.arange(5000) % 100)):
        weights = np.ones(100, dtype=np.int64)
        containment_sums(*(held.offsets, held.items), weights, holders, asked.offsets, asked.items)
    assert filled[0] == 0
    assert filled[1] >= ITEMS // 2
