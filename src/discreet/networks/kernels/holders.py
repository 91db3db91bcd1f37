"""Who holds what, as compiled code asks: how many records hold some items, with another or not."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

BOUND = 5
"""What a bound holds: rho's numerator and denominator, 1 if rho itself is too high, the number of
records, and how many antecedents may be tried."""

_ONE = np.uint64(1)


class Incidence(NamedTuple):
    """Who holds what."""

    offsets: NDArray[np.int64]
    """Where each record's items begin, and the end of the last."""
    items: NDArray[np.int32]
    """The items that each record held at first."""
    bits: NDArray[np.uint64]
    """For each item the records that hold it now."""
    ends: NDArray[np.int64]
    """Where each item's records begin, and the end of the last."""
    rows: NDArray[np.int64]
    """The records that held each item at first, ascending."""
    blank: NDArray[np.int64]
    """A zero for each item: room to count in, left as it was found."""


@kernel
def broken(with_it: int, without: int, bound: NDArray[np.int64]) -> bool:
    """Whether so many records with the sensitive item beside so many without are too many."""
    left, right = with_it * bound[1], bound[0] * (with_it + without)
    return bool(left > right or (bound[2] != 0 and left == right))


@kernel
def harmless(with_it: int, bound: NDArray[np.int64]) -> int:
    """Return how many other records are surely enough beside so many with the item."""
    return int(bound[3] if bound[0] == 0 else with_it * bound[1] // bound[0] + 1)


@kernel
def shell_sort(numbers: NDArray[np.int64], begin: int, end: int) -> None:
    """Sort a part of the numbers in place (Shell)."""
    gap = 1
    while gap < (end - begin) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(begin + gap, end):
            x, b = numbers[a], a
            while b >= begin + gap and numbers[b - gap] > x:
                numbers[b] = numbers[b - gap]
                b -= gap
            numbers[b] = x
        gap //= 3


@kernel
def holds(bits: NDArray[np.uint64], item: int, record: int) -> bool:
    """Whether a record holds an item now."""
    return bool((bits[item, record >> 6] >> np.uint64(record & 63)) & _ONE)


@kernel
def holds_all(bits: NDArray[np.uint64], items: NDArray[np.int64], record: int) -> bool:
    """Whether a record holds all of the items now."""
    word, shift = record >> 6, np.uint64(record & 63)
    k = 0
    while k < len(items) and (bits[items[k], word] >> shift) & _ONE:
        k += 1
    return k == len(items)


@kernel
def put_in(bits: NDArray[np.uint64], item: int, record: int) -> None:
    """Let a record hold an item."""
    bits[item, record >> 6] |= _ONE << np.uint64(record & 63)


@kernel
def take_out(bits: NDArray[np.uint64], item: int, record: int) -> None:
    """Let a record no longer hold an item."""
    bits[item, record >> 6] &= ~(_ONE << np.uint64(record & 63))


@kernel
def rarest(ends: NDArray[np.int64], items: NDArray[np.int64]) -> int:
    """Return the one of the items, of which there must be one, that the fewest held at first."""
    rare = items[0]
    for k in range(1, len(items)):
        if ends[items[k] + 1] - ends[items[k]] < ends[rare + 1] - ends[rare]:
            rare = items[k]
    return int(rare)


@kernel
def others_with(index: Incidence, s: int, known: NDArray[np.int64], most: int) -> int:
    """Return how many records hold the known items, of which there must be one, and not ``s``.

    Counts no further than one more than ``most``.
    """
    bits, ends, rows = index.bits, index.ends, index.rows
    rare = rarest(ends, known)
    others = 0
    for e in range(ends[rare], ends[rare + 1]):
        r = rows[e]
        if not holds(bits, s, r) and holds_all(bits, known, r):
            others += 1
            if others > most:
                break
    return others


@kernel
def _with(index: Incidence, s: int, known: NDArray[np.int64]) -> int:
    """Return how many records hold the known items and ``s``."""
    bits, ends, rows = index.bits, index.ends, index.rows
    count = 0
    for e in range(ends[s], ends[s + 1]):
        count += holds(bits, s, rows[e]) and holds_all(bits, known, rows[e])
    return count


@kernel
def _by_turn(
    index: Incidence, rule: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort the records with a rule's first item by the first item of the rule that each lacks.

    Returns where the records of each place in the rule begin, with the end of the last, and the
    records.
    """
    bits, rows = index.bits, index.rows
    begin, end = index.ends[rule[0]], index.ends[rule[0] + 1]
    lacks = np.empty(end - begin, dtype=np.int64)
    waiting = np.zeros(len(rule) + 2, dtype=np.int64)
    for e in range(begin, end):
        k = 0
        while k < len(rule) and holds(bits, rule[k], rows[e]):
            k += 1
        lacks[e - begin] = k
        waiting[k + 1] += 1
    for k in range(len(rule) + 1):
        waiting[k + 1] += waiting[k]
    turn = np.empty(end - begin, dtype=np.int64)
    fill = waiting.copy()
    for e in range(end - begin):
        turn[fill[lacks[e]]] = rows[begin + e]
        fill[lacks[e]] += 1
    return waiting, turn


@kernel
def least(
    index: Incidence,
    s: int,
    every: int,
    rule: NDArray[np.int64],
    size: int,
    bound: NDArray[np.int64],
) -> int:
    """Leave out of a rule, its last items first, what it does not need; return what is left.

    Each record with the first item is looked at once, when the first of its items that the record
    lacks has its turn: only then can the record come to fit.
    """
    if size == 0:
        return 0
    waiting, turn = _by_turn(index, rule[:size])
    with_it, without, start = 0, 0, size  # what is kept stands at the end of the rule
    for drop in range(size, 0, -1):
        more_with, more_without = 0, 0
        for t in range(waiting[drop], waiting[drop + 1]):
            if holds_all(index.bits, rule[start:size], turn[t]):
                if holds(index.bits, s, turn[t]):
                    more_with += 1
                else:
                    more_without += 1
        if drop == size or broken(with_it + more_with, without + more_without, bound):
            with_it += more_with
            without += more_without
        else:
            start -= 1
            rule[start] = rule[drop]
    # without the first item every record may fit; more than ``most`` others and it is not sure
    most = harmless(every, bound)
    if start < size:
        without = others_with(index, s, rule[start:size], most)
        with_it = _with(index, s, rule[start:size])
    else:
        with_it, without = every, bound[3] - every
    if without > most or not broken(with_it, without, bound):
        start -= 1
        rule[start] = rule[0]
    for k in range(start, size):
        rule[k - start] = rule[k]
    return size - start
