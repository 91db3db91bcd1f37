"""The records that hold one item, and what else they hold as masks over them, in compiled code.

Part of the verifier's own kernel, ``closed_antecedents``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

_ONE = np.uint64(1)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x00FF00FF00FF00FF)
_HALVES = np.uint64(0x0000FFFF0000FFFF)
_WHOLE = np.uint64(0x00000000FFFFFFFF)
_1, _2, _4, _8, _16, _32 = (np.uint64(1 << power) for power in range(6))


@kernel
def ones(word: np.uint64) -> int:
    """Count the bits of a word."""
    word = (word & _ODD) + ((word >> _1) & _ODD)
    word = (word & _PAIRS) + ((word >> _2) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _4) & _NIBBLES)
    word = (word & _BYTES) + ((word >> _8) & _BYTES)
    word = (word & _HALVES) + ((word >> _16) & _HALVES)
    return int((word & _WHOLE) + (word >> _32))


@kernel
def holds_bit(row: NDArray[np.uint64], index: int) -> bool:
    """Tell whether a bit is set."""
    return bool((row[index >> 6] >> np.uint64(index & 63)) & _ONE)


class Projection(NamedTuple):
    """What the positives hold besides the consequent."""

    positives: int
    """How many positives there are."""
    items: NDArray[np.int64]
    """The usable items that some of them hold, rarest first."""
    support: NDArray[np.int64]
    """How many of them hold each."""
    masks: NDArray[np.uint64]
    """For each item a bit for each positive that holds it."""


@kernel
def _positions(row: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the positions of the bits that are set."""
    count = 0
    for w in range(len(row)):
        count += ones(row[w])
    positions = np.empty(count, dtype=np.int64)
    at = 0
    for w in range(len(row)):
        pending = row[w]
        while pending:
            positions[at] = 64 * w + ones(~pending & (pending - _ONE))
            at += 1
            pending &= pending - _ONE
    return positions


@kernel
def _beside(
    bits: NDArray[np.uint64], s: int, usable: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the usable items that occur together with ``s``, and in how many records."""
    n_items, n_words = bits.shape
    items = np.empty(n_items, dtype=np.int64)
    support = np.empty(n_items, dtype=np.int64)
    count = 0
    for i in range(n_items):
        if usable[i] and i != s:
            together = 0
            for w in range(n_words):
                both = bits[i, w] & bits[s, w]
                if both:
                    together += ones(both)
            if together:
                items[count] = i
                support[count] = together
                count += 1
    return items[:count], support[:count]


@kernel
def projection(bits: NDArray[np.uint64], s: int, usable: NDArray[np.bool_]) -> Projection:
    """Find the positives, and every item that some of them hold as a mask over them."""
    positives = _positions(bits[s])
    items, support = _beside(bits, s, usable)
    # rare items first: their branches are short, and the frequent ones are seldom canonical
    order = np.argsort(support, kind="mergesort")
    masks = np.zeros((len(items), (len(positives) + 63) // 64), dtype=np.uint64)
    for k in range(len(items)):
        row = bits[items[order[k]]]
        for p in range(len(positives)):
            if holds_bit(row, positives[p]):
                masks[k, p >> 6] |= _ONE << np.uint64(p & 63)
    return Projection(len(positives), items[order], support[order], masks)


@kernel
def items_of(projected: Projection, positive: int) -> NDArray[np.int64]:
    """Return what one positive holds."""
    items = np.empty(len(projected.items), dtype=np.int64)
    size = 0
    for k in range(len(projected.items)):
        if holds_bit(projected.masks[k], positive):
            items[size] = projected.items[k]
            size += 1
    return items[:size].copy()
