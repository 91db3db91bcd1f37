"""Hamiltonian Monte Carlo: draws from a law of many numbers whose log density has a slope.

A draw moves like a body without friction on the landscape of the negative log density, pushed
anew each time, so that thousands of numbers go far together and what is drawn is hardly like what
was drawn before it (Duane, Kennedy, Pendleton and Roweth 1987; Neal 2011).
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.counts.lattice import uniforms

__all__ = ["FIRST_STEP", "Move", "adapted", "moved", "normals"]

Vector: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Vector], tuple[float, Vector]]

LEAPS = 12
"""Steps from one draw to the next."""
FIRST_STEP, LEARNING, ACCEPTED = 0.3, 0.5, 0.75
"""The length of a step to begin with, how fast it adapts, and how often moves shall succeed."""


class Move(NamedTuple):
    """Where a move ended, which is where it began if it was refused."""

    at: Vector
    chance: float
    """How likely it was not to be refused."""


def moved(function: Function, at: Vector, step: float, rng: Rng) -> Move:
    """Move from one draw to the next, by steps of about this length.

    The function returns the negative log density and its slope. The numbers should vary by about
    1 each, and the first draw is best the mode.

    >>> from discreet.rng import seeded
    >>> chance, at, drawn = seeded(1), np.zeros(50), []
    >>> for _ in range(40):
    ...     at = moved(lambda at: (float(at @ at) / 2, at), at, FIRST_STEP, chance).at
    ...     drawn.append(at)
    >>> bool(0.9 < np.std(drawn) < 1.1)
    True
    """
    value, slope = function(at)
    momentum, chances = normals(len(at), rng), uniforms(2, rng)
    before = value + float(momentum @ momentum) / 2
    # lengths that differ keep a move from ending where it began
    length = step * (0.7 + 0.6 * float(chances[0]))
    end, value, momentum = _leaped(function, at, slope, momentum, length)
    rise = value + float(momentum @ momentum) / 2 - before
    chance = float(np.exp(-max(rise, 0.0))) if np.isfinite(rise) else 0.0
    return Move(end if chances[1] < chance else at, chance)


def adapted(step: float, move: Move) -> float:
    """Return a longer step after a move that was likely to succeed, or a shorter one."""
    return step * float(np.exp(LEARNING * (move.chance - ACCEPTED)))


def normals(count: int, rng: Rng) -> Vector:
    """Draw numbers from the standard normal law."""
    from scipy.special import ndtri

    return np.asarray(ndtri(uniforms(count, rng)))


def _leaped(
    function: Function, at: Vector, slope: Vector, momentum: Vector, length: float
) -> tuple[Vector, float, Vector]:
    """Follow the motion by leaps: push by half, then move and push, and by half at the end."""
    momentum = momentum - length / 2 * slope
    for leap in range(1, LEAPS + 1):
        at = at + length * momentum
        value, slope = function(at)
        momentum = momentum - (length if leap < LEAPS else length / 2) * slope
    return at, value, momentum
