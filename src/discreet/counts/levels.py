"""Records by the size of their sets, over a public universe: where every DP path begins."""

from dataclasses import dataclass
from itertools import compress
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.fold import fold
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import WORD, Itemsets
from discreet.core.statistics import SetsElsewhere
from discreet.core.transactions import Transactions
from discreet.counts.cutting import cut_to, random_key
from discreet.errors import ParameterError
from discreet.kernels.ragged import offsets_of
from discreet.rng import Rng

Longer: TypeAlias = Literal["cut", "drop"]


@dataclass(frozen=True, slots=True)
class Level:
    """The distinct sets of one size, one a row, with their counts."""

    rows: NDArray[np.int32]
    counts: NDArray[np.int64]


def limited(
    data: Transactions | SetsElsewhere,
    universe: tuple[str, ...] | None,
    max_size: int | None,
    longer: Longer,
    rng: Rng,
) -> ItemsetHistogram:
    """Return the distinct sets over the universe, none larger than the public limit, counted.

    Items outside the universe are dropped first. A record beyond the limit is cut to a random part
    of it, or dropped. Each record is changed without a look at the others, so neighbouring data
    stay neighbours (the soundness note on cutting).
    """
    items = len(data.universe if universe is None else universe)
    size = largest_size(items, max_size)
    # public facts decide whether a key is drawn
    key = random_key(rng) if longer == "cut" and size < items else None
    if not isinstance(data, Transactions):
        return data.limited(universe, size, key)
    folded = data.folded if universe is None else data.folded.over(universe)
    short = np.flatnonzero(folded.sets.sizes <= size)
    if len(short) == len(folded):
        return folded
    fitting = folded.take(short)
    return fitting if key is None else with_cut(fitting, cut_to(data, folded, size, key))


def largest_size(items: int, max_size: int | None) -> int:
    """Return the largest size to publish, a public number."""
    if max_size is None and items > WORD:
        msg = (
            f"`max_size` must be given when the universe has more than {WORD} items: "
            "the largest itemset to publish, for example 3"
        )
        raise ParameterError(msg, parameter="max_size")
    return items if max_size is None else min(max_size, items)


def with_cut(short: ItemsetHistogram, cut: Itemsets) -> ItemsetHistogram:
    """Return the short sets and, among them, those that were cut, each of one person."""
    counts = np.concatenate([short.counts, np.ones(len(cut), dtype=np.int64)])
    return fold(Itemsets.joined([short.sets, cut]), counts)


def levels_of(folded: ItemsetHistogram, size: int) -> list[Level]:
    """Return for each size from 0 on the distinct sets of that size."""
    return [level_of(folded, of_size) for of_size in range(size + 1)]


def level_of(folded: ItemsetHistogram, size: int) -> Level:
    """Return the distinct sets of this size."""
    index = np.flatnonzero(folded.sets.sizes == size)
    positions = folded.sets.offsets[index][:, None] + np.arange(size)
    return Level(folded.sets.items[positions], folded.counts[index])


def histogram_of(vocabulary: tuple[str, ...], levels: list[Level], rng: Rng) -> ItemsetHistogram:
    """Return published levels as one histogram, rows shuffled, without items that do not occur."""
    count, sizes = zip(*(level.rows.shape for level in levels), strict=True)
    flat = np.concatenate([level.rows.ravel() for level in levels])
    counts = np.concatenate([level.counts for level in levels])
    used = np.bincount(flat, minlength=len(vocabulary)) > 0
    number = (np.cumsum(used) - 1).astype(np.int32)
    offsets = offsets_of(np.repeat(sizes, count))
    names = tuple(compress(vocabulary, used.tolist()))
    histogram = ItemsetHistogram(Itemsets(offsets, number[flat], names), counts)
    return histogram.take(rng.permutation(len(counts)))


def public_facts(universe: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return what a DP guarantee over itemsets takes as public."""
    if universe is None:
        return ("item universe (taken from the data: not covered by epsilon)", "largest size")
    return ("item universe and its order", "largest size")
