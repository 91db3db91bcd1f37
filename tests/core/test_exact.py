"""Numbers that decide: fractions in small terms, and whole numbers that machine words hold."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import ParameterError
from discreet.core.exact import LARGEST, at_least_one, exceeding, in_range, in_small_terms
from discreet.generalised import Disassociation, Km
from discreet.networks import RhoM


@given(st.fractions(min_value=0, max_value=1), st.integers(0, 12))
def test_no_share_of_few_things_lies_between(value: Fraction, most: int) -> None:
    shares = {
        Fraction(part, whole) for whole in range(1, max(most, 1) + 1) for part in range(whole + 1)
    }
    assert in_small_terms(value, most) == max(share for share in shares if share <= value)
    assert in_small_terms(value, most, up=True) == min(share for share in shares if share >= value)


COUNTS = st.lists(st.tuples(*[st.integers(0, 9) | st.integers(0, 2**62)] * 2), max_size=5)


@given(COUNTS, st.fractions(min_value=0, max_value=1))
def test_shares_of_counts_of_any_size_are_compared_exactly(
    counts: list[tuple[int, int]], bound: Fraction
) -> None:
    parts, wholes = np.array(counts, dtype=np.int64).reshape(-1, 2).T
    # right below each share, at it and above it, besides any bound
    shares = [Fraction(*pair) for pair in counts if pair[1] and pair[0] <= pair[1]]
    near = [
        share + step for share in shares for step in (-Fraction(1, 2**70), 0, Fraction(1, 3**40))
    ]
    for each in (bound, *(share for share in near if 0 <= share <= 1)):
        expected = [part > each * whole for part, whole in counts]
        assert exceeding(parts, wholes, each).tolist() == expected


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
