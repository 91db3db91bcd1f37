"""Sets under other names, and those of their small subsets that few people hold, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["Sought", "rare_sets", "recoded"]

MOST_PLACES = 20_000_000
"""Places where subsets with one first item and one size may occur; beyond, the search gives up."""


class Sought(NamedTuple):
    """What is looked for."""

    width: int
    """How many items there are."""
    firsts: int
    """Only subsets with one of so many first items are looked at."""
    least: int
    """A subset that fewer people hold is rare."""
    deeper: int
    """A subset that so many people hold is made larger: ``least`` for the smallest rare sets."""
    size: int
    """Largest subset."""
    limit: int
    """The search ends when so many are found."""


@kernel
def recoded(
    offsets: NDArray[np.int64], items: NDArray[np.int32], label: NDArray[np.int64], width: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return each row with its items under their labels, once each and ascending; -1 is left out.

    Rows are dealt out to labels and back again, so nothing is sorted.
    """
    many = len(offsets) - 1
    last = np.full(width, -1, dtype=np.int64)
    begins = np.zeros(width + 1, dtype=np.int64)
    taken = np.zeros(many + 1, dtype=np.int64)
    for row in range(many):
        for at in range(offsets[row], offsets[row + 1]):
            name = label[items[at]]
            if name >= 0 and last[name] != row:
                last[name] = row
                begins[name + 1] += 1
                taken[row + 1] += 1
    for name in range(width):
        begins[name + 1] += begins[name]
        last[name] = -1
    for row in range(many):
        taken[row + 1] += taken[row]
    rows = np.empty(taken[many], dtype=np.int64)
    ends = begins.copy()
    for row in range(many):
        for at in range(offsets[row], offsets[row + 1]):
            name = label[items[at]]
            if name >= 0 and last[name] != row:
                last[name] = row
                rows[ends[name]] = row
                ends[name] += 1
    held = np.empty(taken[many], dtype=np.int32)
    free = taken.copy()
    for name in range(width):
        for at in range(begins[name], begins[name + 1]):
            held[free[rows[at]]] = name
            free[rows[at]] += 1
    return taken, held


@kernel
def _by_first(
    offsets: NDArray[np.int64], items: NDArray[np.int32], firsts: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where the first items stand: begins, rows and places of each."""
    begins = np.zeros(firsts + 1, dtype=np.int64)
    for item in items:
        if item < firsts:
            begins[item + 1] += 1
    for item in range(firsts):
        begins[item + 1] += begins[item]
    rows = np.empty(begins[firsts], dtype=np.int64)
    places = np.empty(begins[firsts], dtype=np.int64)
    ends = begins.copy()
    for row in range(len(offsets) - 1):
        for at in range(offsets[row], offsets[row + 1]):
            if items[at] < firsts:
                rows[ends[items[at]]] = row
                places[ends[items[at]]] = at
                ends[items[at]] += 1
    return begins, rows, places


@kernel
def rare_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    counts: NDArray[np.int64],
    sought: Sought,
) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Return rare sets, a row each with -1 behind it, how many hold them, and if that is all.

    Sets grow from their first item on;
    those of one first item and one size are listed side by side with the places of their last
    item, and what stands behind these makes them larger. The last is False where places are too
    many to list.
    """
    found = np.full((sought.limit, sought.size), -1, dtype=np.int64)
    people = np.zeros(sought.limit, dtype=np.int64)
    many = 0
    tally = np.zeros(sought.width, dtype=np.int64)
    slots = np.zeros(sought.width, dtype=np.int64)
    touched = np.empty(sought.width, dtype=np.int64)
    begins, all_rows, all_places = _by_first(offsets, items, sought.firsts)
    for first in range(sought.firsts):
        rows = all_rows[begins[first] : begins[first + 1]]
        places = all_places[begins[first] : begins[first + 1]]
        held = 0
        for row in rows:
            held += counts[row]
        if held == 0:
            continue
        if held < sought.least:
            found[many, 0], people[many] = first, held
            many += 1
        names = np.full((1, sought.size), first, dtype=np.int64)
        edges = np.array([0, len(rows)])
        deepest = sought.size if held >= sought.deeper else 1
        for depth in range(1, deepest):
            room = 0
            if depth + 1 < sought.size:  # the sets of the last size need no places
                for at in range(len(rows)):
                    room += offsets[rows[at] + 1] - places[at] - 1
            if room > MOST_PLACES:
                return found[:many], people[:many], False
            next_rows, next_places = np.empty(room, np.int64), np.empty(room, np.int64)
            next_names = np.empty((room, sought.size), np.int64)
            next_edges = np.zeros(room + 1, np.int64)
            sets, filled = 0, 0
            for one in range(len(edges) - 1):
                new = 0
                for at in range(edges[one], edges[one + 1]):
                    row = rows[at]
                    for place in range(places[at] + 1, offsets[row + 1]):
                        item = items[place]
                        if tally[item] == 0:
                            touched[new] = item
                            new += 1
                        tally[item] += counts[row]
                        slots[item] += 1
                for each in range(new):
                    item = touched[each]
                    rare = tally[item] < sought.least
                    if rare and many < sought.limit:
                        for at in range(depth):
                            found[many, at] = names[one, at]
                        found[many, depth], people[many] = item, tally[item]
                        many += 1
                    if room and tally[item] >= sought.deeper:
                        for at in range(depth):
                            next_names[sets, at] = names[one, at]
                        next_names[sets, depth] = item
                        sets += 1
                        next_edges[sets] = filled + slots[item]
                        slots[item], filled = filled, filled + slots[item]
                    else:
                        slots[item] = -1
                    tally[item] = 0
                if room:
                    for at in range(edges[one], edges[one + 1]):
                        row = rows[at]
                        for place in range(places[at] + 1, offsets[row + 1]):
                            slot = slots[items[place]]
                            if slot >= 0:
                                next_rows[slot], next_places[slot] = row, place
                                slots[items[place]] += 1
                for each in range(new):
                    slots[touched[each]] = 0
            rows, places = next_rows[:filled], next_places[:filled]
            names, edges = next_names, next_edges[: sets + 1]
            if many == sought.limit:
                break
        if many == sought.limit:
            break
    return found[:many], people[:many], True
