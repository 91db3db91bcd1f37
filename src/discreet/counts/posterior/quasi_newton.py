"""L-BFGS: the minimum of a smooth function of thousands of numbers, by its slopes alone.

scipy's hands each of its small matrices to a threaded library, whose threads then spend more time
waiting for work than the function itself takes.
"""

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["minimised"]

Vector: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Vector], tuple[float, Vector]]

MEMORY = 20
"""Steps that are remembered to tell how the slope changes."""
LESS, FLATTER = 1e-4, 0.9
"""The share of the expected fall that a step must bring, and of the slope that it may leave."""
TRIALS = 20
"""Lengths that are tried for one step."""
ENOUGH = 1e-9
"""A relative fall that is not worth another step."""


def minimised(function: Function, start: Vector, steps: int) -> Vector:
    """Go down from ``start`` by so many steps at most; the function returns value and slope.

    >>> lowest = minimised(lambda at: (float(at @ at), 2 * at), np.array([3.0, -4.0]), 9)
    >>> np.allclose(lowest, [0, 0], atol=1e-12)
    True
    """
    at = start
    value, slope = function(at)
    seen: deque[tuple[Vector, Vector, float]] = deque(maxlen=MEMORY)
    for _ in range(steps):
        direction = _direction(slope, seen)
        falling = float(direction @ slope)
        if falling >= 0:
            break
        length, (lower, after) = _step(function, at, direction, value, falling)
        moved, turned = length * direction, after - slope
        bent = float(moved @ turned)
        if bent > 0:
            seen.append((moved, turned, bent))
        fall = value - lower
        at, value, slope = at + moved, lower, after
        if fall <= ENOUGH * max(abs(value), 1.0):
            break
    return at


def _direction(slope: Vector, seen: deque[tuple[Vector, Vector, float]]) -> Vector:
    """Return where to go: the slope, corrected by what earlier steps told of its turns."""
    left, shares = slope.copy(), []
    for moved, turned, bent in reversed(seen):
        share = float(moved @ left) / bent
        left -= share * turned
        shares.append(share)
    if seen:
        _, turned, bent = seen[-1]
        left *= bent / float(turned @ turned)
    else:
        left /= max(float(np.sqrt(slope @ slope)), 1e-300)
    for (moved, turned, bent), share in zip(seen, reversed(shares), strict=True):
        left += (share - float(turned @ left) / bent) * moved
    return -left


def _step(
    function: Function, at: Vector, direction: Vector, value: float, falling: float
) -> tuple[float, tuple[float, Vector]]:
    """Return a length that brings a fall and a flatter slope (Wolfe's conditions), by halving."""
    low, high, length = 0.0, np.inf, 1.0
    for _ in range(TRIALS):
        after = function(at + length * direction)
        if after[0] > value + LESS * length * falling:
            high = length
        elif float(after[1] @ direction) < FLATTER * falling:
            low = length
        else:
            return length, after
        length = (low + high) / 2 if np.isfinite(high) else 2 * length
    return (length, after) if after[0] <= value else (0.0, function(at))
