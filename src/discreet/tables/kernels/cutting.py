"""Cutting a table into ever smaller classes, as long as every class keeps what is asked of it."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.tables.kernels.even_cuts import Columns, all_keep, best_cut, groups_of, two_parts
from discreet.tables.kernels.keeping import ClassRules, Entries
from discreet.tables.kernels.uneven_cuts import cut_unevenly

__all__ = ["cut_up"]


@kernel
def _widths(
    columns: Columns, members: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return how far apart the codes of a class stand, attribute by attribute."""
    widths = np.zeros(len(columns.codes))
    for attribute in range(len(widths)):
        codes = columns.codes[attribute]
        low = high = codes[rows[members[0]]]
        for entry in members:
            code = codes[rows[entry]]
            low, high = min(low, code), max(high, code)
        widths[attribute] = columns.positions[attribute, high] - columns.positions[attribute, low]
    return widths


@kernel
def _halved(
    ranked: NDArray[np.int64], entries: Entries, used: int
) -> tuple[NDArray[np.int64], int]:
    """Return entries in two halves of equally many people, and where the second one begins.

    An entry that lies in both is divided: its second piece is the entry ``used``.
    """
    rows, people = entries.rows, entries.people
    half = people[ranked].sum() // 2
    before, at = 0, 0
    while before + people[ranked[at]] <= half:
        before += people[ranked[at]]
        at += 1
    if before == half:
        return ranked, at
    entry = ranked[at]
    rows[used], people[used] = rows[entry], people[entry] - (half - before)
    people[entry] = half - before
    divided = np.empty(len(ranked) + 1, dtype=np.int64)
    divided[: at + 1] = ranked[: at + 1]
    divided[at + 1] = used
    divided[at + 2 :] = ranked[at + 1 :]
    return divided, at + 1


@kernel
def _cut_along(
    columns: Columns,
    attribute: int,
    members: NDArray[np.int64],
    entries: Entries,
    used: int,
    rules: ClassRules,
    relaxed: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the entries of a class in order, and the part of each; no parts where no cut keeps.

    Relaxed, an entry may be divided: then ``used`` is one of the entries.
    """
    codes = columns.codes[attribute][entries.rows[members]]
    ranking = np.argsort(codes, kind="mergesort")
    ranked = members[ranking]
    parts = groups_of(codes[ranking], columns.levels[attribute], columns.heights[attribute])
    if columns.heights[attribute] > 0:
        return ranked, parts if all_keep(ranked, parts, entries, rules) else parts[:0]
    if relaxed:
        divided, at = _halved(ranked, entries, used)
        halves = two_parts(len(divided), at)
        enough = entries.people[divided[:at]].sum() >= rules.least
        if enough and all_keep(divided, halves, entries, rules):
            return divided, halves
        if len(divided) > len(ranked):
            entries.people[ranked[at - 1]] += entries.people[used]
    at = best_cut(ranked, parts, entries, rules)
    return ranked, two_parts(len(ranked), at) if at > 0 else parts[:0]


@kernel
def _put_apart(
    classes: list[NDArray[np.int64]], members: NDArray[np.int64], parts: NDArray[np.int64]
) -> None:
    """Add each part of some entries to the classes that are still to be cut."""
    start = 0
    for end in range(1, len(members) + 1):
        if end == len(members) or parts[end] != parts[end - 1]:
            classes.append(members[start:end].copy())
            start = end


@kernel
def cut_up(
    columns: Columns,
    counts: NDArray[np.int64],
    first: NDArray[np.int64],
    rules: ClassRules,
    relaxed: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Cut rows into classes and return row, people and class of each entry.

    ``first`` are the parts to start from, ascending. A cut is along the attribute that is widest
    in its class and has a cut that keeps the rules; where there is none, it is an uneven one.
    Relaxed, equal values may be divided, so a row can have several entries.
    """
    used = len(counts)
    room = used + (rules.total // rules.least + 1 if relaxed else 0)
    entries = Entries(np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64))
    entries.rows[:used], entries.people[:used] = np.arange(used), counts
    class_of = np.full(room, -1, dtype=np.int64)
    classes = 0
    # a list that is never empty, so that its type is known
    uncut = [np.empty(0, dtype=np.int64)]
    _put_apart(uncut, np.arange(used), first)
    while len(uncut) > 1:
        members = uncut.pop()
        ranked, parts = members, members[:0]
        widths = _widths(columns, members, entries.rows)
        widest = np.argsort(-widths, kind="mergesort")
        for attribute in widest:
            if len(parts) == 0 and widths[attribute] > 0:
                ranked, parts = _cut_along(
                    columns, attribute, members, entries, used, rules, relaxed
                )
        for attribute in widest:
            if len(parts) == 0 and widths[attribute] > 0:
                ranked, parts = cut_unevenly(columns, attribute, members, entries, rules)
        if len(parts) == 0:
            class_of[members] = classes
            classes += 1
        else:
            used += len(ranked) - len(members)
            _put_apart(uncut, ranked, parts)
    return entries.rows[:used], entries.people[:used], class_of[:used]
