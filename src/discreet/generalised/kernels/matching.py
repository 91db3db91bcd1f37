"""Equal sets found again among others, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["matched"]


@kernel
def _slot(items: NDArray[np.int32], begin: int, end: int, last: int) -> int:
    """Return where in a table of ``last + 1`` places a set is looked for first."""
    mixed = end - begin
    for position in range(begin, end):
        mixed = ((mixed ^ items[position]) * 0x1000193) & 0x1FFFFFFFFF
    return (mixed ^ (mixed >> 17)) & last


@kernel
def matched(
    known_offsets: NDArray[np.int64],
    known_items: NDArray[np.int32],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
) -> NDArray[np.int64]:
    """Return for each set the first known set that equals it, -1 where there is none."""
    n_known = len(known_offsets) - 1
    size = 2
    while size < 2 * n_known:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    matches = np.full(len(offsets) - 1, -1, dtype=np.int64)
    for known in range(n_known):
        slot = _slot(known_items, known_offsets[known], known_offsets[known + 1], size - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = known
    for row in range(len(matches)):
        begin, end = offsets[row], offsets[row + 1]
        slot = _slot(items, begin, end, size - 1)
        while table[slot] >= 0 and matches[row] < 0:
            first = known_offsets[table[slot]]
            same = known_offsets[table[slot] + 1] - first == end - begin
            position = begin
            while same and position < end:
                same = known_items[first + position - begin] == items[position]
                position += 1
            if same:
                matches[row] = table[slot]
            slot = (slot + 1) & (size - 1)
    return matches
