"""Texts to numbers, some at a time, compiled: each distinct text is held once, as plain bytes.

A text is found through an open-addressing table of numbers; the bytes of all texts stand one after
the other. So a million ids take some tens of bytes each, and not the hundred and more of a Python
text and its place in a dictionary.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.lazy import pl

__all__ = ["Codes"]

AT_ONCE = 1 << 16
"""Texts that are Python texts at a time."""
CONTINUED, LEAD = 0x80, 0xC0
"""The two upper bits of a byte that goes on with a letter, under this mask."""


Known: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32]]
"""The bytes of all texts, where each begins and ends, and the table through which one is found."""
A = TypeVar("A", bound=np.generic)


class Codes:
    """Distinct texts, numbered as they first come."""

    def __init__(self) -> None:
        self._bytes: NDArray[np.uint8] = np.empty(0, dtype=np.uint8)
        self._ends: NDArray[np.int64] = np.zeros(1, dtype=np.int64)  # text i ends at place i + 1
        self._table: NDArray[np.int32] = np.full(1 << 7, -1, dtype=np.int32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, texts: "pl.Series") -> NDArray[np.int32]:
        """Return the number of each text of a column, none of which is missing."""
        codes = np.empty(len(texts), dtype=np.int32)
        block, ends = _flat(texts)
        self._make_room(len(block), len(texts))
        done = 0
        while done < len(codes):
            if 2 * self._count >= len(self._table):
                self._table = _rehashed(self._bytes, self._ends, self._count, 2 * len(self._table))
            known = (self._bytes, self._ends, self._table)
            done, self._count = _number(block, ends, codes, done, known, self._count)
        return codes

    def find(self, text: str) -> int | None:
        """Return the number of a text, None where it did not come."""
        wanted = np.frombuffer(text.encode(), dtype=np.uint8)
        code = int(self._table[_slot(wanted, (self._bytes, self._ends, self._table))])
        return None if code < 0 else code

    def texts(self) -> Iterator[list[str]]:
        """Yield the texts by their numbers, some at a time."""
        for begin in range(0, self._count, AT_ONCE):
            ends = self._ends[begin : min(begin + AT_ONCE, self._count) + 1]
            block = self._bytes[ends[0] : ends[-1]].tobytes()
            bounds = (ends - ends[0]).tolist()
            if block.isascii():
                text = block.decode()
                yield [text[i:j] for i, j in pairwise(bounds)]
            else:
                yield [block[i:j].decode() for i, j in pairwise(bounds)]

    def letters(self) -> NDArray[np.int32]:
        """Return how many letters each text has."""
        return _letters(self._bytes, self._ends[: self._count + 1])

    def with_nul(self) -> NDArray[np.int64]:
        """Return the texts that hold a NUL, of which an array of texts drops those at the end."""
        zeros = np.flatnonzero(self._bytes[: self._ends[self._count]] == 0)
        return np.searchsorted(self._ends[: self._count + 1], zeros, side="right") - 1

    def array(self) -> NDArray[np.str_]:
        """Return the texts as an array, which gives each the room of the longest."""
        width = max(1, int(self.letters().max(initial=0)))
        result = np.empty(self._count, dtype=f"<U{width}")
        offset = 0
        for some in self.texts():
            result[offset : offset + len(some)] = some
            offset += len(some)
        return result

    @property
    def plain(self) -> bool:
        """Whether all letters are of ASCII and none is a blank."""
        used = self._bytes[: self._ends[self._count]]
        return not len(used) or bool(used.min() > ord(" ") and used.max() < CONTINUED)

    def _make_room(self, size: int, texts: int) -> None:
        """See that so many more bytes and texts have a place; what is not used takes no memory."""
        self._bytes = _longer(self._bytes, int(self._ends[self._count]), size)
        self._ends = _longer(self._ends, self._count + 1, texts)


def _flat(texts: "pl.Series") -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the bytes of a column of texts, and where each of them ends."""
    ends = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(texts.str.len_bytes().to_numpy(), out=ends[1:])
    joined = texts.str.join("").item() if ends[-1] else ""
    return np.frombuffer(joined.encode(), dtype=np.uint8), ends


def _longer(array: NDArray[A], used: int, more: int) -> NDArray[A]:
    """Return an array with the same first values and room for more."""
    if used + more <= len(array):
        return array
    longer = np.empty(max(used + more, 2 * used), dtype=array.dtype)
    longer[:used] = array[:used]
    return longer


@kernel
def _number(
    block: NDArray[np.uint8],
    block_ends: NDArray[np.int64],
    codes: NDArray[np.int32],
    done: int,
    known: Known,
    count: int,
) -> tuple[int, int]:
    """Give texts numbers from ``done`` on, until the table is half full; say how far, how many."""
    stored, ends, table = known
    while done < len(codes) and 2 * count < len(table):
        text = block[block_ends[done] : block_ends[done + 1]]
        slot = _slot(text, known)
        if table[slot] < 0:
            table[slot] = count
            begin = ends[count]
            stored[begin : begin + len(text)] = text
            ends[count + 1] = begin + len(text)
            count += 1
        codes[done] = table[slot]
        done += 1
    return done, count


@kernel
def _slot(text: NDArray[np.uint8], known: Known) -> int:
    """Return where in the table the text is, or where it belongs."""
    stored, ends, table = known
    last = len(table) - 1
    slot = _hash(text) & last
    while table[slot] >= 0:
        begin = ends[table[slot]]
        if ends[table[slot] + 1] - begin == len(text):
            same = 0
            while same < len(text) and stored[begin + same] == text[same]:
                same += 1
            if same == len(text):
                break
        slot = (slot + 1) & last
    return slot


@kernel
def _hash(text: NDArray[np.uint8]) -> int:
    """Return 31 bits of a text, by Fowler, Noll and Vo, the upper ones mixed into the lower."""
    value = 0x811C9DC5
    for byte in text:
        value = ((value ^ int(byte)) * 0x01000193) & 0xFFFFFFFF
    return (((value ^ (value >> 31)) & 0x7FFFFFFF) * 0x9E3779B1 >> 24) & 0x7FFFFFFF


@kernel
def _rehashed(
    stored: NDArray[np.uint8], ends: NDArray[np.int64], count: int, size: int
) -> NDArray[np.int32]:
    """Return a table of a size for the texts."""
    table = np.full(size, -1, dtype=np.int32)
    for code in range(count):
        # all texts differ, so none is compared
        slot = _hash(stored[ends[code] : ends[code + 1]]) & (size - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = code
    return table


@kernel
def _letters(stored: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return how many letters each text has: bytes that do not go on with one."""
    letters = np.zeros(len(ends) - 1, dtype=np.int32)
    for code in range(len(letters)):
        for offset in range(ends[code], ends[code + 1]):
            letters[code] += stored[offset] & LEAD != CONTINUED
    return letters
