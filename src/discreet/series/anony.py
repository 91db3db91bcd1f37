"""Anony: clusters that show private terms only as often as the population allows."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee, SPreserving
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.rng import Rng, secure
from discreet.series.cluster_plan import ClusterPlan, ClusterRows, published
from discreet.series.corpus import Corpus, Shown
from discreet.series.sanitising import Room, refined, sanitised

__all__ = ["Anony", "anonymised"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anony:
    """Clusters of similar people beside a bag of private terms, safe as a single release.

    Bewong, Liu, Liu, Li and Choo 2017, as told by Bewong, Liu, Liu and Li 2019, with the fixes of
    soundness note 003. Private terms that are too frequent in a cluster go into a global bag,
    and move on to clusters where they do not stand out.
    """

    r_th: Annotated[
        Exact,
        Doc(
            "How many times its population rate a private term may reach in a cluster, at least 1."
        ),
    ]
    cluster_size: Annotated[
        int,
        Doc(
            "Least number of people in a cluster; larger clusters keep more private terms in sight."
        ),
    ] = 10

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "r_th", SPreserving(r_th=self.r_th).factor)
        at_least_one(cluster_size=self.cluster_size)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No private term stands out in a cluster."""
        return (SPreserving(r_th=self.r_th),)

    def statistics(self, data: Transactions, _rng: Rng) -> Corpus:
        """Return each pair of a non-private set and private terms once, with its people."""
        return Corpus.folded_of(data)

    def decide(self, statistics: Corpus, rng: Rng) -> ClusterPlan:
        """Plan the clusters of the public order, and what they show, from folded people."""
        cluster = statistics.clustered(self.cluster_size)
        factor = SPreserving(r_th=self.r_th).factor
        shown = anonymised(statistics, cluster[statistics.kinds[0]], factor, rng)
        return ClusterPlan.of(statistics, cluster, shown, rng)

    def apply(self, plan: ClusterPlan, data: Transactions) -> ClusterRows:
        """Return the rows that these records become, all of them or any slice."""
        return plan.apply(data)

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Clusters]:
        """Publish the clusters of the public order."""
        rng = rng or secure()
        plan = self.decide(self.statistics(data, rng), rng)
        content, rows = published(self.apply(plan, data), data.ids)
        release = Release(content, *self.claims(plan, data, rng))
        return Publication(release, LinkageKey({"rows": rows}))

    def claims(
        self, plan: ClusterPlan, data: Transactions, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made."""
        return self.guarantees, manifest_of(self, "anony", rng)


def anonymised(corpus: Corpus, cluster: NDArray[np.int64], factor: Fraction, rng: Rng) -> Shown:
    """Segregate, sanitise and refine: return what each cluster shows, and the bag."""
    held = corpus.held(cluster)
    size = corpus.sizes(cluster)
    order = rng.permutation(len(size))
    bag = np.zeros(len(corpus.terms), dtype=np.int64)
    copies = {}
    for term in range(len(corpus.terms)):
        true = held.of(term)
        room = Room(size, int(true.sum()), factor)
        shown, bag[term] = refined(*sanitised(true, room), room, order)
        if shown.any():
            copies[term] = shown
    return Shown(copies, bag, corpus.people, np.zeros(len(size), dtype=np.int64))
