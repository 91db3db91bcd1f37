"""The items of a person whose keyed hashes are least, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.keyed_hash import BLOCK, hash_into

__all__ = ["cut_people", "cut_sets", "hashed_texts"]

BAR = 124
"""What stands between the parts of a text."""
LONGEST_NUMBER = 20
"""Digits of a number at most."""
PRIME = (1 << 31) - 1
"""The product of two numbers below it fits a signed word, in every engine."""


@kernel
def hashed_texts(
    key: NDArray[np.uint8], offsets: NDArray[np.int64], texts: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return of each text the hash with the key before it: four words a row, below the prime."""
    hashes = np.empty((len(offsets) - 1, 4), dtype=np.int64)
    message = _room(len(key) + 1 + _longest(offsets))
    for row in range(len(hashes)):
        length = _copied(message, 0, key, 0, len(key))
        message[length] = BAR
        length = _copied(message, length + 1, texts, offsets[row], offsets[row + 1])
        hash_into(hashes[row], message, length)
        for word in range(4):
            hashes[row, word] %= PRIME
    return hashes


@kernel
def cut_people(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    hashes: NDArray[np.int64],
    people: NDArray[np.int64],
    size: int,
) -> NDArray[np.int32]:
    """Return the first items of each set by the hashes of their holders and of the items."""
    cut = np.empty((len(offsets) - 1, size), dtype=np.int32)
    values = np.empty(_longest(offsets), dtype=np.int64)
    for row in range(len(cut)):
        _cut_one(cut[row], items[offsets[row] : offsets[row + 1]], hashes, people[row], values)
    return cut


@kernel
def cut_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    hashes: NDArray[np.int64],
    counts: NDArray[np.int64],
    key: NDArray[np.uint8],
    names: tuple[NDArray[np.int64], NDArray[np.uint8]],
    size: int,
) -> NDArray[np.int32]:
    """Return for each holder of each set, by his number, the first of its items.

    His hash is that of (key, number, items), numbers from 1.
    """
    cut = np.empty((counts.sum(), size), dtype=np.int32)
    longest = _longest(offsets)
    values = np.empty(longest, dtype=np.int64)
    message = _room(len(key) + LONGEST_NUMBER + longest * (1 + _longest(names[0])))
    begin, person, row = _copied(message, 0, key, 0, len(key)), np.empty(4, dtype=np.int64), 0
    message[begin] = BAR
    for number in range(len(counts)):
        held = items[offsets[number] : offsets[number + 1]]
        for holder in range(1, counts[number] + 1):
            length = _decimal(message, begin + 1, holder)
            for item in held:
                message[length] = BAR
                name = names[0][item], names[0][item + 1]
                length = _copied(message, length + 1, names[1], name[0], name[1])
            hash_into(person, message, length)
            for word in range(4):
                person[word] %= PRIME
            _cut_one(cut[row], held, hashes, person, values)
            row += 1
    return cut


@kernel
def _cut_one(
    cut: NDArray[np.int32],
    held: NDArray[np.int32],
    hashes: NDArray[np.int64],
    person: NDArray[np.int64],
    values: NDArray[np.int64],
) -> None:
    """Write the items of least values, ascending by their numbers.

    A value is a cubic polynomial of the item's hash, with the words of the person's hash as
    coefficients: any four items of a person have independent values.
    """
    for place in range(len(held)):
        x = hashes[held[place], 0]
        value = (person[0] * x + person[1]) % PRIME
        value = (value * x + person[2]) % PRIME
        values[place] = (value * x + person[3]) % PRIME
    last = _kth(values, len(held), len(cut))
    below = 0
    for place in range(len(held)):
        below += values[place] < last
    # of items with the same value, one in two thousand million, the first ones stay
    taken, ties = 0, len(cut) - below
    for place in range(len(held)):
        tie = values[place] == last
        if values[place] < last or (tie and ties > 0):
            cut[taken] = held[place]
            taken += 1
            ties -= tie


@kernel
def _kth(values: NDArray[np.int64], many: int, k: int) -> int:
    """Return the k-th least of the first values, from 1."""
    if k > 16:
        return int(np.sort(values[:many])[k - 1])
    # the least ones so far, ascending: quicker than sorting where few are wanted
    least = np.empty(k, dtype=np.int64)
    found = 0
    for place in range(many):
        at = min(found, k - 1)
        if found < k or values[place] < least[k - 1]:
            while at > 0 and least[at - 1] > values[place]:
                least[at] = least[at - 1]
                at -= 1
            least[at] = values[place]
            found = min(found + 1, k)
    return int(least[k - 1])


@kernel
def _room(longest: int) -> NDArray[np.uint8]:
    """Return room for a message of so many bytes and for what hashing writes behind it."""
    return np.zeros((longest + 9 + BLOCK) // BLOCK * BLOCK + BLOCK, dtype=np.uint8)


@kernel
def _longest(offsets: NDArray[np.int64]) -> int:
    longest = 0
    for place in range(len(offsets) - 1):
        longest = max(longest, int(offsets[place + 1] - offsets[place]))
    return longest


@kernel
def _copied(
    message: NDArray[np.uint8], length: int, texts: NDArray[np.uint8], begin: int, end: int
) -> int:
    """Write some bytes behind ``length`` bytes; return the new length."""
    for byte in range(end - begin):
        message[length + byte] = texts[begin + byte]
    return length + end - begin


@kernel
def _decimal(message: NDArray[np.uint8], length: int, number: int) -> int:
    """Write a number as its decimal digits behind ``length`` bytes; return the new length."""
    digits, rest = 1, number // 10
    while rest:
        digits, rest = digits + 1, rest // 10
    for place in range(length + digits - 1, length - 1, -1):
        message[place] = 48 + number % 10
        number //= 10
    return length + digits
