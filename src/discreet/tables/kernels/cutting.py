"""Cutting a table into ever smaller classes, as long as every class keeps what is asked of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["ClassRules", "Columns", "cut_up", "keeps"]


class ClassRules(NamedTuple):
    """What is asked of every class; a row for each attribute, or for each level of its distance."""

    values: NDArray[np.int64]
    """The value of each row of the table."""
    overall: NDArray[np.int64]
    """How many people have each value."""
    total: int
    """How many people there are."""
    least: int
    """The least class."""
    diversity: NDArray[np.float64]
    """Kind (0 for none), l, c, and the number of a gap among the values, -1 for none."""
    closeness: NDArray[np.int64]
    """Numerator (-1 for none) and denominator of t, whether the distance is ordered, its steps, and
    whether this is the last level of its attribute."""
    share: NDArray[np.float64]
    """Least and largest share of each value."""


class Columns(NamedTuple):
    """What a table is cut by, a row for each attribute."""

    codes: NDArray[np.int64]
    """The code of each row of the table."""
    positions: NDArray[np.float64]
    """Where a code stands between 0 and the weight of its attribute."""
    levels: NDArray[np.int64]
    """What a code becomes on each level."""
    heights: NDArray[np.int64]
    """How many levels there are; 0 where codes are cut by their order."""


class _Entries(NamedTuple):
    """Entries, each of some people with one row of the table."""

    rows: NDArray[np.int64]
    people: NDArray[np.int64]


@kernel
def _diverse(counts: NDArray[np.int64], size: int, rule: NDArray[np.float64]) -> bool:
    """Whether counts of values are diverse: rule is kind (1, 2, 3), l, c and the number of a gap.

    A gap is no value, and a class of gaps alone is not diverse.
    """
    kind, least, c, gap = rule
    if gap >= 0:
        counts = counts.copy()
        size -= counts[int(gap)]
        counts[int(gap)] = 0
    if size == 0:
        return False
    if kind == 1.0:
        distinct = 0
        for count in counts:
            distinct += count > 0
        return bool(distinct >= least)
    if kind == 2.0:
        entropy = 0.0
        for count in counts:
            if count > 0:
                entropy -= count / size * np.log(count / size)
        return bool(entropy >= np.log(least) - 1e-9)
    falling = -np.sort(-counts)
    rare = 0
    for rank in range(int(least) - 1, len(falling)):
        rare += falling[rank]
    # with a margin, so that rounding never lets a class through
    return bool(falling[0] < c * rare * (1 - 1e-12))


@kernel
def _away(
    counts: NDArray[np.int64], size: int, overall: NDArray[np.int64], total: int, ordered: bool
) -> int:
    """Return how far counts are from their share of the table, times size and total."""
    away, carried = 0, 0
    for value in range(len(overall)):
        extra = counts[value] * total - overall[value] * size
        carried += extra
        away += abs(carried) if ordered else abs(extra)
    return away


@kernel
def keeps(counts: NDArray[np.int64], size: int, rules: ClassRules) -> bool:
    """Whether a class with these counts of values, a row for each of the rules, keeps them all."""
    overall, total, diversity = rules.overall, rules.total, rules.diversity
    closeness, share = rules.closeness, rules.share
    if size < rules.least:
        return False
    away = 0
    for row in range(len(counts)):
        if diversity[row, 0] > 0 and not _diverse(counts[row], size, diversity[row]):
            return False
        most, scale, ordered, steps, last = closeness[row]
        if most >= 0:
            away += _away(counts[row], size, overall[row], total, ordered == 1)
            if last == 1:
                if away * scale > most * steps * size * total:
                    return False
                away = 0
        for value in range(len(overall[row])):
            count = counts[row, value]
            if count > share[1, row, value] * size or count < share[0, row, value] * size:
                return False
    return True


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
def _groups(ranked: NDArray[np.int64], levels: NDArray[np.int64], height: int) -> NDArray[np.int64]:
    """Return the part of each entry, ascending: its value, or its child of the common node."""
    if height == 0:
        return ranked
    level = height
    while level > 0 and levels[ranked[0], level - 1] == levels[ranked[-1], level - 1]:
        level -= 1
    parts = np.empty(len(ranked), dtype=np.int64)
    for at in range(len(ranked)):
        parts[at] = levels[ranked[at], max(0, level - 1)]
    return parts


@kernel
def _counted(members: NDArray[np.int64], entries: _Entries, rules: ClassRules) -> NDArray[np.int64]:
    """Count the values of some entries, attribute by attribute."""
    rows, people, values = entries.rows, entries.people, rules.values
    counts = np.zeros_like(rules.overall)
    for attribute in range(len(values)):
        for entry in members:
            counts[attribute, values[attribute, rows[entry]]] += people[entry]
    return counts


@kernel
def _best_cut(
    members: NDArray[np.int64], parts: NDArray[np.int64], entries: _Entries, rules: ClassRules
) -> int:
    """Return before which entry to cut, most evenly of the cuts that keep the rules; 0 for none."""
    rows, people, values = entries.rows, entries.people, rules.values
    right = _counted(members, entries, rules)
    left = np.zeros_like(right)
    size, least, before, best, evenness = people[members].sum(), rules.least, 0, 0, 0
    for at in range(1, len(members)):
        entry = members[at - 1]
        before += people[entry]
        for attribute in range(len(values)):
            value = values[attribute, rows[entry]]
            left[attribute, value] += people[entry]
            right[attribute, value] -= people[entry]
        smaller = min(before, size - before)
        if parts[at] == parts[at - 1] or smaller <= evenness or smaller < least:
            continue
        if keeps(left, before, rules) and keeps(right, size - before, rules):
            best, evenness = at, smaller
    return best


@kernel
def _all_keep(
    members: NDArray[np.int64], parts: NDArray[np.int64], entries: _Entries, rules: ClassRules
) -> bool:
    """Whether there are at least two parts and each of them keeps the rules."""
    start = 0
    for end in range(1, len(members) + 1):
        if end < len(members) and parts[end] == parts[end - 1]:
            continue
        if start == 0 and end == len(members):
            return False
        counts = _counted(members[start:end], entries, rules)
        if not keeps(counts, entries.people[members[start:end]].sum(), rules):
            return False
        start = end
    return True


@kernel
def _halved(
    ranked: NDArray[np.int64], entries: _Entries, used: int
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
def _two_parts(size: int, second: int) -> NDArray[np.int64]:
    """Return 0 for each entry of a first part and 1 for each of a second."""
    parts = np.zeros(size, dtype=np.int64)
    parts[second:] = 1
    return parts


@kernel
def _cut_along(
    columns: Columns,
    attribute: int,
    members: NDArray[np.int64],
    entries: _Entries,
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
    parts = _groups(codes[ranking], columns.levels[attribute], columns.heights[attribute])
    if columns.heights[attribute] > 0:
        return ranked, parts if _all_keep(ranked, parts, entries, rules) else parts[:0]
    if relaxed:
        divided, at = _halved(ranked, entries, used)
        halves = _two_parts(len(divided), at)
        enough = entries.people[divided[:at]].sum() >= rules.least
        if enough and _all_keep(divided, halves, entries, rules):
            return divided, halves
        if len(divided) > len(ranked):
            entries.people[ranked[at - 1]] += entries.people[used]
    at = _best_cut(ranked, parts, entries, rules)
    return ranked, _two_parts(len(ranked), at) if at > 0 else parts[:0]


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
    in its class and has a cut that keeps the rules. Relaxed, equal values may be divided, so a row
    can have several entries.
    """
    used = len(counts)
    room = used + (rules.total // rules.least + 1 if relaxed else 0)
    entries = _Entries(np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64))
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
        while len(parts) == 0 and widths.max() > 0:
            attribute = int(np.argmax(widths))
            widths[attribute] = 0.0
            ranked, parts = _cut_along(columns, attribute, members, entries, used, rules, relaxed)
        if len(parts) == 0:
            class_of[members] = classes
            classes += 1
        else:
            used += len(ranked) - len(members)
            _put_apart(uncut, ranked, parts)
    return entries.rows[:used], entries.people[:used], class_of[:used]
