"""Of many ways to recode and to suppress, the one that loses least by the measure chosen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.generalised.kernels.matching import matched
from discreet.generalised.kernels.rare_sets import recoded
from discreet.generalised.recoding.plan import Recoding
from discreet.generalised.recoding.query_errors import MeasuredQueries
from discreet.generalised.recoding.stand_ins import StandIns
from discreet.generalised.recoding.suppressing import Suppressing
from discreet.rng import Rng

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
class _Way:
    """Sets under stand-ins, of which some are published."""

    stand_ins: StandIns
    sets: Itemsets
    published: NDArray[np.bool_]
    lost: tuple[float, float]
    """What it loses by the measure chosen, and by the next one among equals; may be infinite where
    another way loses less."""

    @property
    def perfect(self) -> bool:
        """Whether it publishes everything as it is."""
        return bool(self.published.all() and (self.stand_ins.sizes == 1).all())


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
        best = self._best(partitions, hierarchy, rng)
        return self._plan(best.stand_ins, best.sets, best.published, hierarchy), best.lost

    def plan(
        self, partitions: Sequence[StandIns], hierarchy: Hierarchy | None, rng: Rng
    ) -> Recoding:
        """Return the best plan along these partitions; the last of them needs no suppression."""
        if self.suppression != "none":
            return self.best(partitions, hierarchy, rng)[0]
        # there is one way only, and nobody asks what it loses
        sets = self._under(partitions[-1])
        published = np.ones(len(sets.items), dtype=np.bool_)
        return self._plan(partitions[-1], sets, published, hierarchy)

    def _best(self, partitions: Sequence[StandIns], hierarchy: Hierarchy | None, rng: Rng) -> _Way:
        if self.suppression == "none":
            return self._unsuppressed(partitions[-1])
        best = min(self._suppressed(partitions, rng), key=_loss)
        if not best.perfect:
            # of equals the first: no block where leaving out is as good
            if best.stand_ins is not partitions[-1]:
                best = min(best, self._unsuppressed(partitions[-1], best.lost[0]), key=_loss)
            if self.loss != "names" and self.suppression == "occurrences":
                best = self._improved(best, hierarchy, rng)
        return best

    def _suppressed(self, partitions: Sequence[StandIns], rng: Rng) -> list[_Way]:
        """Return ways to suppress something, under several partitions where this can help.

        A block costs the names of all its members, and suppressing them costs no more: where
        names count there is nothing to look for. Elsewhere a partition that alone loses more
        than items left out everywhere is not looked at, nor are those behind it.
        """
        task = self._suppressing(partitions[0])
        items = self._way(partitions[0], task, task.of_items())
        if self.suppression == "items" and self.loss == "names":
            return [items]
        if self.loss == "names":
            return [self._way(partitions[0], task, task.of_occurrences(rng))]
        if items.perfect:
            return [items]
        ways = [items]
        for stand_ins in self._some(partitions):
            unsuppressed = self._unsuppressed(stand_ins, items.lost[0])
            if unsuppressed.lost[0] >= items.lost[0]:
                break
            if stand_ins is partitions[-1]:
                ways.append(unsuppressed)
            else:
                other_task = self._suppressing(stand_ins)
                ways.append(self._way(stand_ins, other_task, other_task.of_items(), _least(ways)))
        # of one known item all occurrences can be published, or none
        if self.suppression == "occurrences" and self.m > 1:
            ways += self._single(partitions, task, ways)
        return ways

    def _single(
        self, partitions: Sequence[StandIns], task: Suppressing, ways: list[_Way]
    ) -> list[_Way]:
        """Return ways to suppress single occurrences, of items and of the best of some stand-ins.

        ``task`` is about the items, and the ``ways`` are those to suppress stand-ins everywhere.
        """
        first, *others = self._orders(partitions[0], task)
        filled = [self._filled(partitions[0], task, first)]
        filled += [self._filled(partitions[0], task, other, _least(filled)) for other in others]
        best = min(ways, key=_loss).stand_ins
        if best is partitions[0] or best is partitions[-1]:
            return filled
        other_task = self._suppressing(best)
        order = self._orders(best, other_task)[int(np.argmin([way.lost[0] for way in filled]))]
        return [*filled, self._filled(best, other_task, order, _least([*ways, *filled]))]

    def _some(self, partitions: Sequence[StandIns]) -> list[StandIns]:
        """Return some partitions after the first, the second among them."""
        last = len(partitions) - 1
        some = np.unique(np.linspace(min(1, last), last, MOST_PARTITIONS).astype(int))
        return [partitions[index] for index in some if index]

    def _orders(self, stand_ins: StandIns, task: Suppressing) -> list[NDArray[np.int64]]:
        """Return in which order stand-ins may come back: those that are worth most first."""
        if self.loss != "query":
            return [task.order]
        asked = self._queries.asked_for(stand_ins.label, len(stand_ins.blocks))
        scarce = asked / np.maximum(1, task.folded.supports)
        return [np.argsort(-weight, kind="stable") for weight in (asked, scarce)]

    def _filled(
        self,
        stand_ins: StandIns,
        task: Suppressing,
        order: NDArray[np.int64],
        limit: float = math.inf,
    ) -> _Way:
        """Return the way to publish as much as can be, in this order."""
        published = task.filled(task.nothing.published, order, everywhere=False)
        return self._way(stand_ins, task, published, limit)

    def _improved(self, way: _Way, hierarchy: Hierarchy | None, rng: Rng) -> _Way:
        """Change a way a little, often where sets are few, and stay with what is no worse."""
        for _ in range(self._suppressing(way.stand_ins).tries):
            other = self._changed(way, hierarchy, rng)
            way = min(other, way, key=_loss)
        return way

    def _changed(self, way: _Way, hierarchy: Hierarchy | None, rng: Rng) -> _Way:
        """Return a way with other stand-ins, or with some taken away and put back otherwise."""
        if not len(way.stand_ins.blocks):
            return way
        if rng.integers(2, 1)[0]:
            task = self._suppressing(way.stand_ins)
            return self._way(way.stand_ins, task, task.again(way.published, rng), way.lost[0])
        if hierarchy is None:
            stand_ins = way.stand_ins.item_moved(self.folded, rng)
        else:
            stand_ins = way.stand_ins.node_moved(self.folded, hierarchy, rng)
        task = self._suppressing(stand_ins)
        order = rng.permutation(len(stand_ins.blocks))
        return self._filled(stand_ins, task, order, way.lost[0])

    def _unsuppressed(self, stand_ins: StandIns, limit: float = math.inf) -> _Way:
        """Return the way that suppresses nothing."""
        sets = self._under(stand_ins)
        published = np.ones(len(sets.items), dtype=np.bool_)
        return _Way(stand_ins, sets, published, self._lost(stand_ins, sets, published, limit))

    def _way(
        self,
        stand_ins: StandIns,
        task: Suppressing,
        published: NDArray[np.bool_],
        limit: float = math.inf,
    ) -> _Way:
        sets = task.folded.sets
        return _Way(stand_ins, sets, published, self._lost(stand_ins, sets, published, limit))

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

    def _lost(
        self, stand_ins: StandIns, sets: Itemsets, published: NDArray[np.bool_], limit: float
    ) -> tuple[float, float]:
        """Return what is lost by the measure chosen, and by the next one among equals.

        Where this is soon seen to be more than a ``limit`` it may be infinite.
        """
        if self.loss == "query":
            rows = ItemsetHistogram(sets, self.folded.counts)
            asked = (stand_ins.label, stand_ins.sizes)
            return self._queries.expected(rows, published, asked, limit), 0.0
        names, penalty = self._names_and_penalty(stand_ins, sets, published)
        return (-names, penalty) if self.loss == "names" else (penalty, -names)

    @cached_property
    def _queries(self) -> MeasuredQueries:
        return MeasuredQueries.of(self.folded)

    def _names_and_penalty(
        self, stand_ins: StandIns, under: Itemsets, published: NDArray[np.bool_]
    ) -> tuple[float, float]:
        """Return the occurrences kept by name, and the sum of certainty penalties."""
        subtotals = [
            self._of_some(stand_ins, under, published, begin)
            for begin in range(0, len(self.folded), AT_ONCE)
        ]
        return sum(names for names, _ in subtotals), sum(penalty for _, penalty in subtotals)

    def _of_some(
        self, stand_ins: StandIns, all_sets: Itemsets, mask: NDArray[np.bool_], begin: int
    ) -> tuple[float, float]:
        """Return the same of some sets: an occurrence takes ten numbers here."""
        sets, width = self.folded.sets.some(begin, AT_ONCE), len(stand_ins.blocks)
        under = all_sets.some(begin, AT_ONCE)
        first = all_sets.offsets[begin]
        published = mask[first : first + len(under.items)]
        people = np.repeat(self.folded.counts[begin : begin + AT_ONCE], sets.sizes)
        label = stand_ins.label[sets.items]
        rows = sets.rows * width
        codes = under.rows * width + under.items
        index = np.minimum(np.searchsorted(codes, rows + label), max(0, len(codes) - 1))
        shown = (label >= 0) & published[index] if len(codes) else label < -1
        size = np.append(stand_ins.sizes, 0)[label]
        penalty = np.where(shown, np.where(size > 1, size / max(1, self.most), 0.0), 1.0)
        return float(people[shown & (size == 1)].sum()), float((people * penalty).sum())

    def _plan(
        self,
        stand_ins: StandIns,
        sets: Itemsets,
        published: NDArray[np.bool_],
        hierarchy: Hierarchy | None,
    ) -> Recoding:
        """Return the plan, without stand-ins that are published nowhere."""
        used = np.bincount(sets.items[published], minlength=len(stand_ins.blocks)) > 0
        number = np.append(np.where(used, np.cumsum(used) - 1, -1), -1)
        thinned, left = _thinned(sets, published, number)
        if not used.all() and _confused(sets, published, number, thinned, left):
            # what is published nowhere tells apart sets of which different parts are
            number[:-1][~used] = np.arange(used.sum(), len(used))
            thinned, left = _thinned(sets, published, number)
        return Recoding(
            self.folded.sets.vocabulary,
            number[stand_ins.label],
            tuple(block for block, there in zip(stand_ins.blocks, used, strict=True) if there),
            hierarchy,
            thinned,
            left,
        )


def _thinned(
    sets: Itemsets, published: NDArray[np.bool_], number: NDArray[np.int64]
) -> tuple[Itemsets, Itemsets]:
    """Return the sets, of what has a number, of which less is published, and what that is."""
    # only sets of which something is suppressed are told apart
    some = np.zeros(len(sets), dtype=np.bool_)
    some[sets.rows[~published]] = True
    shown = published[np.repeat(some, sets.sizes)]
    sets = sets.take(np.flatnonzero(some))
    whole, rest = _numbered(sets, number), _numbered(sets.only(shown), number)
    fewer = np.flatnonzero(rest.sizes < whole.sizes)
    return whole.take(fewer), rest.take(fewer)


def _numbered(sets: Itemsets, number: NDArray[np.int64]) -> Itemsets:
    """Return the sets under other numbers, ascending; -1 is left out."""
    names = tuple(map(str, range(int(number.max(initial=-1)) + 1)))
    return Itemsets(*recoded(sets.offsets.copy(), sets.items.copy(), number, len(names)), names)


def _confused(
    sets: Itemsets,
    published: NDArray[np.bool_],
    number: NDArray[np.int64],
    thinned: Itemsets,
    left: Itemsets,
) -> bool:
    """Whether sets that look alike by what has a number do not become the same."""
    known = (thinned.offsets.copy(), thinned.items.copy())
    whole = _numbered(sets, number)
    matches = matched(*known, whole.offsets.copy(), whole.items.copy())
    found = np.flatnonzero(matches >= 0)
    becomes, decided = left.take(matches[found]), _numbered(sets.only(published), number)
    decided = decided.take(found)
    same = np.array_equal(becomes.offsets, decided.offsets)
    return not (same and np.array_equal(becomes.items, decided.items))


def _loss(way: _Way) -> tuple[float, float]:
    return way.lost


def _least(ways: Sequence[_Way]) -> float:
    return min(way.lost[0] for way in ways)
