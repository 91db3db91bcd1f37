"""Counts spelled out as people are attacked, checked and measured as counts are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Release, Transactions, verify
from discreet.core.histogram import ItemsetHistogram
from discreet.core.synthetic_people import SyntheticPeople
from discreet.counts import (
    AplFree,
    AttributeLinkage,
    BoundedConfidence,
    Counts,
    Known,
    ProbabilisticLinkage,
    TableBayes,
    histogram_measures,
)
from discreet.errors import ParameterError
from discreet.rng import seeded
from tests.releases import as_released

UNIVERSE = ("a", "b", "c", "d")
DATA = Transactions.of(
    [["a", "b"]] * 40 + [["a"]] * 20 + [["b", "c"]] * 15 + [["d"]] * 9 + [[]] * 6,
    universe=UNIVERSE,
)


@pytest.mark.parametrize("kind", [TableBayes, Counts])
def test_rows_are_the_same_counts_under_the_same_promise(kind):
    counts = kind(epsilon=1, universe=UNIVERSE).publish(DATA, seeded(3)).release
    people = kind(epsilon=1, universe=UNIVERSE, rows=True).publish(DATA, seeded(3)).release
    assert type(people.content) is SyntheticPeople
    assert people.content.folded.as_dict() == counts.content.as_dict()
    assert people.guarantees == counts.guarantees
    assert people.manifest.parameters["rows"] is True
    assert verify(people).by_parts is True
    assert histogram_measures(DATA, people) == histogram_measures(DATA, counts)


COUNTS = st.dictionaries(
    st.sets(st.sampled_from(UNIVERSE)).map(lambda held: tuple(sorted(held))), st.integers(1, 9)
)


@given(COUNTS, st.sampled_from([(), ("a",), ("b", "c")]))
@settings(max_examples=40)
def test_attacks_claim_the_same_of_counts_and_people(counts, known):
    told = ItemsetHistogram.of(counts)
    people = SyntheticPeople.of_counts(told, seeded(1))
    for attack in (AttributeLinkage(), ProbabilisticLinkage(above="0.5")):
        one, other = (
            attack.attack(as_released(each), Known(items=known)) for each in (told, people)
        )
        assert one.summary == other.summary
        claimed = {(claim.known, claim.inferred, claim.confidence) for claim in one.claims}
        assert {(each.known, each.inferred, each.confidence) for each in other.claims} == claimed
        for claim in other.claims:
            assert {*claim.known, *claim.inferred} <= set(people[claim.row])


@given(COUNTS)
@settings(max_examples=20)
def test_a_step_after_people_publishes_people(counts):
    people = as_released(SyntheticPeople.of_counts(ItemsetHistogram.of(counts), seeded(1)))
    for step in (AplFree(), BoundedConfidence(tau="0.8", known="any")):
        release = step.publish(people, seeded(2)).release
        assert type(release.content) is SyntheticPeople
        assert verify(release).by_parts is True


def test_a_verifier_sees_a_leak_among_people():
    from discreet.core.guarantee import NoAttributeLeakage

    people = SyntheticPeople.of_counts(ItemsetHistogram.of({("a", "b"): 5, ("a",): 2}), seeded(1))
    release = Release(people, (NoAttributeLeakage(),), as_released(people).manifest)
    assert verify(release).holds is False


def test_single_items_make_no_people():
    items = tuple(f"i{number}" for number in range(21))
    data = Transactions.of([["i1", "i2"]] * 9, universe=items)
    with pytest.raises(ParameterError, match=r"rows must be left out .* more than 20 items"):
        Counts(epsilon=1, universe=items, rows=True).publish(data)
