"""Counts drawn from what their noisy values and a model say of them."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["drawn_counts"]

REACH = 15.0
"""Noise that goes so many times its scale beyond a count does not happen."""
NEAR = 4.0
"""Counts up to so many times that are looked at from 0, where the model may want them."""


@kernel
def _weighed(
    weights: NDArray[np.float64],
    first: int,
    model: tuple[float, float],
    noisy: tuple[int, int],
    rates: tuple[float, float],
) -> float:
    """Weigh the counts from ``first`` on, and return the sum of their weights.

    ``model`` is the shape of a negative binomial law and the ratio of its tail, ``noisy`` the
    noisy count and what is left of the noisy number of its size, ``rates`` how fast the noise of
    either falls off. One weight follows from the one before by a factor.
    """
    shape, tail = model
    up, down = np.exp(rates[0]), np.exp(-rates[0])
    size_up, size_down = np.exp(rates[1]), np.exp(-rates[1])
    weights[0] = 1.0
    total = 1.0
    for index in range(1, len(weights)):
        count = first + index
        factor = (count - 1 + shape) / count * tail
        factor *= up if count <= noisy[0] else down
        factor *= size_up if count <= noisy[1] else size_down
        weights[index] = weights[index - 1] * factor
        total += weights[index]
    return total


@kernel
def drawn_counts(
    means: NDArray[np.float64],
    shapes: NDArray[np.float64],
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
    totals: NDArray[np.int64],
    rates: tuple[float, float],
    drawn: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    """Draw each set's count anew, given all others of its size, in place (a Gibbs sweep).

    ``means`` are what the model expects of each set, nothing of those that cannot occur,
    ``shapes`` how far counts of each size scatter, ``counts`` and ``totals`` the noisy counts of
    sets and sizes, ``rates`` the budgets of either, ``drawn`` whole numbers to begin with.
    """
    reach = int(REACH / rates[0]) + 2
    weights = np.zeros(int((NEAR + 1) * reach) + 2)
    present = np.zeros(len(totals), dtype=np.int64)
    for index in range(len(drawn)):
        present[sizes[index]] += drawn[index]
    for index in range(len(drawn)):
        if means[index] <= 0.0:
            continue
        size, count = sizes[index], counts[index]
        others = present[size] - drawn[index]
        first = count - reach if count > NEAR * reach else 0
        window = weights[: max(count + reach, reach) - first + 1]
        model = (shapes[size], means[index] / (shapes[size] + means[index]))
        left = chances[index] * _weighed(
            window, first, model, (count, totals[size] - others), rates
        )
        chosen = 0
        while left > window[chosen] and chosen < len(window) - 1:
            left -= window[chosen]
            chosen += 1
        drawn[index] = first + chosen
        present[size] = others + drawn[index]
