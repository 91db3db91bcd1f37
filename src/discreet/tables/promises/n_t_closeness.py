"""How close the classes of a node are to more general classes that are large enough."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from discreet.tables.generalising.lattice import Lattice, Node
from discreet.tables.promises.closeness import SensitiveValues, largest_ratio

TOO_FEW = Fraction(2)
"""The distance, larger than any, of a class to supersets that do not exist."""


def superset_distances(
    lattice: Lattice,
    node: Node,
    values_by_attribute: Mapping[str, SensitiveValues],
    least: tuple[int, int],
) -> dict[str, Fraction]:
    """Return for each attribute the largest distance of a class to its nearest superset.

    ``least`` says how many rows a class must have to be published, and how many a superset. Only
    published rows count; a class that is large enough is its own superset.
    """
    classes, sizes = lattice.classes(node)
    if int(sizes[sizes >= least[0]].sum()) < least[1]:
        return dict.fromkeys(values_by_attribute, TOO_FEW)
    numbers = np.cumsum(sizes >= least[0]) - 1
    numbers[sizes < least[0]] = -1
    published = numbers[classes]
    small = np.flatnonzero(sizes[sizes >= least[0]] < least[1])
    if not len(small):
        return dict.fromkeys(values_by_attribute, Fraction(0))
    seekers = {name: _Seeker(each, published, small) for name, each in values_by_attribute.items()}
    for above, count in _coarser(lattice, node, published):
        for seeker in seekers.values():
            seeker.compare(above, count, least[1])
    return {name: seeker.worst for name, seeker in seekers.items()}


def _coarser(
    lattice: Lattice, node: Node, published: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Yield for each more general node the class there of each published class, and how many."""
    rows = np.flatnonzero(published >= 0)
    ranges = [range(low, high + 1) for low, high in zip(node, lattice.heights, strict=True)]
    for other in product(*ranges):
        if other == node:
            continue
        groups, sizes = lattice.classes(other)
        above = np.zeros(int(published.max()) + 1, dtype=np.int64)
        above[published[rows]] = groups[rows]
        yield above, len(sizes)


class _Seeker:
    """One attribute on the search for the nearest superset of each small class."""

    def __init__(
        self, column: SensitiveValues, published: NDArray[np.int64], small: NDArray[np.int64]
    ) -> None:
        entries = published[column.rows]
        shown = entries >= 0
        count = int(published.max()) + 1
        self.ordered = column.ordered
        self.counts = [
            _counted(entries[shown] * width + values[shown], column.counts[shown], (count, width))
            for values, width in column.codings
        ]
        # a value of suppressed rows only is no value of the published table
        steps = max(1, int((self.counts[0].sum(axis=0) > 0).sum()) - 1)
        self.steps = steps if self.ordered else 2 * len(self.counts)
        self.left = small
        self.away = np.full(len(small), 2, dtype=np.int64)
        self.scale = np.ones(len(small), dtype=np.int64)

    def compare(self, above: NDArray[np.int64], count: int, n: int) -> None:
        """Compare each small class with its superset, if that has at least n rows."""
        rows = self.counts[0].sum(axis=1)
        totals = np.bincount(above, weights=rows, minlength=count).astype(np.int64)
        indices = np.flatnonzero((totals[above[self.left]] >= n) & (self.away > 0))
        if not len(indices):
            return
        mine = self.left[indices]
        theirs = above[mine]
        away = np.zeros(len(indices), dtype=np.int64)
        for counts in self.counts:
            groups = np.zeros((count, counts.shape[1]), dtype=np.int64)
            np.add.at(groups, above, counts)
            extra = counts[mine] * totals[theirs][:, None] - groups[theirs] * rows[mine][:, None]
            moved = np.cumsum(extra, axis=1) if self.ordered else extra
            away += np.abs(moved).sum(axis=1)
        scale = self.steps * rows[mine] * totals[theirs]
        nearer = away / scale < self.away[indices] / self.scale[indices]
        self.away[indices[nearer]] = away[nearer]
        self.scale[indices[nearer]] = scale[nearer]

    @property
    def worst(self) -> Fraction:
        """The largest distance of a small class to its nearest superset."""
        return largest_ratio(self.away, self.scale)


def _counted(
    keys: NDArray[np.int64], counts: NDArray[np.int64], shape: tuple[int, int]
) -> NDArray[np.int64]:
    """Return how many records have each class and value."""
    totals = np.bincount(keys, weights=counts, minlength=shape[0] * shape[1])
    return totals.astype(np.int64).reshape(shape)
