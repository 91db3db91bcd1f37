"""What a disassociated release says, looked up by cluster, by chunk and by item."""

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

import numpy as np

from discreet.core.disassociated import Chunks, Disassociated

TERM = -1
"""Stands for the chunk of an item that is a term."""


class Demand(NamedTuple):
    """What people of one cluster need who are to hold some items together."""

    cluster: int
    """The cluster."""
    record_chunks: int
    """Of how many record chunks each of them takes a sub-record."""
    shared: dict[int, int]
    """The shared chunks of which each takes one, with how many of their sub-records fit."""
    most: int
    """How many people it can be, other clusters left aside."""


class ChunkIndex:
    """The chunks of a release, numbered through: the shared ones follow the record chunks."""

    def __init__(self, content: Disassociated) -> None:
        self.content = content
        self.people: list[int] = content.people.tolist()
        self.sizes: list[int] = [*content.chunks.sizes.tolist(), *content.shared.sizes.tolist()]
        self.has_terms: list[bool] = (content.terms.sizes > 0).tolist()
        own = np.bincount(content.chunks.clusters.items, content.chunks.sizes, content.count)
        self.own_parts: list[int] = own.astype(np.int64).tolist()
        """For each cluster the number of sub-records in its record chunks."""
        self.shared_over: list[list[int]] = [[] for _ in self.people]
        """For each cluster the shared chunks over it."""
        self.clusters_of: dict[int, list[int]] = {}
        """For each shared chunk the clusters that it is over."""
        first_shared = len(content.chunks)
        for chunk, cluster in np.column_stack(content.shared.places).tolist():
            self.shared_over[cluster].append(first_shared + chunk)
            self.clusters_of.setdefault(first_shared + chunk, []).append(cluster)

    @cached_property
    def rows_with(self) -> list[dict[int, set[int]]]:
        """For each chunk its items, with the sub-records that hold them."""
        return [*_rows_with(self.content.chunks), *_rows_with(self.content.shared)]

    @cached_property
    def chunk_of(self) -> list[dict[int, int]]:
        """For each cluster the items that somebody there could hold, with their chunk."""
        chunk_of: list[dict[int, int]] = [{} for _ in self.people]
        terms = self.content.terms
        for cluster, item in zip(terms.rows.tolist(), terms.items.tolist(), strict=True):
            chunk_of[cluster][item] = TERM
        for chunk, cluster in enumerate(self.content.chunks.clusters.items.tolist()):
            chunk_of[cluster] |= dict.fromkeys(self.rows_with[chunk], chunk)
        for chunk, clusters in self.clusters_of.items():
            for cluster in clusters:
                chunk_of[cluster] |= dict.fromkeys(self.rows_with[chunk], chunk)
        return chunk_of

    @cached_property
    def clusters_with(self) -> dict[int, list[int]]:
        """For each item the clusters in which somebody could hold it."""
        clusters: dict[int, list[int]] = {}
        for cluster, items in enumerate(self.chunk_of):
            for item in items:
                clusters.setdefault(item, []).append(cluster)
        return clusters

    @cached_property
    def needed(self) -> list[int]:
        """For each cluster how many people have nothing but a shared sub-record to hold."""
        return [
            max(0, people - parts) if (parts or over) and not terms else 0
            for people, parts, terms, over in zip(
                self.people, self.own_parts, self.has_terms, self.shared_over, strict=True
            )
        ]

    def demand(self, cluster: int, items: Collection[int]) -> Demand | None:
        """Return what people of a cluster need to hold all of ``items``; None where nobody can."""
        chunk_of = self.chunk_of[cluster]
        parts: dict[int, set[int]] = {}
        for item in items:
            if item not in chunk_of:
                return None
            chunk = chunk_of[item]
            if chunk != TERM:
                rows = self.rows_with[chunk][item]
                parts[chunk] = parts[chunk] & rows if chunk in parts else rows
        shared = {chunk: len(rows) for chunk, rows in parts.items() if chunk in self.clusters_of}
        pieces = len(parts) - len(shared)
        most = min([self.people[cluster], *map(len, parts.values())])
        if pieces > 1 and not self.has_terms[cluster]:
            most = min(most, self._spare(cluster) // (pieces - 1))
        return Demand(cluster, pieces, shared, most) if most > 0 else None

    def _spare(self, cluster: int) -> int:
        """Return how many sub-records a cluster has beyond one a person, if all shared are its."""
        over = sum(self.sizes[chunk] for chunk in self.shared_over[cluster])
        return self.own_parts[cluster] + over - self.people[cluster]


def _rows_with(chunks: Chunks) -> list[dict[int, set[int]]]:
    """Return for each chunk its items, with the sub-records that hold them."""
    rows_with: list[dict[int, set[int]]] = [{} for _ in range(len(chunks))]
    sets = chunks.sets
    chunk = np.repeat(chunks.chunk, sets.sizes)
    for chunk_number, row, item in np.column_stack([chunk, sets.rows, sets.items]).tolist():
        rows_with[chunk_number].setdefault(item, set()).add(row)
    return rows_with
