"""Counting queries, each of which asks how many people hold all of some items."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.errors import ParameterError
from discreet.kernels.ragged import offsets_of
from discreet.kernels.supersets import (
    LATTICE,
    Holders,
    containment_sums,
    holders_of,
    lattice_masks,
    lattice_sums,
    shared_beyond,
)
from discreet.rng import Rng

SANITY = 0.0001
"""A query that fewer than this share of the people answer counts as if so many did."""


@dataclass(frozen=True, eq=False)
class CountingQueries:
    """A workload in two halves, each an itemset a query."""

    existing: Itemsets
    """Sets that people have."""
    random: Itemsets
    """Sets drawn from the universe, whether anybody has them or not."""

    def __len__(self) -> int:
        return len(self.existing) + len(self.random)


def paper_workload(
    folded: ItemsetHistogram, rng: Rng, *, size: int = 50_000, max_random_size: int = 5
) -> CountingQueries:
    """Draw the workload of Wang, Li, Lui and Sun 2022, section 6: half existing, half random sets.

    Existing: drawn uniformly, with repetition, from the distinct sets that occur; not the empty
    one, which asks nothing. Random: a size uniform on ``1 .. max_random_size``, then a uniform set
    of that size. The paper leaves both laws open.

    Parameters
    ----------
    folded
        Distinct sets with their numbers of people.
    rng
        The randomness.
    size
        How many queries.
    max_random_size
        Items of the largest random set.

    Returns
    -------
    CountingQueries
        The existing and the random queries, apart.
    """
    if size < 0 or max_random_size < 1:
        msg = (
            "a workload needs `size` >= 0 and `max_random_size` >= 1, "
            f"got {size} and {max_random_size}"
        )
        raise ParameterError(msg, parameter="size")
    occurring = np.flatnonzero((folded.sets.sizes > 0) & (folded.counts > 0))
    half = size // 2 if len(occurring) else 0
    chosen = occurring[rng.integers(len(occurring), half)] if half else occurring[:0]
    return CountingQueries(
        folded.sets.take(chosen),
        _random_itemsets(folded.sets.vocabulary, size - size // 2, max_random_size, rng),
    )


def _random_itemsets(universe: tuple[str, ...], count: int, max_size: int, rng: Rng) -> Itemsets:
    """Draw sets, the size first and then uniformly, by Floyd's sampling without repetition."""
    n = len(universe)
    largest = min(max_size, n)
    sizes = 1 + rng.integers(largest, count) if largest else np.empty(0, dtype=np.int64)
    drawn = np.full((len(sizes), largest), n, dtype=np.int32)
    for size in range(1, largest + 1):
        rows = np.flatnonzero(sizes == size)
        drawn[rows, :size] = random_subsets(n, size, len(rows), rng)
    return Itemsets(offsets_of(sizes), drawn[drawn < n], universe)


def random_subsets(items: int, size: int, count: int, rng: Rng) -> NDArray[np.int32]:
    """Draw sets of one size independently and uniformly (Floyd's sampling), items ascending."""
    rows = np.empty((count, size), dtype=np.int32)
    for column in range(size):
        last = items - size + column
        pick = rng.integers(last + 1, count)
        met = (rows[:, :column] == pick[:, None]).any(axis=1)
        rows[:, column] = np.where(met, last, pick)
    rows.sort(axis=1)
    return rows


def answers(histogram: ItemsetHistogram, queries: Itemsets) -> NDArray[np.int64]:
    """Return for each query how many people of ``histogram`` hold all of its items.

    Up to 20 items one table over all sets (at most 8 MB) answers any number of queries; beyond,
    a query runs along the list of the sets that hold its rarest item.

    Parameters
    ----------
    histogram
        Distinct sets with their numbers of people.
    queries
        The itemsets that are asked for.

    Returns
    -------
    array of int
        A count for each query; 0 for items that nobody has.

    Examples
    --------
    >>> histogram = ItemsetHistogram.of({("a", "b"): 20, ("a",): 1, (): 3})
    >>> answers(histogram, Itemsets.of([["a"], ["b"], [], ["a", "z"]])).tolist()
    [21, 20, 24, 0]
    """
    return Answering(histogram).to(queries)


@dataclass(frozen=True, eq=False)
class Answering:
    """Sets that are looked up again and again: what ``answers`` builds is built once."""

    histogram: ItemsetHistogram
    """Distinct sets with their numbers of people."""

    @cached_property
    def _holders(self) -> Holders:
        sets = self.histogram.sets
        return holders_of(sets.offsets, sets.items, len(sets.vocabulary))

    @cached_property
    def _by_mask(self) -> NDArray[np.int64]:
        return _people_by_mask(self.histogram)

    def to(self, queries: Itemsets) -> NDArray[np.int64]:
        """Return for each query how many people hold all of its items."""
        sets = self.histogram.sets
        terms = queries.over(sets.vocabulary)
        if len(sets.vocabulary) <= LATTICE:
            counts = self._by_mask[lattice_masks(terms.offsets, terms.items)]
        else:
            counts = containment_sums(
                sets.offsets,
                sets.items,
                self.histogram.counts,
                self._holders,
                terms.offsets,
                terms.items,
            )
        # an item the histogram has never heard of is held by nobody
        return np.where(terms.sizes == queries.sizes, counts, 0)


def shared_items(histogram: ItemsetHistogram, queries: Itemsets) -> NDArray[np.int64]:
    """Return for each query how many further items everybody has who holds all of its items.

    Those items follow with certainty. Where nobody fits, none do.

    Parameters
    ----------
    histogram
        Distinct sets with their numbers of people.
    queries
        The itemsets that are asked for.

    Returns
    -------
    array of int
        A number of items for each query.

    Examples
    --------
    >>> histogram = ItemsetHistogram.of({("a", "b", "c"): 20, ("b", "c"): 1, ("c",): 3})
    >>> shared_items(histogram, Itemsets.of([["a"], ["b"], ["c"], ["a", "z"]])).tolist()
    [2, 1, 0, 0]
    """
    sets = histogram.sets
    terms = queries.over(sets.vocabulary)
    if len(sets.vocabulary) <= LATTICE:
        people = _people_by_mask(histogram)
        masks = lattice_masks(terms.offsets, terms.items)
        shared = -terms.sizes
        for item in range(len(sets.vocabulary)):
            shared = shared + (people[masks | 1 << item] == people[masks])
        shared = np.where(people[masks] > 0, shared, 0)
    else:
        holders = holders_of(sets.offsets, sets.items, len(sets.vocabulary))
        shared = shared_beyond(sets.offsets, sets.items, holders, terms.offsets, terms.items)
        shared[terms.sizes == 0] = np.sum(histogram.supports == max(1, histogram.total))
    return np.where(terms.sizes == queries.sizes, shared, 0)


def _people_by_mask(histogram: ItemsetHistogram) -> NDArray[np.int64]:
    """Return for every conceivable set how many people hold all of it."""
    sets = histogram.sets
    return lattice_sums(sets.offsets, sets.items, histogram.counts, len(sets.vocabulary))


def relative_error(
    true: NDArray[np.int64], published: NDArray[np.int64], sanity: float
) -> NDArray[np.float64]:
    """Return ``|true - published| / max(true, sanity)`` for each query.

    Parameters
    ----------
    true
        The true answers.
    published
        The answers of a release.
    sanity
        The bound below which true answers are too small to divide by.

    Returns
    -------
    array of float
        The error of each query.

    Examples
    --------
    >>> relative_error(np.array([10, 0]), np.array([8, 1]), 2).tolist()
    [0.2, 0.5]
    """
    if sanity <= 0:
        raise ParameterError(f"`sanity` must be above 0, got {sanity}", parameter="sanity")
    errors: NDArray[np.float64] = np.abs(true - published) / np.maximum(true, sanity)
    return errors
