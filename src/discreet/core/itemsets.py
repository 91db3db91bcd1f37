"""Many sets over one vocabulary, as two arrays: where each set begins, and which items it holds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.noun import Compared
from discreet.errors import DataError
from discreet.kernels.ragged import offsets_of, runs

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WORD = 64
"""Items that fit one machine word: up to here a set is a single number."""


@dataclass(frozen=True, eq=False, repr=False)
class Itemsets(Compared):
    """A sequence of sets, each a run of ascending item numbers without repetition.

    >>> sets = Itemsets.of([["b", "a"], [], ["b"]])
    >>> list(sets)
    [('a', 'b'), (), ('b',)]
    >>> sets.items.tolist(), sets.offsets.tolist()
    ([0, 1, 1], [0, 2, 2, 3])
    """

    offsets: NDArray[np.int64]
    """Set ``i`` is ``items[offsets[i]:offsets[i + 1]]``."""
    items: NDArray[np.int32]
    """Item numbers, ascending within a set."""
    vocabulary: tuple[str, ...]
    """The item of each number; its order is public and is the order of the items."""

    def __post_init__(self) -> None:
        self.offsets.setflags(write=False)
        self.items.setflags(write=False)

    @classmethod
    def of(
        cls, records: Iterable[Iterable[str]], universe: Sequence[str] | None = None
    ) -> "Itemsets":
        """Make sets from Python collections; without a ``universe`` the items sort as text."""
        sets = [set(record) for record in records]
        vocabulary = tuple(sorted(set(chain(*sets))) if universe is None else universe)
        number = numbering(vocabulary)
        try:
            rows = [sorted(number[item] for item in itemset) for itemset in sets]
        except KeyError:
            msg = "every item must be in the universe, and one is not; add it or drop it first"
            raise DataError(msg) from None
        offsets = offsets_of([len(row) for row in rows])
        items = np.fromiter(chain(*rows), dtype=np.int32, count=int(offsets[-1]))
        return cls(offsets, items, vocabulary)

    @classmethod
    def of_pairs(
        cls, rows: NDArray[np.int64], items: NDArray[Any], count: int, vocabulary: tuple[str, ...]
    ) -> "Itemsets":
        """Make ``count`` sets from pairs of a set and an item, by numbers; a pair may come again.

        >>> list(Itemsets.of_pairs(np.array([1, 0, 1]), np.array([1, 0, 1]), 3, ("a", "b")))
        [('a',), ('b',), ()]
        """
        wide = max(len(vocabulary), 1)
        codes = np.sort(rows * wide + items, kind="stable")
        codes = codes[np.diff(codes, prepend=-1) != 0]
        offsets = offsets_of(np.bincount(codes // wide, minlength=count))
        return cls(offsets, (codes % wide).astype(np.int32), vocabulary)

    @classmethod
    def joined(cls, chunks: Sequence["Itemsets"]) -> "Itemsets":
        """Return all sets of some chunks over one vocabulary, one chunk after the other."""
        offsets = offsets_of(np.concatenate([chunk.sizes for chunk in chunks]))
        items = np.concatenate([chunk.items for chunk in chunks])
        return cls(offsets, items, chunks[0].vocabulary)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"Itemsets({len(self)} sets over {len(self.vocabulary)} items)"

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> tuple[str, ...]:
        items = self.items[self.offsets[index] : self.offsets[index + 1]]
        return tuple(self.vocabulary[item] for item in items)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self[index] for index in range(len(self)))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many items each set holds."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> NDArray[np.int64]:
        """For each of ``items`` the number of the set that it stands in."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def by_item(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each item begins in the second array, which lists its places in ``items``."""
        starts = offsets_of(np.bincount(self.items, minlength=len(self.vocabulary)))
        return starts, np.argsort(self.items, kind="stable")

    def matrix(self, dtype: type[Any] = np.float64) -> "csr_array":
        """Return a row for each set and a column for each item, with a one where it is held."""
        from scipy.sparse import csr_array

        arrays = (np.ones(len(self.items), dtype=dtype), self.items, self.offsets)
        return csr_array(arrays, shape=(len(self), len(self.vocabulary)))

    def take(self, index: NDArray[np.int64]) -> "Itemsets":
        """Return the sets at ``index``, in that order."""
        sizes = self.sizes[index]
        taken = self.items[runs(self.offsets[index], sizes)]
        return Itemsets(offsets_of(sizes), taken, self.vocabulary)

    def some(self, begin: int, count: int) -> "Itemsets":
        """Return up to so many sets from one on, without a copy of their items.

        >>> list(Itemsets.of([["a"], ["b"], ["a", "b"]]).some(1, 5))
        [('b',), ('a', 'b')]
        """
        offsets = self.offsets[begin : begin + count + 1]
        items = self.items[offsets[0] : offsets[-1]]
        return Itemsets(offsets - offsets[0], items, self.vocabulary)

    def over(self, universe: Sequence[str]) -> "Itemsets":
        """Renumber the items as in ``universe`` and drop the items outside it.

        >>> list(Itemsets.of([["a", "b"], ["c"]]).over(["c", "b"]))
        [('b',), ('c',)]
        """
        if tuple(universe) == self.vocabulary:
            return self
        number = numbering(universe)
        new = np.array([number.get(item, -1) for item in self.vocabulary], dtype=np.int32)
        moved = new[self.items] if len(new) else self.items
        mask = moved >= 0
        return Itemsets.of_pairs(self.rows[mask], moved[mask], len(self), tuple(universe))

    def only(self, mask: NDArray[np.bool_]) -> "Itemsets":
        """Return the sets with no more than those of their ``items`` that are marked.

        >>> list(Itemsets.of([["a", "b"], ["b"]]).only(np.array([True, False, True])))
        [('a',), ('b',)]
        """
        ends = np.concatenate([[0], np.cumsum(mask)])[self.offsets]
        return Itemsets(ends, self.items[mask], self.vocabulary)

    def holding(self, items: Iterable[str]) -> NDArray[np.int64]:
        """Return the numbers of the sets that hold all of ``items``.

        >>> Itemsets.of([["a", "b"], ["b"], []]).holding(["b"]).tolist()
        [0, 1]
        """
        number = {item: index for index, item in enumerate(self.vocabulary)}
        wanted = {number.get(item, -1) for item in items}
        if -1 in wanted:
            return np.empty(0, dtype=np.int64)
        hits = np.flatnonzero(np.isin(self.items, list(wanted)))
        rows = np.searchsorted(self.offsets, hits, side="right") - 1
        return np.flatnonzero(np.bincount(rows, minlength=len(self)) == len(wanted))

    def shortened(self, positions: NDArray[np.int64]) -> "Itemsets":
        """Return for each of ``positions`` in ``items`` the set it stands in, without that item.

        >>> list(Itemsets.of([["a", "b"], ["b"]]).shortened(np.array([0, 1, 2])))
        [('b',), ('a',), ()]
        """
        rows = np.searchsorted(self.offsets, positions, side="right") - 1
        copies = self.take(rows)
        mask = np.ones(len(copies.items), dtype=np.bool_)
        mask[copies.offsets[:-1] + positions - self.offsets[rows]] = False
        offsets = copies.offsets - np.arange(len(copies.offsets))
        return Itemsets(offsets, copies.items[mask], self.vocabulary)


def numbering(vocabulary: Sequence[str]) -> dict[str, int]:
    """Return the number of each item, refusing a vocabulary that repeats one."""
    number = {item: index for index, item in enumerate(vocabulary)}
    if len(number) < len(vocabulary):
        position = next(
            position for position, item in enumerate(vocabulary) if number[item] != position
        )
        msg = f"the items of a universe must differ, but item {position + 1} occurs again later"
        raise DataError(msg)
    return number
