"""Counting the classes of generalised tuples, one attribute after the other."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["class_sizes", "numbered", "rolled_up"]

FOLD = 0x7FFFFFFF
MIX = 0x9E3779B1


@kernel
def _table_for(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the keys of an empty table with room for so many, and what will be known of each."""
    slots = 4
    while slots < 2 * size:
        slots *= 2
    return np.full(slots, -1, dtype=np.int64), np.empty(slots, dtype=np.int64)


@kernel
def _slot(keys: NDArray[np.int64], key: int) -> int:
    """Return where in a table a key stands, or where it belongs."""
    last = len(keys) - 1
    slot = ((((key ^ (key >> 31)) & FOLD) * MIX) >> 20) & last
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & last
    return slot


@kernel
def rolled_up(
    groups: NDArray[np.int64],
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
    column: NDArray[np.int64],
    mapping: NDArray[np.int64],
    width: int,
    rest: NDArray[np.int64],
    rests: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Generalise one more attribute and fold what has become equal.

    A row stands for all tuples of one group (equal in the attributes generalised so far) and one
    rest (equal in those still to come). Returned are the groups, rows and counts of what is left,
    and how many people are in each group.
    """
    group_keys, group_ids = _table_for(len(rows))
    row_keys, row_ids = _table_for(len(rows))
    new_groups = np.empty(len(rows), dtype=np.int64)
    new_rows = np.empty(len(rows), dtype=np.int64)
    new_counts = np.empty(len(rows), dtype=np.int64)
    sizes = np.zeros(len(rows), dtype=np.int64)
    n_groups, left = 0, 0
    for index in range(len(rows)):
        row = rows[index]
        key = groups[index] * width + mapping[column[row]]
        slot = _slot(group_keys, key)
        if group_keys[slot] < 0:
            group_keys[slot] = key
            group_ids[slot] = n_groups
            n_groups += 1
        group = group_ids[slot]
        sizes[group] += counts[index]
        key = group * rests + rest[row]
        slot = _slot(row_keys, key)
        if row_keys[slot] < 0:
            row_keys[slot] = key
            row_ids[slot] = left
            new_groups[left] = group
            new_rows[left] = row
            new_counts[left] = 0
            left += 1
        new_counts[row_ids[slot]] += counts[index]
    return new_groups[:left], new_rows[:left], new_counts[:left], sizes[:n_groups]


@kernel
def class_sizes(
    groups: NDArray[np.int64],
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
    column: NDArray[np.int64],
    mapping: NDArray[np.int64],
    width: int,
) -> NDArray[np.int64]:
    """Generalise the last attribute and return how many people are in each class."""
    keys, ids = _table_for(len(rows))
    sizes = np.zeros(len(rows), dtype=np.int64)
    n_classes = 0
    for index in range(len(rows)):
        key = groups[index] * width + mapping[column[rows[index]]]
        slot = _slot(keys, key)
        if keys[slot] < 0:
            keys[slot] = key
            ids[slot] = n_classes
            n_classes += 1
        sizes[ids[slot]] += counts[index]
    return sizes[:n_classes]


@kernel
def numbered(
    groups: NDArray[np.int64], column: NDArray[np.int64], mapping: NDArray[np.int64], width: int
) -> tuple[NDArray[np.int64], int]:
    """Give each pair of a group and a generalised value a number, in order of appearance."""
    keys, ids = _table_for(len(groups))
    numbers = np.empty(len(groups), dtype=np.int64)
    count = 0
    for row in range(len(groups)):
        key = groups[row] * width + mapping[column[row]]
        slot = _slot(keys, key)
        if keys[slot] < 0:
            keys[slot] = key
            ids[slot] = count
            count += 1
        numbers[row] = ids[slot]
    return numbers, count
