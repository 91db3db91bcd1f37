"""Tables whose confidence is bounded, by brute force over all known sets."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.counts.bounding.lattice_confidence import bound, cheapest, without_certainty
from discreet.counts.lattice import histogram_of_table
from discreet.rng import seeded

ITEMS = 4
TABLES = st.lists(st.integers(0, 40), min_size=1 << ITEMS, max_size=1 << ITEMS).map(np.array)
BOUNDS = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)
KNOWN = st.none() | st.integers(1, 3)


def support(table: np.ndarray, known: int) -> int:
    return sum(int(count) for held, count in enumerate(table) if held & known == known)


def breaches(table: np.ndarray, tau: Fraction, most: int | None) -> list[tuple[int, int]]:
    return [
        (known, item)
        for known in range(1 << ITEMS)
        if most is None or known.bit_count() <= most
        for item in range(ITEMS)
        if not known >> item & 1 and support(table, known | 1 << item) > tau * support(table, known)
    ]


@given(TABLES, BOUNDS, KNOWN, st.sampled_from([0, 50, 100]))
def test_one_pass_bounds_every_confidence(table, tau, known, moved):
    changed = bound(table, tau, known, moved)
    assert breaches(changed, tau, known) == []
    assert (changed >= 0).all()


@given(TABLES, BOUNDS, KNOWN)
def test_what_is_bounded_already_stays(table, tau, known):
    changed = bound(table, tau, known)
    assert np.array_equal(bound(changed, tau, known), changed)


@given(TABLES, BOUNDS, KNOWN, st.integers(0, 9))
def test_the_cheapest_way_keeps_the_bound(table, tau, known, seed):
    changed, thinning = cheapest(table, tau, known, seeded(seed))
    assert breaches(changed, tau, known) == []
    assert 0 <= thinning <= Fraction(1, 2)


@given(TABLES)
def test_moving_until_nothing_is_certain_keeps_everybody(table):
    moved = without_certainty(table)
    assert moved.sum() == table.sum()
    published = [held for held in range(1 << ITEMS) if moved[held]]
    for known in range(1 << ITEMS):
        fitting = [held for held in published if held & known == known]
        assert len(fitting) != 1 or fitting[0] == known


def test_nobody_published_needs_no_bound():
    nobody = np.zeros(1 << ITEMS, dtype=np.int64)
    assert not bound(nobody, Fraction(1, 2), None).any()
    assert len(histogram_of_table(nobody, tuple("abcd"))) == 0


def test_the_price_of_a_bound_is_paid_by_the_sure_item():
    table = np.array([0, 0, 0, 10])  # everybody holds both
    changed = bound(table, Fraction(1, 2), None)
    assert support(changed, 3) * 2 <= support(changed, 1)
    with pytest.raises(AssertionError):
        assert breaches(table, Fraction(1, 2), None) == []


@given(TABLES, KNOWN, st.sampled_from(["0.333333333333333333", "1/100000", "1e-9", "1e-30"]))
def test_bounds_of_many_digits_and_next_to_nothing_are_kept(table, known, tau):
    changed = bound(table, Fraction(tau), known)
    assert breaches(changed, Fraction(tau), known) == []
    assert (changed >= 0).all()
