"""Clusters that follow those of earlier releases, so that comparing them tells little."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.series.clusters.public_order import runs
from discreet.series.corpus import Corpus
from discreet.series.evidence.overlaps import components, overlaps
from discreet.series.republishing.past import Past


def followed(
    corpus: Corpus,
    number: NDArray[np.int64],
    past: Sequence[Past],
    size: int,
    fill: tuple[Fraction, Fraction] | None = None,
) -> NDArray[np.int64]:
    """Return the cluster of each distinct set of the corpus.

    Sets that were published before stay with those they were published with; ``number`` is each
    distinct set's number in the series. Groups that have become small are filled up with new sets
    that are near in the public order, and the other new sets form clusters of their own. With
    ``fill``, the factor of the series and the share of a bound that clusters use, groups in which
    an earlier cluster would be seen nearly alone are filled up too: fewer counterfeits must do it.
    All of this is known to everyone.
    """
    count = int(max([number.max(initial=-1), *(p.kind.max(initial=-1) for p in past)])) + 1
    homes = components([p.kind for p in past], [p.content.cluster for p in past], count)
    home = homes[number]
    cluster = np.full(len(number), -1, dtype=np.int64)
    old = np.flatnonzero(home >= 0)
    names, cluster[old] = np.unique(home[old], return_inverse=True)
    groups = len(names)
    people = np.bincount(cluster[old], weights=corpus.counts[old], minlength=groups).astype(int)
    lacks = np.maximum(size - people, 0)
    if fill is not None:
        lacks = np.maximum(lacks, _exposed(cluster, number, corpus.counts, past, *fill))
    rank = np.empty(len(number), dtype=np.int64)
    rank[corpus.order] = np.arange(len(number))
    _fill(cluster, rank, corpus.counts, lacks)
    new = np.flatnonzero(cluster < 0)
    new = new[np.argsort(rank[new])]
    if corpus.counts[new].sum() < size and groups:
        # too few for clusters of their own: one each to the groups nearest in the order
        cluster[new] = _nearest(cluster, rank, new)
    else:
        cluster[new] = groups + runs(corpus.counts[new], size)
    return cluster


def _exposed(
    cluster: NDArray[np.int64],
    number: NDArray[np.int64],
    counts: NDArray[np.int64],
    past: Sequence[Past],
    factor: Fraction,
    share: Fraction,
) -> NDArray[np.int64]:
    """Return for each group how many more must be with the sets of an earlier cluster.

    With as many others as the earlier cluster shows copies of a term, or as it has lost members,
    the new cluster limits what they share no more than the earlier one did.
    """
    old = np.flatnonzero(cluster >= 0)
    lacks = np.zeros(int(cluster.max(initial=-1)) + 1, dtype=np.int64)
    people = np.bincount(cluster[old], weights=counts[old], minlength=len(lacks)).astype(int)
    kind = np.repeat(number[old], counts[old]), np.repeat(cluster[old], counts[old])
    for index, earlier in enumerate(past):
        over = overlaps(kind, (earlier.kind, earlier.content.cluster), index, earlier.content.size)
        copies = earlier.most_copies(factor)[over.old]
        others = np.minimum(copies, over.old_size - over.shared)
        np.maximum.at(lacks, over.new, others - (people[over.new] - over.shared))
        room = np.minimum(earlier.least_size(factor, share)[over.old], over.old_size)
        np.maximum.at(lacks, over.new, room - people[over.new])
    return lacks


def _fill(
    cluster: NDArray[np.int64],
    rank: NDArray[np.int64],
    counts: NDArray[np.int64],
    lacks: NDArray[np.int64],
) -> None:
    """Give new sets to the groups that lack some, both in the public order."""
    groups = len(lacks)
    old = np.flatnonzero(cluster >= 0)
    first_rank = np.full(groups, len(rank), dtype=np.int64)
    np.minimum.at(first_rank, cluster[old], rank[old])
    small = np.flatnonzero(lacks > 0)
    small = small[np.argsort(first_rank[small])]
    free = np.flatnonzero((cluster < 0) & (counts <= lacks.max(initial=0)))
    free = free[np.argsort(rank[free])]
    # the sets that fill the gaps one after the other: each goes where its first member falls
    gaps, filled = np.cumsum(lacks[small]), np.cumsum(counts[free]) - counts[free]
    target = np.searchsorted(gaps, filled, side="right")
    taken = target < len(small)
    cluster[free[taken]] = small[target[taken]]


def _nearest(
    cluster: NDArray[np.int64], rank: NDArray[np.int64], new: NDArray[np.int64]
) -> NDArray[np.int64]:
    old = np.flatnonzero(cluster >= 0)
    old = old[np.argsort(rank[old])]
    position = np.clip(np.searchsorted(rank[old], rank[new]), 0, len(old) - 1)
    return cluster[old[position]]
