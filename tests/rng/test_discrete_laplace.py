"""Noise follows its law exactly, and a planted bias does not pass."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import ParameterError
from discreet.kernels.noise import fill_discrete_laplace
from discreet.rng import bernoulli_exp, discrete_laplace, seeded
from discreet.rng.stream import _Keystream
from tests.rng.laws import (
    QUICK,
    Script,
    depends_on_words_only,
    follows,
    laplace_law,
)

EPSILONS = ["1", "0.1", "7/10", "2", "10/3", "1/64", "0.123456789"]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noise_follows_the_discrete_laplace_law(epsilon):
    noise = discrete_laplace(5 * QUICK, Fraction(epsilon), seeded(1))
    assert follows(noise, laplace_law(float(Fraction(epsilon))))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noise_depends_on_the_words_only(epsilon):
    assert depends_on_words_only(lambda rng: discrete_laplace(300, Fraction(epsilon), rng).tolist())


def test_noise_comes_one_by_one_as_it_comes_at_once():
    rng = seeded(3)
    apart = [int(discrete_laplace(1, Fraction(1, 7), rng)[0]) for _ in range(200)]
    assert apart == discrete_laplace(200, Fraction(1, 7), seeded(3)).tolist()


def test_a_seed_names_the_same_noise_on_every_machine():
    noise = discrete_laplace(10, Fraction(1, 10), seeded(0))
    assert noise.tolist() == [-9, 3, -19, -2, 17, -11, -7, 10, -8, -5]


def _dropping(rng, size=300, rate=(1, 7)):
    """Draw noise and throw the unfinished draw away whenever a block ends: the planted fault."""
    out = np.empty(size, dtype=np.int64)
    reached = 0
    while reached < size:
        words = rng.peek(1)
        pos = np.zeros(1, dtype=np.int64)
        reached = fill_discrete_laplace(out, reached, *rate, words, pos)
        rng.advance(words.size if reached < size else int(pos[0]))
    return out.tolist()


def test_dropping_draws_at_the_end_of_a_block_is_caught():
    assert not depends_on_words_only(_dropping, blocks=(97, 1000))


def test_dropping_draws_is_a_bias():
    noise = _dropping(_Keystream(5, 16), 20_000)
    assert not follows(noise, laplace_law(1 / 7))


@pytest.mark.parametrize(
    "faulty",
    [
        lambda size: discrete_laplace(size, Fraction(11, 20), seeded(1)),
        lambda size: abs(discrete_laplace(size, Fraction(1, 2), seeded(1))),
        lambda size: np.rint(np.random.default_rng(1).laplace(0, 2, size)).astype(np.int64),
    ],
    ids=["scale a tenth off", "one sign only", "continuous noise rounded"],
)
def test_a_wrong_law_is_caught(faulty):
    assert not follows(faulty(60_000), laplace_law(0.5))


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1)])
def test_epsilon_must_be_above_zero(epsilon):
    with pytest.raises(ParameterError, match="rate must be above 0"):
        discrete_laplace(1, epsilon, seeded(1))


@pytest.mark.parametrize("epsilon", [Fraction("1e-20"), Fraction(1, 2**56), Fraction(2**62)])
def test_epsilon_of_too_many_digits_is_refused(epsilon):
    with pytest.raises(ParameterError, match="fewer digits"):
        discrete_laplace(1, epsilon, seeded(1))


def test_the_largest_scale_is_drawn():
    rate = Fraction(1, 2**56 - 1)
    noise = discrete_laplace(QUICK, rate, seeded(1))
    # in eighths of the scale the discrete law is the continuous one, floor of an exponential
    eighths = abs(noise) // 2**53
    assert follows(eighths, {k: exp(-k / 8) * (1 - exp(-1 / 8)) for k in range(200)})
    assert follows(noise > 0, {0: 0.5, 1: 0.5})


def test_no_noise_at_all_is_no_chance_at_all():
    rng = seeded(1)
    assert discrete_laplace(0, Fraction(1), rng).tolist() == []
    assert rng.words(1) == seeded(1).words(1)


@pytest.mark.parametrize("x", ["0", "1/100", "1/2", "1", "13/10", "3", "123456789/2", "1/3"])
def test_bernoulli_exp_follows_its_law(x):
    rng = seeded(2)
    drawn = [bernoulli_exp(Fraction(x), rng) for _ in range(10_000)]
    p = exp(-float(Fraction(x)))
    assert follows(np.array(drawn, dtype=int), {0: 1 - p, 1: p})


def test_bernoulli_exp_takes_fractions_of_any_length():
    x = Fraction(2**200 + 1, 3**130)
    rng = seeded(3)
    drawn = [bernoulli_exp(x, rng) for _ in range(10_000)]
    assert follows(np.array(drawn, dtype=int), {0: 1 - exp(-float(x)), 1: exp(-float(x))})


@given(st.fractions(0, 5))
def test_bernoulli_exp_depends_on_the_words_only(x):
    assert depends_on_words_only(lambda rng: [int(bernoulli_exp(x, rng)) for _ in range(9)])


def test_bernoulli_exp_of_zero_is_certain_and_below_zero_refused():
    assert bernoulli_exp(Fraction(0), Script([]))
    with pytest.raises(ParameterError, match="at least 0"):
        bernoulli_exp(Fraction(-1, 2), seeded(1))
