"""Transforms over all sets of a small universe, against sums written out."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.counts.kernels.lattice_model import (
    adjoint,
    field,
    pushed_down,
    rounded_up,
)
from discreet.kernels.supersets import superset_sums

ITEMS = 4
NUMBERS = st.lists(st.floats(-3, 3), min_size=1 << ITEMS, max_size=1 << ITEMS).map(np.array)
SHARES = st.lists(st.floats(0.05, 0.95), min_size=ITEMS, max_size=ITEMS).map(np.array)


def product_at(group: int, held: int, shares: np.ndarray) -> float:
    factors = [
        (1 - shares[item]) if held >> item & 1 else -shares[item]
        for item in range(ITEMS)
        if group >> item & 1
    ]
    return float(np.prod(factors))


@given(NUMBERS, SHARES)
def test_a_field_is_the_weighted_sum_of_its_products(weights, shares):
    values = weights.copy()
    field(values, -shares, 1 - shares)
    for held in range(1 << ITEMS):
        expected = sum(w * product_at(group, held, shares) for group, w in enumerate(weights))
        assert values[held] == pytest.approx(expected, abs=1e-9)


@given(NUMBERS, NUMBERS, SHARES)
def test_the_adjoint_is_the_transpose(weights, numbers, shares):
    forward, back = weights.copy(), numbers.copy()
    field(forward, -shares, 1 - shares)
    adjoint(back, -shares, 1 - shares)
    assert forward @ numbers == pytest.approx(weights @ back, abs=1e-6)


@given(NUMBERS)
def test_supports_add_up_the_sets_that_contain_a_set(held):
    supports = held.copy()
    superset_sums(supports)
    for known in range(1 << ITEMS):
        inside = [value for other, value in enumerate(held) if other & known == known]
        assert supports[known] == pytest.approx(sum(inside), abs=1e-9)


def test_rounding_is_right_on_average_and_keeps_the_sum():
    generator = np.random.default_rng(1)
    fractions = generator.random(1 << ITEMS)
    order = np.arange(ITEMS)
    runs = 20_000
    ups = np.zeros(1 << ITEMS)
    for chances in generator.random((runs, 1 << ITEMS)):
        up = rounded_up(fractions, order, chances)
        assert abs(up.sum() - fractions.sum()) < 1
        ups += up
    # six standard deviations of sixteen shares: a false alarm in less than one run of 10^7
    assert np.abs(ups / runs - fractions).max() < 6 * 0.5 / np.sqrt(runs)


@given(NUMBERS.map(np.abs), st.lists(st.booleans(), min_size=1 << ITEMS, max_size=1 << ITEMS))
def test_doubtful_sets_lose_their_people_to_a_subset(held, doubts):
    doubtful = np.array(doubts)
    doubtful[0] = False
    supports = held.copy()
    superset_sums(supports)
    sizes = np.array([sum(bits) for bits in product((0, 1), repeat=ITEMS)])
    left = pushed_down(held, supports, doubtful, np.argsort(-sizes, kind="stable"))
    assert left.sum() == pytest.approx(held.sum())
    for at in range(1 << ITEMS):
        contains = any(doubts[part] for part in range(1, 1 << ITEMS) if part & at == part)
        assert doubtful[at] == contains
        assert not (contains and left[at])
