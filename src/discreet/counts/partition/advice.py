"""Fan-out and thresholds for APLKiller, chosen from public facts alone: no data come in here."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from discreet.core.exact import Exact, at_least_one, positive
from discreet.core.itemsets import WORD
from discreet.counts.partition.noise_law import LevelNoise, operations, passes, tail, threshold
from discreet.counts.partition.running import HALF, rate_of
from discreet.counts.sparse_histogram import least_count
from discreet.errors import InfeasibleError, ParameterError
from discreet.measure import SANITY

CONSTANTS: Final = (
    "0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.8", "1", "1.2", "1.4", "1.6", "1.8", "2",
    "2.3", "2.6", "3", "3.5", "4", "5", "6",
)  # fmt: skip
"""Thresholds that are tried, in standard deviations."""
LIKELY, SURELY = 0.6, 0.9
"""A choice is made by the count that likely survives; a person is told the one that surely does."""
WORK = 1 << 24
"""Parts that noise alone may make a run look at, for each size: a fraction of a second."""
WIDE = 8
"""Beyond this fan-out a split has too many parts to be made more than once or twice."""
QUERY = 5
"""Noise is weighed by queries for up to so many items."""
MOST_NOISE = 25.0
"""Noise itemsets that are allowed for one size at most."""
BESIDE = 0.25
"""Noise itemsets that one partition which people keep alive may make at most."""
NOISE_ERROR = 0.2
"""The mean relative error that noise itemsets of all sizes together may be expected to add."""
FEW = 10_000
"""Records that are taken to be there where nobody says how many."""
SPURIOUS: Final = 5
"""What SparseHistogram is asked for when it is compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeAdvice:
    """What to choose for itemsets of one size, and what to expect of it."""

    size: int
    """The size."""
    fan_out: int
    """Children of a node in the taxonomy tree."""
    c1: str
    """Standard deviations of noise a partition must exceed."""
    c2: str
    """The same for the count of an itemset."""
    noise: float
    """Itemsets to expect that nobody has, if there were no data; with data there are more."""
    survives: int
    """Smallest count that survives with 90 % probability, if nobody else is near."""
    sparse_survives: int
    """The same under SparseHistogram with five noise itemsets to expect."""

    @property
    def sparse_keeps_more(self) -> bool:
        """Whether SparseHistogram keeps rarer itemsets of this size."""
        return self.sparse_survives < self.survives


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One entry for each size from 1 on."""

    fan_out: tuple[int, ...]
    """Children of a node in the taxonomy tree."""
    c1: tuple[str, ...]
    """Standard deviations of noise a partition must exceed."""
    c2: tuple[str, ...]
    """The same for the count of an itemset."""


def advise(
    epsilon: Exact, items: int, max_size: int | None = None, *, records: int | None = None
) -> tuple[SizeAdvice, ...]:
    """Propose parameters for each size from 1 to ``max_size``, from public numbers only.

    For each size the fan-out, c1 and c2 are taken under which the smallest count is likely to
    survive, among those that let few noise itemsets through. ``records``, if the rough number of
    people is public, says how much noise is worth while.

    >>> one, two = advise(1, 16, 2)
    >>> one.fan_out, two.fan_out, one.survives <= two.survives
    (16, 16, True)
    """
    rate_of(epsilon)
    budget = float(positive("epsilon", epsilon))
    sizes = range(1, _largest(items, max_size) + 1)
    at_least_one(records=records)
    scarce = records is None or records < sum(math.comb(items, size) for size in sizes)
    # people whom noise may add to an average query, shared among the sizes
    people = NOISE_ERROR / len(sizes) * SANITY * (FEW if records is None else records)
    return tuple(_for_size(items, size, budget, people, scarce=scarce) for size in sizes)


def advised(
    epsilon: Exact, items: int, max_size: int | None = None, *, records: int | None = None
) -> Choice:
    """Return the advice as the fields of AplKiller that it fills."""
    advice = advise(epsilon, items, max_size, records=records)
    return Choice(
        fan_out=tuple(entry.fan_out for entry in advice),
        c1=tuple(entry.c1 for entry in advice),
        c2=tuple(entry.c2 for entry in advice),
    )


def _largest(items: int, max_size: int | None) -> int:
    if items < 1:
        msg = f"the number of `items` must be at least 1, got {items}"
        raise ParameterError(msg, parameter="items")
    if max_size is None and items > WORD:
        msg = f"`max_size` must be given for more than {WORD} items, for example 3"
        raise ParameterError(msg, parameter="max_size")
    at_least_one(max_size=max_size)
    return items if max_size is None else min(items, max_size)


def allowed_noise(items: int, size: int, *, scarce: bool) -> float:
    """Return how many noise itemsets of this size are worth while.

    A noise itemset spoils every query for a part of it, so large ones are allowed less often.
    Where people are fewer than possible itemsets, most itemsets are rare and lost to the
    threshold; what noise adds then makes up for some of the loss, and more of it is allowed.
    """
    return min(MOST_NOISE, (2.0 if scarce else 0.8) / _spoilt(items, size))


def _spoilt(items: int, size: int) -> float:
    """Return the share of queries for some items that an itemset of this size answers."""
    query_sizes = range(1, min(QUERY, items) + 1)
    return sum(math.comb(size, k) / math.comb(items, k) for k in query_sizes) / len(query_sizes)


@dataclass(frozen=True, slots=True)
class _Allowed:
    """How much noise is worth while."""

    itemsets: float
    """Noise itemsets of one size."""
    people: float
    """People that they may stand for, all together."""

    def holds(self, law: LevelNoise, c2: str, epsilon: float) -> bool:
        """Whether noise itemsets are few and small enough under this threshold."""
        expected, beside = law.expected(float(c2)), law.beside_people(float(c2))
        # noise that passes exceeds the threshold by one standard deviation or so
        half = epsilon / 2
        count = max(1.0, threshold(float(c2), half)) + 1 / half
        few = expected <= self.itemsets and beside <= BESIDE
        return few and (expected + beside) * count <= self.people


@lru_cache(maxsize=4096)
def _for_size(items: int, size: int, epsilon: float, people: float, *, scarce: bool) -> SizeAdvice:
    allowed = _Allowed(allowed_noise(items, size, scarce=scarce), people / _spoilt(items, size))
    strictest = _Tests(items, size, 2, epsilon, CONSTANTS[-1], CONSTANTS[-1])
    best, noise = strictest, 0.0
    for fan_out in _fan_outs(items):
        better = _best_of(fan_out, best, allowed)
        if better:
            best, noise = better
    return SizeAdvice(
        size=size,
        fan_out=best.fan_out,
        c1=best.c1,
        c2=best.c2,
        noise=noise,
        survives=best.reached(SURELY),
        sparse_survives=_sparse_survives(items, size, epsilon),
    )


def _best_of(fan_out: int, rival: "_Tests", allowed: _Allowed) -> "tuple[_Tests, float] | None":
    """Return the tests of this fan-out that keep smaller counts than ``rival``, and their noise."""
    best, to_beat, noise = None, rival.reached(LIKELY), 0.0
    for c1 in CONSTANTS:
        mildest = replace(rival, fan_out=fan_out, c1=c1, c2=CONSTANTS[0])
        if mildest.reached(LIKELY) >= to_beat:
            # stricter inner tests only lose more
            break
        try:
            tests, expects = mildest.tightened(allowed)
        except InfeasibleError:
            # the cuts of a tree are the same for every c1
            break
        if tests and tests.reached(LIKELY) < to_beat:
            best, to_beat, noise = tests, tests.reached(LIKELY), expects
    return (best, noise) if best else None


def _fan_outs(items: int) -> Iterator[int]:
    """Give the fan-outs to try, widest first; wide ones where only the root has many children."""
    widest = next((fan_out for fan_out in range(2, 17) if fan_out >= items), 16)
    for fan_out in range(widest, 1, -1):
        if fan_out <= WIDE or items <= 2 * fan_out:
            yield fan_out


@dataclass(frozen=True, slots=True)
class _Tests:
    """The tests on the longest way from the root to an itemset."""

    items: int
    size: int
    fan_out: int
    epsilon: float
    c1: str
    c2: str

    def reached(self, probability: float) -> int:
        """Return the smallest count that passes all tests with this probability.

        Only the records of the itemset itself are counted; others beside them can but help.
        """
        return _smallest(lambda count: self._survival(count) >= probability)

    def _survival(self, count: int) -> float:
        splits = operations(((self.items,), 0), self.fan_out, self.size) if self.items > 1 else 0
        unit = self.epsilon / (2 * HALF)
        share = unit * (HALF // max(1, splits))
        # a universe of one item is not split: its count has the whole budget
        leaf_share = unit * (HALF if splits else 2 * HALF)
        inner = passes(count, threshold(float(self.c1), share), share) ** splits
        return inner * passes(count, threshold(float(self.c2), leaf_share), leaf_share)

    def tightened(self, allowed: _Allowed) -> "tuple[_Tests | None, float]":
        """Return the mildest c2 that keeps noise rare enough, and the noise; None without one."""
        if self.items == 1:
            return self, tail(1, self.epsilon)
        law = LevelNoise(self.items, self.size, self.fan_out, self.epsilon, float(self.c1))
        if law.work > WORK:
            return None, 0.0

        def rare(c2: str) -> int:
            return int(allowed.holds(law, c2, self.epsilon))

        index = bisect_left(CONSTANTS, 1, key=rare)
        if index == len(CONSTANTS):
            return None, 0.0
        return replace(self, c2=CONSTANTS[index]), law.expected(float(CONSTANTS[index]))


def _sparse_survives(items: int, size: int, epsilon: float) -> int:
    exact = positive("epsilon", epsilon)
    least = least_count(math.comb(items, size), exact, positive("spurious", SPURIOUS))
    return _smallest(lambda count: passes(count, least, epsilon) >= SURELY)


def _smallest(enough: Callable[[int], bool]) -> int:
    """Return the smallest count from 1 on that is enough, where all larger ones are too."""
    above = 1
    while not enough(above):
        above *= 2
    below = above // 2
    while above - below > 1:
        middle = (above + below) // 2
        if enough(middle):
            above = middle
        else:
            below = middle
    return above
