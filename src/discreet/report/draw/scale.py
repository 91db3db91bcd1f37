"""From numbers to places on the paper, with round numbers to mark the way."""

from dataclasses import dataclass, replace
from math import asinh, ceil, floor, log10
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["linear", "log", "symlog"]
"""symlog: like log, and it has room for 0."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where numbers from ``low`` to ``high`` stand between two places.

    >>> scale = Scale(0, 10, 0, 100)
    >>> scale(5), scale.ticks()
    (50.0, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0])
    >>> Scale(0, 5000, 0, 1, "symlog").ticks()
    [0.0, 1.0, 10.0, 100.0, 1000.0]
    """

    low: float
    high: float
    start: float
    end: float
    kind: Kind = "linear"

    def __call__(self, value: float) -> float:
        """Return the place of a number."""
        low, high = self._bent(self.low), self._bent(self.high)
        share = (self._bent(value) - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def _bent(self, value: float) -> float:
        if self.kind == "log":
            return log10(value)
        return asinh(value) if self.kind == "symlog" else float(value)

    def ticks(self, most: int = 6) -> list[float]:
        """Return round numbers on the way, at most so many."""
        if self.kind == "linear":
            return self._steps(most)
        low = self.low if self.kind == "log" else max(1.0, self.low)
        powers = range(ceil(log10(low) - 1e-9), floor(log10(max(self.high, low)) + 1e-9) + 1)
        step = max(1, ceil(len(powers) / most))
        zero = [0.0] if self.kind == "symlog" and self.low <= 0 else []
        ticks = zero + [10.0**power for power in powers[::step]]
        return ticks if len(ticks) > 2 else self._between(zero)

    def to_next_tick(self, most: int = 6) -> "Scale":
        """Return the scale with its end at a round number, so that nothing stands above the last.

        >>> Scale(0, 0.96, 0, 1).to_next_tick(5).high
        1.0
        """
        ticks = self.ticks(most)
        if len(ticks) < 2:
            return self
        step = ticks[1] - ticks[0]
        return replace(self, high=round(step * ceil(self.high / step - 1e-9), 12))

    def _between(self, zero: list[float]) -> list[float]:
        """Return 1, 2 and 5 times powers of ten, where powers alone are too few."""
        low = self.low if self.kind == "log" else max(1.0, self.low)
        powers = range(floor(log10(low)), floor(log10(max(self.high, low))) + 1)
        every = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
        ticks = [round(tick, 12) for tick in every if low <= tick <= self.high]
        return zero + ticks if len(zero + ticks) > 1 else [self.low, self.high]

    def _steps(self, most: int) -> list[float]:
        width = self.high - self.low
        if width <= 0:
            return [self.low]
        raw = width / most
        size = 10.0 ** floor(log10(raw))
        step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= raw * (1 - 1e-9))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(multiple * step, 12) for multiple in range(first, last + 1)]
