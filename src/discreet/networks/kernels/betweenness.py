"""Girvan and Newman's way to take a graph apart, counting again only what an edge has changed."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["best_cut", "taken_apart"]

ALIKE = 1e-6
"""Edges whose betweenness differs by less count as equally travelled."""

REFRESH = 64
"""After how many edges the totals are added up afresh, so that rounding does not pile up."""


@kernel
def taken_apart(nodes: int, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the edges of a simple graph in the order they go: always the most travelled one left.

    Of equally travelled edges the first one goes first. A node's shortest paths are counted again
    only if one of them used the edge that went, for which a table of nodes by edges is kept.
    """
    n_edges = len(edges)
    bounds, slots = _neighbours(nodes, edges)
    shares, totals = np.zeros((nodes, n_edges)), np.zeros(n_edges)
    steps, weights = np.empty(2 * (nodes + n_edges + 1), dtype=np.int64), np.empty((2, nodes))
    left, order = np.ones(n_edges, dtype=np.bool_), np.empty(n_edges, dtype=np.int64)
    gone = -1
    for at in range(n_edges):
        afresh = at % REFRESH == 0
        if afresh:
            totals[:] = 0.0
        for node in range(nodes):
            changed = gone < 0 or shares[node, gone] > 0.0
            row = shares[node]
            if changed:
                if not afresh:
                    for edge in range(n_edges):
                        totals[edge] -= row[edge]
                for edge in range(n_edges):
                    row[edge] = 0.0
                _travel(node, bounds, slots, steps, weights, row)
            if changed or afresh:
                for edge in range(n_edges):
                    totals[edge] += row[edge]
        most = 0.0
        for edge in range(n_edges):
            if left[edge] and totals[edge] > most:
                most = totals[edge]
        gone = 0
        while not left[gone] or totals[gone] < most - ALIKE:
            gone += 1
        left[gone] = False
        order[at] = gone
        for side in range(2):
            _forget(bounds, slots, edges[gone, side], gone)
    return order


@kernel
def _neighbours(
    nodes: int, edges: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each node's slots begin and end, and a neighbour and the edge to it a slot."""
    bounds = np.zeros((2, nodes), dtype=np.int64)
    for edge in range(len(edges)):
        bounds[1, edges[edge, 0]] += 1
        bounds[1, edges[edge, 1]] += 1
    total = 0
    for node in range(nodes):
        bounds[0, node] = total
        total += bounds[1, node]
        bounds[1, node] = bounds[0, node]
    slots = np.empty((total, 2), dtype=np.int64)
    for edge in range(len(edges)):
        for side in range(2):
            node = edges[edge, side]
            slots[bounds[1, node], 0] = edges[edge, 1 - side]
            slots[bounds[1, node], 1] = edge
            bounds[1, node] += 1
    return bounds, slots


@kernel
def _forget(bounds: NDArray[np.int64], slots: NDArray[np.int64], node: int, edge: int) -> None:
    """Take an edge out of a node's slots."""
    for slot in range(bounds[0, node], bounds[1, node]):
        if slots[slot, 1] == edge:
            bounds[1, node] -= 1
            last = bounds[1, node]
            slots[slot, 0], slots[slot, 1] = slots[last, 0], slots[last, 1]
            return


@kernel
def _travel(
    source: int,
    bounds: NDArray[np.int64],
    slots: NDArray[np.int64],
    steps: NDArray[np.int64],
    weights: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> None:
    """Write how many of the shortest paths from one node use each edge (Brandes 2001).

    A path to each other node counts one in all; where several are equally short each has its part.
    """
    nodes = weights.shape[1]
    distance, queue, used = steps[:nodes], steps[nodes : 2 * nodes], steps[2 * nodes :]
    paths, beyond = weights[0], weights[1]
    for node in range(nodes):
        distance[node], paths[node], beyond[node] = -1, 0.0, 0.0
    distance[source], paths[source] = 0, 1.0
    queue[0], seen, at, n_used = source, 1, 0, 0
    while at < seen:
        node = queue[at]
        at += 1
        further = distance[node] + 1
        for slot in range(bounds[0, node], bounds[1, node]):
            other = slots[slot, 0]
            if distance[other] < 0:
                distance[other] = further
                queue[seen] = other
                seen += 1
            # no branch: whether an edge leads on is nearly a coin toss, and costly to guess wrong
            on = distance[other] == further
            paths[other] += paths[node] * on
            used[2 * n_used], used[2 * n_used + 1] = node, slot
            n_used += on
    for at in range(n_used - 1, -1, -1):
        node, slot = used[2 * at], used[2 * at + 1]
        other = slots[slot, 0]
        share = paths[node] * (1.0 + beyond[other]) / paths[other]
        shares[slots[slot, 1]] = share
        beyond[node] += share


@kernel
def best_cut(nodes: int, edges: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the parts of highest modularity on the way, the fewest of equally good ones.

    The edges come back in the opposite order, so that parts only merge; the smaller one is renamed.
    Modularity times 4 edges squared is a whole number, so nothing is rounded.
    """
    n_edges = len(edges)
    bounds, slots = _neighbours(nodes, edges)
    label, next_node = np.arange(nodes), np.full(nodes, -1, dtype=np.int64)
    size, last = np.ones(nodes, dtype=np.int64), np.arange(nodes)
    touching = bounds[1] - bounds[0]
    value = np.int64(0)
    for node in range(nodes):
        value -= touching[node] * touching[node]
    most, best = value, label.copy()
    for at in range(n_edges - 1, -1, -1):
        larger, smaller = label[edges[order[at], 0]], label[edges[order[at], 1]]
        if larger == smaller:
            continue
        if size[larger] < size[smaller]:
            larger, smaller = smaller, larger
        node = smaller
        while node >= 0:
            for slot in range(bounds[0, node], bounds[1, node]):
                if label[slots[slot, 0]] == larger:
                    value += 4 * n_edges
            node = next_node[node]
        value -= 2 * touching[larger] * touching[smaller]
        node = smaller
        while node >= 0:
            label[node] = larger
            node = next_node[node]
        next_node[last[larger]], last[larger] = smaller, last[smaller]
        size[larger] += size[smaller]
        touching[larger] += touching[smaller]
        if value >= most:
            most, best = value, label.copy()
    return best
