"""Clusters of one release beside those of earlier ones: what they share, and what that demands.

The new clusters and an earlier one overlap where they share non-private sets. For every overlap
and private term the number of copies that can lie in it is limited by either cluster. As long as
the limits agree, nothing can be learnt by comparing; where they do not, counterfeits widen those
of the new cluster. The sums here are those of Bewong et al. 2019 with the corrections of
soundness note 003.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.ragged import runs
from discreet.series.kernels.connected import connected

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Pairs of clusters that share non-private sets."""

    new: Ints
    """The cluster of the new corpus."""
    release: Ints
    """The earlier release."""
    old: Ints
    """Its cluster."""
    shared: Ints
    """How many sets they share, each as often as in both."""
    known: Ints
    """How many transactions of the new cluster have a set that the earlier one holds."""
    old_size: Ints
    """How many transactions the earlier cluster has."""

    def __len__(self) -> int:
        return len(self.new)

    @classmethod
    def joined(cls, batch: "list[Overlaps]") -> "Overlaps":
        """Put overlaps with several releases together."""
        empty = np.zeros(0, dtype=np.int64)
        names = [each.name for each in fields(cls)]
        return cls(*(np.concatenate([empty, *(getattr(p, name) for p in batch)]) for name in names))

    def take(self, which: NDArray[np.bool_] | Ints) -> "Overlaps":
        """Return some of them, or all of them several times."""
        return Overlaps(*(getattr(self, each.name)[which] for each in fields(self)))


def overlaps(
    new: tuple[Ints, Ints], old: tuple[Ints, Ints], release: int, old_size: Ints
) -> Overlaps:
    """Return the overlaps of the new clusters with those of one earlier release.

    ``new`` and ``old`` are the number of each row's set, and its cluster; the sets are looked up,
    never compared pair by pair.

    >>> new = np.array([0, 0, 1]), np.array([0, 0, 1])
    >>> old = np.array([0, 0, 0, 7]), np.array([2, 2, 3, 3])
    >>> found = overlaps(new, old, release=0, old_size=np.array([0, 0, 2, 2]))
    >>> sorted(zip(found.new.tolist(), found.old.tolist(), found.shared.tolist()))
    [(0, 2, 2), (0, 3, 1)]
    """
    kind, cluster, count = _counted(*new)
    old_kind, old_cluster, old_count = _counted(*old)
    begin, end = np.searchsorted(old_kind, kind), np.searchsorted(old_kind, kind, side="right")
    times = end - begin
    mine = np.repeat(np.arange(len(kind)), times)
    theirs = runs(begin, times)
    least = np.minimum(count[mine], old_count[theirs])
    pair, index = np.unique(
        cluster[mine] * (len(old_size) + 1) + old_cluster[theirs], return_inverse=True
    )
    shared, known = (
        np.bincount(index, weights=amount, minlength=len(pair)).astype(np.int64)
        for amount in (least, count[mine])
    )
    ours, others = np.divmod(pair, len(old_size) + 1)
    releases = np.full(len(pair), release, dtype=np.int64)
    return Overlaps(ours, releases, others, shared, known, old_size[others])


def _counted(kind: Ints, cluster: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct pairs of set and cluster, by set, and how often each occurs."""
    wide = int(cluster.max(initial=0)) + 1
    pair, count = np.unique(kind * wide + cluster, return_counts=True)
    return pair // wide, pair % wide, count.astype(np.int64)


def counted_within(one: Ints, other: Ints) -> dict[int, dict[int, int]]:
    """Return for each number of one column those beside it in the other, and how often each is.

    >>> counted_within(np.array([5, 5, 6]), np.array([0, 0, 1]))
    {5: {0: 2}, 6: {1: 1}}
    """
    counts: dict[int, dict[int, int]] = {}
    for name, beside in zip(one.tolist(), other.tolist(), strict=True):
        there = counts.setdefault(name, {})
        there[beside] = there.get(beside, 0) + 1
    return counts


def times_of(kinds: Sequence[Ints]) -> Ints:
    """Return for each corpus how often each set, by its number, occurs.

    >>> times_of([np.array([0, 0, 1]), np.array([0, 2])]).tolist()
    [[2, 1, 0], [1, 0, 1]]
    """
    count = max(int(kind.max(initial=-1)) for kind in kinds) + 1
    return np.stack([np.bincount(kind, minlength=count) for kind in kinds])


def components(kinds: list[Ints], clusters: list[Ints], count: int) -> Ints:
    """Return for each of ``count`` sets which clusters of earlier releases it hangs together with.

    Two sets hang together if they ever lay in one cluster, or with a third one each. A set that
    was never published is -1.
    """
    if not kinds:
        return np.full(count, -1, dtype=np.int64)
    sizes = [int(cluster.max(initial=-1)) + 1 for cluster in clusters]
    starts = count + np.concatenate([[0], np.cumsum(sizes)])
    ends = np.concatenate([c + s for c, s in zip(clusters, starts[:-1], strict=True)])
    rows = np.concatenate(kinds)
    label = connected(rows, ends, int(starts[-1]))
    seen = np.zeros(count, dtype=bool)
    seen[rows] = True
    return np.where(seen, label[:count], -1)


def range_of(size: Ints, copies: Ints, shared: Ints) -> tuple[Ints, Ints]:
    """Return the least and the most copies in an overlap, by the account of one of its clusters."""
    return np.maximum(copies - (size - shared), 0), np.minimum(shared, copies)


@dataclass(frozen=True, eq=False)
class Demand:
    """Counterfeits that the clusters need for one term, with and without it."""

    with_term: Ints
    """For each cluster the counterfeits that hold the term."""
    without: Ints
    """For each cluster the counterfeits that do not."""


def backward(over: Overlaps, size: Ints, copies: Ints, old_copies: Ints) -> Demand:
    """Return the counterfeits that keep the new clusters from telling about the earlier ones.

    ``copies`` counts those in every new cluster, ``old_copies`` those of the earlier cluster of
    every overlap. Lemma 4 of Bewong et al. 2019, never negative (003-3).
    """
    low, high = range_of(size[over.new], copies[over.new], over.shared)
    old_low, old_high = range_of(over.old_size, old_copies, over.shared)
    return _most(over, len(size), old_high - high, low - old_low)


def forward(
    over: Overlaps, size: Ints, copies: Ints, old_copies: Ints, real: Ints, declared: Ints
) -> Demand:
    """Return the counterfeits that keep derived clusters from telling about other releases.

    ``real`` counts the records of every cluster, ``declared`` the counterfeits that everyone will
    know of. Lemma 5, only where the overlap is narrower than the cluster itself shows (003-5) and
    where the rest of the cluster can be told from it: equal sets cannot (003-14).
    """
    low, high = range_of(size[over.new], copies[over.new], over.shared)
    old_low, old_high = range_of(over.old_size, old_copies, over.shared)
    least, most = np.maximum(low, old_low), np.minimum(high, old_high)
    derived = real[over.new] - over.known
    more = np.where((least > low) & (derived > 0), derived + least - copies[over.new], 0)
    fewer = np.where((most < high) & (derived > 0), copies[over.new] - most - declared[over.new], 0)
    return _most(over, len(size), more, fewer)


def _most(over: Overlaps, clusters: int, with_term: Ints, without: Ints) -> Demand:
    """Return for each cluster the largest demand of its overlaps."""
    needs = np.zeros((2, clusters), dtype=np.int64)
    for row, demand in enumerate((with_term, without)):
        where = np.flatnonzero(demand > 0)
        np.maximum.at(needs[row], over.new[where], demand[where])
    return Demand(needs[0], needs[1])
