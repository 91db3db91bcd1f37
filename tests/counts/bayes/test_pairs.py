"""The laws of a noisy count that an audit of PrivBayes compares."""

from fractions import Fraction

import pytest

from discreet.counts.bayes.pairs import count_law
from discreet.mechanism_audit.audit import exact_ratio


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1), Fraction(20)])
@pytest.mark.parametrize("rows", [1, 2, 500])
def test_the_law_of_a_count_keeps_epsilon(epsilon, rows):
    laws = [count_law(2, holders, epsilon, rows) for holders in (0, 1, 2)]
    assert exact_ratio(laws[0], laws[1]).epsilon <= epsilon
    assert exact_ratio(laws[2], laws[1]).epsilon <= epsilon
