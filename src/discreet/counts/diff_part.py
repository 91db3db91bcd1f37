"""DiffPart: itemset histograms under differential privacy by top-down partitioning."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, universe_of
from discreet.core.transactions import Transactions
from discreet.counts.batch import Outcome, Part, joined, nobody_or_one, one_by_one
from discreet.counts.counting import Counting
from discreet.counts.kernels.all_sizes import diff_part
from discreet.counts.kernels.layout import Rule
from discreet.counts.levels import (
    Level,
    histogram_of,
)
from discreet.counts.partition.running import (
    Partitioner,
    check_fan_out,
    check_threshold,
    lone_counts,
    lone_level,
    records_of,
    rule_of,
    surely_published,
)
from discreet.mechanism_audit.neighbouring import NeighbouringPair, crowd
from discreet.rng import Rng


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffPart(Counting):
    """Itemset counts under differential privacy; attribute leakage may remain.

    Chen, Mohammed, Fung, Desai and Xiong, PVLDB 4(11), 2011, with exact integer noise, one test
    for each empty partition, and a public item order. The empty itemset is a cell of its own.
    """

    fan_out: Annotated[int, Doc("Children of a node in the taxonomy tree, from 2 to 16.")] = 4
    c1: Annotated[
        Exact, Doc("Standard deviations of noise a partition must exceed, times its height.")
    ] = 1
    c2: Annotated[
        Exact | None,
        Doc("Standard deviations of noise the count of an itemset must exceed; default: as `c1`."),
    ] = None

    def __post_init__(self) -> None:
        Counting.__post_init__(self)
        check_fan_out(self.fan_out)
        check_threshold("c1", self.c1)
        check_threshold("c2", self.c1 if self.c2 is None else self.c2)

    def decide(self, statistics: ItemsetHistogram, rng: Rng) -> ItemsetHistogram:
        """Return itemsets with noisy counts; all of epsilon is spent here."""
        vocabulary, levels = statistics.sets.vocabulary, self.levels(statistics)
        partitioner = self.partitioner(len(vocabulary), len(levels) - 1)
        # the empty itemset is a cell of its own, disjoint from all others: the whole budget again
        published = [lone_level(0, int(levels[0].counts.sum()), partitioner.rule, rng)]
        if len(vocabulary) == 1:
            published.append(partitioner.level(levels[1], rng))
        elif vocabulary:
            partitioner.refuse_explosion()
            run = partitioner.partition(records_of(levels[1:]), rng)
            published += [run.level(size) for size in range(1, len(levels))]
        return histogram_of(vocabulary, published, rng)

    def manifest(self, statistics: ItemsetHistogram, rng: Rng) -> Manifest:
        """Describe a release."""
        return manifest_of(self, "diff-part", rng, universe=universe_of(self.universe))

    def outcomes(
        self, data: Transactions, rng: Rng, runs: int, *, smallest: int = 0
    ) -> list[Outcome]:
        """Return what each of many runs publishes; sizes are not told apart before the end."""
        statistics = self.statistics(data, rng)
        vocabulary, levels = statistics.sets.vocabulary, self.levels(statistics)
        if len(vocabulary) < 2 or self.cuts(data):
            return one_by_one(self, data, rng, runs)
        partitioner = self.partitioner(len(vocabulary), len(levels) - 1)
        empties = int(levels[0].counts.sum())
        passed, counts = lone_counts(empties, partitioner.rule, rng, runs)
        repeated = partitioner.repeated(records_of(levels[1:]), rng, runs)
        parts: list[Part] = [(passed, Level(np.zeros((len(counts), 0), dtype=np.int32), counts))]
        parts += [repeated.level(size) for size in range(1, len(levels))]
        return joined(vocabulary, parts, runs)

    def worst_pair(self) -> tuple[NeighbouringPair, ...]:
        """Propose neighbouring data on which an audit would see what a wrong step gives away."""
        pair, items = ("a", "b"), ("a", "b", "c", "d", "e")
        rule = self.rule(len(items))
        # a tree of five items is at most three high, and a threshold grows with the height
        count = surely_published(rule._replace(c1=3 * rule.c1), splits=len(items))
        crowded, lonely = items[1:], (items[0], *items[2:])
        return (
            NeighbouringPair(
                shows="the count of a published itemset",
                one=crowd(pair, {pair: count}),
                other=crowd(pair, {pair: count + 1}),
                universe=pair,
            ),
            NeighbouringPair(
                shows="whether a partition is empty or holds one person",
                one=crowd(items, {crowded: count}),
                other=crowd(items, {crowded: count, lonely: 1}),
                universe=items,
            ),
            NeighbouringPair(
                shows="whether a person without items is there",
                one=crowd(pair, {}),
                other=crowd(pair, {(): 1}),
                universe=pair,
            ),
            nobody_or_one(),
        )

    def partitioner(self, items: int, size: int) -> Partitioner:
        """Return DiffPart for itemsets up to this size."""
        return Partitioner(diff_part, items, self.rule(size))

    def rule(self, size: int) -> Rule:
        """Return the public parameters for itemsets up to this size."""
        return rule_of(self.epsilon, size, self.fan_out, self.c1, self.c2)
