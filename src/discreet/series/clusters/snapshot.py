"""Publishing clusters by a plan that looks at no release before."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.exact import at_least_one
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.rng import Rng, secure
from discreet.series.clusters.plan import ClusterPlan, ClusterRows, published
from discreet.series.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Clusters of the public order, each release by itself."""

    called: ClassVar[str]
    """The method's name in the catalog."""

    cluster_size: Annotated[int, Doc("Least number of people in a cluster.")] = 10

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(cluster_size=self.cluster_size)

    @property
    @abstractmethod
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What each cluster promises."""

    def statistics(self, data: Transactions, rng: Rng) -> Corpus:
        """Return each pair of a non-private set and private terms once, with its people."""
        return Corpus.folded_of(data)

    @abstractmethod
    def decide(self, statistics: Corpus, rng: Rng) -> ClusterPlan:
        """Plan the clusters, and what they show, from folded people."""

    def apply(self, plan: ClusterPlan, data: Transactions) -> ClusterRows:
        """Return the rows that these records become, all of them or any slice."""
        return plan.apply(data)

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Clusters]:
        """Publish the clusters of the plan."""
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        plan = self.decide(self.statistics(data, rng), rng)
        content, rows = published(self.apply(plan, data), data.ids)
        release = Release(content, *self.claims(plan, data, rng))
        return Publication(release, LinkageKey({"rows": rows}))

    def claims(
        self, plan: ClusterPlan, data: Transactions, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made."""
        return self.guarantees, manifest_of(self, self.called, rng)
