"""The few items by which a set is the only one that holds them, compiled.

What another set shares with the one that is looked at is a word of bits. The commonest items have
a bit of their own everywhere, so that long lists of their holders are read without their sets; the
other items of a set take bits that it leaves free.
"""

from typing import Any, NamedTuple

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
        for first in range(offsets[row], offsets[row + 1]):
            if rank[items[first]] >= size:
                continue
            for second in range(offsets[row], offsets[row + 1]):
                if rank[items[second]] < size:
                    pairs[rank[items[first]], rank[items[second]]] += 1
    return pairs


@kernel
def _words(
    offsets: NDArray[np.int64], items: NDArray[np.int32], rank: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each set the bits of the commonest items in it."""
    words = np.zeros(len(offsets) - 1, dtype=np.int64)
    for row in range(len(words)):
        for position in range(offsets[row], offsets[row + 1]):
            if rank[items[position]] < BITS:
                words[row] |= 1 << rank[items[position]]
    return words


@kernel
def _bits(members: NDArray[np.int32], rank: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return the bit of each item, one of its own or one left free; and those of their own."""
    bits = np.zeros(len(members), dtype=np.int64)
    own = free = 0
    for at in range(len(members)):
        if rank[members[at]] < BITS:
            bits[at] = 1 << rank[members[at]]
            own |= bits[at]
    for at in range(len(members)):
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
        chosen = _two_more(masks[masks & bits[at] != 0], bits[at + 1 :])
        if chosen:
            return chosen | bits[at]
    return 0


@kernel
def _four_more(masks: NDArray[np.int64], bits: NDArray[np.int64]) -> Any:
    """Return four of the bits that no mask has all of; 0 if there are none."""
    for at in range(len(bits) - 3):
        chosen = _three_more(masks[masks & bits[at] != 0], bits[at + 1 :])
        if chosen:
            return chosen | bits[at]
    return 0


@kernel
def _many_more(masks: NDArray[np.int64], bits: NDArray[np.int64], limit: int) -> tuple[Any, int]:
    """Return up to so many of the bits that no mask has all of, 0 if there are none, and the steps.

    A mask that has all that are chosen must lack one more: only such bits are tried, and what was
    tried in vain is left to nobody below.
    """
    chosen, untried, allowed = np.zeros((3, limit + 1), dtype=np.int64)
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
            untried[depth] = allowed[depth] & ~having if depth < limit else 0
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
def _more(masks: NDArray[np.int64], bits: NDArray[np.int64], count: int) -> Any:
    """Return so many of the bits, 1 to 4, that no mask has all of; 0 if there are none."""
    if count == 1:
        return _one_more(masks, bits)
    if count == 2:
        return _two_more(masks, bits)
    if count == 3:
        return _three_more(masks, bits)
    return _four_more(masks, bits)


@kernel
def _rare_pair(
    members: NDArray[np.int32], rank: NDArray[np.int64], pairs: NDArray[np.int32]
) -> int:
    """Return the places of two common items that no other set holds together, as one; -1: none."""
    for left in range(len(members)):
        for right in range(left + 1, len(members)):
            first, second = rank[members[left]], rank[members[right]]
            if first < len(pairs) and second < len(pairs) and pairs[first, second] == 1:
                return left * len(members) + right
    return -1


class _Index(NamedTuple):
    """Sets both ways, and room for the search."""

    offsets: NDArray[np.int64]
    items: NDArray[np.int32]
    starts: NDArray[np.int64]
    """Where the sets that hold each item begin, and the end of the last ..."""
    rows: NDArray[np.int64]
    """... in this list ..."""
    words: NDArray[np.int64]
    """... with the bits of the commonest items in each."""
    rank: NDArray[np.int64]
    """Of each item how many are commoner."""
    bit_of: NDArray[np.int64]
    """The bit of each item that the set looked at gives one of those it leaves free."""
    table: NDArray[np.int64]
    """Words that are there already, each with the turn in which it came."""
    turn: NDArray[np.int64]
    """The turn of the table."""
    work: NDArray[np.int64]
    """The steps that are left, for up to three items and for more."""


@kernel
def _indexed(
    offsets: NDArray[np.int64], items: NDArray[np.int32], starts: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> _Index:  # fmt: skip
    """Return sets ready to be searched."""
    supports = np.diff(starts)
    rank = np.empty(len(supports), dtype=np.int64)
    rank[np.argsort(-supports, kind="mergesort")] = np.arange(len(supports))
    words = _words(offsets, items, rank)[rows]
    bit_of, table = np.zeros(len(supports), dtype=np.int64), np.zeros((TABLE, 2), dtype=np.int64)
    turn, work = np.zeros(1, dtype=np.int64), np.full(2, AT_FIRST, dtype=np.int64)
    return _Index(offsets, items, starts, rows, words, rank, bit_of, table, turn, work)


@kernel
def _masks(
    index: _Index, row: int, first: int, item: int, bits: NDArray[np.int64], own: int, loose: int
) -> NDArray[np.int64]:
    """Return what each other set with an item has of those after it, the first of the set's items.

    Equal masks are left out where this is seen at once. ``own`` has the bits that everyone knows;
    the last item with a bit that only this set knows is ``loose``.
    """
    offsets, items, rows, words = index.offsets, index.items, index.rows, index.words
    bit_of, table = index.bit_of, index.table
    begin, end = index.starts[item], index.starts[item + 1]
    masks = np.empty(end - begin, dtype=np.int64)
    index.turn[0] += 1
    turn, size, above = index.turn[0], 0, 0
    for bit in bits[first + 1 :]:
        above |= bit
    for posting in range(begin, end):
        if rows[posting] == row:
            continue
        mask = words[posting]
        if loose > first:
            other = rows[posting]
            mask &= own
            for at in range(offsets[other], offsets[other + 1]):
                mask |= bit_of[items[at]]
        mask &= above
        if _fresh(table, turn, mask):
            masks[size] = mask
            size += 1
    return masks[:size].copy()


@kernel
def _chosen(
    masks: NDArray[np.int64], bits: NDArray[np.int64], size: int, work: NDArray[np.int64]
) -> Any:
    """Return so many of the bits that no mask has all of; 0 if there are none, or no more work."""
    pool = 0 if size < 3 else 1
    if size >= SMALL:
        chosen, steps = _many_more(masks, bits, size)
        work[pool] -= steps
        return chosen
    work[pool] -= len(masks) * len(bits) ** max(0, size - 1)
    return _more(masks, bits, size) if work[pool] > 0 else 0


@kernel
def _fewest(
    index: _Index,
    row: int,
    members: NDArray[np.int32],
    bits: NDArray[np.int64],
    own: int,
    sizes: tuple[int, int],
) -> tuple[Any, bool]:
    """Return the bits of the fewest items that no other set has, 0 for none, and if it gave up.

    ``sizes`` is how many they may be, and of how many of the commonest items no pair will do.
    """
    most, common = sizes
    rank, work = index.rank, index.work
    loose = 0
    for at in range(len(members)):
        if rank[members[at]] >= BITS:
            loose = at
    skipped = False
    masks = [np.empty(0, dtype=np.int64) for _ in range(0)]
    for size in range(2, min(most, len(members)) + 1):
        pool = 0 if size < 4 else 1
        for first in range(len(members) - size + 1):
            if work[pool] <= 0 or (size == 2 and rank[members[first]] < common):
                break
            if first == len(masks):
                item = members[first]
                masks.append(_masks(index, row, first, item, bits, own, loose))
                work[pool] -= index.starts[item + 1] - index.starts[item]
            chosen = _chosen(masks[first], bits[first + 1 :], size - 1, work)
            if chosen:
                return chosen | bits[first], False
        skipped = skipped or work[pool] <= 0
    return 0, skipped


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
    subsets = np.full((len(counts), most), -1, dtype=np.int64)
    given_up = np.zeros(len(counts), dtype=np.bool_)
    index = _indexed(offsets, items, holders.starts, holders.rows)
    supports, rank, bit_of = np.diff(holders.starts), index.rank, index.bit_of
    pairs = _pairs(offsets, items, rank, min(COMMON, len(supports)) if most > 1 else 0)
    for row in range(len(counts)):
        members = items[offsets[row] : offsets[row + 1]].copy()
        if counts[row] != 1 or len(members) == 0:
            continue
        members = members[np.argsort(supports[members], kind="mergesort")][:BITS]
        if supports[members[0]] == 1:
            subsets[row, 0] = members[0]
            continue
        pair = _rare_pair(members, rank, pairs)
        if pair >= 0:
            subsets[row, 0], subsets[row, 1] = (
                members[pair // len(members)],
                members[pair % len(members)],
            )
            continue
        index.work[:] += WORK
        bits, own = _bits(members, rank)
        for at in range(len(members)):
            bit_of[members[at]] = bits[at] if rank[members[at]] >= BITS else 0
        best, skipped = _fewest(index, row, members, bits, own, (most, len(pairs)))
        bit_of[members] = 0
        shortened = len(members) < offsets[row + 1] - offsets[row]
        given_up[row] = best == 0 and (skipped or shortened)
        size = 0
        for at in range(len(members)):
            if best & bits[at]:
                subsets[row, size] = members[at]
                size += 1
    return subsets, given_up


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
        for posting in range(holders.starts[item], holders.starts[item + 1]):
            if wanted & ~holders.signatures[posting] != 0:
                continue
            row = holders.rows[posting]
            if misses(asked, items[offsets[row] : offsets[row + 1]], 1)[0] == 0:
                people += counts[row]
            if people > 1:
                break
        single[query] = people == 1
    return single
