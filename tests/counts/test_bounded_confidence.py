"""Counts from which nothing follows too surely."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.histogram import ItemsetHistogram
from discreet.counts import AplKiller, BoundedConfidence, ProbabilisticLinkage
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import seeded
from tests.releases import as_released

COUNTS = st.dictionaries(
    st.sets(st.sampled_from("abcdef")).map(lambda held: tuple(sorted(held))), st.integers(1, 99)
)


@given(
    COUNTS,
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
    st.sampled_from(["any", 1, 2, 3]),
)
@settings(max_examples=25)
def test_a_release_keeps_its_bound(counts, tau, known):
    method = BoundedConfidence(tau=tau, known=known)
    release = method.publish(as_released(ItemsetHistogram.of(counts)), seeded(1)).release
    assert verify(release).by_parts is True


@given(COUNTS, st.sampled_from(["1/2", "0.8", "0.9"]))
@settings(max_examples=25)
def test_the_probabilistic_attack_finds_nothing_above_the_bound(counts, tau):
    method = BoundedConfidence(tau=tau, known="any")
    release = method.publish(as_released(ItemsetHistogram.of(counts)), seeded(1)).release
    assert ProbabilisticLinkage(above=tau).attack(release).claims == ()


def test_differential_privacy_stays():
    people = Transactions.of([["beer", "bread"]] * 60 + [["bread"]] * 40)
    source = AplKiller(epsilon=1, universe=("beer", "bread")).publish(people, seeded(1)).release
    after = BoundedConfidence(tau="0.8", known="any").publish(source, seeded(2)).release
    assert DifferentialPrivacy in {type(claim) for claim in after.guarantees}
    assert after.manifest.seeded
    assert "thinning" in after.manifest.notes


def test_too_many_known_sets_are_refused():
    items = [f"i{number}" for number in range(30)]
    whole = ItemsetHistogram.of({tuple(items): 9, (): 9})
    with pytest.raises(InfeasibleError, match="lower known"):
        BoundedConfidence(tau="0.5", known="any").publish(as_released(whole))
    few = BoundedConfidence(tau="0.5", known=1).publish(as_released(whole), seeded(1)).release
    assert verify(few).by_parts is True


@pytest.mark.parametrize("known", [0, -1, "some", 1.5, "", True])
def test_a_knowledge_that_is_no_number_is_refused(known):
    with pytest.raises(ParameterError, match="known must"):
        BoundedConfidence(tau="0.5", known=known)


def test_another_content_is_refused():
    release = as_released(Transactions.of([["a"]]))
    with pytest.raises(DataError, match="takes a release of itemset counts"):
        BoundedConfidence(tau="0.5", known="any").publish(release)
