from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.errors import ParameterError
from discreet.measure import answers, paper_workload, relative_error, shared_items
from discreet.rng import seeded

histograms = st.dictionaries(
    st.frozensets(st.sampled_from("abcdef")).map(lambda held: tuple(sorted(held))),
    st.integers(1, 9),
    max_size=12,
)
queries = st.lists(st.frozensets(st.sampled_from("abcdefz")), max_size=8)
# beyond 20 items an index takes the place of the table over all sets
universes = st.permutations("abcdef").flatmap(
    lambda letters: st.sampled_from([0, 30]).map(lambda more: [*letters, *map(str, range(more))])
)


@given(histograms, queries, universes)
def test_answers_count_the_people_who_hold_all(counts, asked, universe):
    found = answers(ItemsetHistogram.of(counts, universe), Itemsets.of(asked))
    assert found.tolist() == [
        sum(count for held, count in counts.items() if query <= set(held)) for query in asked
    ]


@given(histograms, queries, universes)
def test_shared_items_are_held_by_all_who_fit(counts, asked, universe):
    found = shared_items(ItemsetHistogram.of(counts, universe), Itemsets.of(asked))
    expected = []
    for query in asked:
        fitting = [frozenset(held) for held in counts if query <= set(held)]
        expected.append(len(frozenset.intersection(*fitting) - query) if fitting else 0)
    assert found.tolist() == expected


def test_relative_error_is_bounded_below_by_the_sanity():
    true, published = np.array([100, 1, 0]), np.array([90, 3, 5])
    assert relative_error(true, published, 2.0).tolist() == [0.1, 1.0, 2.5]
    with pytest.raises(ParameterError, match="sanity must be above 0, got 0"):
        relative_error(true, published, 0)


def test_workload_is_half_existing_and_half_random():
    folded = ItemsetHistogram.of({("a", "b"): 900, ("c",): 1, (): 5}, universe="abcdefgh")
    workload = paper_workload(folded, seeded(1), size=20_001)
    assert (len(workload.existing), len(workload.random), len(workload)) == (10_000, 10_001, 20_001)
    # each distinct set equally often, whatever its count, and never the empty one
    existing = Counter(workload.existing)
    assert set(existing) == {("a", "b"), ("c",)}
    assert abs(existing[("c",)] - 5_000) < 5 * 50
    sizes = np.bincount(workload.random.sizes, minlength=6)
    assert sizes[0] == 0
    assert np.abs(sizes[1:] - 2_000).max() < 5 * 40


@pytest.mark.parametrize("size", [1, 2, 3])
def test_random_itemsets_of_a_size_are_equally_likely(size):
    folded = ItemsetHistogram.of({("a",): 1}, universe="abcde")
    drawn = Counter(paper_workload(folded, seeded(2), size=40_000, max_random_size=3).random)
    many = [count for held, count in drawn.items() if len(held) == size]
    assert len(many) == comb(5, size)
    expected = 20_000 / 3 / comb(5, size)
    chi_square = sum((count - expected) ** 2 / expected for count in many)
    # the size is drawn too: below 40 with 10 cells but for one seed in 10,000
    assert chi_square < 40


def test_random_itemsets_stay_within_a_small_universe():
    folded = ItemsetHistogram.of({("a",): 1}, universe="ab")
    assert set(paper_workload(folded, seeded(3), size=200).random) == {("a",), ("b",), ("a", "b")}


def test_workload_repeats_under_a_seed():
    folded = ItemsetHistogram.of({("a", "b"): 2, ("c",): 1})
    one, two = (paper_workload(folded, seeded(4), size=50) for _ in range(2))
    assert list(one.existing) == list(two.existing)
    assert list(one.random) == list(two.random)


def test_workload_of_nothing_is_empty():
    assert len(paper_workload(ItemsetHistogram.of({}), seeded(5), size=10)) == 0
    only_empty = ItemsetHistogram.of({(): 3}, universe="ab")
    assert len(paper_workload(only_empty, seeded(5), size=10).existing) == 0


@pytest.mark.parametrize(("size", "largest"), [(-1, 5), (10, 0)])
def test_workload_sizes_are_checked(size, largest):
    with pytest.raises(ParameterError, match=f"got {size} and {largest}"):
        paper_workload(ItemsetHistogram.of({}), seeded(5), size=size, max_random_size=largest)
