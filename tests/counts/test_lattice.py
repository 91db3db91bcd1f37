"""Arrays over all sets of a small universe, against plain loops over the sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.counts.lattice import (
    LARGEST,
    deviation,
    histogram_of_table,
    random_sets,
    rounded,
    set_sizes,
    table_of,
    uniforms,
)

ITEMS = ("a", "b", "c", "d")
PEOPLE = st.lists(st.frozensets(st.sampled_from(ITEMS)), max_size=12)


@given(PEOPLE)
def test_a_table_is_its_histogram_and_back(people: list[frozenset[str]]) -> None:
    folded = Transactions.of(people, universe=ITEMS).folded
    table = table_of(folded)
    for mask, count in enumerate(table.tolist()):
        held = {item for bit, item in enumerate(ITEMS) if mask >> bit & 1}
        assert count == people.count(frozenset(held))
    assert histogram_of_table(table, ITEMS).as_dict() == folded.as_dict()


@given(st.integers(0, 8))
def test_sizes_are_numbers_of_bits(items: int) -> None:
    assert set_sizes(items).tolist() == [mask.bit_count() for mask in range(1 << items)]


@given(st.integers(1, 8), st.integers(0, 99))
def test_random_sets_have_up_to_five_items_and_some(items: int, seed: int) -> None:
    sizes = [int(mask).bit_count() for mask in random_sets(items, 400, rng.seeded(seed))]
    assert set(sizes) == set(range(1, min(LARGEST, items) + 1))


def test_uniform_numbers_are_never_an_end() -> None:
    drawn = uniforms(10_000, rng.seeded(1))
    assert 0 < drawn.min() < 0.01
    assert 0.99 < drawn.max() < 1


@given(st.lists(st.floats(0, 9), min_size=4, max_size=4), st.integers(0, 99))
def test_rounding_moves_no_number_by_one(values: list[float], seed: int) -> None:
    table = np.array(values)
    whole = rounded(table, np.arange(2), rng.seeded(seed))
    assert (np.abs(whole - table) < 1).all()
    assert abs(whole.sum() - table.sum()) < 1 + 1e-9


@given(PEOPLE.filter(bool))
def test_a_table_deviates_from_others_and_not_from_itself(people: list[frozenset[str]]) -> None:
    table = table_of(Transactions.of(people, universe=ITEMS).folded)
    assert deviation(table, table, rng.seeded(1)) == 0
    assert deviation(table, table + 1, rng.seeded(1)) > 0
