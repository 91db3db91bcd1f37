"""How close the classes of a node are to the whole table, in exact numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.discretise import in_order
from discreet.core.guarantees.distributions import Distance, LDiversity
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import GAP
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.tables.folding import Cells, cells_of
from discreet.tables.generalising.lattice import Lattice, Node, grouped, refuse_unknown_values
from discreet.tables.kernels.distances import away_equal, away_ordered, by_class
from discreet.tables.promises.diversity import diverse

DENSE = 4
"""Up to how many numbers for each key are counted one by one."""


@dataclass(frozen=True, eq=False)
class SensitiveValues:
    """One sensitive attribute beside the distinct tuples of the quasi-identifiers, folded."""

    rows: NDArray[np.int64]
    """The tuple of each entry."""
    codings: tuple[tuple[NDArray[np.int64], int], ...]
    """The value of each entry, and how many values there are; one for each level of a distance."""
    counts: NDArray[np.int64]
    """How many records each entry stands for."""
    ordered: bool
    """Whether values are as far apart as their ranks."""
    known: NDArray[np.bool_]
    """Whether the value of each entry is one, and no gap."""

    def closeness(
        self, classes: NDArray[np.int64], sizes: NDArray[np.int64], least: int
    ) -> Fraction:
        """Return the largest distance of a class to the table, both without small classes."""
        away, scale = self._away(classes, sizes, least)
        large = sizes >= least
        return largest_ratio(away[large], sizes[large], scale)

    def distances(
        self, classes: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the distance of each class to the table."""
        away, scale = self._away(classes, sizes, 1)
        return np.asarray(away / (sizes * scale), dtype=np.float64)

    def diverse(
        self, classes: NDArray[np.int64], sizes: NDArray[np.int64], asked: tuple[int, LDiversity]
    ) -> bool:
        """Return whether all classes of at least so many rows are diverse as asked for."""
        entries = (self.rows[self.known], self.codings[0][0][self.known], self.counts[self.known])
        return diverse(classes, sizes, entries, asked)

    def _away(
        self, classes: NDArray[np.int64], sizes: NDArray[np.int64], least: int
    ) -> tuple[NDArray[np.int64], int]:
        """Return for each class its distance times its size times a scale, and the scale."""
        order, starts = by_class(classes, sizes, self.rows, least)
        measure = away_ordered if self.ordered else away_equal
        away = np.zeros(len(sizes), dtype=np.int64)
        for values, count in self.codings:
            away += measure(order, starts, sizes, values, self.counts, count)
        steps = 2 * len(self.codings)
        if self.ordered:
            # a value of suppressed rows only is no value of the published table
            steps = max(1, len(np.unique(self.codings[0][0][order])) - 1)
        return away, steps * max(1, int(sizes[sizes >= least].sum()))


def largest_ratio(away: NDArray[np.int64], sizes: NDArray[np.int64], scale: int = 1) -> Fraction:
    """Return the largest ratio, divided by a scale; near ones are compared exactly."""
    if not len(away):
        return Fraction(0)
    ratios = away / sizes
    # floating point cannot tell these apart
    near = ratios >= ratios.max() * (1 - 1e-12)
    pairs = set(zip(away[near].tolist(), sizes[near].tolist(), strict=True))
    return max(Fraction(apart, size * scale) for apart, size in pairs)


def coded(
    column: "pl.Series", values: Sequence[str] | None = None
) -> tuple[NDArray[np.int64], int]:
    """Return each cell as the number of its value, in the order of ``values`` or of text."""
    ranked = sorted(column.unique().to_list()) if values is None else list(values)
    codes = column.cast(pl.Enum(ranked)).to_physical().to_numpy()
    return codes.astype(np.int64), len(ranked)


def classes_of(
    table: "pl.DataFrame", names: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the class of each row, of those that agree on these columns, and their sizes."""
    if not names:
        return np.zeros(table.height, dtype=np.int64), np.array([table.height], dtype=np.int64)
    return grouped([coded(table[name])[0] for name in names])


def counted(
    keys: NDArray[np.int64], weights: NDArray[np.int64] | NDArray[np.float64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct keys, which are from 0, and how many people have each."""
    if int(keys.max(initial=0)) <= DENSE * len(keys):
        # few numbers that are no key lie between: no need to sort; each key is somebody's
        people = np.bincount(keys, weights)
        distinct = np.flatnonzero(people)
        return distinct, people[distinct].astype(np.int64)
    distinct, index = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(index.reshape(-1), weights).astype(np.int64)


def sensitive_values(
    records: NDArray[np.int64],
    column: "pl.Series",
    kind: Distance = "equal",
    tree: Hierarchy | None = None,
    weights: NDArray[np.int64] | None = None,
    cells: Cells | None = None,
) -> SensitiveValues:
    """Fold one sensitive attribute over the tuple, or the class, of each row.

    ``weights`` says how many people each row stands for; ``cells`` is the column as numbers, where
    that is known already.
    """
    cells = cells or cells_of(column)
    domain = values_of(column, kind, tree, cells.values)
    codes, count = cells.in_order(domain), len(domain)
    keys, counts = counted(records * count + codes, weights)
    rows, values = keys // count, keys % count
    codings = codings_of(values, domain, kind, tree)
    known = np.array([value != GAP for value in domain], dtype=np.bool_)[values]
    return SensitiveValues(rows, codings, counts, ordered=kind == "ordered", known=known)


def values_of(
    column: "pl.Series", kind: Distance, tree: Hierarchy | None, distinct: list[str] | None = None
) -> list[str]:
    """Return the values of a sensitive attribute in the order that its distance goes by.

    ``distinct`` are its values in the order of text, where they are known already.
    """
    distinct = sorted(column.unique().to_list()) if distinct is None else distinct
    if tree is not None:
        refuse_unknown_values(column, tree)
        return [value for value in tree.values if value in set(distinct)]
    return in_order(distinct) if kind == "ordered" else distinct


def codings_of(
    values: NDArray[np.int64], domain: Sequence[str], kind: Distance, tree: Hierarchy | None
) -> tuple[tuple[NDArray[np.int64], int], ...]:
    """Return the values by which a distance is counted, and how many: one coding for each level.

    The hierarchical distance of two values is the height of their lowest common ancestor, so a unit
    that moves crosses each level below it once, and the transport costs half of what differs on
    each level.
    """
    if kind != "hierarchical":
        return ((values, len(domain)),)
    if tree is None:
        msg = "a hierarchical distance needs the hierarchy of the attribute, and there is none"
        raise DataError(msg, parameter="hierarchy")
    numbers = [tree.numbers[value] for value in domain]
    codings = []
    for level in range(tree.height):
        names, compact = np.unique(tree.levels[numbers, level], return_inverse=True)
        codings.append((compact.reshape(-1).astype(np.int64)[values], len(names)))
    return tuple(codings)


def closeness_of(
    lattice: Lattice,
    nodes: Sequence[Node],
    values_by_attribute: Mapping[str, SensitiveValues],
    least: int,
) -> list[dict[str, Fraction]]:
    """Return the closeness of each attribute at each node, each computed once."""
    by_node = []
    for node in nodes:
        classes, sizes = lattice.classes(node)
        by_node.append(
            {
                name: values.closeness(classes, sizes, least)
                for name, values in values_by_attribute.items()
            }
        )
    return by_node
