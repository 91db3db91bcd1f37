"""Rules that are too sure: from what can be known to a sensitive item that then follows.

Records stand three times: as lists of their items, for each item as the list of the records that
held it at first, and for each item as a row of bits; only the bits change when an occurrence is
deleted. For one sensitive item the antecedents tried are the intersections of the records that
hold it, met one by one and once each; what is above one that breaks the bound is not tried, for
it will change. The work follows the lists, never the number of all records or items.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.beside import Beside, beside_of, positives_of
from discreet.networks.kernels.holders import (
    Incidence,
    broken,
    harmless,
    holds,
    holds_all,
    least,
    others_with,
    rarest,
    shell_sort,
)

# where on a level of the search the numbers that it adds, its positives, its other records and the
# numbers by which it may grow begin, up to those of the next level; and whose turn it is
CLOSURE, EXTENT, OTHERS, GROW, TURN = range(5)


@kernel
def too_sure(
    index: Incidence,
    s: int,
    must: int,
    usable: NDArray[np.bool_],
    bound: NDArray[np.int64],
    limit: int,
) -> tuple[bool, NDArray[np.int64], NDArray[np.int64]]:
    """Return up to ``limit`` rules that end in item ``s`` and break the bound.

    Items are left out of each antecedent, one after the other, where the rule stays too sure.
    Only antecedents with item ``must`` are tried, unless that is -1. Returns whether all
    antecedents could be tried, where each antecedent begins, and the items of all of them.
    """
    every, positives = positives_of(index, s, must)
    n_pos = len(positives)
    if n_pos <= 2:  # one rule for each of them and one for both; nothing lies between
        limit = min(limit, n_pos + 1)
    starts = np.zeros(limit + 1, dtype=np.int64)
    if n_pos == 0:
        return True, starts[:1], starts[:0]
    beside = beside_of(index, s, positives, usable)
    total = len(beside.items)
    longest = 0
    for p in range(n_pos):
        longest = max(longest, beside.starts[p + 1] - beside.starts[p])
    out = np.empty(limit * longest, dtype=np.int64)
    rule = np.empty(longest, dtype=np.int64)
    n_rules = 0
    # first all positives at once, then each for itself, which finds most of what is wrong; only
    # where that finds nothing, everything between
    for p in range(-1, n_pos if n_pos > 1 else 0):
        if p + 2 > bound[4]:
            return False, starts[: n_rules + 1], out[: starts[n_rules]]
        size = 0
        if p < 0:
            with_it = n_pos
            for k in range(total):
                if beside.first[k + 1] - beside.first[k] == n_pos:
                    rule[size] = beside.items[k]
                    size += 1
        else:
            with_it = 1
            for e in range(beside.starts[p], beside.starts[p + 1]):
                rule[size] = beside.items[beside.numbers[e]]
                size += 1
        most = harmless(with_it, bound)
        without = bound[3] - every
        if size:
            without = others_with(index, s, rule[:size], most)
        if broken(with_it, without, bound):
            size = least(index, s, every, rule, size, bound)
            for k in range(size):
                out[starts[n_rules] + k] = rule[k]
            n_rules += 1
            starts[n_rules] = starts[n_rules - 1] + size
            if n_rules == limit:
                break
    complete = True
    if n_rules == 0 and n_pos > 2:
        complete, n_rules = _between(index, s, every, beside, bound, (starts, out, rule))
    return complete, starts[: n_rules + 1], out[: starts[n_rules]]


class _Room(NamedTuple):
    """Room for each number of what positives hold."""

    holding: NDArray[np.int64]
    """How many positives of an entry hold it; zeros between two entries."""
    touched: NDArray[np.int64]
    """The numbers that some of them hold."""
    inside: NDArray[np.bool_]
    """Whether it belongs to the antecedent on top of the stack."""
    closure: NDArray[np.int64]
    """The numbers of that antecedent, entry by entry."""


@kernel
def _room_for(total: int) -> _Room:
    """Return room for so many numbers."""
    return _Room(
        np.zeros(total, dtype=np.int64),
        np.empty(total, dtype=np.int64),
        np.zeros(total, dtype=np.bool_),
        np.empty(total, dtype=np.int64),
    )


@kernel
def with_room(numbers: NDArray[np.int64], used: int, more: int) -> NDArray[np.int64]:
    """Return numbers with room for some more behind those that are used, longer where needed."""
    if used + more <= len(numbers):
        return numbers
    longer = np.empty(2 * (used + more), dtype=np.int64)
    longer[:used] = numbers[:used]
    return longer


@kernel
def _count(beside: Beside, positives: NDArray[np.int64], room: _Room) -> int:
    """Count what these positives hold; return how many numbers they hold at all."""
    starts, numbers, count, touched = beside.starts, beside.numbers, room.holding, room.touched
    n_touched = 0
    for p in positives:
        for e in range(starts[p], starts[p + 1]):
            k = numbers[e]
            if count[k] == 0:
                touched[n_touched] = k
                n_touched += 1
            count[k] += 1
    return n_touched


@kernel
def _close(
    room: _Room, n_touched: int, size: int, by: int, grow: NDArray[np.int64], ends: tuple[int, int]
) -> tuple[bool, int, int]:
    """Write what all positives of an entry hold and what several do, and forget the counts.

    Return whether the entry was not met before, by an earlier number, and where both lists end.
    """
    count, touched, inside, closure = room.holding, room.touched, room.inside, room.closure
    c, g = ends
    fresh = True
    for t in range(n_touched):
        k = touched[t]
        if not inside[k]:
            if count[k] == size:
                closure[c] = k
                c += 1
                fresh = fresh and k >= by
            elif count[k] > 1 and k > by:
                grow[g] = k
                g += 1
        count[k] = 0
    return fresh, c, g


@kernel
def _left(
    bits: NDArray[np.uint64],
    s: int,
    added: NDArray[np.int64],
    candidates: NDArray[np.int64],
    span: tuple[int, int],
    others: NDArray[np.int64],
    o: int,
) -> int:
    """Write from ``o`` on the candidates that hold the added items and not ``s``; return the end.

    ``candidates`` may be ``others`` itself.
    """
    for e in range(span[0], span[1]):
        r = candidates[e]
        if not holds(bits, s, r) and holds_all(bits, added, r):
            others[o] = r
            o += 1
    return o


@kernel
def _others(
    index: Incidence,
    s: int,
    added: NDArray[np.int64],
    stack: NDArray[np.int64],
    level: int,
    others: NDArray[np.int64],
) -> tuple[NDArray[np.int64], int]:
    """Write the records without ``s`` that hold the antecedent on top; return them and their end.

    They are among those of the entry below or, of the first antecedent that has any items, among
    those that held its rarest item at first.
    """
    begin = stack[level, OTHERS]
    candidates, span = others, (stack[level - 1, OTHERS], begin)
    if stack[level, CLOSURE] == 0:
        rare = rarest(index.ends, added)
        candidates, span = index.rows, (index.ends[rare], index.ends[rare + 1])
    others = with_room(others, begin, span[1] - span[0])
    return others, _left(index.bits, s, added, candidates, span, others, begin)


@kernel
def _note(
    index: Incidence,
    s: int,
    every: int,
    beside: Beside,
    inside: NDArray[np.bool_],
    bound: NDArray[np.int64],
    into: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    rules: int,
) -> None:
    """Write the antecedent on top of the stack behind so many rules, without what it can spare."""
    starts, out, rule = into
    antecedent = beside.items[np.flatnonzero(inside)]
    rule[: len(antecedent)] = antecedent
    size = least(index, s, every, rule, len(antecedent), bound)
    out[starts[rules] : starts[rules] + size] = rule[:size]
    starts[rules + 1] = starts[rules] + size


@kernel
def _pop(stack: NDArray[np.int64], level: int, room: _Room) -> int:
    """Leave the entries that can grow no more; return how many are left."""
    while level > 0 and stack[level - 1, TURN] == stack[level, GROW]:
        level -= 1
        for t in range(stack[level, CLOSURE], stack[level + 1, CLOSURE]):
            room.inside[room.closure[t]] = False
    return level


@kernel
def _grown(
    bits: NDArray[np.uint64],
    beside: Beside,
    extent: NDArray[np.int64],
    span: tuple[int, int],
    by: int,
) -> int:
    """Write behind these positives those of them that hold one number more; return how many."""
    begin, end = span
    size = 0
    if begin == 0:
        for e in range(beside.first[by], beside.first[by + 1]):
            extent[end + size] = beside.holders[e]
            size += 1
        return size
    item = beside.items[by]
    for x in range(begin, end):
        r = beside.positives[extent[x]]
        if holds(bits, item, r):
            extent[end + size] = extent[x]
            size += 1
    return size


@kernel
def _between(
    index: Incidence,
    s: int,
    every: int,
    beside: Beside,
    bound: NDArray[np.int64],
    into: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
) -> tuple[bool, int]:
    """Write the rules whose antecedents several positives share; return how many.

    Antecedents stand on a stack, each with its positives, the other records that hold it, what
    it adds to the one below it, and the numbers by which it may still grow.
    """
    n_pos, total = len(beside.positives), len(beside.items)
    deep, limit = len(into[2]) + 2, len(into[0]) - 1
    room = _room_for(total)
    stack = np.zeros((deep + 1, 5), dtype=np.int64)
    extent, others = np.empty(2 * n_pos, dtype=np.int64), np.empty(64, dtype=np.int64)
    grow = np.empty(2 * total, dtype=np.int64)
    extent[:n_pos] = np.arange(n_pos)
    tried, rules, level, size, by = n_pos + 1, 0, 0, n_pos, -1
    while True:
        here, above = stack[level], stack[level + 1]
        n_touched = _count(beside, extent[here[EXTENT] : here[EXTENT] + size], room)
        grow = with_room(grow, here[GROW], n_touched)
        ends = (here[CLOSURE], here[GROW])
        fresh, c, g = _close(room, n_touched, size, by, grow, ends)
        if fresh:
            tried += 1
            if tried > bound[4]:
                return False, rules
            added = room.closure[here[CLOSURE] : c]
            room.inside[added] = True
            # the other records with the antecedent; all others are not written down
            o, n_others = here[OTHERS], bound[3] - every
            if c > 0:
                others, o = _others(index, s, beside.items[added], stack, level, others)
                n_others = o - here[OTHERS]
            above[CLOSURE], above[EXTENT], above[OTHERS] = c, here[EXTENT] + size, o
            here[TURN], above[GROW] = here[GROW], g
            if broken(size, n_others, bound):
                _note(index, s, every, beside, room.inside, bound, into, rules)
                rules += 1
                if rules == limit:
                    return True, rules
                above[GROW] = here[GROW]
            else:
                shell_sort(grow, here[GROW], g)
            level += 1
        # the next entry: the one on top grown by its next number, or one below it
        level = _pop(stack, level, room)
        if level == 0:
            return True, rules
        by = grow[stack[level - 1, TURN]]
        stack[level - 1, TURN] += 1
        span = (stack[level - 1, EXTENT], stack[level, EXTENT])
        extent = with_room(extent, span[1], span[1] - span[0])
        size = _grown(index.bits, beside, extent, span, by)
