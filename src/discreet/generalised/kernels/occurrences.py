"""Occurrences of items that are left out, and which of them can be published after all, compiled.

What is published is k^m-anonymous at every moment: no set of up to m items is held by some people
and by fewer than k. An item is put back into as many of the sets that lack it as this allows; since
the union of two ways to do so is a way as well, there is a largest one, and leaving out again every
set that holds something rare leads to it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["Occurrences", "first_group", "put_back"]

MOST_PLACES = 20_000_000
"""Places where sets with one item and of one size may stand; beyond, the item is left out."""


class Occurrences(NamedTuple):
    """Distinct sets both ways, and what of them is published."""

    offsets: NDArray[np.int64]
    """Set ``r`` is ``items[offsets[r]:offsets[r + 1]]``."""
    items: NDArray[np.int32]
    """Item numbers, ascending within a set."""
    counts: NDArray[np.int64]
    """How many people have each set."""
    starts: NDArray[np.int64]
    """Item ``i`` is in the sets ``holders[starts[i]:starts[i + 1]]`` ..."""
    holders: NDArray[np.int64]
    """... by their numbers, ..."""
    places: NDArray[np.int64]
    """... at these places of ``items``."""
    published: NDArray[np.bool_]
    """For each place whether it is published; changed in place."""


@kernel
def first_group(
    sets: Occurrences, item: int, alive: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the live holders of an item, where the items of each begin, and the group's ends."""
    begin = sets.starts[item]
    who = np.flatnonzero(alive)
    after = np.empty(len(who), dtype=np.int64)
    for at in range(len(who)):
        after[at] = sets.offsets[sets.holders[begin + who[at]]]
    edges = np.array([0, len(who)])
    return who, after, edges


@kernel
def _spoilt(
    sets: Occurrences,
    item: int,
    joins: NDArray[np.bool_],
    alive: NDArray[np.bool_],
    bounds: tuple[int, int],
    room: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
) -> int:
    """Take from ``alive`` what would hold a rare set with ``item``; return how many, -1 for all.

    Sets grow as in the search for rare ones, a size at a time; those of the smallest size that
    spoil anything are enough for one round.
    """
    k, m = bounds
    tally, slots, touched = room
    begin = sets.starts[item]
    who, after, edges = first_group(sets, item, alive)
    for depth in range(1, m):
        gone, space = 0, 0
        if depth + 1 < m:
            for at in range(len(who)):
                space += sets.offsets[sets.holders[begin + who[at]] + 1] - after[at]
        if space > MOST_PLACES:
            return -1
        next_who, next_after = np.empty(space, np.int64), np.empty(space, np.int64)
        next_edges = np.zeros(space + 1, np.int64)
        groups, filled = 0, 0
        for one in range(len(edges) - 1):
            fresh = False
            for at in range(edges[one], edges[one + 1]):
                fresh = fresh or joins[who[at]]
            if not fresh:
                continue
            new = 0
            for at in range(edges[one], edges[one + 1]):
                row = sets.holders[begin + who[at]]
                for place in range(after[at], sets.offsets[row + 1]):
                    other = sets.items[place]
                    if sets.published[place] and other != item:
                        if tally[other] == 0:
                            touched[new] = other
                            new += 1
                        tally[other] += sets.counts[row]
                        slots[other] += 1
            rare = False
            for each in range(new):
                other = touched[each]
                if tally[other] < k:
                    rare = True
                    slots[other] = -1
                elif space:
                    groups += 1
                    next_edges[groups] = filled + slots[other]
                    slots[other], filled = filled, filled + slots[other]
            if rare or space:
                for at in range(edges[one], edges[one + 1]):
                    row = sets.holders[begin + who[at]]
                    for place in range(after[at], sets.offsets[row + 1]):
                        other = sets.items[place]
                        if not sets.published[place] or other == item:
                            continue
                        if slots[other] < 0:
                            gone += alive[who[at]]
                            alive[who[at]] = False
                        elif space:
                            next_who[slots[other]] = who[at]
                            next_after[slots[other]] = place + 1
                            slots[other] += 1
            for each in range(new):
                tally[touched[each]] = 0
                slots[touched[each]] = 0
        if gone:
            return gone
        who, after, edges = next_who[:filled], next_after[:filled], next_edges[: groups + 1]
    return 0


@kernel
def put_back(sets: Occurrences, order: NDArray[np.int64], k: int, m: int, everywhere: bool) -> int:
    """Publish further occurrences, item by item in this order; return how many there are.

    With ``everywhere`` an item is put back into all sets that lack it, or into none.
    """
    width = len(sets.starts) - 1
    room = (np.zeros(width, np.int64), np.zeros(width, np.int64), np.empty(width, np.int64))
    given = 0
    for item in order:
        begin, end = sets.starts[item], sets.starts[item + 1]
        joins = ~sets.published[sets.places[begin:end]]
        alive = np.ones(end - begin, dtype=np.bool_)
        gone = 1 if joins.any() else -1
        while gone > 0:
            people = 0
            for at in range(end - begin):
                people += sets.counts[sets.holders[begin + at]] * alive[at]
            gone = -1 if people < k else _spoilt(sets, item, joins, alive, (k, m), room)
            if everywhere and gone > 0:
                gone = -1
        if gone < 0:
            continue
        for at in range(end - begin):
            if joins[at] and alive[at]:
                sets.published[sets.places[begin + at]] = True
                given += sets.counts[sets.holders[begin + at]]
    return given
