"""MD5 of texts behind a key, compiled: a hash that every SQL engine computes alike.

It only puts things into an order that nobody can foresee without the key; nothing is signed by it,
and no promise of privacy rests on it. Many texts are hashed side by side, for the steps of one
wait for each other.
"""

import math

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["hashed_texts"]

BLOCK = 64
"""Bytes that are hashed at once; a message takes room for 9 more than it has, in whole blocks."""
WORDS = BLOCK // 4
"""Words of a block, each of four bytes, the lowest first."""
SIDE_BY_SIDE = 64
"""Texts that are hashed at once: sixteen times as fast as one after the other."""
MASK = 0xFFFFFFFF
SINES = np.array([int(abs(math.sin(step + 1)) * 2**32) for step in range(64)], dtype=np.uint32)
TURNS = np.array([7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21], dtype=np.uint32)
START = np.array([0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476], dtype=np.uint32)


@kernel
def hashed_texts(
    key: NDArray[np.uint8], offsets: NDArray[np.int64], texts: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return of each text the hash with the key before it, as four words of eight digits."""
    hashes = np.empty((len(offsets) - 1, 4), dtype=np.int64)
    longest = 0
    for row in range(len(hashes)):
        longest = max(longest, offsets[row + 1] - offsets[row])
    begun = np.zeros(_blocks(len(key) + longest) * WORDS, dtype=np.int64)
    for byte in range(len(key)):
        begun[byte >> 2] |= np.int64(key[byte]) << 8 * (byte & 3)
    words = np.empty((len(begun), SIDE_BY_SIDE), dtype=np.uint32)
    blocks = np.empty(SIDE_BY_SIDE, dtype=np.int64)
    for begin in range(0, len(hashes), SIDE_BY_SIDE):
        blocks[:] = 0
        for lane in range(min(SIDE_BY_SIDE, len(hashes) - begin)):
            blocks[lane] = _blocks(len(key) + offsets[begin + lane + 1] - offsets[begin + lane])
        for word in range(blocks.max() * WORDS):
            for lane in range(SIDE_BY_SIDE):
                words[word, lane] = begun[word]
        for lane in range(min(SIDE_BY_SIDE, len(hashes) - begin)):
            length, last = len(key), begun[len(key) >> 2]
            for byte in range(offsets[begin + lane], offsets[begin + lane + 1]):
                last |= np.int64(texts[byte]) << 8 * (length & 3)
                length += 1
                if length & 3 == 0:
                    words[(length >> 2) - 1, lane] = last
                    last = np.int64(0)
            words[length >> 2, lane] = last | 0x80 << 8 * (length & 3)
            # in bits; no text is as long as to need the word behind this one
            words[blocks[lane] * WORDS - 2, lane] = (8 * length) & MASK
        _hash(words, blocks, hashes[begin : begin + SIDE_BY_SIDE])
    return hashes


@kernel
def _blocks(length: int) -> int:
    """Return how many blocks a message of so many bytes takes."""
    return (length + 9 + BLOCK - 1) // BLOCK


@kernel
def _hash(words: NDArray[np.uint32], blocks: NDArray[np.int64], hashes: NDArray[np.int64]) -> None:
    """Write the hash of each message, which has so many blocks, into four words."""
    state = np.empty((4, SIDE_BY_SIDE), dtype=np.uint32)
    for word in range(4):
        state[word] = START[word]
    for block in range(blocks.max()):
        _add_block(state, words[block * WORDS : (block + 1) * WORDS])
        for lane in range(len(hashes)):
            if block == blocks[lane] - 1:
                # a hash is written with the lowest byte of each word first
                for word in range(4):
                    hashes[lane, word] = _swapped(int(state[word, lane]))


@kernel
def _add_block(state: NDArray[np.uint32], words: NDArray[np.uint32]) -> None:
    """Take sixteen words into the state, in four rounds of sixteen steps."""
    before = state.copy()
    # a loop for each round: one with a choice inside takes three times as long
    for step in range(16):
        a, b, c, d = (-step) & 3, (1 - step) & 3, (2 - step) & 3, (3 - step) & 3
        plus, turn, word = int(SINES[step]), int(TURNS[step & 3]), step
        for lane in range(SIDE_BY_SIDE):
            x, y, z = int(state[b, lane]), int(state[c, lane]), int(state[d, lane])
            mixed = ((x & y) | ((x ^ MASK) & z)) + plus + int(words[word, lane])
            state[a, lane] = _stepped(int(state[a, lane]) + mixed, x, turn)
    for step in range(16, 32):
        a, b, c, d = (-step) & 3, (1 - step) & 3, (2 - step) & 3, (3 - step) & 3
        plus, turn, word = int(SINES[step]), int(TURNS[4 + (step & 3)]), (5 * step + 1) & 15
        for lane in range(SIDE_BY_SIDE):
            x, y, z = int(state[b, lane]), int(state[c, lane]), int(state[d, lane])
            mixed = ((z & x) | ((z ^ MASK) & y)) + plus + int(words[word, lane])
            state[a, lane] = _stepped(int(state[a, lane]) + mixed, x, turn)
    for step in range(32, 48):
        a, b, c, d = (-step) & 3, (1 - step) & 3, (2 - step) & 3, (3 - step) & 3
        plus, turn, word = int(SINES[step]), int(TURNS[8 + (step & 3)]), (3 * step + 5) & 15
        for lane in range(SIDE_BY_SIDE):
            x, y, z = int(state[b, lane]), int(state[c, lane]), int(state[d, lane])
            mixed = (x ^ y ^ z) + plus + int(words[word, lane])
            state[a, lane] = _stepped(int(state[a, lane]) + mixed, x, turn)
    for step in range(48, 64):
        a, b, c, d = (-step) & 3, (1 - step) & 3, (2 - step) & 3, (3 - step) & 3
        plus, turn, word = int(SINES[step]), int(TURNS[12 + (step & 3)]), (7 * step) & 15
        for lane in range(SIDE_BY_SIDE):
            x, y, z = int(state[b, lane]), int(state[c, lane]), int(state[d, lane])
            mixed = (y ^ (x | (z ^ MASK))) + plus + int(words[word, lane])
            state[a, lane] = _stepped(int(state[a, lane]) + mixed, x, turn)
    for word in range(4):
        for lane in range(SIDE_BY_SIDE):
            state[word, lane] = (int(state[word, lane]) + int(before[word, lane])) & MASK


@kernel
def _stepped(mixed: int, plus: int, turn: int) -> int:
    """Return the last 32 bits of a number turned to the left, and another one added."""
    # back to a short word, and turns that show they are below 32: else all is done in long words
    word = int(np.uint32(mixed & MASK))
    return (plus + ((word << (turn & 31)) | (word >> (32 - turn & 31)))) & MASK


@kernel
def _swapped(word: int) -> int:
    """Return a word of four bytes with its last byte first."""
    return (word & 0xFF) << 24 | (word >> 8 & 0xFF) << 16 | (word >> 16 & 0xFF) << 8 | word >> 24
