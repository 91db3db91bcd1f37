"""Items that probably go with items of other chunks: what most possible originals say."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Disassociated
from discreet.kernels.ragged import runs

ABOVE = 2
"""What is so many times as likely as of anybody in the release tells of a cluster."""
SAME = 1e-12
"""Shares that differ by no more are equal."""


class Likely(NamedTuple):
    """Of the people of a cluster with one item, probably so many hold another one as well."""

    cluster: int
    """The cluster."""
    known: int
    """The item that is known."""
    inferred: int
    """The item of another chunk that follows."""
    share: float
    """The mean share of the people who hold it, over originals drawn at random."""
    prior: float
    """The same of all people of the release."""
    people: int
    """How many hold the known one, on average over such originals; at least one."""


class _Entries(NamedTuple):
    """Each item that somebody of a cluster could hold, by cluster."""

    cluster: NDArray[np.int64]
    """The cluster, ascending."""
    chunk: NDArray[np.int64]
    """The chunk of the item there; below 0 for a term."""
    item: NDArray[np.int64]
    """The item."""
    share: NDArray[np.float64]
    """The mean share of the people of the cluster who hold it."""


def likely(content: Disassociated, least: Fraction) -> Iterator[Likely]:
    """Yield what most probably follows from each item, at least with a confidence of ``least``.

    In an original drawn at random each sub-record is that of any of the people of its clusters, so
    of items of different chunks one says nothing about the other. Of what is ``ABOVE`` times as
    likely as of anybody the item that gains most follows.
    """
    entries = _entries(content)
    people = content.people[entries.cluster]
    holders = np.bincount(entries.item, people * entries.share, len(content.universe))
    prior = holders[entries.item] / max(1, len(content))
    telling = entries.share >= np.maximum(float(least), ABOVE * prior) - SAME
    gain = np.where(telling, entries.share - prior, 0.0)
    cuts = np.searchsorted(entries.cluster, np.arange(content.count + 1))
    for cluster in np.unique(entries.cluster[telling]).tolist():
        span = slice(cuts[cluster], cuts[cluster + 1])
        best = _best_of_others(entries.chunk[span], gain[span])
        for known, inferred in enumerate(best.tolist()):
            if inferred >= 0:
                at, other = cuts[cluster] + known, cuts[cluster] + inferred
                yield Likely(
                    cluster,
                    int(entries.item[at]),
                    int(entries.item[other]),
                    float(entries.share[other]),
                    float(prior[other]),
                    max(1, round(float(people[at] * entries.share[at]))),
                )


def _best_of_others(chunk: NDArray[np.int64], gain: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return for each entry of a cluster the one of another chunk that gains most, -1 for none."""
    order = np.argsort(-gain, kind="stable")
    first = int(order[0])
    others = order[chunk[order] != chunk[first]]
    best = np.full(len(chunk), first)
    best[chunk == chunk[first]] = others[0] if len(others) else first
    best[(gain[best] <= 0) | (chunk == chunk[best])] = -1
    return best


def _entries(content: Disassociated) -> _Entries:
    """Return the items of all clusters by cluster; each term is one person's."""
    terms = content.terms
    alone = -1 - np.arange(len(terms.items))
    cluster, chunk, item = [terms.rows], [alone], [terms.items.astype(np.int64)]
    share = [1 / content.people[terms.rows]]
    first = 0
    for chunks in (content.chunks, content.shared):
        of, items, count = chunks.supports
        over, clusters = chunks.places
        room = np.bincount(over, content.people[clusters], len(chunks))
        starts = np.searchsorted(of, np.arange(len(chunks) + 1))
        sizes = np.diff(starts)[over]
        each = runs(starts[over], sizes)
        cluster.append(np.repeat(clusters, sizes))
        chunk.append(first + of[each])
        item.append(items[each])
        share.append((count / room[of])[each])
        first += len(chunks)
    every = np.concatenate(cluster)
    order = np.argsort(every, kind="stable")
    return _Entries(
        every[order],
        np.concatenate(chunk)[order],
        np.concatenate(item)[order],
        np.concatenate(share)[order],
    )
