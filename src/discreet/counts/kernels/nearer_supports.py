"""Bring the supports of a table nearer to wanted ones, one person at a time, nothing made certain.

A set is the number whose bits are its items. Nothing is certain as long as every set that exactly
one published set contains is that published set: which sets are published decides it, not how many
people hold them. So a count may go up or down freely while it stays above 0; of a set that would
come or leave, the sets within it are looked at.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["CountedTable", "bring_nearer"]

ROUNDING = 1e-12
"""A gain up to this is none: sums in floating point differ by as much."""


class CountedTable(NamedTuple):
    """A table of whole numbers, what follows from it, and what is wanted of it."""

    people: NDArray[np.int64]
    """How many people hold exactly each set."""
    supports: NDArray[np.float64]
    """How many hold all of its items."""
    containing: NDArray[np.int64]
    """How many published sets contain it."""
    wanted: NDArray[np.float64]
    """The supports to come near to."""
    costs: NDArray[np.float64]
    """What it costs to be wrong by one person."""


@kernel
def bring_nearer(table: CountedTable, cells: NDArray[np.int64], items: int, work: int) -> None:
    """Take every step that helps, set by set, until none does or so many supports were looked at.

    A step gives a set one person more or less, or takes a person from a set to one that differs by
    an item. ``cells`` are the sets that may gain or lose people.
    """
    helped = True
    while helped and work > 0:
        helped = False
        for cell in cells:
            looked = 1 << _size(cell)
            for step in (1, -1):
                while work > 0 and _counted(table, cell, step, items):
                    helped = True
                    work -= looked
            for item in range(items):
                if work > 0 and _exchanged(table, cell, cell ^ (1 << item), items):
                    helped = True
                work -= looked >> 1
            work -= looked


@kernel
def _counted(table: CountedTable, cell: int, step: int, items: int) -> bool:
    """Count one person more or less for a set, and say whether that helped and may be."""
    if table.people[cell] + step < 0 or _gain(table, 0, cell, step) <= ROUNDING:
        return False
    if not _may_change(table, cell, step, items):
        return False
    _change(table, cell, step)
    _shift(table.supports, 0, cell, step)
    return True


@kernel
def _exchanged(table: CountedTable, cell: int, other: int, items: int) -> bool:
    """Take a person from a set to one that differs by an item, if that helps and may be."""
    if table.people[cell] == 0:
        return False
    # only the supports of sets with that item change
    item, common = cell ^ other, cell & other
    step = 1 if other > cell else -1
    if _gain(table, item, common, step) <= ROUNDING or not _may_change(table, other, 1, items):
        return False
    _change(table, other, 1)
    if not _may_change(table, cell, -1, items):
        _change(table, other, -1)
        return False
    _change(table, cell, -1)
    _shift(table.supports, item, common, step)
    return True


@kernel
def _gain(table: CountedTable, base: int, free: int, step: int) -> float:
    """Return how much nearer all supports come of ``base`` with any items of ``free``."""
    gain, within = 0.0, free
    while True:
        wrong = table.supports[base | within] - table.wanted[base | within]
        gain += table.costs[base | within] * (abs(wrong) - abs(wrong + step))
        if within == 0:
            return float(gain)
        within = (within - 1) & free


@kernel
def _may_change(table: CountedTable, cell: int, step: int, items: int) -> bool:
    """Tell whether nothing gets certain by a person more or less of a set."""
    if step > 0:
        return table.people[cell] > 0 or _may_come(table, cell, items)
    return table.people[cell] > 1 or _may_leave(table, cell)


@kernel
def _may_come(table: CountedTable, cell: int, items: int) -> bool:
    """Tell whether every set with one item less is contained in a published set already."""
    for item in range(items):
        if cell >> item & 1 and table.containing[cell ^ (1 << item)] == 0:
            return False
    return True


@kernel
def _may_leave(table: CountedTable, cell: int) -> bool:
    """Tell whether no set would be left to one published set that holds more."""
    within = cell
    while True:
        alone = table.containing[within] == 2
        if alone and (within == cell or table.people[within] == 0):
            return False
        if within == 0:
            return True
        within = (within - 1) & cell


@kernel
def _change(table: CountedTable, cell: int, step: int) -> None:
    """Change a count, and what is published if it begins or ends."""
    before = table.people[cell]
    table.people[cell] = before + step
    if (before > 0) != (before + step > 0):
        _shift(table.containing, 0, cell, step)


@kernel
def _shift(
    values: NDArray[np.float64] | NDArray[np.int64], base: int, free: int, step: int
) -> None:
    """Add to the numbers of ``base`` with any items of ``free``."""
    within = free
    while True:
        values[base | within] += step
        if within == 0:
            return
        within = (within - 1) & free


@kernel
def _size(cell: int) -> int:
    size = 0
    while cell:
        cell &= cell - 1
        size += 1
    return size
