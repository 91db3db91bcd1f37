"""How many people can hold a set of items in a possible original of a disassociated release."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Chunks, Disassociated

__all__ = ["Originals"]

Unknown: TypeAlias = tuple[int, int | None]
"""A cluster and a shared chunk over it, or None."""
Rule: TypeAlias = tuple[dict[Unknown, int], int]
"""Factors of unknowns, and what they may add up to at most."""


class Originals:
    """The data sets that can be behind a release, which it counts without listing them."""

    def __init__(self, content: Disassociated) -> None:
        self.content = content
        self.solved = 0
        """How many unknowns were solved for so far, which is what takes time."""
        both = content.chunks, content.shared
        self.of_chunk = [_by_chunk(chunks) for chunks in both]
        self.in_cluster = [_by_cluster(chunks, content.count) for chunks in both]
        self.terms = [
            set(content.terms.items[first:last].tolist())
            for first, last in zip(content.terms.offsets, content.terms.offsets[1:], strict=False)
        ]

    @cached_property
    def possible(self) -> list[set[int]]:
        """The items that somebody of each cluster could hold."""
        return [
            terms.union(
                *(
                    self.of_chunk[kind][chunk][1]
                    for kind in (0, 1)
                    for chunk in self.in_cluster[kind][cluster]
                )
            )
            for cluster, terms in enumerate(self.terms)
        ]

    @cached_property
    def where(self) -> dict[int, set[int]]:
        """The clusters in which somebody could hold each item."""
        clusters: dict[int, set[int]] = {}
        for cluster, items in enumerate(self.possible):
            for item in items:
                clusters.setdefault(item, set()).add(cluster)
        return clusters

    @cached_property
    def joined(self) -> NDArray[np.int64]:
        """A number for each cluster, the same where shared chunks tie clusters together."""
        first = np.arange(self.content.count)
        shared = self.content.shared
        changed = True
        while changed:
            before = first.copy()
            for place in range(len(shared)):
                over = shared.over(place)
                first[over] = first[over].min()
            changed = not np.array_equal(before, first)
        return first

    def most(self, items: Iterable[int]) -> int:
        """Return how many people hold all of ``items`` in that possible original with the most."""
        wanted = set(items)
        everywhere = set(range(self.content.count))
        could = everywhere.intersection(*(self.where.get(item, set()) for item in wanted))
        return sum(
            self._in(np.flatnonzero(self.joined == first).tolist(), wanted)
            for first in sorted({int(self.joined[each]) for each in could})
        )

    def _fitting(self, kind: int, chunk: int, wanted: set[int]) -> int | None:
        """Return how many sub-records of a chunk hold its part of the items; None without one."""
        rows, own = self.of_chunk[kind][chunk]
        part = wanted & own
        return sum(part <= row for row in rows) if part else None

    def _in(self, clusters: list[int], wanted: set[int]) -> int:
        """Return the most people in clusters that shared chunks tie together, by whole numbers.

        The unknowns are, for each cluster, how many people hold all items; and for each shared
        chunk over it how many others there hold a sub-record of that, lest they hold nothing.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp

        ties: list[Unknown] = [(each, chunk) for each in clusters for chunk in self.shared_by(each)]
        unknowns: list[Unknown] = [*((each, None) for each in clusters), *ties]
        self.solved += len(unknowns)
        rules = [*self._everybody(clusters, wanted), *self._once(ties, wanted)]
        place = {unknown: number for number, unknown in enumerate(unknowns)}
        factors = np.zeros((len(rules), len(unknowns)))
        for number, (row, _) in enumerate(rules):
            for unknown, factor in row.items():
                factors[number, place[unknown]] = factor
        upper = [self._upper(cluster, chunk, wanted) for cluster, chunk in unknowns]
        limits = np.array([limit for _, limit in rules])
        found = milp(
            [-1.0 if chunk is None else 0.0 for _, chunk in unknowns],
            bounds=Bounds(np.zeros(len(upper)), np.array(upper)),
            constraints=LinearConstraint(factors, ub=limits) if rules else (),
            integrality=np.ones(len(upper)),
        )
        # no possible original at all: nobody can have anything
        return round(-found.fun) if found.success else 0

    def shared_by(self, cluster: int) -> list[int]:
        """Return the shared chunks over a cluster."""
        return self.in_cluster[1][cluster]

    def _upper(self, cluster: int, chunk: int | None, wanted: set[int]) -> int:
        people = int(self.content.people[cluster])
        if chunk is not None:
            return people
        possible = wanted <= self.possible[cluster]
        return min([people, *self._pieces(cluster, wanted)]) if possible else 0

    def _everybody(self, clusters: list[int], wanted: set[int]) -> Iterator[Rule]:
        """Whoever is in a cluster without terms holds a sub-record of some chunk.

        People with all items take one of each chunk that has some; what is left is for others.
        """
        for each in clusters:
            if self.terms[each] or not self.possible[each]:
                continue
            row: dict[Unknown, int] = {(each, None): len(self._pieces(each, wanted)) - 1}
            row |= {(each, chunk): -1 for chunk in self.shared_by(each)}
            parts = sum(len(self.of_chunk[0][chunk][0]) for chunk in self.in_cluster[0][each])
            yield row, parts - int(self.content.people[each])

    def _once(self, ties: list[Unknown], wanted: set[int]) -> Iterator[Rule]:
        """Each sub-record of a shared chunk is one person's."""
        for shared in sorted({chunk for _, chunk in ties if chunk is not None}):
            over = [cluster for cluster, chunk in ties if chunk == shared]
            fitting = self._fitting(1, shared, wanted)
            row: dict[Unknown, int] = {(each, shared): 1 for each in over}
            if fitting is not None:
                held: dict[Unknown, int] = {(each, None): 1 for each in over}
                yield held, fitting
                row |= held
            yield row, len(self.of_chunk[1][shared][0])

    def _pieces(self, cluster: int, wanted: set[int]) -> list[int]:
        """Return for each record chunk with some of the items how many sub-records hold those."""
        found = [self._fitting(0, chunk, wanted) for chunk in self.in_cluster[0][cluster]]
        return [count for count in found if count is not None]


def _by_chunk(chunks: Chunks) -> list[tuple[list[set[int]], set[int]]]:
    """Return for each chunk its sub-records, and the items in them."""
    rows: list[list[set[int]]] = [[] for _ in range(len(chunks))]
    sets = chunks.sets
    for place, chunk in enumerate(chunks.chunk.tolist()):
        rows[chunk].append(set(sets.items[sets.offsets[place] : sets.offsets[place + 1]].tolist()))
    return [(held, set().union(*held)) for held in rows]


def _by_cluster(chunks: Chunks, count: int) -> list[list[int]]:
    """Return for each cluster the chunks over it."""
    found: list[list[int]] = [[] for _ in range(count)]
    chunk, cluster = chunks.places
    for each, over in zip(chunk.tolist(), cluster.tolist(), strict=True):
        found[over].append(each)
    return found
