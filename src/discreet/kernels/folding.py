"""Equal sets to one set with a count, in an order of their own, compiled.

Records that repeat a set met lately are added to it first, so little more than the distinct sets is
sorted; what is equal then stands side by side. Sorting goes digit by digit by numbers that ascend
as the sets do: all items of short sets, which are read from it again; the rank among all sets of a
small universe; else as many first items as fit a number, and only sets that begin alike are looked
at further.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.ragged import longest_of
from discreet.kernels.set_numbers import WORD, packed, ranks_of, sets_of, unpacked, words_of

__all__ = ["distinct_sets", "gather", "lexicographic"]

DIGIT = 9
"""Bits that are sorted by at once: so many places to write to side by side stay in fast memory."""
RECENT = 16
"""Two to this power are the places for sets met lately: they fit fast memory."""


def distinct_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    universe: int,
    weights: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Return offsets and items of the distinct sets in lexicographic order, and their counts.

    Each set counts as its weight, or as 1.
    """
    weights = np.empty(0, dtype=np.int64) if weights is None else weights
    bits, longest = _item_bits(universe), longest_of(offsets)
    if bits * longest < WORD:
        keys, counts = _recent(packed(offsets, items, bits, longest), weights)
        counts, keys = _by_key(keys, counts, bits * longest)
        return unpacked(keys, counts, bits, longest)
    if universe <= WORD:
        words, counts = _recent(words_of(offsets, items), weights)
        order, ranks = _by_key(ranks_of(words), np.arange(len(words)), WORD)
        order, counts = _joined_words(ranks, order, counts)
        return *sets_of(words[order]), counts
    first, counts, keys = _recent_runs(offsets, items, bits, weights)
    order, keys = _in_order(offsets, items, universe, first, keys)
    last_item = np.uint64((1 << bits) - 1)
    first, counts = _joined_runs(offsets, items, first, counts, keys, order, last_item)
    return *gather(offsets, items, first), counts


def lexicographic(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    universe: int,
    index: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return the order in which the sets at ``index`` ascend by their item numbers, stably.

    A set stands before those that it begins.
    """
    index = np.arange(len(offsets) - 1) if index is None else index
    keys = _keys(offsets, items, index, 0, _item_bits(universe))
    return _in_order(offsets, items, universe, index, keys)[0]


def _item_bits(universe: int) -> int:
    """Return the bits that tell an item of the universe, or none."""
    return max(1, universe.bit_length())


def _in_order(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    universe: int,
    index: NDArray[np.int64],
    keys: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the order of the sets at ``index``, whose first items the keys tell; sort the keys."""
    bits = _item_bits(universe)
    at_once = WORD // bits
    order, keys = _by_key(keys, np.arange(len(index)), at_once * bits)
    positions, group = _ties(keys, np.zeros_like(keys), bits)
    start = at_once
    while len(positions):
        some = order[positions]
        further = _keys(offsets, items, index[some], start, bits)
        # a copy, for sorting writes over the keys it is given
        within, _ = _by_key(further.copy(), np.arange(len(some)), at_once * bits)
        within, group = _by_key(group[within], within, len(some).bit_length())
        order[positions] = some[within]
        tied, group = _ties(further[within], group, bits)
        start, positions = start + at_once, positions[tied]
    return order, keys


@kernel
def _by_key(
    keys: NDArray[np.uint64], order: NDArray[np.int64], bits: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return ``order`` as the keys ascend, stably, and those keys; only their last bits count.

    Both arrays that are given are written over on the way.
    """
    values, last = 1 << DIGIT, np.uint64((1 << DIGIT) - 1)
    digits = (bits + DIGIT - 1) // DIGIT
    counts = np.zeros((digits, values), dtype=np.int64)
    for position in range(len(keys)):
        for digit in range(digits):
            counts[digit, (keys[position] >> np.uint64(digit * DIGIT)) & last] += 1
    others, order_of_others = np.empty_like(keys), np.empty_like(order)
    for digit in range(digits):
        begin, shift = counts[digit], np.uint64(digit * DIGIT)
        if begin.max() == len(keys):
            continue
        before = 0
        for value in range(values):
            before, begin[value] = before + begin[value], before
        for position in range(len(keys)):
            key = keys[position]
            value = (key >> shift) & last
            to = begin[value]
            begin[value] = to + 1
            others[to] = key
            order_of_others[to] = order[position]
        keys, others = others, keys
        order, order_of_others = order_of_others, order
    return order, keys


@kernel
def _keys(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64],
    start: int,
    bits: int,
) -> NDArray[np.uint64]:
    """Return of each set some items from place ``start`` on as one number that sorts as they do."""
    keys = np.empty(len(index), dtype=np.uint64)
    for row in range(len(index)):
        keys[row] = _key(items, offsets[index[row]] + start, offsets[index[row] + 1], bits)
    return keys


@kernel
def _key(items: NDArray[np.int32], begin: int, end: int, bits: int) -> np.uint64:
    """Return as many items as fit, each one higher than its number, and then nothing: zeros."""
    key, width = np.uint64(0), np.uint64(bits)
    for position in range(begin, begin + WORD // bits):
        key <<= width
        if position < end:
            key |= np.uint64(items[position] + 1)
    return key


@kernel
def _ties(
    keys: NDArray[np.uint64], group: NDArray[np.uint64], bits: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return which keys stand beside equal ones of their group and have room for no more items.

    And for each of them the number of its new group.
    """
    last_item = np.uint64((1 << bits) - 1)
    tied, of = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.uint64)
    ties, groups, begin = 0, 0, 0
    for end in range(1, len(keys) + 1):
        if end < len(keys) and keys[end] == keys[begin] and group[end] == group[begin]:
            continue
        if end - begin > 1 and keys[begin] & last_item:
            for position in range(begin, end):
                tied[ties], of[ties] = position, np.uint64(groups)
                ties += 1
            groups += 1
        begin = end
    return tied[:ties].copy(), of[:ties].copy()


@kernel
def gather(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64] | NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return offsets and items of the sets at ``index``, in that order."""
    taken = np.zeros(len(index) + 1, dtype=np.int64)
    begin = np.empty(len(index), dtype=np.int64)
    # kept, for looking at far places of memory is what takes the time
    for row in range(len(index)):
        begin[row] = offsets[index[row]]
        taken[row + 1] = taken[row] + offsets[index[row] + 1] - begin[row]
    gathered = np.empty(taken[-1], dtype=np.int32)
    for row in range(len(index)):
        for position in range(taken[row + 1] - taken[row]):
            gathered[taken[row] + position] = items[begin[row] + position]
    return taken, gathered


@kernel
def _recent(
    numbers: NDArray[np.uint64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return numbers and their counts; few numbers come again.

    Nobody can foresee which number is new, so there is no branch for that; and numbers are made
    before, since a branch taken wrongly there would make this wait for memory.
    """
    # a place that nothing was put into yet tells the first number, which is right for that one
    recent = np.zeros(1 << RECENT, dtype=np.int64)
    distinct, counts = np.empty_like(numbers), np.zeros(len(numbers), dtype=np.int64)
    distinct[:1] = numbers[:1]
    groups = len(distinct[:1])
    for row in range(len(numbers)):
        number = numbers[row]
        slot = _slot(number)
        met = recent[slot]
        group = met if distinct[met] == number else groups
        recent[slot] = group
        distinct[group] = number
        counts[group] += weights[row] if len(weights) else 1
        groups += group == groups
    return distinct[:groups], counts[:groups]


@kernel
def _slot(word: np.uint64) -> np.int64:
    """Return the place of a word among the recent ones, without leaving a signed number."""
    low, high = np.int64(word & np.uint64(0xFFFFFFFF)), np.int64(word >> np.uint64(32))
    mixed = low * 0x3C6EF372 + high * 0x1B873593
    return (mixed ^ (mixed >> 29)) & ((1 << RECENT) - 1)


@kernel
def _joined_words(
    ranks: NDArray[np.uint64], order: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return one place for each run of equal ranks, and the sum of its counts."""
    sums = np.zeros(len(order), dtype=np.int64)
    distinct = 0
    for position in range(len(order)):
        if position == 0 or ranks[position] != ranks[position - 1]:
            order[distinct] = order[position]
            distinct += 1
        sums[distinct - 1] += counts[order[position]]
    return order[:distinct], sums[:distinct].copy()


@kernel
def _recent_runs(
    offsets: NDArray[np.int64], items: NDArray[np.int32], bits: int, weights: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    """Return first records of sets, counts and keys of first items; few sets come again."""
    recent = np.full(1 << RECENT, -1, dtype=np.int64)
    first = np.empty(len(offsets) - 1, dtype=np.int64)
    counts = np.empty(len(offsets) - 1, dtype=np.int64)
    keys = np.empty(len(offsets) - 1, dtype=np.uint64)
    groups = 0
    for record in range(len(offsets) - 1):
        begin, end = offsets[record], offsets[record + 1]
        key = _key(items, begin, end, bits)
        slot = _slot(key)
        for position in range(begin + WORD // bits, end):
            slot = ((slot ^ items[position]) * 0x1000193) & 0x1FFFFFFFFF
        slot = (slot ^ (slot >> 17)) & ((1 << RECENT) - 1)
        group = recent[slot]
        if group < 0 or keys[group] != key or not _same(offsets, items, record, first[group]):
            group = groups
            recent[slot] = group
            first[group] = record
            counts[group] = 0
            keys[group] = key
            groups += 1
        counts[group] += weights[record] if len(weights) else 1
    return first[:groups], counts[:groups], keys[:groups]


@kernel
def _same(offsets: NDArray[np.int64], items: NDArray[np.int32], record: int, other: int) -> bool:
    """Whether two records hold the same set."""
    one, two, size = offsets[record], offsets[other], offsets[record + 1] - offsets[record]
    if offsets[other + 1] - two != size:
        return False
    position = 0
    while position < size and items[one + position] == items[two + position]:
        position += 1
    return bool(position == size)


@kernel
def _joined_runs(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    first: NDArray[np.int64],
    counts: NDArray[np.int64],
    keys: NDArray[np.uint64],
    order: NDArray[np.int64],
    last_item: np.uint64,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a record for each run of equal sets, and the sum of their counts."""
    records, sums = np.empty_like(order), np.zeros(len(order), dtype=np.int64)
    distinct = 0
    for position in range(len(order)):
        record = first[order[position]]
        again = position > 0 and keys[position] == keys[position - 1]
        # a key with room left for an item tells the whole set
        if again and keys[position] & last_item:
            again = _same(offsets, items, record, records[distinct - 1])
        if not again:
            records[distinct] = record
            distinct += 1
        sums[distinct - 1] += counts[order[position]]
    return records[:distinct].copy(), sums[:distinct].copy()
