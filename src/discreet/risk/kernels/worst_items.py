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
    ``most`` items the rarest are tried. A set of fewer than ``known`` items fits as a whole.
    """
    everybody = counts.sum()
    fewest = np.empty(len(people), dtype=np.int64)
    room = (np.zeros(len(counts), dtype=np.int32), np.empty(len(counts), dtype=np.int64))
    for person in range(len(people)):
        own = items[offsets[people[person]] : offsets[people[person] + 1]]
        own = _rarest(own, starts, most)
        size = min(known, len(own))
        fewest[person] = everybody
        if size:
            sharing, begin, shared = _shared(own, starts, rows, room)
            for fitting in _fitting(counts[sharing], begin, shared, len(own), size):
                if 0 < fitting < fewest[person]:
                    fewest[person] = fitting
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
def _shared(
    items: NDArray[np.int32],
    starts: NDArray[np.int64],
    rows: NDArray[np.int64],
    room: tuple[NDArray[np.int32], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the sets that share some items, and the positions of what each shares, in a row.

    ``room`` has a zero and a slot for each set, and is left so.
    """
    overlap, touched = room
    seen = 0
    for item in items:
        for at in range(starts[item], starts[item + 1]):
            row = rows[at]
            if overlap[row] == 0:
                touched[seen] = row
                seen += 1
            overlap[row] += 1
    begin = np.zeros(seen + 1, dtype=np.int64)
    for slot in range(seen):
        begin[slot + 1] = begin[slot] + overlap[touched[slot]]
        overlap[touched[slot]] = slot
    shared = np.empty(begin[seen], dtype=np.int64)
    end = begin[:-1].copy()
    for position in range(len(items)):
        for at in range(starts[items[position]], starts[items[position] + 1]):
            slot = overlap[rows[at]]
            shared[end[slot]] = position
            end[slot] += 1
    for slot in range(seen):
        overlap[touched[slot]] = 0
    return touched[:seen], begin, shared


@kernel
def _fitting(
    counts: NDArray[np.int64],
    begin: NDArray[np.int64],
    shared: NDArray[np.int64],
    wide: int,
    size: int,
) -> NDArray[np.int64]:
    """Count who shares each choice of one to three of so many items."""
    fitting = np.zeros(wide**size, dtype=np.int64)
    for row in range(len(counts)):
        weight, end = counts[row], begin[row + 1]
        for first in range(begin[row], end):
            if size == 1:
                fitting[shared[first]] += weight
                continue
            for second in range(first + 1, end):
                pair = shared[first] * wide + shared[second]
                if size == 2:
                    fitting[pair] += weight
                    continue
                for third in range(second + 1, end):
                    fitting[pair * wide + shared[third]] += weight
    return fitting
