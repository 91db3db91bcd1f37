"""Records by the size of their sets, over a public universe: where every DP path begins."""

from dataclasses import dataclass
from itertools import compress
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import WORD, Itemsets
from discreet.core.transactions import Transactions
from discreet.counts.kernels.rows import cut_sets, distinct_rows
from discreet.errors import ParameterError
from discreet.rng import Rng
from discreet.rng.stream import fill

__all__ = [
    "Level",
    "Longer",
    "histogram_of",
    "levels_of",
    "must_cut",
    "public_facts",
]

Longer: TypeAlias = Literal["cut", "drop"]


@dataclass(frozen=True, slots=True)
class Level:
    """The distinct sets of one size, one a row, with their counts."""

    rows: NDArray[np.int32]
    counts: NDArray[np.int64]


def levels_of(
    data: Transactions,
    universe: tuple[str, ...] | None,
    max_size: int | None,
    longer: Longer,
    rng: Rng,
) -> tuple[tuple[str, ...], list[Level]]:
    """Return the universe and, for each size from 0 to the public cap, the records of that size.

    Items outside the universe are dropped first. A record longer than the cap is cut to a random
    part of it, or dropped. Each record is changed without a look at the others, so neighbouring
    data stay neighbours.
    """
    folded = data.folded
    vocabulary = data.universe if universe is None else universe
    sets = folded.sets if universe is None else folded.sets.over(universe)
    cap = _cap(len(vocabulary), max_size)
    levels = [_of_size(sets, folded.counts, size) for size in range(cap + 1)]
    long = longer == "cut" and cap > 0 and bool((sets.sizes > cap).any())
    if long:
        levels[cap] = _joined(levels[cap], _cut_to(sets, folded.counts, cap, rng))
    if long or sets is not folded.sets:
        # dropping and cutting items can make sets equal that were not
        levels = [_distinct(level) for level in levels]
    return vocabulary, levels


def must_cut(
    data: Transactions, universe: tuple[str, ...] | None, max_size: int | None, longer: Longer
) -> bool:
    """Tell whether chance decides which part of a record ``levels_of`` keeps."""
    sets = data.folded.sets if universe is None else data.folded.sets.over(universe)
    cap = _cap(len(sets.vocabulary), max_size)
    return longer == "cut" and cap > 0 and bool((sets.sizes > cap).any())


def _cap(items: int, max_size: int | None) -> int:
    if max_size is None and items > WORD:
        msg = (
            f"`max_size` must be given when the universe has more than {WORD} items: "
            "the largest itemset to publish, for example 3"
        )
        raise ParameterError(msg, parameter="max_size")
    return items if max_size is None else min(max_size, items)


def _of_size(sets: Itemsets, counts: NDArray[np.int64], size: int) -> Level:
    index = np.flatnonzero(sets.sizes == size)
    return Level(sets.items[sets.offsets[index][:, None] + np.arange(size)], counts[index])


def _cut_to(sets: Itemsets, counts: NDArray[np.int64], cap: int, rng: Rng) -> Level:
    index = np.flatnonzero(sets.sizes > cap)
    # each person's record is cut by itself, also where several hold the same set
    index = np.repeat(index, counts[index])
    long = sets.take(index)
    rows = np.empty((len(index), cap), dtype=np.int32)
    offsets, items = np.array(long.offsets), np.array(long.items)

    def step(start: int, words: NDArray[np.uint64], pos: NDArray[np.int64]) -> int:
        return cut_sets(offsets, items, rows, start, words, pos)

    fill(rng, len(index), 2 * cap, step)
    return Level(rows, np.ones(len(rows), dtype=np.int64))


def _joined(one: Level, other: Level) -> Level:
    return Level(np.concatenate([one.rows, other.rows]), np.concatenate([one.counts, other.counts]))


def _distinct(level: Level) -> Level:
    if not len(level.rows):
        return level
    first, sums = distinct_rows(level.rows, level.counts)
    return Level(level.rows[first], sums)


def histogram_of(vocabulary: tuple[str, ...], levels: list[Level], rng: Rng) -> ItemsetHistogram:
    """Return published levels as one histogram, rows shuffled, without items that do not occur."""
    many, sizes = zip(*(level.rows.shape for level in levels), strict=True)
    flat = np.concatenate([level.rows.ravel() for level in levels])
    counts = np.concatenate([level.counts for level in levels])
    used = np.bincount(flat, minlength=len(vocabulary)) > 0
    number = (np.cumsum(used) - 1).astype(np.int32)
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(np.repeat(sizes, many), out=offsets[1:])
    names = tuple(compress(vocabulary, used.tolist()))
    histogram = ItemsetHistogram(Itemsets(offsets, number[flat], names), counts)
    return histogram.take(rng.permutation(len(counts)))


def public_facts(universe: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return what a DP guarantee over itemsets takes as public."""
    if universe is None:
        return ("item universe (taken from the data: not covered by epsilon)", "largest size")
    return ("item universe and its order", "largest size")
