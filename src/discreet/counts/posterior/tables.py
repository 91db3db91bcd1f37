"""Tables that may be behind noisy counts: draws from what the counts and the model leave open.

The weights of the model and how far they spread are drawn by Markov chains, the number of people
with each set given the weights and all noisy numbers, and how many items the largest set has by a
law of its own. Nothing here sees data: all is post-processing of noise.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.counts.kernels.posterior_counts import drawn_counts
from discreet.counts.lattice import uniforms
from discreet.counts.posterior.largest_size import largest_size_law
from discreet.counts.posterior.log_linear import SHAPES, Fitted, NoisyTable, agreeing
from discreet.counts.posterior.weights import drawn_weights

__all__ = ["posterior_tables"]

MOST_DRAWS, FEWEST_DRAWS, CELLS = 64, 8, 1 << 19
"""How many weights are drawn: as many as make so many counts, within bounds."""
SWEEPS = 2
"""How often each count is drawn anew, given the others."""
LIMITS = 3
"""Largest sizes that are looked at with each table."""


def posterior_tables(fitted: Fitted, noisy: NoisyTable, rng: Rng) -> NDArray[np.int64]:
    """Return tables that are equally likely, a row each, given the noisy counts."""
    draws = max(FEWEST_DRAWS, min(MOST_DRAWS, CELLS >> noisy.items))
    all_weights = drawn_weights(fitted.model, fitted.weights, draws, rng)
    tables = [_table(fitted, noisy, weights, rng) for weights in all_weights]
    # spread evenly over the law, each table with a low, a middle and a high one
    chances = (np.arange(LIMITS * draws) + 0.5) / (LIMITS * draws)
    largest = np.searchsorted(np.cumsum(largest_size_law(noisy)), chances)
    return np.array(
        [
            np.where(noisy.size <= limit, tables[index % draws], 0)
            for index, limit in enumerate(largest.tolist())
        ]
    )


def _table(
    fitted: Fitted, noisy: NoisyTable, weights: NDArray[np.float64], rng: Rng
) -> NDArray[np.int64]:
    """Draw how many people hold each set where these are the weights of the model."""
    model, crowds = fitted.model, fitted.crowds
    log_mean, moments = model.moments(weights)
    means = np.where(crowds > 0, crowds, np.exp(log_mean)) * noisy.inside
    # rounded by chance, so that no size has too few or too many people to begin with
    posterior = agreeing(noisy, moments, crowds)
    drawn = np.floor(posterior + uniforms(len(posterior), rng)).astype(np.int64)
    rates = (noisy.epsilon, noisy.size_epsilon)
    for _ in range(SWEEPS):
        chances = uniforms(len(drawn), rng)
        drawn_counts(
            means, SHAPES[model.shape], noisy.size, noisy.counts, noisy.sizes, rates, drawn, chances
        )
    return drawn
