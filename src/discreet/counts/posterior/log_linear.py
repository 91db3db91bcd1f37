"""A log-linear model of how many people hold each set, fitted to noisy counts of all sets.

The number of people who hold exactly the set ``c`` is negative binomial with mean ``l_c``; the log
of the mean is a sum over groups of up to four items and a term for the size of the set. How much
each order of groups matters, and how far counts scatter about their means, is fitted to the noisy
counts by their marginal likelihood. Nothing here sees data: all is post-processing of noise.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.counts.kernels.lattice_model import adjoint, expected, field, uphill
from discreet.counts.lattice import set_sizes
from discreet.counts.posterior.quasi_newton import minimised

__all__ = ["Fitted", "LogLinearModel", "NoisyTable", "WeightsPosterior", "agreeing", "fit"]

Table: TypeAlias = NDArray[np.float64]

SHAPES: Table = np.array([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8])
"""How far counts may scatter about their mean: shapes of the negative binomial law."""
USUAL_SHAPE = 4
ORDER = 4
"""Items of the largest group that has a weight of its own."""
STEP = 0.1
LEAST_LOG_MEAN = -16.0
FIRST_SPREADS = (100.0, 4.0, 1.0, 0.0625, 0.03125)
"""Variances of the weights by the size of their group, to begin with."""
FIRST_BEND = 0.7
"""How far the term of a size may depart from the line through its neighbours, to begin with."""
ROUNDS, STEPS, LAST_STEPS = 6, 60, 200
UNHEARD = 100
"""In one of so many tables noise alone takes some count so far that it passes for a crowd."""
PARTINGS = 3
"""How often crowds that the model cannot explain are taken out of the table."""


@dataclass(frozen=True, eq=False)
class NoisyTable:
    """What was measured: a noisy count of every set, and of the sets of every size."""

    counts: NDArray[np.int64]
    """The noisy number of people who hold exactly each set; a set is the bits of its number."""
    sizes: NDArray[np.int64]
    """The noisy number of people whose sets have each size."""
    epsilon: float
    """The budget of ``counts``: their noise is discrete Laplace at this rate."""
    size_epsilon: float
    """The budget of ``sizes``."""
    largest: int
    """No set has more items, by public knowledge."""

    @cached_property
    def items(self) -> int:
        """Items of the universe."""
        return len(self.counts).bit_length() - 1

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """Items of each set."""
        return set_sizes(self.items)

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        """Which sets can occur at all."""
        return self.size <= self.largest

    @property
    def size_variance(self) -> float:
        """The variance of a noisy number of sets of one size."""
        return 2 / self.size_epsilon**2

    @cached_property
    def shares(self) -> Table:
        """The noisy share of people who hold each item, kept away from none and all."""
        total = max(int(self.counts.sum()), 1)
        every = np.arange(len(self.counts))
        holders = [int(self.counts[every >> item & 1 == 1].sum()) for item in range(self.items)]
        shares: Table = np.clip(np.array(holders, dtype=np.float64) / total, 0.02, 0.98)
        return shares

    @property
    def out_of_reach(self) -> float:
        """How far noise takes none of the counts, but for one table of many."""
        return float(np.log(UNHEARD * len(self.counts)) / self.epsilon)

    def without(self, crowds: NDArray[np.int64]) -> "NoisyTable":
        """Return what is left without so many people who hold exactly each set."""
        gone = np.zeros_like(self.sizes)
        np.add.at(gone, self.size, crowds)
        return replace(self, counts=self.counts - crowds, sizes=self.sizes - gone)

    def by_size(self, values: Table) -> Table:
        """Sum a number of each set over the sets of each size."""
        sums = np.bincount(self.size, weights=values, minlength=self.items + 1)
        return np.asarray(sums, dtype=np.float64)


class _Likelihood:
    """What a noisy count says about its mean, tabled for a grid of means and counts."""

    def __init__(self, epsilon: float) -> None:
        from scipy.special import gammaln

        self.least, self.most = -int(30 / epsilon) - 2, int(30 / epsilon) + 20
        self.start = LEAST_LOG_MEAN
        self.log_means = np.arange(self.start, np.log(8.0 * self.most) + STEP, STEP)
        means = np.exp(self.log_means)[:, None]
        true = np.arange(self.most + int(30 / epsilon) + 5)
        rate = float(np.exp(-epsilon))
        grids, informations = [], []
        for a in SHAPES:
            weight = gammaln(true + a) - gammaln(a) - gammaln(true + 1.0)
            law = np.exp(weight + a * np.log(a / (a + means)) + true * np.log(means / (a + means)))
            likelihood = np.maximum(self._seen(law, rate), 1e-300)
            mean = self._seen(law * true, rate) / likelihood
            variance = self._seen(law * true * true, rate) / likelihood - mean**2
            variance = np.maximum(variance, 0.0)
            slope = (mean - means) * a / (a + means)
            chance = likelihood * (1 - rate) / (1 + rate)
            grids.append((mean, np.log(likelihood), variance))
            informations.append((chance * slope**2).sum(1) / np.maximum(chance.sum(1), 1e-12))
        self.grids = np.ascontiguousarray(np.array(grids).transpose(1, 0, 2, 3))
        self.information = np.array(informations)
        self.where = (self.start, STEP, self.least, self.most)

    def _seen(self, law: Table, rate: float) -> Table:
        """Sum a law over true counts for each noisy one, by how often noise goes so far.

        Noise falls off by the same rate with each step, so that one pass up and one down do it.
        """
        from scipy.signal import lfilter

        up = lfilter([1.0], [1.0, -rate], law, axis=1)
        down = lfilter([1.0], [1.0, -rate], law[:, ::-1], axis=1)[:, ::-1]
        below = down[:, :1] * rate ** np.arange(-self.least, 0, -1)
        return np.hstack([below, (up + down - law)[:, : self.most + 1]])

    def __call__(self, table: NoisyTable, log_mean: Table, shape: NDArray[np.int64]) -> Table:
        return expected(
            self.grids,
            self.information,
            SHAPES,
            shape,
            log_mean,
            table.counts,
            self.where,
            table.inside,
        )

    def for_sizes(self, shape: NDArray[np.int64]) -> Table:
        """Return posterior means and log likelihoods of the shape of each size, side by side."""
        # what is looked up together lies together: size, noisy count, log of the mean, which
        return np.ascontiguousarray(self.grids[:2, shape].transpose(1, 3, 2, 0))


@lru_cache(maxsize=8)
def _likelihood(epsilon: float) -> _Likelihood:
    return _Likelihood(epsilon)


class LogLinearModel:
    """Weights of item groups and sizes, with the priors that the fit adapts."""

    def __init__(self, table: NoisyTable) -> None:
        self.table = table
        self.likelihood = _likelihood(table.epsilon)
        self.groups = np.flatnonzero(table.size <= min(ORDER, table.largest))
        self.order = table.size[self.groups]
        self.absent, self.present = -table.shares, 1 - table.shares
        self.sizes = table.items + 1
        self.spreads = np.array(FIRST_SPREADS)
        self.shape = np.full(self.sizes, USUAL_SHAPE)
        rows = max(self.sizes - 3, 0)
        self.bends = np.zeros((rows, self.sizes))
        for row in range(rows):
            self.bends[row, row + 1 : row + 4] = (1, -2, 1)
        self.bend = FIRST_BEND

    @property
    def smoothness(self) -> Table:
        """How firmly the terms of neighbouring sizes hold to a line."""
        return self.bends.T @ self.bends / self.bend**2 + 0.04 * np.eye(self.sizes)

    def start(self) -> Table:
        """Begin at the noisy numbers of sets of each size."""
        table = self.table
        cells = np.bincount(table.size, minlength=self.sizes)
        people = np.maximum(table.sizes, 0) + np.sqrt(table.size_variance) / 2 + 0.5
        terms = np.log(people / cells)
        weights = np.zeros(len(self.groups))
        weights[0] = terms.mean()
        return np.concatenate([weights, terms - terms.mean()])

    def log_mean(self, weights: Table) -> Table:
        """Return the log of how many people are expected to hold each set."""
        values = np.zeros(len(self.table.counts))
        values[self.groups] = weights[: len(self.groups)]
        field(values, self.absent, self.present)
        values += weights[len(self.groups) :][self.table.size]
        return np.clip(values, LEAST_LOG_MEAN, 25.0)

    def moments(self, weights: Table) -> tuple[Table, Table]:
        """Return that log, and what it and the noisy count say of each set's people."""
        log_mean = self.log_mean(weights)
        return log_mean, self.likelihood(self.table, log_mean, self.shape[self.table.size])

    def curvature(self, information: Table) -> Table:
        """Return how sharply the counts tell each group's weight (the diagonal only)."""
        squares = information.copy()
        adjoint(squares, self.absent**2, self.present**2)
        return squares[self.groups]

    def noise_of_sizes(self, log_mean: Table) -> Table:
        """Return how far a noisy number of sets of each size may lie from what is expected."""
        mean = np.exp(log_mean) * self.table.inside
        scatter = mean + mean**2 / SHAPES[self.shape][self.table.size]
        return self.table.size_variance + self.table.by_size(scatter)

    def curvature_of_sizes(self, log_mean: Table, information: Table) -> Table:
        """Return how sharply the counts tell the term of each size."""
        expected = self.table.by_size(np.exp(log_mean) * self.table.inside)
        from_sizes = expected**2 / self.noise_of_sizes(log_mean)
        return self.table.by_size(information) + np.minimum(from_sizes, 1e4)

    def curvatures(self, weights: Table) -> Table:
        """Return how sharply the counts, and the law of the sizes' terms, tell each weight."""
        log_mean, moments = self.moments(weights)
        sizes = self.curvature_of_sizes(log_mean, moments[4]) + np.diag(self.smoothness)
        return np.concatenate([self.curvature(moments[4]), sizes])

    def log_likelihood_at(self, weights: Table) -> Callable[[Table], tuple[float, Table]]:
        """Return the log likelihood and its slope, the noise of sizes as at ``weights``.

        The law of the terms of sizes is in it, that of the weights of groups is not.
        """
        table, count, smoothness = self.table, len(self.groups), self.smoothness
        noise = self.noise_of_sizes(self.log_mean(weights))
        grid, shapes = self.likelihood.for_sizes(self.shape), SHAPES[self.shape]
        where, totals = self.likelihood.where, table.sizes[: table.largest + 1]

        def log_likelihood(at: Table) -> tuple[float, Table]:
            value, slope, by_size = uphill(
                grid, shapes, table.size, self.log_mean(at), table.counts, where, totals, noise
            )
            adjoint(slope, self.absent, self.present)
            bent = smoothness @ at[count:]
            value -= 0.5 * float(at[count:] @ bent)
            return value, np.concatenate([slope[self.groups], by_size - bent])

        return log_likelihood

    def posterior_at(self, weights: Table) -> "WeightsPosterior":
        """Return what the counts say of the weights, the noise of sizes as at ``weights``."""
        precision = np.zeros(len(weights))
        precision[: len(self.groups)] = 1 / self.spreads[self.order]
        return WeightsPosterior(
            self.log_likelihood_at(weights), self.curvatures(weights), precision
        )

    def improve(self, weights: Table, steps: int) -> Table:
        """Go up the marginal likelihood from ``weights``."""
        posterior = self.posterior_at(weights)
        scale = posterior.scale
        return minimised(posterior.loss, weights / scale, steps) * scale

    def adapt(self, weights: Table) -> None:
        """Fit to the counts how much each order matters, and how far counts scatter."""
        log_mean, moments = self.moments(weights)
        curvature = self.curvature(moments[4])
        for order in range(1, int(self.order.max()) + 1):
            of_order = self.order == order
            certain = curvature[of_order] / (curvature[of_order] + 1 / self.spreads[order])
            squares = (weights[: len(self.groups)][of_order] ** 2).sum()
            self.spreads[order] = np.clip(squares / max(certain.sum(), 1e-9), 1e-6, 25.0)
        certainty = np.diag(self.curvature_of_sizes(log_mean, moments[4])) + self.smoothness
        if len(self.bends):
            variance = np.diag(self.bends @ np.linalg.inv(certainty) @ self.bends.T)
            bent = self.bends @ weights[len(self.groups) :]
            self.bend = float(np.clip(np.sqrt((bent**2 + variance).mean()), 0.02, 1.0))
        likely = np.array([self._likely(log_mean, kind) for kind in range(len(SHAPES))])
        best = np.argmax(likely, axis=0)
        self.shape = np.clip(best, self.shape - 1, self.shape + 1)

    def _likely(self, log_mean: Table, kind: int) -> Table:
        """Return how likely a shape is for the sets of each size, under a weak prior."""
        from scipy.special import gammaln

        table, a = self.table, SHAPES[kind]
        likely = self.likelihood(table, log_mean, np.full(len(log_mean), kind))[1]
        large = (table.counts > self.likelihood.most) & table.inside
        counts = table.counts[large].astype(np.float64)
        likely[large] += gammaln(counts + a) - gammaln(a) - gammaln(counts + 1.0)
        prior = 0.5 * np.log(a / SHAPES[USUAL_SHAPE]) ** 2
        return np.asarray(table.by_size(likely) - prior)


@dataclass(frozen=True, eq=False)
class WeightsPosterior:
    """What noisy counts say of the weights, given how far the weights of each order spread."""

    likelihood: Callable[[Table], tuple[float, Table]]
    """The log likelihood and its slope."""
    curvature: Table
    """How sharply the likelihood tells each weight."""
    precision: Table
    """One over the variance of each weight beforehand; 0 where the likelihood holds its law."""

    @cached_property
    def scale(self) -> Table:
        """How far each weight may go before counts and spreads speak against it."""
        far: Table = 1 / np.sqrt(self.curvature + self.precision)
        return far

    def loss(self, at: Table) -> tuple[float, Table]:
        """Return the negative log density and its slope, where weights are so many scales."""
        weights = at * self.scale
        value, slope = self.likelihood(weights)
        value -= 0.5 * float(self.precision @ weights**2)
        return -value, (self.precision * weights - slope) * self.scale


@dataclass(frozen=True, eq=False)
class Fitted:
    """What the model at its best makes of the noisy counts."""

    mean: Table
    """The posterior mean of the number of people who hold exactly each set."""
    model: LogLinearModel
    weights: Table
    """The weights that explain the counts best, less the crowds."""
    crowds: NDArray[np.int64]
    """Counts that are believed as they are, since the model cannot explain them; else 0."""


def fit(table: NoisyTable) -> Fitted:
    """Fit the model to noisy counts and say what they were before the noise.

    Where many people hold the very same set of many items, groups of up to four items may not
    explain it. A count that lies further above the model than noise can take it is believed, and
    the model is fitted to the others.
    """
    crowds = np.zeros_like(table.counts)
    model, weights = _at_its_best(table)
    for _ in range(PARTINGS):
        astray = table.counts - crowds - model.moments(weights)[1][0] > table.out_of_reach
        if not (astray & table.inside).any():
            break
        crowds = np.where(astray & table.inside, table.counts, crowds)
        model, weights = _at_its_best(table.without(crowds))
    mean = agreeing(table, model.moments(weights)[1], crowds)
    return Fitted(mean, model, weights, crowds)


def _at_its_best(table: NoisyTable) -> tuple[LogLinearModel, Table]:
    """Return the model with the priors and the weights that explain a table best."""
    model = LogLinearModel(table)
    weights = model.start()
    for _ in range(ROUNDS):
        weights = model.improve(weights, STEPS)
        model.adapt(weights)
    return model, model.improve(weights, LAST_STEPS)


def agreeing(table: NoisyTable, moments: Table, crowds: NDArray[np.int64]) -> Table:
    """Return posterior means of all counts, moved towards the noisy numbers of sets of each size.

    One Kalman step: what is least sure moves most. ``moments`` are what the model says of the
    counts less the crowds.
    """
    mean = moments[0] + crowds
    variance = np.where((moments[2] < 0) | (crowds > 0), 2 / table.epsilon**2, moments[2])
    lacking = table.sizes - table.by_size(mean)
    correction = lacking / (table.by_size(variance) + table.size_variance)
    moved = mean + variance * correction[table.size]
    return np.asarray(np.maximum(moved, 0.25 * np.minimum(mean, 1)) * table.inside)
