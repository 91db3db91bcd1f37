"""Fractions in small terms: every share of few things lies on the same side of them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from discreet.core.exact import in_small_terms


@given(st.fractions(min_value=0, max_value=1), st.integers(0, 12))
def test_no_share_of_few_things_lies_between(value: Fraction, most: int) -> None:
    shares = {
        Fraction(part, whole) for whole in range(1, max(most, 1) + 1) for part in range(whole + 1)
    }
    assert in_small_terms(value, most) == max(share for share in shares if share <= value)
    assert in_small_terms(value, most, up=True) == min(share for share in shares if share >= value)
