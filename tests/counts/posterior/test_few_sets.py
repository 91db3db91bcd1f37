"""Few sets that everybody holds: seen where noise cannot make them and nothing else is there."""

from itertools import combinations

import numpy as np
import pytest

from discreet import rng
from discreet.counts.lattice import set_sizes
from discreet.counts.posterior.few_sets import _of_choosing, few_sets
from discreet.counts.posterior.log_linear import NoisyTable, fit
from discreet.rng import discrete_laplace

ITEMS = 8
SETS = 1 << ITEMS


def noisy(table: np.ndarray, epsilon: str, seed: int) -> NoisyTable:
    chance = rng.seeded(seed)
    items = len(table).bit_length() - 1
    by_size = np.bincount(set_sizes(items), weights=table).astype(np.int64)
    return NoisyTable(
        counts=table + discrete_laplace(len(table), epsilon, chance),
        sizes=by_size + discrete_laplace(items + 1, epsilon, chance),
        epsilon=float(epsilon),
        size_epsilon=float(epsilon),
        largest=items,
    )


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_people_with_one_of_a_few_sets_are_told_as_counted(seed):
    table, chosen = np.zeros(SETS, dtype=np.int64), np.random.default_rng(seed)
    table[chosen.choice(SETS, 8, replace=False)] = 200
    seen = noisy(table, "0.5", seed)
    told = few_sets(seen, fit(seen))
    assert told is not None
    assert told.tolist() == np.where(table > 0, seen.counts, 0).tolist()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("epsilon", ["0.2", "1"])
def test_people_of_all_kinds_are_left_to_the_model(seed, epsilon):
    held = np.random.default_rng(seed).random((2_000, ITEMS)) < 0.6 / np.arange(1, ITEMS + 1)
    table = np.bincount(held @ (1 << np.arange(ITEMS)), minlength=SETS)
    seen = noisy(table, epsilon, seed)
    assert few_sets(seen, fit(seen)) is None


@pytest.mark.parametrize("seed", range(3))
def test_people_beside_the_few_sets_speak_against_it(seed):
    """The numbers of sizes show them, though noise hides each of their sets."""
    chosen = np.random.default_rng(seed)
    table = (chosen.random(SETS) < 0.5).astype(np.int64)
    table[chosen.choice(SETS, 8, replace=False)] = 200
    seen = noisy(table, "0.5", seed)
    assert few_sets(seen, fit(seen)) is None


def test_any_number_of_sets_and_of_people_is_as_likely_beforehand():
    seen = noisy(np.full(8, 50), "1", 1)
    held = np.array([0, 9, 0, 0, 7, 0, 0, 0])
    pairs = len(list(combinations(range(8), 2)))
    each = 2 / seen.epsilon / seen.sizes.sum()
    assert _of_choosing(seen, held) == pytest.approx(2 * np.log(each) - np.log(pairs))
