"""ItemSupports: how many people hold each item, and of the pairs that go together how many."""

from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, sqrt
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, positive
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, universe_of
from discreet.core.transactions import Transactions
from discreet.counts.counting import Counting
from discreet.counts.cutting import cut_folded, random_key
from discreet.counts.levels import Level, histogram_of, level_of, limited, with_cut
from discreet.errors import ParameterError
from discreet.measure import SANITY
from discreet.mechanism_audit.neighbouring import NeighbouringPair, crowd
from discreet.rng import Rng, discrete_laplace

MOST_SIZE = 64
"""Items of a person that count at most, unless a smaller number is given."""
FOR_SIZES = Fraction(1, 20)
"""The share of the budget that tells how many items people have."""
MOST_FOR_PAIRS, FINEST_SHARE = Fraction(9, 10), 10**6
"""The largest share of the budget that pairs may get, and the largest denominator of one.

So the budget of an item is a ratio of machine words, however many items of a person count.
"""
MOST_PEOPLE = Fraction(9, 10)
"""The share of people whose items all count."""
MOST_FREQUENT = 100
"""Items whose pairs are counted at most: 4,950 pairs, of which each person has one."""
GRID_POINTS = 220
"""Magnitudes of a support that its prior knows, from one person to all."""
PSEUDO_ITEMS = 10.0
"""Items of every magnitude that the prior holds before it sees any."""
SANITY_OF_FEW = 1e-3
"""Of few people, a support below this share counts as if it were that, or one person."""
DEVIATIONS = 3
"""Deviations by which chance may add people that are not there."""
FEWEST = 10.0
"""People that there are at least."""
STANDS_OUT = 2 * sqrt(2)
"""How many times the scale of the noise a count is beyond what noise alone would make of it."""
ONE_OF_MANY = 2.0
"""How many times that scale more, where the largest of many counts is looked at."""
ALL_ABOVE = 2.0
"""Deviations beyond which a sum of noisy counts is more than noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSupports(Counting):
    """How many people hold each item, under differential privacy, for universes of any size.

    The yardstick for large universes, where no method that publishes larger itemsets is more
    accurate on average. Each person contributes a few items only: as many as nine in ten people
    have, by a noisy count. The noisy numbers of people with each item are separated from noise by a
    prior that is estimated from these numbers themselves. Nothing is said about items that go
    together unless ``pairs`` gives them a share of the budget; then pairs of frequent items are
    published, with counts that fit those of their items (see the soundness note on item-supports).
    """

    pairs: Annotated[
        Exact, Doc("Share of the budget for pairs of frequent items, from 0 (no pairs) to 0.9.")
    ] = 0

    def __post_init__(self) -> None:
        Counting.__post_init__(self)
        share = exact("pairs", self.pairs)
        if not 0 <= share <= MOST_FOR_PAIRS or share.denominator > FINEST_SHARE:
            msg = (
                "`pairs` must be a share of the budget from 0 to 0.9, with at most six decimals, "
                f"got {self.pairs}"
            )
            raise ParameterError(msg, parameter="pairs")

    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets over the universe, none longer than a public size, counted."""
        return limited(data, self.universe, self.max_size or MOST_SIZE, self.longer, rng)

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return noisy supports, of items and perhaps of pairs; all of epsilon is spent here."""
        epsilon = positive("epsilon", self.epsilon)
        for_pairs = epsilon * exact("pairs", self.pairs)
        sizes = _noisy_sizes(statistics, epsilon * FOR_SIZES, rng)
        for_items = epsilon * (1 - FOR_SIZES) - for_pairs
        floor = _floor(sizes, epsilon * FOR_SIZES)
        supports = _supports(statistics, sizes, for_items, floor, rng)
        pairs = Level(np.zeros((0, 2), dtype=np.int32), np.zeros(0, dtype=np.int64))
        if for_pairs:
            pairs = _pairs(statistics, sizes, supports, for_pairs, floor, rng)
        return histogram_of(statistics.sets.vocabulary, _consistent(supports, pairs), rng)

    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release."""
        return manifest_of(self, "item-supports", rng, universe=universe_of(self.universe))

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Propose neighbouring data on which an audit would see what a wrong step gives away."""
        universe = ("a", "b", "c")
        return tuple(
            NeighbouringPair(
                shows=f"whether {shown}",
                one=crowd(universe, {("a",): count}),
                other=crowd(universe, {("a",): count, more: 1}),
                universe=universe,
            )
            for count, more, shown in (
                (12, ("a", "b"), "one more person holds a rare item and a frequent one"),
                (12, ("b", "c"), "anybody holds two items"),
            )
        )


def _noisy_sizes(statistics: ItemsetHistogram, epsilon: Fraction, rng: Rng) -> NDArray[np.float64]:
    """Return about how many people have sets of each size; a person is in one count."""
    largest = min(MOST_SIZE, len(statistics.sets.vocabulary))
    sizes = np.minimum(statistics.sets.sizes, largest)
    counts = np.bincount(sizes, weights=statistics.counts, minlength=largest + 1)
    noisy = counts.astype(np.int64) + discrete_laplace(largest + 1, epsilon, rng)
    # what stands within the noise is noise: many such sizes would add up
    shown = np.where(noisy > STANDS_OUT / float(epsilon), noisy, 0).astype(np.float64)
    shown[_number_of_sizes(noisy, float(epsilon)) :] = 0
    return shown if shown.any() else np.ones_like(shown)


def _number_of_sizes(noisy: NDArray[np.int64], epsilon: float) -> int:
    """Return how many sizes there are up to the largest that somebody has beyond doubt.

    Of many sizes some stand out by chance, and far up a few people weigh as much as many below.
    """
    sizes = len(noisy)
    from_here = np.cumsum(noisy[::-1])[::-1]
    deviation = np.sqrt(2 * np.arange(sizes, 0, -1)) / epsilon
    alone = noisy > (log(sizes) + ONE_OF_MANY) / epsilon
    had = np.flatnonzero(alone | (from_here > ALL_ABOVE * deviation))
    return int(had.max(initial=-1)) + 1


def _floor(sizes: NDArray[np.float64], epsilon: Fraction) -> float:
    """Return the support below which errors are weighed alike, by how many people there surely are.

    Some sizes stand out by chance: what these add up to is taken off, and some deviations of it.
    The fewer people there are, the more it costs to give some to an item that nobody holds.
    """
    chance = len(sizes) * exp(-STANDS_OUT) / 2
    beyond = (STANDS_OUT + 1) / float(epsilon)
    people = max(FEWEST, float(sizes.sum()) - (chance + DEVIATIONS * sqrt(chance)) * beyond)
    return max(SANITY * people, min(1.0, SANITY_OF_FEW * people))


def _limit(sizes: NDArray[np.float64]) -> int:
    """Return how many items of a person count, such that most people are counted whole."""
    return max(1, int(np.searchsorted(np.cumsum(sizes), float(MOST_PEOPLE) * sizes.sum())))


def _cut(folded: ItemsetHistogram, size: int, rng: Rng) -> ItemsetHistogram:
    """Return the sets with no more than ``size`` items of each person."""
    key = random_key(rng)
    short = folded.take(np.flatnonzero(folded.sets.sizes <= size))
    return short if len(short) == len(folded) else with_cut(short, cut_folded(folded, size, key))


def _supports(
    statistics: ItemsetHistogram,
    sizes: NDArray[np.float64],
    epsilon: Fraction,
    floor: float,
    rng: Rng,
) -> NDArray[np.int64]:
    """Return how many people hold each item, as far as noise and cut let it be told."""
    limit = _limit(sizes)
    rate = epsilon / limit
    counted = _cut(statistics, limit, rng).supports
    noisy = counted + discrete_laplace(len(counted), rate, rng)
    # what was cut away is made up for on average
    each = np.arange(len(sizes))
    scale = float((each * sizes).sum() / max(1.0, (np.minimum(each, limit) * sizes).sum()))
    # where no size stands out from its noise, an item that many hold still may
    people = max(float(sizes.sum()), float(noisy.max(initial=0)))
    return posterior_medians(noisy, float(rate), people, max(1.0, scale), floor)


def posterior_medians(
    noisy: NDArray[np.int64], rate: float, people: float, scale: float, floor: float
) -> NDArray[np.int64]:
    """Return for each noisy count the true one that costs least, by a prior made of all of them.

    The prior stands on a logarithmic grid and is fitted by expectation maximisation; a count is
    the median of its posterior, weighted by the inverse of the count as a relative error is, or of
    ``floor`` if that is more. Where noise reaches less far than from one point of the grid to the
    next, the prior has nothing to add, and the noisy count is as good as it gets.

    >>> posterior_medians(np.array([900, 2, -1, 0, 1]), 0.5, 1000.0, 1.0, 1.0).tolist()
    [900, 1, 0, 0, 1]
    """
    grid = np.unique(np.rint(np.exp(np.linspace(0, np.log(max(people, 3)), GRID_POINTS))))
    grid = np.concatenate([[0.0], grid])
    values, inverse, count = np.unique(noisy, return_inverse=True, return_counts=True)
    log_likelihood = -rate * np.abs(values[:, None] - grid / scale)
    # relative to the likeliest point: far from all of them no float would tell any from nothing
    likelihood = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    flat = np.full(len(grid), 1 / len(grid))
    prior = flat
    for _ in range(60):
        posterior = likelihood * prior
        posterior /= posterior.sum(axis=1, keepdims=True)
        prior = (count @ posterior + PSEUDO_ITEMS * flat) / (len(noisy) + PSEUDO_ITEMS)
    weighted = likelihood * prior / np.maximum(grid, floor)
    below = np.cumsum(weighted, axis=1) < weighted.sum(axis=1, keepdims=True) / 2
    medians = grid[np.minimum(below.sum(axis=1), len(grid) - 1)]
    next_point = np.clip(np.searchsorted(grid, values * scale), 1, len(grid) - 1)
    is_coarse = grid[next_point] - grid[next_point - 1] > max(scale / rate, 1.0)
    as_seen = np.minimum(np.rint(values * scale), grid[-1])
    # values ascend, and who seems to have more has more
    counts = np.maximum.accumulate(np.where(is_coarse, as_seen, medians))
    return np.asarray(counts, dtype=np.int64)[inverse.reshape(-1)]


def _pairs(
    statistics: ItemsetHistogram,
    sizes: NDArray[np.float64],
    supports: NDArray[np.int64],
    epsilon: Fraction,
    floor: float,
    rng: Rng,
) -> Level:
    """Return pairs of frequent items with how many people hold them; a person is in one pair."""
    # a pair is no more frequent than its items: rarer ones could not stand out
    frequent = np.argsort(-supports, kind="stable")[:MOST_FREQUENT]
    frequent = np.sort(frequent[supports[frequent] > 2 * sqrt(2) / float(epsilon)])
    names = tuple(statistics.sets.vocabulary[item] for item in frequent.tolist())
    chosen = level_of(_cut(statistics.over(names), 2, rng), 2)
    counted = np.zeros((len(names), len(names)), dtype=np.int64)
    counted[chosen.rows[:, 0], chosen.rows[:, 1]] = chosen.counts
    first, second = np.triu_indices(len(names), 1)
    noisy = counted[first, second] + discrete_laplace(len(first), epsilon, rng)
    # people with more than two items have more pairs than the one that was counted
    each = np.arange(len(sizes))
    scale = float((each * (each - 1) / 2 * sizes).sum() / max(1.0, sizes[2:].sum()))
    medians = posterior_medians(noisy, float(epsilon), float(sizes.sum()), max(1.0, scale), floor)
    nonzero = medians > 0
    rows = np.stack([frequent[first[nonzero]], frequent[second[nonzero]]], axis=1)
    return Level(rows.astype(np.int32), medians[nonzero])


def _consistent(supports: NDArray[np.int64], pairs: Level) -> list[Level]:
    """Return pairs within the supports of their items, and items with what is left of theirs."""
    asked = np.bincount(pairs.rows.ravel(), np.repeat(pairs.counts, 2), len(supports))
    share = np.minimum(1.0, supports / np.maximum(asked, 1.0))
    counts = np.floor(pairs.counts * share[pairs.rows].min(axis=1)).astype(np.int64)
    used = np.bincount(pairs.rows.ravel(), np.repeat(counts, 2), len(supports)).astype(np.int64)
    left = supports - used
    items, positive = np.flatnonzero(left > 0), counts > 0
    singles = Level(items[:, None].astype(np.int32), left[items])
    return [singles, Level(pairs.rows[positive], counts[positive])]
