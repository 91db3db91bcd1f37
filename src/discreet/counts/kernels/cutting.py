"""The items of a person whose keyed hashes are least, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["PRIME", "cut_sets", "encoded", "set_sums"]

PRIME = (1 << 31) - 1
"""The product of two numbers below it fits a signed word, in every engine."""
FEW = 16
"""Up to how many items are found without sorting all."""
PLACE_BITS = 32
"""Room for the place of an item in its set, behind its value."""
LAST_PLACE = (1 << PLACE_BITS) - 1
MOST = (1 << 63) - 1
"""No rank is as large."""


@kernel
def set_sums(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64],
    hashes: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return for each of the sets at ``index`` the sums of its items' four words."""
    sums = np.empty((len(index), 4), dtype=np.int64)
    for number in range(len(index)):
        a, b, c, d = 0, 0, 0, 0
        for entry in range(offsets[index[number]], offsets[index[number] + 1]):
            item = items[entry]
            a += hashes[item, 0]
            b += hashes[item, 1]
            c += hashes[item, 2]
            d += hashes[item, 3]
        sums[number, 0], sums[number, 1], sums[number, 2], sums[number, 3] = a, b, c, d
    return sums


@kernel
def cut_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64],
    hashes: NDArray[np.int64],
    sums: NDArray[np.int64],
    counts: NDArray[np.int64],
    numbers: NDArray[np.int64],
    size: int,
) -> NDArray[np.int32]:
    """Return for each holder of the sets at ``index`` those of its items with the least values.

    A holder has four words: the ``sums`` of the set, and those of his number among its ``counts``.
    The value of an item is a cubic polynomial of its hash, with these words as coefficients: any
    four items of a person have independent values. The items stand ascending by their numbers.
    """
    cut = np.empty((counts.sum(), size), dtype=np.int32)
    ranks, least = np.empty(_longest(offsets), dtype=np.int64), np.empty(size, dtype=np.int64)
    row = 0
    # written out: a call for each holder would pay for every array handed on
    for number in range(len(index)):
        begin, end = offsets[index[number]], offsets[index[number] + 1]
        for holder in range(counts[number]):
            a = (sums[number, 0] + numbers[holder, 0]) % PRIME
            b = (sums[number, 1] + numbers[holder, 1]) % PRIME
            c = (sums[number, 2] + numbers[holder, 2]) % PRIME
            d = (sums[number, 3] + numbers[holder, 3]) % PRIME
            for place in range(end - begin):
                x = hashes[items[begin + place], 0]
                value = _folded(_folded(_folded(a * x + b) * x + c) * x + d)
                value = value - PRIME if value >= PRIME else value
                # of items with the same value, one in two thousand million, the first ones stay
                ranks[place] = value << PLACE_BITS | place
            if size > FEW:
                least[:] = np.sort(ranks[: end - begin])[:size]
                least[:] = np.sort(least & LAST_PLACE)
            else:
                # quicker than sorting where few are wanted, and no branch that nobody can foresee
                for slot in range(size):
                    least[slot] = MOST
                for place in range(end - begin):
                    rank = ranks[place]
                    for slot in range(size):
                        smaller = min(least[slot], rank)
                        rank = max(least[slot], rank)
                        least[slot] = smaller
                for taken in range(size):
                    place = least[taken] & LAST_PLACE
                    for slot in range(taken):
                        smaller = min(least[slot], place)
                        place = max(least[slot], place)
                        least[slot] = smaller
                    least[taken] = place
            for slot in range(size):
                cut[row, slot] = items[begin + least[slot]]
            row += 1
    return cut


@kernel
def _folded(number: int) -> int:
    """Return what leaves the same remainder and is at most the prime, quicker than dividing."""
    number = (number & PRIME) + (number >> 31)
    return (number & PRIME) + (number >> 31)


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
