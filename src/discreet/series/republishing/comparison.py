"""A new corpus in clusters beside the releases before it: what stays while it is drafted."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.rng import Rng
from discreet.series.corpus import Corpus
from discreet.series.evidence.overlaps import Overlaps, overlaps
from discreet.series.republishing.earlier_clusters import EarlierClusters, whole_cells
from discreet.series.republishing.past import Past
from discreet.series.republishing.posterior import Cell

Ints: TypeAlias = NDArray[np.int64]

_EMPTY = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A corpus in clusters, and all earlier releases."""

    corpus: Corpus
    cluster: Ints
    """The cluster of each record."""
    kind: Ints
    """The number of each record's set in the series."""
    past: Sequence[Past]
    factor: Fraction
    """How many times its rate a posterior may reach."""

    @cached_property
    def real(self) -> Ints:
        """How many records each cluster has."""
        return np.bincount(self.cluster).astype(np.int64)

    @cached_property
    def records(self) -> list[Ints]:
        """The records of each cluster."""
        order = np.argsort(self.cluster, kind="stable")
        return np.split(order, np.cumsum(self.real)[:-1])

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """Whether each record's set stands in an earlier release."""
        return np.isin(self.kind, np.concatenate([past.kind for past in self.past]))

    def imitated(self, number: int, rng: Rng) -> Ints:
        """Return records to draw so many counterfeits after.

        As many as among people have a set that several people have, of those sets that no earlier
        release has more often; the others have a set of their own. No counterfeit can have a set
        of its own that was seen before, so half of their share goes to the former.
        """
        count = np.bincount(self.kind)
        before = np.zeros_like(count)
        for past in self.past:
            before = np.maximum(before, np.bincount(past.kind, minlength=len(count))[: len(count)])
        alone = count == 1
        pools = [
            np.flatnonzero(fitting[self.kind]) for fitting in (~alone & (count >= before), alone)
        ]
        pools = [pool if len(pool) else np.arange(len(self.kind)) for pool in pools]
        known = int((alone & (before > 0)).sum())
        shared = len(self.kind) - int(alone.sum()) + known // 2
        several = int((rng.integers(len(self.kind), number) < shared).sum())
        draws = zip(pools, (several, number - several), strict=True)
        return np.concatenate([pool[rng.integers(len(pool), size)] for pool, size in draws])

    @cached_property
    def over(self) -> Overlaps:
        """The overlaps of its clusters with those of every earlier release."""
        return Overlaps.joined(
            [
                overlaps((self.kind, self.cluster), (p.kind, p.content.cluster), i, p.content.size)
                for i, p in enumerate(self.past)
            ]
        )

    @cached_property
    def whole(self) -> Overlaps:
        """The overlaps of the corpus as a whole with every earlier one."""
        one = np.zeros(len(self.kind), dtype=np.int64)
        return Overlaps.joined(
            [
                overlaps(
                    (self.kind, one), (p.kind, np.zeros_like(p.kind)), i, np.array([len(p.kind)])
                )
                for i, p in enumerate(self.past)
            ]
        )

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The records by the earlier corpora that hold their sets."""
        return whole_cells([*(past.kind for past in self.past), self.kind], len(self.past))

    @cached_property
    def earlier(self) -> EarlierClusters:
        """The clusters of earlier releases, and what these tell of them."""
        return EarlierClusters(self.past, self.kind, self.cluster, self.factor)

    def old_copies(self, term: int) -> Ints:
        """Return for each overlap the copies in the earlier cluster."""
        name = self.corpus.terms[term]
        by_release = zip(self.past, self._overlapped, strict=True)
        copies = (past.copies(name)[clusters] for past, clusters in by_release)
        return np.concatenate([_EMPTY, *copies])

    @cached_property
    def _overlapped(self) -> list[Ints]:
        """For each earlier release the cluster of every overlap, which stand release by release."""
        ends = np.searchsorted(self.over.release, np.arange(1, len(self.past)))
        return np.split(self.over.old, ends) if self.past else []

    @cached_property
    def old_totals(self) -> Ints:
        """For each term and overlap of whole corpora the copies in the earlier one."""
        totals = [self.past[release].totals for release in self.whole.release]
        copies = [[total.get(name, 0) for total in totals] for name in self.corpus.terms]
        return np.array(copies, dtype=np.int64).reshape(len(self.corpus.terms), len(totals))

    def old_rates(self, term: int) -> list[Fraction]:
        """Return the rate of a term in each earlier release, 0 where it was not there."""
        name = self.corpus.terms[term]
        return [past.rates.get(name, Fraction(0)) for past in self.past]

    @cached_property
    def harmless_before(self) -> list[bool]:
        """For each term whether no posterior can be above its bound in an earlier release."""
        return [
            all(self.factor * rate >= 1 for rate in self.old_rates(term) if rate)
            for term in range(len(self.corpus.terms))
        ]

    def shown_before(self, term: int) -> bool:
        """Whether a cluster of an earlier release counts copies of the term."""
        return any(past.shows(self.corpus.terms[term]) for past in self.past)
