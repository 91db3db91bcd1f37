"""The items of a person whose keyed hashes are least, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.keyed_hash import BLOCK, hash_into, hex_into

__all__ = ["cut_people", "cut_sets"]

DIGITS, BAR = 32, 124
"""Digits of a hash; what stands between the parts of a text."""


@kernel
def cut_people(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    texts: tuple[NDArray[np.int64], NDArray[np.uint8]],
    key: NDArray[np.uint8],
    ids: tuple[NDArray[np.int64], NDArray[np.uint8]],
    size: int,
) -> NDArray[np.int32]:
    """Return the first items of each set by the hash of (hash of (key, id), item)."""
    cut = np.empty((len(offsets) - 1, size), dtype=np.int32)
    message = _room(max(len(key) + 1 + _longest(ids[0]), DIGITS + 1 + _longest(texts[0])))
    state = np.empty(4, dtype=np.int64)
    for row in range(len(cut)):
        message[_copied(message, key)] = BAR
        hash_into(state, message, _added(message, len(key) + 1, ids, row))
        _cut_one(cut[row], items[offsets[row] : offsets[row + 1]], texts, state, message)
    return cut


@kernel
def cut_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    texts: tuple[NDArray[np.int64], NDArray[np.uint8]],
    key: NDArray[np.uint8],
    counts: NDArray[np.int64],
    size: int,
) -> NDArray[np.int32]:
    """Return for each holder of each set, by his number, the first of its items by hash.

    In place of an id stands the hash of (hash of (key, items), number), numbers from 1.
    """
    cut = np.empty((counts.sum(), size), dtype=np.int32)
    longest, row = _longest(texts[0]), 0
    for number in range(len(counts)):
        held = items[offsets[number] : offsets[number + 1]]
        message = _room(len(key) + DIGITS + 1 + len(held) * (longest + 1))
        state, base = np.empty(4, dtype=np.int64), np.empty(4, dtype=np.int64)
        length = _copied(message, key)
        for item in held:
            message[length] = BAR
            length = _added(message, length + 1, texts, item)
        hash_into(base, message, length)
        for holder in range(1, counts[number] + 1):
            hex_into(message, base)
            message[DIGITS] = BAR
            hash_into(state, message, _decimal(message, DIGITS + 1, holder))
            _cut_one(cut[row], held, texts, state, message)
            row += 1
    return cut


@kernel
def _cut_one(
    cut: NDArray[np.int32],
    held: NDArray[np.int32],
    texts: tuple[NDArray[np.int64], NDArray[np.uint8]],
    person: NDArray[np.int64],
    message: NDArray[np.uint8],
) -> None:
    """Write the items of least hashes, ascending by their numbers."""
    hashes = np.empty(len(held), dtype=np.int64)
    state = np.empty(4, dtype=np.int64)
    for place in range(len(held)):
        hex_into(message, person)
        message[DIGITS] = BAR
        hashes[place] = hash_into(state, message, _added(message, DIGITS + 1, texts, held[place]))
    # a hash that two items share would be one in 2**59: the first of them stays then
    last = np.sort(hashes)[len(cut) - 1]
    taken = 0
    for place in range(len(held)):
        if hashes[place] <= last and taken < len(cut):
            cut[taken] = held[place]
            taken += 1


@kernel
def _room(longest: int) -> NDArray[np.uint8]:
    """Return room for a message of so many bytes and for what hashing writes behind it."""
    return np.zeros((longest + 9 + BLOCK) // BLOCK * BLOCK + BLOCK, dtype=np.uint8)


@kernel
def _longest(offsets: NDArray[np.int64]) -> int:
    longest = 0
    for place in range(len(offsets) - 1):
        longest = max(longest, offsets[place + 1] - offsets[place])
    return longest


@kernel
def _copied(message: NDArray[np.uint8], key: NDArray[np.uint8]) -> int:
    """Write the key to the begin of the message; return its length."""
    for byte in range(len(key)):
        message[byte] = key[byte]
    return len(key)


@kernel
def _added(
    message: NDArray[np.uint8],
    length: int,
    texts: tuple[NDArray[np.int64], NDArray[np.uint8]],
    number: int,
) -> int:
    """Write one of the texts behind ``length`` bytes; return the new length."""
    begin = texts[0][number]
    size = int(texts[0][number + 1] - begin)
    for byte in range(size):
        message[length + byte] = texts[1][begin + byte]
    return length + size


@kernel
def _decimal(message: NDArray[np.uint8], length: int, number: int) -> int:
    """Write a number as its decimal digits behind ``length`` bytes; return the new length."""
    digits = 1
    while number >= 10**digits:
        digits += 1
    for place in range(digits):
        message[length + digits - 1 - place] = 48 + number // 10**place % 10
    return length + digits
