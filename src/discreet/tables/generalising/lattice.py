"""All ways to generalise a table as a whole: the lattice of level vectors, scored node by node."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import GAP
from discreet.errors import DataError, InfeasibleError
from discreet.lazy import pl
from discreet.tables.kernels.class_counting import class_sizes, numbered, rolled_up

Node: TypeAlias = tuple[int, ...]
"""A level for each attribute."""
_Level: TypeAlias = tuple[NDArray[np.int64], int]
"""For each value its number on this level, and how many numbers there are."""

_Groups: TypeAlias = tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]
]
"""Group, tuple and count of each row that is left, and how many people each group has."""

CODED = (">=", "<")
"""How the names of cells begin that were top- or bottom-coded."""
MOST_NODES = 1_000_000
"""Larger lattices are refused."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The nodes that are k-anonymous within the limit of suppression, and what they cost."""

    nodes: tuple[Node, ...]
    """Their levels, lowest first."""
    suppressed: NDArray[np.int64]
    """How many rows are in classes below k, which are not published."""
    squares: NDArray[np.int64]
    """Sum of the squares of the other classes."""
    classes: NDArray[np.int64]
    """How many other classes there are."""
    rows: int
    """How many rows the table has."""

    @cached_property
    def discernibility(self) -> NDArray[np.int64]:
        """Each row costs the size of its class, a suppressed row the size of the table."""
        return self.squares + self.suppressed * self.rows

    @cached_property
    def minimal(self) -> tuple[Node, ...]:
        """The nodes below which no other node is k-anonymous."""
        known = set(self.nodes)
        return tuple(node for node in self.nodes if known.isdisjoint(_below(node)))


def _below(node: Node) -> Iterator[Node]:
    for index, level in enumerate(node):
        if level > 0:
            yield (*node[:index], level - 1, *node[index + 1 :])


@dataclass(frozen=True, eq=False)
class Lattice:
    """Distinct tuples of quasi-identifiers with counts, and what their values become by level."""

    hierarchies: Mapping[str, Hierarchy]
    """The hierarchy of each quasi-identifier, in order."""
    tuples: NDArray[np.int64]
    """A row for each distinct tuple: the numbers of its values in their hierarchies."""
    counts: NDArray[np.int64]
    """How many records have each tuple."""
    records: NDArray[np.int64]
    """For each row of the table its tuple."""

    @property
    def heights(self) -> tuple[int, ...]:
        """How many levels above its values each hierarchy has."""
        return tuple(tree.height for tree in self.hierarchies.values())

    @cached_property
    def levels(self) -> tuple[tuple[_Level, ...], ...]:
        """For each attribute and level the numbers of the values, without gaps."""
        return tuple(
            tuple(_compact(tree.levels[:, level]) for level in range(tree.height + 1))
            for tree in self.hierarchies.values()
        )

    @cached_property
    def columns(self) -> tuple[NDArray[np.int64], ...]:
        """The values of each attribute."""
        return tuple(np.ascontiguousarray(column) for column in self.tuples.T)

    def anonymous(
        self, k: int, most_suppressed: int, highest: Sequence[int] | None = None
    ) -> Scores:
        """Return every k-anonymous node with its costs, none above the ``highest`` levels.

        Incognito's subset property prunes: if too many rows are in small groups by some of the
        attributes, no node with these levels can do. Groups are rolled up, not counted anew.
        """
        tops = self.heights if highest is None else tuple(highest)
        size = prod(top + 1 for top in tops)
        if size > MOST_NODES:
            msg = (
                f"the hierarchies allow {size:,} generalisations, and at most {MOST_NODES:,} can "
                "be searched; take fewer quasi-identifiers or hierarchies with fewer levels, or "
                "generalise class by class, as mondrian does"
            )
            raise InfeasibleError(msg, parameter="hierarchy")
        walk = _Walk(self, k, most_suppressed, tops)
        qualifying = sorted(walk.qualifying(), key=lambda each: (sum(each[0]), each[0]))
        columns = np.array([each[1:] for each in qualifying], dtype=np.int64).reshape(-1, 3)
        nodes = tuple(each[0] for each in qualifying)
        small, squares, classes = (np.ascontiguousarray(column) for column in columns.T)
        return Scores(nodes, small, squares, classes, int(self.counts.sum()))

    def classes(self, node: Node) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the class of each distinct tuple at a node, and how many rows each class has."""
        groups, count = np.zeros(len(self.tuples), dtype=np.int64), 1
        for column, levels, level in zip(self.columns, self.levels, node, strict=True):
            groups, count = numbered(groups, column, *levels[level])
        sizes = np.zeros(count, dtype=np.int64)
        np.add.at(sizes, groups, self.counts)
        return groups, sizes


class _Walk:
    """A walk down all level vectors, attribute after attribute, most values first."""

    def __init__(
        self, lattice: Lattice, k: int, most_suppressed: int, highest: tuple[int, ...]
    ) -> None:
        self.lattice = lattice
        self.highest = highest
        self.k = k
        self.most = most_suppressed
        widths = [len(np.unique(column)) for column in lattice.columns]
        self.order = sorted(range(len(widths)), key=lambda index: (-widths[index], index))
        self.rests = _rests(lattice.tuples[:, self.order])

    def qualifying(self) -> Iterator[tuple[Node, int, int, int]]:
        """Yield each node that will do: rows in small classes, squares and number of the others."""
        start = np.zeros(len(self.lattice.tuples), dtype=np.int64)
        rows = np.arange(len(self.lattice.tuples), dtype=np.int64)
        everyone = np.array([self._total])
        yield from self._down((), (start, rows, self.lattice.counts, everyone))

    def _down(
        self, levels: tuple[int, ...], groups: _Groups
    ) -> Iterator[tuple[Node, int, int, int]]:
        attribute = self.order[len(levels)]
        column = self.lattice.columns[attribute]
        last = len(levels) + 1 == len(self.order)
        levels_of = self.lattice.levels[attribute][: self.highest[attribute] + 1]
        for level, (mapping, width) in enumerate(levels_of):
            if last and level == 0:
                # nothing is left to come: each row is a class
                sizes = groups[2]
            elif last:
                sizes = (
                    groups[3] if width == 1 else class_sizes(*groups[:3], column, mapping, width)
                )
            else:
                rest = self.rests[len(levels) + 1]
                fewer = rolled_up(*groups[:3], column, mapping, width, *rest)
                sizes = fewer[3]
            big = sizes[sizes >= self.k]
            small = self._total - int(big.sum())
            if small > self.most or not len(big):
                continue
            if last:
                yield self._node((*levels, level)), small, int((big * big).sum()), len(big)
            else:
                yield from self._down((*levels, level), fewer)

    @cached_property
    def _total(self) -> int:
        return int(self.lattice.counts.sum())

    def _node(self, levels: tuple[int, ...]) -> Node:
        by_attribute = dict(zip(self.order, levels, strict=True))
        return tuple(by_attribute[index] for index in range(len(levels)))


def _compact(numbers: NDArray[np.int32]) -> _Level:
    names, compact = np.unique(numbers, return_inverse=True)
    return compact.astype(np.int64), len(names)


def _rests(tuples: NDArray[np.int64]) -> list[tuple[NDArray[np.int64], int]]:
    """Return, for each attribute, a number for what is equal from this attribute on."""
    rests = []
    for index in range(tuples.shape[1]):
        _, numbers = np.unique(tuples[:, index:], axis=0, return_inverse=True)
        flat = numbers.reshape(-1).astype(np.int64)
        rests.append((flat, int(flat.max()) + 1))
    return rests


def grouped(
    columns: Sequence[NDArray[np.int64]], weights: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each row the number of its tuple of values, and how many have each tuple.

    ``weights`` says how many people each row stands for.
    """
    groups, count = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        groups, count = numbered(groups, column, np.arange(width, dtype=np.int64), width)
    return groups, np.bincount(groups, weights, minlength=count).astype(np.int64)


def first_rows(groups: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the first row of each group.

    >>> first_rows(np.array([1, 0, 1]), 2).tolist()
    [1, 0]
    """
    first = np.zeros(count, dtype=np.int64)
    first[groups[::-1]] = np.arange(len(groups))[::-1]
    return first


def lattice_of(
    table: "pl.DataFrame",
    hierarchies: Mapping[str, Hierarchy],
    weights: NDArray[np.int64] | None = None,
) -> Lattice:
    """Return the lattice of a table's quasi-identifiers under these hierarchies."""
    columns = [_coded(table[name], tree) for name, tree in hierarchies.items()]
    groups, counts = grouped(columns, weights)
    first = first_rows(groups, len(counts))
    tuples = np.stack([column[first] for column in columns], axis=1)
    return Lattice(hierarchies, tuples, counts, groups)


def _coded(column: "pl.Series", tree: Hierarchy) -> NDArray[np.int64]:
    """Return the number of each cell's value in the hierarchy."""
    refuse_unknown_values(column, tree)
    return column.cast(pl.Enum(tree.values)).to_physical().to_numpy().astype(np.int64)


def refuse_unknown_values(column: "pl.Series", tree: Hierarchy) -> None:
    """Refuse a column with a value that is not in its hierarchy."""
    if (unknown := ~column.is_in(list(tree.values))).any():
        row = int(unknown.arg_true()[0])
        # what a person's cell holds is not repeated; a missing one says nothing of anybody
        gap = f" ({GAP}, a missing cell)" if column[row] == GAP else ""
        cure = f"add a line for {GAP}, or use `missing` drop" if gap else "add it to the hierarchy"
        if column[row].startswith(CODED):
            cure += " by its name after top or bottom coding"
        msg = (
            f"every value of {column.name!r} must be in its hierarchy, and the one in row "
            f"{row + 1}{gap} is not; {cure}"
        )
        raise DataError(msg, parameter="hierarchy")
