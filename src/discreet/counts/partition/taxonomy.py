"""The context-free taxonomy tree over a public item order, as flat arrays for the kernels."""

from functools import lru_cache

import numpy as np

from discreet.counts.kernels.layout import Tree


@lru_cache(maxsize=64)
def taxonomy(items: int, fan_out: int, longest: int) -> Tree:
    """Split ``items`` into at most ``fan_out`` nearly equal ranges, again and again, down to one.

    Nodes are numbered so that the children of a node follow each other; a node without children
    is a single item. ``longest`` is the largest itemset that will be asked for, which bounds the
    chains kept for each node.

    >>> from discreet.counts.kernels.layout import HIGH, LOW
    >>> tree = taxonomy(4, 2, 4)
    >>> tree.nodes[:-1, [LOW, HIGH]].tolist()
    [[0, 4], [0, 2], [2, 4], [0, 1], [1, 2], [2, 3], [3, 4]]
    """
    low, high, first, fan = [0], [items], [0], [0]
    node = 0
    while node < len(low):
        size = high[node] - low[node]
        parts = min(fan_out, size) if size > 1 else 0
        first[node], fan[node] = len(low), parts
        edges = _edges(low[node], size, parts)
        low += edges[:-1]
        high += edges[1:]
        first += [0] * parts
        fan += [0] * parts
        node += 1
    height, chains = _heights(first, fan), _chains(first, fan, longest)
    chain_at = np.cumsum([0] + [len(chain) for chain in chains]).tolist()
    # one row more than nodes: where the chains of the last node end
    columns = [[*column, 0] for column in (first, fan, low, high, height)]
    nodes = np.array([*columns, chain_at], dtype=np.int64).T.copy()
    return Tree(nodes, np.array([length for chain in chains for length in chain], dtype=np.int64))


def _edges(low: int, size: int, parts: int) -> list[int]:
    if not parts:
        return []
    small, larger = divmod(size, parts)
    return [low + edge * small + min(edge, larger) for edge in range(parts + 1)]


def _heights(first: list[int], fan: list[int]) -> list[int]:
    height = [0] * len(first)
    for node in range(len(first) - 1, -1, -1):
        if fan[node]:
            children = range(first[node], first[node] + fan[node])
            height[node] = 1 + max(height[child] for child in children)
    return height


def _chains(first: list[int], fan: list[int], longest: int) -> list[list[int]]:
    """For each node the chain lengths of its long-path decomposition, longest first.

    The first ``l`` of them add up to the largest number of inner nodes that the root paths of
    ``l`` leaves can touch: every further leaf adds the longest path not yet touched.
    """
    chains: list[list[int]] = [[] for _ in first]
    for node in range(len(first) - 1, -1, -1):
        if not fan[node]:
            chains[node] = [0]
            continue
        children = range(first[node], first[node] + fan[node])
        merged = sorted((length for child in children for length in chains[child]), reverse=True)
        chains[node] = [merged[0] + 1, *merged[1:longest]]
    return chains
