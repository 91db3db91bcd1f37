"""Drawing counts given their noisy values: against the law written out."""

import math

import numpy as np
import pytest

from discreet.counts.kernels.posterior_counts import drawn_counts
from discreet.counts.lattice import uniforms
from discreet.rng import seeded

ROUNDS = 4_000


def law(mean: float, shape: float, noisy: int, left: int, rates: tuple[float, float]) -> np.ndarray:
    """The law of a count: negative binomial, times how likely noise makes either number of it."""
    counts = range(max(noisy, 0) + 400)
    logs = [
        math.lgamma(count + shape)
        - math.lgamma(count + 1)
        + count * math.log(mean / (shape + mean))
        - rates[0] * abs(noisy - count)
        - rates[1] * abs(left - count)
        for count in counts
    ]
    weights = np.exp(np.array(logs) - max(logs))
    return weights / weights.sum()


def sweeps(
    means: list[float], counts: list[int], total: int, rates: tuple[float, float]
) -> np.ndarray:
    """Draw the counts of sets of one size again and again."""
    rng, drawn, found = seeded(1), np.zeros(len(means), dtype=np.int64), []
    for _ in range(ROUNDS):
        drawn_counts(
            np.array(means),
            np.array([0.8]),
            np.zeros(len(means), dtype=np.int64),
            np.array(counts),
            np.array([total]),
            rates,
            drawn,
            uniforms(len(means), rng),
        )
        found.append(drawn.copy())
    return np.array(found)


@pytest.mark.parametrize(
    ("mean", "noisy", "total"),
    [(3.0, 5, 4), (0.01, -4, 2), (40.0, 30, 60), (1.0, 90, 80), (9.0, 300, 298)],
)
def test_one_count_has_its_law(mean, noisy, total):
    rates = (0.5, 0.25)
    found = np.bincount(sweeps([mean], [noisy], total, rates)[:, 0], minlength=max(noisy, 0) + 400)
    expected = law(mean, 0.8, noisy, total, rates)
    # Dvoretzky, Kiefer and Wolfowitz: further off than this once in a million runs
    far = math.sqrt(math.log(2e6) / (2 * ROUNDS))
    assert np.abs(np.cumsum(found / ROUNDS) - np.cumsum(expected)).max() < far


def test_counts_of_one_size_agree_with_its_noisy_number():
    """Two sets by brute force: each count is drawn given the other."""
    rates, means, noisy, total = (0.5, 1.0), (2.0, 3.0), (6, 7), 5
    one, other = (
        law(mean, 0.8, count, 0, (0.5, 0.0)) for mean, count in zip(means, noisy, strict=True)
    )
    both = one[:60, None] * other[None, :60]
    both *= np.exp(-rates[1] * np.abs(total - np.add.outer(np.arange(60), np.arange(60))))
    both /= both.sum()
    drawn = sweeps(list(means), list(noisy), total, rates)
    assert drawn[:, 0].mean() == pytest.approx((both.sum(axis=1) * np.arange(60)).sum(), abs=0.25)
    together = (both * np.add.outer(np.arange(60), np.arange(60))).sum()
    assert drawn.sum(axis=1).mean() == pytest.approx(together, abs=0.25)


def test_a_set_that_cannot_occur_stays_empty():
    assert not sweeps([0.0, 1.0], [50, 1], 50, (0.5, 0.5))[:, 0].any()
