"""Rules that are too sure: from what can be known to a sensitive item that then follows.

Records stand twice, as lists of their items and for each item as a row of bits; only the bits
change when an occurrence is deleted. For one sensitive item the antecedents tried are the
intersections of the records that hold it, met one by one and once each; what is above one that
breaks the bound is not tried, for it will change.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["BOUND", "Held", "too_sure"]

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


class Held(NamedTuple):
    """What the records with a sensitive item, the positives, hold besides it."""

    positives: int
    """How many positives there are."""
    longest: int
    """The most items that one of them holds."""
    items: NDArray[np.int64]
    """The usable items that some of them hold, rarest first."""
    masks: NDArray[np.uint64]
    """For each item a bit for each positive that holds it."""


@kernel
def _held(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    bits: NDArray[np.uint64],
    s: int,
    usable: NDArray[np.bool_],
) -> Held:
    """Return what the records that hold item ``s`` hold, each item as a mask over them."""
    n_items, n_words = bits.shape
    n_pos = 0
    for w in range(n_words):
        n_pos += _count(bits[s, w])
    positives = np.empty(n_pos, dtype=np.int64)
    seen = np.zeros(n_items, dtype=np.int64)
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
    for i in range(n_items if n_pos else 0):
        if seen[i]:
            local[at] = i
            at += 1
    local = local[np.argsort(seen[local], kind="mergesort")]
    masks = np.zeros((total, (n_pos + 63) // 64), dtype=np.uint64)
    for k in range(total):
        i = local[k]
        for p in range(n_pos):
            r = positives[p]
            if (bits[i, r >> 6] >> np.uint64(r & 63)) & _ONE:
                masks[k, p >> 6] |= _ONE << np.uint64(p & 63)
    return Held(n_pos, longest, local, masks)


@kernel
def _breaks(bound: NDArray[np.int64], held: int, others: int) -> bool:
    """Tell whether so many with the sensitive item, of all with the antecedent, are too many."""
    sure, most = held * bound[1], bound[0] * (held + others)
    return bool(sure > most or (bound[2] and sure == most))


@kernel
def _close(
    bits: NDArray[np.uint64],
    s: int,
    n_records: int,
    held: Held,
    extent: NDArray[np.uint64],
    inside: NDArray[np.bool_],
    left: NDArray[np.uint64],
) -> tuple[int, int]:
    """Mark what all positives of an extent hold; return how many hold that with s and without."""
    n_words = bits.shape[1]
    with_s = 0
    for w in range(len(extent)):
        with_s += _count(extent[w])
    for w in range(n_words):
        left[w] = ~bits[s, w]
    for k in range(len(held.items)):
        within = True
        for w in range(len(extent)):
            if extent[w] & ~held.masks[k, w]:
                within = False
                break
        inside[k] = within
        if within:
            for w in range(n_words):
                left[w] &= bits[held.items[k], w]
    without = 0
    for w in range(n_words - 1):
        without += _count(left[w])
    for r in range(64 * (n_words - 1), n_records):
        without += int((left[n_words - 1] >> np.uint64(r & 63)) & _ONE)
    return with_s, without


@kernel
def _needed(
    bits: NDArray[np.uint64], s: int, bound: NDArray[np.int64], rule: NDArray[np.int64], size: int
) -> int:
    """Leave out of a rule, frequent items first, what it does not need; return how many stay."""
    n_words, n_records = bits.shape[1], bound[3]
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
        if _breaks(bound, held, others):
            size -= 1
            for k in range(drop, size):
                rule[k] = rule[k + 1]
    return size


@kernel
def _is_fresh(
    extent: NDArray[np.uint64], inside: NDArray[np.bool_], masks: NDArray[np.uint64], k: int
) -> bool:
    """Tell whether the closure brings no item before ``k``: only then it is canonical."""
    for i in range(k):
        if not inside[i]:
            within = True
            for w in range(len(extent)):
                if extent[w] & ~masks[i, w]:
                    within = False
                    break
            if within:
                return False
    return True


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
    starts = np.zeros(limit + 1, dtype=np.int64)
    out = np.empty(64, dtype=np.int64)
    found = 0
    known = _held(offsets, items, bits, s, usable)
    n_pos = known.positives
    if n_pos == 0:
        return True, starts[:1], out[:0]
    total, wide = known.masks.shape

    # a stack of antecedents; each entry: its positives, what it holds, where to go on
    deep = known.longest + 2  # every step adds an item that some positive holds
    extent = np.zeros((deep, wide), dtype=np.uint64)
    inside = np.zeros((deep, total), dtype=np.bool_)
    turn = np.zeros(deep, dtype=np.int64)
    left = np.empty(bits.shape[1], dtype=np.uint64)
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
            if tried > bound[4]:
                return False, starts[: found + 1], out[: starts[found]]
            entering = False
            held, others = _close(bits, s, bound[3], known, extent[level], inside[level], left)
            if _breaks(bound, held, others):
                size = 0
                for k in range(total):
                    if inside[level, k]:
                        rule[size] = known.items[k]
                        size += 1
                size = _needed(bits, s, bound, rule, size)
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
            size += _count(extent[level, w] & known.masks[k, w])
        if size < 2:
            continue
        for w in range(wide):
            extent[level + 1, w] = extent[level, w] & known.masks[k, w]
        if _is_fresh(extent[level + 1], inside[level], known.masks, k):
            level += 1
            turn[level] = k + 1
            entering = True
    return True, starts[: found + 1], out[: starts[found]]
