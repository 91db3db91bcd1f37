"""A counting query, as one asks it of a server that answers with noise."""

from dataclasses import dataclass
from fractions import Fraction

from discreet.core.exact import Exact, exact, positive
from discreet.core.histogram import ItemsetHistogram
from discreet.errors import ParameterError

LARGEST_TERM = 1 << 56
"""What numerator and denominator of a budget stay below: noise is drawn at it in machine words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """How many people hold all of some items, or exactly these.

    >>> Query(items=("beer", "bread", "beer"), epsilon="0.1")
    Query(items=('beer', 'bread'), epsilon=Fraction(1, 10), exactly=False)
    """

    items: tuple[str, ...]
    """The items asked for; each counts once."""
    epsilon: Exact
    """The privacy budget to spend on the answer."""
    exactly: bool = False
    """Whether people who hold further items do not count."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", tuple(dict.fromkeys(self.items)))
        budget = positive("epsilon", self.epsilon)
        if max(budget.as_integer_ratio()) >= LARGEST_TERM:
            # refused by the noise, it would have been paid for
            msg = f"`epsilon` must have fewer digits, got {self.epsilon}"
            raise ParameterError(msg, parameter="epsilon")
        object.__setattr__(self, "epsilon", budget)

    @property
    def budget(self) -> Fraction:
        """Epsilon as an exact fraction."""
        return exact("epsilon", self.epsilon)

    def count(self, people: ItemsetHistogram) -> int:
        """Return the true answer; an item nobody has heard of is held by nobody.

        >>> people = ItemsetHistogram.of({("beer", "bread"): 20, ("beer",): 3})
        >>> [
        ...     Query(items=("beer",), epsilon=1, exactly=exactly).count(people)
        ...     for exactly in (False, True)
        ... ]
        [23, 3]
        """
        rows = people.sets.holding(self.items)
        if self.exactly:
            rows = rows[people.sets.sizes[rows] == len(self.items)]
        return int(people.counts[rows].sum())
