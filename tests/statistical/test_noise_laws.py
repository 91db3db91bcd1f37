"""The laws of chance once more, on samples large enough to see small faults."""

from fractions import Fraction
from itertools import permutations
from math import exp

import numpy as np
import pytest

from discreet.counts.kernels import exchangeable_trials as counts
from discreet.kernels import noise
from discreet.rng import discrete_laplace, permute_and_flip, secure, seeded
from discreet.rng.binomial import binomial, tail_bounds
from tests.rng.laws import (
    binomial_law,
    depends_on_words_only,
    flip_law,
    follows,
    laplace_law,
    sample,
)

pytestmark = pytest.mark.slow

MANY = 3_000_000
SOME = 200_000


@pytest.mark.parametrize(
    "epsilon", ["1/3", "0.7", "2", "1", "5", "0.01", "3.14159", "1000003/1000000007"]
)
def test_noise(epsilon):
    draws = discrete_laplace(MANY, Fraction(epsilon), seeded(20))
    assert follows(draws, laplace_law(float(Fraction(epsilon))))


def test_secure_noise():
    # the only test with chance that is not seeded; it fails once in a hundred million runs
    draws = discrete_laplace(MANY, Fraction(1, 2), secure())
    assert follows(draws, laplace_law(0.5))


def test_successive_draws_are_independent():
    draws = discrete_laplace(MANY, Fraction(1), seeded(21)).clip(-2, 2) + 2
    law = laplace_law(1.0)
    clipped = [sum(p for x, p in law.items() if min(max(x, -2), 2) == y) for y in range(-2, 3)]
    pairs = {5 * a + b: clipped[a] * clipped[b] for a in range(5) for b in range(5)}
    assert follows(5 * draws[0::2] + draws[1::2], pairs)


def test_a_scale_one_percent_off_is_caught():
    draws = discrete_laplace(MANY, Fraction(101, 200), seeded(22))
    assert not follows(draws, laplace_law(0.5))


def test_long_draws_do_not_depend_on_blocks():
    assert depends_on_words_only(
        lambda rng: discrete_laplace(100_000, Fraction(1, 3), rng).tolist()
    )


@pytest.mark.parametrize(("num", "den"), [(1, 1), (3, 7), (10**15, 10**15 + 7), (9, 4)])
def test_bernoulli_exp(num, den):
    drawn = sample(lambda w, p: noise.bernoulli_exp(num, den, w, p), SOME, seed=23)
    p = exp(-num / den)
    assert follows(drawn, {0: 1 - p, 1: p})


@pytest.mark.parametrize(("s", "t"), [(1, 1), (2, 7), (9, 4)])
def test_geometric_exp(s, t):
    drawn = sample(lambda w, p: noise.geometric_exp(s, t, w, p), SOME, seed=24)
    q = exp(-s / t)
    assert follows(drawn, {k: (1 - q) * q**k for k in range(400)})


@pytest.mark.parametrize(("n", "num", "den"), [(12, 1, 3), (300, 2, 7), (1000, 99, 100)])
def test_binomial_ratio(n, num, den):
    drawn = sample(lambda w, p: counts.binomial_ratio(n, num, den, w, p), SOME, seed=25)
    assert follows(drawn, binomial_law(n, num / den))


@pytest.mark.parametrize(("n", "num", "den"), [(12, 1, 3), (300, 7, 2), (1000, 1, 1)])
def test_binomial_exp(n, num, den):
    drawn = sample(lambda w, p: counts.binomial_exp(n, num, den, w, p), SOME, seed=26)
    assert follows(drawn, binomial_law(n, exp(-num / den)))


@pytest.mark.parametrize(("n", "m", "s", "t"), [(12, 1, 1, 3), (300, 5, 7, 10), (1000, 40, 1, 10)])
def test_binomial_tail(n, m, s, t):
    drawn = sample(lambda w, p: counts.binomial_tail(n, m, s, t, w, p), SOME, seed=27)
    assert follows(drawn, binomial_law(n, exp(-m * s / t) / (1 + exp(-s / t))))


def test_permute_and_flip():
    scores = np.array([6, 10, 0, 10, 9, 8])
    law = flip_law([exp(-(10 - score) * 0.3 / 4) for score in scores])
    rng = seeded(28)
    drawn = [permute_and_flip(scores, Fraction(3, 10), Fraction(2), rng) for _ in range(SOME)]
    assert follows(drawn, law)


@pytest.mark.parametrize("m", [230, 207, 185])
def test_binomial_of_ten_thousand_million(m):
    bounds = tail_bounds(m, Fraction(1, 10))
    rng = seeded(29)
    drawn = [binomial(10**10, bounds, rng) for _ in range(30_000)]
    assert follows(drawn, binomial_law(10**10, exp(-m / 10) / (1 + exp(-0.1))))


def test_permutation():
    number = {order: index for index, order in enumerate(permutations(range(5)))}
    rng = seeded(30)
    drawn = [number[tuple(rng.permutation(5).tolist())] for _ in range(SOME)]
    assert follows(drawn, dict.fromkeys(range(120), 1 / 120))


@pytest.mark.parametrize("bound", [2, 7, 1000])
def test_integers(bound):
    drawn = seeded(31).integers(bound, MANY)
    assert follows(drawn, dict.fromkeys(range(bound), 1 / bound))
