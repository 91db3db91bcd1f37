"""Hamiltonian Monte Carlo: draws from a law of many numbers whose log density has a slope.

A draw moves like a body without friction on the landscape of the negative log density, pushed
anew each time, so that thousands of numbers go far together and what is drawn is hardly like what
was drawn before it (Duane, Kennedy, Pendleton and Roweth 1987; Neal 2011).
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.counts.lattice import uniforms

__all__ = ["hamiltonian_draws"]

Vector: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Vector], tuple[float, Vector]]

LEAPS = 12
"""Steps from one draw to the next."""
WARM_UP = 6
"""Moves from the start by which the length of a step is found; they are not drawn."""
FIRST_STEP, LEARNING, ACCEPTED = 0.3, 0.5, 0.75
"""The length of a step to begin with, how fast it adapts, and how often moves shall succeed."""


def hamiltonian_draws(function: Function, start: Vector, count: int, rng: Rng) -> Iterator[Vector]:
    """Yield draws from the law whose negative log density and slope the function returns.

    ``start`` is best its mode, and its numbers should vary by about 1 each.

    >>> from discreet.rng import seeded
    >>> normal = lambda at: (float(at @ at) / 2, at)
    >>> drawn = np.array(list(hamiltonian_draws(normal, np.zeros(50), 40, seeded(1))))
    >>> bool(0.9 < drawn.std() < 1.1)
    True
    """
    at, step = start, FIRST_STEP
    value, slope = function(at)
    for turn in range(WARM_UP + count):
        momentum, chances = _normals(len(at), rng), uniforms(2, rng)
        before = value + float(momentum @ momentum) / 2
        # lengths that differ keep a move from ending where it began
        length = step * (0.7 + 0.6 * float(chances[0]))
        moved, (there, turned), momentum = _leaped(function, at, slope, momentum, length)
        rise = there + float(momentum @ momentum) / 2 - before
        chance = float(np.exp(-max(rise, 0.0))) if np.isfinite(rise) else 0.0
        if chances[1] < chance:
            at, value, slope = moved, there, turned
        if turn < WARM_UP:
            step *= float(np.exp(LEARNING * (chance - ACCEPTED)))
        else:
            yield at


def _leaped(
    function: Function, at: Vector, slope: Vector, momentum: Vector, length: float
) -> tuple[Vector, tuple[float, Vector], Vector]:
    """Follow the motion by leaps: push by half, then move and push, and by half at the end."""
    momentum = momentum - length / 2 * slope
    for leap in range(1, LEAPS + 1):
        at = at + length * momentum
        value, slope = function(at)
        momentum = momentum - (length if leap < LEAPS else length / 2) * slope
    return at, (value, slope), momentum


def _normals(count: int, rng: Rng) -> Vector:
    from scipy.special import ndtri

    return np.asarray(ndtri(uniforms(count, rng)))
