"""MD5 of short texts, compiled: a hash that every SQL engine computes alike.

It only puts things into an order that nobody can foresee without the key; nothing is signed by it,
and no promise of privacy rests on it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["BLOCK", "hash_into"]

BLOCK = 64
"""Bytes that are hashed at once; a message takes room for 9 more than it has, in whole blocks."""
MASK = 0xFFFFFFFF
SINES = np.array([int(abs(math.sin(step + 1)) * 2**32) for step in range(64)], dtype=np.int64)
TURNS = np.array([7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21], dtype=np.int64)
START = np.array([0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476], dtype=np.int64)


@kernel
def hash_into(state: NDArray[np.int64], message: NDArray[np.uint8], length: int) -> None:
    """Write the hash of the first bytes of ``message`` into four words, eight digits each.

    What stands behind those bytes is written over.
    """
    blocks = (length + 9 + BLOCK - 1) // BLOCK
    message[length] = 0x80
    for byte in range(length + 1, blocks * BLOCK):
        message[byte] = 0
    for byte in range(8):
        message[blocks * BLOCK - 8 + byte] = (8 * length >> (8 * byte)) & 0xFF
    for word in range(4):
        state[word] = START[word]
    words = np.empty(16, dtype=np.int64)
    for block in range(blocks):
        for word in range(16):
            at = block * BLOCK + 4 * word
            words[word] = (
                int(message[at])
                | int(message[at + 1]) << 8
                | int(message[at + 2]) << 16
                | int(message[at + 3]) << 24
            )
        _add_block(state, words)
    # a hash is written with the lowest byte of each word first
    for word in range(4):
        state[word] = _swapped(state[word])


@kernel
def _add_block(state: NDArray[np.int64], words: NDArray[np.int64]) -> None:
    """Take sixteen words into the state, in four rounds of sixteen steps."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    # a loop for each round: one with a choice inside takes three times as long
    for step in range(16):
        mixed = (b & c) | ((b ^ MASK) & d)
        mixed = (mixed + a + SINES[step] + words[step]) & MASK
        a, d, c, b = d, c, b, (b + _turned(mixed, TURNS[step & 3])) & MASK
    for step in range(16, 32):
        mixed = (d & b) | ((d ^ MASK) & c)
        mixed = (mixed + a + SINES[step] + words[(5 * step + 1) & 15]) & MASK
        a, d, c, b = d, c, b, (b + _turned(mixed, TURNS[4 + (step & 3)])) & MASK
    for step in range(32, 48):
        mixed = (b ^ c ^ d) + a + SINES[step] + words[(3 * step + 5) & 15] & MASK
        a, d, c, b = d, c, b, (b + _turned(mixed, TURNS[8 + (step & 3)])) & MASK
    for step in range(48, 64):
        mixed = c ^ (b | (d ^ MASK))
        mixed = (mixed + a + SINES[step] + words[(7 * step) & 15]) & MASK
        a, d, c, b = d, c, b, (b + _turned(mixed, TURNS[12 + (step & 3)])) & MASK
    state[0] = (state[0] + a) & MASK
    state[1] = (state[1] + b) & MASK
    state[2] = (state[2] + c) & MASK
    state[3] = (state[3] + d) & MASK


@kernel
def _turned(word: int, by: int) -> int:
    """Return a word of 32 bits turned to the left."""
    return (word << by) | (word >> (32 - by))


@kernel
def _swapped(word: int) -> int:
    """Return a word of four bytes with its last byte first."""
    return (word & 0xFF) << 24 | (word >> 8 & 0xFF) << 16 | (word >> 16 & 0xFF) << 8 | word >> 24
