"""The choices that publishers of tables share, once: how to generalise, and how close to stay."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Annotated, Literal, TypeAlias

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, positive, share
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee, KAnonymity, ProjectionPlan
from discreet.core.guarantees.distributions import (
    Distances,
    Diversity,
    LDiversity,
    NTCloseness,
    TCloseness,
    distances_of,
    own_bounds,
)
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import Publication
from discreet.core.publisher import refuse_misfits
from discreet.core.release import Manifest
from discreet.core.spelling import nearest
from discreet.core.statistics import TableElsewhere
from discreet.core.workload import Workload
from discreet.errors import ParameterError
from discreet.rng import Rng
from discreet.tables.applying import Deciding, TablesPlan
from discreet.tables.classes.columns import cut_column
from discreet.tables.classes.cutting import Cutting
from discreet.tables.folding import FoldedTable
from discreet.tables.generalising.costs import Score, Taste
from discreet.tables.generalising.generalisations import (
    Generalisations,
    Hierarchies,
    generalisations,
    given_hierarchies,
    ground_hierarchies,
    highest_levels,
    refuse_distances,
)
from discreet.tables.generalising.lattice import refuse_unknown_values
from discreet.tables.projection.dependence import Plan
from discreet.tables.projection.judging import Judge, Ratios
from discreet.tables.projection.plans import (
    Planner,
    refuse_numbers,
    refuse_without_secrets,
)
from discreet.tables.promises.class_rules import Promises

DistanceChoice: TypeAlias = Annotated[
    Mapping[str, str] | None,
    Doc("Attributes whose values are ordered or hierarchical, such as pay=ordered; others: equal."),
]
DiversityChoice: TypeAlias = Annotated[
    Exact | None, Doc("The l of l-diversity that every class must also have; none by default.")
]
DiversityKind: TypeAlias = Annotated[
    Diversity,
    Doc("Distinct values, an entropy of at least log(l), or recursive with `diversity_c`."),
]
DiversityC: TypeAlias = Annotated[
    Exact | None,
    Doc("For recursive: the commonest value is rarer than c times the l-th and rarer ones."),
]
RecodingChoice: TypeAlias = Annotated[
    Literal["full-domain", "mondrian"],
    Doc("Generalise columns as a whole, or class by class as mondrian does."),
]
OwnT: TypeAlias = Annotated[
    Mapping[str, str] | None, Doc("Attributes with a t of their own, such as pay=0.1,job=0.3.")
]
OwnDiversity: TypeAlias = Annotated[
    Mapping[str, str] | None, Doc("Attributes with an l of their own, such as pay=2,job=4.")
]


def diversity_of(
    l: Exact | None,  # noqa: E741 (the parameter's name in every paper)
    kind: Diversity,
    c: Exact | None,
    own: Mapping[str, str] | None,
) -> LDiversity | None:
    """Return the diversity that is promised, where it was asked for."""
    if l is None:
        if own or c is not None:
            msg = "an l of one attribute, or c, needs the l of the others; give the diversity"
            raise ParameterError(msg, parameter="diversity")
        return None
    return LDiversity(l=l, kind=kind, c=c, own=own_bounds("diversity", own))


@dataclass(frozen=True, slots=True, kw_only=True)
class Controlled(Deciding):
    """Tables whose quasi-identifiers are generalised until nobody is alone, column by column."""

    k: Annotated[
        int, Doc("Least number of rows that share their quasi-identifiers, in each table.")
    ]
    hierarchy: Annotated[
        Hierarchies,
        Doc(
            "A column and its public hierarchy. Without one, mondrian cuts numbers into ranges "
            "and words into sets, and other methods keep or suppress the column as a whole."
        ),
    ] = field(default=(), metadata={"unwritten": True})
    suppression_limit: Annotated[
        Exact,
        Doc(
            "Share of rows that may be left out of a table, from 0 to 1; only as many as "
            "necessary are."
        ),
    ] = 0
    weights: Annotated[
        Mapping[str, str] | None,
        Doc("Weights for the loss in some columns, such as age=2,sex=0.5; others count 1."),
    ] = None
    highest_level: Annotated[
        Mapping[str, str] | None,
        Doc(
            "The highest level of its hierarchy to which a column may be generalised, such as "
            "age=2."
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)
        KAnonymity(k=self.k)
        share("suppression_limit", self.suppression_limit)
        names = [name for name, _ in self.hierarchy]
        if twice := [name for name in names if names.count(name) > 1]:
            msg = f"a column must have one hierarchy, and {twice[0]!r} has two"
            raise ParameterError(msg, parameter="hierarchy")
        _ = self.column_weights, self.highest

    @property
    def column_weights(self) -> dict[str, Fraction]:
        """The weight of each column that has one."""
        pairs = (self.weights or {}).items()
        return {name: exact("weights", positive("weights", weight)) for name, weight in pairs}

    @property
    def highest(self) -> dict[str, int]:
        """The highest level of each column that has one."""
        levels = {name: exact("highest_level", n) for name, n in (self.highest_level or {}).items()}
        if wrong := [name for name, n in levels.items() if n < 0 or n.denominator > 1]:
            msg = f"`highest_level` must be a whole number from 0, and that of {wrong[0]!r} is not"
            raise ParameterError(msg, parameter="highest_level")
        return {name: int(level) for name, level in levels.items()}

    def publish(self, data: Microdata, rng: Rng | None = None) -> Publication[ProjectedTables]:
        """Publish the tables of ``data``, each in an order of its own that says nothing."""
        refuse_misfits(data, Microdata, rng)
        for name, tree in self.hierarchy:
            # folded statistics could not say which record is at fault
            if name in data.qids or name in set(data.sensitive) - data.multi_valued:
                refuse_unknown_values(data.table[name], tree)
        return Deciding.publish(self, data, rng)

    def cutting(
        self, statistics: FoldedTable, distance: Distances = (), *, relaxed: bool = False
    ) -> Cutting:
        """Return the table ready to be cut."""
        given = given_hierarchies(statistics, self.hierarchy, self.k)
        refuse_distances(statistics.distinct, distance, given)
        refuse_others(statistics, self.weights, "weights")
        trees = {name: given.get(name) for name in statistics.distinct.qids}
        table, weights = statistics.distinct.table, self.column_weights
        columns = tuple(
            cut_column(table[name], tree, float(weights.get(name, 1)))
            for name, tree in trees.items()
        )
        most = floor(share("suppression_limit", self.suppression_limit) * statistics.people)
        sets = statistics.distinct.set_columns
        of_columns = {name: level for name, level in self.highest.items() if name not in sets}
        highest, ground = highest_levels(trees, of_columns), ground_hierarchies(distance, given)
        return Cutting(statistics, columns, highest, most, ground, relaxed)


def refuse_others(
    statistics: FoldedTable, chosen: Mapping[str, str] | None, field_name: str
) -> None:
    """Refuse a choice for a column that is no quasi-identifier."""
    if others := [name for name in chosen or () if name not in statistics.distinct.qids]:
        hint = nearest(others[0], statistics.distinct.qids)
        msg = f"`{field_name}` must name quasi-identifiers, and {others[0]!r} is not one{hint}"
        raise ParameterError(msg, parameter=field_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalising(Controlled):
    """Tables whose columns are generalised as a whole until nobody is alone."""

    score: Annotated[
        Score,
        Doc(
            "What the best generalisation minimises: discernibility, rows per class, levels, "
            "lost entropy, the weighted loss of the columns, or the error of a workload."
        ),
    ] = "discernibility"
    workload: Annotated[
        Workload | None,
        Doc(
            "A file of counting queries that should be answered well, one per line, such as "
            "sex=Female; age=30-39; education=Masters|Doctorate."
        ),
    ] = field(default=None, metadata={"unwritten": True})

    def search(self, statistics: FoldedTable, distance: Distances = ()) -> Generalisations:
        """Return every k-anonymous generalisation, with what it costs."""
        refuse_others(statistics, self.weights, "weights")
        return generalisations(
            statistics,
            self.hierarchy,
            k=self.k,
            suppression_limit=self.suppression_limit,
            distance=distance,
            taste=Taste(self.score, self.column_weights, self.workload, self.highest),
        )


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
    t_by_attribute: OwnT = None
    distance: DistanceChoice = None
    discernibility_limit: Annotated[
        int | None, Doc("Largest discernibility of a table; none by default.")
    ] = None
    diversity: DiversityChoice = None
    diversity_kind: DiversityKind = "distinct"
    diversity_c: DiversityC = None
    diversity_by_attribute: OwnDiversity = None

    def __post_init__(self) -> None:
        # a class with slots is made twice, and the bare super() would look into the first
        Generalising.__post_init__(self)
        refuse_not_positive(diversity=self.diversity, diversity_c=self.diversity_c)
        _ = self.closeness, self.diverse
        at_least_one(discernibility_limit=self.discernibility_limit)

    @property
    def closeness(self) -> TCloseness | NTCloseness:
        """The closeness that is promised."""
        distance, own = distances_of(self.distance), own_bounds("t", self.t_by_attribute)
        if self.n is None:
            return TCloseness(t=self.t, distance=distance, own=own)
        return NTCloseness(n=self.n, t=self.t, distance=distance, own=own)

    @property
    def diverse(self) -> tuple[LDiversity, ...]:
        """The diversity that is promised, where it was asked for."""
        chosen = (self.diversity, self.diversity_kind, self.diversity_c)
        asked = diversity_of(*chosen, self.diversity_by_attribute)
        return () if asked is None else (asked,)

    def refuse_unfit(self, statistics: FoldedTable) -> None:
        """Refuse a table without sensitive attributes, and bounds of others."""
        refuse_without_secrets(statistics)
        refuse_own(statistics, self.t_by_attribute, "t_by_attribute")
        refuse_own(statistics, self.diversity_by_attribute, "diversity_by_attribute")

    def judge(self, statistics: FoldedTable, alpha: Exact = 1, beta: Exact = 1) -> Planner:
        """Return the judge of plans for this table, which computes everything once."""
        self.refuse_unfit(statistics)
        generalisations = self.search(statistics, distances_of(self.distance))
        bounds = (exact("alpha", alpha), exact("beta", beta))
        diversity = self.diverse[0] if self.diverse else None
        return Planner(
            generalisations, self.closeness, *bounds, self.discernibility_limit, diversity
        )


def refuse_not_positive(**bounds: Exact | None) -> None:
    """Refuse a bound, named as its parameter is, that is no number above 0."""
    for name, bound in bounds.items():
        if bound is not None:
            positive(name, bound)


def refuse_own(statistics: FoldedTable, chosen: Mapping[str, str] | None, field_name: str) -> None:
    """Refuse a bound of an attribute that is not sensitive."""
    known = {*statistics.distinct.sensitive, *statistics.multi_valued}
    if others := [name for name in chosen or () if name not in known]:
        hint = nearest(others[0], known)
        msg = f"`{field_name}` must name sensitive attributes, and {others[0]!r} is not one{hint}"
        raise ParameterError(msg, parameter=field_name)


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

    recoding: RecodingChoice = "full-domain"

    def __post_init__(self) -> None:
        Close.__post_init__(self)
        if self.recoding == "mondrian" and (self.n or self.discernibility_limit):
            msg = "`recoding` mondrian cannot be combined with `n` or `discernibility_limit`"
            raise ParameterError(msg, parameter="recoding")
        share("alpha", self.alpha)
        share("beta", self.beta)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity and closeness of each table, disjoint tables; diversity where asked for."""
        return (KAnonymity(k=self.k), self.closeness, ProjectionPlan(), *self.diverse)

    def planner(self, statistics: FoldedTable) -> Planner:
        """Return the judge of plans for this table; it can be asked again and again."""
        return self.judge(statistics, self.alpha, self.beta)

    @abstractmethod
    def projection(self, planner: Judge) -> Plan:
        """Return which sensitive attributes share a table."""

    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return the tables of the plan."""
        cut = self.recoding == "mondrian"
        return self._cut(statistics) if cut else self._lifted(self.planner(statistics))

    def claims(
        self, plan: TablesPlan, data: Microdata | TableElsewhere, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, if nothing in its tables joins them."""
        refuse_numbers(plan, data)
        return Close.claims(self, plan, data, rng)

    def _lifted(self, planner: Planner) -> TablesPlan:
        """Return the tables of the plan, each under its best generalisation."""
        plan = self.projection(planner)
        nodes = planner.nodes(plan)
        if nodes is None or planner.lossy(plan) or planner.exposed(plan):
            raise planner.refusal(plan, self.projection)
        levels = [planner.generalisations.scores.nodes[node] for node in nodes]
        return planner.generalisations.plan(list(zip(levels, plan, strict=True)), self.guarantees)

    def _cut(self, statistics: FoldedTable) -> TablesPlan:
        """Return the tables of the plan, each cut into classes of its own."""
        claim = self.closeness
        assert isinstance(claim, TCloseness), "n is refused beside cuts"
        self.refuse_unfit(statistics)
        judge = Ratios(statistics, exact("alpha", self.alpha), exact("beta", self.beta))
        plan = self.projection(judge)
        cutting = self.cutting(statistics, distances_of(self.distance))
        diversity = self.diverse[0] if self.diverse else None
        promised = Promises(self.k, claim, diversity)
        # where classes cannot keep what is asked of them, no other plan would help
        parts = tuple(cutting.recoding(names, promised) for names in plan)
        if judge.lossy(plan) or judge.exposed(plan):
            raise judge.refusal(plan)
        return cutting.plan(parts, self.guarantees)
