"""Numbers become places in order, and what marks the way is round and within."""

import math
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.report.draw.scale import Scale

NUMBERS = st.floats(min_value=1e-6, max_value=1e9)


@given(NUMBERS, NUMBERS, NUMBERS, st.sampled_from(["linear", "log", "symlog"]))
def test_a_larger_number_stands_further_on(
    one: float, two: float, three: float, kind: Literal["linear", "log", "symlog"]
) -> None:
    low, middle, high = sorted([one, two, three])
    scale = Scale(low, high, 10, 90, kind)
    assert 10 - 1e-6 <= scale(middle) <= 90 + 1e-6
    assert scale(low) <= scale(middle) + 1e-9 <= scale(high) + 2e-9


@given(NUMBERS, NUMBERS)
def test_ticks_are_few_and_within(one: float, two: float) -> None:
    low, high = sorted([one, two])
    ticks = Scale(low, high, 0, 1).ticks(5)
    assert len(ticks) <= 7
    assert ticks == sorted(ticks)
    slack = 1e-6 * max(abs(low), abs(high))
    assert all(low - slack <= tick <= high + slack for tick in ticks)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (0, 7, [0, 2, 4, 6]), (3, 3, [3])],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert Scale(low, high, 0, 1).ticks() == ticks


def test_a_log_axis_marks_powers_of_ten() -> None:
    ticks = Scale(0.02, 300, 0, 1, "log").ticks()
    assert all(math.isclose(math.log10(tick) % 1, 0, abs_tol=1e-9) for tick in ticks)
    # within one power of ten, 1, 2 and 5 times it
    assert Scale(1.5, 7, 0, 1, "log").ticks() == [2, 5]
    assert Scale(2.5, 4, 0, 1, "log").ticks() == [2.5, 4]
