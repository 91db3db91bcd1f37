"""Degree sequences that k nodes share, and simple graphs that have them, close to a given one."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["exchanged", "realised", "regained", "shared_degrees"]

HUGE = 1 << 60
"""The cost of what cannot be."""


@kernel
def shared_degrees(degrees: NDArray[np.int64], k: int, raised: bool) -> NDArray[np.int64]:
    """Change descending degrees as little as possible: k nodes share each, and the sum is even.

    Groups of k to 2k - 1 neighbours in the order take one degree: that of their first node where
    degrees are only ``raised``, else that of their middle one. To make the sum even one group of
    odd size takes one more. The costs are kept for both parities of the sum so far. Returns the new
    degrees, or nothing where there is no way.
    """
    n_nodes = degrees.size
    sums = np.zeros(n_nodes + 1, dtype=np.int64)
    for at in range(n_nodes):
        sums[at + 1] = sums[at] + degrees[at]
    cost = np.full((n_nodes + 1, 2), HUGE, dtype=np.int64)
    begin = np.zeros((n_nodes + 1, 2), dtype=np.int64)
    chosen = np.zeros((n_nodes + 1, 2), dtype=np.int64)
    cost[0, 0] = 0
    for end in range(k, n_nodes + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            size = end - start
            middle = start if raised else start + size // 2
            paid = sums[middle] - sums[start] - (middle - start) * degrees[middle]
            paid += (end - middle) * degrees[middle] - (sums[end] - sums[middle])
            for extra in range(2 if size % 2 == 1 and degrees[middle] < n_nodes - 1 else 1):
                degree = degrees[middle] + extra
                if extra == 1:
                    # who stands above the middle by one or more comes nearer, the others go away
                    nearer = middle - start if degrees[max(start, middle - 1)] >= degree else 0
                    paid += size - 2 * nearer
                for before in range(2):
                    parity = (before + size * degree) % 2
                    if cost[start, before] + paid < cost[end, parity]:
                        cost[end, parity] = cost[start, before] + paid
                        begin[end, parity] = start
                        chosen[end, parity] = degree
    if cost[n_nodes, 0] >= HUGE:
        return np.zeros(0, dtype=np.int64)
    new = np.zeros(n_nodes, dtype=np.int64)
    end, parity = n_nodes, 0
    while end > 0:
        start, degree = begin[end, parity], chosen[end, parity]
        for at in range(start, end):
            new[at] = degree
        parity = (parity + (end - start) * degree) % 2
        end = start
    return new


@kernel
def realised(degrees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the edges of a simple graph with these descending degrees, or none if there is none.

    Havel and Hakimi's construction: the node with most open ends is joined to those with most of
    the others. Of the last block of equals its last ones are taken, so that the order stays sorted.
    """
    n_nodes = degrees.size
    left = degrees.copy()
    top = degrees[0] if n_nodes else 0
    # reach[x]: how many places, from the left, have x or more open ends
    reach = np.zeros(top + 2, dtype=np.int64)
    total = 0
    for at in range(n_nodes):
        reach[degrees[at]] += 1
        total += degrees[at]
    for value in range(top - 1, -1, -1):
        reach[value] += reach[value + 1]
    edges = np.empty((total // 2, 2), dtype=np.int64)
    made = 0
    for at in range(n_nodes):
        open_ends = left[at]
        if open_ends == 0:
            break
        if at + open_ends >= n_nodes or left[at + open_ends] == 0:
            return edges[:0]
        value = left[at + open_ends]
        begin, end = max(at + 1, reach[value + 1]), reach[value]
        some = at + 1 + open_ends - begin
        highest = left[at + 1]
        for other in range(at + 1, begin):
            left[other] -= 1
            edges[made, 0], edges[made, 1] = at, other
            made += 1
        for other in range(end - some, end):
            left[other] -= 1
            edges[made, 0], edges[made, 1] = at, other
            made += 1
        for higher in range(value + 1, highest + 1):
            reach[higher] = reach[higher + 1]
        reach[value] = end - some
    return edges[:made] if 2 * made == total else edges[:0]


@kernel
def _find(starts: NDArray[np.int64], ends: NDArray[np.int64], one: int, other: int) -> int:
    """Return where ``other`` stands among the neighbours of ``one``, or -1."""
    low, high = starts[one], starts[one + 1]
    while low < high:
        middle = (low + high) // 2
        if ends[middle] < other:
            low = middle + 1
        else:
            high = middle
    return low if low < starts[one + 1] and ends[low] == other else -1


@kernel
def _drop(
    first: NDArray[np.int64],
    partner: NDArray[np.int64],
    used: NDArray[np.int64],
    one: int,
    other: int,
) -> None:
    """Take ``other`` out of the list of ``one``."""
    at = first[one]
    while partner[at] != other:
        at += 1
    used[one] -= 1
    partner[at] = partner[first[one] + used[one]]


@kernel
def _listed(
    first: NDArray[np.int64],
    partner: NDArray[np.int64],
    used: NDArray[np.int64],
    one: int,
    other: int,
) -> bool:
    """Tell whether ``other`` is in the list of ``one``; the shorter of the two lists is read."""
    if used[other] < used[one]:
        one, other = other, one
    for at in range(first[one], first[one] + used[one]):  # noqa: SIM110, a kernel has no generators
        if partner[at] == other:
            return True
    return False


@kernel
def _brought(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    present: NDArray[np.bool_],
    first: NDArray[np.int64],
    partner: NDArray[np.int64],
    used: NDArray[np.int64],
    one: int,
    other: int,
) -> None:
    """Join two nodes of the new graph: by an edge that is wanted, or by one beyond."""
    at = _find(starts, ends, one, other)
    if at >= 0:
        present[at] = True
        present[_find(starts, ends, other, one)] = True
        return
    partner[first[one] + used[one]] = other
    partner[first[other] + used[other]] = one
    used[one] += 1
    used[other] += 1


@kernel
def regained(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    present: NDArray[np.bool_],
    first: NDArray[np.int64],
    partner: NDArray[np.int64],
    used: NDArray[np.int64],
    most: int,
) -> int:
    """Swap edges once through so that missing ones come back; return how many swaps were made.

    A missing edge u-v comes back for two new edges u-x and v-y, which go, and x-y, which comes. The
    wanted graph is ``starts`` and ``ends``, with ``present`` for what the new graph has of it; what
    the new graph has beyond is listed for each node: ``partner[first[u]:first[u] + used[u]]``. Of
    each list at most ``most`` are tried; if x-y is a missing edge too, that swap is preferred.
    """
    swaps = 0
    for u in range(starts.size - 1):
        for slot in range(starts[u], starts[u + 1]):
            v = ends[slot]
            if v < u or present[slot]:
                continue
            found_x, found_y = -1, -1
            for i in range(first[u], first[u] + min(used[u], most)):
                x = partner[i]
                for j in range(first[v], first[v] + min(used[v], most)):
                    y = partner[j]
                    if x == y:
                        continue
                    at = _find(starts, ends, x, y)
                    if at >= 0:
                        if not present[at]:
                            found_x, found_y = x, y
                            break
                    elif found_x < 0 and not _listed(first, partner, used, x, y):
                        found_x, found_y = x, y
                if found_x >= 0:
                    break
            if found_x < 0:
                continue
            _drop(first, partner, used, u, found_x)
            _drop(first, partner, used, found_x, u)
            _drop(first, partner, used, v, found_y)
            _drop(first, partner, used, found_y, v)
            _brought(starts, ends, present, first, partner, used, u, v)
            _brought(starts, ends, present, first, partner, used, found_x, found_y)
            swaps += 1
    return swaps


@kernel
def exchanged(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    present: NDArray[np.bool_],
    first: NDArray[np.int64],
    partner: NDArray[np.int64],
    used: NDArray[np.int64],
) -> int:
    """Bring two missing edges back for one new and one kept edge; return how often that was done.

    Missing edges u-v and x-y come back for u-x, which is new, and v-y, which was kept.
    """
    swaps = 0
    for u in range(starts.size - 1):
        for slot in range(starts[u], starts[u + 1]):
            v = ends[slot]
            if present[slot]:
                continue
            found_x, found_y, found_at = -1, -1, -1
            for i in range(first[u], first[u] + used[u]):
                x = partner[i]
                for at in range(starts[x], starts[x + 1]):
                    y = ends[at]
                    if present[at] or y == v:
                        continue
                    old = _find(starts, ends, v, y)
                    if old >= 0 and present[old]:
                        found_x, found_y, found_at = x, y, old
                        break
                if found_x >= 0:
                    break
            if found_x < 0:
                continue
            _drop(first, partner, used, u, found_x)
            _drop(first, partner, used, found_x, u)
            present[found_at] = False
            present[_find(starts, ends, found_y, v)] = False
            _brought(starts, ends, present, first, partner, used, u, v)
            _brought(starts, ends, present, first, partner, used, found_x, found_y)
            swaps += 1
    return swaps
