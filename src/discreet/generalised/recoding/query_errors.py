"""How wrong counting queries are when items hide among others or are left out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.fold import fold
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.generalised.kernels.rare_sets import recoded
from discreet.measure.queries import SANITY, Answering, answers, paper_workload, relative_error
from discreet.rng import seeded

QUERIES = 10_000
"""Counting queries asked."""
PARTS = 3
"""In how many parts queries are asked where they may be wrong enough before the end."""


@dataclass(frozen=True, eq=False)
class MeasuredQueries:
    """Counting queries with their true answers."""

    queries: ItemsetHistogram
    """Sets that people have, and random ones, each once with how often it is asked for."""
    true: NDArray[np.int64]
    """How many people fit each."""
    sanity: float
    """A query that fewer people fit counts as if so many did."""

    @classmethod
    def of(cls, folded: ItemsetHistogram) -> "MeasuredQueries":
        """Draw the queries, the same in every run, and answer them."""
        size = QUERIES if len(folded.sets.vocabulary) else 0
        workload = paper_workload(folded, seeded(1), size=size, max_random_size=3)
        queries = fold(Itemsets.joined([workload.existing, workload.random]))
        return cls(queries, answers(folded, queries.sets), max(1.0, SANITY * folded.total))

    def asked_for(self, label: NDArray[np.int64], width: int) -> NDArray[np.float64]:
        """Return in how many queries that somebody fits each of so many stand-ins is asked for."""
        asked = np.zeros(width + 1)
        weight = self.queries.counts * self.true / np.maximum(self.true, self.sanity)
        sets = self.queries.sets
        np.add.at(asked, label[sets.items], np.repeat(weight, sets.sizes))
        return asked[:width]

    def errors(
        self, published: ItemsetHistogram, label: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> tuple[float, float]:
        """Return the mean relative error by what is ``published``, as expected and at worst.

        ``label`` is the stand-in of each item, which may mean so many items by ``sizes``.
        """
        chance, sure = _chances(label, sizes, self.queries.sets)
        most = answers(published, _lifted(self.queries.sets, label, published.sets))
        expected = np.abs(self.true - most * chance) / np.maximum(self.true, self.sanity)
        ends = (most, np.where(sure, most, 0))
        worst = np.maximum(*(relative_error(self.true, each, self.sanity) for each in ends))
        return self._mean(expected), self._mean(worst)

    def expected(
        self,
        under: ItemsetHistogram,
        published: NDArray[np.bool_],
        stand_ins: tuple[NDArray[np.int64], NDArray[np.int64]],
        limit: float = math.inf,
    ) -> float:
        """Return the expected error of a release in which nobody has more than in the data.

        That is of the sets ``under`` their stand-ins, of which some occurrences are published.
        Queries are asked some at a time, and when they are more wrong than ``limit`` by then the
        error is infinite. Of plain items nobody fits a query that nobody fitted: such queries are
        not asked.
        """
        label, sizes = stand_ins
        chance, sure = _chances(label, sizes, self.queries.sets)
        shown = _Published(under, published, label, self.true)
        most = np.where(sure & (chance > 0), self.true, 0)
        asked = (chance > 0) & ((self.true > 0) & (not shown.all_of_it) | ~sure)
        scale, weight = np.maximum(self.true, self.sanity), self.queries.counts
        wrong = float((np.abs(self.true - most * chance) / scale)[~asked] @ weight[~asked])
        enough = limit * float(weight.sum()) * (1 + 1e-9)
        for batch in _batches(np.flatnonzero(asked), 1 if math.isinf(limit) else PARTS):
            if wrong > enough:
                return math.inf
            most[batch] = shown.answers(self.queries.sets.take(batch), batch, sure[batch])
            wrong += float((np.abs(self.true - most * chance) / scale)[batch] @ weight[batch])
        return self._mean(np.abs(self.true - most * chance) / scale)

    def _mean(self, errors: NDArray[np.float64]) -> float:
        weight = self.queries.counts
        return float(errors @ weight) / float(weight.sum()) if len(weight) else 0.0


@dataclass(frozen=True, eq=False)
class _Published:
    """Sets under stand-ins, of which some occurrences are published, to be asked often."""

    under: ItemsetHistogram
    published: NDArray[np.bool_]
    label: NDArray[np.int64]
    true: NDArray[np.int64]

    @cached_property
    def all_of_it(self) -> bool:
        return bool(self.published.all())

    @cached_property
    def _left(self) -> Answering:
        return Answering(ItemsetHistogram(self.under.sets.only(self.published), self.under.counts))

    @cached_property
    def _changed(self) -> tuple[Answering, Answering] | None:
        """The sets that lose something, before and after; None where they are many."""
        before, after = self.under, self._left.histogram
        rows = np.flatnonzero(before.sets.sizes > after.sets.sizes)
        if 2 * len(rows) > len(before):
            return None
        return Answering(before.take(rows)), Answering(after.take(rows))

    def answers(
        self, queries: Itemsets, index: NDArray[np.int64], plain: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Return how many people may fit each query, those with these numbers.

        Of ``plain`` queries the true answer is known, and what sets that lose something take away.
        """
        if self._changed is None or not plain.any():
            return self._left.to(_lifted(queries, self.label, self.under.sets))
        before, after = self._changed
        counts = np.empty(len(index), dtype=np.int64)
        same = _lifted(queries.take(np.flatnonzero(plain)), self.label, self.under.sets)
        counts[plain] = self.true[index[plain]] - before.to(same) + after.to(same)
        if not plain.all():
            others = _lifted(queries.take(np.flatnonzero(~plain)), self.label, self.under.sets)
            counts[~plain] = self._left.to(others)
        return counts


def _batches(numbers: NDArray[np.int64], count: int) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers in so many parts, each four times as large as the one before."""
    step = 4 ** (count - 1)
    while step > 1:
        first = np.arange(len(numbers)) % step == 0
        yield numbers[first]
        numbers, step = numbers[~first], step // 4
    yield numbers


def _lifted(queries: Itemsets, label: NDArray[np.int64], sets: Itemsets) -> Itemsets:
    """Return queries under the stand-ins of their items."""
    arrays = recoded(queries.offsets.copy(), queries.items.copy(), label, len(sets.vocabulary))
    return Itemsets(*arrays, sets.vocabulary)


def _chances(
    label: NDArray[np.int64], sizes: NDArray[np.int64], queries: Itemsets
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return how likely a record that may fit a query fits it, and whether it surely does."""
    rows = queries.rows
    if (sizes == 1).all():
        certain = np.ones(len(queries), dtype=np.bool_)
        certain[rows[label[queries.items] < 0]] = False
        return certain.astype(np.float64), certain
    codes, asked = np.unique(rows * (len(sizes) + 1) + label[queries.items] + 1, return_counts=True)
    row, stands = codes // (len(sizes) + 1), codes % (len(sizes) + 1) - 1
    size = np.append(sizes, 0)[stands].astype(np.float64)
    # t given items of a block of s: 2^(s - t) of its 2^s - 1 choices hold them
    given = np.exp2(-asked.astype(np.float64)) / (1 - np.exp2(-np.maximum(size, 1.0)))
    given = np.where(stands < 0, 0.0, np.where(size == 1, 1.0, given))
    chance = np.ones(len(queries))
    np.multiply.at(chance, row, given)
    sure = np.ones(len(queries), dtype=np.bool_)
    np.logical_and.at(sure, row, size == 1)
    return chance, sure
