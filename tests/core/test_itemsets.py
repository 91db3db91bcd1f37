"""Many sets over one vocabulary, as two arrays: where each set begins, and which items it holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets


def test_sets_are_immutable() -> None:
    sets = Itemsets.of([["a"], ["b"]])
    with pytest.raises(ValueError, match="read-only"):
        sets.items[0] = 1


PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=20)


@given(PAIRS)
def test_sets_of_pairs_hold_each_item_once(pairs: list[tuple[int, int]]) -> None:
    rows, items = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    sets = Itemsets.of_pairs(rows, items, 5, tuple("abcdefg"))
    assert list(sets) == [
        tuple("abcdefg"[i] for i in range(7) if (s, i) in pairs) for s in range(5)
    ]
    assert list(zip(sets.rows.tolist(), sets.items.tolist(), strict=True)) == sorted(set(pairs))
    starts, places = sets.by_item
    for item in range(7):
        held = sets.rows[places[starts[item] : starts[item + 1]]].tolist()
        assert held == [row for row in range(5) if (row, item) in pairs]
