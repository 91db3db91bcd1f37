"""Communities of a graph: Girvan and Newman's where it is small, Leiden's where it is not."""

import random

import numpy as np
from numpy.typing import NDArray

from discreet.core.sets_with_network import ascending
from discreet.errors import DataError
from discreet.networks.kernels.betweenness import best_cut, taken_apart

SMALL = 500
"""Most edges for Girvan and Newman's algorithm, whose cost grows with edges squared times nodes."""


def algorithm_for(edges: NDArray[np.int64]) -> str:
    """Return the name of the algorithm that ``communities`` uses for a graph of this size."""
    return "Girvan-Newman" if len(edges) <= SMALL else "Leiden"


def communities(
    nodes: int, edges: NDArray[np.int64], seed: int, *, algorithm: str | None = None
) -> NDArray[np.int64]:
    """Return the community of each node, numbered in the order of their first nodes.

    Leiden's algorithm makes choices: the same ``seed`` makes the same ones. Girvan and Newman's
    makes none. Without an ``algorithm`` the size of the graph chooses.

    >>> path = np.array([[0, 1], [0, 2], [1, 2], [2, 3], [3, 4], [3, 5], [4, 5]])
    >>> communities(6, path, 0).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    if edges.max(initial=-1) >= nodes:  # a kernel would write beyond its arrays
        msg = f"edges must join nodes below {nodes}, the number of nodes, and name a higher one"
        raise DataError(msg)
    chosen = algorithm or algorithm_for(edges)
    labels = (
        _girvan_newman(nodes, edges) if chosen == "Girvan-Newman" else _leiden(nodes, edges, seed)
    )
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def modularity(member: NDArray[np.int64], edges: NDArray[np.int64]) -> float:
    """Return the modularity of a partition: inner edges beyond those that chance would give.

    >>> modularity(np.array([0, 0, 1, 1]), np.array([[0, 1], [2, 3]]))
    0.5
    """
    if not len(edges):
        return 0.0
    inner = (member[edges[:, 0]] == member[edges[:, 1]]).sum()
    ends = np.bincount(member[edges.ravel()]).astype(np.float64)
    return float(inner / len(edges) - ((ends / (2 * len(edges))) ** 2).sum())


def _leiden(nodes: int, edges: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return the communities that Leiden's algorithm finds for modularity, run until stable."""
    import igraph

    graph = igraph.Graph(n=nodes, edges=edges)
    # igraph draws from one generator of the process: it gets ours for this call only
    igraph.set_random_number_generator(random.Random(seed))
    try:
        clustering = graph.community_leiden(objective_function="modularity", n_iterations=-1)
    finally:
        igraph.set_random_number_generator(random)
    return np.array(clustering.membership, dtype=np.int64)


def _girvan_newman(nodes: int, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the partition of highest modularity on the way to no edge at all.

    Of equally travelled edges the one with the smallest ends goes first.
    """
    ordered = ascending(edges)
    return best_cut(nodes, ordered, taken_apart(nodes, ordered))
