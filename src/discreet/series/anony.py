"""Anony: clusters that show private terms only as often as the population allows."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.guarantee import Guarantee, SPreserving
from discreet.rng import Rng
from discreet.series.clusters.plan import ClusterPlan
from discreet.series.clusters.sanitising import Room, refined, sanitised
from discreet.series.clusters.snapshot import Snapshot
from discreet.series.corpus import Corpus, Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Anony(Snapshot):
    """Clusters of similar people and a bag of private terms, safe as a single release.

    Bewong, Liu, Liu, Li and Choo 2017, as described by Bewong, Liu, Liu and Li 2019, with the fixes
    of soundness note 003. Private terms that are too frequent in a cluster go into a global bag,
    and from there to clusters where they do not stand out.
    """

    called: ClassVar[str] = "anony"

    r_th: Annotated[
        Exact,
        Doc(
            "How many times its population rate a private term may reach in a cluster; at least 1."
        ),
    ]

    def __post_init__(self) -> None:
        Snapshot.__post_init__(self)
        object.__setattr__(self, "r_th", SPreserving(r_th=self.r_th).factor)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No private term stands out in a cluster."""
        return (SPreserving(r_th=self.r_th),)

    def decide(self, statistics: Corpus, rng: Rng) -> ClusterPlan:
        """Plan the clusters of the public order, and what they show, from folded people."""
        cluster = statistics.clustered(self.cluster_size)
        factor = SPreserving(r_th=self.r_th).factor
        shown = anonymised(statistics, cluster[statistics.kinds[0]], factor, rng)
        return ClusterPlan.of(statistics, cluster, shown, rng)


def anonymised(corpus: Corpus, cluster: NDArray[np.int64], factor: Fraction, rng: Rng) -> Shown:
    """Segregate, sanitise and refine: return what each cluster shows, and the bag."""
    by_cluster = corpus.copies_in(cluster)
    size = corpus.sizes(cluster)
    order = rng.permutation(len(size))
    bag = np.zeros(len(corpus.terms), dtype=np.int64)
    copies = {}
    for term in range(len(corpus.terms)):
        true = by_cluster.of(term)
        room = Room(size, int(true.sum()), factor)
        shown, bag[term] = refined(*sanitised(true, room), room, order)
        if shown.any():
            copies[term] = shown
    return Shown(copies, bag, corpus.people, np.zeros(len(size), dtype=np.int64))
