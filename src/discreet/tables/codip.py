"""CODIP: sensitive attributes in several tables, after a given plan or the best one."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from discreet.core.doc import Doc
from discreet.errors import InfeasibleError
from discreet.tables.parameters import Apart
from discreet.tables.projection.dependence import Plan
from discreet.tables.projection.judging import Judge
from discreet.tables.projection.plans import partitions, refuse_plan, with_bits

MOST_ATTRIBUTES = 9
"""Up to so many attributes all plans are tried: 21,147 of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Codip(Apart):
    """Several tables, each sensitive attribute in one of them, by a given plan or the best one.

    Fang, Ashrafi and Ng 2011, Figure 2. Without a plan, all plans are tried, which is feasible for
    up to nine attributes, and the one that loses the least association is used.
    """

    called: ClassVar = "codip"

    plan: Annotated[
        Plan | None,
        Doc(
            "The sensitive attributes of each table, such as diagnosis,history;job. Several values "
            "of a multi-valued one stay together, or are named one by one as NAME=VALUE."
        ),
    ] = None

    def projection(self, planner: Judge) -> Plan:
        """Return the given plan, or the one of least association loss that will do."""
        names = planner.names
        if self.plan is not None:
            plan = with_bits(self.plan, planner.folded.bits)
            refuse_plan(plan, names)
            return plan
        if len(names) > MOST_ATTRIBUTES:
            msg = (
                f"all plans can be tried for up to {MOST_ATTRIBUTES} sensitive attributes, and "
                f"there are {len(names)}; give a `plan`, or let codip-star find one"
            )
            raise InfeasibleError(msg, parameter="plan")
        best: Plan = tuple((name,) for name in names)
        least = (2.0, 0)  # above any loss; where no plan will do, the first one says why
        for plan in partitions(names):
            cost = (planner.dependence.association_loss(plan), len(plan))
            if cost < least and not planner.exposed(plan) and planner.all_would_keep(plan):
                best, least = plan, cost
        return best
