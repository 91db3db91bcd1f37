"""How many numbers two ascending lists share, for many pairs of lists."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["intersections"]


@kernel
def intersections(
    offsets: NDArray[np.int64],
    documents: NDArray[np.int32],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return for each pair of lists how many numbers are in both."""
    shared = np.zeros(len(left), dtype=np.int64)
    for pair in range(len(left)):
        short, long = left[pair], right[pair]
        if offsets[short + 1] - offsets[short] > offsets[long + 1] - offsets[long]:
            short, long = long, short
        low, end = offsets[long], offsets[long + 1]
        for at in range(offsets[short], offsets[short + 1]):
            wanted = documents[at]
            # ever wider steps, then the half of the last one again and again
            step = 1
            while low + step < end and documents[low + step] < wanted:
                step *= 2
            high = min(low + step, end)
            while low < high:
                middle = (low + high) // 2
                if documents[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            if low == end:
                break
            if documents[low] == wanted:
                shared[pair] += 1
    return shared
