"""SparseHistogram: one noisy count for every itemset, at the cost of those that are published."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, positive
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, universe_of
from discreet.core.transactions import Transactions
from discreet.counts.batch import Outcome, joined, one_by_one
from discreet.counts.counting import Counting
from discreet.counts.kernels.rows import distinct_rows
from discreet.counts.levels import Level, histogram_of
from discreet.counts.plausible import Passed, plausible
from discreet.errors import ParameterError
from discreet.kernels.noise import geometric_exp
from discreet.measure.queries import random_subsets
from discreet.mechanism_audit.neighbouring import NeighbouringPair, crowd, laws_of
from discreet.rng import Rng, discrete_laplace
from discreet.rng.binomial import binomial, tail_bounds
from discreet.rng.stream import drawn

MOST_SPURIOUS = 10**6
"""Noise itemsets that a person may ask for, for each size."""
SURPLUS, MOST_SURPLUS = 16, 1 << 14
"""Itemsets drawn at once beyond those still wanted, since some are turned away: few at first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseHistogram(Counting):
    """Itemset counts under differential privacy by noise and a threshold, without a tree.

    Cormode, Procopiuc, Srivastava and Tran, "Differentially private summaries for sparse data",
    ICDT 2012, with exact integer noise and a threshold for each size. Every itemset of the universe
    up to the largest size gets one noisy count, and is published if that passes the threshold. A
    record is in one cell only, so each count gets the whole budget. Itemsets that nobody holds are
    not visited one by one: how many of them pass is one binomial draw, and which ones is a uniform
    choice. Of the counts that pass, those that are more likely noise than people, by the
    distribution of the noise, are left out.
    """

    spurious: Annotated[
        Exact,
        Doc(
            "How many itemsets that nobody holds to expect from noise, for each size; fewer of "
            "them cost small true counts."
        ),
    ] = 5
    universe: Annotated[
        tuple[str, ...] | None,
        Doc("A public list of all items that can occur; their order does not matter here."),
    ] = field(default=None, metadata={"unwritten": True})

    def __post_init__(self) -> None:
        Counting.__post_init__(self)
        if positive("spurious", self.spurious) > MOST_SPURIOUS:
            msg = f"`spurious` must be at most {MOST_SPURIOUS:,} itemsets, got {self.spurious}"
            raise ParameterError(msg, parameter="spurious")

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return itemsets with noisy counts; all of epsilon is spent here."""
        vocabulary, levels = statistics.sets.vocabulary, self.levels(statistics)
        drawn = [_together(*self.level(len(vocabulary), level, rng)) for level in levels]
        return histogram_of(vocabulary, self._believed(len(vocabulary), drawn), rng)

    def _believed(self, items: int, drawn: list[Level]) -> list[Level]:
        """Return of the noisy counts those that are expected to be nearer than none would be."""
        sizes = [level.rows.shape[1] for level in drawn]
        passed = [
            Passed(level.counts, items, size, self.threshold(items, size))
            for level, size in zip(drawn, sizes, strict=True)
        ]
        by_size = plausible(passed, float(positive("epsilon", self.epsilon)))
        return [
            Level(level.rows[is_plausible], level.counts[is_plausible])
            for level, is_plausible in zip(drawn, by_size, strict=True)
        ]

    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release."""
        return manifest_of(self, "sparse-histogram", rng, universe=universe_of(self.universe))

    def level(self, items: int, level: Level, rng: Rng) -> tuple[Level, Level]:
        """Publish one size: of the itemsets that occur those that pass, and the noise itemsets."""
        epsilon, size = positive("epsilon", self.epsilon), level.rows.shape[1]
        least = self.threshold(items, size)
        noisy = level.counts + discrete_laplace(len(level.counts), epsilon, rng)
        passed = noisy >= least
        present = Level(level.rows[passed], noisy[passed])
        return present, absent_level(items, level.rows, epsilon, least, rng)

    def threshold(self, items: int, size: int) -> int:
        """Return the least count published of itemsets of ``size`` out of ``items``; public."""
        cells = math.comb(items, size)
        return least_count(
            cells, positive("epsilon", self.epsilon), positive("spurious", self.spurious)
        )

    def outcomes(
        self, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
    ) -> list[Outcome]:
        """Return the noisy counts of many runs, of at least ``smallest`` items.

        Before any of them is left out as noise: that looks at these alone, and gives nothing away.
        """
        if self.cuts(data):
            return one_by_one(self, data, rng, runs)
        statistics = self.statistics(data, rng)
        vocabulary, levels = statistics.sets.vocabulary, self.levels(statistics)
        parts = (
            (np.full(len(drawn.rows), run, dtype=np.int64), drawn)
            for run in range(runs)
            for level in levels[smallest:]
            for drawn in self.level(len(vocabulary), level, rng)
        )
        return joined(vocabulary, parts, runs)

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Propose neighbouring data on which an audit would see what a wrong step gives away."""
        universe, pair = ("a", "b", "c", "d", "e"), ("a", "b")
        least = self.threshold(len(universe), len(pair))
        return tuple(
            NeighbouringPair(
                shows=f"an itemset that {shown} people hold",
                one=crowd(universe, {pair: count} if count else {}),
                other=crowd(universe, {pair: count + 1}),
                universe=universe,
                sizes=(2, 2),
                laws=laws_of(
                    lambda holders: cell_law(holders, self.epsilon, least, last=least + 3),
                    (count, count + 1),
                    positive("epsilon", self.epsilon),
                ),
            )
            for count, shown in ((0, "no or one"), (least, "just enough"))
        )


def _together(one: Level, other: Level) -> Level:
    """Return itemsets of one size as one level."""
    rows = np.concatenate([one.rows, other.rows])
    return Level(rows, np.concatenate([one.counts, other.counts]))


def cell_law(count: int, epsilon: Exact, least: int, *, last: int) -> dict[int, float]:
    """Return the exact law of one published count; 0: not published, ``last``: that or more.

    >>> law = cell_law(0, 1, 2, last=5)
    >>> round(cell_law(1, 1, 2, last=5)[2] / law[2], 4), round(sum(law.values()), 9)
    (2.7183, 1.0)
    """
    q = math.exp(-positive("epsilon", epsilon))
    law = {y: q ** abs(y - count) * (1 - q) / (1 + q) for y in range(least, last)}
    law[last] = q ** (last - count) / (1 + q)
    spare = count - least + 1
    below = q**spare / (1 + q) if spare >= 1 else 1 - q ** (1 - spare) / (1 + q)
    return {0: below} | law


@lru_cache(maxsize=4096)
def least_count(cells: int, epsilon: Fraction, spurious: Fraction) -> int:
    """Return the smallest ``m >= 1`` that lets at most ``spurious`` of ``cells`` pass by noise.

    The expected number is ``cells * q**m / (1 + q)``, ``q = exp(-epsilon)``.

    >>> least_count(math.comb(3340, 2), Fraction(1), Fraction(5))
    14
    """
    rate = float(epsilon)
    excess = math.log(cells) - math.log(spurious) - math.log1p(math.exp(-rate))
    least = max(1, math.ceil(excess / rate))
    # the floating-point guess is at most a step away; what counts is decided exactly
    while least > 1 and _few_pass(cells, least - 1, epsilon, spurious):
        least -= 1
    while not _few_pass(cells, least, epsilon, spurious):
        least += 1
    return least


def _few_pass(cells: int, least: int, epsilon: Fraction, spurious: Fraction) -> bool:
    """Tell whether ``spurious`` or fewer are expected to pass; bounds are narrowed until sure."""
    bounds = tail_bounds(least, epsilon)
    bits = cells.bit_length() + 64
    low, high = bounds(bits)
    # the probability is irrational, so that in the end one of the two holds
    while not (few := cells * high <= spurious) and cells * low <= spurious:
        bits *= 2
        low, high = bounds(bits)
    return few


def absent_level(
    items: int, present: NDArray[np.int32], epsilon: Fraction, least: int, rng: Rng
) -> Level:
    """Draw the itemsets that nobody has and that pass by noise alone, with their counts.

    The same in law as noise for each of them: the number that pass is binomial, any of them are
    equally likely, and noise known to be at least ``least`` exceeds it geometrically.
    """
    size = present.shape[1]
    cells = math.comb(items, size) - len(present)
    count = binomial(cells, tail_bounds(least, epsilon), rng)
    rows = random_rows(items, present, count, rng)
    s, t = epsilon.numerator, epsilon.denominator
    beyond = [drawn(rng, lambda words, pos: geometric_exp(s, t, words, pos)) for _ in range(count)]
    return Level(rows, least + np.array(beyond, dtype=np.int64))


def random_rows(items: int, taken: NDArray[np.int32], count: int, rng: Rng) -> NDArray[np.int32]:
    """Draw ``count`` itemsets uniformly and without repetition from those not in ``taken``.

    What was met before is turned away, so there must be as many left.
    """
    met, wanted, surplus = taken, len(taken) + count, SURPLUS
    while len(met) < wanted:
        batch = random_subsets(items, taken.shape[1], wanted - len(met) + surplus, rng)
        both = np.concatenate([met, batch])
        # in the order of their drawing, so that how many were drawn at once plays no part
        met = both[distinct_rows(both)][:wanted]
        surplus = min(2 * surplus, MOST_SURPLUS)
    return met[len(taken) :]
