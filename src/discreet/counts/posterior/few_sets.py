"""Whether everybody holds one of a few sets, as far as noisy counts tell.

The log-linear model spreads people over all sets, and leaves some on sets that nobody holds. Where
a few counts that noise cannot make explain everything, it is far more likely that there is nobody
else. Nothing here sees data: all is post-processing of noise.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.counts.posterior.log_linear import SHAPES, Fitted, NoisyTable

__all__ = ["few_sets"]

Table: TypeAlias = NDArray[np.float64]

ODDS = 1e6
"""So many times as likely as by the model the noisy numbers must be; how likely is told roughly."""
UNHEARD_OF, SEEMING = 100, 2.0
"""Of so many tables noise makes up people of some size in one, and how many times its scale beyond
which people seem to be there at all."""


def few_sets(noisy: NoisyTable, fitted: Fitted) -> Table | None:
    """Return the noisy counts that noise cannot make, if nobody holds another set, or nothing."""
    crowds = np.where(noisy.inside & (noisy.counts > noisy.out_of_reach), noisy.counts, 0)
    if _somebody_else(noisy, crowds):
        return None
    if _of_few_sets(noisy, crowds) <= _of_model(noisy, fitted) + np.log(ODDS):
        return None
    return crowds.astype(np.float64)


def _somebody_else(noisy: NoisyTable, crowds: NDArray[np.int64]) -> bool:
    """Tell whether more people are left than noise makes up, of any size or of all together."""
    left = noisy.without(crowds).sizes[: noisy.largest + 1]
    variances = _variances(noisy, crowds)[: noisy.largest + 1]
    unheard_of = np.log(UNHEARD_OF * len(left)) * np.sqrt(variances / 2)
    return bool((left > unheard_of).any() or left.sum() > SEEMING * np.sqrt(variances.sum()))


def _variances(noisy: NoisyTable, crowds: NDArray[np.int64]) -> Table:
    """Return those of the numbers of people of each size who are left, without these."""
    of_counts = 2 / noisy.epsilon**2 * noisy.by_size((crowds > 0).astype(np.float64))
    return np.asarray(noisy.size_variance + of_counts)


def _of_few_sets(noisy: NoisyTable, crowds: NDArray[np.int64]) -> float:
    """Return the log of how likely the noisy numbers are if only these sets are held."""
    rest = noisy.without(crowds)
    rates = np.sqrt(2 / _variances(noisy, crowds))
    by_size = np.log(rates / 2) - rates * np.abs(rest.sizes)
    by_set = -noisy.epsilon * np.abs(rest.counts[noisy.inside])
    return float(by_set.sum() + by_size[: noisy.largest + 1].sum()) + _of_choosing(noisy, crowds)


def _of_model(noisy: NoisyTable, fitted: Fitted) -> float:
    """Return the log of how likely they are by the model, all weights considered (Laplace)."""
    model, weights = fitted.model, fitted.weights
    table, groups = model.table, len(model.groups)
    log_mean, moments = model.moments(weights)
    likely = np.where(table.counts > model.likelihood.most, _of_large(fitted), moments[1])
    expected = table.by_size(np.exp(log_mean) * table.inside)
    noise = model.noise_of_sizes(log_mean)
    by_size = -((table.sizes - expected) ** 2) / noise / 2 - np.log(2 * np.pi * noise) / 2
    precision = model.posterior_at(weights).precision[:groups]
    narrowed = np.log1p(model.curvature(moments[4]) / precision)
    by_weight = -(precision * weights[:groups] ** 2 + narrowed) / 2
    total = likely[table.inside].sum() + by_size[: table.largest + 1].sum() + by_weight.sum()
    return float(total) + _of_choosing(noisy, fitted.crowds)


def _of_large(fitted: Fitted) -> Table:
    """Return the logs for counts beside which the noise hardly matters."""
    from scipy.special import gammaln

    table, model = fitted.model.table, fitted.model
    shape, counts = SHAPES[model.shape][table.size], np.maximum(table.counts, 0).astype(np.float64)
    tail = np.log(shape + np.exp(model.log_mean(fitted.weights)))
    law = gammaln(counts + shape) - gammaln(shape) - gammaln(counts + 1)
    law += counts * (model.log_mean(fitted.weights) - tail) + shape * (np.log(shape) - tail)
    return np.asarray(law + np.log(2 / table.epsilon))


def _of_choosing(noisy: NoisyTable, crowds: NDArray[np.int64]) -> float:
    """Return the log of how likely it was beforehand that these sets are held by so many people.

    Any number of sets is as likely, and so are any so many sets and any number of people.
    """
    from scipy.special import gammaln

    sets, chosen = int(noisy.inside.sum()), int((crowds > 0).sum())
    ways = gammaln(sets + 1) - gammaln(chosen + 1) - gammaln(sets - chosen + 1)
    people = max(float(noisy.sizes.sum()), 2.0)
    return float(chosen * np.log(2 / noisy.epsilon / people) - ways)
