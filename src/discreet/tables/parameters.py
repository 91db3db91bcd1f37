"""The choices that publishers of tables share, once: how to generalise, and how close to stay."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, share
from discreet.core.guarantee import Guarantee, KAnonymity, ProjectionPlan
from discreet.core.guarantees.tables import (
    Diversity,
    LDiversity,
    NTCloseness,
    TCloseness,
    distances_of,
)
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.rng import Rng
from discreet.tables.dependence import Plan
from discreet.tables.plans import Planner, refuse_without_secrets
from discreet.tables.projecting import Hierarchies, projecting

__all__ = ["Apart", "Close", "Generalising"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalising:
    """Tables whose columns are generalised as a whole until nobody is alone."""

    k: Annotated[
        int, Doc("Least number of rows that share their quasi-identifiers, in each table.")
    ]
    hierarchy: Annotated[
        Hierarchies,
        Doc(
            "A column and its public hierarchy; a column without one is kept or suppressed as "
            "a whole."
        ),
    ] = field(default=(), metadata={"unwritten": True})
    suppression_limit: Annotated[
        Exact,
        Doc(
            "Share of rows that may be left out of a table, from 0 to 1; no more than "
            "necessary are."
        ),
    ] = 0

    def __post_init__(self) -> None:
        KAnonymity(k=self.k)
        share("suppression_limit", self.suppression_limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Close(Generalising):
    """Tables in which every class is close to the table as well, and diverse where asked for."""

    t: Annotated[
        Exact, Doc("Largest distance between the values in a class and in its table, from 0 to 1.")
    ]
    n: Annotated[
        int | None,
        Doc(
            "Compare a class with a more general class of at least n rows instead: (n,t)-closeness."
        ),
    ] = None
    distance: Annotated[
        Mapping[str, str] | None,
        Doc(
            "Attributes whose values are ordered or hierarchical, such as pay=ordered; "
            "others: equal."
        ),
    ] = None
    discernibility_limit: Annotated[
        int | None, Doc("Largest discernibility of a table; none by default.")
    ] = None
    diversity: Annotated[
        Exact | None, Doc("The l of l-diversity that every class must also have; none by default.")
    ] = None
    diversity_kind: Annotated[
        Diversity,
        Doc("Distinct values, an entropy of at least log(l), or recursive with diversity_c."),
    ] = "distinct"
    diversity_c: Annotated[
        Exact | None,
        Doc("For recursive: the commonest value is rarer than c times the l-th and rarer ones."),
    ] = None

    def __post_init__(self) -> None:
        # a class with slots is made twice, and the bare super() would look into the first
        Generalising.__post_init__(self)
        _ = self.closeness, self.diverse
        at_least_one(discernibility_limit=self.discernibility_limit)

    @property
    def closeness(self) -> TCloseness | NTCloseness:
        """The closeness that is promised."""
        distance = distances_of(self.distance)
        if self.n is None:
            return TCloseness(t=self.t, distance=distance)
        return NTCloseness(n=self.n, t=self.t, distance=distance)

    @property
    def diverse(self) -> tuple[LDiversity, ...]:
        """The diversity that is promised, where it was asked for."""
        if self.diversity is None:
            return ()
        return (LDiversity(l=self.diversity, kind=self.diversity_kind, c=self.diversity_c),)

    def judge(self, data: Microdata, alpha: Exact = 1, beta: Exact = 1) -> Planner:
        """Return the judge of plans for these data, which computes everything once."""
        refuse_without_secrets(data)
        work = projecting(
            data,
            self.hierarchy,
            k=self.k,
            suppression_limit=self.suppression_limit,
            distance=distances_of(self.distance),
        )
        bounds = (exact("t", self.t), exact("alpha", alpha), exact("beta", beta))
        diversity = self.diverse[0] if self.diverse else None
        return Planner(work, *bounds, self.discernibility_limit, diversity, self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart(Close):
    """Several such tables, each sensitive attribute in one of them."""

    alpha: Annotated[
        Exact,
        Doc("Largest share of the association between attributes that may be lost, from 0 to 1."),
    ] = 1
    beta: Annotated[
        Exact,
        Doc("Largest information exposure ratio, the threat of joins within a table, from 0 to 1."),
    ] = 1

    def __post_init__(self) -> None:
        Close.__post_init__(self)
        share("alpha", self.alpha)
        share("beta", self.beta)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity and closeness of each table, disjoint tables; diversity where asked for."""
        return (KAnonymity(k=self.k), self.closeness, ProjectionPlan(), *self.diverse)

    def planner(self, data: Microdata) -> Planner:
        """Return the judge of plans for these data; it can be asked again and again."""
        return self.judge(data, self.alpha, self.beta)

    def tables(
        self, planner: Planner, plan: Plan, name: str, rng: Rng
    ) -> Publication[ProjectedTables]:
        """Publish the tables of a plan, each under its best generalisation, if the plan will do."""
        nodes = planner.nodes(plan)
        if nodes is None or planner.lossy(plan) or planner.exposed(plan):
            raise planner.refusal(plan)
        work = planner.work
        levels = [work.scores.nodes[node] for node in nodes]
        content, keep = work.tables(list(zip(levels, plan, strict=True)), rng)
        told = [dict(zip(work.people.qids, node, strict=True)) for node in levels]
        manifest = manifest_of(self, name, rng, {"levels": told})
        return Publication(Release(content, self.guarantees, manifest), keep)
