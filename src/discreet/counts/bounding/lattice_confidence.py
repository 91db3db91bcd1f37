"""Tables changed until nothing follows too surely, as cheaply as their own answers tell."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import in_small_terms
from discreet.core.randomness import Rng
from discreet.counts.kernels.confidence import bounded, dissolved, thinned
from discreet.counts.kernels.lattice_model import pushed_down
from discreet.counts.lattice import deviation, rounded, set_sizes
from discreet.kernels.supersets import superset_sums

THINNING = tuple(Fraction(p, 100) for p in (0, 1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50))
"""Chances with which every item of every person is left out first: what is tried."""
MOVED = (0, 50, 100)
"""Percents of a lack that may be met by moving people: what is tried."""
FINEST = 10**9
"""The largest denominator of a bound; one of more digits is rounded down, which is stricter."""
WORD = 1 << 62
"""What a product in a kernel stays below."""
RARE = (0, 5, 10, 20, 30, 50, 80)
"""Supports below which a set is given up first: what is tried."""


def bound(
    table: NDArray[np.int64], tau: Fraction, known: int | None, moved: int = 100
) -> NDArray[np.int64]:
    """Return the table with no item above ``tau`` for any known set of up to ``known`` items.

    Each item more that is known takes one over ``tau`` as many people, who would soon be more than
    a machine word counts: then everybody gives up everything.
    """
    items = len(table).bit_length() - 1
    counts, sizes = table.copy(), set_sizes(items)
    supports = superset_sums(counts.copy())
    largest_first = np.argsort(-sizes, kind="stable")
    limit = items if known is None else min(known, items)
    ratio = in_small_terms(tau, FINEST).as_integer_ratio()
    most = WORD // max(ratio[1], 100)
    if not ratio[0] or supports[0] > most:
        return _without_items(table)
    if not bounded(counts, supports, largest_first, sizes, ratio, limit, moved, most):
        return _without_items(table)
    return counts


def _without_items(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the table of as many people who hold nothing."""
    counts = np.zeros_like(table)
    counts[0] = table.sum()
    return counts


def without_certainty(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the table with people moved to smaller sets until nothing follows for certain."""
    counts = table.copy()
    largest_first = np.argsort(-set_sizes(len(table).bit_length() - 1), kind="stable")
    moved = 1
    while moved:
        containers = superset_sums((counts > 0).astype(np.int64))
        moved = dissolved(counts, containers, largest_first)
    return counts


def cheapest(
    table: NDArray[np.int64], tau: Fraction, known: int | None, rng: Rng
) -> tuple[NDArray[np.int64], Fraction]:
    """Return the bounded table nearest to the given one, and the thinning it took.

    Only the table itself is looked at.
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
    """Yield tables that keep the bound, each with the thinning it took.

    Who knows more is bounded too where everybody is: that is stricter, and sometimes cheaper.
    """
    knowers = {known, None}
    for pruned in _without_rare_sets(table):
        for each in knowers:
            yield bound(pruned, tau, each), Fraction(0)
    order = np.arange(len(table).bit_length() - 1)
    for thinning in (each for each in THINNING if each <= 1 - tau):
        expected = table.astype(np.float64)
        thinned(expected, float(thinning))
        thin = rounded(expected, order, rng) if thinning else table
        for moved in MOVED:
            for each in knowers:
                yield bound(thin, tau, each, moved), thinning


def _without_rare_sets(table: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield tables in which the people of sets that few hold have one item less, until many do."""
    sizes = set_sizes(len(table).bit_length() - 1)
    largest_first = np.argsort(-sizes, kind="stable")
    supports = superset_sums(table.copy()).astype(np.float64)
    for few in RARE:
        rare = (supports < few) & (sizes > 0)
        yield pushed_down(table.astype(np.float64), supports, rare, largest_first).astype(np.int64)
