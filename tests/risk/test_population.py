"""Population uniqueness: populations made up by each model are found again in samples of them."""

from collections import Counter
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.errors import ParameterError
from discreet.risk import population_uniqueness
from discreet.risk.population import pitman, snb, zayatz

Sizes = NDArray[np.int64]


def sampled(population: Sizes, fraction: float, rng: np.random.Generator) -> Sizes:
    """Return the classes of a simple random sample."""
    everyone = np.repeat(np.arange(len(population)), population)
    drawn = rng.choice(everyone, round(fraction * len(everyone)), replace=False)
    return np.bincount(drawn)[np.unique(drawn)]


def by_pitman(people: int, theta: float, alpha: float, rng: np.random.Generator) -> Sizes:
    """Seat people one after the other: at a new table, or at one by its size less alpha."""
    sizes: list[int] = []
    seats: list[int] = []
    for seated in range(people):
        if rng.random() * (theta + seated) < theta + alpha * len(sizes):
            seats.append(len(sizes))
            sizes.append(1)
        else:
            # whoever sits by the size of a table follows a person; the rest is turned away
            table = seats[rng.integers(seated)]
            while rng.random() * sizes[table] < alpha:
                table = seats[rng.integers(seated)]
            seats.append(table)
            sizes[table] += 1
    return np.array(sizes)


def test_pitman_finds_the_uniques_of_its_own_populations() -> None:
    rng = np.random.default_rng(1)
    population = by_pitman(40_000, 50.0, 0.5, rng)
    found = pitman(sampled(population, 0.1, rng), 0.1)
    true = (population == 1).sum() / 40_000
    assert found == pytest.approx(true, rel=0.2)


def test_snb_finds_the_uniques_of_its_own_populations() -> None:
    rng = np.random.default_rng(2)
    population = 1 + rng.negative_binomial(0.8, 0.2, 20_000)
    found = snb(sampled(population, 0.3, rng), 0.3)
    true = (population == 1).sum() / population.sum()
    assert found == pytest.approx(true, rel=0.2)


def test_zayatz_is_bayes_over_the_hypergeometric_law() -> None:
    sizes, fraction = np.array([1, 1, 1, 2, 2, 5]), 0.25
    many, drawn = 48, 12
    one = {size: size * comb(many - size, drawn - 1) / comb(many, drawn) for size in (1, 2, 5)}
    classes = Counter(sizes.tolist())
    surely = classes[1] * one[1] / sum(times * one[size] for size, times in classes.items())
    assert zayatz(sizes, fraction) == pytest.approx(3 * surely / 12)


def test_the_rule_chooses_by_the_fraction() -> None:
    rng = np.random.default_rng(3)
    population = by_pitman(20_000, 50.0, 0.5, rng)
    small, every = population_uniqueness(sampled(population, 0.05, rng), 0.05)
    assert small.model == "Pitman"
    assert [each.model for each in every] == ["Zayatz", "Pitman", "SNB"]
    large, every = population_uniqueness(sampled(population, 0.5, rng), 0.5)
    told = {each.model: each.unique_share for each in every}
    assert large.unique_share == min(told["Zayatz"], told["SNB"])


def test_a_model_that_does_not_converge_gives_way() -> None:
    chosen, every = population_uniqueness(np.ones(50, dtype=np.int64), 0.05)
    assert chosen.model == "Zayatz"
    assert chosen.unique_share == 1.0
    assert [each.unique_share for each in every[1:]] == [None, None]


def test_without_anybody_alone_nobody_is_estimated_to_be() -> None:
    assert zayatz(np.array([2, 3]), 0.5) == 0.0


def test_a_whole_population_is_counted() -> None:
    chosen, every = population_uniqueness(np.array([1, 1, 2]), 1.0)
    assert (chosen.unique_share, every) == (0.5, ())


@pytest.mark.parametrize("fraction", [0.0, -0.5, 1.5])
def test_a_fraction_is_a_share(fraction: float) -> None:
    with pytest.raises(ParameterError, match="above 0 and at most 1"):
        population_uniqueness(np.array([1]), fraction)
