"""What of a release's global bag falls to each of its clusters, in whole copies."""

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.series.clusters.sanitising import rounded_shares

Whole = NDArray[np.int64]


def bag_shares(one: Clusters) -> tuple[Whole, Whole]:
    """Return cluster x terms + term, and the whole copies of the bag that fall to the cluster.

    A cluster's share of the bag goes by its size without declared counterfeits, rounded half up.
    """
    people = one.size - one.counterfeits
    keys, shares = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for term in np.flatnonzero(one.bag).tolist():
        share = rounded_shares(people, int(one.bag[term]))
        there = np.flatnonzero(share)
        keys.append(there * len(one.terms) + term)
        shares.append(share[there])
    return np.concatenate(keys), np.concatenate(shares)
