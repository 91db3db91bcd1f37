"""Mondrian: a table cut into ever smaller classes, each column no more general than it must be."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.guarantee import (
    BetaLikeness,
    DeltaDisclosure,
    Guarantee,
    KAnonymity,
    TCloseness,
)
from discreet.core.guarantees.distributions import distances_of, own_bounds
from discreet.errors import ParameterError
from discreet.rng import Rng
from discreet.tables.applying import TablesPlan
from discreet.tables.folding import FoldedTable
from discreet.tables.parameters import (
    Controlled,
    DistanceChoice,
    DiversityC,
    DiversityChoice,
    DiversityKind,
    OwnDiversity,
    OwnT,
    diversity_of,
    refuse_not_positive,
    refuse_own,
)
from discreet.tables.projection.plans import refuse_without_secrets
from discreet.tables.promises.class_rules import Promises


@dataclass(frozen=True, slots=True, kw_only=True)
class Mondrian(Controlled):
    """One k-anonymous table, generalised class by class to ranges, names or sets of values.

    LeFevre, DeWitt and Ramakrishnan, ICDE 2006. The table is cut in two along the widest column, as
    evenly as is possible with both parts keeping the promise; the parts are cut in the same way
    until no such cut is left. Hierarchies are optional: without them, numbers and dates are cut
    into ranges and words into sets.
    """

    called: ClassVar = "mondrian"

    t: Annotated[
        Exact | None,
        Doc("Largest distance between the values in a class and in the table; none by default."),
    ] = None
    t_by_attribute: OwnT = None
    distance: DistanceChoice = None
    diversity: DiversityChoice = None
    diversity_kind: DiversityKind = "distinct"
    diversity_c: DiversityC = None
    diversity_by_attribute: OwnDiversity = None
    beta_likeness: Annotated[
        Exact | None,
        Doc("How far a value's share in a class may exceed that in the table, in multiples of it."),
    ] = None
    enhanced: Annotated[
        bool,
        Doc(
            "With `beta_likeness`: also let the share p of a value grow by at most -ln p times "
            "itself (enhanced beta-likeness)."
        ),
    ] = False
    delta_disclosure: Annotated[
        Exact | None,
        Doc("Bound on the logarithm of a value's share in a class over that in the table."),
    ] = None
    relaxed: Annotated[
        bool,
        Doc("Divide people with equal values evenly, so that classes overlap and are smaller."),
    ] = False

    def __post_init__(self) -> None:
        Controlled.__post_init__(self)
        refuse_not_positive(
            diversity=self.diversity,
            diversity_c=self.diversity_c,
            beta_likeness=self.beta_likeness,
            delta_disclosure=self.delta_disclosure,
        )
        _ = self.promises

    @property
    def promises(self) -> Promises:
        """What every class must keep."""
        if self.t is None and (self.t_by_attribute or self.distance):
            msg = "a distance, or the t of one attribute, needs the `t` of the others; give it"
            raise ParameterError(msg, parameter="t")
        if self.enhanced and self.beta_likeness is None:
            msg = "`enhanced` is about `beta_likeness`, which was not asked for; give its beta"
            raise ParameterError(msg, parameter="enhanced")
        own, distance = own_bounds("t", self.t_by_attribute), distances_of(self.distance)
        beta, delta = self.beta_likeness, self.delta_disclosure
        chosen = (self.diversity, self.diversity_kind, self.diversity_c)
        return Promises(
            self.k,
            None if self.t is None else TCloseness(t=self.t, distance=distance, own=own),
            diversity_of(*chosen, self.diversity_by_attribute),
            None if beta is None else BetaLikeness(beta=beta, enhanced=self.enhanced),
            None if delta is None else DeltaDisclosure(delta=delta),
        )

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity, and what else was asked of every class."""
        return (KAnonymity(k=self.k), *self.promises.distributions)

    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return the classes of the table."""
        if self.promises.distributions:
            refuse_without_secrets(statistics)
        refuse_own(statistics, self.t_by_attribute, "t_by_attribute")
        refuse_own(statistics, self.diversity_by_attribute, "diversity_by_attribute")
        cutting = self.cutting(statistics, distances_of(self.distance), relaxed=self.relaxed)
        recoding = cutting.recoding(statistics.distinct.sensitive, self.promises)
        return cutting.plan((recoding,), self.guarantees)
