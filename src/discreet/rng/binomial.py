"""Exact binomial draws for huge numbers of trials of a probability known by bounds only."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from discreet.core.randomness import Rng
from discreet.errors import ParameterError
from discreet.rng.stream import bits

Bounds: TypeAlias = Callable[[int], tuple[Fraction, Fraction]]
"""Gives, for a number of bits, fractions below and above, at most ``2**-bits`` apart."""

MEAN = 64
"""The largest mean drawn in one walk; above it the trials are drawn in parts."""
BITS = 64
"""Random bits looked at first; hardly ever does a draw ask for more."""


def binomial(n: int, bounds: Bounds, rng: Rng) -> int:
    """Draw the number of successes among ``n`` trials of a probability known by its bounds.

    The law is exact: a uniform number is revealed bit by bit and the probability bound by bound
    until the two decide between neighbouring outcomes. The time grows with the mean (a walk of
    one step for each success, in parts of mean 64), not with ``n``.

    >>> from discreet.rng.stream import seeded
    >>> third = lambda bits: (Fraction(1, 3), Fraction(1, 3))
    >>> 0 <= binomial(20, third, seeded(1)) <= 20
    True
    """
    if n < 0:
        raise ParameterError(f"the number of trials must be at least 0, got {n}", parameter="n")
    low, high = bounds(n.bit_length() + 8)
    if low + high > 1:
        return n - binomial(n, lambda bits: _complement(bounds(bits)), rng)
    mean = int(n * high) + 1
    batches = -(-mean // MEAN)
    cached = cache(bounds)
    return sum(_inversion((n + batch) // batches, cached, mean, rng) for batch in range(batches))


def _complement(bounds: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Turn the bounds of a probability into those of its opposite."""
    low, high = bounds
    return 1 - high, 1 - low


def _inversion(n: int, bounds: Bounds, mean: int, rng: Rng) -> int:
    """Draw by walking up the distribution function until it passes a uniform number."""
    length = BITS
    uniform = bits(rng, length)
    # the first probability is about exp(-mean) or, near one half, 4**-mean: digits below it count
    spare = n.bit_length() + 2 * min(mean, MEAN) + 16
    while (count := _decided(n, bounds, uniform, length, length + spare)) is None:
        uniform = uniform << BITS | bits(rng, BITS)
        length += BITS
    return count


def _decided(n: int, bounds: Bounds, uniform: int, length: int, digits: int) -> int | None:
    """Return the count that every number beginning with ``uniform`` leads to, if there is one.

    All quantities are integers that count ``2**-digits``, in pairs that enclose the truth.
    """
    one = 1 << digits
    least, most = uniform << (digits - length), (uniform + 1) << (digits - length)
    low, high = _fixed(bounds(digits), one)
    odds_low, odds_high = low * one // (one - low), -(-high * one // (one - high))
    term_low, term_high = _power_below(one - high, n, digits), _power_above(one - low, n, digits)
    total_low, total_high = term_low, term_high
    for count in range(n):
        if most <= total_low:
            return count
        if least < total_high:
            return None
        weight = (count + 1) * one
        term_low = term_low * (n - count) * odds_low // weight
        term_high = -(-term_high * (n - count) * odds_high // weight)
        total_low, total_high = total_low + term_low, total_high + term_high
    return n


def _fixed(bounds: tuple[Fraction, Fraction], one: int) -> tuple[int, int]:
    """Return the bounds of a probability, counted in ``1 / one`` and rounded outwards."""
    low, high = bounds
    return max(0, low.numerator * one // low.denominator), min(
        one - 1, -(-high.numerator * one // high.denominator)
    )


def _power_below(base: int, n: int, digits: int) -> int:
    """Return ``base**n`` in fixed point, rounded down at every product."""
    power = 1 << digits
    while n:
        if n & 1:
            power = power * base >> digits
        base = base * base >> digits
        n >>= 1
    return power


def _power_above(base: int, n: int, digits: int) -> int:
    """Return ``base**n`` in fixed point, rounded up at every product."""
    power = 1 << digits
    while n:
        if n & 1:
            power = -(-power * base >> digits)
        base = -(-base * base >> digits)
        n >>= 1
    return power


def exp_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Enclose ``exp(-x)`` for ``x >= 0`` between fractions at most ``2**-bits`` apart.

    >>> low, high = exp_bounds(Fraction(1), 64)
    >>> (
    ...     low < Fraction("0.36787944117144232159552377016146") < high,
    ...     high - low <= Fraction(1, 2**64),
    ... )
    (True, True)
    """
    if x < 0:
        raise ParameterError(f"`x` must be at least 0, got {x}", parameter="x")
    if x >= bits:
        return Fraction(0), Fraction(1, 1 << bits)
    # exp(-x) is exp(-y) squared so often, y <= 1/2; each squaring doubles the error at most
    squarings = (2 * x.numerator // x.denominator).bit_length()
    digits = bits + squarings + 16
    low, high = _exp_reduced(x.numerator, x.denominator << squarings, digits)
    for _ in range(squarings):
        low, high = low * low >> digits, -(-high * high >> digits)
    return Fraction(low, 1 << digits), Fraction(high, 1 << digits)


def _exp_reduced(num: int, den: int, digits: int) -> tuple[int, int]:
    """Enclose ``exp(-num / den)``, ``num / den <= 1/2``, in fixed point.

    It is one over the series of ``exp(num / den)``, whose terms are all positive. What is left out
    behind a term is less than that term, as each is less than half the one before.
    """
    one = 1 << digits
    sum_low = sum_high = term_low = term_high = one
    k = 0
    while term_high > 1:
        k += 1
        term_low = term_low * num // (den * k)
        term_high = -(-term_high * num // (den * k))
        sum_low, sum_high = sum_low + term_low, sum_high + term_high
    return one * one // (sum_high + term_high), -(-one * one // sum_low)


def tail_bounds(m: int, epsilon: Fraction) -> Bounds:
    """Bound the probability that discrete Laplace noise at ``epsilon`` is at least ``m >= 1``.

    It is ``q**m / (1 + q)`` with ``q = exp(-epsilon)``.
    """

    def bounds(bits: int) -> tuple[Fraction, Fraction]:
        low, high = exp_bounds(epsilon, bits + 2)
        tail_low, tail_high = exp_bounds(m * epsilon, bits + 2)
        return tail_low / (1 + high), tail_high / (1 + low)

    return bounds
