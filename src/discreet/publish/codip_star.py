"""CODIP*: tables merged greedily as long as closeness and the threat of joins allow it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal, TypeAlias

from discreet.chance import Rng
from discreet.data.exact import Exact
from discreet.data.guarantee import Guarantee, KAnonymity, ProjectionPlan
from discreet.data.microdata import Microdata
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.table_guarantee import Diversity, distances_of
from discreet.data.tables import ProjectedTables
from discreet.engine.dependence import Plan
from discreet.publish.contract import manifest_of
from discreet.publish.plans import (
    Planner,
    check_thresholds,
    closeness_claim,
    diversity_of,
    refuse_without_secrets,
    threshold,
)
from discreet.publish.projecting import Hierarchies, projecting

__all__ = ["CodipStar"]

OnFail: TypeAlias = Literal["stop", "next"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodipStar:
    """Several tables that keep the strongest associations and cannot be joined with each other.

    Fang, Ashrafi and Ng 2011, Figure 4, with the fixes of docs/soundness/002.md. Each sensitive
    attribute starts in a table of its own; the two tables with the highest mutual information are
    merged as long as each table can be close enough and joins within the tables tell little.
    """

    k: int
    """Least number of rows that share their quasi-identifiers, in each table."""
    t: Exact
    """Largest distance between the values in a class and in its table, from 0 to 1."""
    alpha: Exact = 1
    """Largest share of the association between attributes that may be lost, from 0 to 1."""
    beta: Exact = "0.5"
    """Largest information exposure ratio, the threat of joins within a table, from 0 to 1."""
    on_fail: OnFail = "stop"
    """When the best merge fails: stop, as printed, or try the next until none is left."""
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
        """Publish the tables of the plan that was found."""
        planner = self.planner(data)
        plan = self.plan(planner)
        nodes = planner.nodes(plan)
        if nodes is None or planner.lossy(plan):
            raise planner.refusal(plan)
        work = planner.work
        levels = [work.scores.nodes[node] for node in nodes]
        content, keep = work.tables(list(zip(levels, plan, strict=True)), rng)
        told = [dict(zip(data.qids, node, strict=True)) for node in levels]
        manifest = manifest_of(self, "codip-star", rng, {"levels": told})
        return Publication(Release(content, self.guarantees, manifest), keep)

    def planner(self, data: Microdata) -> Planner:
        """Return the judge of plans for these data; it can be asked again and again."""
        refuse_without_secrets(data)
        work = projecting(
            data,
            self.hierarchy,
            k=self.k,
            suppression_limit=self.suppression_limit,
            distance=distances_of(self.distance),
        )
        bounds = (threshold(self.t), threshold(self.alpha), threshold(self.beta))
        return Planner(work, *bounds, self.discernibility_limit, diversity_of(self), self.n)

    def plan(self, planner: Planner) -> Plan:
        """Return the plan from which no merge is left, or before the first that fails."""
        *_, last = self.plans(planner)
        return last

    def plans(self, planner: Planner) -> Iterator[Plan]:
        """Yield every plan on the way, from a table for each attribute on."""
        first: Plan = tuple((name,) for name in planner.work.people.sensitive)
        if planner.nodes(first) is None:
            raise planner.refusal(first)
        plan: Plan | None = first
        while plan is not None:
            yield plan
            plan = self._merged(planner, plan)

    def _merged(self, planner: Planner, plan: Plan) -> Plan | None:
        """Merge the two tables of highest mutual information; with one table left there are none.

        Closeness and exposure only grow by merging, so what fails now would fail later too.
        """
        average = planner.dependence.average
        pairs = sorted(
            combinations(range(len(plan)), 2),
            key=lambda pair: -average((*plan[pair[0]], *plan[pair[1]])),
        )
        for one, other in pairs if self.on_fail == "next" else pairs[:1]:
            joined = (*plan[one], *plan[other])
            rest = [part for place, part in enumerate(plan) if place not in (one, other)]
            merged = (*rest, joined)
            if not planner.exposed(merged) and planner.node(joined) is not None:
                return merged
        return None
