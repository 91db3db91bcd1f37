"""Numbers that decide: fractions in small terms, and whole numbers that machine words hold."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import ParameterError
from discreet.core.exact import LARGEST, at_least_one, in_range, in_small_terms
from discreet.generalised import Disassociation, Km
from discreet.networks import RhoM


@given(st.fractions(min_value=0, max_value=1), st.integers(0, 12))
def test_no_share_of_few_things_lies_between(value: Fraction, most: int) -> None:
    shares = {
        Fraction(part, whole) for whole in range(1, max(most, 1) + 1) for part in range(whole + 1)
    }
    assert in_small_terms(value, most) == max(share for share in shares if share <= value)
    assert in_small_terms(value, most, up=True) == min(share for share in shares if share >= value)


def test_whole_numbers_are_those_that_machine_words_hold() -> None:
    at_least_one(k=LARGEST)
    for refused in (lambda: at_least_one(k=LARGEST + 1), lambda: in_range(0, None, k=10**20)):
        with pytest.raises(ParameterError, match="to 1,000,000,000,000, got"):
            refused()


def test_a_method_refuses_what_machine_words_do_not_hold() -> None:
    for refused in (
        lambda: Km(k=10**20, m=2),
        lambda: Disassociation(k=3, m=2, cluster_size=10**20),
        lambda: RhoM(rho="0.5", known=10**20),
    ):
        with pytest.raises(ParameterError, match="1,000,000,000,000, got"):
            refused()
