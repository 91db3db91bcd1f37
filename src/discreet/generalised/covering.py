"""Items that follow from items of other chunks: what pigeonholes say of a disassociated release."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from discreet.core.disassociated import Chunks, Disassociated


class Link(NamedTuple):
    """Of the people in some clusters with one item, so many hold another one as well."""

    clusters: tuple[int, ...]
    """The clusters."""
    known: int
    """The item that is known."""
    inferred: int
    """The item that follows."""
    both: int
    """How many hold both at least."""
    people: int
    """How many hold the known one; of a term, one."""
    shared: tuple[int, ...]
    """The shared chunks that say so."""


class Covering:
    """What a release says of single items, chunk by chunk."""

    def __init__(self, content: Disassociated) -> None:
        self.content = content
        self.own, self.shared = _supports(content.chunks), _supports(content.shared)

    @cached_property
    def chunks_of(self) -> tuple[list[list[int]], list[list[int]]]:
        """The record chunks and the shared chunks over each cluster."""
        count = self.content.count
        return _by_cluster(self.content.chunks, count), _by_cluster(self.content.shared, count)

    def links(self, limit: Fraction) -> Iterator[Link]:
        """Return each item that follows from another with a confidence of ``limit`` or more."""
        own, shared = self.content.chunks, self.content.shared
        for chunk, supports in enumerate(self.own):
            yield from self._from(_over(own, chunk), supports, (), limit)
        for chunk, supports in enumerate(self.shared):
            yield from self._from(_over(shared, chunk), supports, (chunk,), limit)
        for cluster in np.flatnonzero(self.content.terms.sizes).tolist():
            terms = self.content.terms
            own_terms = terms.items[terms.offsets[cluster] : terms.offsets[cluster + 1]].tolist()
            for term in own_terms:
                yield from self._from((cluster,), {term: 1}, (), limit)

    def _from(
        self,
        clusters: tuple[int, ...],
        supports: dict[int, int],
        chunk: tuple[int, ...],
        limit: Fraction,
    ) -> Iterator[Link]:
        """Return what follows from the items of one chunk: all but ``missing`` hold it too."""
        people = int(self.content.people[list(clusters)].sum())
        most = max(supports.values(), default=0)
        least = {
            item: (count, by)
            for item, (count, by) in self.least(clusters).items()
            if item not in supports and count - (people - most) >= limit * most
        }
        for known, support in supports.items() if least else ():
            for inferred, (count, by) in least.items():
                both = count - (people - support)
                if both >= limit * support:
                    yield Link(clusters, known, inferred, both, support, (*chunk, *by))

    def least(self, clusters: tuple[int, ...]) -> dict[int, tuple[int, tuple[int, ...]]]:
        """Return how many people of clusters hold each item at least, and by what shared chunks."""
        bounds: dict[int, tuple[int, tuple[int, ...]]] = {}
        for item, count, by in (*self._in_own(clusters), *self._in_shared(clusters)):
            before, others = bounds.get(item, (0, ()))
            bounds[item] = before + count, (*others, *by)
        return bounds

    def _in_own(self, clusters: tuple[int, ...]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        terms = self.content.terms
        for each in clusters:
            for item in terms.items[terms.offsets[each] : terms.offsets[each + 1]].tolist():
                yield item, 1, ()
            for chunk in self.chunks_of[0][each]:
                yield from ((item, count, ()) for item, count in self.own[chunk].items())

    def _in_shared(self, clusters: tuple[int, ...]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Return what more people hold than there are in other clusters of a shared chunk."""
        for chunk in sorted({chunk for each in clusters for chunk in self.chunks_of[1][each]}):
            others = sorted(set(_over(self.content.shared, chunk)).difference(clusters))
            elsewhere = int(self.content.people[others].sum())
            for item, count in self.shared[chunk].items():
                if count > elsewhere:
                    yield item, count - elsewhere, (chunk,)


def _over(chunks: Chunks, chunk: int) -> tuple[int, ...]:
    over = chunks.clusters
    return tuple(over.items[over.offsets[chunk] : over.offsets[chunk + 1]].tolist())


def _supports(chunks: Chunks) -> list[dict[int, int]]:
    """Return for each chunk its items with the number of their sub-records."""
    supports: list[dict[int, int]] = [{} for _ in range(len(chunks))]
    for chunk, item, count in np.column_stack(chunks.supports).tolist():
        supports[chunk][item] = count
    return supports


def _by_cluster(chunks: Chunks, count: int) -> list[list[int]]:
    chunks_of: list[list[int]] = [[] for _ in range(count)]
    for chunk, cluster in np.column_stack(chunks.places).tolist():
        chunks_of[cluster].append(chunk)
    return chunks_of
