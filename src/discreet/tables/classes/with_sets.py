"""Classes of a table with a set column: what they lose in columns and sets, what is published."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.bitmap import cells_as_sets
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import grouped_column, sets_of_column
from discreet.core.itemsets import Itemsets
from discreet.core.tree import leaf_spans
from discreet.lazy import pl
from discreet.tables.classes.cutting import Cut, Cutting
from discreet.tables.classes.extents import ColumnReach, Reach, Whole, weighted
from discreet.tables.kernels.class_sets import blocks_of_class
from discreet.tables.promises.closeness import coded

_Recoded: TypeAlias = tuple[Whole, Whole, Whole, Whole, float]


class SetRecoding(NamedTuple):
    """How the sets of a class are recoded."""

    k: int
    """Least number of rows that known items fit."""
    m: int
    """Most items that are known."""
    single: bool
    """Whether single occurrences may be left out."""
    tree: Hierarchy | None = None
    """What items may be lifted in; without it they are merged."""
    highest: int | None = None
    """The highest level of the tree that is shown."""
    merging: bool = True
    """Whether items may be merged or lifted at all."""


@dataclass(frozen=True, eq=False)
class SetClasses:
    """The rows of a table cut into classes, and the sets beside them."""

    cutting: Cutting
    """How the table is cut."""
    cut: Cut
    """The rows, and the classes to begin with."""
    weights: NDArray[np.float64]
    """What each quasi-identifier counts."""
    recoding: SetRecoding
    """How the sets of a class are recoded."""

    @property
    def k(self) -> int:
        """Least number of rows that known items fit."""
        return self.recoding.k

    @cached_property
    def cells(self) -> "pl.Series":
        """The set of each row, as text."""
        return self.cut.table[self.cutting.folded.distinct.set_columns[0]]

    @cached_property
    def distinct(self) -> "pl.Series":
        """The distinct sets in the order of their text."""
        return self.cells.unique().sort()

    @cached_property
    def sets(self) -> Itemsets:
        """The distinct sets, as items."""
        separator = self.cutting.folded.distinct.separator
        return sets_of_column(cells_as_sets(self.distinct, separator))

    @cached_property
    def set_of_row(self) -> Whole:
        """The number of each row's set."""
        return coded(self.cells, self.distinct.to_list())[0]

    @cached_property
    def people(self) -> int:
        """How many people there are."""
        return int(self.cut.counts.sum())

    @cached_property
    def scale(self) -> float:
        """What an occurrence counts: all of them as much as the quasi-identifiers of all people."""
        return self.people / max(1, int((self.sets.sizes[self.set_of_row] * self.cut.counts).sum()))

    @cached_property
    def columns(self) -> tuple[ColumnReach, ...]:
        """The quasi-identifiers."""
        pairs = zip(self.cutting.columns, self.cut.codes, strict=True)
        return tuple(ColumnReach(column, codes) for column, codes in pairs)

    def lost_in_columns(self, reaches: Sequence[Reach]) -> NDArray[np.float64]:
        """Return what the quasi-identifiers of a person lose in each class, from 0 to 1."""
        pairs = zip(self.columns, reaches, strict=True)
        return weighted([column.lost(reach) for column, reach in pairs], self.weights)

    def lost_in_sets(self, rows: Whole) -> float:
        """Return what the sets of a class of these rows lose; those of all people: their number."""
        return self._recoded(rows)[4] * self.scale

    def losses(self, classes: Whole) -> tuple[float, float]:
        """Return what classes lose of the quasi-identifiers and of the sets, from 0 to 1."""
        members = self.members(classes)
        lost = self.lost_in_columns([column.of(classes, len(members)) for column in self.columns])
        in_columns = float((lost * np.bincount(classes, self.cut.counts)).sum())
        in_sets = sum(self.lost_in_sets(rows) for rows in members)
        return in_columns / self.people, in_sets / self.people

    def members(self, classes: Whole) -> list[Whole]:
        """Return the rows of each class."""
        order = np.argsort(classes, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(classes[order])) + 1)

    def item_counts(self, classes: Whole, count: int) -> NDArray[np.int32]:
        """Return how many people of each class hold each item: a row for each item."""
        counts = np.zeros((len(self.sets.vocabulary), count), dtype=np.int32)
        sizes = self.sets.sizes[self.set_of_row]
        items = self.sets.take(self.set_of_row).items
        people = np.repeat(self.cut.counts, sizes).astype(np.int32)
        np.add.at(counts, (items, np.repeat(classes, sizes)), people)
        return counts

    def published(self, classes: Whole) -> "pl.Series":
        """Return what the set of each row becomes in its class: a list of blocks of items."""
        recoded = [self._recoded(rows) for rows in self.members(classes)]
        if self.recoding.tree is not None:
            return self._lifted(classes, recoded, self.recoding.tree)
        group = np.repeat(np.arange(len(recoded)), [len(each[0]) for each in recoded])
        item, label = (np.concatenate([each[part] for each in recoded]) for part in (0, 1))
        width, n_sets = len(self.sets.vocabulary) + 1, len(self.sets)
        shown = label >= 0
        group, item, label = group[shown], item[shown], label[shown]
        # items ascend within a class, so a block comes where its first item does
        codes, first = np.unique(group * width + label, return_index=True)
        rank = np.argsort(np.argsort(first))
        block = rank[np.searchsorted(codes, group * width + label)]
        order = np.lexsort((item, block))
        names = pl.Series(self.sets.vocabulary, dtype=pl.String).gather(item[order])
        blocks = grouped_column(names, np.bincount(block, minlength=len(codes)))
        owner = np.repeat(np.arange(len(recoded)), [len(each[2]) for each in recoded])
        retained = np.concatenate([each[3] for each in recoded])
        block = rank[np.searchsorted(codes, owner * width + retained)]
        owner = owner * n_sets + np.concatenate([each[2] for each in recoded])
        return self._cells(classes, owner, block, blocks)

    def _lifted(self, classes: Whole, recoded: "list[_Recoded]", tree: Hierarchy) -> "pl.Series":
        """Return what the set of each row becomes where items are lifted: names, one in a block."""
        owner = np.repeat(np.arange(len(recoded)), [len(each[2]) for each in recoded])
        owner = owner * len(self.sets) + np.concatenate([each[2] for each in recoded])
        ranked = sorted(range(len(tree.names)), key=tree.names.__getitem__)
        names = pl.Series(tree.names, dtype=pl.String).gather(ranked)
        blocks = grouped_column(names, np.ones(len(names), dtype=np.int64))
        rank = np.argsort(ranked)
        return self._cells(
            classes, owner, rank[np.concatenate([each[3] for each in recoded])], blocks
        )

    def _cells(
        self, classes: Whole, owner: Whole, block: Whole, blocks: "pl.Series"
    ) -> "pl.Series":
        """Return for each row the blocks of its class and set, which are the ``owner``."""
        order = np.lexsort((block, owner))
        owners, row = np.unique(classes * len(self.sets) + self.set_of_row, return_inverse=True)
        sizes = np.bincount(np.searchsorted(owners, owner), minlength=len(owners))
        cells = grouped_column(blocks.gather(block[order]), sizes)
        return cells.cast(pl.List(pl.List(pl.String))).gather(row)

    def _recoded(self, rows: Whole) -> "_Recoded":
        """Return items with blocks and sets with blocks of a class of these rows, and the loss."""
        people = np.sort(np.repeat(self.set_of_row[rows], self.cut.counts[rows]))
        how = self.recoding
        return blocks_of_class(people, *self._arrays, how.k, how.m, how.merging, how.single)

    @cached_property
    def _arrays(self) -> tuple[Whole, NDArray[np.int32], Whole, Whole, Whole]:
        vocabulary = self.sets.vocabulary
        number = np.full(max(1, len(vocabulary)), -1, dtype=np.int64)
        return self.sets.offsets.copy(), self.sets.items.copy(), number, *self._lifts(vocabulary)

    def _lifts(self, vocabulary: Sequence[str]) -> tuple[Whole, Whole]:
        """Return the node of each item and the hierarchy; both empty without one."""
        tree = self.recoding.tree
        if tree is None:
            return np.zeros(0, dtype=np.int64), np.zeros((3, 0), dtype=np.int64)
        leaf = np.array([tree.numbers[item] for item in vocabulary], dtype=np.int64)
        above = below(tree)
        if self.recoding.highest is not None:
            lowest = np.zeros(len(tree.names), dtype=np.int64)
            for level in range(tree.height, -1, -1):
                lowest[tree.levels[:, level]] = level
            out = (above[0] >= 0) & (lowest[above[0]] > self.recoding.highest)
            above[0, out] = -1
        return leaf, above


def below(tree: Hierarchy) -> Whole:
    """Return for each node its parent, and the first and the last of the values below it."""
    _, first, end = leaf_spans(tree.levels, len(tree.names))
    return np.stack([tree.parents.astype(np.int64), first, end - 1])
