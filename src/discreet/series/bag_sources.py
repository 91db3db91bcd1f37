"""Where copies in the global bag cannot come from: clusters that could have kept one more.

Who knows that a term is put into the bag only where a cluster may not hold one more copy can
exclude every cluster that could, and the copies in the bag weigh on the others. A release whose
bag was refined has no such cluster as long as copies are left, so nothing follows from it.
"""

from fractions import Fraction
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters

__all__ = ["Excluded", "bag_sources"]

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
        for term in np.flatnonzero(one.bag).tolist():
            held = np.zeros(one.count, dtype=np.int64)
            held[owner[terms == term]] = copies[terms == term]
            parts.append(_sources(one, term, held, r_th))
    empty = np.empty(0, dtype=np.int64)
    columns = list(zip(*parts, strict=True)) if parts else [(empty,)] * 4
    return Excluded(*(np.concatenate(column) for column in columns))


def _sources(one: Clusters, term: int, held: Whole, r_th: Fraction) -> Excluded:
    bag, everyone = int(one.bag[term]), len(one)
    sizes, kind = np.unique(one.size, return_inverse=True)
    room = [
        min(size, floor(size * (r_th * one.rates[term] - Fraction(bag - 1, everyone))))
        for size in sizes.tolist()
    ]
    full = held + 1 > np.array(room, dtype=np.int64)[kind]
    there = np.flatnonzero(full if not full.all() else np.zeros(one.count, dtype=np.bool_))
    # the share of the bag that falls to a person of a cluster it can come from
    share = bag / max(1, int(one.size[there].sum()))
    inside = held[there] / one.size[there]
    posterior = np.minimum(1.0, inside + share)
    return Excluded(
        there, np.full(len(there), term), np.minimum(1.0, inside + bag / everyone), posterior
    )
