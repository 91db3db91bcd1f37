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
BOUNDS = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10)


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


@given(COUNTS, BOUNDS, st.none() | st.integers(1, 3), st.booleans())
def test_the_verdict_is_that_of_the_definition(counts, tau, known, few):
    claim = BoundedConfidence(tau=tau, known=known)
    content = ItemsetHistogram.of(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SMALL", 20 if few else 0)
        verdict = bounded_confidence(content, claim)
    assert verdict.holds is (worst(counts, known) <= tau)
    assert (verdict.witness is None) is verdict.holds


def test_a_witness_says_who_and_what():
    verdict = bounded_confidence(
        ItemsetHistogram.of({("beer", "bread"): 9, ("beer",): 1, (): 20}),
        BoundedConfidence(tau="0.8"),
    )
    assert verdict.witness == "of the 9 people behind {bread}, 9 hold beer too"


def test_a_search_that_is_too_large_is_not_passed(monkeypatch):
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
