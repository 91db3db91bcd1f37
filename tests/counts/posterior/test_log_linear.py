"""The model of noisy counts: its tables against sums written out, its slope against differences."""

import math
from fractions import Fraction

import numpy as np
import pytest

from discreet.counts.kernels.lattice_model import uphill
from discreet.counts.lattice import set_sizes
from discreet.counts.posterior.log_linear import (
    SHAPES,
    LogLinearModel,
    NoisyTable,
    _likelihood,
    fit,
)
from discreet.rng import discrete_laplace, seeded

EPSILON = Fraction(1, 2)


def noisy(items: int, seed: int, people: int = 3000, largest: int | None = None) -> NoisyTable:
    """Return noisy counts of people who hold each item by itself with a share of its own."""
    generator, rng = np.random.default_rng(seed), seeded(seed)
    shares = generator.uniform(0.05, 0.6, items)
    held = generator.random((people, items)) < shares
    table = np.bincount((held << np.arange(items)).sum(axis=1), minlength=1 << items)
    sizes = np.bincount(set_sizes(items), weights=table, minlength=items + 1).astype(np.int64)
    return NoisyTable(
        counts=table + discrete_laplace(len(table), EPSILON, rng),
        sizes=sizes + discrete_laplace(items + 1, EPSILON, rng),
        epsilon=float(EPSILON),
        size_epsilon=float(EPSILON),
        largest=items if largest is None else largest,
    )


def negative_binomial(count: int, mean: float, shape: float) -> float:
    logs = math.lgamma(count + shape) - math.lgamma(shape) - math.lgamma(count + 1)
    return math.exp(
        logs + shape * math.log(shape / (shape + mean)) + count * math.log(mean / (shape + mean))
    )


@pytest.mark.parametrize("count", [-4, 0, 3, 17])
@pytest.mark.parametrize("kind", [0, 4, 7])
def test_what_a_noisy_count_says_is_its_posterior_law(count, kind):
    table = noisy(1, 1)
    table = NoisyTable(np.array([count, count]), table.sizes, 0.5, 0.5, 1)
    # a point of the grid, where nothing is interpolated
    log_mean = float(_likelihood(0.5).log_means[175])
    told = _likelihood(0.5)(table, np.full(2, log_mean), np.full(2, kind))[:, 0]
    shape, mean = SHAPES[kind], math.exp(log_mean)
    law = [
        negative_binomial(true, mean, shape) * math.exp(-0.5 * abs(count - true))
        for true in range(400)
    ]
    total = sum(law)
    average = sum(true * chance for true, chance in enumerate(law)) / total
    squares = sum(true * true * chance for true, chance in enumerate(law)) / total
    assert told[0] == pytest.approx(average, rel=1e-6)
    assert told[1] == pytest.approx(math.log(total), rel=1e-6)
    assert told[2] == pytest.approx(squares - average**2, rel=1e-5)
    assert told[3] == pytest.approx((average - mean) * shape / (shape + mean), rel=1e-6, abs=1e-9)


def test_the_slope_is_that_of_the_loss():
    model = LogLinearModel(noisy(4, 2))
    weights = model.start()
    posterior = model.posterior_at(weights)
    at = weights / posterior.scale
    _, slope = posterior.loss(at)
    for number, scale in enumerate(posterior.scale):
        step = np.zeros(len(weights))
        # wide enough to smooth over the grid that likelihoods are read from
        step[number] = 0.05 / scale
        rise = posterior.loss(at + step)[0] - posterior.loss(at - step)[0]
        assert slope[number] / scale == pytest.approx(rise / 0.1, rel=0.1, abs=2.0)


def test_the_fit_is_nearer_to_the_truth_than_the_noise():
    generator = np.random.default_rng(5)
    shares = generator.uniform(0.05, 0.6, 8)
    held = generator.random((3000, 8)) < shares
    table = np.bincount((held << np.arange(8)).sum(axis=1), minlength=256)
    sizes = np.bincount(set_sizes(8), weights=table, minlength=9).astype(np.int64)
    rng = seeded(5)
    counts = table + discrete_laplace(256, EPSILON, rng)
    made = NoisyTable(counts, sizes + discrete_laplace(9, EPSILON, rng), 0.5, 0.5, 8)
    fitted = fit(made)
    assert np.abs(fitted.mean - table).mean() < 0.7 * np.abs(counts - table).mean()
    assert (fitted.mean >= 0).all()


def test_a_crowd_that_noise_cannot_make_is_believed():
    """Many people with the very same sets are more than groups of up to four items explain."""
    generator, rng, rate = np.random.default_rng(3), seeded(3), Fraction(1, 15)
    crowds = [0b1111, 0b1110000, 0b111110000000, 1 << 12, 0b110000000000001]
    kept = ((generator.random((3000, 15)) < 0.9) << np.arange(15)).sum(axis=1)
    held = np.array(crowds)[generator.integers(len(crowds), size=3000)] & kept
    table = np.bincount(held, minlength=1 << 15)
    sizes = np.bincount(set_sizes(15), weights=table, minlength=16).astype(np.int64)
    made = NoisyTable(
        counts=table + discrete_laplace(len(table), rate, rng),
        sizes=sizes + discrete_laplace(16, rate / 2, rng),
        epsilon=float(rate),
        size_epsilon=float(rate / 2),
        largest=15,
    )
    assert (table[crowds] > 300).all()
    # a third of this is noise, which is believed with the count
    assert (np.abs(fit(made).mean - table)[crowds] < 150).all()


def test_sets_that_cannot_occur_get_nobody():
    made = noisy(5, 3, largest=2)
    fitted = fit(made)
    assert not fitted.mean[set_sizes(5) > 2].any()


@pytest.mark.parametrize("items", [0, 1, 2])
def test_a_tiny_universe_is_fitted_too(items):
    fitted = fit(noisy(items, 4))
    assert fitted.mean.shape == (1 << items,)
    assert np.isfinite(fitted.mean).all()


@pytest.mark.parametrize("largest", [5, 2])
def test_the_way_uphill_is_what_each_count_tells(largest):
    model = LogLinearModel(noisy(5, 6, largest=largest))
    table, weights = model.table, model.start()
    model.shape = np.arange(6) % len(SHAPES)
    log_mean, told = model.moments(weights)
    noise = model.noise_of_sizes(log_mean)
    value, slope, by_size = uphill(
        model.likelihood.for_sizes(model.shape),
        SHAPES[model.shape],
        table.size,
        log_mean,
        table.counts,
        model.likelihood.where,
        table.sizes[: largest + 1],
        noise,
    )
    mean = np.exp(log_mean) * table.inside
    surplus = (table.by_size(mean) - table.sizes)[: largest + 1]
    pulled = told[3] - np.append(surplus, np.zeros(6))[table.size] / noise[table.size] * mean
    assert value == pytest.approx(told[1].sum() - (surplus**2 / noise[: largest + 1]).sum() / 2)
    assert slope == pytest.approx(pulled)
    assert by_size == pytest.approx(table.by_size(pulled))
