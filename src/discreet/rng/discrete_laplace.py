"""Noise that protects: integers, drawn exactly."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, is_whole, positive, shown
from discreet.core.randomness import Rng, refuse_foreign
from discreet.errors import ParameterError
from discreet.kernels.noise import fill_discrete_laplace
from discreet.rng.stream import bits, fill, secure

WORDS_EACH = 8
"""About as many words as one draw takes."""


def discrete_laplace(size: int, rate: Exact, rng: Rng | None = None) -> NDArray[np.int64]:
    """Draw ``size`` integers ``x`` with probability proportional to ``exp(-rate * |x|)``.

    Canonne, Kamath and Steinke, NeurIPS 2020, Algorithm 2, in integers only. Added to a count that
    one person changes by one, it gives differential privacy at an epsilon of ``rate``.

    Parameters
    ----------
    size
        How many integers to draw.
    rate
        How fast they become rare, above 0, taken exactly.
    rng
        Where the chance comes from; the secure one by default.

    Returns
    -------
    numpy.ndarray
        The integers.

    Raises
    ------
    ParameterError
        Where the rate is not above 0 or has too many digits, or the size is no whole number.

    Examples
    --------
    >>> from discreet.rng.stream import seeded
    >>> noise = discrete_laplace(1000, Fraction(1, 2), seeded(1))
    >>> bool(abs(noise).max() < 60)
    True
    """
    s, t = positive("rate", rate).as_integer_ratio()
    if s >= 1 << 62 or t >= 1 << 56:
        msg = f"`rate` must be a ratio of numbers below 2**56, got {rate}; give fewer digits"
        raise ParameterError(msg, parameter="rate")
    if not is_whole(size) or size < 0:
        msg = f"`size` must be a whole number from 0 on, got {shown(size)}"
        raise ParameterError(msg, parameter="size")
    refuse_foreign(rng)
    out = np.empty(size, dtype=np.int64)
    fill(
        rng or secure(),
        size,
        WORDS_EACH,
        lambda start, words, pos: fill_discrete_laplace(out, start, s, t, words, pos),
    )
    return out


def bernoulli_exp(x: Fraction, rng: Rng) -> bool:
    """Draw true with probability ``exp(-x)``, for any fraction ``x`` from 0 on.

    Canonne, Kamath and Steinke, NeurIPS 2020, Algorithm 1.

    Parameters
    ----------
    x
        The exponent.
    rng
        The randomness.

    Returns
    -------
    bool
        True with this very probability, not a rounded one.

    Examples
    --------
    >>> from discreet.rng.stream import seeded
    >>> bernoulli_exp(Fraction(0), seeded(1))
    True
    """
    if x < 0:
        msg = f"`x` must be at least 0, so that exp(-x) is a probability, got {x}"
        raise ParameterError(msg, parameter="x")
    units, remainder = divmod(x.numerator, x.denominator)
    # the first failure ends it, so a large x takes no longer than a small one
    return all(_bernoulli_exp_unit(1, 1, rng) for _ in range(units)) and _bernoulli_exp_unit(
        remainder, x.denominator, rng
    )


def _bernoulli_exp_unit(num: int, den: int, rng: Rng) -> bool:
    """Draw true with probability ``exp(-num / den)``, ``0 <= num <= den``."""
    k = 1
    while _below(den * k, rng) < num:
        k += 1
    return k % 2 == 1


def _below(n: int, rng: Rng) -> int:
    """Draw uniformly from ``0 .. n - 1``, however large ``n`` is."""
    length = (n - 1).bit_length()
    value = bits(rng, length)
    while value >= n:
        value = bits(rng, length)
    return value
