"""The largest size that anybody's set has, as far as noise lets one tell."""

import sys

import numpy as np
import pytest

from discreet.counts.lattice import set_sizes
from discreet.counts.posterior.largest_size import FEW_ITEMS, largest_size_law
from discreet.counts.posterior.log_linear import NoisyTable
from tests.counts.noisy_tables import ITEMS, noisy_table

module = sys.modules[largest_size_law.__module__]


@pytest.mark.parametrize(
    ("sizes", "largest"),
    [([900, 20, 3, -2, 1], 1), ([900, 80, 60, 40, 30], 4), ([900, 2, -3, 1, 0], 0)],
)
def test_the_largest_size_is_the_last_that_stands_out_of_the_noise(
    sizes: list[int], largest: int
) -> None:
    places = set_sizes(ITEMS).tolist()
    alike = {cell: sizes[size] // places.count(size) for cell, size in enumerate(places)}
    law = largest_size_law(noisy_table(alike, sizes))
    assert int(law.argmax()) == largest
    assert law.sum() == pytest.approx(1)


def test_the_cells_of_a_size_tell_beside_its_number() -> None:
    sizes, rest = [900, 80, 60, 40, 3], {1: 80, 3: 60, 7: 40}
    doubtful = largest_size_law(noisy_table(rest, sizes, 2.0))
    plain = largest_size_law(noisy_table(rest | {0b1111: 5}, sizes, 2.0))
    assert plain[ITEMS] > 0.9 > doubtful[ITEMS]


def test_one_set_that_many_hold_shows_a_size_that_its_sum_hides() -> None:
    """Twenty people with the same three of four items, where the noisy number of sizes is low."""
    sizes, rest = [900, 40, 0, 2, 0], {1: 40, 3: -3, 5: 2, 7: 20, 11: -8, 13: -6, 14: -5}
    law = largest_size_law(noisy_table(rest, sizes, 1.0))
    alone = largest_size_law(noisy_table(rest | {7: 2, 11: 4, 13: 0, 14: -5}, sizes, 1.0))
    assert law[3] > 0.5 > alone[3]


def test_a_size_that_nobody_has_does_not_rule_out_a_larger_one() -> None:
    sizes, rest = [900, 80, 0, 0, 30], {1: 80, 15: 30}
    assert largest_size_law(noisy_table(rest, sizes)).argmax() == ITEMS


def test_few_people_of_a_size_are_believed_sooner_beside_few_with_an_item_less() -> None:
    few, many = ([900, 80, 6, 4, 3], [900, 80, 600, 400, 3])
    cells = {0: 900, 1: 80, 3: 6, 7: 4, 15: 3}
    among_few, among_many = (largest_size_law(noisy_table(cells, sizes)) for sizes in (few, many))
    assert among_few[ITEMS] / among_few[ITEMS - 1] > among_many[ITEMS] / among_many[ITEMS - 1]


def even_table(items: int) -> NoisyTable:
    """Return people who fall off evenly from size to size, with sizes that hardly tell."""
    sizes = set_sizes(items)
    counts = np.rint(800.0 * 0.25**sizes).astype(np.int64)
    # the people of the last but one size are spread over its sets, one each at most
    totals = np.bincount(sizes, weights=counts).astype(np.int64)
    return NoisyTable(counts=counts, sizes=totals, epsilon=0.5, size_epsilon=0.125, largest=items)


def test_of_few_items_people_are_expected_to_fall_off_evenly() -> None:
    """Sizes 1 to 5 of six stand out; those with all items would be no surprise."""
    table = even_table(6)
    few = largest_size_law(table)
    # the same numbers among more items than the rule is for
    assert table.items <= FEW_ITEMS
    wide = np.zeros(1 << (FEW_ITEMS + 1), dtype=np.int64)
    wide[: len(table.counts)] = table.counts
    many = largest_size_law(
        NoisyTable(
            counts=wide,
            sizes=np.append(table.sizes, np.zeros(FEW_ITEMS - 5, dtype=np.int64)),
            epsilon=0.5,
            size_epsilon=0.125,
            largest=6,
        )
    )
    assert few[4:].sum() > many[4:].sum()


def test_nobody_is_expected_beyond_a_size_that_fell_off_steeply() -> None:
    sizes, cells = [5000, 40, 0, 0, 0], {0: 5000, 1: 10, 2: 10, 4: 10, 8: 10}
    assert largest_size_law(noisy_table(cells, sizes)).argmax() == 1


def test_of_few_items_all_who_have_a_size_may_fall_off_evenly_too() -> None:
    """Each size has a quarter of the people of the one before, so that sets get fuller and fuller.

    By the people for each set, which fall off ever less, the largest sizes would be a surprise.
    """
    sizes, held = set_sizes(8), [32_000, 8_000, 2_000, 500, 125, 31, 8, 3, 1]
    counts = np.zeros(len(sizes), dtype=np.int64)
    for size, people in enumerate(held):
        cells = np.flatnonzero(sizes == size)
        counts[cells] = people // len(cells)
        counts[cells[: people % len(cells)]] += 1
    table = NoisyTable(
        counts=counts, sizes=np.array(held), epsilon=1.0, size_epsilon=0.25, largest=8
    )
    assert largest_size_law(table)[7:].sum() > 0.6


def test_people_with_the_same_set_explain_its_count_by_the_definition() -> None:
    counts = np.array([-7.0, -2, 0, 0, 3, 3, 3, 40])
    table = noisy_table({}, [0] * (ITEMS + 1), 0.7)
    people = np.arange(1.0, 60)
    by_set = table.epsilon * (np.abs(counts) - np.abs(counts - people[:, None]))
    expected = np.log(np.exp(by_set).mean(axis=1))
    assert module._alike(counts, table, people) == pytest.approx(expected)


def test_as_many_numbers_are_looked_at_however_many_people_there_are() -> None:
    looked_at = []
    for people in (10_000, 10**12):
        table = noisy_table({1: people // 2, 2: people // 4}, [people, people, 0, 0, 0])
        looked_at.append(len(module._Size.of(table, 1).people))
        assert largest_size_law(table).argmax() == 1
    assert looked_at[0] == looked_at[1]
