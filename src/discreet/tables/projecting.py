"""What all publishers of tables share: anonymous nodes once, closeness once, tables in the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, share
from discreet.core.guarantees.tables import Distances, LDiversity
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import Rng
from discreet.tables.closeness import Spread, closeness_of, spread_of
from discreet.tables.lattice import Lattice, Node, Scores, lattice_of
from discreet.tables.n_t_closeness import natural_at

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Hierarchies", "Projecting", "projecting"]

Hierarchies: TypeAlias = tuple[tuple[str, Hierarchy], ...]
"""Columns with their public hierarchies."""


@dataclass(frozen=True, eq=False)
class Projecting:
    """Microdata on the way to tables: bits for sets, and every anonymous way to generalise."""

    people: Microdata
    """The data, multi-valued attributes as bits."""
    derived: frozenset[str]
    """The sensitive attributes that are bits."""
    given: Mapping[str, Hierarchy]
    """The public hierarchies; other quasi-identifiers are kept or suppressed as a whole."""
    distance: Distances
    """The ground distances that are not the equal one."""
    lattice: Lattice
    """The ways to generalise."""
    scores: Scores
    """Those of them that are k-anonymous."""
    k: int
    """The least class."""

    @cached_property
    def spreads(self) -> dict[str, Spread]:
        """Each sensitive attribute, folded over the quasi-identifiers."""
        kinds = dict(self.distance)
        return {
            name: spread_of(
                self.lattice.records,
                self.people.table[name],
                kinds.get(name, "equal"),
                self.ground.get(name),
            )
            for name in self.people.sensitive
        }

    @cached_property
    def closeness(self) -> dict[str, list[Fraction]]:
        """For each sensitive attribute its closeness at each anonymous node."""
        found = closeness_of(self.lattice, self.scores.nodes, self.spreads, self.k)
        return {name: [node[name] for node in found] for name in self.people.sensitive}

    def closeness_among(self, n: int) -> dict[str, list[Fraction]]:
        """For each sensitive attribute its closeness to supersets of n rows at each such node."""
        if n > len(self.people):
            msg = f"n must be at most the number of rows, {len(self.people)}, got {n}; lower n"
            raise InfeasibleError(msg)
        found = [
            natural_at(self.lattice, node, self.spreads, (self.k, n)) for node in self.scores.nodes
        ]
        return {name: [node[name] for node in found] for name in self.people.sensitive}

    def diverse(self, claim: LDiversity) -> dict[str, NDArray[np.bool_]]:
        """For each sensitive attribute whether each anonymous node is diverse as claimed."""
        nodes = [self.lattice.classes(node) for node in self.scores.nodes]
        return {
            name: np.array([part.diverse(*node, (self.k, claim)) for node in nodes])
            for name, part in self.spreads.items()
        }

    @cached_property
    def ground(self) -> dict[str, Hierarchy]:
        """The hierarchies of sensitive attributes, as a reader of the release will have them."""
        return {
            name: Hierarchy.of_tables(self.given[name].tables())
            for name, _ in self.distance
            if name in self.given
        }

    def best(self, fitting: NDArray[np.bool_]) -> int | None:
        """Return the fitting node of least discernibility, the lowest among equals."""
        if not fitting.any():
            return None
        costs = np.where(fitting, self.scores.discernibility, np.iinfo(np.int64).max)
        return int(np.argmin(costs))

    def tables(
        self,
        plan: Sequence[tuple[Node, Sequence[str]]],
        rng: Rng,
        left_out: NDArray[np.bool_] | None = None,
    ) -> tuple[ProjectedTables, LinkageKey]:
        """Return the tables of a plan, each shuffled by itself, and which record is where.

        For a plan of one table ``left_out`` says which of its classes are not published.
        """
        import polars as pl

        parts, rows = [], {}
        for number, (node, attributes) in enumerate(plan, start=1):
            classes, sizes = self.lattice.classes(node)
            shown = sizes >= self.k if left_out is None else ~left_out
            kept = np.flatnonzero(shown[classes][self.lattice.records])
            order = kept[rng.permutation(len(kept))]
            parts.append(self._table(node, attributes, order))
            records = {"row": np.arange(len(order)), "record": order}
            rows[f"rows_{number}"] = pl.DataFrame(records)
        applied = {
            name: self.given[name].tables()["hierarchy"]
            if name in self.given
            else _visible(name, tree, parts)
            for name, tree in self.lattice.hierarchies.items()
        }
        ground = {name: tree.tables()["hierarchy"] for name, tree in self.ground.items()}
        return ProjectedTables(tuple(parts), applied, ground), LinkageKey(rows)

    def _table(
        self, node: Node, attributes: Sequence[str], order: NDArray[np.int64]
    ) -> "pl.DataFrame":
        import polars as pl

        columns = []
        places = zip(self.lattice.hierarchies.items(), self.lattice.columns, node, strict=True)
        for (name, tree), column, level in places:
            numbers = tree.levels[column[self.lattice.records[order]], level]
            columns.append(pl.Series(tree.names, dtype=pl.String).gather(numbers).alias(name))
        for name in attributes:
            held = self.people.table[name].gather(order)
            columns.append(held.cast(pl.Int64) if name in self.derived else held)
        return pl.DataFrame(columns)


def _visible(name: str, tree: Hierarchy, parts: "Sequence[pl.DataFrame]") -> "pl.DataFrame":
    """Return of a hierarchy made from the data what the published values show anyway."""
    import polars as pl

    seen = pl.concat([part[name] for part in parts]).unique().sort()
    values = seen.filter(seen != tree.root)
    return pl.DataFrame({"child": values, "parent": [tree.root] * len(values)}).cast(pl.String)


def projecting(
    data: Microdata,
    hierarchy: Hierarchies,
    *,
    k: int,
    suppression_limit: Exact = 0,
    distance: Distances = (),
) -> Projecting:
    """Return the data with every way to generalise them that is k-anonymous."""
    if not data.qids:
        msg = "a table must have at least one quasi-identifier to be generalised, got none"
        raise DataError(msg)
    if len(data) < k:
        msg = f"k must be at most the number of rows, {len(data)}, got {k}; lower k"
        raise InfeasibleError(msg)
    people = data.bitmap
    given = _named(data, hierarchy)
    _refuse_distances(people, distance, given)
    trees = {name: given.get(name) or _kept_or_not(people, name) for name in people.qids}
    lattice = lattice_of(people.table, trees)
    most = floor(share("suppression_limit", suppression_limit) * len(data))
    derived = frozenset(people.sensitive) - frozenset(data.sensitive)
    scores = lattice.anonymous(k, most)
    return Projecting(people, derived, given, distance, lattice, scores, k)


def _named(data: Microdata, hierarchy: Hierarchies) -> dict[str, Hierarchy]:
    given: dict[str, Hierarchy] = {}
    for name, tree in hierarchy:
        if name in given or name not in (*data.qids, *data.sensitive):
            why = "has two" if name in given else "is no column with a role"
            msg = f"a hierarchy must belong to one column each, and {name!r} {why}"
            raise ParameterError(msg)
        given[name] = tree
    return given


def _refuse_distances(
    people: Microdata, distance: Distances, given: Mapping[str, Hierarchy]
) -> None:
    for name, kind in distance:
        if name not in people.sensitive:
            msg = f"a distance must be of a sensitive attribute, and {name!r} is none"
            raise ParameterError(msg)
        if kind == "hierarchical" and name not in given:
            msg = f"the hierarchical distance of {name!r} needs its hierarchy; give it by name"
            raise ParameterError(msg)


def _kept_or_not(people: Microdata, name: str) -> Hierarchy:
    """Return the hierarchy that keeps a column or suppresses it as a whole."""
    values = people.table[name].unique().sort().to_list()
    root = "*"
    while root in values:
        root += "*"
    return Hierarchy.of_levels([value, root] for value in values)
