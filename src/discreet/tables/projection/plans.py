"""Projection plans: which sensitive attributes share a table, and whether a plan will do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.distributions import LDiversity, NTCloseness, TCloseness
from discreet.core.spelling import nearest
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.tables.applying import PEOPLE, Recoding, TablesPlan
from discreet.tables.folding import FoldedTable
from discreet.tables.generalising.generalisations import Generalisations
from discreet.tables.projection.dependence import Dependence, Plan, dependence_of

ZERO = Fraction(0)
ROUNDING = 1e-12
"""Ratios of information are compared up to the rounding of logarithms."""


@dataclass(frozen=True, eq=False)
class Planner:
    """Judges plans by closeness, join-threat and association loss."""

    generalisations: Generalisations
    """Every anonymous way to generalise the table; closeness is computed once."""
    claim: TCloseness | NTCloseness
    """The closeness that every class must have."""
    alpha: Fraction
    """Largest association loss."""
    beta: Fraction
    """Largest information exposure."""
    discernibility_limit: int | None = None
    """Largest discernibility of a table."""
    diversity: LDiversity | None = None
    """How diverse every class must be."""

    @property
    def n(self) -> int | None:
        """Least rows of the more general class that a class is compared with; None: the table."""
        return self.claim.n if isinstance(self.claim, NTCloseness) else None

    @cached_property
    def dependence(self) -> Dependence:
        """What the attributes tell about each other."""
        return dependence_of(self.generalisations.folded)

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """The nodes within the limit of discernibility."""
        costs = self.generalisations.scores.discernibility
        if self.discernibility_limit is None:
            return np.ones(len(costs), dtype=np.bool_)
        return costs <= self.discernibility_limit

    @cached_property
    def closeness(self) -> dict[str, list[Fraction]]:
        """For each sensitive attribute its closeness at each anonymous node."""
        return (
            self.generalisations.closeness
            if self.n is None
            else self.generalisations.closeness_among(self.n)
        )

    @cached_property
    def close(self) -> dict[str, NDArray[np.bool_]]:
        """For each attribute the allowed nodes at which it is close, and diverse, enough."""
        near = {
            name: self.allowed & np.array([each <= self.claim.most_of(name) for each in distances])
            for name, distances in self.closeness.items()
        }
        if self.diversity is None:
            return near
        diverse = self.generalisations.diverse(self.diversity)
        return {name: nodes & diverse[name] for name, nodes in near.items()}

    def node(self, attributes: Sequence[str]) -> int | None:
        """Return the best node at which all attributes of a table are close enough."""
        fitting = self.allowed.copy()
        for name in attributes:
            fitting &= self.close[name]
        return self.generalisations.best(fitting)

    def whole(self, guarantees: tuple[Guarantee, ...]) -> TablesPlan:
        """Return one table with all sensitive attributes, on the best node, or refuse."""
        names = self.generalisations.sensitive
        best = self.node(names)
        if best is None:
            raise self.refusal((names,))
        node = self.generalisations.scores.nodes[best]
        return self.generalisations.plan([(node, names)], guarantees)

    def exposed(self, plan: Plan) -> bool:
        """Whether joins within the tables may tell too much."""
        return self.dependence.exposure(plan) > float(self.beta) + ROUNDING

    def lossy(self, plan: Plan) -> bool:
        """Whether too much association is lost between the tables."""
        return self.dependence.association_loss(plan) > float(self.alpha) + ROUNDING

    def nodes(self, plan: Plan) -> list[int] | None:
        """Return the best node of each table; None where a table cannot be close enough."""
        best = [self.node(attributes) for attributes in plan]
        chosen = [node for node in best if node is not None]
        return chosen if len(chosen) == len(plan) else None

    def refusal(self, plan: Plan) -> InfeasibleError:
        """Say which threshold a plan fails first, and the nearest value that would do."""
        if not self.allowed.any():
            least = int(self.generalisations.scores.discernibility.min())
            return InfeasibleError(
                "no k-anonymous generalisation is within the discernibility limit of "
                f"{self.discernibility_limit:,}; the nearest limit that would do is {least:,}",
                parameter="discernibility_limit",
            )
        if self.lossy(plan):
            loss = self.dependence.association_loss(plan)
            return InfeasibleError(
                f"the plan's association loss is {loss:.6f}, above `alpha` {float(self.alpha):g}; "
                f"the nearest `alpha` that would do is {_up(loss)}",
                parameter="alpha",
            )
        if self.exposed(plan):
            exposure = self.dependence.exposure(plan)
            return InfeasibleError(
                f"the plan's exposure is {exposure:.6f}, above `beta` {float(self.beta):g}; "
                f"the nearest `beta` that would do is {_up(exposure)}",
                parameter="beta",
            )
        return self._not_close(plan)

    def _not_close(self, plan: Plan) -> InfeasibleError:
        missing = max(self._missing(attributes) for attributes in plan)
        if missing <= 0 and self.diversity is not None:
            return InfeasibleError(
                "no k-anonymous generalisation that is close enough has the diversity "
                f"{float(self.diversity.least):g} asked for in every class; lower it",
                parameter="diversity",
            )
        if max(self.nearest(attributes) for attributes in plan) > 1:
            return InfeasibleError(
                f"no k-anonymous generalisation within the limits publishes the {self.n} rows that "
                "`n` asks for; lower `n`",
                parameter="n",
            )
        of_what = "its table" if self.n is None else f"a superset of {self.n} rows"
        nearest = min(1.0, float(self.claim.most + missing))
        own = f", with own ones raised by {_up(float(missing))}" if self.claim.own else ""
        return InfeasibleError(
            f"no k-anonymous generalisation keeps every attribute within `t` "
            f"{float(self.claim.most):g} of {of_what}; the nearest `t` that would do is "
            f"{_up(nearest)}{own}",
            parameter="t",
        )

    def _missing(self, attributes: Sequence[str]) -> Fraction:
        """Return by how much the attributes of one table are above their bounds at best."""
        return self._least({name: self.claim.most_of(name) for name in attributes})

    def nearest(self, attributes: Sequence[str]) -> Fraction:
        """Return the best closeness that the attributes of one table can have together."""
        return self._least(dict.fromkeys(attributes, Fraction(0)))

    def _least(self, bounds: Mapping[str, Fraction]) -> Fraction:
        """Return the least, over the allowed nodes, of the most that a closeness is above."""
        return min(
            max(
                (self.closeness[name][node] - bound for name, bound in bounds.items()), default=ZERO
            )
            for node in np.flatnonzero(self.allowed).tolist()
        )


def _up(number: float) -> str:
    """Return a number of six digits that is not below the given one.

    >>> _up(2 / 3), _up(0.5)
    ('0.666667', '0.5')
    """
    return f"{np.ceil(number * 1e6 - 1e-6) / 1e6:g}"


def partitions(names: Sequence[str]) -> Iterator[Plan]:
    """Yield every way to put names into tables.

    >>> len(list(partitions("abcd")))
    15
    """
    if not names:
        yield ()
        return
    for plan in partitions(names[1:]):
        yield ((names[0],), *plan)
        for index, group in enumerate(plan):
            yield (*plan[:index], (names[0], *group), *plan[index + 1 :])


def refuse_plan(plan: Plan, names: Sequence[str]) -> None:
    """Refuse a plan that does not hold each sensitive attribute exactly once."""
    listed = [name for attributes in plan for name in attributes]
    for name in listed:
        if name not in names:
            hint = nearest(name, names)
            msg = f"a plan must name sensitive attributes, and {name!r} is not one{hint}"
            raise ParameterError(msg, parameter="plan")
        if listed.count(name) > 1:
            msg = f"a plan must name each sensitive attribute once, and {name!r} occurs twice"
            raise ParameterError(msg, parameter="plan")
    if missing := [name for name in names if name not in listed]:
        msg = f"a plan must name every sensitive attribute, and {missing[0]!r} is missing"
        raise ParameterError(msg, parameter="plan")
    if not all(plan):
        msg = "every table of a plan must have a sensitive attribute, and one has none"
        raise ParameterError(msg, parameter="plan")


def refuse_numbers(plan: TablesPlan, folded: FoldedTable) -> None:
    """Refuse attributes of different tables that number the same rows, as ids would.

    Nothing tells such attributes, the ranks in two subjects say, from ids that join the tables.
    """
    seen: dict[frozenset[str], tuple[int, str]] = {}
    for number, recoding in enumerate(plan.recodings):
        for name, values in _numbering(recoding, folded):
            first, other = seen.setdefault(values, (number, name))
            if first != number:
                msg = (
                    f"{other!r} and {name!r} hold the same values, each in one row, so their "
                    "tables could be joined as by ids; put both in one table, or publish only one"
                )
                raise InfeasibleError(msg, parameter="plan")


def _numbering(recoding: Recoding, folded: FoldedTable) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the attributes of a table with another value in each row, and their values."""
    import polars as pl

    people = pl.Series(PEOPLE, folded.counts)
    bits = {f"{name}={value}" for name, values in folded.bits.items() for value in values}
    shown = folded.distinct.table.with_columns(people).join(
        recoding.original, on=recoding.original.columns, how="semi"
    )
    rows = int(shown[PEOPLE].sum())
    for name in recoding.attributes:
        if rows > 1 and name not in bits and shown[name].n_unique() == rows:
            yield name, frozenset(shown[name].to_list())


def refuse_without_secrets(folded: FoldedTable) -> None:
    """Refuse a table without sensitive attributes, or whose multi-valued ones have no value."""
    if not folded.distinct.sensitive:
        msg = "a table must have at least one sensitive attribute for this method, got none"
        raise DataError(msg)
