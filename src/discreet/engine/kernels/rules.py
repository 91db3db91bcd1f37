"""Rules that are too sure: from what can be known to a sensitive item that then follows.

Records stand twice, as lists of their items and for each item as a row of bits; only the bits
change when an occurrence is deleted. For one sensitive item the antecedents tried are the
intersections of the records that hold it, met one by one and once each; what is above one that
breaks the bound is not tried, for it will change.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["BOUND", "too_sure"]

BOUND = 5
"""What a bound holds: rho's numerator and denominator, 1 if rho itself is too high, the number of
records, and how many antecedents may be tried."""

_ONE = np.uint64(1)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x00FF00FF00FF00FF)
_HALVES = np.uint64(0x0000FFFF0000FFFF)
_LOW = np.uint64(0x00000000FFFFFFFF)
_BY = np.array([1, 2, 4, 8, 16, 32], dtype=np.uint64)


@kernel
def _count(word: np.uint64) -> int:
    word = (word & _ODD) + ((word >> _BY[0]) & _ODD)
    word = (word & _PAIRS) + ((word >> _BY[1]) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _BY[2]) & _NIBBLES)
    word = (word & _BYTES) + ((word >> _BY[3]) & _BYTES)
    word = (word & _HALVES) + ((word >> _BY[4]) & _HALVES)
    return int((word & _LOW) + (word >> _BY[5]))


@kernel
def too_sure(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    bits: NDArray[np.uint64],
    s: int,
    usable: NDArray[np.bool_],
    bound: NDArray[np.int64],
    limit: int,
) -> tuple[bool, NDArray[np.int64], NDArray[np.int64]]:
    """Return up to ``limit`` rules that end in item ``s`` and break the bound.

    Each has an antecedent of which no item can be left out. Returns whether all antecedents
    could be tried, where each antecedent begins, and the items of all of them.
    """
    num, den, strict, n_records, cap = bound[0], bound[1], bound[2], bound[3], bound[4]
    n_words = bits.shape[1]
    starts = np.zeros(limit + 1, dtype=np.int64)
    out = np.empty(64, dtype=np.int64)
    found = 0
    n_pos = 0
    for w in range(n_words):
        n_pos += _count(bits[s, w])
    if n_pos == 0:
        return True, starts[:1], out[:0]

    # what the positives hold, rarest first, each as a mask over them
    positives = np.empty(n_pos, dtype=np.int64)
    seen = np.zeros(bits.shape[0], dtype=np.int64)
    at = 0
    total = 0
    longest = 0
    for w in range(n_words):
        rest = bits[s, w]
        while rest:
            r = 64 * w + _count(~rest & (rest - _ONE))
            rest &= rest - _ONE
            positives[at] = r
            at += 1
            longest = max(longest, offsets[r + 1] - offsets[r])
            for e in range(offsets[r], offsets[r + 1]):
                i = items[e]
                if i != s and usable[i] and (bits[i, w] >> np.uint64(r & 63)) & _ONE:
                    total += seen[i] == 0
                    seen[i] += 1
    local = np.empty(total, dtype=np.int64)
    at = 0
    for i in range(bits.shape[0]):
        if seen[i]:
            local[at] = i
            at += 1
    local = local[np.argsort(seen[local], kind="mergesort")]
    wide = (n_pos + 63) // 64
    masks = np.zeros((total, wide), dtype=np.uint64)
    for k in range(total):
        i = local[k]
        for p in range(n_pos):
            r = positives[p]
            if (bits[i, r >> 6] >> np.uint64(r & 63)) & _ONE:
                masks[k, p >> 6] |= _ONE << np.uint64(p & 63)

    # a stack of antecedents; each entry: its positives, what it holds, where to go on
    deep = longest + 2  # every step adds an item that some positive holds
    extent = np.zeros((deep, wide), dtype=np.uint64)
    inside = np.zeros((deep, total), dtype=np.bool_)
    turn = np.zeros(deep, dtype=np.int64)
    left = np.empty(n_words, dtype=np.uint64)
    rule = np.empty(total, dtype=np.int64)
    for p in range(n_pos):
        extent[0, p >> 6] |= _ONE << np.uint64(p & 63)
    tried = 0
    level = 0
    entering = True
    single = 0
    turn[0] = total
    while level >= 0:
        if entering:
            # the closure of the entry, its counts, and whether they break the bound
            tried += 1
            if tried > cap:
                return False, starts[: found + 1], out[: starts[found]]
            held = 0
            for w in range(wide):
                held += _count(extent[level, w])
            for w in range(n_words):
                left[w] = ~bits[s, w]
            for k in range(total):
                within = True
                for w in range(wide):
                    if extent[level, w] & ~masks[k, w]:
                        within = False
                        break
                inside[level, k] = within
                if within:
                    for w in range(n_words):
                        left[w] &= bits[local[k], w]
            others = 0
            for w in range(n_words - 1):
                others += _count(left[w])
            for r in range(64 * (n_words - 1), n_records):
                others += int((left[n_words - 1] >> np.uint64(r & 63)) & _ONE)
            entering = False
            if held * den > num * (held + others) or (
                strict and held * den == num * (held + others)
            ):
                # leave out, frequent ones first, what the rule does not need
                size = 0
                for k in range(total):
                    if inside[level, k]:
                        rule[size] = local[k]
                        size += 1
                for drop in range(size - 1, -1, -1):
                    held = 0
                    others = 0
                    for w in range(n_words):
                        fit = ~np.uint64(0)
                        if w == n_words - 1 and n_records & 63:
                            fit = (_ONE << np.uint64(n_records & 63)) - _ONE
                        for k in range(size):
                            if k != drop:
                                fit &= bits[rule[k], w]
                        held += _count(fit & bits[s, w])
                        others += _count(fit & ~bits[s, w])
                    if held * den > num * (held + others) or (
                        strict and held * den == num * (held + others)
                    ):
                        size -= 1
                        for k in range(drop, size):
                            rule[k] = rule[k + 1]
                begin = starts[found]
                if begin + size > out.size:
                    longer = np.empty(2 * (begin + size), dtype=np.int64)
                    for t in range(begin):
                        longer[t] = out[t]
                    out = longer
                for k in range(size):
                    out[begin] = rule[k]
                    begin += 1
                found += 1
                starts[found] = begin
                if found == limit:
                    return True, starts[: found + 1], out[:begin]
                turn[level] = total
        k = turn[level]
        if k >= total:
            level -= 1
            if level >= 0 or single > n_pos or (single == n_pos and found):
                continue
            # first all positives at once, then each for itself, which finds most of what is
            # wrong; only where that finds nothing, everything between
            level = 0
            entering = True
            turn[0] = 0 if single == n_pos else total
            for p in range(n_pos):
                extent[0, p >> 6] |= _ONE << np.uint64(p & 63)
            if single < n_pos:
                for w in range(wide):
                    extent[0, w] = np.uint64(0)
                extent[0, single >> 6] = _ONE << np.uint64(single & 63)
            single += 1
            continue
        turn[level] += 1
        if inside[level, k]:
            continue
        size = 0
        for w in range(wide):
            size += _count(extent[level, w] & masks[k, w])
        if size < 2:
            continue
        for w in range(wide):
            extent[level + 1, w] = extent[level, w] & masks[k, w]
        # canonical only if the closure brings no earlier item
        fresh = True
        for i in range(k):
            if not inside[level, i]:
                within = True
                for w in range(wide):
                    if extent[level + 1, w] & ~masks[i, w]:
                        within = False
                        break
                if within:
                    fresh = False
                    break
        if fresh:
            level += 1
            turn[level] = k + 1
            entering = True
    return True, starts[: found + 1], out[: starts[found]]
