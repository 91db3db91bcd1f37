"""Items that the same people hold, put together: a hierarchy where nobody has made one."""

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets

AXES = 8
"""Directions in which items are told apart."""
ROUNDS = 100
POPULAR = 500
"""The first centres are among so many of the most popular items."""


def clusters(sets: Itemsets, count: int) -> NDArray[np.int64]:
    """Return the cluster of each item, numbered from the cluster with most items on.

    Items are points in the leading singular directions of the table of people and items, each
    row and column weighted down by its size, and are gathered around ``count`` centres (k-means on
    the sphere, popular items weighing more). No chance is involved.

    >>> sets = Itemsets.of([["a", "b"], ["a", "b"], ["c", "d"], ["c", "d"]] * 3)
    >>> clusters(sets, 2).tolist()
    [0, 0, 1, 1]
    """
    support = np.bincount(sets.items, minlength=len(sets.vocabulary))
    points = _points(sets, support)
    centres = points[_far_apart(points, support, count)]
    nearest = np.full(len(points), -1)
    for _ in range(ROUNDS):
        assigned = np.argmax(points @ centres.T, axis=1)
        if np.array_equal(assigned, nearest):
            break
        nearest = assigned
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, points * support[:, None])
        centres = _unit(sums)
    _, first, number, sizes = np.unique(
        nearest, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(len(sizes))
    return rank[number]


def _points(sets: Itemsets, support: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each item as a direction: who holds it, seen along the leading axes.

    The means are added to the sizes, or a few people who share rare items would be an axis.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import svds

    shape = (len(sets), len(support))
    axes = min(AXES, min(shape) - 1)
    if axes < 1 or not len(sets.items):
        return np.ones((shape[1], 1))
    rows = np.repeat(sets.sizes + sets.sizes.mean(), sets.sizes)
    weight = 1 / np.sqrt(rows * (support + support.mean())[sets.items])
    table = csr_array((weight, sets.items, sets.offsets), shape=shape)
    # a fixed first vector: the same data give the same axes
    _, stretch, vectors = svds(table, k=axes, v0=np.ones(min(shape)))
    return _unit((vectors * stretch[:, None]).T)


def _unit(points: NDArray[np.float64]) -> NDArray[np.float64]:
    length = np.linalg.norm(points, axis=1, keepdims=True)
    # rounding would let what is nothing point somewhere
    scaled: NDArray[np.float64] = np.where(length > 1e-9, points / np.maximum(length, 1e-9), 0.0)
    return scaled


def _far_apart(
    points: NDArray[np.float64], support: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Return popular items far from each other, the most popular first."""
    popular = np.argsort(-support, kind="stable")[: max(POPULAR, count)]
    chosen = [0]
    while len(chosen) < min(count, len(popular)):
        near = (points[popular] @ points[popular[chosen]].T).max(axis=1)
        chosen.append(int(np.argmin(near)))
    return popular[chosen]
