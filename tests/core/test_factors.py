from math import exp

from hypothesis import given
from hypothesis import strategies as st

from discreet.core.factors import times


@given(st.floats(1e-6, 250))
def test_a_factor_is_above_one_and_right_to_two_digits(exponent: float) -> None:
    number, word = times(exponent).split()
    assert word == "times"
    shown = float(number.replace(",", ""))
    assert shown > 1
    assert abs(shown - exp(exponent)) <= 0.05 * exp(exponent)


def test_what_no_float_holds_is_told_by_its_power() -> None:
    assert times(1000) == "1e+434 times"
    assert times(1e-20) == "1 times"
