"""A whole set as one number, compiled: numbers are folded and sorted quicker than lists of items.

All items of a short set fit one number and are read from it again. Of a universe of up to 64 items
any set is one machine word, and has a rank among all of them.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones

__all__ = ["WORD", "packed", "ranks_of", "sets_of", "unpacked", "words_of"]

WORD = 64
"""Bits of a machine word; items of a universe whose sets are known by one."""
PRIME = 67
"""The powers of two below ``2**66`` leave different remainders."""
PLACES = np.zeros(PRIME, dtype=np.int32)
PLACES[[(1 << position) % PRIME for position in range(WORD)]] = range(WORD)


@kernel
def packed(
    offsets: NDArray[np.int64], items: NDArray[np.int32], bits: int, longest: int
) -> NDArray[np.uint64]:
    """Return of each set all items, each one higher than its number, as one number; then zeros."""
    keys = np.empty(len(offsets) - 1, dtype=np.uint64)
    for row in range(len(keys)):
        key = np.uint64(0)
        for position in range(offsets[row], offsets[row + 1]):
            key = key << np.uint64(bits) | np.uint64(items[position] + 1)
        missing = longest - (offsets[row + 1] - offsets[row])
        keys[row] = key << np.uint64(bits * missing)
    return keys


@kernel
def unpacked(
    keys: NDArray[np.uint64], counts: NDArray[np.int64], bits: int, longest: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Return offsets and items of the distinct keys, which ascend, and the sums of their counts."""
    offsets, sums = np.zeros(len(keys) + 1, dtype=np.int64), np.zeros(len(keys), dtype=np.int64)
    # one more, for an item is written before it is known whether there is one
    items = np.empty(len(keys) * longest + 1, dtype=np.int32)
    distinct, taken, last_item = 0, 0, np.uint64((1 << bits) - 1)
    for row in range(len(keys)):
        if row == 0 or keys[row] != keys[row - 1]:
            for position in range(longest - 1, -1, -1):
                item = np.int64(keys[row] >> np.uint64(bits * position) & last_item)
                items[taken] = item - 1
                taken += int(item > 0)
            distinct += 1
            offsets[distinct] = taken
        sums[distinct - 1] += counts[row]
    return offsets[: distinct + 1].copy(), items[:taken].copy(), sums[:distinct].copy()


@kernel
def words_of(offsets: NDArray[np.int64], items: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return sets as words, the first bit for the first item."""
    words = np.empty(len(offsets) - 1, dtype=np.uint64)
    for row in range(len(words)):
        word = np.uint64(0)
        for position in range(offsets[row], offsets[row + 1]):
            word |= np.uint64(1) << np.uint64(WORD - 1 - items[position])
        words[row] = word
    return words


@kernel
def ranks_of(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return how many sets of 64 items stand before each one.

    Those are the sets that it continues, and for each item that it skips all that go on with it
    instead: its bit is their number.
    """
    ranks = np.zeros(len(words), dtype=np.uint64)
    one = np.uint64(1)
    for row in range(len(words)):
        word = words[row]
        if word:
            # no item behind the last one of the set is skipped
            last = word & (~word + one)
            ranks[row] = (~word & ~(last - one)) + np.uint64(ones(word))
    return ranks


@kernel
def sets_of(words: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return offsets and items of the sets, from their words."""
    offsets = np.zeros(len(words) + 1, dtype=np.int64)
    for row in range(len(words)):
        offsets[row + 1] = offsets[row] + ones(words[row])
    items = np.empty(offsets[-1], dtype=np.int32)
    for row in range(len(words)):
        word = words[row]
        for position in range(offsets[row + 1] - 1, offsets[row] - 1, -1):
            last = word & (~word + np.uint64(1))
            items[position] = WORD - 1 - PLACES[last % np.uint64(PRIME)]
            word ^= last
    return offsets, items
