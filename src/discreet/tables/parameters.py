"""The choices that publishers of tables share, once: how to generalise, and how close to stay."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, positive, share
from discreet.core.fields import check_fields
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
from discreet.errors import ParameterError
from discreet.rng import Rng
from discreet.tables.applying import Deciding, TablesPlan
from discreet.tables.dependence import Plan
from discreet.tables.folding import FoldedTable
from discreet.tables.generalisations import Hierarchies, generalisations
from discreet.tables.lattice import refuse_unknown_values
from discreet.tables.plans import Planner, refuse_without_secrets

__all__ = ["Apart", "Close", "Generalising"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalising(Deciding):
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
        check_fields(self)
        KAnonymity(k=self.k)
        share("suppression_limit", self.suppression_limit)
        names = [name for name, _ in self.hierarchy]
        if twice := [name for name in names if names.count(name) > 1]:
            msg = f"a column must have one hierarchy, and {twice[0]!r} has two"
            raise ParameterError(msg, parameter="hierarchy")

    def publish(self, data: Microdata, rng: Rng | None = None) -> Publication[ProjectedTables]:
        """Publish the tables of ``data``, each in an order of its own that says nothing."""
        for name, tree in self.hierarchy:
            # folded statistics could not say which record is at fault
            if name in data.qids:
                refuse_unknown_values(data.table[name], tree)
        return Deciding.publish(self, data, rng)


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
        Doc("Distinct values, an entropy of at least log(l), or recursive with `diversity_c`."),
    ] = "distinct"
    diversity_c: Annotated[
        Exact | None,
        Doc("For recursive: the commonest value is rarer than c times the l-th and rarer ones."),
    ] = None

    def __post_init__(self) -> None:
        # a class with slots is made twice, and the bare super() would look into the first
        Generalising.__post_init__(self)
        for name in ("diversity", "diversity_c"):
            if (value := getattr(self, name)) is not None:
                positive(name, value)
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

    def judge(self, statistics: FoldedTable, alpha: Exact = 1, beta: Exact = 1) -> Planner:
        """Return the judge of plans for this table, which computes everything once."""
        refuse_without_secrets(statistics)
        found = generalisations(
            statistics,
            self.hierarchy,
            k=self.k,
            suppression_limit=self.suppression_limit,
            distance=distances_of(self.distance),
        )
        bounds = (exact("t", self.t), exact("alpha", alpha), exact("beta", beta))
        diversity = self.diverse[0] if self.diverse else None
        return Planner(found, *bounds, self.discernibility_limit, diversity, self.n)


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

    def planner(self, statistics: FoldedTable) -> Planner:
        """Return the judge of plans for this table; it can be asked again and again."""
        return self.judge(statistics, self.alpha, self.beta)

    def projection(self, planner: Planner) -> Plan:
        """Return which sensitive attributes share a table."""
        raise NotImplementedError

    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return the tables of the plan, each under its best generalisation, if they will do."""
        planner = self.planner(statistics)
        plan = self.projection(planner)
        nodes = planner.nodes(plan)
        if nodes is None or planner.lossy(plan) or planner.exposed(plan):
            raise planner.refusal(plan)
        levels = [planner.found.scores.nodes[node] for node in nodes]
        return planner.found.plan(list(zip(levels, plan, strict=True)), self.guarantees)
