from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.histogram import ItemsetHistogram
from discreet.counts import (
    TopK,
    frequent_itemsets,
    length_distance,
    top_itemsets,
    top_k_frequent,
    top_k_overlap,
)
from discreet.errors import ParameterError

histograms = st.dictionaries(
    st.frozensets(st.sampled_from("abcd")).map(lambda held: tuple(sorted(held))),
    st.integers(1, 4),
    max_size=12,
)


@given(histograms, st.integers(1, 14), st.permutations("abcd"))
def test_top_itemsets_by_sorting(counts, k, universe):
    ranked = sorted(counts, key=lambda held: (-counts[held], len(held), held))
    assert top_itemsets(ItemsetHistogram.of(counts, universe), k) == ranked[:k]


def test_overlap_is_a_share_of_the_data_s_sets():
    data = ItemsetHistogram.of({("a",): 9, ("b",): 8, ("c",): 7, ("d",): 1})
    release = ItemsetHistogram.of({("c",): 9, ("d",): 8, ("a",): 7, ("b",): 1})
    assert top_k_overlap(data, release, 3) == pytest.approx(2 / 3)
    assert top_k_overlap(data, release, 100) == 1.0
    assert top_k_overlap(data, data, 2) == 1.0


def test_sets_count_exactly_not_by_containment():
    data = ItemsetHistogram.of({("a", "b"): 9, ("a",): 1, ("c",): 5})
    assert top_itemsets(data, 2) == [("a", "b"), ("c",)]


def test_overlap_with_nothing():
    nothing, something = ItemsetHistogram.of({}), ItemsetHistogram.of({("a",): 1})
    assert top_k_overlap(something, nothing, 5) == 0.0
    assert top_k_overlap(nothing, something, 5) == 1.0


def test_k_must_be_positive():
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        top_itemsets(ItemsetHistogram.of({}), 0)


@given(
    histograms,
    st.integers(1, 20),
    st.integers(1, 4),
    st.permutations("abcd"),
    st.sampled_from([0, 30]),
)
def test_frequent_itemsets_by_counting_everyone(counts, k, max_size, universe, fillers):
    # beyond 20 items an index takes the place of the table over all sets
    universe = [*universe, *map(str, range(fillers))]
    supports = {
        held: sum(count for each, count in counts.items() if set(held) <= set(each))
        for size in range(1, max_size + 1)
        for held in combinations("abcd", size)
    }
    ranked = sorted(
        (held for held in supports if supports[held]),
        key=lambda held: (-supports[held], len(held), held),
    )
    found = frequent_itemsets(ItemsetHistogram.of(counts, universe), k, max_size=max_size)
    assert list(found.items()) == [(held, supports[held]) for held in ranked[:k]]


def test_many_equal_supports_are_not_combined():
    # 2,000 items held once each: 2 million pairs must not be looked at, and none can enter
    many = ItemsetHistogram.of({(f"{item:04d}", f"{item + 1000:04d}"): 1 for item in range(1000)})
    assert list(frequent_itemsets(many, 3)) == [("0000",), ("0001",), ("0002",)]


def test_precision_and_recall_differ_where_the_release_is_short():
    data = ItemsetHistogram.of({("a", "b"): 9, ("c",): 3})
    short = ItemsetHistogram.of({("a",): 8, ("d",): 1})
    # a, b, ab, c against a, d
    assert top_k_frequent(data, short, 4) == TopK(precision=1 / 2, recall=1 / 4)
    assert top_k_frequent(data, data, 4) == TopK(1.0, 1.0)


def test_frequent_itemsets_of_nothing():
    nothing, something = ItemsetHistogram.of({}), ItemsetHistogram.of({("a",): 1})
    assert top_k_frequent(something, nothing, 5) == TopK(precision=0.0, recall=0.0)
    assert top_k_frequent(nothing, something, 5) == TopK(precision=0.0, recall=1.0)
    assert top_k_frequent(nothing, nothing, 5) == TopK(precision=1.0, recall=1.0)


@pytest.mark.parametrize(("k", "max_size"), [(0, 3), (1, 0)])
def test_frequent_itemsets_check_their_numbers(k, max_size):
    with pytest.raises(ParameterError, match="must be at least 1, got 0"):
        frequent_itemsets(ItemsetHistogram.of({}), k, max_size=max_size)


@given(histograms.filter(bool), histograms.filter(bool))
def test_length_distance_is_the_largest_difference_of_any_group_of_lengths(one, two):
    shares = [
        [
            sum(n for held, n in counts.items() if len(held) == size) / sum(counts.values())
            for size in range(5)
        ]
        for counts in (one, two)
    ]
    largest = max(
        abs(sum(shares[0][size] - shares[1][size] for size in group))
        for many in range(6)
        for group in combinations(range(5), many)
    )
    found = length_distance(ItemsetHistogram.of(one), ItemsetHistogram.of(two))
    assert found == pytest.approx(largest)


def test_length_distance_to_nobody():
    nothing, something = ItemsetHistogram.of({}), ItemsetHistogram.of({("a",): 1})
    assert length_distance(nothing, something) == length_distance(something, nothing) == 1.0
    assert length_distance(nothing, nothing) == 0.0
