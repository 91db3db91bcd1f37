"""ASN: edges deleted between communities and added within, until each group has one degree.

Algorithm 2 of Wang, Lin, Bai, Chang, Li and Liu 2020, with the fixes of soundness note 004.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.networks.graphs.degree_sequences import deficit

Pick: TypeAlias = Callable[[int], int]
"""Draws one of so many."""

SPINS = 200
"""Edges drawn at random for a rotation before all of them are looked at."""


def targets_of(degrees: NDArray[np.int64], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the degree that each node shall have: even, near its group's mean, and possible.

    Ties go upwards. Even numbers have an even sum; what is too much for a simple graph is
    lowered, always all nodes of the highest level together, so groups stay equal.

    >>> targets_of(np.array([1, 3, 4, 2, 4, 2, 2]), np.array([0, 0, 1, 1, 2, 2, 2])).tolist()
    [2, 2, 4, 4, 2, 2, 2]
    """
    sizes = np.bincount(group)
    sums = np.bincount(group, weights=degrees).astype(np.int64)
    # nearest even number to sum / size, ties upwards, in whole numbers
    even = 2 * ((sums + sizes) // np.maximum(2 * sizes, 1))
    targets: NDArray[np.int64] = np.minimum(even[group], (len(degrees) - 1) // 2 * 2)
    while not graphic(targets):
        targets[targets == targets.max()] -= 2
    return targets


def graphic(degrees: NDArray[np.int64]) -> bool:
    """Whether a simple graph has these degrees (Erdos and Gallai).

    >>> graphic(np.array([3, 3, 1, 1])), graphic(np.array([2, 2, 1, 1]))
    (False, True)
    """
    return not degrees.sum() % 2 and deficit(degrees) == 0


@dataclass(slots=True)
class Edits:
    """What became of a graph on its way to equal degrees."""

    edges: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    """The edges of the new graph, the lower end first, ascending."""
    deleted: int = 0
    """Edges that were deleted because an end had too many."""
    added: int = 0
    """Edges that were added because both ends had too few."""
    rotated: int = 0
    """Edges replaced by two, where no pair of ends with too few was left."""
    rebuilt: bool = False
    """Whether nothing helped and the graph was made anew from its degrees."""


class _Graph:
    """Neighbours of every node, and how many of them are too many."""

    def __init__(self, edges: NDArray[np.int64], targets: NDArray[np.int64]) -> None:
        count = len(targets)
        self.near: list[set[int]] = [set() for _ in range(count)]
        for one, other in zip(*edges.T.tolist(), strict=True):
            self.near[one].add(other)
            self.near[other].add(one)
        degrees = np.bincount(edges.ravel(), minlength=count)
        self.diff: list[int] = (degrees - targets).tolist()

    def cut(self, one: int, other: int) -> None:
        self.near[one].remove(other)
        self.near[other].remove(one)
        self.diff[one] -= 1
        self.diff[other] -= 1

    def join(self, one: int, other: int) -> None:
        self.near[one].add(other)
        self.near[other].add(one)
        self.diff[one] += 1
        self.diff[other] += 1

    def edges(self) -> NDArray[np.int64]:
        ones = np.repeat(np.arange(len(self.near)), [len(near) for near in self.near])
        others = np.fromiter(chain.from_iterable(self.near), dtype=np.int64, count=len(ones))
        ascending = ones < others
        ones, others = ones[ascending], others[ascending]
        return np.stack((ones, others), axis=1)[np.lexsort((others, ones))]


def equal_degrees(
    edges: NDArray[np.int64], targets: NDArray[np.int64], member: NDArray[np.int64], pick: Pick
) -> Edits:
    """Return a graph with the degrees of ``targets``, near the one of ``edges``.

    ``member`` is the community of each node. The targets must be graphic.
    """
    graph, edits = _Graph(edges, targets), Edits()
    home: list[int] = member.tolist()
    for node in range(len(home)):
        for gone in _too_many(graph, home, node):
            graph.cut(node, gone)
            edits.deleted += 1
    lonely = _Lonely(graph, home)
    for node in range(len(home)):
        while graph.diff[node] < 0 and (other := lonely.partner(node)) is not None:
            graph.join(node, other)
            edits.added += 1
    edits.rotated = _rotated(graph, pick)
    if any(graph.diff):
        edits.rebuilt = True
        edits.edges = havel_hakimi(targets)
    else:
        edits.edges = graph.edges()
    return edits


def _too_many(graph: _Graph, home: list[int], node: int) -> list[int]:
    """Return the neighbours a node must lose: of other communities, then with too many, then id."""
    excess = graph.diff[node]
    if excess <= 0:
        return []
    order = sorted(
        graph.near[node],
        key=lambda other: (home[other] == home[node], graph.diff[other] <= 0, other),
    )
    return order[:excess]


class _Lonely:
    """Nodes with too few edges: those of one community, and all, the neediest first."""

    def __init__(self, graph: _Graph, home: list[int]) -> None:
        self.graph, self.home = graph, home
        needy = [(diff, node) for node, diff in enumerate(graph.diff) if diff < 0]
        self.all = list(needy)
        self.of: dict[int, list[tuple[int, int]]] = {}
        for entry in needy:
            self.of.setdefault(home[entry[1]], []).append(entry)
        for heap in (self.all, *self.of.values()):
            heapify(heap)

    def partner(self, node: int) -> int | None:
        """Return the neediest node that ``node`` can be joined to, of its own community first."""
        own = self._first(self.of.get(self.home[node], []), node)
        return own if own is not None else self._first(self.all, node)

    def _first(self, heap: list[tuple[int, int]], node: int) -> int | None:
        """Return the first node of a heap that fits; entries that are out of date are mended."""
        passed, match = [], None
        while heap and match is None:
            need, other = heappop(heap)
            now = self.graph.diff[other]
            if now >= 0:
                continue
            if now != need:
                heappush(heap, (now, other))
            elif other == node or other in self.graph.near[node]:
                passed.append((need, other))
            else:
                passed.append((need, other))
                match = other
        for entry in passed:
            heappush(heap, entry)
        return match


def _rotated(graph: _Graph, pick: Pick) -> int:
    """Mend pairs of needy nodes that cannot be joined: an edge elsewhere gives way to two."""
    needy = [node for node, diff in enumerate(graph.diff) for _ in range(-diff)]
    turned = 0
    while len(needy) >= 2:
        node, other = needy.pop(), needy.pop()
        if node != other and other not in graph.near[node]:
            graph.join(node, other)
            turned += 1
            continue
        edge = _edge_for(graph, node, other, pick)
        if edge is None:
            return turned
        graph.cut(*edge)
        graph.join(node, edge[0])
        graph.join(other, edge[1])
        turned += 1
    return turned


def _edge_for(graph: _Graph, one: int, other: int, pick: Pick) -> tuple[int, int] | None:
    """Return an edge (x, y) with x no neighbour of ``one`` and y none of ``other``."""
    for near, far in _edges_drawn(graph, pick):
        for x, y in ((near, far), (far, near)):
            if {x, y} & {one, other}:
                continue
            if x not in graph.near[one] and y not in graph.near[other]:
                return x, y
    return None


def _edges_drawn(graph: _Graph, pick: Pick) -> Iterator[tuple[int, int]]:
    """Yield some edges drawn at random, then all of them."""
    count = len(graph.near)
    for _ in range(SPINS):
        node = pick(count)
        near = sorted(graph.near[node])
        if near:
            yield node, near[pick(len(near))]
    for node in range(count):
        for other in sorted(graph.near[node]):
            if node < other:
                yield node, other


def havel_hakimi(degrees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the edges of a simple graph with these degrees, which must be graphic.

    >>> havel_hakimi(np.array([2, 2, 1, 1])).tolist()
    [[0, 1], [0, 2], [1, 3]]
    """
    heap = [(-degree, node) for node, degree in enumerate(degrees.tolist()) if degree]
    heapify(heap)
    pairs = []
    while heap:
        need, node = heappop(heap)
        others = [heappop(heap) for _ in range(-need)]
        for left, other in others:
            pairs.append((min(node, other), max(node, other)))
            if left + 1:
                heappush(heap, (left + 1, other))
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
