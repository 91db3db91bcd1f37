"""Data of an experiment as a recipe of a few words, from which any process makes them again."""

from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.io.datasets import PREFIX
from discreet.rng import Rng, seeded

SYNTHETIC = "synthetic"
"""The name of made-up data."""
SEED = 77
"""The seed of made-up data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRecipe:
    """Which data, and what was done to them."""

    name: str
    """A named data set, or ``synthetic``."""
    people: int = 0
    """Records to make up."""
    items: int = 0
    """Items of made-up records."""
    longest: int = 0
    """Items of the longest made-up record."""
    occurrences: int | None = None
    """How often the set of all items occurs, where that was changed."""

    @property
    def label(self) -> str:
        """How a table names the data."""
        return f"{SYNTHETIC} {self.people}x{self.items}" if self.name == SYNTHETIC else self.name

    def planted(self, occurrences: int) -> "DataRecipe":
        """Return the data in which the set of all items occurs just so often."""
        return replace(self, occurrences=occurrences)


@lru_cache(maxsize=16)
def made(recipe: DataRecipe) -> Transactions:
    """Return the data themselves."""
    if recipe.occurrences is not None:
        return _planted(made(replace(recipe, occurrences=None)), recipe.occurrences)
    if recipe.name == SYNTHETIC:
        return synthetic(recipe.people, recipe.items, recipe.longest, seeded(SEED))
    return Transactions.read(f"{PREFIX}{recipe.name}")


@lru_cache(maxsize=256)
def digest(recipe: DataRecipe) -> str:
    """Return the checksum of the distinct sets, their counts and their universe."""
    folded = made(recipe).folded
    arrays = (folded.sets.offsets, folded.sets.items, folded.counts)
    content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return sha256(repr(folded.sets.vocabulary).encode() + content).hexdigest()


def _planted(data: Transactions, occurrences: int) -> Transactions:
    """Return ``data`` with the set of all items exactly ``occurrences`` times."""
    n = len(data.universe)
    proper = data.sets.take(np.flatnonzero(data.sets.sizes < n))
    ends = proper.offsets[-1] + n * np.arange(1, occurrences + 1)
    everything = np.tile(np.arange(n, dtype=np.int32), occurrences)
    return Transactions(
        Itemsets(
            np.concatenate([proper.offsets, ends]),
            np.concatenate([proper.items, everything]),
            data.universe,
        )
    )


def synthetic(people: int, items: int, longest: int, rng: Rng) -> Transactions:
    """Make up records like the countries that people check in from.

    Everyone has a home, item ``r`` with weight ``1 / r``. A further stay follows with probability
    0.45, and another after it, up to ``longest`` in all; two in three stays are within three steps
    of home in the order of the items, the others anywhere by the same weights. Stays at one place
    count once. The first record alone is given the ``longest`` first items.

    >>> data = synthetic(1000, 20, 8, seeded(1))
    >>> len(data), len(data.universe), int(data.sets.sizes.max())
    (1000, 20, 8)
    """
    visited = np.zeros((people, items), dtype=bool)
    home = _popular(people, items, rng)
    visited[np.arange(people), home] = True
    going = np.arange(people)
    for _ in range(longest - 1):
        going = going[rng.integers(100, len(going)) < 45]
        far = _popular(len(going), items, rng)
        near = (home[going] + rng.integers(7, len(going)) - 3) % items
        visited[going, np.where(rng.integers(3, len(going)) < 2, near, far)] = True
    visited[0] = np.arange(items) < longest
    names = tuple(f"place-{number:02d}" for number in range(1, items + 1))
    rows, columns = np.nonzero(visited)
    return Transactions(Itemsets.of_pairs(rows, columns, people, names))


def _popular(count: int, items: int, rng: Rng) -> NDArray[np.int64]:
    """Draw items, the ``r``-th with weight ``1 / r``."""
    weights = np.cumsum([1_000_000 // rank for rank in range(1, items + 1)])
    return np.searchsorted(weights, rng.integers(int(weights[-1]), count), side="right")
