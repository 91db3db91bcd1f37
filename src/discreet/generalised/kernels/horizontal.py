"""Sets of people who have much in common, split off item by item, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["clusters_by_items"]


@kernel
def _add(
    tally: NDArray[np.int64],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    row: int,
    people: int,
) -> None:
    """Count the items of a set for so many more people, or fewer."""
    for position in range(offsets[row], offsets[row + 1]):
        tally[items[position]] += people


@kernel
def _commonest(tally: NDArray[np.int64], total: int, k: int) -> int:
    """Return the commonest item that k people have and k people lack, -1 where there is none."""
    best = -1
    for item in range(len(tally)):
        if k <= tally[item] <= total - k and (best < 0 or tally[item] > tally[best]):
            best = item
    return best


@kernel
def _divided(
    order: NDArray[np.int64],
    spare: NDArray[np.int64],
    segment: tuple[int, int],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    item: int,
) -> int:
    """Put the sets with an item before those without it, each in their order; return the border."""
    begin, end = segment
    middle, others = begin, 0
    for at in range(begin, end):
        row = order[at]
        holds = False
        for position in range(offsets[row], offsets[row + 1]):
            if items[position] == item:
                holds = True
                break
        if holds:
            order[middle] = row
            middle += 1
        else:
            spare[others] = row
            others += 1
    for at in range(others):
        order[middle + at] = spare[at]
    return middle


@kernel
def _cut(
    starts: NDArray[np.bool_],
    order: NDArray[np.int64],
    counts: NDArray[np.int64],
    segment: tuple[int, int],
    bounds: tuple[int, int],
) -> None:
    """Mark where clusters of k to about ``most`` people begin in what no item divides."""
    begin, end = segment
    k, most = bounds
    left = 0
    for at in range(begin, end):
        left += counts[order[at]]
    starts[begin] = True
    size = 0
    for at in range(begin, end):
        people = counts[order[at]]
        if size >= k and size + people > most and left >= k:
            starts[at] = True
            size = 0
        size += people
        left -= people


@kernel
def clusters_by_items(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    counts: NDArray[np.int64],
    width: int,
    bounds: tuple[int, int],
) -> NDArray[np.int64]:
    """Return the cluster of each distinct set; clusters that have much in common follow each other.

    ``bounds`` are k, the least people of a cluster, and the number of people from which on a
    cluster is split: into those who have the commonest item that divides it and those who do not.
    """
    k, most = bounds
    n_sets = len(counts)
    order = np.arange(n_sets)
    spare = np.empty(n_sets, dtype=np.int64)
    starts = np.zeros(n_sets, dtype=np.bool_)
    tally = np.empty(width, dtype=np.int64)
    begins, ends = np.empty(n_sets + 1, dtype=np.int64), np.empty(n_sets + 1, dtype=np.int64)
    begins[0], ends[0], waiting = 0, n_sets, 1 if n_sets else 0
    while waiting > 0:
        waiting -= 1
        begin, end = begins[waiting], ends[waiting]
        total = 0
        tally[:] = 0
        for at in range(begin, end):
            _add(tally, offsets, items, order[at], counts[order[at]])
            total += counts[order[at]]
        while total > most:
            item = _commonest(tally, total, k)
            if item < 0:
                break
            middle = _divided(order, spare, (begin, end), offsets, items, item)
            for at in range(begin, middle):
                _add(tally, offsets, items, order[at], -counts[order[at]])
                total -= counts[order[at]]
            begins[waiting], ends[waiting] = begin, middle
            waiting += 1
            begin = middle
        _cut(starts, order, counts, (begin, end), (k, most))
    cluster = np.empty(n_sets, dtype=np.int64)
    number = -1
    for at in range(n_sets):
        if starts[at]:
            number += 1
        cluster[order[at]] = number
    return cluster
