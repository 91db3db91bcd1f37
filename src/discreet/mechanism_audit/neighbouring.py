"""Two data sets that differ by one person: what a promise of differential privacy is about."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError

Law: TypeAlias = Mapping[int, Fraction | float]
"""The probability of each outcome of one step."""

LARGEST_EPSILON = 100
"""The largest epsilon whose laws are written down: floating point holds no smaller chances."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbouringPair:
    """Two neighbouring data sets on which a mechanism would show what it gives away."""

    shows: str
    """What this pair brings to light."""
    one: Transactions
    """The data without the person, or as the person was."""
    other: Transactions
    """The data with the person, or as the person could have been."""
    universe: tuple[str, ...]
    """The public items of both, in their order."""
    sizes: tuple[int, int | None] = (0, None)
    """The smallest and the largest itemset to look at; None: as large as the universe."""
    laws: tuple[Law, Law] | None = None
    """The exact law of the step in question on either data set, where it can be computed."""

    def __post_init__(self) -> None:
        one, other = (
            Counter(data.over(self.universe).folded.as_dict()) for data in (self.one, self.other)
        )
        moved = (one - other).total(), (other - one).total()
        if max(moved) != 1:
            msg = (
                f"a neighbouring pair must differ by one person's record, got {moved[0]} records "
                f"that are only in one and {moved[1]} that are only in the other"
            )
            raise ParameterError(msg)


def crowd(universe: tuple[str, ...], counts: Mapping[tuple[str, ...], int]) -> Transactions:
    """Return data in which each set is held by so many people.

    >>> crowd(("a", "b"), {("a", "b"): 2, (): 1}).folded.as_dict()
    {(): 1, ('a', 'b'): 2}
    """
    times = np.array([*counts.values()], dtype=np.int64)
    return Transactions(Itemsets.of(counts, universe).take(np.repeat(np.arange(len(times)), times)))


def laws_of(
    law: Callable[[int], Law], counts: tuple[int, int], epsilon: Fraction
) -> tuple[Law, Law] | None:
    """Return the laws of a step on two neighbouring counts, unless epsilon is too large for them.

    A probability that floating point takes for 0 would look like a step that keeps no epsilon.
    """
    return (law(counts[0]), law(counts[1])) if epsilon <= LARGEST_EPSILON else None
