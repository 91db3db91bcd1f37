"""Tables changed until nothing follows too surely, as cheaply as their own answers tell."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.counts.kernels.confidence import bounded, dissolved, thinned
from discreet.counts.lattice import deviation, rounded, set_sizes
from discreet.kernels.supersets import superset_sums

__all__ = ["bound", "cheapest", "without_certainty"]

THINNING = tuple(Fraction(p, 100) for p in (0, 1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50))
"""Chances with which every item of every person is left out first: what is tried."""
MOVED = (0, 50, 100)
"""Percents of a lack that may be met by moving people: what is tried."""


def bound(
    table: NDArray[np.int64], tau: Fraction, known: int | None, moved: int = 100
) -> NDArray[np.int64]:
    """Return the table with no item above ``tau`` for any known set of up to ``known`` items."""
    items = len(table).bit_length() - 1
    held, sizes = table.copy(), set_sizes(items)
    supports = superset_sums(held.copy())
    largest_first = np.argsort(-sizes, kind="stable")
    limit = items if known is None else known
    bounded(held, supports, largest_first, sizes, tau.as_integer_ratio(), limit, moved)
    return held


def without_certainty(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the table with people moved to smaller sets until nothing follows for certain."""
    held = table.copy()
    largest_first = np.argsort(-set_sizes(len(table).bit_length() - 1), kind="stable")
    moved = 1
    while moved:
        containers = superset_sums((held > 0).astype(np.int64))
        moved = dissolved(held, containers, largest_first)
    return held


def cheapest(
    table: NDArray[np.int64], tau: Fraction, known: int | None, rng: Rng
) -> tuple[NDArray[np.int64], Fraction]:
    """Return the bounded table nearest to the given one, and the thinning it took.

    Only the table itself is looked at. A stricter bound is sometimes cheaper, so those are tried.
    """
    best: tuple[float, NDArray[np.int64], Fraction] | None = None
    for changed, thinning in _candidates(table, tau, known, rng):
        far = deviation(table, changed, rng)
        if best is None or far < best[0]:
            best = far, changed, thinning
    assert best is not None
    return best[1], best[2]


def _candidates(
    table: NDArray[np.int64], tau: Fraction, known: int | None, rng: Rng
) -> Iterator[tuple[NDArray[np.int64], Fraction]]:
    order = np.arange(len(table).bit_length() - 1)
    stricter = {tau} | {each for each in (Fraction(4, 5), Fraction(1, 2)) if each < tau}
    for thinning in THINNING:
        if thinning > 1 - tau and thinning:
            break
        thin = table
        if thinning:
            expected = table.astype(np.float64)
            thinned(expected, float(thinning))
            thin = rounded(expected, order, rng)
        for moved in MOVED:
            yield bound(thin, tau, known, moved), thinning
    for each in sorted(stricter - {tau}):
        yield bound(table, each, known), Fraction(0)
