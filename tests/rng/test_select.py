"""Permute-and-flip follows its law for every way the scores can be given."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import ParameterError
from discreet.rng import permute_and_flip, seeded
from tests.rng.laws import QUICK, depends_on_words_only, flip_law, follows

SCORES = [3, 5, 0, 5, Fraction(9, 2)]
EPSILON, SENSITIVITY = Fraction(3, 5), Fraction(2)
LAW = flip_law([exp(-float(EPSILON * (5 - Fraction(s)) / (2 * SENSITIVITY))) for s in SCORES])


def choices(scores, size, *, unit=1, seed=1):
    rng = seeded(seed)
    return [permute_and_flip(scores, EPSILON, SENSITIVITY, rng, unit=unit) for _ in range(size)]


def test_rational_scores_follow_the_law():
    assert follows(choices(SCORES, QUICK), LAW)


def test_an_integer_array_with_its_unit_follows_the_law():
    halves = np.array([6, 10, 0, 10, 9])
    assert follows(choices(halves, QUICK, unit=Fraction(1, 2)), LAW)


def test_scores_beyond_a_machine_word_follow_the_law():
    # all scores shifted by a number whose denominator no word holds
    huge = [Fraction(score) + Fraction(1, 3**100) for score in SCORES]
    huge[2] -= Fraction(1, 7**90)
    assert follows(choices(huge, QUICK // 4), LAW)


def test_large_numbers_in_an_array_do_not_wrap_around():
    ends = np.array([2**63 - 1, -(2**63)])
    assert set(choices(ends, 50)) == {0}


def test_gaps_that_alone_pass_a_machine_word_do_not_wrap_around():
    # each score fits, and what one lacks to the other does not
    ends = np.array([2**62, -(2**62)])
    assert set(choices(ends, 50)) == {0}


@pytest.mark.parametrize(
    ("scores", "epsilon", "chosen"),
    [
        (np.array([6, 10, 0, 10, 9]), Fraction(3, 5), "434131413114101141304311313331"),
        # the least cost, and the least denominator, that kernels are not trusted with
        ([0, 2**62], Fraction(2, 2**61 + 1), "111111111111011110111111111111"),
        ([0, 2**61], Fraction(1, 2**61), "111011100011100011111101101101"),
    ],
)
def test_a_seed_names_the_same_choices_on_every_machine(scores, epsilon, chosen):
    rng = seeded(3)
    drawn = [permute_and_flip(scores, epsilon, Fraction(1), rng) for _ in chosen]
    assert drawn == [int(index) for index in chosen]


def test_a_wrong_law_is_caught():
    doubled = [2 * score for score in SCORES]
    assert not follows(choices(doubled, 4 * QUICK), LAW)


def test_the_best_of_equals_is_anyone():
    assert follows(choices([7, 7, 7, 7], QUICK), dict.fromkeys(range(4), 0.25))


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=20), st.integers(0, 99))
def test_a_candidate_without_a_chance_is_never_chosen(scores, seed):
    chosen = permute_and_flip(scores, Fraction(10**9), Fraction(1, 10**3), seeded(seed))
    assert scores[chosen] == max(scores)


def test_the_choice_depends_on_the_words_only():
    assert depends_on_words_only(lambda rng: [_one(SCORES, rng) for _ in range(50)])
    many = np.arange(3000) % 997
    assert depends_on_words_only(lambda rng: [_one(many, rng) for _ in range(3)])
    huge = [Fraction(score, 3**100) for score in range(9)]
    assert depends_on_words_only(lambda rng: [_one(huge, rng) for _ in range(9)])


def _one(scores, rng):
    return permute_and_flip(scores, EPSILON, SENSITIVITY, rng)


def test_the_scores_are_left_as_they_are():
    scores = np.array([1, 2, 3])
    scores.setflags(write=False)
    choices(scores, 5)
    assert scores.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"epsilon": Fraction(0)}, "above 0, got 0, 2 and 1"),
        ({"sensitivity": Fraction(0)}, "above 0"),
        ({"sensitivity": Fraction(-1)}, "above 0"),
        ({"unit": Fraction(0)}, "above 0"),
        ({"scores": []}, "at least one candidate"),
        ({"scores": np.array([0.5, 1.0])}, "must hold integers, got float64"),
    ],
)
def test_what_cannot_be_is_refused(change, said):
    given = {"scores": SCORES, "epsilon": EPSILON, "sensitivity": SENSITIVITY, "unit": 1, **change}
    with pytest.raises(ParameterError, match=said):
        permute_and_flip(**given, rng=seeded(1))


def test_the_sensitivity_divides_by_twice_itself():
    # 2 and 3 apart: twice a number and two more than it are the same for 2 only
    law = flip_law([exp(-float(EPSILON * gap / 6)) for gap in (4, 0)])
    rng = seeded(3)
    drawn = [permute_and_flip([0, 4], EPSILON, Fraction(3), rng) for _ in range(QUICK)]
    assert follows(drawn, law)


def test_a_cost_beyond_a_machine_word_is_no_small_one():
    # 2**80 would be 0 in 64 bits, and the worst candidate as good as the best
    scores, rng = np.array([0, 2**40]), seeded(4)
    drawn = {permute_and_flip(scores, Fraction(2**40), Fraction(1), rng) for _ in range(60)}
    assert drawn == {1}
