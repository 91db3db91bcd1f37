"""Items by number to sets over a vocabulary in its public order, whatever file they come from."""

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.io.text import normalised

__all__ = ["Growing", "Sets", "arrange", "grouped", "public_order", "ranked", "stitched"]

SHORT = 24
"""Up to this size a set is sorted by insertion."""


class Sets(NamedTuple):
    """Sets as plain arrays: set ``i`` is ``items[offsets[i]:offsets[i + 1]]``, ascending."""

    offsets: NDArray[np.int64]
    """Where each set begins."""
    items: NDArray[np.int32]
    """Item numbers of all sets, one after the other."""
    vocabulary: tuple[str, ...]
    """The item of each number, in their public order."""
    ids: NDArray[np.str_] | None = None
    """Who each set belongs to, where the file says so."""

    def at(self, index: NDArray[np.int32]) -> "Sets":
        """Return the sets at these places, in that order."""
        offsets = np.zeros(len(index) + 1, dtype=np.int64)
        np.cumsum(np.diff(self.offsets)[index], out=offsets[1:])
        items = np.empty(offsets[-1], dtype=np.int32)
        _take(self.offsets, self.items, index, items)
        return Sets(offsets, items, self.vocabulary)


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


def grouped(
    records: list[NDArray[np.int32]],
    codes: list[NDArray[np.int32]],
    names: Sequence[str],
    count: int,
) -> Sets:
    """Return ``count`` sets from pairs of record and code; an empty name is no item.

    Pairs come in parts, which are used up on the way.

    >>> pairs = [np.array([1, 0, 1], dtype=np.int32)], [np.array([0, 1, 0], dtype=np.int32)]
    >>> sets = grouped(*pairs, ["b", "a"], 2)
    >>> sets.offsets.tolist(), sets.items.tolist(), sets.vocabulary
    ([0, 1, 2], [0, 1], ('a', 'b'))
    """
    named = np.array([bool(name) for name in names], dtype=np.bool_)
    offsets = np.zeros(count + 1, dtype=np.int64)
    for owners, item_codes in zip(records, codes, strict=True):
        _count(owners, item_codes, named, offsets)
    # for each record where its items begin, one place further on: they move to where they end
    total = int(offsets.sum())
    offsets[1:] = np.cumsum(offsets[1:]) - offsets[1:]
    items = np.empty(total, dtype=np.int32)
    records.reverse()
    codes.reverse()
    while records:
        _scatter(records.pop(), codes.pop(), named, offsets, items)
    return ranked(offsets, items, names)


def ranked(offsets: NDArray[np.int64], items: NDArray[np.int32], names: Sequence[str]) -> Sets:
    """Return sets whose items are given by the places of their names, used up on the way."""
    vocabulary = public_order(name for name in names if name)
    rank_of = {name: rank for rank, name in enumerate(vocabulary)}
    ranks = np.array([rank_of.get(name, -1) for name in names], dtype=np.int32)
    remaining = arrange(offsets, items, ranks)
    if remaining < len(items):
        items.resize(remaining, refcheck=False)  # gives back what is left over, without a copy
    return Sets(offsets, items, tuple(vocabulary))


def stitched(
    end_parts: list[NDArray[np.int32]], item_parts: list[NDArray[np.int32]]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return offsets and items of sets that come in parts, using the parts up on the way.

    A part has the items of some sets and where each of these sets ends among them.
    """
    offsets = np.empty(sum(map(len, end_parts)) + 1, dtype=np.int64)
    items = np.empty(sum(map(len, item_parts)), dtype=np.int32)
    offsets[0] = row = filled = 0
    end_parts.reverse()
    item_parts.reverse()
    while end_parts:
        # each part is let go before the next is copied: never twice the whole in memory
        ends, chunk = end_parts.pop(), item_parts.pop()
        np.add(ends, filled, out=offsets[1 + row : 1 + row + len(ends)])
        items[filled : filled + len(chunk)] = chunk
        row, filled = row + len(ends), filled + len(chunk)
    return offsets, items


class Growing:
    """Sets that come one by one, as lists of names."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.numbers: dict[str, int] = {}
        self.items = array("i")
        self.sizes = array("q")

    def add(self, names: Sequence[str]) -> None:
        """Take one more set, refusing what is no name by a ValueError."""
        self.items.extend(map(self._number, names))
        self.sizes.append(len(names))

    def _number(self, raw: str) -> int:
        """Return the number of a name; names that are equal once normalised share it."""
        if (number := self.numbers.get(raw)) is None:
            name = normalised(raw)
            name.encode("utf-8")  # half a surrogate pair is no letter
            if not name or "\0" in name:
                raise ValueError
            number = self.numbers[raw] = self.names.setdefault(name, len(self.names))
        return number

    def sets(self) -> Sets:
        """Return the sets taken so far."""
        offsets = np.zeros(len(self.sizes) + 1, dtype=np.int64)
        np.cumsum(np.array(self.sizes, dtype=np.int64), out=offsets[1:])
        return ranked(offsets, np.array(self.items, dtype=np.int32), list(self.names))


@kernel
def _take(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int32],
    taken: NDArray[np.int32],
) -> None:
    """Write the items of some sets one after the other."""
    end = 0
    for row in index:
        for position in range(offsets[row], offsets[row + 1]):
            taken[end] = items[position]
            end += 1


@kernel
def _count(
    records: NDArray[np.int32],
    codes: NDArray[np.int32],
    named: NDArray[np.bool_],
    offsets: NDArray[np.int64],
) -> None:
    """Count the items of each record, one place further on."""
    for pair in range(len(records)):
        offsets[records[pair] + 1] += named[codes[pair]]


@kernel
def _scatter(
    records: NDArray[np.int32],
    codes: NDArray[np.int32],
    named: NDArray[np.bool_],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
) -> None:
    """Put each item where the next one of its record belongs."""
    for pair in range(len(records)):
        if named[codes[pair]]:
            items[offsets[records[pair] + 1]] = codes[pair]
            offsets[records[pair] + 1] += 1


@kernel
def arrange(offsets: NDArray[np.int64], items: NDArray[np.int32], rank: NDArray[np.int32]) -> int:
    """Replace each item by its rank, put each set in ascending order and drop repeated items.

    All is done in place, offsets included; return how many items are left.
    """
    filled = begin = 0
    for record in range(len(offsets) - 1):
        end = offsets[record + 1]
        if end - begin > SHORT:
            for position in range(begin, end):
                items[position] = rank[items[position]]
            items[begin:end].sort()
            filled = _once(items, begin, end, filled)
        else:
            filled = _inserted(items, begin, end, rank, filled)
        begin = end
        offsets[record + 1] = filled
    return filled


@kernel
def _once(items: NDArray[np.int32], begin: int, end: int, filled: int) -> int:
    """Move ascending items down to ``filled``, each once; return where they end."""
    first = filled
    for position in range(begin, end):
        if filled == first or items[position] != items[filled - 1]:
            items[filled] = items[position]
            filled += 1
    return filled


@kernel
def _inserted(
    items: NDArray[np.int32], begin: int, end: int, rank: NDArray[np.int32], filled: int
) -> int:
    """Insert the ranks of a few items from ``filled`` on, each once; return where they end."""
    first = filled
    for position in range(begin, end):
        item = rank[items[position]]
        free = filled
        while free > first and items[free - 1] > item:
            free -= 1
        if free == first or items[free - 1] != item:
            for moved in range(filled, free, -1):
                items[moved] = items[moved - 1]
            items[free] = item
            filled += 1
    return filled
