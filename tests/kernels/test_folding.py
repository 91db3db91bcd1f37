from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.fold import fold
from discreet.core.itemsets import Itemsets
from discreet.kernels.folding import distinct_sets, gather, lexicographic

ITEMS = {size: [f"i{number:04d}" for number in range(size)] for size in (1, 17, 64, 65, 300)}


@given(
    records=st.lists(
        st.lists(st.integers(0, 3), max_size=40).map(lambda steps: np.cumsum([1, *steps])),
        max_size=30,
    )
)
def test_sets_sort_as_their_tuples_do_stably(records: list[Any]) -> None:
    runs = [sorted(set(record.tolist())) for record in records]
    offsets = np.concatenate([[0], np.cumsum([len(run) for run in runs])]).astype(np.int64)
    items = np.array([item for run in runs for item in run], dtype=np.int32)
    order = lexicographic(offsets, items, 200)
    assert order.tolist() == sorted(range(len(runs)), key=lambda place: runs[place])


@pytest.mark.parametrize("size", [40, 64, 65, 300])
def test_tables_that_grow_many_times_lose_nothing(size: int) -> None:
    rng = np.random.default_rng(size)
    pairs = rng.integers(0, size, size=(20_000, 3))
    records = [sorted({ITEMS[300][item] for item in row}) for row in pairs.tolist()]
    folded = fold(Itemsets.of(records, ITEMS[300][:size]))
    assert folded.as_dict() == Counter(map(tuple, records))


@given(
    universe=st.sampled_from([1, 2, 17, 64, 65, 300, 65_535]),
    most=st.integers(0, 12),
    seed=st.integers(0, 1000),
)
def test_sets_fold_alike_whether_they_fit_a_number_or_not(
    universe: int, most: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    drawn = [rng.choice(universe, size=rng.integers(0, most + 1)) for _ in range(60)]
    sets = [tuple(sorted(set(some.tolist()))) for some in drawn]
    offsets = np.concatenate([[0], np.cumsum([len(some) for some in sets])]).astype(np.int64)
    items = np.array([item for some in sets for item in some], dtype=np.int32)
    weights = rng.integers(1, 5, len(sets))
    begins, found, counts = distinct_sets(offsets, items, universe, weights)
    runs = [tuple(found[one:other].tolist()) for one, other in pairwise(begins)]
    expected: Counter[tuple[int, ...]] = Counter()
    for some, weight in zip(sets, weights.tolist(), strict=True):
        expected[some] += weight
    assert list(zip(runs, counts.tolist(), strict=True)) == sorted(expected.items())


def test_the_highest_item_of_a_word_counts() -> None:
    names = ITEMS[64]
    sets = Itemsets.of([names, names[:63], names, names[63:], []], names)
    assert fold(sets).counts.tolist() == [1, 1, 2, 1]


@pytest.mark.parametrize("size", [1, 65])
def test_nothing_folds_to_nothing(size: int) -> None:
    folded = fold(Itemsets.of([], ITEMS[size]))
    assert (len(folded), folded.total) == (0, 0)


def test_empty_sets_over_nothing_fold_to_one() -> None:
    assert fold(Itemsets.of([[], [], []])).as_dict() == {(): 3}


@given(
    records=st.lists(st.frozensets(st.sampled_from("abcde")), min_size=1, max_size=20),
    picks=st.lists(st.integers(0, 1000), max_size=30),
)
def test_gather_takes_the_sets_asked_for(records: list[frozenset[str]], picks: list[int]) -> None:
    sets = Itemsets.of(records)
    index = np.array([pick % len(records) for pick in picks], dtype=np.int64)
    offsets, items = gather(sets.offsets, sets.items, index)
    taken = Itemsets(offsets, items, sets.vocabulary)
    assert list(taken) == [sets[int(place)] for place in index]


@pytest.mark.parametrize("universe", [70, 3000, 60_000])
def test_many_sets_that_begin_alike_fold_to_each_of_them_once(universe: int) -> None:
    # ties over several words, sorted by several digits each: what one pass leaves the next needs
    drawn = np.random.default_rng(7)
    first = tuple(range(0, 10, 2))

    def some(low: int, high: int, size: int) -> tuple[int, ...]:
        chosen = drawn.choice(np.arange(low, high), size, replace=False)
        return tuple(sorted(chosen.tolist()))

    middles = [some(10, 40, 5 + place % 3) for place in range(15)]
    tails = [some(40, universe, int(drawn.integers(0, 12))) for _ in range(30)]
    runs = [first + middle + tail for middle in middles for tail in tails] * 3
    records = [runs[place] for place in drawn.permutation(len(runs))]
    offsets = np.concatenate([[0], np.cumsum([len(run) for run in records])]).astype(np.int64)
    items = np.array([item for run in records for item in run], dtype=np.int32)
    folded_offsets, folded_items, counts = distinct_sets(offsets, items, universe)
    folded = [tuple(folded_items[begin:end].tolist()) for begin, end in pairwise(folded_offsets)]
    expected = Counter(records)
    assert folded == sorted(expected)
    assert counts.tolist() == [expected[run] for run in folded]
