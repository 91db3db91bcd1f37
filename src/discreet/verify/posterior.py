"""How likely a member of a cluster holds a private term, by counting the ways it can be.

A cluster's copies of a term are with so many different members, and which ones is not told. The
posterior of a member is the number of ways in which that member holds a copy over the number of
all ways, among those that put into every overlap a number of copies that both its clusters allow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple


class Cell(NamedTuple):
    """Members who cannot be told apart: they lie in the same overlaps."""

    overlaps: frozenset[int]
    """The overlaps that they lie in."""
    members: int
    """How many they are."""


class Limits(NamedTuple):
    """How many copies an overlap can hold."""

    low: int
    """The fewest."""
    high: int
    """The most."""


MOST_STATES = 60_000
"""Partly filled clusters that are looked at before the counting is given up."""
FEW = 400
"""Up to so many ways to fill the overlaps, counting is cheaper than a bound."""


@dataclass(frozen=True)
class Puzzle:
    """The copies in a cluster, its members by the overlaps they lie in, and what is allowed.

    >>> laura, lucy = Cell(frozenset(), 1), Cell(frozenset({0}), 1)
    >>> Puzzle(copies=1, cells=(laura, lucy), limits=(Limits(0, 0),)).posteriors
    (Fraction(1, 1), Fraction(0, 1))
    """

    copies: int
    """Copies of the term in the cluster."""
    cells: tuple[Cell, ...]
    """All members of the cluster."""
    limits: tuple[Limits, ...]
    """For each overlap how many copies it can hold."""

    @property
    def posteriors(self) -> tuple[Fraction, ...] | None:
        """For each cell the posterior of a member; None where there is too much to count.

        Where no way is left the overlaps are not all of the same people, and each is taken by
        itself: then the largest posterior that one of them gives counts.
        """
        return _posteriors(self)

    def keeps(self, bounds: Sequence[Fraction]) -> bool | None:
        """Whether no posterior is above the bound of its cell; None where that cannot be told."""
        fillings = (self.copies + 1) ** len(self.limits)
        if fillings > FEW and any(
            shown(bounds) for shown in (self.few_enough, self.enough_outside, self.likely_enough)
        ):
            return True
        posteriors = self.posteriors
        if posteriors is None:
            return None
        return all(chance <= bound for chance, bound in zip(posteriors, bounds, strict=True))

    def few_enough(self, bounds: Sequence[Fraction]) -> bool:
        """Whether each cell can hold so few copies that its members share them safely.

        The members of a cell have equal posteriors, and these add up to the copies expected in it.
        """
        for cell, bound in zip(self.cells, bounds, strict=True):
            limits = (self.limits[overlap].high for overlap in cell.overlaps)
            if min(self.copies, cell.members, *limits) > bound * cell.members:
                return False
        return True

    def enough_outside(self, bounds: Sequence[Fraction]) -> bool:
        """Whether so many lie outside all overlaps that they share all copies safely.

        Only where no overlap must hold more than it would anyway: then a holder in overlaps can
        be exchanged for a member outside who holds none, and all limits are still kept. So no
        member is likelier than those outside, and their posteriors add up to the copies at most.
        """
        everyone = sum(cell.members for cell in self.cells)
        outside = sum(cell.members for cell in self.cells if not cell.overlaps)
        for overlap, limits in enumerate(self.limits):
            if limits.low > max(self.copies - (everyone - self._inside(overlap)), 0):
                return False
        return self.copies <= min(bounds) * outside

    def likely_enough(self, bounds: Sequence[Fraction]) -> bool:
        """Whether the limits are so likely to be kept by chance that they tell too little.

        P(holds | all limits kept) is at most P(holds) / P(all limits kept), and the probability
        that some are not kept at most the sum over the overlaps.
        """
        prior = Fraction(self.copies, sum(cell.members for cell in self.cells))
        for unlikely in (self._by_variance, self._by_counting):
            probability = 1 - sum(map(unlikely, range(len(self.limits))))
            if probability > 0 and prior <= min(bounds) * probability:
                return True
        return False

    def _by_variance(self, overlap: int) -> Fraction:
        """Return at least the probability of a number beyond the limits: Chebyshev's."""
        everyone = sum(cell.members for cell in self.cells)
        inside, limits = self._inside(overlap), self.limits[overlap]
        mean = Fraction(self.copies * inside, everyone)
        odds = Fraction(
            (everyone - inside) * (everyone - self.copies), max(everyone * (everyone - 1), 1)
        )
        beyond = []
        if limits.low > max(self.copies - (everyone - inside), 0):
            beyond.append(mean - (limits.low - 1))
        if limits.high < min(inside, self.copies):
            beyond.append(limits.high + 1 - mean)
        if not beyond:
            return Fraction(0)
        return min(mean * odds / min(beyond) ** 2, Fraction(1)) if min(beyond) > 0 else Fraction(1)

    def _by_counting(self, overlap: int) -> Fraction:
        """Return the probability of a number beyond the limits: hypergeometric."""
        everyone = sum(cell.members for cell in self.cells)
        inside, (low, high) = self._inside(overlap), self.limits[overlap]
        within = _hypergeometric_ways(everyone, inside, self.copies, low, high)
        return 1 - Fraction(within, comb(everyone, self.copies))

    def _inside(self, overlap: int) -> int:
        return sum(cell.members for cell in self.cells if overlap in cell.overlaps)


def _hypergeometric_ways(everyone: int, inside: int, copies: int, low: int, high: int) -> int:
    """Return how many subsets of so many copies have ``low`` to ``high`` inside."""
    low, high = max(low, copies - (everyone - inside), 0), min(high, inside, copies)
    if low > high:
        return 0
    inner, outer = comb(inside, low), comb(everyone - inside, copies - low)
    fillings = 0
    for number in range(low, high + 1):
        fillings += inner * outer
        inner = inner * (inside - number) // (number + 1)
        outer = outer * (copies - number) // (everyone - inside - (copies - number) + 1)
    return fillings


@lru_cache(maxsize=1 << 15)
def _posteriors(puzzle: Puzzle) -> tuple[Fraction, ...] | None:
    fillings = _count_fillings(puzzle)
    if fillings == 0 and len(puzzle.limits) > 1:
        return _each_alone(puzzle)
    if not fillings:
        return None
    chances = []
    for number in range(len(puzzle.cells)):
        holding = _count_fillings(_with_holder(puzzle, number))
        if holding is None:
            return None
        chances.append(Fraction(holding, fillings))
    return tuple(chances)


def _with_holder(puzzle: Puzzle, number: int) -> Puzzle:
    """Return what is left once a certain member of a cell is known to hold a copy."""
    holder = puzzle.cells[number]
    cells = list(puzzle.cells)
    cells[number] = Cell(holder.overlaps, holder.members - 1)
    limits = tuple(
        Limits(limit.low - 1, limit.high - 1) if overlap in holder.overlaps else limit
        for overlap, limit in enumerate(puzzle.limits)
    )
    return Puzzle(puzzle.copies - 1, tuple(cells), limits)


def _each_alone(puzzle: Puzzle) -> tuple[Fraction, ...] | None:
    """Return for each cell the largest posterior that a single overlap gives."""
    largest = [Fraction(0)] * len(puzzle.cells)
    for overlap, limits in enumerate(puzzle.limits):
        inside = sum(cell.members for cell in puzzle.cells if overlap in cell.overlaps)
        outside = sum(cell.members for cell in puzzle.cells) - inside
        cells = Cell(frozenset(), outside), Cell(frozenset({0}), inside)
        alone = _posteriors(Puzzle(puzzle.copies, cells, (limits,)))
        if alone is None:
            return None
        for number, cell in enumerate(puzzle.cells):
            largest[number] = max(largest[number], alone[overlap in cell.overlaps])
    return tuple(largest)


def _count_fillings(puzzle: Puzzle) -> int | None:
    """Count the ways to give the copies to different members; None where it takes too long."""
    try:
        return _Filling(puzzle).ways(0, puzzle.copies, tuple(puzzle.limits))
    except _TooManyError:
        return None


class _TooManyError(Exception):
    """There is too much to count."""


class _Filling:
    """Fills one cell after the other, and remembers in how many ways the rest can be filled."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.cells = puzzle.cells
        self.known: dict[tuple[int, int, tuple[Limits, ...]], int] = {}
        self.room = [
            [
                sum(c.members for c in puzzle.cells[first:] if overlap in c.overlaps)
                for overlap in range(len(puzzle.limits))
            ]
            for first in range(len(puzzle.cells) + 1)
        ]
        self.seats = [
            sum(c.members for c in puzzle.cells[first:]) for first in range(len(puzzle.cells) + 1)
        ]

    def ways(self, first: int, copies: int, limits: tuple[Limits, ...]) -> int:
        """Return the ways to put the copies into the cells from ``first`` on, within the limits."""
        if not 0 <= copies <= self.seats[first] or any(
            limit.high < 0 or limit.low > min(copies, room)
            for limit, room in zip(limits, self.room[first], strict=True)
        ):
            return 0
        if first == len(self.cells):
            return 1
        # what an overlap can hold beyond all that is left does not tell states apart
        limits = tuple(
            Limits(max(limit.low, 0), min(limit.high, copies, room))
            for limit, room in zip(limits, self.room[first], strict=True)
        )
        state = first, copies, limits
        if state not in self.known:
            if len(self.known) >= MOST_STATES:
                raise _TooManyError
            self.known[state] = self._filled(first, copies, limits)
        return self.known[state]

    def _filled(self, first: int, copies: int, limits: tuple[Limits, ...]) -> int:
        overlaps, members = self.cells[first]
        most = min([copies, members, *(limits[overlap].high for overlap in overlaps)])
        least = max(copies - self.seats[first + 1], 0)
        fillings, chosen = 0, comb(members, least)
        for count in range(least, most + 1):
            left = tuple(
                Limits(low - count, high - count) if overlap in overlaps else Limits(low, high)
                for overlap, (low, high) in enumerate(limits)
            )
            fillings += chosen * self.ways(first + 1, copies - count, left)
            chosen = chosen * (members - count) // (count + 1)
        return fillings
