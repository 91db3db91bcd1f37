"""Lists laid end to end are found as by walking through them."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.ragged import offsets_of, runs

RUNS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 5)), max_size=8)


@given(RUNS)
def test_all_places_of_runs_are_listed(drawn: Any) -> None:
    begin, sizes = np.array(drawn, dtype=np.int64).reshape(-1, 2).T
    walked = [at for start, size in drawn for at in range(start, start + size)]
    assert runs(begin, sizes).tolist() == walked
    assert runs(0, sizes).tolist() == [at for _, size in drawn for at in range(size)]


@given(st.lists(st.integers(0, 5)))
def test_lists_begin_where_those_before_them_end(sizes: list[int]) -> None:
    assert offsets_of(sizes).tolist() == [sum(sizes[:at]) for at in range(len(sizes) + 1)]
    assert offsets_of(sizes).dtype == np.int64
