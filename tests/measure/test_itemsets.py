import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.data.contents import ItemsetHistogram
from discreet.errors import ParameterError
from discreet.measure import top_itemsets, top_k_overlap

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
