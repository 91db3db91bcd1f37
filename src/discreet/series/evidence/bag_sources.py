"""Where copies in the global bag cannot come from: clusters that could have kept one more.

Whoever knows that a term is put into the bag only where a cluster may not hold one more copy can
exclude every cluster that could, and the copies in the bag weigh on the others. A release whose
bag was refined has no such cluster as long as copies are left, so nothing follows from it.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


class Excluded(NamedTuple):
    """What excluding clusters tells about the others."""

    cluster: Whole
    """A cluster that the copies in the bag can come from."""
    term: Whole
    """The term."""
    prior: Real
    """The term's probability in the cluster if the bag comes from everywhere."""
    posterior: Real
    """The same if the bag comes only from clusters that may not hold one more copy."""


def bag_sources(one: Clusters, r_th: Fraction) -> Excluded:
    """Return for each term in the bag the clusters that its copies must come from.

    Nothing where there are counterfeits, since these may have filled a cluster later, and nothing
    where no cluster or every cluster is excluded.
    """
    parts = []
    if not one.counterfeits.any():
        offsets, terms, copies = one.private
        owner = np.repeat(np.arange(one.count), np.diff(offsets))
        entries = np.argsort(terms, kind="stable")
        starts = np.searchsorted(terms[entries], np.arange(len(one.terms) + 1))
        sizes, size_of = np.unique(one.size, return_inverse=True)
        for term in np.flatnonzero(one.bag).tolist():
            own = entries[starts[term] : starts[term + 1]]
            shown = np.zeros(one.count, dtype=np.int64)
            shown[owner[own]] = copies[own]
            room = np.array(_room(one, term, sizes.tolist(), r_th), dtype=np.int64)
            parts.append(_sources(one, term, shown, shown + 1 > room[size_of]))
    empty = np.empty(0, dtype=np.int64)
    columns = list(zip(*parts, strict=True)) if parts else [(empty,)] * 4
    return Excluded(*(np.concatenate(column) for column in columns))


def _room(one: Clusters, term: int, sizes: list[int], r_th: Fraction) -> list[int]:
    """Return how many copies a cluster of each size may show, if one less were in the bag."""
    # a fraction over one denominator: its quotients round down exactly, and cost no reducing
    largest = r_th * one.rates[term] - Fraction(int(one.bag[term]) - 1, len(one))
    numerator, denominator = largest.numerator, largest.denominator
    return [min(size, size * numerator // denominator) for size in sizes]


def _sources(one: Clusters, term: int, shown: Whole, full: NDArray[np.bool_]) -> Excluded:
    """Return what follows if the term's copies in the bag come from the full clusters only."""
    bag = int(one.bag[term])
    clusters = np.flatnonzero(full) if not full.all() else np.empty(0, dtype=np.int64)
    # the share of the bag that falls to a person of a cluster it can come from
    share = bag / max(1, int(one.size[clusters].sum()))
    inside = shown[clusters] / one.size[clusters]
    prior = np.minimum(1.0, inside + bag / len(one))
    posterior = np.minimum(1.0, inside + share)
    return Excluded(clusters, np.full(len(clusters), term), prior, posterior)
