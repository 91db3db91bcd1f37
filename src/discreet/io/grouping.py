"""Items by number to sets over a vocabulary in its public order, whatever file they come from."""

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.io.text import normalised

__all__ = ["Growing", "Sets", "grouped", "public_order"]


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
        sizes = np.diff(self.offsets)[index]
        offsets = np.zeros(len(index) + 1, dtype=np.int64)
        np.cumsum(sizes, out=offsets[1:])
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[index] - offsets[:-1], sizes)
        return Sets(offsets, self.items[places], self.vocabulary)


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
    records: NDArray[np.int32], codes: NDArray[np.int32], names: Sequence[str], count: int
) -> Sets:
    """Return ``count`` sets from pairs of record and code; an empty name is no item.

    >>> pairs = np.array([1, 0, 1], dtype=np.int32), np.array([0, 1, 0], dtype=np.int32)
    >>> sets = grouped(*pairs, ["b", "a"], 2)
    >>> sets.offsets.tolist(), sets.items.tolist(), sets.vocabulary
    ([0, 1, 2], [0, 1], ('a', 'b'))
    """
    vocabulary = public_order(name for name in names if name)
    place = {name: rank for rank, name in enumerate(vocabulary)}
    ranks = np.array([place.get(name, -1) for name in names], dtype=np.int32)
    items = ranks[codes] if len(ranks) else codes
    keys = (records.astype(np.int64) * len(vocabulary) + items)[items >= 0]
    keys.sort()
    fresh = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    owners, held = np.divmod(keys[fresh], max(1, len(vocabulary)))
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(owners, minlength=count), out=offsets[1:])
    return Sets(offsets, held.astype(np.int32), tuple(vocabulary))


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
        sizes = np.array(self.sizes, dtype=np.int64)
        records = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        return grouped(records, np.array(self.items, np.int32), list(self.names), len(sizes))
