"""Equal sets to one set with a count, compiled: open addressing, then an order of their own.

The table holds group numbers only. A group is known by its first record, or by its machine word
where the items fit one, so a larger table is filled again from the groups and the old one is not
needed for it. Hashes are mixed without ever leaving a signed machine word.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["distinct_sets", "gather", "lexicographic"]

WORD = 64
"""Items that fit one machine word."""
KEY_BITS = 63
"""Bits of a signed key that is never negative."""

# what is known of a group
FIRST, COUNT, KEY = range(3)


def distinct_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    universe: int,
    weights: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Return offsets and items of the distinct sets in lexicographic order, and their counts.

    Each set counts as its weight, or as 1.
    """
    words, records = universe <= WORD, len(offsets) - 1
    weights = np.empty(0, dtype=np.int64) if weights is None else weights
    table_of, count = (_table_of_words, _count_words) if words else (_table_of_runs, _count_runs)
    # the system gives memory only to the part of an array that is used: one place per group
    known = np.empty((3, records), dtype=np.int64)
    begun = np.zeros(2, dtype=np.int64)
    room = 1 << 10
    while begun[0] < records:
        room = 2 * room
        table = table_of(offsets, items, known[:, : begun[1]], room)
        begun[:] = count(offsets, items, weights, known, table, begun)
        del table  # before a larger one takes its place
    first, counts = known[[FIRST, COUNT], : begun[1]]
    del known
    order = lexicographic(offsets, items, universe, first)
    return *gather(offsets, items, first[order]), counts[order]


def lexicographic(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    universe: int,
    index: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return the order in which the sets at ``index`` ascend by their item numbers, stably.

    A set stands before those that it begins. As many items as fit make one key; only sets that
    begin alike are looked at further.
    """
    index = np.arange(len(offsets) - 1) if index is None else index
    bits = max(1, universe.bit_length())
    at_once, last_item = KEY_BITS // bits, (1 << bits) - 1
    order: NDArray[np.int64] = np.arange(len(index))
    places, group, start = order.copy(), np.zeros_like(order), 0
    while len(places):
        some = order[places]
        keys = _keys(offsets, items, index[some], start, at_once, bits)
        within = np.lexsort((keys, group)) if start else np.argsort(keys, kind="stable")
        order[places], keys, group = some[within], keys[within], group[within]
        fresh = np.ones(len(keys) + 1, dtype=np.bool_)
        fresh[1:-1] = (np.diff(keys) != 0) | (np.diff(group) != 0)
        # equal so far, and the last item that the key has room for is there: more may follow
        alone = fresh[:-1] & fresh[1:]
        tied = np.flatnonzero(~alone & (keys & last_item != 0))
        group = np.cumsum(fresh, dtype=np.int64)[tied]
        places, start = places[tied], start + at_once
    return order


@kernel
def _keys(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64],
    start: int,
    at_once: int,
    bits: int,
) -> NDArray[np.int64]:
    """Return of each set some items from place ``start`` on as one number that sorts as they do."""
    keys = np.zeros(len(index), dtype=np.int64)
    for row in range(len(index)):
        begin = offsets[index[row]] + start
        end = min(begin + at_once, offsets[index[row] + 1])
        key = 0
        for place in range(begin, end):
            key = (key << bits) | (items[place] + 1)
        keys[row] = key << (bits * (at_once - max(0, end - begin)))
    return keys


@kernel
def gather(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    index: NDArray[np.int64] | NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return offsets and items of the sets at ``index``, in that order."""
    taken = np.zeros(len(index) + 1, dtype=np.int64)
    for row in range(len(index)):
        taken[row + 1] = taken[row] + offsets[index[row] + 1] - offsets[index[row]]
    held = np.empty(taken[-1], dtype=np.int32)
    for row in range(len(index)):
        begin = offsets[index[row]]
        for place in range(taken[row + 1] - taken[row]):
            held[taken[row] + place] = items[begin + place]
    return taken, held


@kernel
def _count_words(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    known: NDArray[np.int64],
    table: NDArray[np.int32],
    begun: NDArray[np.int64],
) -> tuple[int, int]:
    """Count sets of up to 64 items until the table is full enough; return record and groups."""
    firsts, counts, words = known[FIRST], known[COUNT], known[KEY].view(np.uint64)
    groups = begun[1]
    for record in range(begun[0], len(offsets) - 1):
        word = np.uint64(0)
        for place in range(offsets[record], offsets[record + 1]):
            word |= np.uint64(1) << np.uint64(items[place])
        slot = _word_slot(table, words, word)
        group = table[slot]
        if group < 0:
            if 3 * groups >= 2 * len(table):
                return record, groups
            group = groups
            table[slot] = group
            words[group] = word
            firsts[group] = record
            counts[group] = 0
            groups += 1
        counts[group] += weights[record] if len(weights) else 1
    return len(offsets) - 1, groups


@kernel
def _word_slot(table: NDArray[np.int32], words: NDArray[np.uint64], word: np.uint64) -> np.int64:
    """Return where in the table the word is, or where it belongs."""
    low = np.int64(word & np.uint64(0xFFFFFFFF))
    high = np.int64(word >> np.uint64(32))
    mixed = low * 0x3C6EF372 + high * 0x1B873593
    slot = (mixed ^ (mixed >> 29)) & (len(table) - 1)
    while table[slot] >= 0 and words[table[slot]] != word:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@kernel
def _table_of_words(
    _offsets: NDArray[np.int64], _items: NDArray[np.int32], known: NDArray[np.int64], size: int
) -> NDArray[np.int32]:
    """Return a table of that size that holds the groups, known by their words."""
    table = np.full(size, -1, dtype=np.int32)
    words = known[KEY].view(np.uint64)
    for group in range(len(words)):
        table[_word_slot(table, words, words[group])] = group
    return table


@kernel
def _count_runs(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    known: NDArray[np.int64],
    table: NDArray[np.int32],
    begun: NDArray[np.int64],
) -> tuple[int, int]:
    """Count sets of any items until the table is full enough; return record and groups."""
    firsts, counts = known[FIRST], known[COUNT]
    last = len(table) - 1
    groups = begun[1]
    for record in range(begun[0], len(offsets) - 1):
        slot = _mixed(items, offsets[record], offsets[record + 1]) & last
        while table[slot] >= 0 and not _same(offsets, items, record, firsts[table[slot]]):
            slot = (slot + 1) & last
        group = table[slot]
        if group < 0:
            if 3 * groups >= 2 * len(table):
                return record, groups
            group = groups
            table[slot] = group
            firsts[group] = record
            counts[group] = 0
            groups += 1
        counts[group] += weights[record] if len(weights) else 1
    return len(offsets) - 1, groups


@kernel
def _mixed(items: NDArray[np.int32], begin: int, end: int) -> int:
    """Return a number that differs between most sets."""
    mixed = end - begin
    for place in range(begin, end):
        mixed = ((mixed ^ items[place]) * 0x1000193) & 0x1FFFFFFFFF
    return mixed ^ (mixed >> 17)


@kernel
def _same(offsets: NDArray[np.int64], items: NDArray[np.int32], record: int, other: int) -> bool:
    """Whether two records hold the same set."""
    one, two, size = offsets[record], offsets[other], offsets[record + 1] - offsets[record]
    if offsets[other + 1] - two != size:
        return False
    place = 0
    while place < size and items[one + place] == items[two + place]:
        place += 1
    return bool(place == size)


@kernel
def _table_of_runs(
    offsets: NDArray[np.int64], items: NDArray[np.int32], known: NDArray[np.int64], size: int
) -> NDArray[np.int32]:
    """Return a table of that size that holds the groups, known by their first records."""
    table = np.full(size, -1, dtype=np.int32)
    firsts = known[FIRST]
    for group in range(len(firsts)):
        slot = _mixed(items, offsets[firsts[group]], offsets[firsts[group] + 1]) & (size - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = group
    return table
