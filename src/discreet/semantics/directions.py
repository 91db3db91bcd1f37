"""Vectors as directions: what points the same way is related."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray


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


class TermDirections(ABC):
    """Terms as directions: those that point the same way are related."""

    @abstractmethod
    def directions(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Return a row for each term; not a number where nothing is known of it."""

    def distances(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        """Return one less the cosine of each pair, from 0 to 2; unknown ones have none."""
        return cosine_distances(self.directions(one), self.directions(other))

    def joint_distances(
        self, contexts: Sequence[Sequence[str]], terms: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return how far each term is from the mean direction of each context that is known."""
        # all at once: a model is slow for a few terms
        every = self.directions([term for context in contexts for term in context])
        ends = pairwise(accumulate(map(len, contexts), initial=0))
        means = [mean_direction(every[begin:end]) for begin, end in ends]
        along = np.array(means).reshape(len(means), every.shape[1])
        return cosine_distances(along, self.directions(terms))
