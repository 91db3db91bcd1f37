"""Sets of blocks that too few rows of a class hold, found by their rows as bits."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones

__all__ = ["anonymous_with", "common_rows", "rare_with"]


@kernel
def common_rows(
    first: NDArray[np.uint64], second: NDArray[np.uint64], both: NDArray[np.uint64]
) -> int:
    """Write the rows that are in both into ``both`` and count them."""
    rows = 0
    for word in range(len(first)):
        both[word] = first[word] & second[word]
        if both[word] != 0:
            rows += ones(both[word])
    return rows


@kernel
def rare_with(
    bits: NDArray[np.uint64],
    others: NDArray[np.int64],
    first: int,
    least: int,
    size: int,
    chosen: NDArray[np.int64],
) -> int:
    """Return how many rows hold a rare set of ``first`` and ``size - 1`` others; 0 for no such set.

    The set is written into ``chosen``. Sets that no row holds are not rare: they fit nobody.
    """
    words = bits.shape[1]
    common = np.zeros((size, words), dtype=np.uint64)
    at = np.zeros(size, dtype=np.int64)
    chosen[0] = first
    rows = common_rows(bits[first], bits[first], common[0])
    if size == 1:
        return rows if rows < least else 0
    if rows == 0:
        return 0
    depth = 1
    while depth > 0:
        if at[depth] == len(others):
            depth -= 1
            continue
        chosen[depth] = others[at[depth]]
        at[depth] += 1
        if chosen[depth] == first:
            continue
        rows = common_rows(common[depth - 1], bits[chosen[depth]], common[depth])
        if rows == 0:
            continue
        if depth + 1 < size:
            at[depth + 1] = at[depth]
            depth += 1
        elif rows < least:
            return rows
    return 0


@kernel
def anonymous_with(
    bits: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    block: int,
    least: int,
    known: int,
    chosen: NDArray[np.int64],
) -> bool:
    """Whether no set of up to ``known`` blocks with this one is rare."""
    alive = np.flatnonzero(sizes > 0)
    for size in range(1, known + 1):
        if rare_with(bits, alive, block, least, size, chosen) > 0:
            return False
    return True
