"""Items that follow from items of other chunks: what pigeonholes say of a disassociated release."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import NamedTuple, TypeAlias

import numpy as np

from discreet.core.disassociated import Chunks, Disassociated

Bound: TypeAlias = tuple[int, tuple[int, ...]]
"""How many people hold an item at least, and the shared chunks that say so."""


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
        own = self.content.chunks
        for chunk, supports in enumerate(self.own):
            yield from self._from(tuple(own.over(chunk).tolist()), supports, (), limit)
        for chunk, supports in enumerate(self.shared):
            yield from self._from(self._over[chunk], supports, (chunk,), limit)
        for cluster in np.flatnonzero(self.content.terms.sizes).tolist():
            sure = self._sure((cluster,), 1, limit)
            for term in self._terms_of(cluster) if sure else ():
                others = {item: bound for item, bound in sure.items() if item != term}
                yield from self._linked((cluster,), {term: 1}, others, (), limit)

    def _from(
        self,
        clusters: tuple[int, ...],
        supports: dict[int, int],
        chunk: tuple[int, ...],
        limit: Fraction,
    ) -> Iterator[Link]:
        """Return what follows from the items of one chunk."""
        sure = self._sure(clusters, max(supports.values(), default=0), limit)
        others = {item: bound for item, bound in sure.items() if item not in supports}
        yield from self._linked(clusters, supports, others, chunk, limit)

    def _linked(
        self,
        clusters: tuple[int, ...],
        supports: dict[int, int],
        others: dict[int, Bound],
        chunk: tuple[int, ...],
        limit: Fraction,
    ) -> Iterator[Link]:
        """Return which of some items follow: all people but those who are missing hold them too."""
        people = self._total(clusters)
        for known, support in supports.items() if others else ():
            for inferred, (count, by) in others.items():
                both = count - (people - support)
                if both >= limit * support:
                    yield Link(clusters, known, inferred, both, support, (*chunk, *by))

    def _sure(self, clusters: tuple[int, ...], most: int, limit: Fraction) -> dict[int, Bound]:
        """Return the items that can follow from one that ``most`` people of clusters hold.

        So many of the others are without it at most; of the people of any one cluster, too.
        """
        missing = floor(most - limit * most)
        widest = max(clusters, key=self._people.__getitem__)
        if self._people[widest] <= missing:
            bounds = self.least(clusters)
        else:
            some = self._nearly_everybodys(widest, clusters, missing)
            bounds = {item: self._bound(item, clusters) for item in some}
        least = self._total(clusters) - missing
        return {item: bound for item, bound in bounds.items() if bound[0] >= least}

    def _nearly_everybodys(
        self, cluster: int, clusters: tuple[int, ...], missing: int
    ) -> Iterator[int]:
        """Return the items that nearly all people of a cluster hold, or that a shared chunk adds.

        Each once, for it has one place in the cluster.
        """
        least = self._people[cluster] - missing
        if least <= 1:
            yield from self._terms_of(cluster)
        for chunk in self.chunks_of[0][cluster]:
            yield from (item for item, count in self.own[chunk].items() if count >= least)
        shared = self._shared_over[cluster]
        beside = (shared & self._shared_over[each] for each in clusters if each != cluster)
        for chunk in sorted(self._telling[cluster].union(*beside)):
            elsewhere = self._elsewhere(chunk, clusters)
            yield from (item for item, count in self.shared[chunk].items() if count > elsewhere)

    def _bound(self, item: int, clusters: tuple[int, ...]) -> Bound:
        """Return how many people of clusters hold an item at least, and by what shared chunks."""
        total, by = 0, set[int]()
        for each in clusters:
            own = (self.own[chunk].get(item, 0) for chunk in self.chunks_of[0][each])
            total += sum(own) or item in self._terms_of(each)
            by |= self._shared_over[each] & self._shared_with.get(item, set())
        beyond = {
            chunk: self.shared[chunk][item] - self._elsewhere(chunk, clusters) for chunk in by
        }
        telling = sorted(chunk for chunk, count in beyond.items() if count > 0)
        return total + sum(beyond[chunk] for chunk in telling), tuple(telling)

    @cached_property
    def _people(self) -> list[int]:
        """How many people are in each cluster."""
        people: list[int] = self.content.people.tolist()
        return people

    def _total(self, clusters: tuple[int, ...]) -> int:
        return sum(self._people[each] for each in clusters)

    def _terms_of(self, cluster: int) -> list[int]:
        terms = self.content.terms
        own: list[int] = terms.items[terms.offsets[cluster] : terms.offsets[cluster + 1]].tolist()
        return own

    @cached_property
    def _over(self) -> list[tuple[int, ...]]:
        """The clusters of each shared chunk."""
        return [
            tuple(self.content.shared.over(chunk).tolist()) for chunk in range(len(self.shared))
        ]

    def _elsewhere(self, chunk: int, clusters: tuple[int, ...]) -> int:
        """Return how many people are in the other clusters of a shared chunk."""
        return sum(self._people[each] for each in self._over[chunk] if each not in clusters)

    @cached_property
    def _shared_over(self) -> list[set[int]]:
        """The shared chunks over each cluster."""
        return list(map(set, self.chunks_of[1]))

    @cached_property
    def _shared_with(self) -> dict[int, set[int]]:
        """The shared chunks of each item that is in one."""
        chunks: dict[int, set[int]] = {}
        for chunk, supports in enumerate(self.shared):
            for item in supports:
                chunks.setdefault(item, set()).add(chunk)
        return chunks

    @cached_property
    def _telling(self) -> list[set[int]]:
        """Those of them by which somebody of that cluster alone must hold an item."""
        most = [max(supports.values(), default=0) for supports in self.shared]
        return [
            {chunk for chunk in chunks if most[chunk] > self._elsewhere(chunk, (cluster,))}
            for cluster, chunks in enumerate(self.chunks_of[1])
        ]

    def least(self, clusters: tuple[int, ...]) -> dict[int, Bound]:
        """Return how many people of clusters hold each item at least, and by what shared chunks."""
        bounds: dict[int, Bound] = {}
        for item, count, by in (*self._in_own(clusters), *self._in_shared(clusters)):
            before, others = bounds.get(item, (0, ()))
            bounds[item] = before + count, (*others, *by)
        return bounds

    def _in_own(self, clusters: tuple[int, ...]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        for each in clusters:
            yield from ((item, 1, ()) for item in self._terms_of(each))
            for chunk in self.chunks_of[0][each]:
                yield from ((item, count, ()) for item, count in self.own[chunk].items())

    def _in_shared(self, clusters: tuple[int, ...]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Return what more people hold than there are in other clusters of a shared chunk."""
        for chunk in sorted({chunk for each in clusters for chunk in self.chunks_of[1][each]}):
            elsewhere = self._elsewhere(chunk, clusters)
            for item, count in self.shared[chunk].items():
                if count > elsewhere:
                    yield item, count - elsewhere, (chunk,)


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
