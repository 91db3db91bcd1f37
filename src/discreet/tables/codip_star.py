"""CODIP*: tables merged greedily as long as closeness and the threat of joins allow it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.tables.parameters import Apart
from discreet.tables.projection.dependence import Plan
from discreet.tables.projection.judging import Judge
from discreet.tables.projection.merging import Pairs, merged

OnFail: TypeAlias = Literal["stop", "next"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodipStar(Apart):
    """Several tables that keep the strongest associations and cannot be joined with each other.

    Fang, Ashrafi and Ng 2011, Figure 4, with the fixes of soundness note 002. Each sensitive
    attribute starts in a table of its own. The two tables with the highest mutual information are
    merged, as long as each table can be close enough and joins within the tables reveal little.
    """

    called: ClassVar = "codip-star"

    beta: Annotated[
        Exact,
        Doc("Largest information exposure ratio, the threat of joins within a table, from 0 to 1."),
    ] = "0.5"
    on_fail: Annotated[
        OnFail,
        Doc("When the best merge fails: stop, as printed, or try the next until none is left."),
    ] = "stop"

    def projection(self, planner: Judge) -> Plan:
        """Return the plan from which no merge is left, or before the first that fails."""
        *_, last = self.plans(planner)
        return last

    def plans(self, planner: Judge) -> Iterator[Plan]:
        """Yield every plan on the way, from a table for each attribute on."""
        plan: Plan = tuple((name,) for name in planner.names)
        if not planner.all_would_keep(plan):
            raise planner.refusal(plan, self.projection)
        yield plan
        pairs = Pairs.of(planner.dependence)
        while (best := self._merge(planner, plan, pairs)) is not None:
            plan, pairs = pairs.merged(planner.dependence, plan, best)
            yield plan

    def _merge(self, planner: Judge, plan: Plan, pairs: Pairs) -> tuple[int, int] | None:
        """Return the two tables of highest mutual information; with one table left there are none.

        Closeness and exposure only grow by merging, so what fails now would fail later too.
        """
        for one, other in pairs.best_first():
            exposed = planner.exposed(merged(plan, one, other))
            if not exposed and planner.would_keep((*plan[one], *plan[other])):
                return one, other
            if self.on_fail == "stop":
                return None
            pairs.give_up(one, other)
        return None
