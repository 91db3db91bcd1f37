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
        held = items[offsets[people[person]] : offsets[people[person] + 1]]
        held = _rarest(held, starts, most)
        size = min(known, len(held))
        fewest[person] = everybody
        if size:
            sharing, begin, shared = _shared(held, starts, rows, room)
            for fitting in _fitting(counts[sharing], begin, shared, len(held), size):
                if 0 < fitting < fewest[person]:
                    fewest[person] = fitting
    return fewest


@kernel
def _rarest(held: NDArray[np.int32], starts: NDArray[np.int64], most: int) -> NDArray[np.int32]:
    """Return the rarest of some items, the rarest first."""
    frequency = np.empty(len(held), dtype=np.int64)
    for place in range(len(held)):
        frequency[place] = starts[held[place] + 1] - starts[held[place]]
    # numba's quicksort of np.sort and of np.argsort bear one name: loaded from the cache side by
    # side one calls the other, and the process dies
    return held[np.argsort(frequency, kind="mergesort")[:most]]


@kernel
def _shared(
    held: NDArray[np.int32],
    starts: NDArray[np.int64],
    rows: NDArray[np.int64],
    room: tuple[NDArray[np.int32], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the sets that share some of the items, and the places of what each shares, in a row.

    ``room`` has a zero and a place for each set, and is left so.
    """
    overlap, touched = room
    seen = 0
    for item in held:
        for at in range(starts[item], starts[item + 1]):
            row = rows[at]
            if overlap[row] == 0:
                touched[seen] = row
                seen += 1
            overlap[row] += 1
    begin = np.zeros(seen + 1, dtype=np.int64)
    for place in range(seen):
        begin[place + 1] = begin[place] + overlap[touched[place]]
        overlap[touched[place]] = place
    shared = np.empty(begin[seen], dtype=np.int64)
    end = begin[:-1].copy()
    for position in range(len(held)):
        for at in range(starts[held[position]], starts[held[position] + 1]):
            place = overlap[rows[at]]
            shared[end[place]] = position
            end[place] += 1
    for place in range(seen):
        overlap[touched[place]] = 0
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
    for place in range(len(counts)):
        weight, end = counts[place], begin[place + 1]
        for one in range(begin[place], end):
            if size == 1:
                fitting[shared[one]] += weight
                continue
            for two in range(one + 1, end):
                pair = shared[one] * wide + shared[two]
                if size == 2:
                    fitting[pair] += weight
                    continue
                for three in range(two + 1, end):
                    fitting[pair * wide + shared[three]] += weight
    return fitting
