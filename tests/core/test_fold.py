from collections import Counter
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.fold import canonical_order, fold
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions

ITEMS = {size: [f"i{number:04d}" for number in range(size)] for size in (1, 17, 64, 65, 300)}


def records_over(size: int) -> st.SearchStrategy[Itemsets]:
    """Sets of few items, and of so many that their order is not decided by the first ones."""
    item = st.sampled_from(ITEMS[size])
    long = st.integers(0, 5).map(lambda less: frozenset(ITEMS[size][: size - less]))
    records = st.lists(st.frozensets(item, max_size=8) | long, max_size=60)
    return records.map(lambda records: Itemsets.of(records, ITEMS[size]))


@given(sets=st.sampled_from(list(ITEMS)).flatmap(records_over))
def test_folding_counts_as_a_counter_does_and_sorts(sets: Itemsets) -> None:
    folded = fold(sets)
    assert folded.as_dict() == Counter(sets)
    assert list(folded.sets) == sorted(set(sets))
    assert folded.sets.vocabulary == sets.vocabulary


@given(
    sets=st.sampled_from([17, 300]).flatmap(records_over),
    shuffle=st.randoms(use_true_random=False),
)
def test_records_in_canonical_order_are_the_same_whatever_order_they_came_in(
    sets: Itemsets, shuffle: Random
) -> None:
    ids = np.array([f"id {number}" for number in range(len(sets))], dtype=np.str_)
    moved = np.array(shuffle.sample(range(len(sets)), len(sets)), dtype=np.int64)
    one = Transactions(sets, ids)
    other = Transactions(sets.take(moved), ids[moved])
    first, second = canonical_order(one), canonical_order(other)
    assert one.ids[first].tolist() == other.ids[second].tolist()
    assert list(one.sets.take(first)) == sorted(sets)


def test_equal_sets_without_ids_keep_the_order_they_came_in() -> None:
    assert canonical_order(Transactions.of([["b"], ["a"], ["b"], []])).tolist() == [3, 1, 0, 2]
