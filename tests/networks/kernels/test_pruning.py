"""Who holds what, and records that lose occurrences and get all of them back."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.networks.hiding.suppression import Bound, Records
from discreet.networks.kernels.pruning import held_of

ITEMS = tuple("abcdef")
SECRET = np.array([item in "ab" for item in ITEMS])
PAIRS = st.lists(st.tuples(st.integers(0, 69), st.integers(0, 5)), max_size=80)


@settings(max_examples=100)
@given(PAIRS)
def test_pairs_that_come_again_are_held_once(pairs: list[tuple[int, int]]) -> None:
    rows, items = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T.copy()
    held = held_of(rows, items, 70, len(ITEMS))
    sets = Itemsets.of_pairs(rows, items, 70, ITEMS)
    assert held.offsets.tolist() == sets.offsets.tolist()
    assert held.items.tolist() == sets.items.tolist()
    ends, positions = sets.by_item
    assert held.ends.tolist() == ends.tolist()
    assert held.rows.tolist() == sets.rows[positions].tolist()
    shifts = np.arange(70, dtype=np.uint64)
    there = held.bits[:, shifts >> np.uint64(6)] >> (shifts & np.uint64(63)) & np.uint64(1)
    assert np.argwhere(there).tolist() == sorted([item, row] for row, item in set(pairs))


@settings(max_examples=100)
@given(st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=12))
def test_what_was_deleted_comes_back_as_if_nothing_had_happened(records: list[set[str]]) -> None:
    sets = Itemsets.of(records, ITEMS)
    work, fresh = (Records(sets, SECRET, Bound(rho=Fraction(1, 3))) for _ in range(2))
    work.suppress("dist")
    first = work.deleted
    work.undelete()
    assert work.left() == sets
    assert (work.deleted, work.spent, work.secrets_lost()) == ([], 0, 0)
    assert work.sizes.tolist() == fresh.sizes.tolist()
    assert work.counts.tolist() == fresh.counts.tolist()
    work.suppress("dist")
    assert work.deleted == first
