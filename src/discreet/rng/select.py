"""Choosing one of many in private."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.errors import ParameterError
from discreet.kernels import noise
from discreet.rng.discrete_laplace import bernoulli_exp
from discreet.rng.stream import fill

FITS = 1 << 62
"""Numbers below this are safe in the kernel."""


def permute_and_flip(
    scores: Sequence[Fraction | int] | NDArray[np.int64],
    epsilon: Fraction,
    sensitivity: Fraction,
    rng: Rng,
    *,
    unit: Fraction | int = 1,
) -> int:
    """Choose a candidate of high score, with differential privacy at ``epsilon``; return its index.

    McKenna and Sheldon, "Permute-and-Flip", NeurIPS 2020, Algorithm 1: candidates are visited in
    random order, and each is taken with probability ``exp(-epsilon * gap / (2 * sensitivity))``,
    ``gap`` being what it lacks to the best. Never worse than the exponential mechanism.

    The score of candidate ``i`` is ``scores[i] * unit``; ``sensitivity`` is the most by which one
    person changes a score. Many candidates are best given as an integer array with its unit.

    Parameters
    ----------
    scores
        The score of each candidate, in units.
    epsilon
        The budget it spends.
    sensitivity
        The most by which one person changes a score.
    rng
        The randomness.
    unit
        What one point of ``scores`` is worth.

    Returns
    -------
    int
        The index of the chosen candidate.

    Examples
    --------
    >>> from discreet.rng.stream import seeded
    >>> permute_and_flip([0, Fraction(500, 3), 1000], Fraction(1), Fraction(1), seeded(1))
    2
    """
    if epsilon <= 0 or sensitivity <= 0 or unit <= 0:
        msg = (
            "`epsilon`, `sensitivity` and `unit` must be above 0, "
            f"got {epsilon}, {sensitivity} and {unit}"
        )
        raise ParameterError(msg, parameter="epsilon")
    if len(scores) == 0:
        msg = "there must be at least one candidate to choose from, got none"
        raise ParameterError(msg, parameter="scores")
    numbers, unit = _numbers(scores, Fraction(unit))
    return _chosen(numbers.max() - numbers, epsilon * unit / (2 * sensitivity), rng)


def _numbers(
    scores: Sequence[Fraction | int] | NDArray[np.int64], unit: Fraction
) -> tuple[NDArray[Any], Fraction]:
    """Return the scores as integers and the unit they count."""
    if isinstance(scores, np.ndarray):
        if scores.dtype.kind not in "iu":
            msg = f"an array of scores must hold integers, got {scores.dtype}; give their unit"
            raise ParameterError(msg, parameter="unit")
        small = max(abs(int(scores.max())), abs(int(scores.min()))) < FITS
        return scores.astype(np.int64 if small else object), unit
    common = lcm(*(Fraction(score).denominator for score in scores))
    # Python's integers: a common denominator has no bound
    return np.array([int(score * common) for score in scores], dtype=object), unit / common


def _chosen(gaps: NDArray[Any], rate: Fraction, rng: Rng) -> int:
    """Visit candidates in random order; take ``i`` with probability ``exp(-rate * gaps[i])``."""
    num, den = rate.numerator, rate.denominator
    if int(gaps.max()) * num >= FITS or den >= FITS:
        visits = rng.permutation(len(gaps))
        return next(int(i) for i in visits if bernoulli_exp(rate * int(gaps[i]), rng))
    costs = gaps.astype(np.int64) * num
    order = np.arange(len(gaps), dtype=np.int64)
    reached = fill(
        rng,
        len(gaps),
        3,
        lambda start, words, pos: noise.permute_and_flip(order, start, costs, den, words, pos),
    )
    return int(order[-1 - reached])
