"""Tables that may be behind the noise: do they look like what really is?"""

import numpy as np
import pytest

from discreet.counts.lattice import set_sizes
from discreet.counts.posterior.log_linear import NoisyTable, fit
from discreet.counts.posterior.tables import LIMITS, MOST_DRAWS, posterior_tables
from discreet.rng import seeded
from tests.counts.noisy_tables import ITEMS, noisy_table


def tables_of(noisy: NoisyTable, seed: int = 1) -> np.ndarray:
    return posterior_tables(fit(noisy), noisy, seeded(seed))


def test_there_are_as_many_as_draws_and_largest_sizes():
    noisy = noisy_table({0: 50, 1: 50, 2: 50}, [50, 100, 0, 0, 0])
    tables = tables_of(noisy)
    assert tables.shape == (LIMITS * MOST_DRAWS, 1 << ITEMS)
    assert (tables >= 0).all()


def test_counts_scatter_about_the_noisy_ones_as_noise_does():
    noisy = noisy_table(dict.fromkeys(range(1 << ITEMS), 500), [500, 2000, 3000, 2000, 500])
    tables = tables_of(noisy)
    assert tables.mean(axis=0) == pytest.approx(np.full(1 << ITEMS, 500), abs=4)
    # what either noisy number leaves open: no more than the noise of a count, and not nothing
    noise = np.sqrt(2) / noisy.epsilon
    assert 0.2 * noise < tables.std(axis=0).mean() < noise


def test_sizes_agree_with_their_noisy_numbers():
    """Each size has few people in each of its sets, so that its own number tells best."""
    rng = np.random.default_rng(1)
    true = np.where(set_sizes(ITEMS) <= 2, rng.integers(0, 4, 1 << ITEMS), 0)
    sizes = np.bincount(set_sizes(ITEMS), weights=true, minlength=ITEMS + 1).astype(int)
    noisy = noisy_table({index: int(count) for index, count in enumerate(true)}, sizes.tolist())
    by_size = [noisy.by_size(table.astype(float)) for table in tables_of(noisy)]
    assert np.mean(by_size, axis=0) == pytest.approx(sizes, abs=2 / noisy.size_epsilon)


def test_sets_that_cannot_occur_are_empty_in_all():
    made = noisy_table(dict.fromkeys(range(1 << ITEMS), 5), [5, 20, 30, 20, 5])
    limited = NoisyTable(made.counts, made.sizes, made.epsilon, made.size_epsilon, 2)
    assert not tables_of(limited)[:, set_sizes(ITEMS) > 2].any()


def test_in_some_tables_nobody_has_what_noise_may_have_made_up():
    noisy = noisy_table({0: 50, 1: 50, 2: 50, 4: 50, 8: 50, 15: 1}, [50, 200, 0, 0, 1])
    everything = tables_of(noisy)[:, -1]
    assert (everything == 0).mean() > 0.2
