"""CODIP: sensitive attributes in several tables, after a given plan or the best one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from discreet.chance import Rng
from discreet.data.exact import Exact
from discreet.data.guarantee import Guarantee, KAnonymity, ProjectionPlan
from discreet.data.microdata import Microdata
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.table_guarantee import Diversity, distances_of
from discreet.data.tables import ProjectedTables
from discreet.engine.dependence import Plan
from discreet.errors import InfeasibleError
from discreet.publish.contract import manifest_of
from discreet.publish.plans import (
    Planner,
    check_thresholds,
    closeness_claim,
    diversity_of,
    partitions,
    refuse_plan,
    refuse_without_secrets,
    threshold,
)
from discreet.publish.projecting import Hierarchies, projecting

__all__ = ["Codip"]

MOST_ATTRIBUTES = 9
"""Up to so many attributes all plans are tried: 21,147 of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Codip:
    """Several tables, each sensitive attribute in one of them, after a plan or the best plan.

    Fang, Ashrafi and Ng 2011, Figure 2. Without a plan all plans are tried, which is affordable for
    up to nine attributes, and the one that loses least association is taken.
    """

    k: int
    """Least number of rows that share their quasi-identifiers, in each table."""
    t: Exact
    """Largest distance between the values in a class and in its table, from 0 to 1."""
    alpha: Exact = 1
    """Largest share of the association between attributes that may be lost, from 0 to 1."""
    beta: Exact = 1
    """Largest information exposure ratio, the threat of joins within a table, from 0 to 1."""
    plan: Plan | None = None
    """The sensitive attributes of each table, such as diagnosis,history;job."""
    n: int | None = None
    """Compare a class with a more general class of at least n rows instead: (n,t)-closeness."""
    hierarchy: Hierarchies = field(default=(), metadata={"unwritten": True})
    """A column and its public hierarchy; a column without one is kept or suppressed as a whole."""
    distance: Mapping[str, str] | None = None
    """Attributes whose values are ordered or hierarchical, such as pay=ordered; others: equal."""
    suppression_limit: Exact = 0
    """Share of rows that may be left out of a table, from 0 to 1; no more than necessary are."""
    discernibility_limit: int | None = None
    """Largest discernibility of a table; none by default."""
    diversity: Exact | None = None
    """The l of l-diversity that every class must also have; none by default."""
    diversity_kind: Diversity = "distinct"
    """Distinct values, an entropy of at least log(l), or recursive with diversity_c."""
    diversity_c: Exact | None = None
    """For recursive: the commonest value is rarer than c times the l-th and rarer ones."""

    def __post_init__(self) -> None:
        check_thresholds(self)
        _ = self.guarantees

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity and closeness of each table, disjoint tables; diversity where asked for."""
        claims = (KAnonymity(k=self.k), closeness_claim(self), ProjectionPlan())
        diversity = diversity_of(self)
        return (*claims, diversity) if diversity else claims

    def publish(self, data: Microdata, rng: Rng) -> Publication[ProjectedTables]:
        """Publish the tables of the plan."""
        refuse_without_secrets(data)
        work = projecting(
            data,
            self.hierarchy,
            k=self.k,
            suppression_limit=self.suppression_limit,
            distance=distances_of(self.distance),
        )
        bounds = (threshold(self.t), threshold(self.alpha), threshold(self.beta))
        planner = Planner(work, *bounds, self.discernibility_limit, diversity_of(self), self.n)
        plan = self._plan(planner)
        nodes = planner.nodes(plan)
        if nodes is None or planner.lossy(plan) or planner.exposed(plan):
            raise planner.refusal(plan)
        levels = [work.scores.nodes[node] for node in nodes]
        content, keep = work.tables(list(zip(levels, plan, strict=True)), rng)
        told = [dict(zip(data.qids, node, strict=True)) for node in levels]
        manifest = manifest_of(self, "codip", rng, {"levels": told})
        return Publication(Release(content, self.guarantees, manifest), keep)

    def _plan(self, planner: Planner) -> Plan:
        """Return the given plan, or the one of least association loss that will do."""
        names = planner.work.people.sensitive
        if self.plan is not None:
            refuse_plan(self.plan, names)
            return self.plan
        if len(names) > MOST_ATTRIBUTES:
            msg = (
                f"all plans can be tried for up to {MOST_ATTRIBUTES} sensitive attributes, and "
                f"there are {len(names)}; give a plan, or let codip-star find one"
            )
            raise InfeasibleError(msg)
        best: Plan = tuple((name,) for name in names)
        least = (2.0, 0)
        for plan in partitions(names):
            cost = (planner.dependence.association_loss(plan), len(plan))
            if cost < least and not planner.exposed(plan) and planner.nodes(plan) is not None:
                best, least = plan, cost
        return best
