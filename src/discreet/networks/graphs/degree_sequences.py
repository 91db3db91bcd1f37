"""Graphs in which k nodes share each degree, as near to a given graph as swaps bring them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet.core.sets_with_network import both_ways
from discreet.kernels.ragged import offsets_of, runs
from discreet.networks.kernels.degrees import exchanged, realised, regained, shared_degrees

Draw = Callable[[int], NDArray[np.int64]]
"""Draws an order of that many things."""

PARTNERS = 30
"""New edges of each end that are tried for a missing edge at first; afterwards all of them."""
SMALL = 20_000
"""Most edges of a graph that is built more than once."""
TRIES = 12
"""How often a small graph is built at most."""


def anonymous_degrees(
    degrees: NDArray[np.int64], k: int, *, raised: bool = True
) -> NDArray[np.int64] | None:
    """Raise degrees as little as possible so that k nodes share each and the sum is even.

    None where raising a group by at most one beyond its highest degree cannot make the sum even.

    >>> anonymous_degrees(np.array([1, 3, 4, 2, 4, 2, 2]), 2).tolist()
    [2, 3, 4, 3, 4, 2, 2]
    """
    order = np.argsort(-degrees, kind="stable")
    shared = shared_degrees(degrees[order], k, raised)
    if len(shared) < len(degrees):
        return None
    new = np.empty_like(degrees)
    new[order] = shared
    return new


def deficit(degrees: NDArray[np.int64]) -> int:
    """Return by how much the worst of Erdos and Gallai's inequalities fails, 0 where none does.

    A sequence with an even sum is that of a simple graph where it is 0.

    >>> deficit(np.array([3, 3, 1, 1])), deficit(np.array([3, 3, 2, 2]))
    (2, 0)
    """
    falling = -np.sort(-degrees)
    count = len(falling)
    sums = np.concatenate([[0], np.cumsum(falling)])
    first = np.arange(1, count + 1)
    # of the others, those with at least r ends can take r, the rest all they have
    reach = count - np.searchsorted(falling[::-1], first)
    bound = np.maximum(first, reach)
    room = first * (first - 1) + first * (bound - first) + sums[-1] - sums[bound]
    return max(0, int((sums[1:] - room).max(initial=0)))


def probed(
    degrees: NDArray[np.int64], k: int, draw: Draw, *, raised: bool = True
) -> NDArray[np.int64]:
    """Return degrees that k nodes share each and that a simple graph has.

    Liu and Terzi's probing: as long as there is no graph, the lowest degrees are raised by one, at
    random among equals, and the degrees are shared out again. Half of what is missing by the
    inequality that fails worst is added at once, so that few rounds do; the complete graph ends it.
    """
    wanted = degrees.copy()
    while True:
        shared = anonymous_degrees(wanted, k, raised=raised)
        missing = 2 if shared is None else deficit(shared)
        if shared is not None and not missing:
            return shared
        wanted = _filled_up(wanted, max(1, missing // 2), draw)


def fewest_degrees(degrees: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Return the least degrees that k nodes share each and that a graph with an edge has.

    The nodes with most neighbours keep one, where the others can be k who have none; else all have
    one, or two where they are an odd number.

    >>> fewest_degrees(np.array([1, 3, 1, 1, 0, 0]), 3).tolist()
    [1, 1, 1, 1, 1, 1]
    >>> fewest_degrees(np.array([1, 3, 1, 1, 0, 0]), 2).tolist()
    [1, 1, 0, 0, 0, 0]
    """
    count, joined = len(degrees), k + k % 2
    if count < joined + k:
        return np.full(count, 1 + count % 2, dtype=np.int64)
    new = np.zeros(count, dtype=np.int64)
    new[np.argsort(-degrees, kind="stable")[:joined]] = 1
    return new


def _filled_up(degrees: NDArray[np.int64], units: int, draw: Draw) -> NDArray[np.int64]:
    """Add so many units, each to one of the lowest degrees."""
    new = degrees.copy()
    while units and new.min() < len(new) - 1:
        lowest = np.flatnonzero(new == new.min())
        some = lowest[draw(len(lowest))[:units]]
        new[some] += 1
        units -= len(some)
    return new


def near_graph(
    degrees: NDArray[np.int64], edges: NDArray[np.int64], draw: Draw = np.arange
) -> NDArray[np.int64]:
    """Return the edges of a simple graph with these degrees that keeps most of ``edges``.

    A graph of these degrees is built by itself, then pairs of its edges are swapped, which leaves
    all degrees as they are, until no swap brings an edge back. Where a small graph is left without
    some, it is built again with equal degrees in another order, and the best is returned.
    """
    best, most = edges[:0], -1
    for _ in range(TRIES if len(edges) <= SMALL else 1):
        made, common = _swapped(degrees, edges, draw(len(degrees)))
        if common > most:
            best, most = made, common
        if common == len(edges):
            break
    return best


def _swapped(
    degrees: NDArray[np.int64], edges: NDArray[np.int64], ties: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Return a graph with these degrees, swapped towards ``edges``, and how many of them it has."""
    count = len(degrees)
    order = ties[np.argsort(-degrees[ties], kind="stable")]
    built = np.sort(order[realised(degrees[order])], axis=1)
    keys, wanted = (pairs[:, 0] * count + pairs[:, 1] for pairs in (built, edges))
    starts, ends, present = _neighbours(count, edges, np.isin(wanted, keys))
    first, partner, _ = _neighbours(count, built, np.zeros(len(built), dtype=np.bool_))
    used = _fronted(first, partner, built[~np.isin(keys, wanted)])
    state = (starts, ends, present, first, partner, used)
    regained(*state, PARTNERS)
    while regained(*state, count) or exchanged(*state):
        pass
    return _united(count, (starts, ends, present), (first, partner, used)), int(present.sum()) // 2


def _neighbours(
    count: int, edges: NDArray[np.int64], marks: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return where the neighbours of each node begin, the ascending neighbours, and their marks."""
    one, other = both_ways(edges)
    order = np.argsort(one * count + other)
    starts = offsets_of(np.bincount(one, minlength=count))
    return starts, other[order], np.concatenate([marks, marks])[order]


def _fronted(
    first: NDArray[np.int64], partner: NDArray[np.int64], new: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Put the partners by new edges in front of each node's room; return how many there are."""
    count = len(first) - 1
    starts, ends, _ = _neighbours(count, new, np.zeros(len(new), dtype=np.bool_))
    used = np.diff(starts)
    partner[runs(first[:-1], used)] = ends
    return used


def _united(
    count: int,
    wanted: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]],
    beyond: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """Return the kept edges and the new ones, each once, ascending."""
    starts, ends, present = wanted
    first, partner, used = beyond
    old = np.repeat(np.arange(count), np.diff(starts)) * count + ends
    new = np.repeat(np.arange(count), used) * count + partner[runs(first[:-1], used)]
    lower, upper = np.divmod(np.sort(np.concatenate([old[present], new])), max(count, 1))
    once = lower < upper
    return np.stack([lower[once], upper[once]], axis=1)
