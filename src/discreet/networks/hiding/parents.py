"""Groups of people whose items have the same parents in the hierarchy."""

import numpy as np
from numpy.typing import NDArray

from discreet.networks.hiding.local_recoding import Ladder

FEW = 8
"""Up to so many parents all of a record's parents count."""
SHARE = 5
"""Beyond, only those with at least one in so many of its items."""


def _parents_of(ladder: Ladder) -> list[frozenset[int]]:
    """Return for each record the parents of its items that are not sensitive."""
    sets = ladder.data.sets
    rows = sets.rows
    leaves = ladder.leaf[sets.items]
    rows, tops = rows[leaves >= 0], ladder.top[leaves[leaves >= 0]]
    width = len(ladder.hierarchy.names)
    pairs, n_items = np.unique(rows * width + tops, return_counts=True)
    people, nodes = pairs // width, pairs % width
    if len(np.unique(ladder.top)) > FEW:
        size = np.bincount(rows, minlength=len(sets))
        counts = n_items * SHARE >= size[people]
        people, nodes = people[counts], nodes[counts]
    ends = np.cumsum(np.bincount(people, minlength=len(sets)))
    return [frozenset(chunk.tolist()) for chunk in np.split(nodes, ends[:-1])] if len(sets) else []


def groups_by_parents(ladder: Ladder, least: int) -> NDArray[np.int64]:
    """Return the group of each record: those with the same parents, none smaller than ``least``."""
    parents = _parents_of(ladder)
    number: dict[frozenset[int], int] = {}
    group = np.array([number.setdefault(each, len(number)) for each in parents], dtype=np.int64)
    into = merged(list(number), np.bincount(group, minlength=len(number)).tolist(), least)
    _, compact = np.unique(np.array(into, dtype=np.int64)[group], return_inverse=True)
    return compact.astype(np.int64)


def split_by_degree(
    group: NDArray[np.int64], degrees: NDArray[np.int64], least: int
) -> NDArray[np.int64]:
    """Return the groups cut into parts of similar degree, each of at least ``least`` records.

    Of equal degrees the earlier record goes first. A group of fewer than two parts stays whole.

    >>> split_by_degree(np.zeros(5, dtype=np.int64), np.array([9, 1, 8, 2, 7]), 2).tolist()
    [1, 0, 1, 0, 0]
    """
    order = np.lexsort((degrees, group))
    sizes = np.bincount(group)
    n_parts = np.maximum(sizes // least, 1)
    first, begin = np.cumsum(n_parts) - n_parts, np.cumsum(sizes) - sizes
    own = group[order]
    index = np.arange(len(group)) - begin[own]
    split = np.empty_like(group)
    split[order] = first[own] + index * n_parts[own] // sizes[own]
    return split


def merged(parents: list[frozenset[int]], sizes: list[int], least: int) -> list[int]:
    """Return for each group the group it ends in: the smallest goes to the most alike.

    Alike is the share of common parents (Jaccard); of equally alike ones the larger takes it.

    >>> merged([frozenset({1}), frozenset({1, 2}), frozenset({3})], [5, 2, 4], 3)
    [0, 0, 2]
    """
    into = list(range(len(parents)))
    size = dict(enumerate(sizes))
    while len(size) > 1:
        small = min(size, key=lambda each: (size[each], each))
        if size[small] >= least:
            break
        gone = size.pop(small)
        home = max(
            size, key=lambda each: (_alike(parents[small], parents[each]), size[each], -each)
        )
        size[home] += gone
        into[small] = home
    return [_end(into, each) for each in into]


def _alike(one: frozenset[int], other: frozenset[int]) -> float:
    either = len(one | other)
    return len(one & other) / either if either else 1.0


def _end(into: list[int], group: int) -> int:
    while into[group] != group:
        group = into[group]
    return group
