"""TableBayes: every set of a small universe counted with noise, then told from it by a model."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, positive
from discreet.core.guarantee import Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, universe_of
from discreet.core.transactions import Transactions
from discreet.counts.apl_free import with_boundaries
from discreet.counts.batch import Outcome
from discreet.counts.bounding.lattice_confidence import bound, without_certainty
from discreet.counts.counting import CountingPeople
from discreet.counts.lattice import histogram_of_table, rounded, set_sizes, table_of
from discreet.counts.levels import largest_size
from discreet.counts.posterior.decision import decided, distance, nearer
from discreet.counts.posterior.few_sets import few_sets
from discreet.counts.posterior.largest_size import FEW_ITEMS
from discreet.counts.posterior.log_linear import NoisyTable, fit
from discreet.counts.posterior.tables import posterior_tables
from discreet.errors import ParameterError
from discreet.mechanism_audit.neighbouring import Law, NeighbouringPair, crowd, laws_of
from discreet.rng import Rng, discrete_laplace

MOST_ITEMS = 20
"""Items of a universe of which every set is counted: a million counts."""
LEAST_EPSILON = Fraction(1, 200)
"""What noise at a smaller one may make of a count is too much to table."""
SHARE_OF_FEW, SHARE_OF_MANY = Fraction(1, 6), Fraction(1, 3)
"""Shares of the budget that are spent on how many people have sets of each size, by the items."""
MOST_MODELLED = Fraction(80)
"""The largest epsilon of the model: beyond it there is no noise, and exponentials overflow."""
REACH = 12
"""Noise beyond which an audit tells outcomes apart no more."""
AUDITED = ("a", "b")
"""The universe of what an audit looks at."""
ADDED = 0.02
"""The share of people that taking certainty out of a table may add to it."""
TURNS = 4
"""Numbers of people that are tried to begin with where it adds more."""
MOST_ROUNDINGS, ROUNDED_CELLS = 12, 1 << 14
"""Ways to round that are tried: as many as make so many counts, within bounds."""
ALMOST_SURE = Fraction(10**9 - 1, 10**9)
"""A confidence that no whole numbers of people reach without being certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBayes(CountingPeople):
    """Itemset counts over up to 20 items, from the model that best explains noisy counts.

    The number of people with each set, and with sets of each size, is counted with exact noise. A
    log-linear model of negative binomial counts is fitted to the noisy numbers. Its estimates are
    published where that is expected to be less wrong than leaving them out; where the noisy
    numbers show that everybody holds one of a few sets, their noisy counts are published instead.
    Either is rounded without bias, and changed until no item follows with certainty. Everything
    after the noise is post-processing (see the soundness note on table-bayes).
    """

    def __post_init__(self) -> None:
        CountingPeople.__post_init__(self)
        _refuse_little(self.epsilon)
        if self.universe is not None:  # before its budget is booked
            _refuse_many(len(self.universe))

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Differential privacy, and no attribute leakage."""
        return (NoAttributeLeakage(), *CountingPeople.guarantees.fget(self))  # type: ignore[attr-defined]

    def statistics(self, data: Transactions, rng: Rng) -> ItemsetHistogram:
        """Return the distinct sets over the universe, which must be small."""
        _refuse_many(len(data.universe if self.universe is None else self.universe))
        return CountingPeople.statistics(self, data, rng)

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return the counts to publish; all of epsilon is spent on two noisy tables."""
        universe = statistics.sets.vocabulary
        noisy = self.measured(statistics, rng)
        fitted = fit(noisy)
        best = few_sets(noisy, fitted)
        if best is None:
            best = decided(fitted.mean, posterior_tables(fitted, noisy, rng), noisy.epsilon)
        # fractions of sets that differ by a rare item meet first
        order = np.argsort(noisy.shares, kind="stable")
        turns = range(roundings(noisy.items))
        repaired = (table for _ in turns for table in _repaired(best, order, rng))
        chosen = nearer(best, min(repaired, key=partial(distance, best)))
        content = histogram_of_table(chosen, universe)
        return content.take(rng.permutation(len(content)))

    def measured(self, statistics: ItemsetHistogram, rng: Rng) -> NoisyTable:
        """Count every set and every size with noise: the only step that sees data."""
        items = len(statistics.sets.vocabulary)
        _refuse_many(items)
        budget = positive("epsilon", self.epsilon)
        share = size_share(items)
        of_sizes, of_sets = budget * share, budget * (1 - share)
        modelled = min(budget, MOST_MODELLED)
        table, sizes = table_of(statistics), set_sizes(items)
        by_size = np.zeros(items + 1, dtype=np.int64)
        np.add.at(by_size, sizes, table)
        return NoisyTable(
            counts=table + discrete_laplace(len(table), of_sets, rng),
            sizes=by_size + discrete_laplace(items + 1, of_sizes, rng),
            epsilon=float(modelled * (1 - share)),
            size_epsilon=float(modelled * share),
            largest=largest_size(items, self.max_size),
        )

    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release of these sets by public facts."""
        return manifest_of(self, "table-bayes", rng, universe=universe_of(self.universe))

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Propose neighbouring data on which an audit would see what a wrong step gives away."""
        universe, budget = AUDITED, positive("epsilon", self.epsilon)
        return tuple(
            NeighbouringPair(
                shows=f"a set that {shown} hold",
                one=crowd(universe, {("a",): 20, (): 20} | ({universe: few} if few else {})),
                other=crowd(universe, {("a",): 20, (): 20, universe: few + 1}),
                universe=universe,
                laws=laws_of(partial(self._law, few), (few, few + 1), budget),
            )
            for few, shown in ((0, "no or one person"), (6, "six or seven people"))
        )

    def outcomes(
        self, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
    ) -> list[Outcome]:
        """Return the noisy counts of each run: a release is made of them, and can tell no more."""
        folded = self.statistics(data, rng)
        universe = folded.sets.vocabulary
        names = [
            tuple(item for bit, item in enumerate(universe) if mask >> bit & 1)
            for mask in range(1 << len(universe))
        ]
        sizes = [(f"sets of size {size}",) for size in range(len(universe) + 1)]
        results = []
        for _ in range(runs):
            noisy = self.measured(folded, rng)
            counts = zip(names, noisy.counts.tolist(), strict=True)
            counted = [(name, count) for name, count in counts if len(name) >= smallest]
            results.append(frozenset([*counted, *zip(sizes, noisy.sizes.tolist(), strict=True)]))
        return results

    def _law(self, around: int, holders: int) -> Law:
        """Return the law of the noisy counts of a set and of its size, which so many hold."""
        budget = positive("epsilon", self.epsilon)
        share = size_share(len(AUDITED))
        of_set, of_size = (
            _laplace_law(holders - around, float(budget * each)) for each in (1 - share, share)
        )
        return {
            first * len(of_size) + second: chance * beside
            for first, chance in enumerate(of_set)
            for second, beside in enumerate(of_size)
        }


def size_share(items: int) -> Fraction:
    """Return the share of the budget for how many people have sets of each size.

    The numbers of sizes tell whether there are people with many items. Of few items there are few
    sets of a size, whose own counts tell nearly as much.
    """
    return SHARE_OF_FEW if items <= FEW_ITEMS else SHARE_OF_MANY


def roundings(items: int) -> int:
    """Return how many tables of whole numbers are tried; of few items they are soon made."""
    return max(1, min(MOST_ROUNDINGS, ROUNDED_CELLS >> items))


def _laplace_law(centre: int, rate: float) -> list[float]:
    """Return the law of discrete Laplace noise about a count, what lies far out put together."""
    rates = np.exp(-rate * np.abs(np.arange(-REACH, REACH + 1) - centre))
    law = rates * np.tanh(rate / 2)
    tails = np.exp(-rate * np.array([REACH + centre, REACH - centre])) / (1 + np.exp(-rate))
    law[[0, -1]] = tails
    return [float(chance) for chance in law]


def _refuse_many(items: int) -> None:
    if items > MOST_ITEMS:
        msg = (
            f"table-bayes counts every set of the universe, which must have at most {MOST_ITEMS} "
            f"items, got {items:,}; item-supports takes any number, and counts chooses between them"
        )
        raise ParameterError(msg)


def _refuse_little(epsilon: Exact) -> None:
    if positive("epsilon", epsilon) < LEAST_EPSILON:
        msg = (
            f"`epsilon` must be at least {float(LEAST_EPSILON)} for table-bayes, got {epsilon}; "
            "item-supports takes a smaller one, and counts chooses between them"
        )
        raise ParameterError(msg, parameter="epsilon")


def _repaired(
    expected: NDArray[np.float64], order: NDArray[np.int64], rng: Rng
) -> Iterator[NDArray[np.int64]]:
    """Yield tables in which nothing is certain, each changed in another way until that is so."""
    table = rounded(expected, order, rng)
    names = tuple(map(str, range(len(order))))
    yield table_of(with_boundaries(histogram_of_table(table, names)).over(names))
    yield without_certainty(table)
    yield (made := bound(table, ALMOST_SURE, None))
    # where nearly everybody's set is another one, many people are added: begin with fewer
    share = 1.0
    for _ in range(TURNS):
        if made.sum() <= (1 + ADDED) * expected.sum():
            return
        share *= expected.sum() / made.sum()
        yield (made := bound(rounded(share * expected, order, rng), ALMOST_SURE, None))
