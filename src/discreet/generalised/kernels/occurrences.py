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
from discreet.generalised.kernels.tallies import Tallies, forget, tallies_for

__all__ = [
    "Groups",
    "Occurrences",
    "deal",
    "first_group",
    "put_back",
    "room_for",
    "split",
    "tally",
]

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
    positions: NDArray[np.int64]
    """... at these positions of ``items``."""
    published: NDArray[np.bool_]
    """For each position whether it is published; changed in place."""


class Groups(NamedTuple):
    """Holders of an item, side by side by what else they share."""

    members: NDArray[np.int64]
    """A holder, by its number among those of the item."""
    after: NDArray[np.int64]
    """Where its items begin that are not yet looked at."""
    edges: NDArray[np.int64]
    """Where each group begins, and the end of the last."""


@kernel
def first_group(sets: Occurrences, item: int, alive: NDArray[np.bool_]) -> Groups:
    """Return the live holders of an item as one group."""
    begin = sets.starts[item]
    members = np.flatnonzero(alive)
    after = np.empty(len(members), dtype=np.int64)
    for at in range(len(members)):
        after[at] = sets.offsets[sets.holders[begin + members[at]]]
    return Groups(members, after, np.array([0, len(members)]))


@kernel
def room_for(sets: Occurrences, item: int, groups: Groups) -> int:
    """Return at how many places these groups can be made smaller by one item more."""
    offsets, holders, members, after = sets.offsets, sets.holders, groups.members, groups.after
    begin, room = sets.starts[item], 0
    for at in range(len(members)):
        room += offsets[holders[begin + members[at]] + 1] - after[at]
    return room


@kernel
def tally(sets: Occurrences, item: int, groups: Groups, group: int, tallies: Tallies) -> int:
    """Count what else the holders of a group publish; return how many items that are."""
    offsets, items, counts, published = sets.offsets, sets.items, sets.counts, sets.published
    people, slots, touched = tallies.people, tallies.slots, tallies.touched
    holders, members, after = sets.holders, groups.members, groups.after
    begin, new = sets.starts[item], 0
    for at in range(groups.edges[group], groups.edges[group + 1]):
        row = holders[begin + members[at]]
        for position in range(after[at], offsets[row + 1]):
            other = items[position]
            if published[position] and other != item:
                if slots[other] == 0:
                    touched[new] = other
                    new += 1
                people[other] += counts[row]
                slots[other] += 1
    return new


@kernel
def split(tallies: Tallies, new: int, edges: NDArray[np.int64], made: int) -> int:
    """Give each item of a group a group of its own behind those that are made; return how many."""
    slots, touched = tallies.slots, tallies.touched
    for each in range(new):
        other = touched[each]
        edges[made + 1] = edges[made] + slots[other]
        slots[other] = edges[made]
        made += 1
    return made


@kernel
def deal(
    sets: Occurrences, item: int, groups: Groups, group: int, slots: NDArray[np.int64], into: Groups
) -> None:
    """Put the holders of a group where the items that they publish have their slots."""
    offsets, items, published = sets.offsets, sets.items, sets.published
    holders, members, after = sets.holders, groups.members, groups.after
    to_members, to_after = into.members, into.after
    begin = sets.starts[item]
    for at in range(groups.edges[group], groups.edges[group + 1]):
        row = holders[begin + members[at]]
        for position in range(after[at], offsets[row + 1]):
            other = items[position]
            if published[position] and other != item:
                to_members[slots[other]], to_after[slots[other]] = members[at], position + 1
                slots[other] += 1


@kernel
def _any_rare(tallies: Tallies, new: int, k: int) -> bool:
    """Whether fewer than k people hold one of the items."""
    people, touched = tallies.people, tallies.touched
    rare = False
    for each in range(new):
        rare = rare or people[touched[each]] < k
    return rare


@kernel
def _any_joins(joins: NDArray[np.bool_], groups: Groups, group: int) -> bool:
    """Whether somebody of a group would be new to the item."""
    members, joining = groups.members, False
    for at in range(groups.edges[group], groups.edges[group + 1]):
        joining = joining or joins[members[at]]
    return joining


@kernel
def _withdraw(
    sets: Occurrences,
    item: int,
    groups: Groups,
    group: int,
    people: NDArray[np.int64],
    k: int,
    alive: NDArray[np.bool_],
) -> int:
    """Take from ``alive`` whoever of a group publishes an item that fewer than k hold."""
    offsets, items, published = sets.offsets, sets.items, sets.published
    holders, members, after = sets.holders, groups.members, groups.after
    begin, gone = sets.starts[item], 0
    for at in range(groups.edges[group], groups.edges[group + 1]):
        row = holders[begin + members[at]]
        for position in range(after[at], offsets[row + 1]):
            if published[position] and items[position] != item and people[items[position]] < k:
                gone += alive[members[at]]
                alive[members[at]] = False
    return gone


@kernel
def _spoilt(
    sets: Occurrences,
    item: int,
    joins: NDArray[np.bool_],
    alive: NDArray[np.bool_],
    bounds: tuple[int, int],
    tallies: Tallies,
) -> int:
    """Take from ``alive`` what would hold a rare set with ``item``; return how many, -1 for all.

    Sets grow as in the search for rare ones, a size at a time; those of the smallest size that
    spoil anything are enough for one round.
    """
    k, m = bounds
    groups = first_group(sets, item, alive)
    for depth in range(1, m):
        room = room_for(sets, item, groups) if depth + 1 < m else 0
        if room > MOST_PLACES:
            return -1
        smaller = Groups(
            np.empty(room, np.int64), np.empty(room, np.int64), np.zeros(room + 1, np.int64)
        )
        gone, made = 0, 0
        for group in range(len(groups.edges) - 1):
            if not _any_joins(joins, groups, group):
                continue
            new = tally(sets, item, groups, group, tallies)
            if _any_rare(tallies, new, k):
                gone += _withdraw(sets, item, groups, group, tallies.people, k, alive)
            elif room and not gone:
                made = split(tallies, new, smaller.edges, made)
                deal(sets, item, groups, group, tallies.slots, smaller)
            forget(tallies, new)
        if gone:
            return gone
        filled = smaller.edges[made]
        groups = Groups(smaller.members[:filled], smaller.after[:filled], smaller.edges[: made + 1])
    return 0


@kernel
def put_back(sets: Occurrences, order: NDArray[np.int64], k: int, m: int, everywhere: bool) -> int:
    """Publish further occurrences, item by item in this order; return how many there are.

    With ``everywhere`` an item is put back into all sets that lack it, or into none.
    """
    tallies = tallies_for(len(sets.starts) - 1)
    given = 0
    for item in order:
        begin, end = sets.starts[item], sets.starts[item + 1]
        joins = ~sets.published[sets.positions[begin:end]]
        alive = np.ones(end - begin, dtype=np.bool_)
        gone = 1 if joins.any() else -1
        while gone > 0:
            people = 0
            for at in range(end - begin):
                people += sets.counts[sets.holders[begin + at]] * alive[at]
            gone = -1 if people < k else _spoilt(sets, item, joins, alive, (k, m), tallies)
            if everywhere and gone > 0:
                gone = -1
        if gone < 0:
            continue
        for at in range(end - begin):
            if joins[at] and alive[at]:
                sets.published[sets.positions[begin + at]] = True
                given += sets.counts[sets.holders[begin + at]]
    return given
