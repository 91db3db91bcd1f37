"""Vectors as directions: what points the same way is related."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["cosine_distances", "direction_of", "mean_direction"]


def direction_of(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the direction of a vector; of one without a length nothing is known."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-9 else np.full_like(vector, np.nan)


def mean_direction(directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the direction of the sum of those that are known."""
    known = directions[np.isfinite(directions).all(axis=1)]
    return direction_of(known.sum(axis=0))


def cosine_distances(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return one less the cosine of each pair of directions; not a number where one is unknown."""
    return np.clip(1 - one @ other.T, 0.0, 2.0)
