"""The most people who can hold items together in one possible original: a program, solved."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from discreet.verify.chunk_index import ChunkIndex, Demand

MOST_NODES = 1_000
"""Parts that a program is divided into until its best whole numbers are sure."""

Unknown: TypeAlias = tuple[int, int | None]
"""A cluster and a shared chunk over it, or None."""


class Rule(NamedTuple):
    """Factors of unknowns, and what they may add up to at most."""

    factors: dict[Unknown, int]
    limit: int


class Program:
    """Whole numbers of people who hold the items, all others still holding something.

    The unknowns are, for each cluster where the items can be, how many people hold all of them; and
    for each cluster whose other people may need shared sub-records, and each shared chunk over it,
    how many get one. Clusters that have enough without are left out: they take nothing from others.
    """

    def __init__(self, index: ChunkIndex, demands: list[Demand]) -> None:
        self.index = index
        self.demands = {demand.cluster: demand for demand in demands}
        self.needy = self._needy()
        self.ties = [
            (cluster, chunk)
            for cluster in sorted(self.needy)
            for chunk in index.shared_over[cluster]
        ]
        self.unknowns: list[Unknown] = [*((cluster, None) for cluster in self.demands), *self.ties]

    def _needy(self) -> set[int]:
        """Return the clusters that may need shared sub-records which the items' holders could use.

        A person who takes two sub-records of a cluster without terms leaves another without one.
        """
        index = self.index
        needy = {
            demand.cluster
            for demand in self.demands.values()
            if not index.has_terms[demand.cluster]
            and (demand.record_chunks > 1 or index.needed[demand.cluster])
        }
        chunks: set[int] = {chunk for demand in self.demands.values() for chunk in demand.shared}
        chunks |= {chunk for cluster in needy for chunk in index.shared_over[cluster]}
        waiting = list(chunks)
        while waiting:
            for cluster in index.clusters_of[waiting.pop()]:
                if index.needed[cluster] and cluster not in needy:
                    needy.add(cluster)
                    more = set(index.shared_over[cluster]) - chunks
                    chunks |= more
                    waiting += more
        return needy

    def solve(self) -> int | None:
        """Return the most people; None where the search came to its limit."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array

        rules = [*self._everybody(), *self._once()]
        number = {unknown: index for index, unknown in enumerate(self.unknowns)}
        entries = [
            (factor, row, number[unknown])
            for row, rule in enumerate(rules)
            for unknown, factor in rule.factors.items()
        ]
        upper = [self._upper(cluster, chunk) for cluster, chunk in self.unknowns]
        shape = (len(rules), len(upper))
        # scipy 1.14 hands places of 64 bits to a solver that takes 32
        factor, row, column = np.array(entries, dtype=np.int32).reshape(-1, 3).T
        matrix = coo_array((factor.astype(np.float64), (row, column)), shape).tocsr()
        limits = np.array([float(rule.limit) for rule in rules])
        result = milp(
            [-1.0 if chunk is None else 0.0 for _, chunk in self.unknowns],
            bounds=Bounds(np.zeros(len(upper)), np.array(upper, dtype=np.float64)),
            constraints=LinearConstraint(matrix, ub=limits) if rules else (),
            integrality=np.ones(len(upper)),
            options={"node_limit": MOST_NODES, "mip_rel_gap": 0.0},
        )
        return round(-result.fun) if result.success else None

    def _upper(self, cluster: int, chunk: int | None) -> int:
        return self.demands[cluster].most if chunk is None else self.index.sizes[chunk]

    def _everybody(self) -> Iterator[Rule]:
        """Whoever is in a cluster without terms holds a sub-record of some chunk.

        People with all items take one of each chunk that has some; what is left is for others.
        """
        for cluster in sorted(self.needy):
            factors: dict[Unknown, int] = {
                (cluster, chunk): -1 for chunk in self.index.shared_over[cluster]
            }
            if cluster in self.demands:
                factors[cluster, None] = self.demands[cluster].record_chunks - 1
            yield Rule(factors, self.index.own_parts[cluster] - self.index.people[cluster])

    def _once(self) -> Iterator[Rule]:
        """Each sub-record of a shared chunk is one person's."""
        factors: dict[int, dict[Unknown, int]] = {}
        fitting: dict[int, int] = {}
        for demand in self.demands.values():
            for chunk, rows in demand.shared.items():
                factors.setdefault(chunk, {})[demand.cluster, None] = 1
                fitting[chunk] = rows
        for chunk, rows in fitting.items():
            yield Rule(dict(factors[chunk]), rows)
        for cluster, chunk in self.ties:
            factors.setdefault(chunk, {})[cluster, chunk] = 1
        for chunk, row in factors.items():
            yield Rule(row, self.index.sizes[chunk])
