"""The error of queries asked some at a time and where something changed is that of all of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.core.fold import fold
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.generalised.kernels.rare_sets import recoded
from discreet.generalised.recoding.query_errors import MeasuredQueries

ITEMS = [f"i{number:02}" for number in range(24)]
"""More than a table over all sets is made for."""
rows = st.lists(st.sets(st.sampled_from(ITEMS), max_size=6), min_size=2, max_size=30)
percents = st.sampled_from([0, 3, 10, 50, 100])


@settings(max_examples=100)
@given(rows, st.sampled_from([4, 24]), percents, st.integers(0, 1000), st.floats(0, 1.5))
def test_some_queries_and_some_sets_at_a_time(
    data: list[set[str]], width: int, left_out: int, seed: int, limit: float
) -> None:
    people = Transactions.of(data, universe=ITEMS).folded
    measured = MeasuredQueries.of(people)
    label = np.arange(len(ITEMS)) % width
    sizes = np.bincount(label, minlength=width)
    arrays = recoded(people.sets.offsets.copy(), people.sets.items.copy(), label, width)
    under = ItemsetHistogram(Itemsets(*arrays, tuple(map(str, range(width)))), people.counts)
    published = rng.seeded(seed).integers(100, len(under.sets.items)) >= left_out
    left = fold(under.sets.only(published), under.counts)
    whole = measured.errors(left, label, sizes)[0]
    assert measured.expected(under, published, (label, sizes)) == pytest.approx(whole)
    some = measured.expected(under, published, (label, sizes), limit)
    assert some == pytest.approx(whole) or (math.isinf(some) and whole > limit)
