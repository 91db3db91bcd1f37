"""Items by number to sets over a vocabulary in its public order, whatever file they come from."""

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.core.itemsets import Itemsets
from discreet.core.reading.parse import arrange

__all__ = ["Growing", "grouped", "public_order", "ranked"]


def public_order(names: Iterable[str]) -> list[str]:
    """Return the names sorted: as numbers if all are, otherwise as text.

    >>> public_order(["10", "9"]), public_order(["10", "9", "x"])
    (['9', '10'], ['10', '9', 'x'])
    """
    names = list(names)
    if all(name.isascii() and name.isdigit() for name in names):
        # by length and digits, for a number of ten thousand digits is no int
        return sorted(names, key=lambda name: (len(name.lstrip("0")), name.lstrip("0"), name))
    return sorted(names)


def ranked(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Return the distinct names in their public order, and the place of each name in it."""
    vocabulary = tuple(public_order(names))
    place = {name: rank for rank, name in enumerate(vocabulary)}
    return vocabulary, np.array([place[name] for name in names], dtype=np.int32)


def grouped(
    records: NDArray[np.int32], codes: NDArray[np.int32], names: Sequence[str], count: int
) -> Itemsets:
    """Return ``count`` sets from pairs of record and code; an empty name is no item.

    >>> pairs = np.array([1, 0, 1], dtype=np.int32), np.array([0, 1, 0], dtype=np.int32)
    >>> list(grouped(*pairs, ["b", "a"], 2))
    [('a',), ('b',)]
    """
    vocabulary, rank = ranked([name for name in names if name])
    full = np.full(len(names), -1, dtype=np.int32)
    full[[bool(name) for name in names]] = rank
    offsets, items = _gathered(records, codes, full, count)
    arrange(offsets, items, np.arange(len(vocabulary), dtype=np.int32))
    kept = _without_repeats(offsets, items)
    return Itemsets(offsets, items[:kept].copy(), vocabulary)


class Growing:
    """Sets that come one by one, as lists of names."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.items = array("i")
        self.sizes = array("q")

    def add(self, names: Iterable[str]) -> None:
        """Take one more set."""
        held = {self.numbers.setdefault(name, len(self.numbers)) for name in names}
        self.items.extend(held)
        self.sizes.append(len(held))

    def sets(self) -> Itemsets:
        """Return the sets taken so far."""
        vocabulary, rank = ranked(list(self.numbers))
        offsets = np.zeros(len(self.sizes) + 1, dtype=np.int64)
        np.cumsum(np.array(self.sizes, dtype=np.int64), out=offsets[1:])
        items = np.array(self.items, dtype=np.int32)
        arrange(offsets, items, rank)
        return Itemsets(offsets, items, vocabulary)


@kernel
def _gathered(
    records: NDArray[np.int32], codes: NDArray[np.int32], rank: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return offsets and items of the sets that the pairs make, unsorted, with repetitions."""
    offsets = np.zeros(count + 1, dtype=np.int64)
    for row in range(len(records)):
        offsets[records[row] + 1] += rank[codes[row]] >= 0
    for record in range(count):
        offsets[record + 1] += offsets[record]
    items = np.empty(offsets[-1], dtype=np.int32)
    for row in range(len(records)):
        if rank[codes[row]] >= 0:
            items[offsets[records[row]]] = rank[codes[row]]
            offsets[records[row]] += 1
    # each offset has moved to the end of its set, where the next one begins
    for record in range(count, 0, -1):
        offsets[record] = offsets[record - 1]
    offsets[0] = 0
    return offsets, items


@kernel
def _without_repeats(offsets: NDArray[np.int64], items: NDArray[np.int32]) -> int:
    """Move the first of equal neighbours in each set to the front; return how many are left."""
    kept = 0
    begin = offsets[0]
    for record in range(len(offsets) - 1):
        end = offsets[record + 1]
        for place in range(begin, end):
            if place == begin or items[place] != items[place - 1]:
                items[kept] = items[place]
                kept += 1
        begin = end
        offsets[record + 1] = kept
    return kept
