"""Cuts of a class where no even one is left: some children of a node, words in any order."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.tables.kernels.even_cuts import Columns, best_cut, groups_of, two_parts
from discreet.tables.kernels.keeping import ClassRules, Entries, counted, keeps

__all__ = ["cut_unevenly"]

FEW_WORDS = 10
"""So many words are divided in every way where values are to be alike in both parts."""


@kernel
def _runs(parts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each run of equal parts begins, and after the last one where it ends."""
    starts = np.empty(len(parts) + 1, dtype=np.int64)
    starts[0], runs = 0, 1
    for at in range(1, len(parts)):
        if parts[at] != parts[at - 1]:
            starts[runs] = at
            runs += 1
    starts[runs] = len(parts)
    return starts[: runs + 1]


@kernel
def _in_order(
    ranked: NDArray[np.int64], starts: NDArray[np.int64], order: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return entries with their runs in another order."""
    arranged, at = np.empty_like(ranked), 0
    for run in order:
        for entry in ranked[starts[run] : starts[run + 1]]:
            arranged[at] = entry
            at += 1
    return arranged


@kernel
def _some_apart(
    ranked: NDArray[np.int64],
    starts: NDArray[np.int64],
    people: NDArray[np.int64],
    entries: Entries,
    rules: ClassRules,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return entries with a part for each run that can go, largest first; the others are one part.

    A run can go if it keeps the rules alone, and what is left without it does.
    """
    runs = len(people)
    apart = np.zeros(runs, dtype=np.bool_)
    rest, left = counted(ranked, entries, rules), people.sum()
    for run in np.argsort(-people, kind="mergesort"):
        alone = counted(ranked[starts[run] : starts[run + 1]], entries, rules)
        without = left - people[run]
        if keeps(alone, people[run], rules) and keeps(rest - alone, without, rules):
            apart[run], rest, left = True, rest - alone, without
    order = np.argsort(apart, kind="mergesort")
    parts, at = np.zeros(len(ranked), dtype=np.int64), 0
    for place, run in enumerate(order):
        end = at + starts[run + 1] - starts[run]
        parts[at:end] = place if apart[run] else -1
        at = end
    return _in_order(ranked, starts, order), parts if apart.any() else parts[:0]


@kernel
def _nearest_half(people: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which runs have together nearly half of the people."""
    half = people.sum() // 2
    # which run a sum was first reached by; no sum above half is asked for
    reached = np.full(half + 1, -1, dtype=np.int64)
    for run in range(len(people)):
        for total in range(half, people[run] - 1, -1):
            before = total - people[run]
            if reached[total] < 0 and (before == 0 or 0 <= reached[before] < run):
                reached[total] = run
    chosen = np.zeros(len(people), dtype=np.bool_)
    total = half
    while total > 0 and reached[total] < 0:
        total -= 1
    while total > 0:
        run = reached[total]
        chosen[run] = True
        total -= people[run]
    return chosen


@kernel
def _most_even(
    ranked: NDArray[np.int64],
    starts: NDArray[np.int64],
    people: NDArray[np.int64],
    entries: Entries,
    rules: ClassRules,
) -> NDArray[np.bool_]:
    """Return which runs go apart from the others, most evenly of all ways that keep the rules."""
    runs, size = len(people), people.sum()
    chosen, best = np.zeros(runs, dtype=np.bool_), np.zeros(runs, dtype=np.bool_)
    left, right = np.zeros_like(rules.overall), counted(ranked, entries, rules)
    before, evenness = 0, 0
    # each way differs from the one before it in one run; the first run stays
    for way in range(1, 1 << (runs - 1)):
        run = 1
        while not way >> (run - 1) & 1:
            run += 1
        change = 1 if not chosen[run] else -1
        own = counted(ranked[starts[run] : starts[run + 1]], entries, rules) * change
        left, right = left + own, right - own
        chosen[run], before = not chosen[run], before + change * people[run]
        smaller = min(before, size - before)
        if smaller <= evenness or smaller < rules.least:
            continue
        if keeps(left, before, rules) and keeps(right, size - before, rules):
            best[:], evenness = chosen, smaller
    return best


@kernel
def _cut_words(
    ranked: NDArray[np.int64],
    starts: NDArray[np.int64],
    people: NDArray[np.int64],
    entries: Entries,
    rules: ClassRules,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return entries in another order and two parts of them, where words may go together freely."""
    runs = len(people)
    orders = [np.argsort(-people, kind="mergesort")]
    # with more people than that, and none with too many, some beginning of the first order will do
    if people.sum() < 3 * rules.least:
        orders.append(np.argsort(~_nearest_half(people), kind="mergesort"))
    for order in orders:
        arranged = _in_order(ranked, starts, order)
        parts, at = np.empty(len(ranked), dtype=np.int64), 0
        for place in range(runs):
            end = at + starts[order[place] + 1] - starts[order[place]]
            parts[at:end] = place
            at = end
        cut = best_cut(arranged, parts, entries, rules)
        if cut > 0:
            return arranged, two_parts(len(arranged), cut)
    if len(rules.values) > 0 and runs <= FEW_WORDS and people.sum() >= 2 * rules.least:
        apart = _most_even(ranked, starts, people, entries, rules)
        if apart.any():
            arranged = _in_order(ranked, starts, np.argsort(~apart, kind="mergesort"))
            size = (starts[1:] - starts[:-1])[apart].sum()
            return arranged, two_parts(len(arranged), size)
    return ranked, ranked[:0]


@kernel
def cut_unevenly(
    columns: Columns,
    attribute: int,
    members: NDArray[np.int64],
    entries: Entries,
    rules: ClassRules,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the entries of a class and the part of each where no other cut of a column keeps.

    Children of a node that keep the rules go apart and the others stay under it; words go together
    whatever their order.
    """
    codes = columns.codes[attribute][entries.rows[members]]
    ranking = np.argsort(codes, kind="mergesort")
    ranked = members[ranking]
    if columns.heights[attribute] == 0 and not columns.words[attribute]:
        return ranked, ranked[:0]
    groups = groups_of(codes[ranking], columns.levels[attribute], columns.heights[attribute])
    starts = _runs(groups)
    people = np.zeros(len(starts) - 1, dtype=np.int64)
    for run in range(len(people)):
        people[run] = entries.people[ranked[starts[run] : starts[run + 1]]].sum()
    if columns.words[attribute]:
        arranged, parts = _cut_words(ranked, starts, people, entries, rules)
        if len(parts) > 0:
            return arranged, parts
    return _some_apart(ranked, starts, people, entries, rules)
