"""The verifier's posterior against full enumeration, and beside the publisher's."""

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng, verify
from discreet.core.clusters import Clusters
from discreet.core.release import Release
from discreet.series import Sanony
from discreet.series.republishing.posterior import Cover
from discreet.verify import posterior
from discreet.verify.posterior import Cell, Limits, Puzzle, _hypergeometric_ways


def holders(puzzle: Puzzle) -> list[tuple[frozenset[int], ...]]:
    """The overlaps of those who hold a copy, for every way to hand them out."""
    members = [cell.overlaps for cell in puzzle.cells for _ in range(cell.members)]
    return list(combinations(members, puzzle.copies))


def enumerated(puzzle: Puzzle) -> list[Fraction] | None:
    """The posterior of a member of each cell, by trying all ways to hand out the copies."""
    kept = [
        way
        for way in holders(puzzle)
        if all(
            low <= sum(overlap in place for place in way) <= high
            for overlap, (low, high) in enumerate(puzzle.limits)
        )
    ]
    if not kept:
        return None
    return [
        Fraction(sum(way.count(cell.overlaps) for way in kept), len(kept) * cell.members)
        for cell in puzzle.cells
    ]


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """A small cluster with up to three overlaps, each with limits that the cluster allows."""
    overlaps = draw(st.integers(1, 3))
    places = draw(st.sets(st.frozensets(st.integers(0, overlaps - 1)), min_size=1, max_size=4))
    cells = tuple(
        Cell(place, draw(st.integers(1, 4))) for place in sorted(places, key=lambda p: sorted(p))
    )
    size = sum(cell.members for cell in cells)
    copies = draw(st.integers(1, min(size, 5)))
    limits = []
    for overlap in range(overlaps):
        shared = sum(cell.members for cell in cells if overlap in cell.overlaps)
        low, high = max(copies - (size - shared), 0), min(shared, copies)
        least = draw(st.integers(low, high))
        limits.append(Limits(least, draw(st.integers(least, high))))
    return Puzzle(copies, cells, tuple(limits))


@settings(max_examples=300)
@given(puzzle=puzzles(), bound=st.fractions(0, 1, max_denominator=9))
def test_posteriors_are_those_of_full_enumeration(puzzle: Puzzle, bound: Fraction) -> None:
    expected = enumerated(puzzle)
    assume(expected is not None)
    assert puzzle.posteriors == tuple(expected or ())
    assert puzzle.keeps([bound] * len(puzzle.cells)) is all(p <= bound for p in expected or ())


@settings(max_examples=300)
@given(puzzle=puzzles(), bound=st.fractions(0, 1, max_denominator=9))
def test_no_shortcut_passes_what_enumeration_does_not(puzzle: Puzzle, bound: Fraction) -> None:
    expected = enumerated(puzzle)
    assume(expected is not None)
    bounds = [bound] * len(puzzle.cells)
    shortcuts = (puzzle.few_enough, puzzle.enough_outside, puzzle.likely_enough)
    assert max(expected or ()) <= bound or not any(passed(bounds) for passed in shortcuts)
    size = sum(cell.members for cell in puzzle.cells)
    for overlap, (low, high) in enumerate(puzzle.limits):
        sums = [sum(overlap in place for place in way) for way in holders(puzzle)]
        beyond = Fraction(sum(not low <= s <= high for s in sums), comb(size, puzzle.copies))
        assert puzzle._by_counting(overlap) == beyond
        assert puzzle._by_variance(overlap) == chebyshev(sums, low, high) >= beyond


def chebyshev(sums: list[int], low: int, high: int) -> Fraction:
    """The bound on a number beyond the limits, from the mean and the variance of all ways."""
    mean = Fraction(sum(sums), len(sums))
    variance = sum((each - mean) ** 2 for each in sums) / len(sums)
    # only what can be beyond a limit, and how far the nearest such number is from the mean
    gaps = [
        gap
        for gap, can in ((mean - low + 1, low > min(sums)), (high + 1 - mean, high < max(sums)))
        if can
    ]
    if not gaps:
        return Fraction(0)
    return min(variance / min(gaps) ** 2, Fraction(1)) if min(gaps) > 0 else Fraction(1)


def test_subsets_are_counted_within_limits_that_no_cluster_has_too() -> None:
    for inside, outside in product(range(4), range(4)):
        everyone = inside + outside
        for copies in range(everyone + 1):
            sums = [
                sum(member < inside for member in way)
                for way in combinations(range(everyone), copies)
            ]
            for low, high in product(range(-1, 5), repeat=2):
                ways = _hypergeometric_ways(everyone, inside, copies, low, high)
                assert ways == sum(low <= each <= high for each in sums)


def test_an_overlap_that_no_way_fits_tells_nothing() -> None:
    cells = Cell(OUTSIDE, 2), Cell(INSIDE, 1)
    puzzle = Puzzle(1, cells, (Limits(2, 2),))
    assert puzzle.posteriors is None
    assert puzzle.keeps([Fraction(1)] * 2) is None
    # nor does one of several: then nothing is told of any
    several = Puzzle(1, (*cells, Cell(frozenset({1}), 3)), (Limits(0, 1), Limits(2, 2)))
    assert several.posteriors is None


LESS = 1 - Fraction(1, 10**9)


@settings(max_examples=100)
@given(puzzle=puzzles())
def test_few_are_enough_up_to_the_share_that_a_cell_can_hold(puzzle: Puzzle) -> None:
    shares = []
    for cell in puzzle.cells:
        most = [puzzle.limits[overlap].high for overlap in cell.overlaps]
        shares.append(Fraction(min(puzzle.copies, cell.members, *most), cell.members))
    assert puzzle.few_enough(shares) is True
    assume(max(shares) > 0)
    assert puzzle.few_enough([share * LESS for share in shares]) is False


@settings(max_examples=100)
@given(puzzle=puzzles())
def test_enough_are_outside_up_to_their_share_of_all_copies(puzzle: Puzzle) -> None:
    outside = sum(cell.members for cell in puzzle.cells if not cell.overlaps)
    # some overlap must hold more than the fewest that any way puts into it
    forced = any(
        limits.low > min(sum(overlap in place for place in way) for way in holders(puzzle))
        for overlap, limits in enumerate(puzzle.limits)
    )
    share = Fraction(puzzle.copies, max(outside, 1))
    at, below = ([share * factor] * len(puzzle.cells) for factor in (1, LESS))
    assert puzzle.enough_outside(at) is (outside > 0 and not forced)
    assert puzzle.enough_outside(below) is False


@settings(max_examples=100)
@given(puzzle=puzzles())
def test_limits_are_likely_enough_up_to_the_prior_over_their_chance(puzzle: Puzzle) -> None:
    unlikely = min(
        sum(bound(overlap) for overlap in range(len(puzzle.limits)))
        for bound in (puzzle._by_variance, puzzle._by_counting)
    )
    prior = Fraction(puzzle.copies, sum(cell.members for cell in puzzle.cells))
    # where the limits may be as good as never kept, no bound is large enough
    share = prior / (1 - unlikely) if unlikely < 1 else Fraction(1)
    at, below = ([share * factor] * len(puzzle.cells) for factor in (1, LESS))
    assert puzzle.likely_enough(at) is (unlikely < 1)
    assert puzzle.likely_enough(below) is False


INSIDE, OUTSIDE = frozenset({0}), frozenset[int]()


@pytest.mark.parametrize(
    ("reached", "puzzle", "bound"),
    [
        (
            "few_enough",
            Puzzle(500, (Cell(INSIDE, 2000), Cell(OUTSIDE, 2500)), (Limits(450, 500),)),
            4,
        ),
        ("enough_outside", Puzzle(500, (Cell(OUTSIDE, 2600), Cell(INSIDE, 4)), (Limits(0, 1),)), 5),
        (
            "likely_enough",
            Puzzle(500, (Cell(OUTSIDE, 1000), Cell(INSIDE, 1000)), (Limits(200, 300),)),
            3,
        ),
    ],
)
def test_every_shortcut_is_reached_where_the_others_say_nothing(
    reached: str, puzzle: Puzzle, bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds = [Fraction(1, bound)] * len(puzzle.cells)
    names = ("few_enough", "enough_outside", "likely_enough")
    assert [name for name in names if getattr(puzzle, name)(bounds)] == [reached]
    assert puzzle.posteriors is not None
    assert all(chance <= bounds[0] for chance in puzzle.posteriors)
    monkeypatch.setattr(posterior, "MOST_STATES", 0)
    assert puzzle.keeps(bounds) is True


def test_what_is_too_much_to_count_cannot_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posterior, "MOST_STATES", 2)
    cells = Cell(OUTSIDE, 4), Cell(INSIDE, 4), Cell(frozenset({1}), 4)
    puzzle = Puzzle(5, cells, (Limits(2, 3), Limits(1, 3)))
    assert puzzle.keeps([Fraction(1, 2)] * 3) is None


def test_overlaps_that_exclude_each_other_are_taken_one_by_one() -> None:
    # each of two overlaps is said to hold the only copy
    cells = Cell(OUTSIDE, 1), Cell(INSIDE, 2), Cell(frozenset({1}), 4)
    puzzle = Puzzle(1, cells, (Limits(1, 1), Limits(1, 1)))
    assert puzzle.posteriors == (0, Fraction(1, 2), Fraction(1, 4))
    # three copies for two: 15 pairs of 36 have one of the two inside, 6 are both of the four
    cells = Cell(OUTSIDE, 3), Cell(INSIDE, 2), Cell(frozenset({1}), 4)
    puzzle = Puzzle(2, cells, (Limits(1, 2), Limits(2, 2)))
    assert puzzle.posteriors == (Fraction(2, 15), Fraction(8, 15), Fraction(1, 2))


YEARS = (
    [["a", "s"], ["a"], ["c"], ["c"], ["d"], ["d"]],
    [["a", "s"], ["a"], *([name] for name in "efghijklm" for _ in range(2))],
)


def second_release() -> tuple[Release[Clusters], Release[Clusters]]:
    """Two people share one copy in both years, and the term has become rare (003-6)."""
    releases: tuple[Any, ...] = ()
    for records in YEARS:
        method = Sanony(r_th=4, cluster_size=2, settle="counterfeits", after=releases)
        data = Transactions.of(records, sensitive=["s"])
        releases = (*releases, method.publish(data, rng.seeded(1)).release)
    return releases[0], releases[1]


def test_a_fault_in_the_publishers_formula_is_caught_by_the_verifier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = second_release()
    # whoever holds the term is withheld, which the original shows
    original = Transactions.of(YEARS[1], sensitive=["s"])
    assert verify(second, after=[first], against=original).by_parts is True
    monkeypatch.setattr(Cover, "within", lambda _cover, _bounds: True)
    first, second = second_release()
    assert verify(second, after=[first]).holds is False
