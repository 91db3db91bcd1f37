"""PrivBayes on the papers' data: the degree of the baselines, and two-way tables that come back."""

import numpy as np
import pytest

from discreet import Transactions, rng
from discreet.core.histogram import ItemsetHistogram
from discreet.counts import PrivBayes

pytestmark = pytest.mark.usefixtures("data_folder")


def two_way(histogram: ItemsetHistogram, universe: tuple[str, ...]) -> np.ndarray:
    """Return the share of people for each pair of items and each of its four cells."""
    sets = histogram.sets.over(universe)
    held = np.zeros((len(sets), len(universe)))
    held[np.repeat(np.arange(len(sets)), sets.sizes), sets.items] = 1
    shares = histogram.counts / histogram.total
    sides = (1 - held, held)
    tables = [(one * shares[:, None]).T @ other for one in sides for other in sides]
    first, second = np.triu_indices(len(universe), 1)
    return np.stack(tables)[:, first, second]


def distance(data: Transactions, method: PrivBayes, seed: int) -> float:
    """Return the mean total variation distance over all two-way marginals."""
    released = method.publish(data, rng.seeded(seed)).release.content
    assert released.total == len(data)
    tables = (two_way(histogram, data.universe) for histogram in (data.folded, released))
    return float(abs(np.subtract(*tables)).sum(axis=0).mean() / 2)


@pytest.mark.parametrize(("name", "degree"), [("nltcs", 6), ("nltcs-all", 6), ("msnbc", 6)])
def test_theta_chooses_the_degree(name: str, degree: int) -> None:
    data = Transactions.read(f"dataset:{name}")
    assert PrivBayes(epsilon=1).degree_for(len(data), len(data.universe)) == degree


@pytest.mark.parametrize(
    ("name", "degree", "near"), [("nltcs", None, 0.04), ("msnbc", None, 0.003), ("msnbc", 3, 0.005)]
)
def test_two_way_tables_come_back(name: str, degree: int | None, near: float) -> None:
    data = Transactions.read(f"dataset:{name}")
    far = distance(data, PrivBayes(epsilon=1, degree=degree, universe=data.universe), 1)
    assert far < near
    # items taken as independent of each other lose what hangs together
    independent = PrivBayes(epsilon=1, degree=0, universe=data.universe)
    assert far < distance(data, independent, 1) / 2


@pytest.mark.parametrize("score", ["F", "MI"])
def test_the_other_scores_choose_as_well(score: str) -> None:
    data = Transactions.read("dataset:nltcs")
    method = PrivBayes(epsilon=1, score=score, degree=3, universe=data.universe)
    assert distance(data, method, 1) < 0.07


def test_tables_of_the_right_sum_beat_tables_raised_to_zero() -> None:
    data = Transactions.read("dataset:msnbc")
    far = {
        negatives: distance(
            data,
            # so many parents as theta alone would allow: most cells are noise
            PrivBayes(epsilon=1, degree=13, negatives=negatives, universe=data.universe),
            seed=1,
        )
        for negatives in ("spread", "paper")
    }
    assert 2 * far["spread"] < far["paper"]
