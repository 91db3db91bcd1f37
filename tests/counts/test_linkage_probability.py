from itertools import combinations
from math import exp, prod, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.exact import exact
from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions
from discreet.counts import SparseHistogram, linkage_probability
from discreet.errors import ParameterError
from discreet.rng import discrete_laplace, seeded

UNIVERSE = "abcd"
cells = [frozenset(held) for size in range(5) for held in combinations(UNIVERSE, size)]
histograms = st.dictionaries(st.sampled_from(cells), st.integers(1, 12), max_size=8)


def histogram(counts):
    return ItemsetHistogram.of({tuple(sorted(h)): n for h, n in counts.items()}, UNIVERSE)


def reaching(least, rate):
    """P(noise >= least) by adding up the law."""
    q = exp(-rate)
    return sum((1 - q) / (1 + q) * q ** abs(x) for x in range(least, least + 400))


@given(
    histograms,
    st.sampled_from([cell for cell in cells if 1 <= len(cell) <= 3]),
    st.lists(st.integers(1, 6), min_size=5, max_size=5),
)
def test_probability_cell_by_cell(counts, target, least):
    known = target - {min(target)}
    found = linkage_probability(
        histogram(counts), sorted(known), sorted(target), epsilon="1/2", least=least
    )
    published = {cell: reaching(least[len(cell)] - counts.get(cell, 0), 0.5) for cell in cells}
    others = [cell for cell in cells if known <= cell and cell != target]
    expected = published[target] * prod(1 - published[cell] for cell in others)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_larger_sets_than_the_thresholds_are_never_published():
    data = histogram({frozenset("ab"): 9, frozenset("abc"): 9})
    short = linkage_probability(data, "a", "ab", epsilon=1, least=(1, 1, 1))
    whole = linkage_probability(data, "a", "ab", epsilon=1, least=(1, 1, 1, 1, 1))
    # of the sizes up to two, {a}, {a, c} and {a, d} must stay out, each with 1 / (1 + 1/e)
    assert short == pytest.approx((1 / (1 + exp(-1))) ** 3, rel=1e-3)
    assert whole < 1e-3


@pytest.mark.parametrize("rate", [1, 20])
def test_hopeless_and_certain_cells(rate):
    data = histogram({frozenset("ab"): 10_000, frozenset("a"): 10_000})
    assert linkage_probability(data, "a", "ab", epsilon=rate, least=(1, 1, 1)) == 0.0
    alone = histogram({frozenset("ab"): 10_000})
    assert linkage_probability(alone, "a", "ab", epsilon=rate, least=(9, 99, 99)) == pytest.approx(
        1
    )


def test_simulated_with_noise_on_every_cell():
    counts, least, runs = {frozenset("abc"): 7, frozenset("ab"): 1, frozenset("c"): 5}, 3, 20_000
    supersets = [cell for cell in cells if frozenset("ab") <= cell]
    noise = discrete_laplace(runs * len(supersets), exact("epsilon", "1/2"), seeded(3))
    noisy = noise.reshape(runs, -1) + [counts.get(cell, 0) for cell in supersets]
    target = supersets.index(frozenset("abc"))
    alone = (noisy >= least).sum(axis=1) == 1
    rate = (alone & (noisy[:, target] >= least)).mean()
    expected = linkage_probability(histogram(counts), "ab", "abc", epsilon="1/2", least=[least] * 5)
    assert abs(rate - expected) < 5 * sqrt(expected * (1 - expected) / runs)


def test_simulated_with_a_sparse_histogram():
    people = Transactions.of([["a", "b", "c"]] * 9 + [["a", "b"]] * 2, universe=list(UNIVERSE))
    method = SparseHistogram(epsilon=1, spurious=1, universe=tuple(UNIVERSE))
    least = [method.threshold(4, size) for size in range(5)]
    expected = linkage_probability(people.folded, "ab", "abc", epsilon=1, least=least)
    runs, alone = 600, 0
    for passed in method.outcomes(people, seeded(1), runs):
        alone += [held for held, _ in passed if set("ab") <= set(held)] == [tuple("abc")]
    assert abs(alone / runs - expected) < 5 * sqrt(expected * (1 - expected) / runs)


@pytest.mark.parametrize(
    ("known", "target", "sizes"), [("ab", "ab", 5), ("a", "bc", 5), ("a", "az", 5), ("a", "ab", 2)]
)
def test_target_must_hold_known_and_more(known, target, sizes):
    with pytest.raises(ParameterError, match="target must hold known and more"):
        linkage_probability(histogram({}), known, target, epsilon=1, least=[1] * sizes)
