"""By which few items of their own people are told from all others, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["fewest_fitting"]


@kernel
def fewest_fitting(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    counts: NDArray[np.int64],
    starts: NDArray[np.int64],
    rows: NDArray[np.int64],
    people: NDArray[np.int64],
    known: int,
    most: int,
) -> NDArray[np.int64]:
    """For each of the sets ``people`` return how few people fit some ``known`` of its items.

    ``rows[starts[i]:starts[i + 1]]`` are the sets that hold item ``i``. Of a set of more than
    ``most`` items, at most 128, the rarest are tried. A set of fewer than ``known`` items fits as
    a whole.
    """
    fewest = np.full(len(people), counts.sum())
    shared = np.zeros((len(counts), 2), dtype=np.uint64)
    for person in range(len(people)):
        own = items[offsets[people[person]] : offsets[people[person] + 1]]
        own = _rarest(own, starts, most)
        if known and len(own):
            _mark(own, starts, rows, shared)
            fewest[person] = _fewest(own, min(known, len(own)), starts, rows, counts, shared)
            for item in own:
                for at in range(starts[item], starts[item + 1]):
                    shared[rows[at]] = 0
    return fewest


@kernel
def _rarest(items: NDArray[np.int32], starts: NDArray[np.int64], most: int) -> NDArray[np.int32]:
    """Return the rarest of some items, the rarest first."""
    frequency = np.empty(len(items), dtype=np.int64)
    for index in range(len(items)):
        frequency[index] = starts[items[index] + 1] - starts[items[index]]
    # numba's quicksort of np.sort and of np.argsort bear one name: loaded from the cache side by
    # side one calls the other, and the process dies
    return items[np.argsort(frequency, kind="mergesort")[:most]]


@kernel
def _mark(
    own: NDArray[np.int32],
    starts: NDArray[np.int64],
    rows: NDArray[np.int64],
    shared: NDArray[np.uint64],
) -> None:
    """Mark in two words for each set which positions of ``own`` it has."""
    for position in range(len(own)):
        bit = np.uint64(1) << np.uint64(position % 64)
        for at in range(starts[own[position]], starts[own[position] + 1]):
            shared[rows[at], position // 64] |= bit


@kernel
def _fewest(
    own: NDArray[np.int32],
    size: int,
    starts: NDArray[np.int64],
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
    shared: NDArray[np.uint64],
) -> int:
    """Return how few people fit one to three of a set's items, which are told rarest first.

    A choice is given up as soon as it fits as many people as the best so far. In dense data, where
    every choice fits thousands, that is after a few of them.
    """
    wide = len(own)
    wanted = np.zeros(2, dtype=np.uint64)
    for position in range(wide):
        _switch(wanted, position)
    holders = rows[starts[own[0]] : starts[own[0] + 1]]
    # nobody who has all of the items can be told apart by some of them
    alike = _fitting(holders, counts, shared, wanted, counts.sum())
    wanted[:] = 0
    best = int(counts.sum())
    for first in range(wide - size + 1):
        holders = rows[starts[own[first]] : starts[own[first] + 1]]
        _switch(wanted, first)
        for second in range(first + 1, wide) if size > 1 else range(1):
            if size > 1:
                _switch(wanted, second)
            for third in range(second + 1, wide) if size > 2 else range(1):
                if size > 2:
                    _switch(wanted, third)
                best = min(best, _fitting(holders, counts, shared, wanted, best))
                if size > 2:
                    _switch(wanted, third)
                if best == alike:
                    return best
            if size > 1:
                _switch(wanted, second)
        _switch(wanted, first)
    return best


@kernel
def _switch(wanted: NDArray[np.uint64], position: int) -> None:
    """Want the item at a position of the own ones if it was not wanted, and the other way round."""
    wanted[position // 64] ^= np.uint64(1) << np.uint64(position % 64)


@kernel
def _fitting(
    holders: NDArray[np.int64],
    counts: NDArray[np.int64],
    shared: NDArray[np.uint64],
    wanted: NDArray[np.uint64],
    enough: int,
) -> int:
    """Count the people in some sets that have all that is wanted, until there are enough."""
    low, high = wanted[0], wanted[1]
    fitting = 0
    for row in holders:
        if low & ~shared[row, 0] == 0 and high & ~shared[row, 1] == 0:
            fitting += counts[row]
            if fitting >= enough:
                break
    return fitting
