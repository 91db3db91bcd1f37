"""Confidence bounded in published counts of any universe: sets cut, then people added to them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from discreet import Release, verify
from discreet.core.guarantee import BoundedConfidence as Promise
from discreet.core.histogram import ItemsetHistogram
from discreet.counts.bounding.sparse_confidence import nearest, raised
from tests.releases import as_released

COUNTS = st.dictionaries(
    st.sets(st.sampled_from("abcdef")).map(lambda held: tuple(sorted(held))), st.integers(1, 99)
)


@given(COUNTS, st.sampled_from(["1/2", "0.8"]), st.none() | st.integers(1, 3))
def test_many_items_are_bounded_by_adding_alone(counts, tau, known):
    before = ItemsetHistogram.of(counts)
    after = raised(before, Fraction(tau), known)
    assert (
        verify(Release(after, (Promise(tau=tau, known=known),), as_released(after).manifest)).holds
        is not False
    )
    kept = after.as_dict()
    assert all(kept[held] >= count for held, count in before.as_dict().items())


@given(COUNTS, st.sampled_from(["1/2", "0.8", "0.01", "1e-12"]), st.none() | st.integers(1, 3))
def test_the_nearest_way_keeps_the_bound_and_loses_less_than_to_publish_nothing(counts, tau, known):
    before = ItemsetHistogram.of(counts)
    after = nearest(before, Fraction(tau), known)
    claim = Promise(tau=tau, known=known)
    assert verify(Release(after, (claim,), as_released(after).manifest)).holds is not False
    # that nobody holds anything is off by the whole of every answer, and by nobody
    assert before.total <= after.total <= 2 * before.total


def test_few_people_with_many_items_do_not_become_many_people() -> None:
    items = tuple(f"item {number:02}" for number in range(30))
    counts = {items[place : place + 8]: 5 for place in range(20)} | {items[:1]: 100, (): 200}
    after = nearest(ItemsetHistogram.of(counts, items), Fraction(1, 100), None)
    assert after.total == 400
