"""The verifier of bounded confidence beside the definition, set by set."""

import sys
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.guarantees.counts import BoundedConfidence
from discreet.core.histogram import ItemsetHistogram
from discreet.errors import ParameterError
from discreet.verify.bounded_confidence import bounded_confidence

module = sys.modules[bounded_confidence.__module__]

COUNTS = st.dictionaries(
    st.sets(st.sampled_from("abcde")).map(lambda held: tuple(sorted(held))), st.integers(1, 30)
)
# every set is held: no confidence is certain, so that a bound can hold
ALL_HELD = st.lists(st.integers(1, 30), min_size=16, max_size=16).map(
    lambda people: {
        tuple(item for place, item in enumerate("abcd") if number >> place & 1): count
        for number, count in enumerate(people)
    }
)
LEAST = Fraction(1, 1000)


def worst(counts: dict[tuple[str, ...], int], most: int | None) -> Fraction:
    """Return the largest confidence of any item given any known set, one after the other."""
    found = Fraction(0)
    for size in range(6 if most is None else most + 1):
        for known in combinations("abcde", size):
            fitting = [(held, n) for held, n in counts.items() if set(known) <= set(held)]
            people = sum(n for _, n in fitting)
            for item in set("abcde") - set(known):
                both = sum(n for held, n in fitting if item in held)
                if people:
                    found = max(found, Fraction(both, people))
    return found


@given(COUNTS | ALL_HELD, st.none() | st.integers(1, 3), st.booleans())
def test_the_verdict_turns_at_the_largest_confidence(counts, known, few):
    content, most = ItemsetHistogram.of(counts), worst(counts, known)
    # at the largest confidence the promise holds, right below it does not
    bounds = {min(most, 1 - LEAST): most < 1, most - LEAST: False, most + LEAST: True}
    for tau in (each for each in bounds if 0 < each < 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SMALL", 20 if few else 0)
            verdict = bounded_confidence(content, BoundedConfidence(tau=tau, known=known))
        assert verdict.holds is bounds[tau]
        assert (verdict.witness is None) is verdict.holds


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize(
    ("known", "largest", "said"),
    [
        (1, Fraction(67, 108), "every set of up to 1 items"),
        (2, Fraction(20, 27), "every set of up to 2 items"),
        (None, Fraction(20, 27), "every set of any number of items"),
    ],
)
def test_who_may_know_fewer_items_infers_less(monkeypatch, few, known, largest, said):
    monkeypatch.setattr(module, "SMALL", 20 if few else 0)
    people = [5, 19, 28, 26, 25, 3, 9, 4, 16, 25, 15, 16, 21, 13, 26, 7]
    counts = {
        tuple(item for place, item in enumerate("abcd") if number >> place & 1): count
        for number, count in enumerate(people)
    }
    assert worst(counts, known) == largest
    for tau in (largest, largest - LEAST):
        claim = BoundedConfidence(tau=tau, known=known)
        verdict = bounded_confidence(ItemsetHistogram.of(counts), claim)
        assert verdict.holds is (tau == largest)
        assert said in verdict.checked


@pytest.mark.parametrize("few", [True, False])
def test_a_witness_has_the_numbers_of_the_definition(monkeypatch, few):
    monkeypatch.setattr(module, "SMALL", 20 if few else 0)
    counts = {(): 9, ("a",): 5, ("b",): 15, ("c",): 6, ("a", "b"): 1, ("b", "c"): 20}
    verdict = bounded_confidence(ItemsetHistogram.of(counts), BoundedConfidence(tau="0.75"))
    assert verdict.witness == "of the 26 people behind {c}, 20 hold b too"


def test_a_witness_says_who_and_what():
    verdict = bounded_confidence(
        ItemsetHistogram.of({("beer", "bread"): 9, ("beer",): 1, (): 20}),
        BoundedConfidence(tau="0.8"),
    )
    assert verdict.witness == "of the 9 people behind {bread}, 9 hold beer too"


@pytest.mark.parametrize(("known", "subsets"), [(None, 9), (1, 8)])
def test_as_many_subsets_as_allowed_are_looked_at(monkeypatch, known, subsets):
    counts = ItemsetHistogram.of({("a", "b"): 1, ("a",): 9, ("b",): 9, (): 40})
    claim = BoundedConfidence(tau="0.9", known=known)
    monkeypatch.setattr(module, "SMALL", 0)
    monkeypatch.setattr(module, "MOST_SUBSETS", subsets)
    assert bounded_confidence(counts, claim).holds
    monkeypatch.setattr(module, "MOST_SUBSETS", subsets - 1)
    assert bounded_confidence(counts, claim).holds is None


def test_of_few_items_every_set_is_looked_at_however_many_subsets_are_published(monkeypatch):
    counts = ItemsetHistogram.of({("a", "b"): 1, ("a",): 3, (): 9})
    monkeypatch.setattr(module, "MOST_SUBSETS", 3)
    assert bounded_confidence(counts, BoundedConfidence(tau="0.99")).holds is False
    more = ItemsetHistogram.of({("a", "b"): 1, ("a",): 3, ("b",): 3, (): 9})
    assert bounded_confidence(more, BoundedConfidence(tau="0.9")).holds is True


def test_a_search_that_is_too_large_is_not_passed(monkeypatch):
    monkeypatch.setattr(module, "SMALL", 0)
    monkeypatch.setattr(module, "MOST_SUBSETS", 3)
    verdict = bounded_confidence(
        ItemsetHistogram.of({("a", "b"): 1, ("a",): 3, (): 9}), BoundedConfidence(tau="0.9")
    )
    assert verdict.holds is None
    assert "too many" in verdict.checked


@pytest.mark.parametrize("tau", ["0", "1", "-0.5", "1.5"])
def test_a_bound_that_is_no_share_is_refused(tau):
    with pytest.raises(ParameterError, match="tau must be above 0 and below 1"):
        BoundedConfidence(tau=tau)


@pytest.mark.parametrize("tau", ["0.30000000000000004", "0.333333333333333333", "1/3000000000001"])
@pytest.mark.parametrize("times", [1, 2_000, 10**17])
def test_a_bound_of_many_digits_is_compared_exactly(tau: str, times: int) -> None:
    counts = ItemsetHistogram.of({("a",): 3 * times, (): 7 * times})
    verdict = bounded_confidence(counts, BoundedConfidence(tau=tau))
    assert verdict.holds is (Fraction(tau) >= Fraction(3, 10))
