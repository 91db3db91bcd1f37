"""Groups of people whose items have the same parents in the hierarchy."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.networks.hiding.parents import split_by_degree


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=1), st.integers(1, 6))
def test_parts_are_large_enough_and_in_order_of_degree(
    people: list[tuple[int, int]], least: int
) -> None:
    group = np.unique([each[0] for each in people], return_inverse=True)[1]
    degrees = np.array([each[1] for each in people])
    split = split_by_degree(group, degrees, least)
    assert sorted(set(split.tolist())) == list(range(int(split.max()) + 1))
    for whole in range(int(group.max()) + 1):
        rows = np.flatnonzero(group == whole)
        parts = [rows[split[rows] == part] for part in np.unique(split[rows])]
        assert min(map(len, parts)) >= min(least, len(rows))
        assert max(map(len, parts)) < 2 * least or len(parts) == 1 or least == 1
        ends = [(degrees[part].min(), degrees[part].max()) for part in parts]
        assert all(one[1] <= other[0] for one, other in pairwise(ends))
        assert len(parts) == max(1, len(rows) // least)
    assert all(len(set(group[split == part].tolist())) == 1 for part in np.unique(split))
