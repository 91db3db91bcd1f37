"""Edges exchanged within groups at random, so that who knows whom tells less; degrees stay."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.sets_with_network import ascending
from discreet.rng import Rng

ROUNDS = 20
"""Most rounds of exchanges: what cannot be exchanged by then stays."""


def rewired(
    edges: NDArray[np.int64], group: NDArray[np.int64], share: Fraction, rng: Rng
) -> NDArray[np.int64]:
    """Return edges of which about a ``share`` has lost one end to another node of its group.

    Two edges (a, b) and (c, d) with a and c of one group become (c, b) and (a, d), unless an edge
    would join a node to itself or stand twice. Every degree stays, and so does the number of
    edges between any two groups.
    """
    ends = edges.copy()
    moved = np.zeros(len(edges), dtype=np.bool_)
    left = int(share * len(edges)) // 2
    there = {(one, other) for one, other in edges.tolist()} if left else set()
    for _ in range(ROUNDS):
        halves = rng.permutation(2 * len(edges))
        halves = halves[~moved[halves // 2]]
        halves = halves[np.argsort(group[ends[halves // 2, halves % 2]], kind="stable")]
        for half, next_half in zip(halves[:-1].tolist(), halves[1:].tolist(), strict=True):
            if not left:
                return ascending(ends)
            left -= _exchange(ends, there, moved, group, (half, next_half))
    return ascending(ends)


def _exchange(
    ends: NDArray[np.int64],
    there: set[tuple[int, int]],
    moved: NDArray[np.bool_],
    group: NDArray[np.int64],
    halves: tuple[int, int],
) -> bool:
    """Exchange the nodes of two ends of edges, where neither edge has moved and both may."""
    (one, side), (other, far) = (divmod(half, 2) for half in halves)
    a, b = int(ends[one, side]), int(ends[one, 1 - side])
    c, d = int(ends[other, far]), int(ends[other, 1 - far])
    new = [(min(pair), max(pair)) for pair in ((c, b), (a, d))]
    if one == other or a == c or group[a] != group[c] or moved[one] or moved[other]:
        return False
    if c == b or a == d or new[0] == new[1] or there.intersection(new):
        return False
    there -= {(min(a, b), max(a, b)), (min(c, d), max(c, d))}
    there |= set(new)
    ends[one, side], ends[other, far] = c, a
    moved[[one, other]] = True
    return True
