"""A histogram as one array over all sets of a small universe, and back."""

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.randomness import Rng
from discreet.counts.kernels.lattice_model import rounded_up
from discreet.kernels.supersets import lattice_masks, superset_sums
from discreet.measure import SANITY

ASKED = 4_000
"""Sets by which two tables are compared, of either kind."""
LARGEST = 5
"""Items of the largest random set."""


def table_of(people: ItemsetHistogram) -> NDArray[np.int64]:
    """Return how many people hold exactly each set; a set is the number whose bits are its items.

    >>> table_of(ItemsetHistogram.of({("a",): 2, ("a", "b"): 1})).tolist()
    [0, 2, 0, 1]
    """
    table = np.zeros(1 << len(people.sets.vocabulary), dtype=np.int64)
    np.add.at(table, lattice_masks(people.sets.offsets, people.sets.items), people.counts)
    return table


def histogram_of_table(table: NDArray[np.int64], universe: tuple[str, ...]) -> ItemsetHistogram:
    """Return the sets that anybody holds, with their counts."""
    masks = np.flatnonzero(table > 0)
    is_member = (masks[:, None] >> np.arange(len(universe))) & 1
    used = np.asarray(is_member.any(axis=0))
    names = tuple(item for item, occurs in zip(universe, used.tolist(), strict=True) if occurs)
    rows, items = np.nonzero(is_member[:, used])
    return ItemsetHistogram(Itemsets.of_pairs(rows, items, len(masks), names), table[masks])


def set_sizes(items: int) -> NDArray[np.int64]:
    """Return how many items each set has."""
    sizes = np.zeros(1 << items, dtype=np.int64)
    for item in range(items):
        sizes[1 << item : 2 << item] = sizes[: 1 << item] + 1
    return sizes


def uniforms(count: int, rng: Rng) -> NDArray[np.float64]:
    """Draw numbers strictly between 0 and 1."""
    return ((rng.words(count) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def random_sets(items: int, count: int, rng: Rng) -> NDArray[np.int64]:
    """Draw sets of up to ``LARGEST`` of so many items, each size equally likely."""
    keys = uniforms(count * items, rng).reshape(count, items)
    wanted = 1 + rng.integers(min(LARGEST, items), count)
    ranks = np.argsort(np.argsort(keys, axis=1), axis=1)
    masks: NDArray[np.int64] = ((ranks < wanted[:, None]) << np.arange(items)).sum(axis=1)
    return masks


def rounded(table: NDArray[np.float64], order: NDArray[np.int64], rng: Rng) -> NDArray[np.int64]:
    """Round to whole numbers that are right on average; what is nearly equal is rounded together.

    ``order`` says along which item fractions meet first.
    """
    floors = np.floor(table)
    up = rounded_up(table - floors, order, uniforms(len(table), rng))
    return floors.astype(np.int64) + up


def deviation(table: NDArray[np.int64], changed: NDArray[np.int64], rng: Rng) -> float:
    """Return how far the answers of one table are from another's, on sets that it knows."""
    items = len(table).bit_length() - 1
    if not items:
        return 0.0
    true, said = superset_sums(table.copy()), superset_sums(changed.copy())
    occurring = np.flatnonzero(table[1:] > 0) + 1
    chosen = occurring[rng.integers(len(occurring), ASKED)] if len(occurring) else occurring
    asked = np.concatenate([chosen, random_sets(items, ASKED, rng)])
    wrong = np.abs(true[asked] - said[asked])
    return float((wrong / np.maximum(true[asked], SANITY * true[0] + 1)).mean())
