"""Draws from a law by its slope: their mean and scatter against what is known of the law."""

import numpy as np
import pytest

from discreet.counts.posterior.hamiltonian import FIRST_STEP, adapted, moved
from discreet.rng import seeded

Pair = tuple[float, np.ndarray]


WARM_UP = 6


def drawn(function, numbers: int, count: int, seed: int) -> np.ndarray:
    at, step, rng, draws = np.zeros(numbers), FIRST_STEP, seeded(seed), []
    for turn in range(WARM_UP + count):
        move = moved(function, at, step, rng)
        at = move.at
        draws.append(at)
        step = adapted(step, move) if turn < WARM_UP else step
    return np.array(draws[WARM_UP:])


def test_a_normal_law_has_its_mean_and_scatter():
    scales, centre = np.linspace(0.5, 1.5, 30), np.linspace(-1, 1, 30)

    def normal(at: np.ndarray) -> Pair:
        off = (at - centre) / scales
        return float(off @ off) / 2, off / scales

    draws = drawn(normal, 30, 400, 1)
    # five standard errors of what so many draws that hang together may be off
    assert draws.mean(axis=0) == pytest.approx(centre, abs=0.5)
    assert draws.std(axis=0) == pytest.approx(scales, rel=0.35)
    assert (draws.std(axis=0) / scales).mean() == pytest.approx(1, abs=0.08)


def test_a_law_with_one_long_tail_has_it():
    """The logarithm of an exponential variable: its mean is minus Euler's constant."""

    def gumbel(at: np.ndarray) -> Pair:
        return float((np.exp(at) - at).sum()), np.exp(at) - 1

    draws = drawn(gumbel, 20, 300, 2)
    assert draws.mean() == pytest.approx(-np.euler_gamma, abs=0.1)
    assert draws.var() == pytest.approx(np.pi**2 / 6, rel=0.2)


def test_as_many_are_drawn_as_asked_and_a_seed_decides():
    def flat(at: np.ndarray) -> Pair:
        return float(at @ at) / 2, at

    assert drawn(flat, 3, 7, 1).shape == (7, 3)
    assert np.array_equal(drawn(flat, 3, 7, 1), drawn(flat, 3, 7, 1))
    assert not np.array_equal(drawn(flat, 3, 7, 1), drawn(flat, 3, 7, 2))


def test_a_move_into_nowhere_is_refused():
    def walled(at: np.ndarray) -> Pair:
        return (
            (float(at @ at) / 2, at) if np.abs(at).max() < 1 else (np.inf, np.full(len(at), np.nan))
        )

    assert np.abs(drawn(walled, 2, 50, 3)).max() < 1
