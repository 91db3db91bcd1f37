"""What may be inferred of a cluster's members once some of them are seen elsewhere, exactly.

A cluster of ``n`` members holds some ``copies`` of a private term, each with another member. It
shares members with other clusters, and each of these overlaps can hold only so many copies. The
members that lie in the same overlaps form a cell: they cannot be told apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, prod
from operator import le
from typing import TypeAlias

Cell: TypeAlias = tuple[frozenset[int], int]
"""The overlaps some members lie in, and how many they are."""
Range: TypeAlias = tuple[int, int]
"""The least and the largest number of copies."""

MOST_STATES = 1_500
"""Partial sums that the exact calculation may hold at once."""
DIRECT = 300
"""Up to so many partial sums the exact calculation is cheaper than a bound."""


def s_range(size: int, copies: int, shared: int) -> Range:
    """Return how many of the ``copies`` of a cluster can lie with ``shared`` of its members.

    Definition 5 of Bewong et al. 2019.

    >>> s_range(size=2, copies=1, shared=1), s_range(size=2, copies=1, shared=2)
    ((0, 1), (1, 1))
    """
    return max(copies - (size - shared), 0), min(shared, copies)


def cells_of(kinds: Iterable[tuple[int, Sequence[int]]], overlaps: int) -> tuple[Cell, ...]:
    """Return the cells of a cluster from how often each of its sets occurs here and elsewhere.

    Of a set that occurs ``a`` times here and ``b`` times in an overlap, the first ``b`` are taken
    to be the ones that are shared: equal sets cannot be told apart.

    >>> cells_of([(3, [1]), (1, [1])], overlaps=1)
    ((frozenset(), 2), (frozenset({0}), 2))
    """
    sizes: dict[frozenset[int], int] = {}
    for here, elsewhere in kinds:
        shared = [min(here, count) for count in elsewhere]
        below = 0
        for level in sorted({*shared, here} - {0}):
            within = frozenset(i for i in range(overlaps) if shared[i] >= level)
            sizes[within] = sizes.get(within, 0) + level - below
            below = level
    return tuple(sorted(sizes.items(), key=lambda cell: sorted(cell[0])))


@dataclass(frozen=True)
class Cover:
    """A cluster, the copies it holds of a term, and what its overlaps say about them.

    >>> laura = Cover(copies=1, cells=((frozenset(), 1), (frozenset({0}), 1)), ranges=((0, 0),))
    >>> max(laura.posteriors), laura.within([Fraction(1, 2)] * 2)
    (Fraction(1, 1), False)
    """

    copies: int
    """Copies of the term in the cluster."""
    cells: tuple[Cell, ...]
    """Its members, by the overlaps they lie in."""
    ranges: tuple[Range, ...]
    """For each overlap the numbers of copies that both clusters allow."""

    @cached_property
    def size(self) -> int:
        """Members of the cluster."""
        return sum(size for _, size in self.cells)

    @cached_property
    def posteriors(self) -> tuple[Fraction, ...] | None:
        """For each cell the posterior probability of a member; None where it is too much to count.

        Every way to give the copies to different members that puts an allowed number into each
        overlap is equally likely. Where no way is left the overlaps cannot all be the same people,
        and each is taken by itself.
        """
        return _posteriors(self.copies, self.cells, self.ranges)

    def within(self, bounds: Sequence[Fraction]) -> bool | None:
        """Whether no posterior is above the bound of its cell; None where it cannot be told."""
        if self._surely_possible and all(
            bound >= 1 or min(self.copies, size, *(self.ranges[i][1] for i in cell)) <= bound * size
            for (cell, size), bound in zip(self.cells, bounds, strict=True)
        ):
            return True
        if (self.copies + 1) ** len(self.ranges) > DIRECT:
            if self._outside_within(min(bounds)) or self._surely_within(min(bounds)):
                return True
            if prod(high - low + 1 for low, high in self.ranges) > MOST_STATES:
                return None
        if self.posteriors is None:
            return None
        return all(map(le, self.posteriors, bounds))

    @property
    def _surely_possible(self) -> bool:
        """Whether the copies can be handed out, because those outside all overlaps can hold them.

        Overlaps that exclude each other are each taken by itself, and then no sum of theirs counts.
        """
        outside = sum(count for cell, count in self.cells if not cell)
        return self.copies <= outside and not any(low for low, _ in self.ranges)

    def _outside_within(self, bound: Fraction) -> bool:
        """Whether nobody is likelier than those outside all overlaps, and these are many enough.

        Where overlaps only limit how many copies they hold at most, a copy can always move from
        anyone to someone outside all of them. So those outside are the likeliest.
        """
        own = (s_range(self.size, self.copies, self._shared(i))[0] for i in range(len(self.ranges)))
        if any(low > least for (low, _), least in zip(self.ranges, own, strict=True)):
            return False
        outside = sum(count for cell, count in self.cells if not cell)
        return self.copies <= bound * outside

    def _surely_within(self, bound: Fraction) -> bool:
        """Whether a simple bound suffices: P(holds | A) is at most P(holds) / P(A)."""
        prior = Fraction(self.copies, self.size)
        for tail in (self._rough_tail, self._tail):
            likely = 1 - sum(map(tail, range(len(self.ranges))))
            if likely > 0 and prior <= bound * likely:
                return True
        return False

    def _rough_tail(self, overlap: int) -> Fraction:
        """Return at least the probability that an overlap holds a number that is not allowed.

        The number is hypergeometric; Cantelli's inequality bounds either side of its mean.
        """
        size, total, shared = self.size, self.copies, self._shared(overlap)
        low, high = self.ranges[overlap]
        own_low, own_high = s_range(size, total, shared)
        mean = Fraction(total * shared, size)
        variance = mean * Fraction((size - shared) * (size - total), size * max(size - 1, 1))
        below, above = mean - (low - 1), high + 1 - mean
        tail = Fraction(0)
        if low > own_low:
            tail += variance / (variance + below**2) if below > 0 else 1
        if high < own_high:
            tail += variance / (variance + above**2) if above > 0 else 1
        return tail

    def _tail(self, overlap: int) -> Fraction:
        """Return the probability that an overlap holds a number that is not allowed."""
        size, total, shared = self.size, self.copies, self._shared(overlap)
        low, high = self.ranges[overlap]
        own_low, own_high = s_range(size, total, shared)
        ways = comb(shared, own_low) * comb(size - shared, total - own_low)
        outside = 0
        for copies in range(own_low, own_high + 1):
            if not low <= copies <= high:
                outside += ways
            # from so many copies to one more, in whole numbers
            ways *= (shared - copies) * (total - copies)
            ways //= (copies + 1) * max(size - shared - total + copies + 1, 1)
        return Fraction(outside, comb(size, total))

    def _shared(self, overlap: int) -> int:
        return sum(count for cell, count in self.cells if overlap in cell)


@lru_cache(maxsize=1 << 16)
def _posteriors(
    copies: int, cells: tuple[Cell, ...], ranges: tuple[Range, ...]
) -> tuple[Fraction, ...] | None:
    weights = _weights(copies, cells, ranges)
    if weights is None:
        return None
    total, shares = weights
    if total:
        counted = zip(shares, cells, strict=True)
        return tuple(Fraction(share, total * count) for share, (_, count) in counted)
    if len(ranges) == 1:
        prior = Fraction(copies, sum(count for _, count in cells))
        return tuple(prior for _ in cells)
    return _one_by_one(copies, cells, ranges)


def _one_by_one(
    copies: int, cells: tuple[Cell, ...], ranges: tuple[Range, ...]
) -> tuple[Fraction, ...] | None:
    """Return for each cell the largest posterior that any overlap alone gives it."""
    worst = [Fraction(0)] * len(cells)
    for overlap in range(len(ranges)):
        halves = _alone(cells, overlap)
        alone = _posteriors(copies, halves, (ranges[overlap],))
        if alone is None:
            return None
        posteriors = {bool(cell): value for (cell, _), value in zip(halves, alone, strict=True)}
        for number, (cell, _) in enumerate(cells):
            worst[number] = max(worst[number], posteriors[overlap in cell])
    return tuple(worst)


def _alone(cells: tuple[Cell, ...], overlap: int) -> tuple[Cell, ...]:
    """Return the cells as they are where one overlap alone counts."""
    inside = sum(count for cell, count in cells if overlap in cell)
    outside = sum(count for cell, count in cells if overlap not in cell)
    halves = ((frozenset[int](), outside), (frozenset({0}), inside))
    return tuple(half for half in halves if half[1])


def _weights(
    total: int, cells: tuple[Cell, ...], ranges: tuple[Range, ...]
) -> tuple[int, list[int]] | None:
    """Return the number of ways, and for each cell the copies in it summed over all ways."""
    start = (total, *(0 for _ in ranges))
    states: dict[tuple[int, ...], list[int]] = {start: [1] + [0] * len(cells)}
    after = sum(count for _, count in cells)
    for number, (cell, count) in enumerate(cells):
        following: dict[tuple[int, ...], list[int]] = {}
        after -= count
        # what an overlap elsewhere must hold cannot be here
        most = total - max((low for i, (low, _) in enumerate(ranges) if i not in cell), default=0)
        for (left, *sums), ways in states.items():
            room = min([left, count, most, *(ranges[i][1] - sums[i] for i in cell)])
            # what the later cells cannot hold must be here
            for copies in range(max(left - after, 0), room + 1):
                state = (left - copies, *(s + copies * (i in cell) for i, s in enumerate(sums)))
                times = comb(count, copies)
                entry = following.setdefault(state, [0] * (len(cells) + 1))
                for index, way in enumerate(ways):
                    entry[index] += times * way
                entry[number + 1] += times * copies * ways[0]
        if len(following) > MOST_STATES:
            return None
        states = following
    allowed = [
        ways
        for (left, *sums), ways in states.items()
        if left == 0 and all(low <= s <= high for s, (low, high) in zip(sums, ranges, strict=True))
    ]
    summed = [sum(column) for column in zip(*allowed, strict=True)] or [0] * (len(cells) + 1)
    return summed[0], summed[1:]
