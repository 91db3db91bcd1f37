"""Every antecedent that could break a bound on confidence, met once, in compiled code.

This kernel is the verifier's own: it shares nothing with the machines of the publishers (see
docs/decisions/0007-a-kernel-in-the-verifier.md), and the tests hold it against brute force.

For a consequent ``s`` take the records that hold it, the positives. Of all antecedents with the
same positives the largest, which is the intersection of these records, has the fewest records
without ``s``, so it has the highest confidence: looking at these intersections is looking at all.
They are met by closing one by one (Kuznetsov 1993), each exactly once.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["CAPPED", "HOLDS", "VIOLATED", "search"]

HOLDS, VIOLATED, CAPPED = 0, 1, 2

_ONE = np.uint64(1)
_ODD = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x00FF00FF00FF00FF)
_HALVES = np.uint64(0x0000FFFF0000FFFF)
_WHOLE = np.uint64(0x00000000FFFFFFFF)
_1, _2, _4, _8, _16, _32 = (np.uint64(1 << power) for power in range(6))


@kernel
def _ones(word: np.uint64) -> int:
    """Count the bits of a word."""
    word = (word & _ODD) + ((word >> _1) & _ODD)
    word = (word & _PAIRS) + ((word >> _2) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _4) & _NIBBLES)
    word = (word & _BYTES) + ((word >> _8) & _BYTES)
    word = (word & _HALVES) + ((word >> _16) & _HALVES)
    return int((word & _WHOLE) + (word >> _32))


@kernel
def _holds_bit(row: NDArray[np.uint64], place: int) -> bool:
    return bool((row[place >> 6] >> np.uint64(place & 63)) & _ONE)


@kernel
def search(
    bits: NDArray[np.uint64],
    s: int,
    usable: NDArray[np.bool_],
    bound: NDArray[np.int64],
    cap: int,
) -> tuple[int, int, NDArray[np.int64], int, int]:
    """Look for an antecedent from which item ``s`` follows with too high a confidence.

    ``bits[i]`` marks the records that hold item ``i``; ``bound`` is numerator and denominator of
    rho and 1 where the bound itself is too high. Returns what was found, the number of closed
    sets met, and for a violation the antecedent and how many records have it with and without s.
    """
    num, den, strict = bound[0], bound[1], bound[2]
    n_items, n_words = bits.shape
    nothing = np.empty(0, dtype=np.int64)

    # the positives, and every item that some of them hold as a mask over them
    n_pos = 0
    for w in range(n_words):
        n_pos += _ones(bits[s, w])
    if n_pos == 0:
        return HOLDS, 0, nothing, 0, 0
    positives = np.empty(n_pos, dtype=np.int64)
    at = 0
    for w in range(n_words):
        rest = bits[s, w]
        while rest:
            positives[at] = 64 * w + _ones(~rest & (rest - _ONE))
            at += 1
            rest &= rest - _ONE
    local = np.empty(n_items, dtype=np.int64)
    support = np.empty(n_items, dtype=np.int64)
    n_local = 0
    for i in range(n_items):
        if usable[i] and i != s:
            held = 0
            for w in range(n_words):
                both = bits[i, w] & bits[s, w]
                if both:
                    held += _ones(both)
            if held:
                local[n_local] = i
                support[n_local] = held
                n_local += 1
    # rare items first: their branches are short, and the frequent ones are seldom canonical
    order = np.argsort(support[:n_local], kind="mergesort")
    wide = (n_pos + 63) // 64
    masks = np.zeros((n_local, wide), dtype=np.uint64)
    items = np.empty(n_local, dtype=np.int64)
    for k in range(n_local):
        items[k] = local[order[k]]
        row = bits[items[k]]
        for p in range(n_pos):
            if _holds_bit(row, positives[p]):
                masks[k, p >> 6] |= _ONE << np.uint64(p & 63)

    # each positive for itself: the antecedents of one positive are parts of it
    common = np.empty(n_words, dtype=np.uint64)
    for p in range(n_pos):
        for w in range(n_words):
            common[w] = ~bits[s, w]
        size = 0
        left = 1
        for k in range(n_local):
            if left and _holds_bit(masks[k], p):
                left = 0
                for w in range(n_words):
                    common[w] &= bits[items[k], w]
                    left |= common[w] != 0
                size += 1
        without = 0
        if left and size:
            for w in range(n_words):
                without += _ones(common[w])
        # an empty one is left to the root, which knows how many records there really are
        if size and (den > num * (1 + without) or (strict and den == num * (1 + without))):
            held_by = np.empty(n_local, dtype=np.int64)
            size = 0
            for k in range(n_local):
                if _holds_bit(masks[k], p):
                    held_by[size] = items[k]
                    size += 1
            return VIOLATED, 1, held_by[:size].copy(), 1, without

    # the arena: for each level its items with their masks, and the negatives that are left
    arena_item = np.empty(4 * n_local + 64, dtype=np.int64)
    arena_mask = np.empty((4 * n_local + 64) * wide, dtype=np.uint64)
    n_records = bound[3]
    arena_neg = np.empty(4 * n_records + 64, dtype=np.int64)
    deep = n_local + 2
    item_at = np.zeros(deep, dtype=np.int64)
    item_many = np.zeros(deep, dtype=np.int64)
    mask_at = np.zeros(deep, dtype=np.int64)
    width = np.zeros(deep, dtype=np.int64)
    neg_at = np.zeros(deep, dtype=np.int64)
    neg_many = np.zeros(deep, dtype=np.int64)
    q_many = np.zeros(deep, dtype=np.int64)
    turn = np.zeros(deep, dtype=np.int64)
    known = np.empty(n_local + 1, dtype=np.int64)

    # the root: what all positives share
    many = 0
    shared = 0
    for k in range(n_local):
        if support[order[k]] == n_pos:
            known[shared] = items[k]
            shared += 1
        elif support[order[k]] >= 2:
            arena_item[many] = items[k]
            for w in range(wide):
                arena_mask[many * wide + w] = masks[k, w]
            many += 1
    kept = 0
    for r in range(n_records):
        if not _holds_bit(bits[s], r):
            fits = True
            for k in range(shared):
                if not _holds_bit(bits[known[k]], r):
                    fits = False
                    break
            if fits:
                arena_neg[kept] = r
                kept += 1
    met = 1
    if n_pos * den > num * (n_pos + kept) or (strict and n_pos * den == num * (n_pos + kept)):
        return VIOLATED, met, known[:shared].copy(), n_pos, kept
    item_many[0] = many
    width[0] = wide
    neg_many[0] = kept
    q_many[0] = shared
    level = 0
    new_mask = np.empty(wide, dtype=np.uint64)

    while level >= 0:
        if turn[level] >= item_many[level]:
            level -= 1
            continue
        j = turn[level]
        turn[level] += 1
        base = item_at[level]
        mbase = mask_at[level]
        wd = width[level]
        n_here = item_many[level]
        mj = mbase + j * wd
        # canonical only if no earlier item belongs to the closure
        fresh = True
        for i in range(j):
            mi = mbase + i * wd
            inside = True
            for w in range(wd):
                if arena_mask[mj + w] & ~arena_mask[mi + w]:
                    inside = False
                    break
            if inside:
                fresh = False
                break
        if not fresh:
            continue
        size = 0
        for w in range(wd):
            new_mask[w] = arena_mask[mj + w]
            size += _ones(new_mask[w])
        met += 1
        if met > cap:
            return CAPPED, met, nothing, 0, 0
        # the closure, and the negatives it leaves
        q = q_many[level]
        known[q] = arena_item[base + j]
        q += 1
        for i in range(j + 1, n_here):
            mi = mbase + i * wd
            inside = True
            for w in range(wd):
                if new_mask[w] & ~arena_mask[mi + w]:
                    inside = False
                    break
            if inside:
                known[q] = arena_item[base + i]
                q += 1
        nbase = neg_at[level] + neg_many[level]
        if nbase + neg_many[level] > arena_neg.size:
            longer = np.empty(2 * (nbase + neg_many[level]), dtype=np.int64)
            for t in range(nbase):
                longer[t] = arena_neg[t]
            arena_neg = longer
        kept = 0
        start = neg_at[level]
        if level == 0:
            # of all records most lack the item: going through its words is quicker
            start = nbase
            for word in range(n_words):
                rest = bits[arena_item[base + j], word] & ~bits[s, word]
                while rest:
                    r = 64 * word + _ones(~rest & (rest - _ONE))
                    rest &= rest - _ONE
                    bit = np.uint64(r & 63)
                    fits = True
                    for k in range(q):
                        if not (bits[known[k], word] >> bit) & _ONE:
                            fits = False
                            break
                    if fits:
                        arena_neg[nbase + kept] = r
                        kept += 1
        for t in range(start, nbase):
            r = arena_neg[t]
            word, bit = r >> 6, np.uint64(r & 63)
            fits = True
            for k in range(q_many[level], q):
                if not (bits[known[k], word] >> bit) & _ONE:
                    fits = False
                    break
            if fits:
                arena_neg[nbase + kept] = r
                kept += 1
        if size * den > num * (size + kept) or (strict and size * den == num * (size + kept)):
            return VIOLATED, met, known[:q].copy(), size, kept
        if size == 2:
            continue
        # the level below: items that at least two of these positives still hold, but not all
        ibase = base + n_here
        m2base = mbase + n_here * wd
        w2 = (size + 63) // 64
        if ibase + n_here > arena_item.size:
            more = np.empty(2 * (ibase + n_here), dtype=np.int64)
            for t in range(ibase):
                more[t] = arena_item[t]
            arena_item = more
        if m2base + n_here * w2 > arena_mask.size:
            wider = np.empty(2 * (m2base + n_here * w2), dtype=np.uint64)
            for t in range(m2base):
                wider[t] = arena_mask[t]
            arena_mask = wider
        many = 0
        first = 0
        for i in range(n_here):
            if i == j:
                first = many
                continue
            mi = mbase + i * wd
            held = 0
            for w in range(wd):
                held += _ones(arena_mask[mi + w] & new_mask[w])
            if held < 2 or held == size:
                continue
            mt = m2base + many * w2
            if w2 == wd:
                for w in range(wd):
                    arena_mask[mt + w] = arena_mask[mi + w] & new_mask[w]
            else:
                for w in range(w2):
                    arena_mask[mt + w] = np.uint64(0)
                place = 0
                for w in range(wd):
                    rest = new_mask[w]
                    while rest:
                        lowest = rest & (~rest + _ONE)
                        if arena_mask[mi + w] & lowest:
                            arena_mask[mt + (place >> 6)] |= _ONE << np.uint64(place & 63)
                        place += 1
                        rest &= rest - _ONE
            arena_item[ibase + many] = arena_item[base + i]
            many += 1
        if first < many:
            level += 1
            item_at[level] = ibase
            item_many[level] = many
            mask_at[level] = m2base
            width[level] = w2
            neg_at[level] = nbase
            neg_many[level] = kept
            q_many[level] = q
            turn[level] = first
    return HOLDS, met, nothing, 0, 0
