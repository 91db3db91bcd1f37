"""The items of a person whose keyed hashes are least, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["PRIME", "cut_people", "cut_sets", "encoded"]

PRIME = (1 << 31) - 1
"""The product of two numbers below it fits a signed word, in every engine."""


@kernel
def cut_people(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64],
    hashes: NDArray[np.int64],
    people: NDArray[np.int64],
    size: int,
) -> NDArray[np.int32]:
    """Return the first items of the sets at ``index`` by the hashes of holders and items."""
    cut = np.empty((len(index), size), dtype=np.int32)
    values, least = np.empty(_longest(offsets), dtype=np.int64), np.empty(size, dtype=np.int64)
    for row in range(len(index)):
        begin, end = offsets[index[row]], offsets[index[row] + 1]
        _write_values(values, items, begin, end, hashes, people, row)
        _cut_one(cut, row, values, least, items, begin, end)
    return cut


@kernel
def cut_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64],
    hashes: NDArray[np.int64],
    counts: NDArray[np.int64],
    numbers: NDArray[np.int64],
    size: int,
) -> NDArray[np.int32]:
    """Return for each holder of the sets at ``index``, by his number, the first of their items.

    His hash is the sum of those of the items and of his number.
    """
    cut = np.empty((counts[index].sum(), size), dtype=np.int32)
    values, least = np.empty(_longest(offsets), dtype=np.int64), np.empty(size, dtype=np.int64)
    of_set, person, row = np.empty(4, dtype=np.int64), np.empty((1, 4), dtype=np.int64), 0
    for number in index:
        begin, end = offsets[number], offsets[number + 1]
        of_set[:] = 0
        for place in range(begin, end):
            for word in range(4):
                of_set[word] += hashes[items[place], word]
        for holder in range(counts[number]):
            for word in range(4):
                person[0, word] = (of_set[word] + numbers[holder, word]) % PRIME
            _write_values(values, items, begin, end, hashes, person, 0)
            _cut_one(cut, row, values, least, items, begin, end)
            row += 1
    return cut


@kernel
def _write_values(
    values: NDArray[np.int64],
    items: NDArray[np.int32],
    begin: int,
    end: int,
    hashes: NDArray[np.int64],
    people: NDArray[np.int64],
    person: int,
) -> None:
    """Write the value of each item that a person holds.

    It is a cubic polynomial of the item's hash, with the words of the person's hash as
    coefficients: any four items of a person have independent values.
    """
    a, b, c, d = people[person, 0], people[person, 1], people[person, 2], people[person, 3]
    for place in range(begin, end):
        x = hashes[items[place], 0]
        value = _folded(_folded(_folded(a * x + b) * x + c) * x + d)
        values[place - begin] = value - PRIME if value >= PRIME else value


@kernel
def _folded(number: int) -> int:
    """Return what leaves the same remainder and is at most the prime, quicker than dividing."""
    number = (number & PRIME) + (number >> 31)
    return (number & PRIME) + (number >> 31)


@kernel
def _cut_one(
    cut: NDArray[np.int32],
    row: int,
    values: NDArray[np.int64],
    least: NDArray[np.int64],
    items: NDArray[np.int32],
    begin: int,
    end: int,
) -> None:
    """Write the items of least values into the row, ascending by their numbers."""
    _write_least(least, values, end - begin)
    last, ties = least[-1], 0
    # of items with the same value, one in two thousand million, the first ones stay
    for place in range(len(least)):
        ties += least[place] == last
    taken = 0
    for place in range(end - begin):
        if values[place] < last or (values[place] == last and ties > 0):
            cut[row, taken] = items[begin + place]
            taken += 1
            ties -= values[place] == last


@kernel
def _write_least(least: NDArray[np.int64], values: NDArray[np.int64], many: int) -> None:
    """Write the least of the first values, ascending."""
    size = len(least)
    if size > 16:
        least[:] = np.sort(values[:many])[:size]
        return
    # quicker than sorting where few are wanted
    for place in range(many):
        at = min(place, size - 1)
        if place < size or values[place] < least[at]:
            while at > 0 and least[at - 1] > values[place]:
                least[at] = least[at - 1]
                at -= 1
            least[at] = values[place]


@kernel
def _longest(offsets: NDArray[np.int64]) -> int:
    longest = 0
    for place in range(len(offsets) - 1):
        longest = max(longest, int(offsets[place + 1] - offsets[place]))
    return longest


@kernel
def encoded(codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return where each text begins and all texts in UTF-8, from rows of code points."""
    offsets = np.zeros(len(codes) + 1, dtype=np.int64)
    for row in range(len(codes)):
        offsets[row + 1] = offsets[row]
        for place in range(_length(codes[row])):
            code = codes[row, place]
            offsets[row + 1] += 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    texts = np.empty(offsets[-1], dtype=np.uint8)
    for row in range(len(codes)):
        at = offsets[row]
        for place in range(_length(codes[row])):
            code = int(codes[row, place])
            more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
            texts[at] = code >> 6 * more | (0, 0xC0, 0xE0, 0xF0)[more]
            for byte in range(1, more + 1):
                texts[at + byte] = code >> 6 * (more - byte) & 0x3F | 0x80
            at += more + 1
    return offsets, texts


@kernel
def _length(codes: NDArray[np.uint32]) -> int:
    """Return how many code points stand before the zeros that fill a row."""
    length = len(codes)
    while length and codes[length - 1] == 0:
        length -= 1
    return length
