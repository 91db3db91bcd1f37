"""Projection plans: which sensitive attributes share a table, and whether a plan will do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import exact
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.distributions import LDiversity, NTCloseness, TCloseness
from discreet.core.microdata import Microdata
from discreet.core.spelling import nearest
from discreet.core.statistics import TableElsewhere
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.lazy import pl
from discreet.tables.applying import PEOPLE, Recoding, TablesPlan
from discreet.tables.folding import FoldedTable, counted_rows
from discreet.tables.generalising.generalisations import Generalisations
from discreet.tables.projection.dependence import Plan
from discreet.tables.projection.judging import Judge, Projection, along_with, rounded_up
from discreet.tables.promises.diversity import most_diverse

ZERO = Fraction(0)


@dataclass(frozen=True, eq=False)
class Planner(Judge):
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
    def folded(self) -> FoldedTable:
        """The table."""
        return self.generalisations.folded

    @property
    def n(self) -> int | None:
        """Least rows of the more general class that a class is compared with; None: the table."""
        return self.claim.n if isinstance(self.claim, NTCloseness) else None

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
        return {name: nodes & self.diverse[name] for name, nodes in near.items()}

    @cached_property
    def diverse(self) -> dict[str, NDArray[np.bool_]]:
        """For each attribute the anonymous nodes at which it is diverse enough."""
        assert self.diversity is not None, "nothing is asked of an attribute without it"
        return self.generalisations.diverse(self.diversity)

    def fitting(self, attributes: Sequence[str]) -> NDArray[np.bool_]:
        """Return the nodes at which all attributes of a table are close enough."""
        fitting = self.allowed.copy()
        for name in attributes:
            fitting &= self.close[name]
        return fitting

    def node(self, attributes: Sequence[str]) -> int | None:
        """Return the best node at which all attributes of a table are close enough."""
        return self.generalisations.best(self.fitting(attributes))

    def whole(self, guarantees: tuple[Guarantee, ...]) -> TablesPlan:
        """Return one table with all sensitive attributes, on the best node, or refuse."""
        best = self.node(self.names)
        if best is None:
            raise self.refusal((self.names,))
        node = self.generalisations.scores.nodes[best]
        return self.generalisations.plan([(node, self.names)], guarantees)

    def would_keep(self, attributes: Sequence[str]) -> bool:
        """Whether all attributes of a table are close enough at some node."""
        return bool(self.fitting(attributes).any())

    def nodes(self, plan: Plan) -> list[int] | None:
        """Return the best node of each table; None where a table cannot be close enough."""
        best = [self.node(attributes) for attributes in plan]
        chosen = [node for node in best if node is not None]
        return chosen if len(chosen) == len(plan) else None

    def refusal(
        self, plan: Plan, projection: Projection = None, limit: int | None = None
    ) -> InfeasibleError:
        """Say which threshold a plan fails first, and the nearest value that would do.

        ``projection`` chooses the plan, where another value may lead to another one; ``limit`` is
        one of discernibility that is too low as well.
        """
        if not self.allowed.any():
            return self._too_discernible(plan, projection)
        if not all(self.eligible(attributes).any() for attributes in plan):
            return self._not_diverse(plan, projection, limit)
        if self.nodes(plan) is None:
            return self._not_close(plan, projection, limit)
        return self.by_ratios(plan)

    def eligible(self, attributes: Sequence[str]) -> NDArray[np.bool_]:
        """Return the allowed nodes at which all attributes of a table are diverse enough."""
        nodes = self.allowed.copy()
        for name in attributes if self.diversity else ():
            nodes &= self.diverse[name]
        return nodes

    def _raised_as_well(
        self, plan: Plan, projection: Projection, limit: int | None = None
    ) -> list[tuple[str, str]]:
        """Return which other bounds must be raised for these ones to do, and how far."""
        if projection is not None:
            plan = projection(replace(self, alpha=Fraction(1)))
        others = [(name, rounded_up(value)) for name, _, value in self.too_much(plan)]
        if limit is not None and (least := self._least_limit(plan)) > limit:
            others.append(("discernibility_limit", f"{least:,}"))
        return others

    def _least_limit(self, plan: Plan) -> int:
        """Return the least discernibility that each table of a plan can do with."""
        costs = self.generalisations.scores.discernibility
        return max(int(costs[self.fitting(attributes)].min()) for attributes in plan)

    def _too_discernible(self, plan: Plan, projection: Projection) -> InfeasibleError:
        free = replace(self, discernibility_limit=None)
        if free.nodes(plan) is None:
            # whatever the limit, something else must give way first
            return free.refusal(plan, projection, self.discernibility_limit)
        least = free._least_limit(plan)
        within = replace(self, discernibility_limit=least)
        then = along_with(within._raised_as_well(plan, projection))
        return InfeasibleError(
            "no k-anonymous generalisation that would do is within the discernibility limit of "
            f"{self.discernibility_limit:,}; the nearest limit that would do is {least:,}{then}",
            parameter="discernibility_limit",
        )

    def _not_diverse(
        self, plan: Plan, projection: Projection, limit: int | None
    ) -> InfeasibleError:
        asked = self.diversity
        assert asked is not None, "only a promise of diversity can be broken"
        why = (
            "no k-anonymous generalisation within the limits has a diversity of "
            f"{float(asked.least):g} in every class; "
        )
        less = most_diverse(asked, lambda claim: replace(self, diversity=claim).would_do(plan))
        if less is None:
            return InfeasibleError(f"{why}none would", parameter="diversity")
        raised, bounds = replace(self, diversity=less)._raised(plan)
        then = along_with([*bounds, *raised._raised_as_well(plan, projection, limit)])
        nearest = f"the nearest diversity that would do is {float(less.least):g}{then}"
        return InfeasibleError(f"{why}{nearest}", parameter="diversity")

    def would_do(self, plan: Plan) -> bool:
        """Whether each table of a plan can be diverse enough, however close."""
        return all(self.eligible(attributes).any() for attributes in plan)

    def _raised(self, plan: Plan) -> tuple["Planner", list[tuple[str, str]]]:
        """Return this judge with the least t that a plan can keep, and what it is."""
        missing = max(self._missing(attributes) for attributes in plan)
        if missing <= 0:
            return self, []
        more = exact("t", rounded_up(float(missing)))
        nearest = exact("t", rounded_up(min(1.0, float(self.claim.most + missing))))
        own = tuple((name, min(Fraction(1), exact("t", t) + more)) for name, t in self.claim.own)
        words = rounded_up(float(nearest))
        if own:
            words += f", with own ones raised by {rounded_up(float(missing))}"
        return replace(self, claim=replace(self.claim, t=nearest, own=own)), [("t", words)]

    def _not_close(self, plan: Plan, projection: Projection, limit: int | None) -> InfeasibleError:
        if max(self.nearest(attributes) for attributes in plan) > 1:
            return InfeasibleError(
                f"no k-anonymous generalisation within the limits publishes the {self.n} rows that "
                "`n` asks for; lower `n`",
                parameter="n",
            )
        of_what = "its table" if self.n is None else f"a superset of {self.n} rows"
        raised, ((_, nearest),) = self._raised(plan)
        then = along_with(raised._raised_as_well(plan, projection, limit))
        return InfeasibleError(
            f"no k-anonymous generalisation keeps every attribute within `t` "
            f"{float(self.claim.most):g} of {of_what}; the nearest `t` that would do is "
            f"{nearest}{then}",
            parameter="t",
        )

    def _missing(self, attributes: Sequence[str]) -> Fraction:
        """Return by how much the attributes of one table are above their bounds at best."""
        return self._least({name: self.claim.most_of(name) for name in attributes})

    def nearest(self, attributes: Sequence[str]) -> Fraction:
        """Return the best closeness that the attributes of one table can have together."""
        return self._least(dict.fromkeys(attributes, Fraction(0)))

    def _least(self, bounds: Mapping[str, Fraction]) -> Fraction:
        """Return the least, over the eligible nodes, of the most that a closeness is above."""
        return min(
            max(
                (self.closeness[name][node] - bound for name, bound in bounds.items()), default=ZERO
            )
            for node in np.flatnonzero(self.eligible(tuple(bounds))).tolist()
        )


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


def with_bits(plan: Plan, bits: Mapping[str, Sequence[str]]) -> Plan:
    """Return a plan in which a multi-valued attribute stands as all its bits.

    >>> with_bits((("job",), ("ill",)), {"ill": ("flu", "cold")})
    (('job',), ('ill=flu', 'ill=cold'))
    """
    spelt = {name: tuple(f"{name}={value}" for value in values) for name, values in bits.items()}
    return tuple(
        tuple(each for name in attributes for each in spelt.get(name, (name,)))
        for attributes in plan
    )


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


def refuse_numbers(plan: TablesPlan, data: Microdata | TableElsewhere) -> None:
    """Refuse columns of different tables that number the same rows, as ids would.

    Nothing tells such columns, the ranks in two subjects say, from ids that join the tables. Those
    that are published as they are count too, which is why the records are asked.
    """
    records, people = counted_rows(data)
    seen: dict[frozenset[str], tuple[int, str]] = {}
    for number, recoding in enumerate(plan.recodings):
        unchanged = records.kept if number == 0 else ()
        plain = [name for name in recoding.attributes if name in records.table.columns]
        for name, values in _numbering(recoding, (*unchanged, *plain), records.table, people):
            first, other = seen.setdefault(values, (number, name))
            if first != number:
                raise _joined(other, name, unchanged=other in records.kept)


def _joined(one: str, other: str, *, unchanged: bool) -> InfeasibleError:
    msg = (
        f"{one!r}{', which is published as it is,' if unchanged else ''} and {other!r} hold the "
        "same values, each in one row, so their tables could be joined as by ids; "
        f"{'' if unchanged else 'put both in one table, or '}publish only one"
    )
    return InfeasibleError(msg, parameter=None if unchanged else "plan")


def _numbering(
    recoding: Recoding, names: Sequence[str], table: "pl.DataFrame", people: NDArray[np.int64]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the columns with another value in each published row, and their values."""
    # each combination is somebody's, so there are no fewer rows than these
    least = max(2, recoding.original.height)
    names = [name for name in names if table[name].n_unique() >= least]
    if not names:
        return
    shown = table.with_columns(pl.Series(PEOPLE, people)).join(
        recoding.original, on=recoding.original.columns, how="semi"
    )
    rows = int(shown[PEOPLE].sum())
    for name in names:
        if rows > 1 and shown[name].n_unique() == rows:
            yield name, frozenset(shown[name].to_list())


def refuse_without_secrets(folded: FoldedTable) -> None:
    """Refuse a table without sensitive attributes, or whose multi-valued ones have no value."""
    if not folded.distinct.sensitive:
        msg = "a table must have at least one sensitive attribute for this method, got none"
        raise DataError(msg)
