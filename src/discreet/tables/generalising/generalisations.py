"""The k-anonymous ways to generalise a table, and the plan of the ways that are published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, share
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.distributions import Distances, LDiversity
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.spelling import nearest
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.lazy import pl
from discreet.tables.applying import Recoding, TablesPlan
from discreet.tables.folding import FoldedTable
from discreet.tables.generalising.costs import Taste
from discreet.tables.generalising.lattice import Lattice, Node, Scores, lattice_of
from discreet.tables.promises.closeness import SensitiveValues, closeness_of, sensitive_values
from discreet.tables.promises.n_t_closeness import superset_distances

Hierarchies: TypeAlias = tuple[tuple[str, Hierarchy], ...]
"""Columns with their public hierarchies."""


@dataclass(frozen=True, eq=False)
class Generalisations:
    """Every k-anonymous way to generalise a table, and how close and diverse its classes are."""

    folded: FoldedTable
    """The distinct rows with their counts."""
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
    costs: NDArray[np.float64]
    """What each of them costs, by the measure asked for."""

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive attributes, multi-valued ones as their bits."""
        return self.folded.distinct.sensitive

    @cached_property
    def values_by_attribute(self) -> dict[str, SensitiveValues]:
        """Each sensitive attribute, folded over the quasi-identifiers."""
        kinds = dict(self.distance)
        return {
            name: sensitive_values(
                self.lattice.records,
                self.folded.distinct.table[name],
                kinds.get(name, "equal"),
                self.ground.get(name),
                self.folded.counts,
                self.folded.cells(name),
            )
            for name in self.sensitive
        }

    @cached_property
    def closeness(self) -> dict[str, list[Fraction]]:
        """For each sensitive attribute its closeness at each anonymous node."""
        by_node = closeness_of(self.lattice, self.scores.nodes, self.values_by_attribute, self.k)
        return {name: [node[name] for node in by_node] for name in self.sensitive}

    def closeness_among(self, n: int) -> dict[str, list[Fraction]]:
        """For each sensitive attribute its closeness to supersets of n rows at each such node."""
        if n > self.folded.people:
            msg = (
                f"`n` must be at most the number of rows, {self.folded.people}, got {n}; lower `n`"
            )
            raise InfeasibleError(msg, parameter="n")
        by_node = [
            superset_distances(self.lattice, node, self.values_by_attribute, (self.k, n))
            for node in self.scores.nodes
        ]
        return {name: [node[name] for node in by_node] for name in self.sensitive}

    def diverse(self, claim: LDiversity) -> dict[str, NDArray[np.bool_]]:
        """For each sensitive attribute whether each anonymous node is diverse as claimed."""
        nodes = [self.lattice.classes(node) for node in self.scores.nodes]
        return {
            name: np.array([values.diverse(*node, (self.k, claim.of(name))) for node in nodes])
            for name, values in self.values_by_attribute.items()
        }

    @cached_property
    def ground(self) -> dict[str, Hierarchy]:
        """The hierarchies of sensitive attributes, as a reader of the release will have them."""
        return ground_hierarchies(self.distance, self.given)

    def best(self, fitting: NDArray[np.bool_]) -> int | None:
        """Return the fitting node that costs least, the lowest among equals."""
        if not fitting.any():
            return None
        # a node whose cost was not worked out is still better than none
        costs = np.where(fitting, np.minimum(self.costs, np.finfo(np.float64).max), np.inf)
        return int(np.argmin(costs))

    def plan(
        self,
        tables: Sequence[tuple[Node, Sequence[str]]],
        guarantees: tuple[Guarantee, ...],
        left_out: NDArray[np.bool_] | None = None,
    ) -> TablesPlan:
        """Return the plan of tables, each with its levels and sensitive attributes.

        For one table ``left_out`` says which of its classes are not published.
        """
        shown = [self._shown(node, left_out) for node, _ in tables]
        # most tables show the same people, whose values are made texts once
        originals = {rows.tobytes(): rows for rows in shown}
        named = {key: self._named(rows) for key, rows in originals.items()}
        recodings = tuple(
            Recoding(named[rows.tobytes()], self._named(rows, node), tuple(names))
            for rows, (node, names) in zip(shown, tables, strict=True)
        )
        applied = {
            name: self.given[name].tables()["hierarchy"]
            if name in self.given
            else _visible(name, tree, recodings)
            for name, tree in self.lattice.hierarchies.items()
        }
        ground = {name: tree.tables()["hierarchy"] for name, tree in self.ground.items()}
        levels = [dict(zip(self.lattice.hierarchies, node, strict=True)) for node, _ in tables]
        heights = dict(zip(self.lattice.hierarchies, self.lattice.heights, strict=True))
        notes = {"levels": levels[0] if len(levels) == 1 else levels, "heights": heights}
        return TablesPlan(
            recodings, self.folded.bits, applied, ground, guarantees, notes, self.report()
        )

    def report(self, count: int = 5) -> dict[str, float]:
        """Return what the best generalisations cost, for the owner's eyes."""
        order = np.argsort(self.costs, kind="stable")[:count].tolist()
        heights = [(name, tree.height) for name, tree in self.lattice.hierarchies.items()]
        distances = {}
        for number in order:
            levels = zip(heights, self.scores.nodes[number], strict=True)
            words = ", ".join(f"{name} {level} of {top}" for (name, top), level in levels)
            distances[f"cost of {words}"] = round(float(self.costs[number]), 6)
        return distances

    def _shown(self, node: Node, left_out: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """Return which tuples of quasi-identifiers are published at a node."""
        classes, sizes = self.lattice.classes(node)
        shown = sizes >= self.k if left_out is None else ~left_out
        return np.asarray(shown[classes])

    def _named(self, shown: NDArray[np.bool_], node: Node | None = None) -> "pl.DataFrame":
        """Return the tuples that are published by their values, generalised to a node."""
        columns = {}
        for index, (name, tree) in enumerate(self.lattice.hierarchies.items()):
            numbers = self.lattice.tuples[shown, index]
            if node is not None:
                numbers = tree.levels[numbers, node[index]]
            columns[name] = pl.Series(tree.names, dtype=pl.String).gather(numbers)
        return pl.DataFrame(columns)


def _visible(name: str, tree: Hierarchy, recodings: Sequence[Recoding]) -> "pl.DataFrame":
    """Return of a hierarchy made from the data what the published values show anyway."""
    seen = pl.concat([recoding.published[name] for recoding in recodings]).unique().sort()
    values = seen.filter(seen != tree.root)
    return pl.DataFrame({"child": values, "parent": [tree.root] * len(values)}).cast(pl.String)


def generalisations(
    folded: FoldedTable,
    hierarchy: Hierarchies,
    *,
    k: int,
    suppression_limit: Exact = 0,
    distance: Distances = (),
    taste: Taste | None = None,
) -> Generalisations:
    """Return every way to generalise a table that is k-anonymous."""
    taste, given = taste or Taste(), given_hierarchies(folded, hierarchy, k)
    refuse_distances(folded.distinct, distance, given)
    trees = {
        name: given.get(name) or _keeping_or_suppressing(folded.distinct, name)
        for name in folded.distinct.qids
    }
    lattice = lattice_of(folded.distinct.table, trees, folded.counts)
    most = floor(share("suppression_limit", suppression_limit) * folded.people)
    tops = highest_levels(trees, taste.highest)
    scores = lattice.anonymous(k, most, [tops.get(name, trees[name].height) for name in trees])
    if not scores.nodes:
        msg = (
            "no generalisation within the highest levels is k-anonymous; allow a higher level, "
            "lower `k` or raise the `suppression_limit`"
        )
        raise InfeasibleError(msg, parameter="highest_level")
    costs = taste.costs(lattice, scores)
    return Generalisations(folded, given, distance, lattice, scores, k, costs)


def highest_levels(
    trees: Mapping[str, Hierarchy | None], highest: Mapping[str, int]
) -> dict[str, int]:
    """Return the highest level of each column that has one, refusing what no column has."""
    for name in highest:
        if trees.get(name) is None:
            having = [other for other, tree in trees.items() if tree is not None]
            hint = nearest(name, having)
            msg = (
                f"a highest level must be of a column with a hierarchy, and {name!r} has none{hint}"
            )
            raise ParameterError(msg, parameter="highest_level")
    return {
        name: min(highest[name], tree.height)
        for name, tree in trees.items()
        if tree is not None and name in highest
    }


def given_hierarchies(folded: FoldedTable, hierarchy: Hierarchies, k: int) -> dict[str, Hierarchy]:
    """Return the hierarchies by column, refusing a table that cannot be generalised by them.

    Their levels are those that a reader counts in the pairs that go with the release: a label that
    a file repeats from level to level is no level of its own there.
    """
    data = folded.distinct
    if not data.qids:
        msg = "a table must have at least one quasi-identifier to be generalised, got none"
        raise DataError(msg)
    if folded.people < k:
        msg = f"`k` must be at most the number of rows, {folded.people}, got {k}; lower `k`"
        raise InfeasibleError(msg, parameter="k")
    columns = {*data.qids, *data.set_columns, *data.sensitive, *folded.multi_valued}
    for name, _ in hierarchy:
        if name not in columns:
            hint = nearest(name, columns)
            msg = f"a hierarchy must belong to a published column, and {name!r} is not one{hint}"
            raise ParameterError(msg, parameter="hierarchy")
    return {name: Hierarchy.of_tables(tree.tables()) for name, tree in hierarchy}


def ground_hierarchies(distance: Distances, given: Mapping[str, Hierarchy]) -> dict[str, Hierarchy]:
    """Return the hierarchies that distances go by."""
    return {name: given[name] for name, _ in distance if name in given}


def refuse_distances(
    people: Microdata, distance: Distances, given: Mapping[str, Hierarchy]
) -> None:
    """Refuse a distance of no sensitive attribute, or one that lacks its hierarchy."""
    for name, kind in distance:
        if name not in people.sensitive:
            hint = nearest(name, people.sensitive)
            msg = f"a distance must name a sensitive attribute, and {name!r} is not one{hint}"
            raise ParameterError(msg, parameter="distance")
        if kind == "hierarchical" and name not in given:
            msg = (
                f"the hierarchical distance of {name!r} needs its hierarchy: give `hierarchy` "
                f"{name}=FILE"
            )
            raise ParameterError(msg, parameter="distance")


def _keeping_or_suppressing(people: Microdata, name: str) -> Hierarchy:
    """Return the hierarchy that keeps a column or suppresses it as a whole."""
    values = people.table[name].unique().sort().to_list()
    root = "*"
    while root in values:
        root += "*"
    return Hierarchy.of_levels([value, root] for value in values)
