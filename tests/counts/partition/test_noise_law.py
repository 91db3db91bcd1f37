"""What noise does to a tree of counts, by its exact law."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.counts.partition.noise_law import LevelNoise, passes, tail, threshold
from discreet.errors import InfeasibleError


def test_expected_noise_of_a_flat_tree_is_counted_by_hand() -> None:
    """One split at half the budget, one test at the other half, for each of the pairs."""
    least = threshold(1.0, 0.5)
    assert least == 3
    expected = math.comb(8, 2) * tail(least, 0.5) ** 2
    assert LevelNoise(8, 2, 8, 1.0, 1.0).expected(1.0) == pytest.approx(expected)
    assert LevelNoise(8, 2, 8, 1.0, 1.0).beside_people(1.0) == 0


@given(st.integers(0, 30), st.integers(1, 20), st.floats(0.05, 3))
def test_passing_is_the_sum_of_the_law(count: int, least: int, budget: float) -> None:
    q = math.exp(-budget)
    reach = range(least - count, least - count + int(60 / budget) + 60)
    law = sum((1 - q) / (1 + q) * q ** abs(x) for x in reach)
    assert passes(count, least, budget) == pytest.approx(law, abs=1e-9)


def test_a_tree_with_too_many_cuts_is_given_up() -> None:
    with pytest.raises(InfeasibleError, match="too many different cuts"):
        LevelNoise(5000, 40, 2, 1.0, 1.0).expected(1.0)
