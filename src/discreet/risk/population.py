"""How many people of the data would be alone in the population, by models of the field."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from discreet.errors import ParameterError

SMALL_SAMPLE: Final = 0.1
"""Up to this share of the population Dankar's rule takes Pitman's model."""

Sizes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Population uniqueness by one model."""

    model: str
    """Its name."""
    unique_share: float | None
    """The share of the population that is alone with what is known; None: it did not converge."""


def population_uniqueness(sizes: Sizes, fraction: float) -> tuple[Estimate, tuple[Estimate, ...]]:
    """Return the estimate that Dankar's rule chooses, and those of the three models.

    ``sizes`` are the sizes of the classes of a simple random sample, ``fraction`` its share of the
    population. The rule (Dankar, El Emam, Neisa and Roffey 2012): Pitman up to a tenth, above it
    the lower of Zayatz and SNB; a model that does not converge gives way to Zayatz.

    Parameters
    ----------
    sizes
        How many people of the sample each class has.
    fraction
        The share of the population that is in the sample.

    Returns
    -------
    tuple of Estimate and tuple of Estimate
        The chosen estimate, and that of each model.

    Examples
    --------
    >>> chosen, every = population_uniqueness(np.array([1, 1, 3, 5]), 1.0)
    >>> chosen.model, chosen.unique_share
    ('the data are the population', 0.2)
    """
    if not 0 < fraction <= 1:
        msg = f"`sampling_fraction` must be above 0 and at most 1, got {fraction}"
        raise ParameterError(msg, parameter="sampling_fraction")
    people = int(sizes.sum())
    if fraction == 1 or not people:
        alone = int((sizes == 1).sum()) / max(1, people)
        return Estimate("the data are the population", alone), ()
    every = tuple(
        Estimate(name, model(sizes, fraction))
        for name, model in {"Zayatz": zayatz, "Pitman": pitman, "SNB": snb}.items()
    )
    return _by_dankar(fraction, *every), every


def _by_dankar(fraction: float, by_zayatz: Estimate, by_pitman: Estimate, by_snb: Estimate) -> Any:
    if fraction <= SMALL_SAMPLE:
        return by_zayatz if by_pitman.unique_share is None else by_pitman
    estimates = [each for each in (by_zayatz, by_snb) if each.unique_share is not None]
    return min(estimates, key=lambda each: each.unique_share or 0.0)


def zayatz(sizes: Sizes, fraction: float) -> float:
    """Return the share by Zayatz 1991: the classes of the sample stand for the population's.

    Of a class of ``i`` people in the population the sample holds exactly one with the probability
    of the hypergeometric law; Bayes turns that into how likely an only one of the sample is the
    only one at all.
    """
    from scipy.stats import hypergeom

    people = int(sizes.sum())
    population = _population(people, fraction)
    several, classes = np.unique(sizes, return_counts=True)
    one_drawn = classes * hypergeom.pmf(1, population, several, people)
    alone = int((sizes == 1).sum())
    if not alone:
        return 0.0
    surely = float(one_drawn[several == 1][0] / one_drawn.sum())
    return min(1.0, alone * surely / people)


def pitman(sizes: Sizes, fraction: float) -> float | None:
    """Return the share by Pitman's sampling formula, fitted by maximum likelihood (Hoshino 2001).

    The expected number of people alone among ``N`` is
    ``N (theta + alpha)_(N-1) / (theta + 1)_(N-1)``, rising factorials.
    """
    from scipy.special import gammaln

    people, classes = int(sizes.sum()), len(sizes)
    several, times = np.unique(sizes[sizes > 1], return_counts=True)
    if not len(several) or classes < 2:
        return None

    def unlikely(point: NDArray[np.float64]) -> float:
        theta, alpha = np.exp(point[0]), 1 / (1 + np.exp(-point[1]))
        chances = (classes - 1) * np.log(alpha)
        chances += gammaln(theta / alpha + classes) - gammaln(theta / alpha + 1)
        chances -= gammaln(theta + people) - gammaln(theta + 1)
        chances += (times * (gammaln(several - alpha) - gammaln(1 - alpha))).sum()
        return -float(chances)

    fitted = _fitted(unlikely, np.array([np.log(max(classes, 2) / 2), 0.0]))
    if fitted is None:
        return None
    theta, alpha = np.exp(fitted[0]), 1 / (1 + np.exp(-fitted[1]))
    count = _population(people, fraction)
    logs = gammaln(theta + alpha + count - 1) - gammaln(theta + alpha)
    logs -= gammaln(theta + count) - gammaln(theta + 1)
    return min(1.0, float(np.exp(logs)))


def snb(sizes: Sizes, fraction: float) -> float | None:
    """Return the share by the slide negative binomial (Chen and Keller-McNulty 1998).

    A class of the population has one person more than a negative binomial number. Each person is
    in the sample with probability ``fraction``, so a class has there a negative binomial number
    with another chance, and one more with probability ``fraction``. Fitted by maximum likelihood
    over the classes that the sample shows.
    """
    from scipy.stats import nbinom

    several, times = np.unique(sizes, return_counts=True)
    if several[-1] == 1:
        return None

    def chances(point: NDArray[np.float64], count: Any) -> Any:
        r, p = np.exp(point[0]), 1 / (1 + np.exp(-point[1]))
        thinned = p / (p + fraction * (1 - p))
        without, with_one = nbinom.pmf(count, r, thinned), nbinom.pmf(count - 1, r, thinned)
        return (1 - fraction) * without + fraction * with_one

    def unlikely(point: NDArray[np.float64]) -> float:
        seen = np.maximum(chances(point, several), 1e-300)
        return -float((times * (np.log(seen) - np.log1p(-chances(point, 0)))).sum())

    fitted = _fitted(unlikely, np.array([0.0, 0.0]))
    if fitted is None:
        return None
    classes = len(sizes) / float(1 - chances(fitted, 0))
    r, p = np.exp(fitted[0]), 1 / (1 + np.exp(-fitted[1]))
    return min(1.0, float(classes * p**r) / _population(int(sizes.sum()), fraction))


def _population(people: int, fraction: float) -> int:
    return max(people, round(people / fraction))


def _fitted(
    unlikely: Callable[[NDArray[np.float64]], float], start: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Return where ``unlikely`` is least, or None where it runs off to the edge."""
    from scipy.optimize import minimize

    with np.errstate(all="ignore"):
        fit = minimize(unlikely, start, method="Nelder-Mead", options={"maxiter": 2000})
    inside = bool(fit.success) and np.isfinite(fit.fun) and bool((np.abs(fit.x) < 25).all())
    return np.asarray(fit.x) if inside else None
