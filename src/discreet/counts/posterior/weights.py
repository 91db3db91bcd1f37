"""Weights of the log-linear model, drawn from what noisy counts leave open.

How far the weights of each order of item groups spread is drawn too. Fitted, it comes out near
nothing where noise tells little, and a model in which items are unrelated expects too much of
itself.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.randomness import Rng
from discreet.counts.lattice import uniforms
from discreet.counts.posterior.hamiltonian import FIRST_STEP, adapted, moved, normals
from discreet.counts.posterior.log_linear import FIRST_SPREADS, LogLinearModel, WeightsPosterior

__all__ = ["drawn_weights"]

Table: TypeAlias = NDArray[np.float64]

WARM_UP = 8
"""Moves from the start by which the length of a step is found; they are not drawn."""
LOG_SPREADS: Table = np.linspace(np.log(1e-3), np.log(8.0), 240)
"""Logs of the standard deviations of weights that are looked at."""
STRIDES = (1.2, 0.4)
"""How far the log of a standard deviation moves together with its weights, by turns."""


def drawn_weights(model: LogLinearModel, start: Table, count: int, rng: Rng) -> Iterator[Table]:
    """Yield draws of the weights; ``start`` are those that explain the counts best.

    Weights move by Hamiltonian Monte Carlo, given how far those of each order spread. The spreads
    follow in two ways (Yu and Meng 2011): given the weights, which serves where counts tell these
    well, and by stretching all weights of an order, which goes far where counts tell little.
    """
    posterior, at, step = model.posterior_at(start), start, FIRST_STEP
    for turn in range(WARM_UP + count):
        move = moved(posterior.loss, at / posterior.scale, step, rng)
        stride = STRIDES[turn % len(STRIDES)]
        at, precision = _with_spreads(posterior, move.at * posterior.scale, model, stride, rng)
        posterior = replace(posterior, precision=precision)
        if turn < WARM_UP:
            step = adapted(step, move)
        else:
            yield at


def _with_spreads(
    posterior: WeightsPosterior, at: Table, model: LogLinearModel, stride: float, rng: Rng
) -> tuple[Table, Table]:
    """Draw how far the weights of each order spread; return weights and their precisions."""
    precision = posterior.precision.copy()
    orders = np.concatenate([model.order, np.zeros(model.sizes, dtype=np.int64)])
    likely = posterior.likelihood(at)[0]
    for order in range(1, int(orders.max()) + 1):
        members = orders == order
        chances = uniforms(2, rng)
        log_spread = _spread_given(at[members], order, float(chances[0]))
        other = log_spread + stride * float(normals(1, rng)[0])
        stretched = np.where(members, at * np.exp(other - log_spread), at)
        likely_then = posterior.likelihood(stretched)[0]
        gain = (
            likely_then - likely + float(_log_prior(other, order) - _log_prior(log_spread, order))
        )
        if np.log(chances[1]) < gain:
            at, likely, log_spread = stretched, likely_then, other
        precision[members] = np.exp(-2 * log_spread)
    return at, precision


def _spread_given(weights: Table, order: int, chance: float) -> float:
    """Draw the log of how far the weights of an order spread, given what they are."""
    fits = -len(weights) * LOG_SPREADS - (weights @ weights) / 2 * np.exp(-2 * LOG_SPREADS)
    odds = fits + _log_prior(LOG_SPREADS, order)
    chances = np.cumsum(np.exp(odds - odds.max()))
    return float(LOG_SPREADS[np.searchsorted(chances, chance * chances[-1])])


def _log_prior(log_spread: Table | float, order: int) -> Table:
    """Return how likely a log of a standard deviation is beforehand: by a half-Cauchy law."""
    logs = np.asarray(log_spread)
    odds = logs - np.log1p(np.exp(2 * logs) / FIRST_SPREADS[order])
    return np.where((logs >= LOG_SPREADS[0]) & (logs <= LOG_SPREADS[-1]), odds, -np.inf)
