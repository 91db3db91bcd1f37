"""What equal sets in several releases say about a cluster, compiled.

Clusters of all releases are numbered through. The sets of a cluster are positions in one long
list, ascending within a cluster, and the index leads from a set to all positions that hold it, so
that two clusters meet only where they share a set. The members that a cluster shares with another
are a path in a small tree: clusters that share the same members end in the same node, and what they
say about a term is kept once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = [
    "CLASH",
    "SILENT",
    "TELLS",
    "Found",
    "Groups",
    "covers",
    "longer",
    "most_meetings",
    "number_sets",
    "with_room",
]

Whole = NDArray[np.int64]
Found = tuple[Whole, Whole, Whole, Whole, Whole, Whole, Whole, Whole, Whole]

SLOT, LOW, HIGH, PATTERN, TIMES, NEXT = range(6)
"""The columns of what is found: about which slot, between which numbers of copies, about which
members, said by how many overlaps, and the next about the same members."""
SILENT, CLASH, TELLS = range(3)
"""What an overlap says beyond the clusters themselves: nothing, what cannot be, or something."""


class Groups(NamedTuple):
    """The clusters of all releases."""

    release: Whole
    """Of each cluster its release."""
    size: Whole
    counterfeits: Whole
    """Of each cluster how many are declared to be counterfeits."""
    set_offsets: Whole
    sets: Whole
    """At each position a set."""
    counts: Whole
    """How many of the cluster have it."""
    weights: Whole
    """For how many sets it stands."""
    index_offsets: Whole
    holders: Whole
    """The positions that hold each set."""
    owner: Whole
    """Of each position its cluster."""
    slot_offsets: Whole
    slot_owner: Whole
    """Of each slot, a cluster with one of its terms, the cluster."""
    terms: Whole
    copies: Whole


class _Tree(NamedTuple):
    """Members that a cluster shares with others, as paths from the first node."""

    child: Whole
    sibling: Whole
    parent: Whole
    position: Whole
    people: Whole
    head: Whole
    """The last of what is found about these members."""
    pattern: Whole


class _Others(NamedTuple):
    """The clusters that one cluster meets."""

    node: Whole
    shared: Whole
    met: Whole


@kernel
def number_sets(offsets: Whole, items: NDArray[np.int32]) -> tuple[Whole, int]:
    """Return the number of each set, equal sets alike, and how many numbers there are."""
    n_sets = len(offsets) - 1
    room = 16
    while room < 2 * n_sets:
        room *= 2
    table = np.full(room, -1, dtype=np.int64)
    firsts = np.empty(n_sets, dtype=np.int64)
    numbers = np.empty(n_sets, dtype=np.int64)
    groups = 0
    for row in range(n_sets):
        begin, end = offsets[row], offsets[row + 1]
        mixed = end - begin
        for index in range(begin, end):
            mixed = ((mixed ^ items[index]) * 0x1000193) & 0x1FFFFFFFFF
        slot = (mixed ^ (mixed >> 17)) & (room - 1)
        while table[slot] >= 0:
            other = offsets[firsts[table[slot]]]
            same = offsets[firsts[table[slot]] + 1] - other == end - begin
            index = begin
            while same and index < end:
                same = items[index] == items[other + index - begin]
                index += 1
            if same:
                break
            slot = (slot + 1) & (room - 1)
        if table[slot] < 0:
            table[slot] = groups
            firsts[groups] = row
            groups += 1
        numbers[row] = table[slot]
    return numbers, groups


@kernel
def with_room(table: Whole, used: int, more: int) -> Whole:
    """Return a table of rows that has room for some more, longer where it must be."""
    room = len(table)
    while room < used + more:
        room *= 2
    if room == len(table):
        return table
    longer_one = np.empty((room, table.shape[1]), dtype=np.int64)
    longer_one[:used] = table[:used]
    return longer_one


@kernel
def longer(ends: Whole, used: int) -> Whole:
    """Return numbers with room for one more."""
    if used < len(ends):
        return ends
    more = np.empty(2 * len(ends), dtype=np.int64)
    more[:used] = ends[:used]
    return more


@kernel
def most_meetings(groups: Groups) -> int:
    """Return how many positions hold a set of a cluster, at most."""
    most = 0
    for cluster in range(len(groups.size)):
        meets = 0
        for position in range(groups.set_offsets[cluster], groups.set_offsets[cluster + 1]):
            set_ = groups.sets[position]
            meets += groups.index_offsets[set_ + 1] - groups.index_offsets[set_]
        most = max(most, meets)
    return most


@kernel
def covers(groups: Groups, n_terms: int) -> Found:
    """Return what the overlaps of every cluster with clusters of other releases tell about it.

    For each telling range: its slot (cluster and term), its pattern of members, its low and high
    end, and how many overlaps say so. Then the patterns: where each begins, its positions and
    their numbers of copies, and the size of each. Last: overlaps seen, and ranges that clash.
    """
    tree, others = _room(most_meetings(groups) + 1, len(groups.size))
    slot_of = np.full(n_terms, -1, dtype=np.int64)
    theirs = np.zeros(len(groups.terms), dtype=np.int64)
    ranges, count = np.empty((1024, 6), dtype=np.int64), 0
    members, ends, patterns = np.empty((1024, 2), dtype=np.int64), np.zeros(1024, np.int64), 0
    seen, clashes = 0, 0
    for cluster in range(len(groups.size)):
        begin, end = groups.slot_offsets[cluster], groups.slot_offsets[cluster + 1]
        meets = _meet(groups, cluster, tree, others)
        seen += meets
        for slot in range(begin, end):
            slot_of[groups.terms[slot]] = slot
        since = count
        for other in others.met[:meets]:
            node, common = others.node[other], others.shared[other]
            others.node[other] = -1
            _copies(groups, other, slot_of, theirs[begin:end], begin)
            for slot in range(begin, end):
                tells, low, high = _range(groups, slot, other, common, theirs[slot])
                clashes += tells == CLASH
                if tells == TELLS and not _again(ranges, tree.head[node], slot, low, high):
                    ranges = with_room(ranges, count, 1)
                    ranges[count, SLOT], ranges[count, LOW], ranges[count, HIGH] = slot, low, high
                    ranges[count, PATTERN], ranges[count, TIMES] = node, 1
                    ranges[count, NEXT] = tree.head[node]
                    tree.head[node] = count
                    count += 1
        for slot in range(begin, end):
            slot_of[groups.terms[slot]] = -1
        for entry in range(since, count):
            node = ranges[entry, PATTERN]
            if tree.pattern[node] < 0:
                members = _with_path(tree, node, members, ends[patterns])
                ends = longer(ends, patterns + 1)
                ends[patterns + 1] = ends[patterns] + _depth(tree, node)
                tree.pattern[node] = patterns
                patterns += 1
            ranges[entry, PATTERN] = tree.pattern[node]
    return (
        ranges[:count, SLOT].copy(),
        ranges[:count, PATTERN].copy(),
        ranges[:count, LOW].copy(),
        ranges[:count, HIGH].copy(),
        ranges[:count, TIMES].copy(),
        ends[: patterns + 1].copy(),
        members[: ends[patterns], 0].copy(),
        members[: ends[patterns], 1].copy(),
        np.array([seen, clashes], dtype=np.int64),
    )


@kernel
def _room(nodes: int, clusters: int) -> tuple[_Tree, _Others]:
    tree = _Tree(
        np.empty(nodes, dtype=np.int64),
        np.empty(nodes, dtype=np.int64),
        np.empty(nodes, dtype=np.int64),
        np.empty(nodes, dtype=np.int64),
        np.empty(nodes, dtype=np.int64),
        np.empty(nodes, dtype=np.int64),
        np.empty(nodes, dtype=np.int64),
    )
    others = _Others(
        np.full(clusters, -1, dtype=np.int64),
        np.zeros(clusters, dtype=np.int64),
        np.empty(clusters, dtype=np.int64),
    )
    return tree, others


@kernel
def _meet(groups: Groups, cluster: int, tree: _Tree, others: _Others) -> int:
    """Find the clusters of other releases that share sets with one, and which; return how many."""
    nodes, meets = 1, 0
    tree.child[0], tree.head[0], tree.pattern[0] = -1, -1, -1
    for position in range(groups.set_offsets[cluster], groups.set_offsets[cluster + 1]):
        set_ = groups.sets[position]
        for holder in groups.holders[groups.index_offsets[set_] : groups.index_offsets[set_ + 1]]:
            other = groups.owner[holder]
            if groups.release[other] == groups.release[cluster]:
                continue
            if others.node[other] < 0:
                others.node[other], others.shared[other] = 0, 0
                others.met[meets] = other
                meets += 1
            both = min(groups.counts[position], groups.counts[holder])
            others.shared[other] += both * groups.weights[position]
            others.node[other] = _child(tree, others.node[other], position, both, nodes)
            nodes = max(nodes, others.node[other] + 1)
    return meets


@kernel
def _child(tree: _Tree, above: int, position: int, people: int, new: int) -> int:
    """Return the node with these people beside those above, a new one where there is none."""
    node = tree.child[above]
    while node >= 0 and not (tree.position[node] == position and tree.people[node] == people):
        node = tree.sibling[node]
    if node >= 0:
        return int(node)
    tree.sibling[new], tree.parent[new] = tree.child[above], above
    tree.position[new], tree.people[new] = position, people
    tree.child[above] = new
    tree.child[new], tree.head[new], tree.pattern[new] = -1, -1, -1
    return new


@kernel
def _copies(groups: Groups, other: int, slot_of: Whole, theirs: Whole, begin: int) -> None:
    """Count the copies that another cluster has of the terms of one."""
    theirs[:] = 0
    for slot in range(groups.slot_offsets[other], groups.slot_offsets[other + 1]):
        mine = slot_of[groups.terms[slot]]
        if mine >= 0:
            theirs[mine - begin] = groups.copies[slot]


@kernel
def _range(groups: Groups, slot: int, other: int, common: int, theirs: int) -> tuple[int, int, int]:
    """Return whether an overlap tells more of a term than its cluster, and the range of copies."""
    mine = groups.copies[slot]
    low = max(mine - (groups.size[groups.slot_owner[slot]] - common), 0)
    high = min(common, mine)
    lowest = max(low, theirs - (groups.size[other] - common))
    highest = min(high, theirs)
    if lowest > highest:
        return CLASH, lowest, highest
    tells = SILENT if lowest == low and highest == high else TELLS
    return tells, lowest, highest


@kernel
def _again(ranges: Whole, entry: int, slot: int, low: int, high: int) -> bool:
    """Whether the same was found about the same members, and count it then."""
    while entry >= 0:
        same = ranges[entry, SLOT] == slot and ranges[entry, LOW] == low
        if same and ranges[entry, HIGH] == high:
            ranges[entry, TIMES] += 1
            return True
        entry = ranges[entry, NEXT]
    return False


@kernel
def _depth(tree: _Tree, node: int) -> int:
    depth = 0
    while node > 0:
        depth += 1
        node = tree.parent[node]
    return depth


@kernel
def _with_path(tree: _Tree, node: int, members: Whole, used: int) -> Whole:
    """Return the members of all patterns with those of a node behind them."""
    depth = _depth(tree, node)
    members = with_room(members, used, depth)
    for row in range(used + depth - 1, used - 1, -1):
        members[row, 0], members[row, 1] = tree.position[node], tree.people[node]
        node = tree.parent[node]
    return members
