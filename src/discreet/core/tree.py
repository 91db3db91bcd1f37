"""Trees of generalisation, built from pairs or from tables of levels and checked on the way."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.text import quoted

CELLS = 50_000_000
"""Most entries of the table values x levels: larger trees are refused."""

Locator: TypeAlias = Callable[[int], str]
"""Says where a pair or row stands, counted from 0: ``pair 3``, or a file and a line."""

_Node: TypeAlias = tuple[int, str]
"""A level and a label on it."""


class Tree(NamedTuple):
    """A checked tree: the fields of a hierarchy."""

    names: tuple[str, ...]
    """Every node: the values first."""
    parents: NDArray[np.int32]
    """The number of the node above each node; -1 above the root."""
    levels: NDArray[np.int32]
    """For each value its node on each level."""


def tree_of_pairs(
    pairs: Iterable[tuple[str, str]], locate: Locator, *, root: str | None = None
) -> Tree:
    """Return the tree of pairs of child and parent; ``root`` joins several trees."""
    rows = list(pairs)
    above, first = _parent_of_each(rows, locate)
    nodes = dict.fromkeys(name for pair in rows for name in pair)
    tops = [name for name in nodes if name not in above]
    if root is not None and len(tops) > 1:
        nodes[root] = None
        above |= dict.fromkeys((top for top in tops if top != root), root)
        tops = [name for name in nodes if name not in above]
    _refuse_circle(above, tops, lambda name: locate(first.get(name, 0)))
    if len(tops) > 1:
        where = locate(next(index for index, (_, parent) in enumerate(rows) if parent == tops[1]))
        msg = (
            f"{where}: a hierarchy must have one root, but nothing is above {quoted(tops[1])} "
            f"nor above {quoted(tops[0])}; put a root above them"
        )
        raise DataError(msg)
    inner = set(above.values())
    values = [name for name in nodes if name not in inner]
    names = (*values, *(name for name in nodes if name in inner))
    number = {name: index for index, name in enumerate(names)}
    parents = [number[above[name]] if name in above else -1 for name in names]
    return Tree(names, np.array(parents, dtype=np.int32), _cuts(parents, len(values)))


def _parent_of_each(
    pairs: Sequence[tuple[str, str]], locate: Locator
) -> tuple[dict[str, str], dict[str, int]]:
    """Return the parent of each child and the pair that first says so, refusing two parents."""
    above: dict[str, str] = {}
    first: dict[str, int] = {}
    if not pairs:
        raise DataError("a hierarchy must have at least one child with its parent, got none")
    for index, (child, parent) in enumerate(pairs):
        if not child or not parent:
            msg = f"{locate(index)}: child and parent must have names; leave the root's line out"
            raise DataError(msg)
        if child == parent:
            msg = (
                f"{locate(index)}: {quoted(child)} must not be its own parent; leave this line out"
            )
            raise DataError(msg)
        if above.setdefault(child, parent) != parent:
            msg = (
                f"{locate(index)}: a value must have one parent, but {quoted(child)} has "
                f"{quoted(parent)} here and {quoted(above[child])} at {locate(first[child])}"
            )
            raise DataError(msg)
        first.setdefault(child, index)
    return above, first


def _refuse_circle(
    above: Mapping[str, str], tops: Iterable[str], locate: Callable[[str], str]
) -> None:
    """Refuse a node from which no way leads up to a top."""
    led = set(tops)
    for start in above:
        way: dict[str, None] = {}
        name = start
        while name not in led and name not in way:
            way[name] = None
            name = above[name]
        if name in way:
            msg = (
                f"{locate(name)}: a hierarchy must not run in a circle, but {quoted(name)} "
                f"is above itself by way of {quoted(above[name])}; take out one of its pairs"
            )
            raise DataError(msg)
        led.update(way)


def _cuts(parents: Sequence[int], count: int) -> NDArray[np.int32]:
    """Return for each of the first ``count`` nodes its node on each level."""
    depth = _depths(parents)
    height = int(depth.max())
    _refuse_size(count, height + 1)
    up = np.array(parents, dtype=np.int32)
    levels = np.empty((count, height + 1), dtype=np.int32)
    levels[:, 0] = np.arange(count)
    for level in range(1, height + 1):
        below = levels[:, level - 1]
        levels[:, level] = np.where(depth[below] > height - level, up[below], below)
    return levels


def _refuse_size(values: int, levels: int) -> None:
    if values * levels > CELLS:
        msg = (
            f"a hierarchy must have at most {CELLS:,} values times levels, "
            f"got {values:,} values on {levels:,} levels"
        )
        raise DataError(msg)


def _depths(parents: Sequence[int]) -> NDArray[np.int64]:
    """Return how far each node is from the root."""
    depth = [-1] * len(parents)
    for start in range(len(parents)):
        way = []
        node = start
        while node >= 0 and depth[node] < 0:
            way.append(node)
            node = parents[node]
        base = depth[node] if node >= 0 else -1
        for step, visited in enumerate(reversed(way), 1):
            depth[visited] = base + step
    return np.array(depth, dtype=np.int64)


def tree_of_levels(rows: Iterable[Sequence[str]], locate: Locator) -> Tree:
    """Return the tree of rows that give a value, its level 1, ..., the top."""
    paths: dict[tuple[_Node, ...], int] = {}
    above: dict[_Node, tuple[_Node, int]] = {}
    for index, row in enumerate(rows):
        path = tuple(enumerate(row))
        _refuse_row(path, next(iter(paths), path), locate(index))
        for below, upper in pairwise(path):
            known, first = above.setdefault(below, (upper, index))
            if known != upper:
                msg = (
                    f"{locate(index)}: {quoted(below[1])} of level {below[0]} must have one "
                    f"parent, but has {quoted(upper[1])} here and {quoted(known[1])} at "
                    f"{locate(first)}"
                )
                raise DataError(msg)
        paths.setdefault(path, index)
    if not paths:
        raise DataError("a hierarchy must have at least one value, got none")
    _refuse_size(len(paths), len(next(iter(paths))))
    tree = _merged(list(paths), {below: upper for below, (upper, _) in above.items()})
    if len(tree.names) == 1:
        msg = f"{locate(0)}: a hierarchy must have a name above its values; its only value stays"
        raise DataError(msg)
    return tree


def _refuse_row(path: Sequence[_Node], first: Sequence[_Node], where: str) -> None:
    """Refuse a row that cannot stand beside the first one."""
    if len(path) < 2:
        msg = f"{where}: must read value;level 1;...;top, and has no level above the value"
        raise DataError(msg)
    if len(path) != len(first):
        raise DataError(f"{where}: must have {len(first)} levels as the first has, got {len(path)}")
    if not all(label for _, label in path):
        raise DataError(f"{where}: every level must have a name, and one is empty")
    if path[-1] != first[-1]:
        msg = (
            f"{where}: all values must end in one top, but this one ends in "
            f"{quoted(path[-1][1])} and the first in {quoted(first[-1][1])}"
        )
        raise DataError(msg)


def _merged(paths: Sequence[tuple[_Node, ...]], above: Mapping[_Node, _Node]) -> Tree:
    """Return the tree in which a label that stays the same from level to level is one node."""
    stands_for = _stands_for(paths, above)
    values = [stands_for[path[0]] for path in paths]
    nodes = list(dict.fromkeys((*values, *(stands_for[node] for path in paths for node in path))))
    number = {node: index for index, node in enumerate(nodes)}
    parents = [number[stands_for[above[node]]] if node in above else -1 for node in nodes]
    levels = [[number[stands_for[node]] for node in path] for path in paths]
    return Tree(
        _names(nodes, stands_for),
        np.array(parents, dtype=np.int32),
        np.array(levels, dtype=np.int32),
    )


def _stands_for(
    paths: Sequence[tuple[_Node, ...]], above: Mapping[_Node, _Node]
) -> dict[_Node, _Node]:
    """Return for each node the highest one with the same label and meaning."""
    counts = Counter(node for path in paths for node in path)
    nodes = sorted(counts, key=lambda node: node[0])
    plain = {path[0] for path in paths}  # nodes that still are one value under its own name
    same = set()
    for node in nodes:
        upper = above.get(node)
        if upper is None or upper[1] != node[1]:
            continue
        if node not in plain:
            same.add(node)
        elif counts[upper] == 1:
            same.add(node)
            plain.add(upper)
    stands_for: dict[_Node, _Node] = {}
    for node in reversed(nodes):
        stands_for[node] = stands_for[above[node]] if node in same else node
    return stands_for


def _names(nodes: Sequence[_Node], stands_for: Mapping[_Node, _Node]) -> tuple[str, ...]:
    """Return a name for each node: its label, with the level where a lower node has that label."""
    lowest: dict[_Node, int] = {}
    for (level, _), node in stands_for.items():
        lowest[node] = min(level, lowest.get(node, level))
    taken = {label for _, label in nodes}
    free = set(taken)
    names: dict[_Node, str] = {}
    for node in sorted(nodes, key=lambda node: lowest[node]):
        name = node[1]
        if name in free:
            free.remove(name)
        else:
            while name in taken:
                name = f"{name} (level {lowest[node]})"
            taken.add(name)
        names[node] = name
    return tuple(names[node] for node in nodes)


def leaf_counts(levels: NDArray[np.int32], nodes: int) -> NDArray[np.int64]:
    """Return how many values are below each node, a value below itself.

    >>> leaf_counts(np.array([[0, 2, 3], [1, 1, 3]], dtype=np.int32), 4).tolist()
    [1, 1, 1, 2]
    """
    # a value that stays as it is for some levels is on its own path once
    fresh = np.diff(levels, axis=1, prepend=-1) != 0
    return np.bincount(levels[fresh], minlength=nodes)


def leaf_spans(
    levels: NDArray[np.int32], nodes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the values so that those below one node stand side by side, and from where to where.

    >>> tree = np.array([[0, 3, 4], [1, 1, 4], [2, 3, 4]], dtype=np.int32)
    >>> [part.tolist() for part in leaf_spans(tree, 5)]
    [[1, 0, 2], [1, 0, 2, 1, 0], [2, 1, 3, 3, 3]]
    """
    order = np.lexsort(tuple(levels.T))
    low, high = np.full(nodes, len(order), dtype=np.int64), np.zeros(nodes, dtype=np.int64)
    ranks = np.repeat(np.arange(len(order)), levels.shape[1])
    np.minimum.at(low, levels[order].ravel(), ranks)
    np.maximum.at(high, levels[order].ravel(), ranks + 1)
    return order, low, high
