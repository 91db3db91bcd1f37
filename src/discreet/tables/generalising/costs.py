"""What a way to generalise costs, by the measure that a custodian cares for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.spelling import nearest
from discreet.core.workload import Workload
from discreet.errors import ParameterError
from discreet.tables.generalising.lattice import Lattice, Node, Scores

Score: TypeAlias = Literal[
    "discernibility", "class-size", "precision", "entropy", "loss", "workload"
]
RARE = Fraction(1, 1000)
"""Errors of rarer answers are set in relation to this share of all rows."""


@dataclass(frozen=True, eq=False)
class Taste:
    """What the best generalisation has least of, and how far columns may be generalised."""

    score: Score = "discernibility"
    """The measure."""
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    """How much columns count, where it is not 1."""
    workload: Workload | None = None
    """The queries that should be answered well."""
    highest: Mapping[str, int] = field(default_factory=dict)
    """The highest level that columns may be shown on, where it is not the top."""

    def costs(self, lattice: Lattice, scores: Scores) -> NDArray[np.float64]:
        """Return what each of the nodes costs; the best has least."""
        if self.score == "discernibility":
            return scores.discernibility.astype(np.float64)
        if self.score == "class-size":
            return scores.rows / scores.classes
        if self.score == "workload":
            return self._errors(lattice, scores)
        levels = [_by_level(lattice, index, self.score) for index in range(len(lattice.columns))]
        weights = [float(self.weights.get(name, 1)) for name in lattice.hierarchies]
        nodes = np.array(scores.nodes)
        costs = sum(
            weight * own[nodes[:, index]]
            for index, (weight, own) in enumerate(zip(weights, levels, strict=True))
        )
        gone = scores.suppressed / scores.rows
        return np.asarray((1 - gone) * costs / sum(weights) + gone, dtype=np.float64)

    def _errors(self, lattice: Lattice, scores: Scores) -> NDArray[np.float64]:
        """Return the mean relative error of the queries, values under a name taken as alike.

        Only nodes below which no other is anonymous are asked; the others only know less.
        """
        if self.workload is None:
            msg = "`score` workload needs the queries that should be answered well: give `workload`"
            raise ParameterError(msg, parameter="workload")
        queries = [_holds(lattice, query) for query in self.workload.queries]
        floor = float(RARE * scores.rows)
        costs = np.full(len(scores.nodes), np.inf)
        lowest = set(scores.minimal)
        for number, node in enumerate(scores.nodes):
            if node in lowest:
                errors = [_error(lattice, node, query, floor) for query in queries]
                costs[number] = float(np.mean(errors))
        return costs


def _by_level(lattice: Lattice, index: int, score: Score) -> NDArray[np.float64]:
    """Return what one column loses on each level, from 0 to 1."""
    tree = list(lattice.hierarchies.values())[index]
    if score == "precision":
        return np.linspace(0.0, 1.0, tree.height + 1)
    counts = np.bincount(lattice.columns[index], lattice.counts, len(tree.levels))
    if score == "loss":
        leaves = [np.bincount(column)[column] for column in tree.levels.T]
        lost = [(counts * (under - 1)).sum() / counts.sum() for under in leaves]
        return np.array(lost, dtype=np.float64) / max(1, len(tree.levels) - 1)
    present = counts > 0
    bits: list[float] = []
    for column in tree.levels.T:
        together = np.bincount(column, counts)[column][present]
        bits.append(float((counts[present] * np.log2(together / counts[present])).sum()))
    return np.array(bits, dtype=np.float64) / max(1e-12, bits[-1])


def _holds(lattice: Lattice, query: Mapping[str, tuple[str, ...]]) -> dict[int, NDArray[np.bool_]]:
    """Return for each column of a query which values of its hierarchy it asks for."""
    names = list(lattice.hierarchies)
    if unknown := [name for name in query if name not in names]:
        hint = nearest(unknown[0], names)
        msg = f"a query must be about quasi-identifiers, and {unknown[0]!r} is not one{hint}"
        raise ParameterError(msg, parameter="workload")
    return {names.index(name): _asked(lattice.hierarchies[name], query[name]) for name in query}


def _asked(tree: Hierarchy, wanted: tuple[str, ...]) -> NDArray[np.bool_]:
    from discreet.core.ranges import covers

    return np.array([any(covers(each, value) for each in wanted) for value in tree.values])


def _error(
    lattice: Lattice, node: Node, query: Mapping[int, NDArray[np.bool_]], floor: float
) -> float:
    """Return how far the answer from the generalised table is off, relative to the true one."""
    true = guessed = lattice.counts.astype(np.float64)
    trees = list(lattice.hierarchies.values())
    for index, asked in query.items():
        own = trees[index].levels[:, node[index]]
        share = (np.bincount(own, asked) / np.maximum(1, np.bincount(own)))[own]
        true = true * asked[lattice.columns[index]]
        guessed = guessed * share[lattice.columns[index]]
    return float(abs(guessed.sum() - true.sum()) / max(true.sum(), floor))
