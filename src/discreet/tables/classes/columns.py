"""Quasi-identifiers as they are cut: numbers by value, words by a hierarchy or into sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import GAP
from discreet.core.ranges import OR_GAP, Range, range_name, ranges_of, set_name
from discreet.lazy import pl
from discreet.tables.promises.closeness import coded

Kind: TypeAlias = Literal["ranges", "hierarchy", "sets"]


@dataclass(frozen=True, eq=False)
class CutColumn:
    """One quasi-identifier: its values in the order in which they are cut."""

    name: str
    """The column."""
    values: tuple[str, ...]
    """The values; a value's place is its code."""
    positions: NDArray[np.float64]
    """Where each value stands, from 0 to the weight of the column."""
    ranges: tuple[Range | None, ...] = ()
    """What each value stands for, where all are numbers or dates; None for a missing cell."""
    tree: Hierarchy | None = None
    """The public hierarchy."""

    @property
    def kind(self) -> Kind:
        """What its published values are."""
        if self.tree is not None:
            return "hierarchy"
        return "ranges" if self.ranges else "sets"

    @cached_property
    def levels(self) -> NDArray[np.int64]:
        """For each value its node on each level; empty without a hierarchy."""
        if self.tree is None:
            return np.zeros((0, 1), dtype=np.int64)
        numbers = [self.tree.numbers[value] for value in self.values]
        return self.tree.levels[numbers].astype(np.int64)

    def codes(self, column: "pl.Series") -> NDArray[np.int64]:
        """Return the code of each cell."""
        return coded(column, self.values)[0]

    def published(self, codes: NDArray[np.int64], classes: NDArray[np.int64]) -> list[str]:
        """Return what each class shows: the least range, node or set that holds its values."""
        count = len(self.values)
        pairs = np.unique(classes * count + codes)
        starts = np.flatnonzero(np.diff(pairs // count, prepend=-1))
        code_sets = [tuple(chunk.tolist()) for chunk in np.split(pairs % count, starts[1:])]
        names = {code_set: self._name(code_set) for code_set in set(code_sets)}
        return [names[code_set] for code_set in code_sets]

    def _name(self, codes: Sequence[int]) -> str:
        """Return the least name that stands for all of these values, which ascend."""
        if len(codes) == 1:
            return self.values[codes[0]]
        if self.tree is not None:
            agree = self.levels[codes[0]] == self.levels[codes[-1]]
            return self.tree.names[int(self.levels[codes[0], int(np.argmax(agree))])]
        if self.ranges:
            numbers = [self.ranges[code] for code in codes]
            shown = range_name([each for each in numbers if each is not None])
            return shown if numbers[0] is not None else shown + OR_GAP
        return set_name([self.values[code] for code in codes])

    def public(self) -> "pl.DataFrame":
        """Return the hierarchy that goes along with the table; ranges and sets name themselves."""
        if self.tree is not None:
            return self.tree.tables()["hierarchy"]
        return pl.DataFrame(schema={"child": pl.String, "parent": pl.String})


def cut_column(column: "pl.Series", tree: Hierarchy | None, weight: float) -> CutColumn:
    """Return how a column is cut: by its hierarchy, by its numbers or dates, or into sets."""
    distinct = sorted(column.unique().to_list())
    if tree is not None:
        # in this order the values below any node stand side by side
        ranked = np.lexsort(tuple(tree.levels.T))
        present = set(distinct)
        values = [value for number in ranked if (value := tree.names[number]) in present]
        return CutColumn(column.name, tuple(values), _even(len(values), weight), tree=tree)
    ranges = ranges_of(value for value in distinct if value != GAP)
    if not ranges:
        return CutColumn(column.name, tuple(distinct), _even(len(distinct), weight))
    numbers = sorted(
        ((interval, value) for value, interval in ranges.items()),
        key=lambda each: (each[0].low, each[0].high, each[1]),
    )
    gap = [GAP] if GAP in distinct else []
    middles = np.array([_middle(interval) for interval, _ in numbers])
    span = max(1e-9, float(middles[-1] - middles[0]))
    # a missing cell stands apart from all numbers, so that it is cut off first
    spaced = np.array([*([-1.0] * len(gap)), *((middles - middles[0]) / span)])
    values = [*gap, *(value for _, value in numbers)]
    interval = (*([None] * len(gap)), *(each for each, _ in numbers))
    return CutColumn(column.name, tuple(values), spaced * weight, ranges=interval)


def _middle(interval: Range) -> float:
    ends = [end for end in (interval.low, interval.high) if np.isfinite(end)]
    return sum(ends) / max(1, len(ends))


def _even(count: int, weight: float) -> NDArray[np.float64]:
    return np.linspace(0.0, weight, count) if count > 1 else np.zeros(count)


def stacked(columns: Sequence[CutColumn]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the positions and the levels of all columns, filled up to one size."""
    widest = max(len(column.values) for column in columns)
    highest = max(column.levels.shape[1] for column in columns)
    positions = np.zeros((len(columns), widest))
    levels = np.zeros((len(columns), widest, highest), dtype=np.int64)
    for index, column in enumerate(columns):
        positions[index, : len(column.values)] = column.positions
        rows, count = column.levels.shape
        levels[index, :rows, :count] = column.levels
    return positions, levels
