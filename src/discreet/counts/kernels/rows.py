"""Sets of one size as the rows of a table: distinct ones, look-ups, boundaries."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["boundaries", "distinct_rows", "match_rows"]

_EMPTY = -1


@kernel
def _slot(rows: NDArray[np.int32], row: int, slots: int) -> int:
    """Return where the search for ``row`` begins; ``slots`` is a power of two."""
    mixed = 17
    for at in range(rows.shape[1]):
        # below 2**31 before the product, so that it stays within a signed word
        mixed = ((mixed ^ int(rows[row, at])) * 1000003 + 7) & 0x7FFFFFFF
    return (mixed ^ (mixed >> 15)) & (slots - 1)


@kernel
def _same(left: NDArray[np.int32], i: int, right: NDArray[np.int32], j: int) -> bool:
    for at in range(left.shape[1]):  # noqa: SIM110, a kernel has no generators
        if left[i, at] != right[j, at]:
            return False
    return True


@kernel
def _table(size: int) -> NDArray[np.int64]:
    slots = 8
    while slots < 2 * size:
        slots *= 2
    return np.full(slots, _EMPTY, dtype=np.int64)


@kernel
def distinct_rows(rows: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return where each distinct row stands first."""
    table = _table(rows.shape[0])
    first = np.empty(rows.shape[0], dtype=np.int64)
    n_distinct = 0
    for row in range(rows.shape[0]):
        slot = _slot(rows, row, table.size)
        while table[slot] != _EMPTY and not _same(rows, row, rows, table[slot]):
            slot = (slot + 1) & (table.size - 1)
        if table[slot] == _EMPTY:
            table[slot] = row
            first[n_distinct] = row
            n_distinct += 1
    return first[:n_distinct].copy()


@kernel
def match_rows(rows: NDArray[np.int32], wanted: NDArray[np.int32]) -> NDArray[np.int64]:
    """For each wanted row its position among ``rows`` (which are distinct), or -1."""
    table = _table(rows.shape[0])
    for row in range(rows.shape[0]):
        slot = _slot(rows, row, table.size)
        while table[slot] != _EMPTY:
            slot = (slot + 1) & (table.size - 1)
        table[slot] = row
    positions = np.empty(wanted.shape[0], dtype=np.int64)
    for row in range(wanted.shape[0]):
        slot = _slot(wanted, row, table.size)
        while table[slot] != _EMPTY and not _same(wanted, row, rows, table[slot]):
            slot = (slot + 1) & (table.size - 1)
        positions[row] = table[slot]
    return positions


@kernel
def boundaries(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return every row with one item left out, for each of its items."""
    size = rows.shape[1]
    smaller = np.empty((rows.shape[0] * size, size - 1), dtype=np.int32)
    for row in range(rows.shape[0]):
        for left_out in range(size):
            for at in range(size - 1):
                smaller[row * size + left_out, at] = rows[row, at + (at >= left_out)]
    return smaller
