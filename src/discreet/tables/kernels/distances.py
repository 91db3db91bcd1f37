"""How far classes are from their table, as whole numbers."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["away_equal", "away_ordered", "by_class"]


@kernel
def by_class(
    classes: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rows: NDArray[np.int64],
    least: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort entries by the class of their row; entries of classes below ``least`` are left out.

    Returned are the entries in order and where each class begins.
    """
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    for entry in range(len(rows)):
        group = classes[rows[entry]]
        if sizes[group] >= least:
            starts[group + 1] += 1
    for group in range(len(sizes)):
        starts[group + 1] += starts[group]
    order = np.empty(starts[len(sizes)], dtype=np.int64)
    slots = starts.copy()
    for entry in range(len(rows)):
        group = classes[rows[entry]]
        if sizes[group] >= least:
            order[slots[group]] = entry
            slots[group] += 1
    return order, starts


@kernel
def _sums(
    order: NDArray[np.int64], values: NDArray[np.int64], counts: NDArray[np.int64], n_values: int
) -> tuple[NDArray[np.int64], int]:
    """Return how many hold each value in the whole table, and how many people there are."""
    overall = np.zeros(n_values, dtype=np.int64)
    total = 0
    for entry in order:
        overall[values[entry]] += counts[entry]
        total += counts[entry]
    return overall, total


@kernel
def away_equal(
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    n_values: int,
) -> NDArray[np.int64]:
    """Return for each class how far its counts, times the total, are from its share, summed."""
    overall, total = _sums(order, values, counts, n_values)
    tally = np.zeros(n_values, dtype=np.int64)
    away = np.zeros(len(sizes), dtype=np.int64)
    for group in range(len(sizes)):
        for index in range(starts[group], starts[group + 1]):
            tally[values[order[index]]] += counts[order[index]]
        present, apart = 0, 0
        for index in range(starts[group], starts[group + 1]):
            value = values[order[index]]
            if tally[value] > 0:
                apart += abs(tally[value] * total - overall[value] * sizes[group])
                present += overall[value]
                tally[value] = 0
        if starts[group + 1] > starts[group]:
            away[group] = apart + sizes[group] * (total - present)
    return away


@kernel
def away_ordered(
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    n_values: int,
) -> NDArray[np.int64]:
    """Return for each class the sum of what is carried from each value to the next that occurs."""
    overall, total = _sums(order, values, counts, n_values)
    tally = np.zeros(n_values, dtype=np.int64)
    away = np.zeros(len(sizes), dtype=np.int64)
    for group in range(len(sizes)):
        if starts[group + 1] == starts[group]:
            continue
        for index in range(starts[group], starts[group + 1]):
            tally[values[order[index]]] += counts[order[index]]
        carried = 0
        for value in range(n_values):
            if overall[value] == 0:
                continue
            carried += tally[value] * total - overall[value] * sizes[group]
            away[group] += abs(carried)
            tally[value] = 0
    return away
