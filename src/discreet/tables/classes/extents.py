"""How far classes reach in each quasi-identifier, and what their published cells lose by that."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.tables.classes.columns import CutColumn

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reach:
    """The lowest and the highest code of each class, and for sets of words which codes it has."""

    low: Whole
    high: Whole
    mask: NDArray[np.bool_]

    def of(self, classes: int | Whole) -> "Reach":
        """Return the reach of some classes, or of one beside which all others can be laid."""
        return Reach(self.low[classes], self.high[classes], self.mask[classes])

    def with_(self, other: "Reach") -> "Reach":
        """Return the reach of both together."""
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return Reach(low, high, self.mask | other.mask)

    def put(self, index: int, other: "Reach") -> None:
        """Let a class reach as far as another says."""
        self.low[index], self.high[index], self.mask[index] = other.low, other.high, other.mask


@dataclass(frozen=True, eq=False)
class ColumnReach:
    """One quasi-identifier of all rows."""

    column: CutColumn
    """The column and its values."""
    codes: Whole
    """The code of each row."""

    def of(self, classes: Whole, count: int) -> Reach:
        """Return how far each class reaches."""
        low = np.full(count, len(self.column.values), dtype=np.int64)
        high = np.zeros(count, dtype=np.int64)
        np.minimum.at(low, classes, self.codes)
        np.maximum.at(high, classes, self.codes)
        words = len(self.column.values) if self.column.kind == "sets" else 0
        mask = np.zeros((count, words), dtype=np.bool_)
        if words:
            mask[classes, self.codes] = True
        return Reach(low, high, mask)

    def lost(self, reach: Reach) -> Floats:
        """Return what a cell of such a class loses, from 0 to 1."""
        same = reach.low == reach.high
        if self.column.kind == "sets":
            lost = (reach.mask.sum(axis=-1) - 1) / max(1, len(self.column.values) - 1)
        elif self.column.kind == "ranges":
            begin, end = self._positions[reach.low], self._positions[reach.high]
            lost = np.where(begin < 0, 1.0, end - begin)
        else:
            levels = self.column.levels
            agree = np.argmax(levels[reach.low] == levels[reach.high], axis=-1)
            lost = self._lost_by_level[reach.low, agree]
        return np.where(same, 0.0, lost)

    @cached_property
    def _positions(self) -> Floats:
        """Where values stand from 0 to 1; a missing cell stands below all."""
        top = float(self.column.positions.max(initial=0.0))
        return self.column.positions / top if top > 0 else np.minimum(self.column.positions, 0.0)

    @cached_property
    def _lost_by_level(self) -> Floats:
        """For each value and level the share of all values below its node, besides one."""
        tree = self.column.tree
        assert tree is not None, "only a hierarchy has levels"
        below = np.stack([np.bincount(level, minlength=len(tree.names)) for level in tree.levels.T])
        under = np.take_along_axis(below.T, self.column.levels, axis=0)
        return np.asarray((under - 1) / max(1, len(tree.levels) - 1))


def weighted(lost: Sequence[Floats], weights: Floats) -> Floats:
    """Return the mean loss of columns by their weights."""
    return np.asarray(np.tensordot(weights / weights.sum(), np.stack(lost), axes=1))
