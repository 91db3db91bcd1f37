"""Of many ways to recode and to suppress, the one that loses least by the measure chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.generalised.kernels.rare_sets import recoded
from discreet.generalised.measures import MeasuredQueries
from discreet.generalised.recoding import Recoding
from discreet.generalised.suppressing import Suppressing, only
from discreet.rng import Rng

__all__ = ["Choosing", "Loss", "StandIns", "Suppression"]

Loss: TypeAlias = Literal["names", "ncp", "query"]
"""What a release should lose least of: names, certainty, or right answers to queries."""
Suppression: TypeAlias = Literal["occurrences", "items", "none"]
"""What may be suppressed."""

MOST_PARTITIONS = 4
"""Partitions on the way of merging or lifting that are tried together with suppression."""
AT_ONCE = 1 << 19
"""Sets whose occurrences are valued at once."""
HIDDEN = 1e-6
"""What an occurrence that is not under its own name is worth where names are counted."""


@dataclass(frozen=True, eq=False)
class StandIns:
    """What stands for each item."""

    label: NDArray[np.int64]
    """The number of each item's stand-in; -1 where it has none."""
    blocks: tuple[tuple[str, ...], ...]
    """What each stand-in is called: its members, or its name in the hierarchy."""
    sizes: NDArray[np.int64]
    """How many items each stand-in may mean."""


@dataclass(frozen=True, eq=False)
class _Way:
    """Sets under stand-ins, of which some are published."""

    stand_ins: StandIns
    sets: Itemsets
    published: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Choosing:
    """A choice among ways to publish the same sets."""

    folded: ItemsetHistogram
    """The sets."""
    loss: Loss
    """What is to be lost least."""
    suppression: Suppression
    """What may be suppressed."""
    k: int
    m: int
    most: int
    """How many items there are in all, as a stand-in counts them."""

    def best(
        self, partitions: Sequence[StandIns], hierarchy: Hierarchy | None, rng: Rng
    ) -> tuple[Recoding, tuple[float, float]]:
        """Return the best plan along these partitions, and what it loses.

        The last of them needs no suppression.
        """
        last = self._under(partitions[-1])
        ways = [_Way(partitions[-1], last, np.ones(len(last.items), dtype=np.bool_))]
        if self.suppression != "none":
            ways.append(self._suppressed(partitions[0], rng))
            ways += self._between(partitions[1:])
        best = min(ways, key=self._lost)
        return self._plan(best, hierarchy), self._lost(best)

    def _suppressed(self, stand_ins: StandIns, rng: Rng) -> _Way:
        """Return the best way found to suppress something under these stand-ins."""
        task = self._suppressing(stand_ins)
        whole = self.suppression == "items"
        published = task.of_items() if whole else task.of_occurrences(rng)
        return _Way(stand_ins, task.folded.sets, published)

    def _between(self, partitions: Sequence[StandIns]) -> list[_Way]:
        """Return a way under the partition that is best with suppression, if one is looked for.

        A block costs the names of all its members, and suppressing them costs no more: where
        names count there is nothing to look for.
        """
        if self.loss == "names" or not partitions:
            return []
        some = np.unique(np.linspace(0, len(partitions) - 1, MOST_PARTITIONS).astype(int))
        tried = [(partitions[index], self._suppressing(partitions[index])) for index in some]
        whole = self.suppression == "items"
        ways = [
            _Way(stand_ins, task.folded.sets, task.of_items() if whole else task.at_once())
            for stand_ins, task in tried
        ]
        return [min(ways, key=self._lost)]

    def _suppressing(self, stand_ins: StandIns) -> Suppressing:
        rows = ItemsetHistogram(self._under(stand_ins), self.folded.counts)
        return Suppressing(rows, self._worth(stand_ins), self.k, self.m)

    def _under(self, stand_ins: StandIns) -> Itemsets:
        """Return the sets under their stand-ins."""
        sets, width = self.folded.sets, len(stand_ins.blocks)
        arrays = recoded(sets.offsets.copy(), sets.items.copy(), stand_ins.label, width)
        return Itemsets(*arrays, tuple(map(str, range(width))))

    def _worth(self, stand_ins: StandIns) -> NDArray[np.float64]:
        """Return what an occurrence of each stand-in is worth."""
        certain = 1 - stand_ins.sizes / max(1, self.most)
        hidden = HIDDEN * certain if self.loss == "names" else certain
        return np.where(stand_ins.sizes == 1, 1.0, hidden)

    def _lost(self, way: _Way) -> tuple[float, float]:
        """Return what a way loses by the measure chosen, and by the next one among equals."""
        names, penalty = self._names_and_penalty(way)
        if self.loss == "names":
            return -names, penalty
        if self.loss == "ncp":
            return penalty, -names
        left = ItemsetHistogram(only(way.sets, way.published), self.folded.counts)
        return self._queries.errors(left, way.stand_ins.label, way.stand_ins.sizes)[0], -names

    @cached_property
    def _queries(self) -> MeasuredQueries:
        return MeasuredQueries.of(self.folded)

    def _names_and_penalty(self, way: _Way) -> tuple[float, float]:
        """Return the occurrences kept by name, and the sum of certainty penalties."""
        found = [self._of_some(way, begin) for begin in range(0, len(self.folded), AT_ONCE)]
        return sum(names for names, _ in found), sum(penalty for _, penalty in found)

    def _of_some(self, way: _Way, begin: int) -> tuple[float, float]:
        """Return the same of some sets: an occurrence takes ten numbers here."""
        sets, width = self.folded.sets.some(begin, AT_ONCE), len(way.stand_ins.blocks)
        under = way.sets.some(begin, AT_ONCE)
        first = way.sets.offsets[begin]
        published = way.published[first : first + len(under.items)]
        people = np.repeat(self.folded.counts[begin : begin + AT_ONCE], sets.sizes)
        label = way.stand_ins.label[sets.items]
        rows = np.repeat(np.arange(len(sets)), sets.sizes) * width
        there = np.repeat(np.arange(len(sets)), under.sizes) * width + under.items
        index = np.minimum(np.searchsorted(there, rows + label), max(0, len(there) - 1))
        shown = (label >= 0) & published[index] if len(there) else label < -1
        size = np.append(way.stand_ins.sizes, 0)[label]
        penalty = np.where(shown, np.where(size > 1, size / max(1, self.most), 0.0), 1.0)
        return float(people[shown & (size == 1)].sum()), float((people * penalty).sum())

    def _plan(self, way: _Way, hierarchy: Hierarchy | None) -> Recoding:
        """Return the plan, without stand-ins that are published nowhere."""
        held = np.bincount(way.sets.items[way.published], minlength=len(way.stand_ins.blocks)) > 0
        number = np.append(np.where(held, np.cumsum(held) - 1, -1), -1)
        names = tuple(map(str, range(int(held.sum()))))
        alive = held[way.sets.items]
        kept = only(way.sets, alive)
        all_of = Itemsets(kept.offsets, number[kept.items].astype(np.int32), names)
        rest = only(all_of, way.published[alive])
        fewer = np.flatnonzero(rest.sizes < all_of.sizes)
        return Recoding(
            self.folded.sets.vocabulary,
            number[way.stand_ins.label],
            tuple(block for block, shown in zip(way.stand_ins.blocks, held, strict=True) if shown),
            hierarchy,
            all_of.take(fewer),
            rest.take(fewer),
        )
