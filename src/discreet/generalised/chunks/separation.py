"""Which cluster a set is in and which chunk an item of it: the plan of a disassociation."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Chunks, Disassociated
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.generalised.kernels.matching import matched

TERM = -1
"""The chunk of an item that is a term; record chunks count from 0, shared ones down from -2."""


@dataclass(frozen=True, eq=False)
class Entries:
    """Each item of each cluster once, ascending, and where the sets have it."""

    folded: ItemsetHistogram
    """The distinct sets, those of a cluster after each other."""
    cluster_of_set: NDArray[np.int64]
    """The cluster of each of them, ascending."""
    count: int
    """How many clusters there are."""

    @cached_property
    def codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Cluster and item as one number for each entry, and the entry of each occurrence."""
        sets = self.folded.sets
        width = max(1, len(sets.vocabulary))
        codes = np.repeat(self.cluster_of_set, sets.sizes) * width + sets.items
        return np.unique(codes, return_inverse=True)

    @cached_property
    def cluster(self) -> NDArray[np.int64]:
        """The cluster of each entry."""
        return self.codes[0] // max(1, len(self.folded.sets.vocabulary))

    @cached_property
    def item(self) -> NDArray[np.int64]:
        """The item of each entry."""
        return self.codes[0] % max(1, len(self.folded.sets.vocabulary))

    @cached_property
    def support(self) -> NDArray[np.int64]:
        """How many people of the cluster hold the item."""
        support = np.zeros(len(self.codes[0]), dtype=np.int64)
        np.add.at(support, self.codes[1], np.repeat(self.folded.counts, self.folded.sets.sizes))
        return support

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the entries of each cluster begin."""
        return np.searchsorted(self.cluster, np.arange(self.count + 1))

    @cached_property
    def sets(self) -> NDArray[np.int64]:
        """Where the sets of each cluster begin."""
        return np.searchsorted(self.cluster_of_set, np.arange(self.count + 1))

    @cached_property
    def people(self) -> NDArray[np.int64]:
        """How many people are in each cluster."""
        people = np.zeros(self.count, dtype=np.int64)
        np.add.at(people, self.cluster_of_set, self.folded.counts)
        return people


@dataclass(frozen=True, eq=False)
class Cut:
    """Records cut into sub-records, and whose each of them is."""

    content: Disassociated
    """What is published, rows in the order of the records."""
    record: NDArray[np.int64]
    """The record of each sub-record of a record chunk."""
    shared_record: NDArray[np.int64]
    """The record of each sub-record of a shared chunk."""
    cluster: NDArray[np.int64]
    """The cluster of each record."""


@dataclass(frozen=True, eq=False)
class Separation:
    """The cluster of each distinct set, and the chunk of each item of each cluster."""

    sets: Itemsets
    """The distinct sets."""
    cluster: NDArray[np.int64]
    """The cluster of each."""
    people: NDArray[np.int64]
    """How many people are in each cluster."""
    codes: NDArray[np.int64]
    """Cluster and item as one number, for each item of each cluster, ascending."""
    chunk_of: NDArray[np.int64]
    """The chunk of each of them."""
    shared: Itemsets
    """The clusters of each shared chunk."""

    @classmethod
    def of(
        cls,
        entries: Entries,
        chunk_of: NDArray[np.int64],
        joined: list[NDArray[np.int64]],
        number: NDArray[np.int64],
    ) -> "Separation":
        """Return the plan with clusters numbered anew, and shared chunks by what is published."""
        width = max(1, len(entries.folded.sets.vocabulary))
        codes = number[entries.cluster] * width + entries.item
        order = np.argsort(codes)
        over = [sorted(number[clusters].tolist()) for clusters in joined]
        items: list[list[int]] = [[] for _ in joined]
        for entry in np.flatnonzero(chunk_of < TERM).tolist():
            items[-2 - chunk_of[entry]].append(int(entries.item[entry]))
        ranks = sorted(range(len(joined)), key=lambda chunk: (over[chunk], sorted(items[chunk])))
        rank = np.empty(len(joined), dtype=np.int64)
        rank[ranks] = np.arange(len(joined))
        moved = (
            np.where(chunk_of < TERM, -2 - rank[np.maximum(0, -2 - chunk_of)], chunk_of)
            if joined
            else chunk_of
        )
        people = np.empty(entries.count, dtype=np.int64)
        people[number] = entries.people
        names = tuple(map(str, range(entries.count)))
        shared = Itemsets.of([map(str, over[chunk]) for chunk in ranks], names)
        return cls(
            entries.folded.sets,
            number[entries.cluster_of_set],
            people,
            codes[order],
            moved[order],
            shared,
        )

    @property
    def width(self) -> int:
        """How many items there are, at least one."""
        return max(1, len(self.sets.vocabulary))

    @cached_property
    def terms(self) -> Itemsets:
        """The term chunk of each cluster."""
        hidden = self.codes[self.chunk_of == TERM]
        offsets = np.searchsorted(hidden, np.arange(len(self.people) + 1) * self.width)
        items = (hidden % self.width).astype(np.int32)
        return Itemsets(offsets.astype(np.int64), items, self.sets.vocabulary)

    @cached_property
    def first_chunk(self) -> NDArray[np.int64]:
        """The number of the first record chunk of each cluster, and of all."""
        counts = np.zeros(len(self.people) + 1, dtype=np.int64)
        np.maximum.at(counts, self.codes // self.width + 1, self.chunk_of + 1)
        return np.cumsum(counts)

    def without(self, dropped: set[int]) -> "Separation":
        """Return the plan with the items of some shared chunks in the term chunks again."""
        left = [chunk for chunk in range(len(self.shared)) if chunk not in dropped]
        number = np.full(len(self.shared), -1, dtype=np.int64)
        number[left] = np.arange(len(left))
        chunk_of = self.chunk_of.copy()
        shared = np.flatnonzero(chunk_of < TERM)
        moved = number[-2 - chunk_of[shared]]
        chunk_of[shared] = np.where(moved < 0, TERM, -2 - moved)
        over = self.shared.take(np.array(left, dtype=np.int64))
        return replace(self, chunk_of=chunk_of, shared=over)

    def cut(self, data: Transactions) -> Cut:
        """Cut each record of ``data`` into its sub-records, in its order."""
        sets = data.sets.over(self.sets.vocabulary)
        arrays = (self.sets.offsets.copy(), self.sets.items.copy())
        matches = matched(*arrays, sets.offsets.copy(), sets.items.copy())
        if (matches < 0).any():
            msg = "the records must be those that the clusters were made of, and others are there"
            raise DataError(msg)
        cluster = self.cluster[matches]
        record = sets.rows
        entry = np.searchsorted(self.codes, cluster[record] * self.width + sets.items)
        chunk = self.chunk_of[entry] if len(self.chunk_of) else np.zeros(0, dtype=np.int64)
        numbers = tuple(map(str, range(len(self.people))))
        own = np.repeat(np.arange(len(self.people)), np.diff(self.first_chunk)).astype(np.int32)
        single = Itemsets(np.arange(len(own) + 1), own, numbers)
        chunks, rows = _sub_records(
            single,
            sets,
            record,
            np.where(chunk >= 0, self.first_chunk[cluster[record]] + chunk, -1),
        )
        shared, shared_rows = _sub_records(
            self.shared, sets, record, np.where(chunk < TERM, -2 - chunk, -1)
        )
        content = Disassociated(self.people.copy(), chunks, self.terms, shared)
        return Cut(content, rows, shared_rows, cluster)


def _sub_records(
    clusters: Itemsets, sets: Itemsets, record: NDArray[np.int64], chunk: NDArray[np.int64]
) -> tuple[Chunks, NDArray[np.int64]]:
    """Return the items of each record that are in the same chunk, and whose they are."""
    assigned = np.flatnonzero(chunk >= 0)
    order = assigned[np.lexsort((chunk[assigned], record[assigned]))]
    keys = record[order] * (len(clusters) + 1) + chunk[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    offsets = np.append(first, len(order)).astype(np.int64)
    sub_records = Itemsets(offsets, sets.items[order], sets.vocabulary)
    return Chunks(clusters, sub_records, chunk[order][first]), record[order][first]
