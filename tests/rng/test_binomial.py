"""Binomial draws from bounds: certified bounds, and the exact law."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.errors import ParameterError
from discreet.rng import seeded
from discreet.rng.binomial import (
    _decided,
    _fixed,
    _power_above,
    _power_below,
    binomial,
    exp_bounds,
    tail_bounds,
)
from tests.rng.laws import Script, binomial_law, depends_on_words_only, follows

DRAWS = 3000


def known(p):
    return lambda _: (Fraction(p), Fraction(p))


def sample(n, bounds, size=DRAWS, seed=1):
    rng = seeded(seed)
    return [binomial(n, bounds, rng) for _ in range(size)]


@given(st.integers(0, 2000), st.fractions(0, Fraction(1, 2)))
def test_walks_share_out_all_the_trials(n, p):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("discreet.rng.binomial._inversion", lambda trials, *_: trials)
        assert binomial(n, known(p), seeded(1)) == n


@given(st.data(), st.integers(0, 300), st.integers(1, 80))
def test_powers_in_fixed_point_enclose_the_true_one(data, n, digits):
    one = 1 << digits
    base = data.draw(st.integers(0, one))
    below, above = _power_below(base, n, digits), _power_above(base, n, digits)
    assert Fraction(below, one) <= Fraction(base, one) ** n <= Fraction(above, one)
    # a unit is lost or won at a product, and squares double what was before
    assert above - below <= 4 * n + 4


@given(st.fractions(-1, 2), st.fractions(-1, 2), st.integers(1, 100))
def test_bounds_in_fixed_point_enclose_what_can_be_a_probability(one_end, other_end, digits):
    one = 1 << digits
    low, high = sorted((one_end, other_end))
    below, above = _fixed((low, high), one)
    # rounded outwards by less than a unit, but never beyond 0 and short of 1
    assert below == max(0, (low * one).__floor__())
    assert above == min(one - 1, (high * one).__ceil__())


@given(st.fractions(0, 400), st.integers(1, 300))
def test_exp_bounds_hold_the_truth_and_are_as_narrow_as_asked(x, bits):
    low, high = exp_bounds(x, bits)
    assert high - low <= Fraction(1, 2**bits)
    with localcontext() as context:
        context.prec = 400
        truth = Fraction((-Decimal(x.numerator) / Decimal(x.denominator)).exp())
    slack = Fraction(1, 10**380)
    assert low - slack <= truth <= high + slack


@given(st.integers(1, 500), st.fractions(Fraction(1, 100), 5), st.integers(1, 200))
def test_tail_bounds_hold_the_truth_and_are_as_narrow_as_asked(m, epsilon, bits):
    low, high = tail_bounds(m, epsilon)(bits)
    assert 0 <= high - low <= Fraction(1, 2**bits)
    with localcontext() as context:
        context.prec = 400
        q = (-Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        truth = Fraction(q**m / (1 + q))
    slack = Fraction(1, 10**380)
    assert low - slack <= truth <= high + slack


@pytest.mark.parametrize(
    ("n", "p"),
    [(1, "1/3"), (10, "1/3"), (10, "9/10"), (7, "1/2"), (100, "1/2"), (40, "0.001"), (500, "0.7")],
)
def test_a_known_probability_gives_the_binomial_law(n, p):
    assert follows(sample(n, known(p)), binomial_law(n, float(Fraction(p))))


@pytest.mark.parametrize(("m", "mean"), [(215, 2.4), (207, 5.4), (190, 29.0), (160, 590.0)])
def test_ten_thousand_million_trials_of_a_tail(m, mean):
    p = exp(-m / 10) / (1 + exp(-0.1))
    n = 10**10
    assert n * p == pytest.approx(mean, rel=0.05)
    drawn = sample(n, tail_bounds(m, Fraction(1, 10)), DRAWS if mean < 100 else 500)
    assert follows(drawn, binomial_law(n, p))


def test_a_wrong_law_is_caught():
    assert not follows(sample(10, known("1/3")), binomial_law(10, 0.37))


@pytest.mark.parametrize(("n", "p", "count"), [(0, "1/3", 0), (50, "0", 0), (50, "1", 50)])
def test_the_certain_is_certain(n, p, count):
    assert set(sample(n, known(p), 20)) == {count}


@pytest.mark.parametrize(("more", "count"), [(0xAAAAAAAAAAAAAAA9, 0), (0xAAAAAAAAAAAAAAAB, 1)])
def test_an_undecided_number_is_looked_at_more_closely(more, count):
    # one trial of 1/3 fails below 2/3 = 0.101010... in binary
    script = Script([0xAAAAAAAAAAAAAAAA, more])
    assert binomial(1, known("1/3"), script) == count
    assert script.left == 0


def test_a_decided_number_takes_one_word():
    script = Script([0xAAAAAAAAAAAAAAA9, 0])
    assert binomial(1, known("1/3"), script) == 0
    assert script.left == 1


@given(st.integers(1, 60), st.fractions(Fraction(1, 50), Fraction(1, 2)), st.integers(0, 2**32 - 1))
def test_a_decision_is_the_one_exact_arithmetic_takes(n, p, uniform):
    # 32 bits against probabilities enclosed coarsely: often undecided, never wrong
    def coarse(bits):
        return p - Fraction(1, 3 * 2**bits), p + Fraction(1, 3 * 2**bits)

    decided = _decided(n, coarse, uniform, 32, 48)
    assume(decided is not None)
    assert _count(n, p, Fraction(uniform, 2**32)) == decided
    assert _count(n, p, Fraction(uniform + 1, 2**32) - Fraction(1, 2**99)) == decided


def _count(n, p, uniform):
    """Walk the distribution function in fractions."""
    term, count = (1 - p) ** n, 0
    total = term
    while uniform >= total and count < n:
        term = term * (n - count) * p / ((count + 1) * (1 - p))
        count += 1
        total += term
    return count


def test_the_draw_depends_on_the_words_only():
    bounds = tail_bounds(160, Fraction(1, 10))
    assert depends_on_words_only(lambda rng: [binomial(10**10, bounds, rng) for _ in range(3)])


def test_what_cannot_be_is_refused():
    with pytest.raises(ParameterError, match="at least 0"):
        binomial(-1, known("1/2"), seeded(1))
    with pytest.raises(ParameterError, match="at least 0"):
        exp_bounds(Fraction(-1), 8)
