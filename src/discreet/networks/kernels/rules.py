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
from discreet.networks.kernels.holders import (
    Held,
    broken,
    harmless,
    least,
    others_with,
    shell_sort,
)

__all__ = ["too_sure"]

_ONE = np.uint64(1)


class _Beside(NamedTuple):
    """What the positives, the records with the sensitive item, hold beside it.

    Their items are numbered anew, the rarest among them first.
    """

    items: NDArray[np.int64]
    """The item behind each number."""
    positives: NDArray[np.int64]
    """The record of each positive."""
    starts: NDArray[np.int64]
    """Where each positive's numbers begin, and the end of the last."""
    numbers: NDArray[np.int64]
    """The numbers that each positive holds, ascending."""
    first: NDArray[np.int64]
    """Where each number's positives begin, and the end of the last."""
    holders: NDArray[np.int64]
    """The positives that hold each number, ascending."""


@kernel
def _positives(held: Held, s: int, must: int) -> tuple[int, NDArray[np.int64]]:
    """Return how many records hold ``s``, and those of them that hold ``must`` if it is one."""
    bits = held.bits
    found = np.empty(held.ends[s + 1] - held.ends[s], dtype=np.int64)
    every, at = 0, 0
    for e in range(held.ends[s], held.ends[s + 1]):
        r = held.rows[e]
        word, shift = r >> 6, np.uint64(r & 63)
        if (bits[s, word] >> shift) & _ONE:
            every += 1
            if must < 0 or (bits[must, word] >> shift) & _ONE:
                found[at] = r
                at += 1
    return every, found[:at]


@kernel
def _beside(held: Held, s: int, positives: NDArray[np.int64], usable: NDArray[np.bool_]) -> _Beside:
    """Return what the positives hold beside ``s``."""
    offsets, items, bits, seen = held.offsets, held.items, held.bits, held.blank
    n_pos, n_items = len(positives), len(seen)
    most = 0
    for p in range(n_pos):
        most += offsets[positives[p] + 1] - offsets[positives[p]]
    met = np.empty(most, dtype=np.int64)
    starts = np.zeros(n_pos + 1, dtype=np.int64)
    total, at = 0, 0
    for p in range(n_pos):
        r = positives[p]
        for e in range(offsets[r], offsets[r + 1]):
            i = items[e]
            if i != s and usable[i] and (bits[i, r >> 6] >> np.uint64(r & 63)) & _ONE:
                if seen[i] == 0:
                    met[total] = i
                    total += 1
                seen[i] += 1
                at += 1
        starts[p + 1] = at
    for k in range(total):
        met[k] += seen[met[k]] * n_items
    order = met[:total]
    shell_sort(order, 0, total)
    first = np.zeros(total + 1, dtype=np.int64)
    fill = np.empty(total, dtype=np.int64)
    for k in range(total):
        often = order[k] // n_items
        order[k] -= often * n_items
        fill[k] = first[k]
        first[k + 1] = first[k] + often
        seen[order[k]] = k
    holders = np.empty(at, dtype=np.int64)
    for p in range(n_pos):
        r = positives[p]
        for e in range(offsets[r], offsets[r + 1]):
            i = items[e]
            if i != s and usable[i] and (bits[i, r >> 6] >> np.uint64(r & 63)) & _ONE:
                k = seen[i]
                holders[fill[k]] = p
                fill[k] += 1
    numbers = np.empty(at, dtype=np.int64)
    place = starts.copy()
    for k in range(total):
        seen[order[k]] = 0
        for e in range(first[k], first[k + 1]):
            p = holders[e]
            numbers[place[p]] = k
            place[p] += 1
    return _Beside(order, positives, starts, numbers, first, holders)


@kernel
def too_sure(
    held: Held,
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
    every, positives = _positives(held, s, must)
    starts = np.zeros(limit + 1, dtype=np.int64)
    if len(positives) == 0:
        return True, starts[:1], starts[:0]
    beside = _beside(held, s, positives, usable)
    n_pos, total = len(positives), len(beside.items)
    longest = 0
    for p in range(n_pos):
        longest = max(longest, beside.starts[p + 1] - beside.starts[p])
    out = np.empty(limit * longest, dtype=np.int64)
    rule = np.empty(longest, dtype=np.int64)
    found = 0
    # first all positives at once, then each for itself, which finds most of what is wrong; only
    # where that finds nothing, everything between
    for p in range(-1, n_pos):
        if p + 2 > bound[4]:
            return False, starts[: found + 1], out[: starts[found]]
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
            without = others_with(held, s, rule, size, most)
        if broken(with_it, without, bound):
            size = least(held, s, every, rule, size, bound)
            for k in range(size):
                out[starts[found] + k] = rule[k]
            found += 1
            starts[found] = starts[found - 1] + size
            if found == limit:
                break
    complete = True
    if found == 0:
        complete, found = _between(held, s, every, beside, bound, (starts, out, rule))
    return complete, starts[: found + 1], out[: starts[found]]


@kernel
def _longer(old: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    new = np.empty(2 * size, dtype=np.int64)
    for k in range(len(old)):
        new[k] = old[k]
    return new


@kernel
def _between(
    held: Held,
    s: int,
    every: int,
    beside: _Beside,
    bound: NDArray[np.int64],
    into: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
) -> tuple[bool, int]:
    """Write the rules whose antecedents several positives share; return how many.

    Antecedents stand on a stack, each with its positives, the other records that hold it, what
    it adds to the one below it, and the numbers by which it may still grow.
    """
    starts, out, rule = into
    items, bits = beside.items, held.bits
    n_pos, total = len(beside.positives), len(items)
    deep, limit = len(rule) + 2, len(starts) - 1
    count = np.zeros(total, dtype=np.int64)
    touched = np.empty(total, dtype=np.int64)
    inside = np.zeros(total, dtype=np.bool_)
    closure = np.empty(total, dtype=np.int64)
    # where each entry's part of a list begins; it ends where the next one's begins
    c_at = np.zeros(deep + 1, dtype=np.int64)
    x_at = np.zeros(deep + 1, dtype=np.int64)
    o_at = np.zeros(deep + 1, dtype=np.int64)
    g_at = np.zeros(deep + 1, dtype=np.int64)
    turn = np.zeros(deep, dtype=np.int64)
    extent = np.empty(2 * n_pos, dtype=np.int64)
    others = np.empty(64, dtype=np.int64)
    grow = np.empty(2 * total, dtype=np.int64)
    tried, found, level = n_pos + 1, 0, 0
    by = -1
    for p in range(n_pos):
        extent[p] = p
    size = n_pos
    while level >= 0:
        # what all positives of the entry hold, and what several do
        fresh, n_touched = True, 0
        for x in range(x_at[level], x_at[level] + size):
            p = extent[x]
            for e in range(beside.starts[p], beside.starts[p + 1]):
                k = beside.numbers[e]
                if count[k] == 0:
                    touched[n_touched] = k
                    n_touched += 1
                count[k] += 1
        g, c = g_at[level], c_at[level]
        if g + n_touched > len(grow):
            grow = _longer(grow, g + n_touched)
        for t in range(n_touched):
            k = touched[t]
            if not inside[k]:
                if count[k] == size:
                    closure[c] = k
                    c += 1
                    # met before, by the earlier number
                    fresh = fresh and k >= by
                elif count[k] > 1 and k > by:
                    grow[g] = k
                    g += 1
            count[k] = 0
        if fresh:
            tried += 1
            if tried > bound[4]:
                return False, found
            for t in range(c_at[level], c):
                inside[closure[t]] = True
            # the other records with the antecedent; all others are not written down
            o = o_at[level]
            n_others = bound[3] - every
            if c > 0:
                if c_at[level] == 0:
                    rare = items[closure[0]]
                    for t in range(1, c):
                        i = items[closure[t]]
                        if held.ends[i + 1] - held.ends[i] < held.ends[rare + 1] - held.ends[rare]:
                            rare = i
                    low, high = held.ends[rare], held.ends[rare + 1]
                else:
                    low, high = o_at[level - 1], o
                if o + high - low > len(others):
                    others = _longer(others, o + high - low)
                for e in range(low, high):
                    r = held.rows[e] if c_at[level] == 0 else others[e]
                    word, shift = r >> 6, np.uint64(r & 63)
                    fits, t = (bits[s, word] >> shift) & _ONE == 0, c_at[level]
                    while fits and t < c:
                        fits = (bits[items[closure[t]], word] >> shift) & _ONE != 0
                        t += 1
                    if fits:
                        others[o] = r
                        o += 1
                n_others = o - o_at[level]
            x_at[level + 1] = x_at[level] + size
            c_at[level + 1], o_at[level + 1] = c, o
            turn[level] = g_at[level]
            g_at[level + 1] = g
            if broken(size, n_others, bound):
                many = 0
                for k in range(total):
                    if inside[k]:
                        rule[many] = items[k]
                        many += 1
                many = least(held, s, every, rule, many, bound)
                for k in range(many):
                    out[starts[found] + k] = rule[k]
                found += 1
                starts[found] = starts[found - 1] + many
                if found == limit:
                    return True, found
                g_at[level + 1] = g_at[level]
            else:
                shell_sort(grow, g_at[level], g)
            level += 1
        # the next entry: the one on top grown by its next number, or one below it
        while level > 0 and turn[level - 1] == g_at[level]:
            level -= 1
            for t in range(c_at[level], c_at[level + 1]):
                inside[closure[t]] = False
        if level == 0:
            break
        by = grow[turn[level - 1]]
        turn[level - 1] += 1
        size = 0
        at = x_at[level]
        if at + x_at[level] - x_at[level - 1] > len(extent):
            extent = _longer(extent, at + x_at[level] - x_at[level - 1])
        if level == 1:
            for e in range(beside.first[by], beside.first[by + 1]):
                extent[at + size] = beside.holders[e]
                size += 1
        else:
            for x in range(x_at[level - 1], x_at[level]):
                r = beside.positives[extent[x]]
                if (bits[items[by], r >> 6] >> np.uint64(r & 63)) & _ONE:
                    extent[at + size] = extent[x]
                    size += 1
    return True, found
