"""The items of a person whose keyed hashes are least, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.ragged import longest_of

__all__ = ["PRIME", "cut_sets", "encoded", "set_sums"]

PRIME = (1 << 31) - 1
"""The product of two numbers below it fits a signed word, in every engine."""
FEW = 16
"""Up to how many items are found without sorting all."""
SIDE_BY_SIDE = 64
"""People who are cut at once: the steps of one wait for each other."""
NOTHING = (1 << 32) - 1
"""No value is as large; as a mask it shows that a number is short, and multiplied at once."""


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
    longest, wanted = longest_of(offsets), counts.sum() * size
    # more, for items are written before it is known whether they stay
    cut = np.empty(wanted + longest + 1, dtype=np.int32)
    firsts = hashes[:, 0].astype(np.uint32)
    unsorted = np.empty((longest, SIDE_BY_SIDE), dtype=np.int32)
    values = np.empty((longest, SIDE_BY_SIDE), dtype=np.uint32)
    least = np.empty((size, SIDE_BY_SIDE), dtype=np.uint32)
    sizes = np.zeros(SIDE_BY_SIDE, dtype=np.int64)
    words = np.zeros((4, SIDE_BY_SIDE), dtype=np.uint32)
    number, holder, taken = 0, 0, 0
    while number < len(index):
        begin = np.zeros(SIDE_BY_SIDE, dtype=np.int64)
        lanes = 0
        while lanes < SIDE_BY_SIDE and number < len(index):
            begin[lanes] = offsets[index[number]]
            sizes[lanes] = offsets[index[number] + 1] - begin[lanes]
            for word in range(4):
                words[word, lanes] = _folded(sums[number, word] + numbers[holder, word])
            lanes, holder = lanes + 1, holder + 1
            if holder == counts[number]:
                number, holder = number + 1, 0
        sizes[lanes:] = 0
        most = sizes.max()
        # as many of each, also if they are another's: how many there are cannot be foreseen
        for lane in range(SIDE_BY_SIDE):
            for position in range(most):
                unsorted[position, lane] = items[min(begin[lane] + position, len(items) - 1)]
                values[position, lane] = firsts[unsorted[position, lane]]
        _evaluate(values[:most], sizes, words)
        _find_least(values[:most], sizes, least)
        for lane in range(lanes):
            end, limit = taken + size, least[size - 1, lane]
            # written in any case, and over it if it is not to stay: nobody can foresee which does
            for position in range(most):
                cut[taken] = unsorted[position, lane]
                taken += values[position, lane] <= limit
            if taken > end:
                _write_first(unsorted[:most, lane], values[:most, lane], cut[end - size : end])
                taken = end
    return cut[:wanted].reshape((-1, size))


@kernel
def _evaluate(
    values: NDArray[np.uint32], sizes: NDArray[np.int64], words: NDArray[np.uint32]
) -> None:
    """Put the value of each item in the place of its hash, and behind the last one nothing."""
    for position in range(len(values)):
        for lane in range(SIDE_BY_SIDE):
            x = np.int64(values[position, lane])
            value = _folded(np.int64(words[0, lane]) * x + np.int64(words[1, lane]))
            value = _folded(value * x + np.int64(words[2, lane]))
            value = _folded(value * x + np.int64(words[3, lane]))
            value = value - PRIME if value >= PRIME else value
            values[position, lane] = value if position < sizes[lane] else NOTHING


@kernel
def _find_least(
    values: NDArray[np.uint32], sizes: NDArray[np.int64], least: NDArray[np.uint32]
) -> None:
    """Let the last row of ``least`` hold, for each set, the largest of so many least values."""
    size = len(least)
    if size > FEW:
        for lane in range(SIDE_BY_SIDE):
            if sizes[lane]:
                least[size - 1, lane] = np.sort(values[: sizes[lane], lane])[size - 1]
        return
    least[:] = NOTHING
    moved = np.empty(SIDE_BY_SIDE, dtype=np.uint32)
    # quicker than sorting where few are wanted: what is not among them moves on to the next slot
    for position in range(len(values)):
        moved[:] = values[position]
        for slot in range(size):
            for lane in range(SIDE_BY_SIDE):
                value, lower = moved[lane], least[slot, lane]
                least[slot, lane] = min(lower, value)
                moved[lane] = max(lower, value)


@kernel
def _write_first(
    unsorted: NDArray[np.int32], values: NDArray[np.uint32], cut: NDArray[np.int32]
) -> None:
    """Write the items with the least values, and of those with the same value the first ones.

    Two items of a person have the same value once in two thousand million times.
    """
    order = np.argsort(values, kind="mergesort")
    cut[:] = unsorted[np.sort(order[: len(cut)])]


@kernel
def _folded(number: np.int64) -> np.int64:
    """Return what leaves the same remainder and is at most the prime, quicker than dividing."""
    number = (number & PRIME) + (number >> 31)
    return ((number & PRIME) + (number >> 31)) & NOTHING


@kernel
def encoded(codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return where each text begins and all texts in UTF-8, from rows of code points."""
    offsets = np.zeros(len(codes) + 1, dtype=np.int64)
    # the system gives memory only to the part that is used: most texts take a byte for each code
    texts = np.empty(4 * codes.size, dtype=np.uint8)
    at = 0
    for row in range(len(codes)):
        length = codes.shape[1]
        while length and codes[row, length - 1] == 0:
            length -= 1
        for position in range(length):
            code = int(codes[row, position])
            if code < 0x80:
                texts[at] = code
                at += 1
                continue
            more = 1 + (code >= 0x800) + (code >= 0x10000)
            texts[at] = code >> 6 * more | (0xC0, 0xE0, 0xF0)[more - 1]
            for byte in range(1, more + 1):
                texts[at + byte] = code >> 6 * (more - byte) & 0x3F | 0x80
            at += more + 1
        offsets[row + 1] = at
    return offsets, texts[:at]
