"""Which supports are published: what is expected of them decides."""

from dataclasses import replace

import numpy as np
import pytest

from discreet.counts.lattice import set_sizes
from discreet.counts.log_linear import Fitted, NoisyTable
from discreet.counts.support_decision import SupportLaw, decided, largest_size_law
from discreet.kernels.supersets import superset_sums
from discreet.rng import seeded

ITEMS = 4


def noisy_table(held: dict[int, int], sizes: list[int], epsilon: float = 1.0) -> NoisyTable:
    counts = np.zeros(1 << ITEMS, dtype=np.int64)
    for cell, people in held.items():
        counts[cell] = people
    return NoisyTable(
        counts=counts,
        sizes=np.array(sizes),
        epsilon=epsilon,
        size_epsilon=epsilon / 2,
        largest=ITEMS,
    )


@pytest.mark.parametrize(
    ("sizes", "largest"),
    [([900, 80, 3, -2, 1], 1), ([900, 80, 60, 40, 30], 4), ([900, 2, -3, 1, 0], 0)],
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


def fitted(mean: np.ndarray) -> Fitted:
    return Fitted(mean, np.minimum(mean, 1.0), (mean, mean * 1.1, mean * 0.9))


def test_people_that_only_noise_speaks_for_are_left_out() -> None:
    mean = np.where(set_sizes(ITEMS) <= 1, 50.0, 1.0)
    noisy = noisy_table({0: 50, 1: 50, 2: 50, 4: 50, 8: 50}, [50, 200, 3, -2, 1])
    law = SupportLaw.of(fitted(mean), noisy, seeded(1))
    table = decided(fitted(mean), noisy, law)
    assert table[set_sizes(ITEMS) > 1].sum() == 0
    assert law.expected_loss(table) < law.expected_loss(mean)


def test_people_that_the_sizes_speak_for_stay() -> None:
    mean = np.full(1 << ITEMS, 50.0)
    noisy = noisy_table(dict.fromkeys(range(1 << ITEMS), 50), [50, 200, 300, 200, 50])
    law = SupportLaw.of(fitted(mean), noisy, seeded(1))
    assert decided(fitted(mean), noisy, law).tolist() == mean.tolist()


def test_one_set_that_many_hold_shows_a_size_that_its_sum_hides() -> None:
    """Twenty people with the same three of four items, where the noisy number of sizes is low."""
    sizes, rest = [900, 40, 0, 2, 0], {1: 40, 3: -3, 5: 2, 7: 20, 11: -8, 13: -6, 14: -5}
    law = largest_size_law(noisy_table(rest, sizes, 1.0))
    alone = largest_size_law(noisy_table(rest | {7: 2, 11: 4, 13: 0, 14: -5}, sizes, 1.0))
    assert law[3] > 0.5 > alone[3]


def test_a_size_that_nobody_has_does_not_rule_out_a_larger_one() -> None:
    sizes, rest = [900, 80, 0, 0, 30], {1: 80, 15: 30}
    assert largest_size_law(noisy_table(rest, sizes)).argmax() == ITEMS


def test_half_way_is_taken_where_either_end_would_be_further_off() -> None:
    mean, half = np.full(1 << ITEMS, 500.0), np.full(1 << ITEMS, 500.0)
    mean[-1], half[-1] = 40.0, 20.0
    noisy = noisy_table({0: 500}, [500, 2000, 3000, 2000, 40])
    law = SupportLaw.of(fitted(mean), noisy, seeded(1))
    supports = superset_sums(half.copy())[law.queries]
    law = replace(law, values=np.tile(supports, (len(law.values), 1)))
    assert decided(fitted(mean), noisy, law)[-1] == pytest.approx(20)


def test_few_people_of_a_size_are_believed_sooner_beside_few_with_an_item_less() -> None:
    few, many = ([900, 80, 6, 4, 3], [900, 80, 600, 400, 3])
    cells = {0: 900, 1: 80, 3: 6, 7: 4, 15: 3}
    among_few, among_many = (largest_size_law(noisy_table(cells, sizes)) for sizes in (few, many))
    assert among_few[ITEMS] / among_few[ITEMS - 1] > among_many[ITEMS] / among_many[ITEMS - 1]
