"""Confidence bounded in published counts of any universe, by people added to known sets."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from discreet import Release, verify
from discreet.core.guarantee import BoundedConfidence as Promise
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Manifest
from discreet.counts.sparse_confidence import raised

COUNTS = st.dictionaries(
    st.sets(st.sampled_from("abcdef")).map(lambda held: tuple(sorted(held))), st.integers(1, 99)
)


def published(counts: ItemsetHistogram) -> Release[ItemsetHistogram]:
    return Release(counts, (), Manifest(method="made", parameters={}, randomness="none"))


@given(COUNTS, st.sampled_from(["1/2", "0.8"]), st.none() | st.integers(1, 3))
def test_many_items_are_bounded_by_adding_alone(counts, tau, known):
    before = ItemsetHistogram.of(counts)
    after = raised(before, Fraction(tau), known)
    assert (
        verify(Release(after, (Promise(tau=tau, known=known),), published(after).manifest)).holds
        is not False
    )
    kept = after.as_dict()
    assert all(kept[held] >= count for held, count in before.as_dict().items())
