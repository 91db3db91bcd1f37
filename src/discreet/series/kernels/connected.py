"""Which nodes of a graph hang together."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["connected"]

Whole = NDArray[np.int64]


@kernel
def connected(one: Whole, other: Whole, count: int) -> Whole:
    """Return for each of ``count`` nodes its component, given both ends of every edge.

    Components are numbered in the order of their first nodes.

    >>> connected(np.array([0, 3]), np.array([2, 4]), 5).tolist()
    [0, 1, 0, 2, 2]
    """
    parent = np.arange(count)
    for edge in range(len(one)):
        low, high = one[edge], other[edge]
        while parent[low] != low:
            # halved on the way, so that later walks are short
            parent[low] = parent[parent[low]]
            low = parent[low]
        while parent[high] != high:
            parent[high] = parent[parent[high]]
            high = parent[high]
        parent[max(low, high)] = min(low, high)
    # a parent comes before its children, so its number is already known
    component = np.empty(count, dtype=np.int64)
    components = 0
    for node in range(count):
        if parent[node] == node:
            component[node] = components
            components += 1
        else:
            component[node] = component[parent[node]]
    return component
