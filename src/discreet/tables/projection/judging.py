"""Whether a projection plan will do: by what joins may tell and what association is lost."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from discreet.errors import InfeasibleError
from discreet.tables.folding import FoldedTable
from discreet.tables.projection.dependence import ROUNDING, Dependence, Plan, dependence_of


class Judge(ABC):
    """Judges plans of the tables that a folded table may be put into."""

    alpha: Fraction
    """Largest association loss."""
    beta: Fraction
    """Largest information exposure."""

    @property
    @abstractmethod
    def folded(self) -> FoldedTable:
        """The table."""

    @abstractmethod
    def would_keep(self, attributes: Sequence[str]) -> bool:
        """Whether a table of these attributes can keep what is asked of its classes."""

    @abstractmethod
    def refusal(self, plan: Plan, projection: "Projection" = None) -> InfeasibleError:
        """Say which threshold a plan fails first, and the nearest value that would do."""

    @property
    def names(self) -> tuple[str, ...]:
        """The sensitive attributes, multi-valued ones as bits."""
        return self.folded.distinct.sensitive

    @cached_property
    def dependence(self) -> Dependence:
        """What the attributes tell about each other."""
        return dependence_of(self.folded)

    def exposed(self, plan: Plan) -> bool:
        """Whether joins within the tables may tell too much."""
        return self.dependence.exposure(plan) > float(self.beta) + ROUNDING

    def lossy(self, plan: Plan) -> bool:
        """Whether too much association is lost between the tables."""
        return self.dependence.association_loss(plan) > float(self.alpha) + ROUNDING

    def all_would_keep(self, plan: Plan) -> bool:
        """Whether each table of a plan can keep what is asked of its classes."""
        return all(self.would_keep(attributes) for attributes in plan)

    def too_much(self, plan: Plan) -> list[tuple[str, str, float]]:
        """Return the bounds of ratios that a plan breaks, what they bound, and how much it is."""
        loss, exposure = self.dependence.association_loss(plan), self.dependence.exposure(plan)
        both = [("alpha", "association loss", loss), ("beta", "exposure", exposure)]
        broken = {"alpha": self.lossy(plan), "beta": self.exposed(plan)}
        return [each for each in both if broken[each[0]]]

    def by_ratios(self, plan: Plan) -> InfeasibleError:
        """Say which ratio of a plan is too large, and the nearest bounds that would do."""
        (name, word, value), *others = self.too_much(plan)
        bound = self.alpha if name == "alpha" else self.beta
        also = along_with((other, rounded_up(least)) for other, _, least in others)
        return InfeasibleError(
            f"the plan's {word} is {value:.6f}, above `{name}` {float(bound):g}; the nearest "
            f"`{name}` that would do is {rounded_up(value)}{also}",
            parameter=name,
        )


Projection: TypeAlias = Callable[[Judge], Plan] | None
"""What chooses a plan, where it is not given."""


@dataclass(frozen=True, eq=False)
class Ratios(Judge):
    """Judges plans by join-threat and association loss alone.

    A table that is cut class by class can be as close to itself as can be: it may stay one class.
    """

    table: FoldedTable
    """The table."""
    alpha: Fraction
    """Largest association loss."""
    beta: Fraction
    """Largest information exposure."""

    @property
    def folded(self) -> FoldedTable:
        """The table."""
        return self.table

    def would_keep(self, attributes: Sequence[str]) -> bool:
        """Whether a table of these attributes can keep what is asked of its classes."""
        return True

    def refusal(self, plan: Plan, projection: Projection = None) -> InfeasibleError:
        """Say which ratio of a plan is too large, and the nearest bounds that would do."""
        return self.by_ratios(plan)


def rounded_up(number: float) -> str:
    """Return a number of six digits that is not below the given one.

    >>> rounded_up(2 / 3), rounded_up(0.5)
    ('0.666667', '0.5')
    """
    return f"{np.ceil(number * 1e6 - 1e-6) / 1e6:g}"


def along_with(bounds: Iterable[tuple[str, str]]) -> str:
    """Say which bounds must be raised as well, and how far.

    >>> along_with([("alpha", "0.5")]), along_with([])
    (' (with `alpha` at least 0.5)', '')
    """
    words = " and ".join(f"`{name}` at least {value}" for name, value in bounds)
    return f" (with {words})" if words else ""
