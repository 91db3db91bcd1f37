"""Draws of weights and of how far they spread: against laws that are known otherwise."""

from dataclasses import dataclass

import numpy as np
import pytest

from discreet.counts.posterior.log_linear import FIRST_SPREADS, WeightsPosterior, fit
from discreet.counts.posterior.weights import drawn_weights
from discreet.rng import seeded
from tests.counts.noisy_tables import ITEMS, noisy_table

PAIRS = 2
COUNT = 12
"""Weights of one order."""


@dataclass(frozen=True)
class Measured:
    """In place of the model: weights of one order that were measured with normal errors."""

    values: np.ndarray
    error: float
    sizes: int = 0

    @property
    def order(self) -> np.ndarray:
        return np.full(len(self.values), PAIRS)

    def posterior_at(self, weights: np.ndarray) -> WeightsPosterior:
        def likelihood(at: np.ndarray) -> tuple[float, np.ndarray]:
            off = (self.values - at) / self.error
            return -float(off @ off) / 2, off / self.error

        curvature = np.full(len(weights), self.error**-2)
        return WeightsPosterior(likelihood, curvature, np.ones(len(weights)))


def drawn(model, start: np.ndarray, count: int, seed: int) -> np.ndarray:
    return np.array(list(drawn_weights(model, start, count, seeded(seed))))


def posterior_scatter(values: np.ndarray, error: float) -> float:
    """Return the mean square of the weights by summing over how far they may spread."""
    spreads = np.exp(np.linspace(np.log(1e-3), np.log(8), 4000))
    variances = spreads**2 + error**2
    fits = -len(values) / 2 * np.log(variances) - (values @ values) / 2 / variances
    # half-Cauchy, and the spreads are evenly spaced in their logs
    fits += np.log(spreads) - np.log1p(spreads**2 / FIRST_SPREADS[PAIRS])
    chances = np.exp(fits - fits.max())
    kept = spreads**2 / variances
    squares = (kept**2 * (values @ values) + len(values) * kept * error**2) / len(values)
    return float((chances * squares).sum() / chances.sum())


@pytest.mark.parametrize(
    ("error", "true"), [(0.1, 0.7), (1.0, 0.7), (3.0, 0.7), (0.1, 0.02), (1.0, 0.02)]
)
def test_weights_scatter_as_their_law_says_whatever_is_known_of_them(error: float, true: float):
    generator = np.random.default_rng(3)
    values = generator.normal(0, true, COUNT) + generator.normal(0, error, COUNT)
    draws = drawn(Measured(values, error), values / 2, 4000, 1)
    due = posterior_scatter(values, error)
    assert (draws**2).mean() == pytest.approx(due, rel=0.15)


def test_where_noise_tells_little_items_may_be_related_although_the_fit_says_not():
    """A model of unrelated items would be sure of itself; such a fit is no trap for the draws."""
    held = np.random.default_rng(7).random((100, ITEMS)) < 0.25
    counts = np.bincount((held << np.arange(ITEMS)).sum(axis=1), minlength=1 << ITEMS)
    sizes = np.bincount(held.sum(axis=1), minlength=ITEMS + 1)
    fitted = fit(noisy_table(dict(enumerate(counts.tolist())), sizes.tolist(), epsilon=0.1))
    pairs = np.flatnonzero(fitted.model.order == PAIRS)
    fitted.model.spreads[PAIRS], fitted.weights[pairs] = 1e-6, 0
    draws = drawn(fitted.model, fitted.weights, 64, 2)[:, pairs]
    assert np.quantile(np.abs(draws), 0.9) > 0.3


def test_where_counts_tell_much_weights_stay_near_the_best():
    held = np.random.default_rng(5).random((200_000, ITEMS)) < 0.3
    counts = np.bincount((held << np.arange(ITEMS)).sum(axis=1), minlength=1 << ITEMS)
    sizes = np.bincount(held.sum(axis=1), minlength=ITEMS + 1)
    fitted = fit(noisy_table(dict(enumerate(counts.tolist())), sizes.tolist()))
    draws = drawn(fitted.model, fitted.weights, 30, 3)
    logs = np.array([fitted.model.log_mean(weights) for weights in draws])
    assert logs.mean(axis=0) == pytest.approx(np.log(counts), abs=0.3)
