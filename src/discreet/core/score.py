"""How often an attack is right, beside what anybody could have guessed: the records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

Z = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


WIDEST = 0.75
"""An interval of shares that is wider tells nothing."""


def too_wide(low: float, high: float) -> bool:
    """Whether an interval of shares is so wide that it tells nothing.

    Parameters
    ----------
    low
        Its lower end.
    high
        Its upper end.

    Returns
    -------
    bool
        Whether to say so in place of it.
    """
    return high - low > WIDEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share of people with its 95 % interval (Wilson 1927).

    >>> rate = Rate(share=0.9, people=100)
    >>> round(rate.low, 3), round(rate.high, 3)
    (0.826, 0.945)
    """

    share: float
    """The mean over the people; 0 where there are none."""
    people: int
    """How many people it is a mean over."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return max(0.0, self._centre - self._margin)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return min(1.0, self._centre + self._margin)

    @property
    def interval(self) -> str:
        """The interval in words; of too few people it says nothing, and says so.

        >>> Rate(share=0.9, people=100).interval, Rate(share=1, people=1).interval
        ('82.6 % to 94.5 %', 'too few people')
        """
        if too_wide(self.low, self.high):
            return "too few people" if self.people else "nobody to count"
        return f"{100 * self.low:.1f} % to {100 * self.high:.1f} %"

    @property
    def _centre(self) -> float:
        return (self.people * self.share + Z * Z / 2) / (self.people + Z * Z)

    @property
    def _margin(self) -> float:
        # of all values from 0 to 1 with this mean, 0 and 1 scatter most: never too narrow
        variance = self.people * self.share * (1 - self.share) + Z * Z / 4
        return Z * sqrt(max(0.0, variance)) / (self.people + Z * Z)

    def less(self, other: "Rate") -> tuple[float, float] | None:
        """Return the 95 % interval of this share less another (Newcombe 1998); None of nobody.

        Parameters
        ----------
        other
            The share that is taken off.

        Returns
        -------
        (float, float) or None
            Both ends.
        """
        if not self.people or not other.people:
            return None
        difference = self.share - other.share
        below = sqrt((self.share - self.low) ** 2 + (other.high - other.share) ** 2)
        above = sqrt((self.high - self.share) ** 2 + (other.share - other.low) ** 2)
        return difference - below, difference + above

    def record(self) -> dict[str, Any]:
        """Return the rate as a plain mapping."""
        return {"share": self.share, "low": self.low, "high": self.high, "people": self.people}


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """How often an attack is right beside how often anybody would have been.

    >>> success, baseline = Rate(share=0.9, people=100), Rate(share=0.5, people=100)
    >>> Advantage(words="finds {share}", success=success, baseline=baseline).beats_baseline
    True
    """

    words: str
    """What the attack does, with ``{share}`` where its success is written."""
    success: Rate
    """How often it is right."""
    baseline: Rate
    """How often who knows no more than base rates would have been."""

    @property
    def mean(self) -> float:
        """How far the success lies above the baseline; 0 where it does not, or about nobody."""
        return max(0.0, self.success.share - self.baseline.share) if self.success.people else 0.0

    @property
    def low(self) -> float:
        """The advantage by the lower end of the 95 % interval; none about nobody."""
        return self.success.low - self.baseline.share if self.success.people else 0.0

    @property
    def beats_baseline(self) -> bool:
        """Whether the baseline lies below the whole 95 % interval."""
        return self.low > 0

    @property
    def below_baseline(self) -> bool:
        """Whether the baseline lies above the whole 95 % interval: who guesses does better."""
        return bool(self.success.people) and self.success.high < self.baseline.share


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What the claims of an attack are worth against the truth, in any family."""

    claims: int
    """Claims scored."""
    advantages: tuple[Advantage, ...]
    """Every way in which claims can be right more often than by chance, the main one first."""
    rates: tuple[tuple[str, Rate], ...]
    """The shares that matter, each with its words."""
    remarks: tuple[str, ...] = ()
    """What else is to be said, in sentences."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """All numbers by the names under which they are written: rates, counts and means."""

    @property
    def success(self) -> Rate:
        """How often the claims are right."""
        return self.advantages[0].success

    @property
    def baseline(self) -> Rate:
        """How often who knows no more than base rates would have been."""
        return self.advantages[0].baseline

    def record(self) -> dict[str, Any]:
        """Return the score as a plain mapping."""
        written = {
            name: value.record() if isinstance(value, Rate) else value
            for name, value in self.figures.items()
        }
        return {"claims": self.claims} | written
