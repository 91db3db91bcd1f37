"""Counting the inputs that would have led to a published table: who may have had which row."""

import numpy as np

from discreet.tables.inverting.possible_inputs import permutations_of


def test_orders_are_counted_once() -> None:
    assert len(set(permutations_of([1, 1, 2, 3]))) == 12
    assert np.all([sorted(order) == [1, 1, 2, 3] for order in permutations_of([1, 1, 2, 3])])
