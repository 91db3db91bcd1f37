"""Cutting a table into ever smaller classes, as long as every class keeps what is asked of it."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["cut_up", "keeps"]


@kernel
def _diverse(held: NDArray[np.int64], size: int, rule: NDArray[np.float64]) -> bool:
    """Whether counts of values are diverse: rule is kind (1, 2, 3), l, c and the number of a gap.

    A gap is no value, and a class of gaps alone is not diverse.
    """
    kind, least, c, gap = rule
    if gap >= 0:
        held = held.copy()
        size -= held[int(gap)]
        held[int(gap)] = 0
    if size == 0:
        return False
    if kind == 1.0:
        distinct = 0
        for count in held:
            distinct += count > 0
        return bool(distinct >= least)
    if kind == 2.0:
        entropy = 0.0
        for count in held:
            if count > 0:
                entropy -= count / size * np.log(count / size)
        return bool(entropy >= np.log(least) - 1e-9)
    falling = -np.sort(-held)
    rare = 0
    for place in range(int(least) - 1, len(falling)):
        rare += falling[place]
    # with a margin, so that rounding never lets a class through
    return bool(falling[0] < c * rare * (1 - 1e-12))


@kernel
def _away(
    held: NDArray[np.int64], size: int, whole: NDArray[np.int64], total: int, ordered: bool
) -> int:
    """Return how far counts are from their share of the table, times size and total."""
    away, carried = 0, 0
    for value in range(len(whole)):
        extra = held[value] * total - whole[value] * size
        carried += extra
        away += abs(carried) if ordered else abs(extra)
    return away


@kernel
def keeps(
    held: NDArray[np.int64],
    size: int,
    whole: NDArray[np.int64],
    total: int,
    least: int,
    diversity: NDArray[np.float64],
    closeness: NDArray[np.int64],
    share: NDArray[np.float64],
) -> bool:
    """Whether a class of these counts keeps every rule.

    Each row of ``held`` and ``whole`` is an attribute, or one level of an attribute whose distance
    is hierarchical. ``diversity`` has a row with kind (0 for none), l, c and the gap. ``closeness``
    has numerator (-1 for none) and denominator of the largest distance, whether it is ordered, the
    steps of a distance, and whether this is the last level of its attribute. ``share`` has the
    least and largest share of each value.
    """
    if size < least:
        return False
    away = 0
    for row in range(len(held)):
        if diversity[row, 0] > 0 and not _diverse(held[row], size, diversity[row]):
            return False
        most, scale, ordered, steps, last = closeness[row]
        if most >= 0:
            away += _away(held[row], size, whole[row], total, ordered == 1)
            if last == 1:
                if away * scale > most * steps * size * total:
                    return False
                away = 0
        for value in range(len(whole[row])):
            count = held[row, value]
            if count > share[1, row, value] * size or count < share[0, row, value] * size:
                return False
    return True


@kernel
def _width(
    codes: NDArray[np.int64], entries: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[int, int]:
    """Return the lowest and highest code of a class."""
    low = high = codes[rows[entries[0]]]
    for entry in entries:
        code = codes[rows[entry]]
        low, high = min(low, code), max(high, code)
    return low, high


@kernel
def _groups(ranked: NDArray[np.int64], levels: NDArray[np.int64], height: int) -> NDArray[np.int64]:
    """Return the part of each entry, ascending: its value, or its child of the common node."""
    if height == 0:
        return ranked
    level = height
    while level > 0 and levels[ranked[0], level - 1] == levels[ranked[-1], level - 1]:
        level -= 1
    parts = np.empty(len(ranked), dtype=np.int64)
    for place in range(len(ranked)):
        parts[place] = levels[ranked[place], max(0, level - 1)]
    return parts


@kernel
def _held(
    entries: NDArray[np.int64],
    rows: NDArray[np.int64],
    people: NDArray[np.int64],
    values: NDArray[np.int64],
    many: int,
) -> NDArray[np.int64]:
    """Count the values of some entries, attribute by attribute."""
    held = np.zeros((len(values), many), dtype=np.int64)
    for attribute in range(len(values)):
        for entry in entries:
            held[attribute, values[attribute, rows[entry]]] += people[entry]
    return held


@kernel
def _best_cut(
    entries: NDArray[np.int64],
    parts: NDArray[np.int64],
    rows: NDArray[np.int64],
    people: NDArray[np.int64],
    values: NDArray[np.int64],
    whole: NDArray[np.int64],
    total: int,
    least: int,
    diversity: NDArray[np.float64],
    closeness: NDArray[np.int64],
    share: NDArray[np.float64],
) -> int:
    """Return before which entry to cut, most evenly of the cuts that keep the rules; 0 for none."""
    right = _held(entries, rows, people, values, whole.shape[1])
    left = np.zeros_like(right)
    size, before, best, evenness = people[entries].sum(), 0, 0, 0
    for place in range(1, len(entries)):
        entry = entries[place - 1]
        before += people[entry]
        for attribute in range(len(values)):
            value = values[attribute, rows[entry]]
            left[attribute, value] += people[entry]
            right[attribute, value] -= people[entry]
        smaller = min(before, size - before)
        if parts[place] == parts[place - 1] or smaller <= evenness or smaller < least:
            continue
        rules = (diversity, closeness, share)
        if keeps(left, before, whole, total, least, *rules) and keeps(
            right, size - before, whole, total, least, *rules
        ):
            best, evenness = place, smaller
    return best


@kernel
def _all_keep(
    entries: NDArray[np.int64],
    parts: NDArray[np.int64],
    rows: NDArray[np.int64],
    people: NDArray[np.int64],
    values: NDArray[np.int64],
    whole: NDArray[np.int64],
    total: int,
    least: int,
    diversity: NDArray[np.float64],
    closeness: NDArray[np.int64],
    share: NDArray[np.float64],
) -> bool:
    """Whether there are at least two parts and each of them keeps the rules."""
    start = 0
    for place in range(1, len(entries) + 1):
        if place < len(entries) and parts[place] == parts[place - 1]:
            continue
        if start == 0 and place == len(entries):
            return False
        held = _held(entries[start:place], rows, people, values, whole.shape[1])
        size = people[entries[start:place]].sum()
        if not keeps(held, size, whole, total, least, diversity, closeness, share):
            return False
        start = place
    return True


@kernel
def cut_up(
    codes: NDArray[np.int64],
    counts: NDArray[np.int64],
    first: NDArray[np.int64],
    positions: NDArray[np.float64],
    levels: NDArray[np.int64],
    heights: NDArray[np.int64],
    values: NDArray[np.int64],
    whole: NDArray[np.int64],
    total: int,
    least: int,
    diversity: NDArray[np.float64],
    closeness: NDArray[np.int64],
    share: NDArray[np.float64],
    relaxed: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Cut rows into classes and return row, people and class of each entry.

    ``codes`` has a row for each attribute; ``positions`` says where a code stands between 0 and
    its weight, ``levels`` what it becomes on each level where ``heights`` says that it has any.
    ``first`` are the parts to start from, ascending. A cut is along the attribute that is widest
    in its class and has a cut that keeps the rules. Relaxed, equal values may be divided, so a row
    can have several entries.
    """
    many = codes.shape[1]
    room = many + (total // least + 1 if relaxed else 0)
    rows, people = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    rows[:many], people[:many] = np.arange(many), counts
    order, classes = np.arange(room), np.full(room, -1, dtype=np.int64)
    members = [order[:0].copy()]
    start = 0
    for place in range(1, many + 1):
        if place == many or first[place] != first[place - 1]:
            members.append(np.arange(start, place))
            start = place
    found, used = 0, many
    while len(members) > 1:
        entries = members.pop()
        widths = np.zeros(len(codes))
        for attribute in range(len(codes)):
            low, high = _width(codes[attribute], entries, rows)
            widths[attribute] = positions[attribute, high] - positions[attribute, low]
        cut = False
        while not cut and widths.max() > 0:
            attribute = int(np.argmax(widths))
            widths[attribute] = 0.0
            own = codes[attribute][rows[entries]]
            ranking = np.argsort(own, kind="mergesort")
            ranked = entries[ranking]
            parts = _groups(own[ranking], levels[attribute], heights[attribute])
            if heights[attribute] > 0:
                cut = _all_keep(
                    ranked, parts, rows, people, values, whole, total, least, diversity,
                    closeness, share,
                )  # fmt: skip
                if cut:
                    start = 0
                    for place in range(1, len(ranked) + 1):
                        if place == len(ranked) or parts[place] != parts[place - 1]:
                            members.append(ranked[start:place].copy())
                            start = place
                continue
            if relaxed:
                half = people[ranked].sum() // 2
                before, place = 0, 0
                while before + people[ranked[place]] <= half:
                    before += people[ranked[place]]
                    place += 1
                divided = ranked
                if before < half:
                    entry = ranked[place]
                    rows[used], people[used] = rows[entry], people[entry] - (half - before)
                    people[entry] = half - before
                    divided = np.empty(len(ranked) + 1, dtype=np.int64)
                    divided[: place + 1] = ranked[: place + 1]
                    divided[place + 1] = used
                    divided[place + 2 :] = ranked[place + 1 :]
                    place += 1
                both = np.zeros(len(divided), dtype=np.int64)
                both[place:] = 1
                cut = half >= least and _all_keep(
                    divided, both, rows, people, values, whole, total, least, diversity,
                    closeness, share,
                )  # fmt: skip
                if cut:
                    used += len(divided) - len(ranked)
                    members.append(divided[:place].copy())
                    members.append(divided[place:].copy())
                    continue
                if before < half:
                    people[ranked[place - 1]] += people[used]
            place = _best_cut(
                ranked, parts, rows, people, values, whole, total, least, diversity, closeness,
                share,
            )  # fmt: skip
            if place > 0:
                members.append(ranked[:place].copy())
                members.append(ranked[place:].copy())
                cut = True
        if not cut:
            classes[entries] = found
            found += 1
    return rows[:used], people[:used], classes[:used]
