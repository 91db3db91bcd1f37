"""Equal sets found again among others, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["matched"]


@kernel
def _slot(items: NDArray[np.int32], begin: int, end: int, last: int) -> int:
    """Return where in a table of ``last + 1`` places a set is looked for first."""
    mixed = end - begin
    for place in range(begin, end):
        mixed = ((mixed ^ items[place]) * 0x1000193) & 0x1FFFFFFFFF
    return (mixed ^ (mixed >> 17)) & last


@kernel
def matched(
    known_offsets: NDArray[np.int64],
    known_items: NDArray[np.int32],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
) -> NDArray[np.int64]:
    """Return for each set the first known set that equals it, -1 where there is none."""
    many = len(known_offsets) - 1
    size = 2
    while size < 2 * many:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    found = np.full(len(offsets) - 1, -1, dtype=np.int64)
    for known in range(many):
        slot = _slot(known_items, known_offsets[known], known_offsets[known + 1], size - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = known
    for row in range(len(found)):
        begin, end = offsets[row], offsets[row + 1]
        slot = _slot(items, begin, end, size - 1)
        while table[slot] >= 0 and found[row] < 0:
            first = known_offsets[table[slot]]
            same = known_offsets[table[slot] + 1] - first == end - begin
            place = begin
            while same and place < end:
                same = known_items[first + place - begin] == items[place]
                place += 1
            if same:
                found[row] = table[slot]
            slot = (slot + 1) & (size - 1)
    return found
