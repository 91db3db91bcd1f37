"""Items into record chunks, term chunks and chunks that clusters share."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.generalised.constraint_search import rows_of
from discreet.generalised.kernels.blocks import Rows
from discreet.generalised.kernels.chunks import Clustered, own_chunks, shared_chunks, together
from discreet.generalised.separation import TERM, Entries

__all__ = ["Chunking"]


@dataclass(frozen=True, eq=False)
class Chunking:
    """Clusters whose items get a place."""

    entries: Entries
    """The items of each cluster."""
    k: int
    """Sub-records that any known items of one chunk must fit."""
    m: int
    """Items known at most."""

    def vertical(self) -> NDArray[np.int64]:
        """Return the place of each entry: record chunks of the cluster, or its term chunk.

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

    def with_terms(self, place: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places with a term in each cluster whose people would be too few for k others.

        Everybody holds something. Without terms that is a sub-record, so where k people take one of
        each of some chunks, the others need what is left: else the rarest item becomes a term.
        """
        entries, place = self.entries, place.copy()
        short = np.flatnonzero(self.short(place))
        for cluster in short[entries.starts[short] < entries.starts[short + 1]].tolist():
            here = np.arange(entries.starts[cluster], entries.starts[cluster + 1])
            if not (place[here] == TERM).any():
                place[here[np.argmin(entries.support[here])]] = TERM
        return self._renumbered(place)

    def _renumbered(self, place: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places with the chunks of each cluster numbered without gaps."""
        own = place >= 0
        width = int(place.max(initial=0)) + 1
        codes, which = np.unique(
            self.entries.cluster[own] * width + place[own], return_inverse=True
        )
        first = np.searchsorted(codes // width, codes // width)
        place = place.copy()
        place[own] = (np.arange(len(codes)) - first)[which]
        return place

    def short(self, place: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which clusters have too few sub-records for people to hold nothing else."""
        entries = self.entries
        chunks = np.zeros(entries.count, dtype=np.int64)
        np.maximum.at(chunks, entries.cluster, place + 1)
        sets, counts = entries.folded.sets, entries.folded.counts
        here = place[entries.codes[1]]
        parts = np.unique(np.stack([sets.rows, here])[:, here >= 0], axis=1)[0]
        total = np.zeros(entries.count, dtype=np.int64)
        np.add.at(total, entries.cluster_of_set[parts], counts[parts])
        needed = self.k * (np.minimum(chunks, self.m) - 1)
        short: NDArray[np.bool_] = (chunks == 0) | (total - entries.people < needed)
        return short

    def uncovered(self, place: NDArray[np.int64], limit: Fraction) -> NDArray[np.int64]:
        """Return the places when no item follows too surely from one of another chunk.

        Where s people hold an item and t one of another chunk, at least s + t - n of n hold both.
        The commoner of the two moves to the other's chunk, or else to the term chunk.
        """
        before = np.full_like(place, TERM - 1)
        while not np.array_equal(place, before):
            before, place = place, place.copy()
            for cluster in range(self.entries.count):
                here = slice(*self.entries.starts[cluster : cluster + 2])
                self._uncover(cluster, place[here], self.entries.support[here], limit)
            place = self.with_terms(place)
        return place

    def _uncover(
        self, cluster: int, place: NDArray[np.int64], support: NDArray[np.int64], limit: Fraction
    ) -> None:
        people = int(self.entries.people[cluster])
        moved: set[int] = set()
        while True:
            tops = [
                int(np.flatnonzero(place == chunk)[np.argmax(support[place == chunk])])
                for chunk in np.unique(place[place >= 0]).tolist()
            ]
            tops.sort(key=lambda entry: -support[entry])
            if not tops:
                return
            first, second = tops[0], tops[1] if len(tops) > 1 else None
            if limit < 1 and support[first] == people and (place == TERM).any():
                place[first] = TERM
            elif second is None or not _follows(support[[first, second]], people, limit):
                return
            elif first not in moved and self._joins(cluster, place, first, int(place[second])):
                moved.add(first)
                place[first] = place[second]
            else:
                place[first] = TERM

    def _joins(self, cluster: int, place: NDArray[np.int64], entry: int, chunk: int) -> bool:
        """Whether any m items of a chunk still fit k people or none when an item joins it."""
        order = np.append(np.flatnonzero(place == chunk), entry)
        return bool(together(self._within(cluster), order, self.k, self.m)[entry])

    def refined(
        self, place: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
        """Return the places when clusters share chunks of terms, and the clusters of each chunk.

        Each term, the commonest first, gets chunks over as few clusters as hold it k times, and
        takes along what else these have among their terms and nowhere else. A cluster that needs a
        term keeps its rarest.
        """
        entries = self.entries
        total = np.zeros(len(entries.folded.sets.vocabulary), dtype=np.int64)
        np.add.at(total, entries.item[place == TERM], entries.support[place == TERM])
        # what became a term for another reason than being rare stays one
        free = (place == TERM) & (entries.support < self.k)
        free[self._kept(place, total)] = False
        queue = np.argsort(-total, kind="stable")
        chunk, ends, over = shared_chunks(self._arrays, free, queue, self.k, self.m)
        joined = [over[first:last] for first, last in pairwise(ends.tolist())]
        return np.where(chunk < 0, place, -2 - chunk), joined

    def _kept(self, place: NDArray[np.int64], total: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rarest term of each cluster that needs one."""
        entries = self.entries
        terms = np.flatnonzero(place == TERM)
        order = terms[np.lexsort((entries.item[terms], total[entries.item[terms]]))]
        cluster, first = np.unique(entries.cluster[order], return_index=True)
        return order[first[self.short(place)[cluster]]]

    def _within(self, cluster: int) -> Rows:
        """Return the sets of a cluster, over the items that it has."""
        entries = self.entries
        folded = entries.folded.take(np.arange(*entries.sets[cluster : cluster + 2]))
        items = entries.item[slice(*entries.starts[cluster : cluster + 2])]
        held = np.searchsorted(items, folded.sets.items).astype(np.int32)
        sets = Itemsets(folded.sets.offsets, held, tuple(map(str, items.tolist())))
        return rows_of(ItemsetHistogram(sets, folded.counts))


def _follows(support: NDArray[np.int64], people: int, limit: Fraction) -> bool:
    """Whether one of two items follows too surely from the other, which fewer people hold."""
    return bool(int(support.sum()) - people > limit * int(support[1]))
