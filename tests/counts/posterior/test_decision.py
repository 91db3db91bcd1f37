"""Which supports are published: what is expected of them decides."""

from itertools import product

import numpy as np
import pytest

from discreet.counts.lattice import set_sizes
from discreet.counts.posterior.decision import (
    DOUBT,
    DOUBTED,
    FLOORS,
    MOST_DOUBT,
    SupportLaw,
    decided,
    distance,
)
from discreet.kernels.supersets import superset_sums

ITEMS = 4
SETS = 1 << ITEMS
SEEN, HIDDEN = 1e6, 1e-6
"""Budgets by which noise hides nothing, and everything."""


def loss_written_out(table: np.ndarray, tables: np.ndarray) -> float:
    """The mean relative error, query by query, table by table."""
    sizes, losses = set_sizes(ITEMS), []
    for true, floor in product(tables, FLOORS):
        held = [mask for mask in range(1, SETS) if true[mask] > 0]
        random = [[mask for mask in range(SETS) if sizes[mask] == size] for size in range(1, 5)]
        least = max(floor * true.sum(), 1)

        def error(mask: int, true: np.ndarray = true, least: float = least) -> float:
            within = [other for other in range(SETS) if other & mask == mask]
            support = float(true[within].sum())
            return abs(support - float(table[within].sum())) / max(support, least)

        of_random = float(np.mean([np.mean([error(mask) for mask in masks]) for masks in random]))
        of_held = float(np.mean([error(mask) for mask in held])) if held else of_random
        losses.append((of_random + of_held) / 2)
    return float(np.mean(losses))


def some_tables(seed: int, count: int = 6, people: int = 4) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.integers(0, people, (count, SETS)) * (generator.random((count, SETS)) < 0.6)


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_is_the_mean_error_of_the_queries(seed):
    tables = some_tables(seed, people=4 if seed else 4_000)
    table = np.random.default_rng(seed + 100).random(SETS) * 5
    assert SupportLaw.of(tables).expected_loss(table) == pytest.approx(
        loss_written_out(table, tables)
    )


def test_a_table_without_anybody_is_asked_for_random_sets_alone():
    tables = np.zeros((2, SETS), dtype=np.int64)
    assert SupportLaw.of(tables).expected_loss(tables[0]) == 0
    table = np.random.default_rng(1).random(SETS)
    assert SupportLaw.of(tables).expected_loss(table) == pytest.approx(
        loss_written_out(table, tables)
    )


def test_the_slope_is_that_of_the_loss():
    law = SupportLaw.of(some_tables(7))
    table = np.random.default_rng(8).random(SETS) * 3 + 0.1234567
    _, slope = law.loss_and_slope(table)
    for index in range(SETS):
        step = np.zeros(SETS)
        step[index] = 1e-7
        rise = law.expected_loss(table + step) - law.expected_loss(table - step)
        assert slope[index] == pytest.approx(rise / 2e-7, abs=1e-5)


def test_people_that_are_in_few_tables_are_left_out():
    sure = np.where(set_sizes(ITEMS) <= 1, 50, 0)
    tables = np.tile(sure, (12, 1))
    tables[:2, -1] = 5
    mean = tables.mean(axis=0)
    table = decided(mean, tables, SEEN)
    assert table[set_sizes(ITEMS) > 1].sum() < 0.1
    assert table[set_sizes(ITEMS) == 1] == pytest.approx(np.full(ITEMS, 50), abs=1)


def test_people_that_are_in_all_tables_stay():
    tables = np.full((12, SETS), 50)
    mean = np.full(SETS, 50.0)
    assert decided(mean, tables, SEEN).tolist() == mean.tolist()


def test_the_model_is_believed_where_that_costs_little_more():
    """The tables differ from the mean no more than from each other."""
    generator = np.random.default_rng(3)
    tables = generator.poisson(50, (24, SETS))
    mean = np.full(SETS, 50.0)
    assert decided(mean, tables, SEEN).tolist() == mean.tolist()
    # and not where all of them are elsewhere
    assert decided(mean, generator.poisson(20, (24, SETS)), SEEN).sum() < 0.6 * mean.sum()


def test_the_model_is_not_believed_where_noise_tells_little():
    """Any of many people may hold everything, or nobody: nothing is hardly worse than the least."""
    generator = np.random.default_rng(4)
    tables = generator.poisson(1, (40, SETS)) * generator.integers(0, 2, (40, SETS))
    least = decided(np.full(SETS, 100.0), tables, SEEN)  # a mean that nothing speaks for
    law = SupportLaw.of(tables)
    mean = 1.5 * least
    assert law.expected_loss(least) < law.expected_loss(mean) < 1.3 * law.expected_loss(least)
    assert 2 * law.expected_loss(least) > law.expected_loss(np.zeros(SETS))
    supports = [superset_sums(each) for each in (decided(mean, tables, SEEN), least.copy(), mean)]
    assert np.abs(supports[0] - supports[1]).sum() < 0.2 * np.abs(supports[2] - supports[1]).sum()


def test_noise_that_hides_nothing_leaves_no_doubt():
    law = SupportLaw.of(some_tables(21, count=12))
    doubted = law.doubted(SEEN)
    assert doubted.supports == pytest.approx(law.supports, rel=1e-3)
    assert doubted.costs == pytest.approx(law.costs, rel=1e-3)


def test_supports_are_doubted_the_more_the_more_items_and_the_less_is_seen():
    tables = np.full((60, SETS), 50)
    law, sizes = SupportLaw.of(tables), set_sizes(ITEMS)

    def spread(epsilon: float) -> np.ndarray:
        logs = np.log(law.doubted(epsilon).supports / law.supports)
        # supports are wrong upwards as often as downwards
        assert np.median(logs, axis=1) == pytest.approx(0, abs=0.05)
        return logs.std(axis=1)

    hidden = spread(HIDDEN)
    assert hidden == pytest.approx(MOST_DOUBT * sizes, rel=0.1)
    # the noise of an item's support is sqrt(2 * 8) / epsilon, of 800 people
    half_seen = spread(0.02)
    share = DOUBT * (4 / 0.02) / 800
    expected = 1 / np.sqrt(1 / share**2 + (400 / (4 / 0.02)) ** 2)
    assert half_seen[1] == pytest.approx(expected, rel=0.1)
    assert (spread(0.04)[1:] < half_seen[1:]).all()


def test_an_error_costs_what_it_does_where_the_doubted_support_is_true():
    law = SupportLaw.of(some_tables(22, count=5, people=4_000))
    doubted = law.doubted(HIDDEN)
    for mask, table in product(range(SETS), range(5)):
        true, then, everybody = (
            law.supports[mask, table],
            doubted.supports[mask, table],
            law.supports[0, table],
        )

        def price(support: float, everybody: float = everybody) -> float:
            return sum(1 / max(support, floor * everybody, 1) for floor in FLOORS)

        expected = law.costs[mask, table] * price(then) / price(true)
        assert doubted.costs[mask, table] == pytest.approx(expected)


def test_less_is_told_of_large_sets_where_noise_hides_them_and_little_is_expected():
    generator = np.random.default_rng(23)
    tables = generator.poisson(generator.gamma(0.5, 4, (40, SETS)))
    mean, sizes = tables.mean(axis=0), set_sizes(ITEMS)
    law = SupportLaw.of(tables)
    seen, hidden = (decided(mean, tables, epsilon) for epsilon in (SEEN, HIDDEN))
    expected = law.expected_loss(seen) / law.expected_loss(np.zeros(SETS))
    assert DOUBTED[0] < expected < 1
    of_large = [superset_sums(table.copy())[sizes > 2].sum() for table in (seen, hidden)]
    assert of_large[1] < 0.8 * of_large[0]
    # but not where the tables agree
    tables = generator.poisson(50, (24, SETS))
    mean = tables.mean(axis=0)
    assert decided(mean, tables, HIDDEN).tolist() == decided(mean, tables, SEEN).tolist()


def test_nobody_finds_a_table_that_is_much_better():
    """Changes of a few people, at random: none of them is expected to be less wrong by much."""
    tables = some_tables(11, count=24)
    law = SupportLaw.of(tables)
    table = decided(tables.mean(axis=0), tables, SEEN)
    least = law.expected_loss(table)
    generator = np.random.default_rng(12)
    for _ in range(400):
        changed = np.maximum(
            table + generator.normal(0, 0.5, SETS) * generator.integers(0, 2, SETS), 0
        )
        assert law.expected_loss(changed) > least / 1.25


def test_the_number_of_people_stays():
    tables = some_tables(5, count=24) * 10
    tables[:, 0] = 500
    table = decided(tables.mean(axis=0), tables, SEEN)
    assert table.sum() == pytest.approx(tables.sum(axis=1).mean(), rel=0.01)


def test_distance_counts_the_supports_of_items_most():
    table = np.where(set_sizes(ITEMS) <= 2, 100.0, 0.0)
    assert distance(table, table.astype(np.int64)) == 0
    pair, single = table.copy(), table.copy()
    pair[0b0011] += 10
    single[0b0001] += 10
    items = 1 << np.arange(ITEMS)
    assert (superset_sums(pair.copy())[items] != superset_sums(table.copy())[items]).sum() == 2
    assert distance(table, pair.astype(np.int64)) > distance(table, single.astype(np.int64)) > 0


@pytest.mark.parametrize("items", [0, 1])
def test_a_tiny_universe_is_decided_too(items):
    tables = np.full((4, 1 << items), 30)
    table = decided(tables.mean(axis=0), tables, SEEN)
    assert table == pytest.approx(np.full(1 << items, 30))
    assert distance(table, tables[0]) == 0
