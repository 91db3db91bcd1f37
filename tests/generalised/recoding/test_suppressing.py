"""What was published from nothing in one pass leaves nothing that could be published too."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.generalised.kernels.occurrences import put_back
from discreet.generalised.recoding.suppressing import Suppressing

ITEMS = "abcdef"
rows = st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=20)


@settings(max_examples=150)
@given(rows, st.integers(2, 4), st.integers(1, 3), st.integers(0, 99))
def test_one_pass_is_enough(data: list[set[str]], k: int, m: int, seed: int) -> None:
    folded = Transactions.of(data, universe=list(ITEMS)).folded
    task = Suppressing(folded, np.ones(len(ITEMS)), k, m)
    order = rng.seeded(seed).permutation(len(ITEMS))
    for start in (task.nothing.published, task.of_items()):
        published = task.filled(start, order, everywhere=False)
        state = task.nothing._replace(published=published.copy())
        assert put_back(state, order, k, m, False) == 0
        shown = [set(row) for row in folded.sets.only(published)]
        for size in range(1, m + 1):
            for known in combinations(ITEMS, size):
                fits = [n for row, n in zip(shown, folded.counts, strict=True) if {*known} <= row]
                assert not fits or sum(fits) >= k
