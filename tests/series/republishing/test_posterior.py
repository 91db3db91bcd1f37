"""The posterior by which Sanony decides, against full enumeration, shortcuts included."""

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet.series.republishing.posterior import Cover, cells_of, s_range


def enumerated(cover: Cover) -> list[Fraction] | None:
    """The posterior of each cell, by trying all ways to hand out the copies."""
    members = [place for place, size in cover.cells for _ in range(size)]
    hits, ways = [0] * len(members), 0
    for holders in combinations(range(len(members)), cover.copies):
        sums = [sum(i in members[h] for h in holders) for i in range(len(cover.ranges))]
        if all(low <= s <= high for s, (low, high) in zip(sums, cover.ranges, strict=True)):
            ways += 1
            for holder in holders:
                hits[holder] += 1
    if not ways:
        return None
    firsts = [members.index(place) for place, _ in cover.cells]
    return [Fraction(hits[first], ways) for first in firsts]


KIND = st.tuples(st.integers(1, 3), st.lists(st.integers(0, 3), min_size=2, max_size=2))


@given(
    kinds=st.lists(KIND, min_size=1, max_size=4),
    held=st.integers(0, 5),
    ranges=st.tuples(*[st.tuples(st.integers(0, 2), st.integers(0, 3))] * 2),
    bound=st.fractions(0, 1, max_denominator=7),
)
def test_posteriors_are_those_of_full_enumeration(
    kinds: Any, held: int, ranges: Any, bound: Fraction
) -> None:
    cells = cells_of(kinds, 2)
    held = min(held, sum(size for _, size in cells))
    cover = Cover(held, cells, tuple((min(r), max(r)) for r in ranges))
    expected = enumerated(cover)
    assume(expected is not None)
    assert cover.posteriors == tuple(expected or ())
    assert cover.within([bound] * len(cells)) is all(p <= bound for p in expected or ())


LARGE = st.lists(
    st.tuples(st.integers(1, 6), st.lists(st.integers(0, 6), min_size=2, max_size=2)),
    min_size=2,
    max_size=4,
)


@settings(max_examples=300)
@given(kinds=LARGE, held=st.integers(1, 5), ranges=st.data(), times=st.integers(2, 40))
def test_no_shortcut_passes_what_enumeration_does_not(
    kinds: Any, held: int, ranges: Any, times: int
) -> None:
    cells = cells_of(kinds, 2)
    size = sum(members for _, members in cells)
    assume(held < size <= 14)
    limits = []
    for overlap in range(2):
        shared = sum(members for place, members in cells if overlap in place)
        low, high = s_range(size, held, shared)
        least = ranges.draw(st.integers(low, high))
        limits.append((least, ranges.draw(st.integers(least, high))))
    cover = Cover(held, cells, tuple(limits))
    expected = enumerated(cover)
    assume(expected is not None)
    bound = Fraction(held * times, size * 10)
    safe = max(expected or ()) <= bound
    assert safe or not cover._outside_within(bound)
    assert safe or not cover._surely_within(bound)
    for overlap, (low, high) in enumerate(limits):
        beyond = Fraction(sum(1 for h in _holders(cover, overlap) if not low <= h <= high), 1)
        share = beyond / comb(size, held)
        assert cover._tail(overlap) == share
        assert cover._rough_tail(overlap) >= share


def _holders(cover: Cover, overlap: int) -> list[int]:
    """The copies in an overlap, for every way to hand them out."""
    members = [place for place, size in cover.cells for _ in range(size)]
    ways = combinations(members, cover.copies)
    return [sum(overlap in place for place in holders) for holders in ways]


def test_every_shortcut_is_reached_where_the_others_say_nothing() -> None:
    inside, outside = frozenset({0}), frozenset[int]()
    many_outside = Cover(400, ((outside, 2000), (inside, 4)), ((0, 1),))
    assert many_outside._outside_within(Fraction(1, 5))
    likely = Cover(400, ((outside, 1000), (inside, 1000)), ((150, 250),))
    assert not likely._outside_within(Fraction(3, 10))
    assert likely._surely_within(Fraction(3, 10))
    assert likely._rough_tail(0) < Fraction(1, 5)
    # so narrow that only the exact tail says enough
    narrow = Cover(400, ((outside, 1000), (inside, 1000)), ((191, 400),))
    assert 1 - narrow._rough_tail(0) < Fraction(2, 3) < 1 - narrow._tail(0)
    assert narrow._surely_within(Fraction(3, 10))
    assert narrow.within([Fraction(3, 10)] * 2) is True


@pytest.mark.parametrize(
    ("size", "exact"), [(6, "5/9"), (8, "7/11"), (12, "11/15"), (20, "19/23"), (40, "39/43")]
)
def test_with_two_overlaps_more_people_can_make_it_worse(size: int, exact: str) -> None:
    # 003-6: T in two overlaps of three, each with at least one of the two copies
    cells = (
        (frozenset[int](), size - 5),
        (frozenset({0}), 2),
        (frozenset({1}), 2),
        (frozenset({0, 1}), 1),
    )
    cover = Cover(2, cells, ((1, 2), (1, 2)))
    assert cover.posteriors[-1] == Fraction(exact)
    assert cover.within([Fraction(exact)] * 4) is True
    assert cover.within([Fraction(exact) - Fraction(1, 10**9)] * 4) is False


def test_a_large_cover_is_decided_without_counting() -> None:
    cells = tuple(
        (frozenset(i for i in range(4) if place[i]), 1000 + 7 * sum(place))
        for place in product((0, 1), repeat=4)
    )
    cover = Cover(copies=500, cells=cells, ranges=((0, 400),) * 4)
    rate = Fraction(500, cover.size)
    assert cover.within([2 * rate] * len(cells)) is True


def test_the_product_over_the_cover_is_no_bound_and_the_exact_posterior_is_used() -> None:
    # one copy, and the only common member of two overlaps that are known to hold it (003-7)
    cells = (
        (frozenset[int](), 1),
        (frozenset({0}), 2),
        (frozenset({1}), 2),
        (frozenset({0, 1}), 1),
    )
    assert Cover(1, cells, ((1, 1), (1, 1))).posteriors == (0, 0, 0, 1)
