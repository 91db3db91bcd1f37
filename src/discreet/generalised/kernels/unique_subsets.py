"""The few items by which a set is the only one that holds them, compiled.

What another set shares with the one that is looked at is a word of bits. The commonest items have
a bit of their own everywhere, so that long lists of their holders are read without their sets; the
other items of a set take bits that it leaves free.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.supersets import Holders, misses, rarest, signature_of

__all__ = ["BITS", "alone", "unique_subsets"]

BITS = 62
"""Bits of a word, hence items of a set that are looked at: the rarest."""
COMMON = 2048
"""Items, the commonest, of which every pair is counted beforehand."""
AT_FIRST, WORK = 200_000_000, 50_000
"""Steps of the search, for up to three items and for more: for all sets, and for each set more."""
SMALL = 5
"""Up to so many items every choice is tried; beyond, those that masks do not rule out."""
TABLE = 1 << 12
"""Places of the table by which a word that is there already is known."""


@kernel
def _pairs(
    offsets: NDArray[np.int64], items: NDArray[np.int32], rank: NDArray[np.int64], size: int
) -> NDArray[np.int32]:
    """Return for each pair of common items, by their ranks, how many sets hold both."""
    pairs = np.zeros((size, size), dtype=np.int32)
    for row in range(len(offsets) - 1):
        for one in range(offsets[row], offsets[row + 1]):
            if rank[items[one]] >= size:
                continue
            for two in range(offsets[row], offsets[row + 1]):
                if rank[items[two]] < size:
                    pairs[rank[items[one]], rank[items[two]]] += 1
    return pairs


@kernel
def _words(
    offsets: NDArray[np.int64], items: NDArray[np.int32], rank: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each set the bits of the commonest items in it."""
    words = np.zeros(len(offsets) - 1, dtype=np.int64)
    for row in range(len(words)):
        for place in range(offsets[row], offsets[row + 1]):
            if rank[items[place]] < BITS:
                words[row] |= 1 << rank[items[place]]
    return words


@kernel
def _bits(held: NDArray[np.int32], rank: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return the bit of each item, one of its own or one left free; and those of their own."""
    bits = np.zeros(len(held), dtype=np.int64)
    own = free = 0
    for at in range(len(held)):
        if rank[held[at]] < BITS:
            bits[at] = 1 << rank[held[at]]
            own |= bits[at]
    for at in range(len(held)):
        if bits[at] == 0:
            while own >> free & 1:
                free += 1
            bits[at] = 1 << free
            free += 1
    return bits, own


@kernel
def _fresh(table: NDArray[np.int64], turn: int, mask: int) -> bool:
    """Whether a mask is new in this turn of the table; it goes there where room is nearby."""
    slot = (mask ^ mask >> 29) * 0x9E3779B1 >> 7 & TABLE - 1
    for _ in range(8):
        if table[slot, 0] != turn:
            table[slot, 0], table[slot, 1] = turn, mask
            return True
        if table[slot, 1] == mask:
            return False
        slot = slot + 1 & TABLE - 1
    return True


@kernel
def _one_more(masks: NDArray[np.int64], bits: NDArray[np.int64]) -> Any:
    """Return one of the bits that no mask has; 0 if there is none."""
    every = 0
    for mask in masks:
        every |= mask
    for bit in bits:
        if not every & bit:
            return bit
    return 0


@kernel
def _two_more(masks: NDArray[np.int64], bits: NDArray[np.int64]) -> Any:
    """Return two of the bits that no mask has both of; 0 if there are none."""
    for at in range(len(bits) - 1):
        beside = 0
        for mask in masks:
            if mask & bits[at]:
                beside |= mask
        for bit in bits[at + 1 :]:
            if not beside & bit:
                return bits[at] | bit
    return 0


@kernel
def _three_more(masks: NDArray[np.int64], bits: NDArray[np.int64]) -> Any:
    """Return three of the bits that no mask has all of; 0 if there are none."""
    for at in range(len(bits) - 2):
        found = _two_more(masks[masks & bits[at] != 0], bits[at + 1 :])
        if found:
            return found | bits[at]
    return 0


@kernel
def _four_more(masks: NDArray[np.int64], bits: NDArray[np.int64]) -> Any:
    """Return four of the bits that no mask has all of; 0 if there are none."""
    for at in range(len(bits) - 3):
        found = _three_more(masks[masks & bits[at] != 0], bits[at + 1 :])
        if found:
            return found | bits[at]
    return 0


@kernel
def _many_more(masks: NDArray[np.int64], bits: NDArray[np.int64], many: int) -> tuple[Any, int]:
    """Return up to so many of the bits that no mask has all of, 0 if there are none, and the steps.

    A mask that has all that are chosen must lack one more: only such bits are tried, and what was
    tried in vain is left to nobody below.
    """
    chosen, untried, allowed = np.zeros((3, many + 1), dtype=np.int64)
    depth, steps, down = 0, 0, True
    for bit in bits:
        allowed[0] |= bit
    while depth >= 0 and steps < AT_FIRST:
        if down:
            having = -1
            for mask in masks:
                steps += 1
                if mask & chosen[depth] == chosen[depth]:
                    having = mask
                    break
            if having == -1:
                return chosen[depth], steps
            untried[depth] = allowed[depth] & ~having if depth < many else 0
        down = untried[depth] != 0
        if down:
            bit = untried[depth] & -untried[depth]
            untried[depth] ^= bit
            allowed[depth] ^= bit
            chosen[depth + 1], allowed[depth + 1] = chosen[depth] | bit, allowed[depth]
            depth += 1
        else:
            depth -= 1
    return 0, steps


@kernel
def _more(masks: NDArray[np.int64], bits: NDArray[np.int64], many: int) -> Any:
    """Return so many of the bits, 1 to 4, that no mask has all of; 0 if there are none."""
    if many == 1:
        return _one_more(masks, bits)
    if many == 2:
        return _two_more(masks, bits)
    if many == 3:
        return _three_more(masks, bits)
    return _four_more(masks, bits)


@kernel
def _rare_pair(held: NDArray[np.int32], rank: NDArray[np.int64], pairs: NDArray[np.int32]) -> int:
    """Return the places of two common items that no other set holds together, as one; -1: none."""
    for one in range(len(held)):
        for two in range(one + 1, len(held)):
            first, second = rank[held[one]], rank[held[two]]
            if first < len(pairs) and second < len(pairs) and pairs[first, second] == 1:
                return one * len(held) + two
    return -1


@kernel
def unique_subsets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    counts: NDArray[np.int64],
    holders: Holders,
    most: int,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return for each distinct set the fewest of its items that no other holds, -1 behind them.

    They are ``most`` at most. Fewer are never overlooked, but where the steps become too many, sets
    of common items are given up, and of long sets the rarest items are looked at: the second array
    says for which sets nothing was found in that way.
    """
    starts, rows = holders.starts, holders.rows
    found = np.full((len(counts), most), -1, dtype=np.int64)
    given_up = np.zeros(len(counts), dtype=np.bool_)
    supports = np.diff(starts)
    rank = np.empty(len(supports), dtype=np.int64)
    rank[np.argsort(-supports, kind="mergesort")] = np.arange(len(supports))
    pairs = _pairs(offsets, items, rank, min(COMMON, len(supports)) if most > 1 else 0)
    words = _words(offsets, items, rank)[rows]
    bit_of = np.zeros(len(supports), dtype=np.int64)
    table, turn = np.zeros((TABLE, 2), dtype=np.int64), 0
    work = np.full(2, AT_FIRST, dtype=np.int64)
    for row in range(len(counts)):
        held = items[offsets[row] : offsets[row + 1]].copy()
        if counts[row] != 1 or len(held) == 0:
            continue
        held = held[np.argsort(supports[held], kind="mergesort")][:BITS]
        if supports[held[0]] == 1:
            found[row, 0] = held[0]
            continue
        pair = _rare_pair(held, rank, pairs)
        if pair >= 0:
            found[row, 0], found[row, 1] = held[pair // len(held)], held[pair % len(held)]
            continue
        work += WORK
        bits, own = _bits(held, rank)
        loose = 0
        for at in range(len(held)):
            if rank[held[at]] >= BITS:
                bit_of[held[at]] = bits[at]
                loose = at
        best, skipped = 0, len(held) < offsets[row + 1] - offsets[row]
        masks = [np.empty(0, dtype=np.int64) for _ in range(0)]
        for size in range(2, most + 1):
            for first in range(len(held) - size + 1):
                pool = 0 if size < 4 else 1
                skipped = skipped or (not best and work[pool] <= 0)
                if best or work[pool] <= 0 or (size == 2 and rank[held[first]] < len(pairs)):
                    break
                if first == len(masks):
                    begin, end = starts[held[first]], starts[held[first] + 1]
                    told = np.empty(end - begin, dtype=np.int64)
                    many, above, turn = 0, 0, turn + 1
                    for bit in bits[first + 1 :]:
                        above |= bit
                    for place in range(begin, end):
                        if rows[place] == row:
                            continue
                        mask = words[place]
                        if loose > first:
                            other = rows[place]
                            mask &= own
                            for at in range(offsets[other], offsets[other + 1]):
                                mask |= bit_of[items[at]]
                        mask &= above
                        if _fresh(table, turn, mask):
                            told[many] = mask
                            many += 1
                    masks.append(told[:many].copy())
                    work[pool] -= end - begin
                rest = bits[first + 1 :]
                if size > SMALL:
                    chosen, steps = _many_more(masks[first], rest, size - 1)
                    work[pool] -= steps
                else:
                    work[pool] -= len(masks[first]) * len(rest) ** max(0, size - 2)
                    chosen = _more(masks[first], rest, size - 1) if work[pool] > 0 else 0
                best = chosen | bits[first] if chosen else 0
                skipped = skipped or (not best and work[pool] <= 0)
        many, given_up[row] = 0, skipped and not best
        for at in range(len(held)):
            bit_of[held[at]] = 0
            if best & bits[at]:
                found[row, many] = held[at]
                many += 1
    return found, given_up


@kernel
def alone(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    counts: NDArray[np.int64],
    holders: Holders,
    asked_offsets: NDArray[np.int64],
    asked_items: NDArray[np.int32],
) -> NDArray[np.bool_]:
    """Return for each set that is asked for whether one person alone holds it."""
    single = np.zeros(len(asked_offsets) - 1, dtype=np.bool_)
    for query in range(len(single)):
        asked = asked_items[asked_offsets[query] : asked_offsets[query + 1]]
        if len(asked) == 0:
            continue
        wanted = signature_of(asked, holders.bits)
        item = rarest(asked, holders.starts)
        people = 0
        for place in range(holders.starts[item], holders.starts[item + 1]):
            if wanted & ~holders.signatures[place] != 0:
                continue
            row = holders.rows[place]
            if misses(asked, items[offsets[row] : offsets[row + 1]], 1)[0] == 0:
                people += counts[row]
            if people > 1:
                break
        single[query] = people == 1
    return single
