"""K-anonymity with l-diversity, by name: whole columns generalised, or class by class."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact
from discreet.core.guarantee import Guarantee, KAnonymity, LDiversity, TCloseness
from discreet.core.guarantees.distributions import Diversity, own_bounds
from discreet.rng import Rng
from discreet.tables.applying import TablesPlan
from discreet.tables.folding import FoldedTable
from discreet.tables.parameters import Generalising, RecodingChoice, refuse_own
from discreet.tables.projection.plans import Planner, refuse_without_secrets
from discreet.tables.promises.class_rules import Promises


@dataclass(frozen=True, slots=True, kw_only=True)
class LDiverse(Generalising):
    """One k-anonymous table in which every class has l well-represented sensitive values.

    Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam, ICDE 2006.
    """

    called: ClassVar = "l-diversity"

    l: Annotated[  # noqa: E741 (the parameter's name in every paper)
        Exact,
        Doc(
            "How many values of each sensitive attribute every class must have, or for the other "
            "kinds be worth."
        ),
    ]
    kind: Annotated[
        Diversity, Doc("Distinct values, an entropy of at least log(l), or recursive with `c`.")
    ] = "distinct"
    c: Annotated[
        Exact | None,
        Doc("For recursive: the commonest value is rarer than c times the l-th and rarer ones."),
    ] = None
    l_by_attribute: Annotated[
        Mapping[str, str] | None, Doc("Attributes with an l of their own, such as pay=2,job=4.")
    ] = None
    recoding: RecodingChoice = "full-domain"

    def __post_init__(self) -> None:
        Generalising.__post_init__(self)
        exact("l", self.l)
        _ = self.diversity

    @property
    def diversity(self) -> LDiversity:
        """The diversity that is promised."""
        own = own_bounds("l_by_attribute", self.l_by_attribute)
        return LDiversity(l=self.l, kind=self.kind, c=self.c, own=own)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity, and diversity of each attribute."""
        return (KAnonymity(k=self.k), self.diversity)

    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return the table under the best diverse generalisation, or cut into diverse classes."""
        refuse_without_secrets(statistics)
        refuse_own(statistics, self.l_by_attribute, "l_by_attribute")
        if self.recoding == "mondrian":
            cutting = self.cutting(statistics)
            promised = Promises(self.k, diversity=self.diversity)
            recoding = cutting.recoding(statistics.distinct.sensitive, promised)
            return cutting.plan((recoding,), self.guarantees)
        any_t, bound = TCloseness(t=1), exact("t", 1)
        planner = Planner(self.search(statistics), any_t, bound, bound, None, self.diversity)
        return planner.whole(self.guarantees)
