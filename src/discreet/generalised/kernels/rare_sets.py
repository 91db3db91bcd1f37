"""Sets under other names, and those of their small subsets that few people hold, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.generalised.kernels.tallies import Tallies, forget, tallies_for

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
    n_rows = len(offsets) - 1
    last = np.full(width, -1, dtype=np.int64)
    begins = np.zeros(width + 1, dtype=np.int64)
    taken = np.zeros(n_rows + 1, dtype=np.int64)
    for row in range(n_rows):
        for at in range(offsets[row], offsets[row + 1]):
            name = label[items[at]]
            if name >= 0 and last[name] != row:
                last[name] = row
                begins[name + 1] += 1
                taken[row + 1] += 1
    for name in range(width):
        begins[name + 1] += begins[name]
        last[name] = -1
    for row in range(n_rows):
        taken[row + 1] += taken[row]
    rows = np.empty(taken[n_rows], dtype=np.int64)
    ends = begins.copy()
    for row in range(n_rows):
        for at in range(offsets[row], offsets[row + 1]):
            name = label[items[at]]
            if name >= 0 and last[name] != row:
                last[name] = row
                rows[ends[name]] = row
                ends[name] += 1
    recoded_items = np.empty(taken[n_rows], dtype=np.int32)
    free = taken.copy()
    for name in range(width):
        for at in range(begins[name], begins[name + 1]):
            recoded_items[free[rows[at]]] = name
            free[rows[at]] += 1
    return taken, recoded_items


@kernel
def _by_first(
    offsets: NDArray[np.int64], items: NDArray[np.int32], firsts: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where the first items stand: begins, rows and positions of each."""
    begins = np.zeros(firsts + 1, dtype=np.int64)
    for item in items:
        if item < firsts:
            begins[item + 1] += 1
    for item in range(firsts):
        begins[item + 1] += begins[item]
    rows = np.empty(begins[firsts], dtype=np.int64)
    positions = np.empty(begins[firsts], dtype=np.int64)
    ends = begins.copy()
    for row in range(len(offsets) - 1):
        for at in range(offsets[row], offsets[row + 1]):
            if items[at] < firsts:
                rows[ends[items[at]]] = row
                positions[ends[items[at]]] = at
                ends[items[at]] += 1
    return begins, rows, positions


class _Folded(NamedTuple):
    """Distinct sets, and how many people have each."""

    offsets: NDArray[np.int64]
    items: NDArray[np.int32]
    counts: NDArray[np.int64]


class _Grown(NamedTuple):
    """Sets with one first item and of one size, at the positions of their last item."""

    rows: NDArray[np.int64]
    positions: NDArray[np.int64]
    names: NDArray[np.int64]
    """The items of each set."""
    edges: NDArray[np.int64]
    """Where the positions of each set begin, and the end of the last."""


class _Rare(NamedTuple):
    """The rare sets that are found, and how many people hold each."""

    sets: NDArray[np.int64]
    people: NDArray[np.int64]


@kernel
def _room_for(data: _Folded, grown: _Grown) -> int:
    """Return at how many places these sets can be made larger."""
    offsets, rows, positions = data.offsets, grown.rows, grown.positions
    room = 0
    for at in range(len(rows)):
        room += offsets[rows[at] + 1] - positions[at] - 1
    return room


@kernel
def _tally(data: _Folded, grown: _Grown, prefix: int, tallies: Tallies) -> int:
    """Count what stands behind the places of one set; return how many items that are."""
    offsets, items, counts = data.offsets, data.items, data.counts
    people, slots, touched = tallies.people, tallies.slots, tallies.touched
    rows, positions = grown.rows, grown.positions
    new = 0
    for at in range(grown.edges[prefix], grown.edges[prefix + 1]):
        row = rows[at]
        for position in range(positions[at] + 1, offsets[row + 1]):
            item = items[position]
            if people[item] == 0:
                touched[new] = item
                new += 1
            people[item] += counts[row]
            slots[item] += 1
    return new


@kernel
def _enlarge(
    tallies: Tallies, new: int, names: NDArray[np.int64], larger: _Grown, made: int, deeper: int
) -> int:
    """Make sets of one item more behind those that are made; return how many there are now."""
    people, slots, touched = tallies.people, tallies.slots, tallies.touched
    to_names, edges = larger.names, larger.edges
    for each in range(new):
        item = touched[each]
        if people[item] >= deeper:
            for at in range(len(names)):
                to_names[made, at] = names[at]
            to_names[made, len(names)] = item
            edges[made + 1] = edges[made] + slots[item]
            slots[item] = edges[made]
            made += 1
        else:
            slots[item] = -1
    return made


@kernel
def _deal(
    data: _Folded, grown: _Grown, prefix: int, slots: NDArray[np.int64], larger: _Grown
) -> None:
    """Put the places behind those of one set where their items have their slots."""
    offsets, items, rows, positions = data.offsets, data.items, grown.rows, grown.positions
    to_rows, to_positions = larger.rows, larger.positions
    for at in range(grown.edges[prefix], grown.edges[prefix + 1]):
        row = rows[at]
        for position in range(positions[at] + 1, offsets[row + 1]):
            slot = slots[items[position]]
            if slot >= 0:
                to_rows[slot], to_positions[slot] = row, position
                slots[items[position]] += 1


@kernel
def _one_larger(
    data: _Folded,
    grown: _Grown,
    sizes: tuple[int, int],
    sought: Sought,
    rare: _Rare,
    known: int,
    tallies: Tallies,
) -> tuple[_Grown, int]:
    """Return the sets of one item more that are not rare, and how many rare ones are known now.

    ``sizes`` is how many items the sets have, and at how many places they can be made larger.
    """
    depth, room = sizes
    larger = _Grown(
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty((room, sought.size), np.int64),
        np.zeros(room + 1, np.int64),
    )
    people, slots, touched = tallies.people, tallies.slots, tallies.touched
    names, itemsets, holding = grown.names, rare.sets, rare.people
    least, limit, made = sought.least, sought.limit, 0
    for prefix in range(len(grown.edges) - 1):
        new = _tally(data, grown, prefix, tallies)
        for each in range(new):
            item = touched[each]
            if people[item] < least and known < limit:
                for at in range(depth):
                    itemsets[known, at] = names[prefix, at]
                itemsets[known, depth], holding[known] = item, people[item]
                known += 1
        if room:
            made = _enlarge(tallies, new, names[prefix, :depth], larger, made, sought.deeper)
            _deal(data, grown, prefix, slots, larger)
        forget(tallies, new)
    filled, edges = larger.edges[made], larger.edges[: made + 1]
    return _Grown(larger.rows[:filled], larger.positions[:filled], larger.names, edges), known


@kernel
def rare_sets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    counts: NDArray[np.int64],
    sought: Sought,
) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Return rare sets, a row each with -1 behind it, how many hold them, and if that is all.

    Sets grow from their first item on; those of one first item and one size are listed side by
    side with the places of their last item, and what stands behind these makes them larger. The
    last is False where places are too many to list.
    """
    data = _Folded(offsets, items, counts)
    rare = _Rare(
        np.full((sought.limit, sought.size), -1, dtype=np.int64),
        np.zeros(sought.limit, dtype=np.int64),
    )
    tallies = tallies_for(sought.width)
    begins, all_rows, all_positions = _by_first(offsets, items, sought.firsts)
    known = 0
    for first in range(sought.firsts):
        rows = all_rows[begins[first] : begins[first + 1]]
        positions = all_positions[begins[first] : begins[first + 1]]
        people = counts[rows].sum()
        if people == 0:
            continue
        names = np.full((1, sought.size), first, dtype=np.int64)
        if people < sought.least:
            rare.sets[known, 0], rare.people[known] = first, people
            known += 1
        grown = _Grown(rows, positions, names, np.array([0, len(rows)]))
        for depth in range(1, sought.size if people >= sought.deeper else 1):
            # the sets of the last size need no places
            room = _room_for(data, grown) if depth + 1 < sought.size else 0
            if room > MOST_PLACES:
                return rare.sets[:known], rare.people[:known], False
            grown, known = _one_larger(data, grown, (depth, room), sought, rare, known, tallies)
            if known == sought.limit:
                break
        if known == sought.limit:
            break
    return rare.sets[:known], rare.people[:known], True
