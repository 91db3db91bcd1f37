"""Items into record chunks, term chunks and chunks that clusters share."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.generalised.chunks.separation import TERM, Entries
from discreet.generalised.kernels.blocks import Rows
from discreet.generalised.kernels.chunks import Clustered, own_chunks, shared_chunks, together
from discreet.generalised.recoding.constraint_search import rows_of


@dataclass(frozen=True, eq=False)
class Chunking:
    """Clusters whose items are put into chunks."""

    entries: Entries
    """The items of each cluster."""
    k: int
    """Sub-records that any known items of one chunk must fit."""
    m: int
    """Items known at most."""

    def vertical(self) -> NDArray[np.int64]:
        """Return the chunk of each entry: record chunks of the cluster, or its term chunk.

        An item that fewer than k people of the cluster hold is a term. The others, the commonest
        first, go to the first chunk in which any m items still fit k people or none.
        """
        return own_chunks(self._arrays, TERM, self.k, self.m)

    @cached_property
    def _arrays(self) -> Clustered:
        entries, sets = self.entries, self.entries.folded.sets
        return Clustered(
            entries.sets.astype(np.int64),
            sets.offsets.copy(),
            sets.items.copy(),
            entries.folded.counts.copy(),
            entries.starts.astype(np.int64),
            entries.item.copy(),
            entries.support,
            len(sets.vocabulary),
        )

    def with_terms(self, chunk_of: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the chunks with a term in each cluster whose people would be too few for k others.

        Everybody holds something. Without terms that is a sub-record, so where k people take one of
        each of some chunks, the others need what is left: else the rarest item becomes a term.
        """
        entries, chunk_of = self.entries, chunk_of.copy()
        short = np.flatnonzero(self.short(chunk_of))
        for cluster in short[entries.starts[short] < entries.starts[short + 1]].tolist():
            span = np.arange(entries.starts[cluster], entries.starts[cluster + 1])
            if not (chunk_of[span] == TERM).any():
                chunk_of[span[np.argmin(entries.support[span])]] = TERM
        return self._renumbered(chunk_of)

    def _renumbered(self, chunk_of: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the chunks of the entries, in each cluster numbered without gaps."""
        own = chunk_of >= 0
        width = int(chunk_of.max(initial=0)) + 1
        codes, which = np.unique(
            self.entries.cluster[own] * width + chunk_of[own], return_inverse=True
        )
        first = np.searchsorted(codes // width, codes // width)
        chunk_of = chunk_of.copy()
        chunk_of[own] = (np.arange(len(codes)) - first)[which]
        return chunk_of

    def short(self, chunk_of: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which clusters have too few sub-records for people to hold nothing else."""
        entries = self.entries
        chunks = np.zeros(entries.count, dtype=np.int64)
        np.maximum.at(chunks, entries.cluster, chunk_of + 1)
        sets, counts = entries.folded.sets, entries.folded.counts
        assigned = chunk_of[entries.codes[1]]
        sub_records = np.unique(np.stack([sets.rows, assigned])[:, assigned >= 0], axis=1)[0]
        total = np.zeros(entries.count, dtype=np.int64)
        np.add.at(total, entries.cluster_of_set[sub_records], counts[sub_records])
        needed = self.k * (np.minimum(chunks, self.m) - 1)
        short: NDArray[np.bool_] = (chunks == 0) | (total - entries.people < needed)
        return short

    def without_cover(self, chunk_of: NDArray[np.int64], limit: Fraction) -> NDArray[np.int64]:
        """Return the chunks when no item follows too surely from one of another chunk.

        Where s people hold an item and t one of another chunk, at least s + t - n of n hold both.
        The commoner of the two moves to the other's chunk, or else to the term chunk.
        """
        before = np.full_like(chunk_of, TERM - 1)
        while not np.array_equal(chunk_of, before):
            before, chunk_of = chunk_of, chunk_of.copy()
            for cluster in range(self.entries.count):
                span = slice(*self.entries.starts[cluster : cluster + 2])
                self._uncover(cluster, chunk_of[span], self.entries.support[span], limit)
            chunk_of = self.with_terms(chunk_of)
        return chunk_of

    def _uncover(
        self, cluster: int, chunk_of: NDArray[np.int64], support: NDArray[np.int64], limit: Fraction
    ) -> None:
        people = int(self.entries.people[cluster])
        moved: set[int] = set()
        while True:
            tops = [
                int(np.flatnonzero(chunk_of == chunk)[np.argmax(support[chunk_of == chunk])])
                for chunk in np.unique(chunk_of[chunk_of >= 0]).tolist()
            ]
            tops.sort(key=lambda entry: -support[entry])
            if not tops:
                return
            first, second = tops[0], tops[1] if len(tops) > 1 else None
            if limit < 1 and support[first] == people and (chunk_of == TERM).any():
                chunk_of[first] = TERM
            elif second is None or not _follows(support[[first, second]], people, limit):
                return
            elif first not in moved and self._joins(
                cluster, chunk_of, first, int(chunk_of[second])
            ):
                moved.add(first)
                chunk_of[first] = chunk_of[second]
            else:
                chunk_of[first] = TERM

    def _joins(self, cluster: int, chunk_of: NDArray[np.int64], entry: int, chunk: int) -> bool:
        """Whether any m items of a chunk still fit k people or none when an item joins it."""
        order = np.append(np.flatnonzero(chunk_of == chunk), entry)
        return bool(together(self._within(cluster), order, self.k, self.m)[entry])

    def refined(
        self, chunk_of: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
        """Return the chunks when clusters share some of terms, and the clusters of each chunk.

        Each term, the commonest first, gets chunks over as few clusters as hold it k times, and
        takes along what else these have among their terms and nowhere else. A cluster that needs a
        term keeps its rarest.
        """
        entries = self.entries
        total = np.zeros(len(entries.folded.sets.vocabulary), dtype=np.int64)
        np.add.at(total, entries.item[chunk_of == TERM], entries.support[chunk_of == TERM])
        # what became a term for another reason than being rare stays one
        free = (chunk_of == TERM) & (entries.support < self.k)
        free[self._rarest(chunk_of, total)] = False
        queue = np.argsort(-total, kind="stable")
        chunk, ends, over = shared_chunks(self._arrays, free, queue, self.k, self.m)
        joined = [over[first:last] for first, last in pairwise(ends.tolist())]
        return np.where(chunk < 0, chunk_of, -2 - chunk), joined

    def _rarest(self, chunk_of: NDArray[np.int64], total: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rarest term of each cluster that needs one."""
        entries = self.entries
        terms = np.flatnonzero(chunk_of == TERM)
        order = terms[np.lexsort((entries.item[terms], total[entries.item[terms]]))]
        cluster, first = np.unique(entries.cluster[order], return_index=True)
        return order[first[self.short(chunk_of)[cluster]]]

    def _within(self, cluster: int) -> Rows:
        """Return the sets of a cluster, over the items that it has."""
        entries = self.entries
        folded = entries.folded.take(np.arange(*entries.sets[cluster : cluster + 2]))
        items = entries.item[slice(*entries.starts[cluster : cluster + 2])]
        local_items = np.searchsorted(items, folded.sets.items).astype(np.int32)
        sets = Itemsets(folded.sets.offsets, local_items, tuple(map(str, items.tolist())))
        return rows_of(ItemsetHistogram(sets, folded.counts))


def _follows(support: NDArray[np.int64], people: int, limit: Fraction) -> bool:
    """Whether one of two items follows too surely from the other, which fewer people hold."""
    return bool(int(support.sum()) - people > limit * int(support[1]))
