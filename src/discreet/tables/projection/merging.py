"""Which two tables of a plan to merge: the mean mutual information of each pair, kept up."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.tables.projection.dependence import Dependence, Plan


def merged(plan: Plan, one: int, other: int) -> Plan:
    """Return the plan in which two tables are one, which comes last.

    >>> merged((("a",), ("b",), ("c",)), 0, 2)
    (('b',), ('a', 'c'))
    """
    rest = [part for index, part in enumerate(plan) if index not in (one, other)]
    return (*rest, (*plan[one], *plan[other]))


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of tables of a plan that may still be merged.

    An attribute may have thousands of values, each a table to begin with, so only pairs with the
    table that was merged last are worked out again.
    """

    average: NDArray[np.float64]
    """Mean mutual information inside two tables together, above the diagonal; else -inf."""

    @classmethod
    def of(cls, dependence: Dependence) -> "Pairs":
        """Return the pairs of single attributes."""
        below = np.tri(len(dependence.names), dtype=np.bool_)
        return cls(np.where(below, -np.inf, dependence.mutual))

    def best_first(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs, highest first; equal ones in the order of the tables."""
        flat, width = self.average.ravel(), len(self.average)
        if not width or not np.isfinite(best := flat.max()):
            return
        first = int(np.argmax(flat == best))
        yield divmod(first, width)
        # the first mostly does, and sorting all takes far longer than finding it
        rest = np.flatnonzero(np.isfinite(flat))
        rest = rest[np.argsort(-flat[rest], kind="stable")]
        for index in rest[rest != first].tolist():
            yield divmod(index, width)

    def give_up(self, one: int, other: int) -> None:
        """Leave out a pair that cannot be merged, and could not be later either."""
        self.average[one, other] = -np.inf

    def merged(
        self, dependence: Dependence, plan: Plan, pair: tuple[int, int]
    ) -> "tuple[Plan, Pairs]":
        """Return the plan after a merge, and its pairs."""
        after = merged(plan, *pair)
        rest = np.delete(np.arange(len(plan)), pair)
        average = np.full((len(after), len(after)), -np.inf)
        average[:-1, :-1] = self.average[np.ix_(rest, rest)]
        for index, part in enumerate(after[:-1]):
            average[index, -1] = dependence.average((*part, *after[-1]))
        return after, Pairs(average)
