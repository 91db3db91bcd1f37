"""Lists of different sizes, laid end to end."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.compiled import kernel


def offsets_of(sizes: ArrayLike) -> NDArray[np.int64]:
    """Return where each list begins, and where the last one ends.

    >>> offsets_of([2, 0, 1]).tolist()
    [0, 2, 2, 3]
    """
    ends = np.cumsum(sizes, dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), ends])


def runs(
    begin: NDArray[np.int64] | NDArray[np.int32] | int, sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return all places of runs of these sizes that begin there, one run after the other.

    >>> runs(np.array([5, 0]), np.array([2, 1])).tolist(), runs(0, np.array([2, 3])).tolist()
    ([5, 6, 0], [0, 1, 0, 1, 2])
    """
    ends = np.cumsum(sizes)
    return np.arange(ends[-1:].sum()) + np.repeat(begin - ends + sizes, sizes)


@kernel
def longest_of(offsets: NDArray[np.int64]) -> int:
    """Return the size of the largest list."""
    longest = 0
    for row in range(len(offsets) - 1):
        longest = max(longest, int(offsets[row + 1] - offsets[row]))
    return longest
