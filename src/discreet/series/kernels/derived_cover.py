"""What the rests of clusters, beyond overlaps of which ranges are known, tell about others."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.series.kernels.cover import (
    CLASH,
    SILENT,
    TELLS,
    Found,
    Groups,
    longer,
    most_meetings,
    with_room,
)

__all__ = ["Known", "derive"]

Whole = NDArray[np.int64]


class Known(NamedTuple):
    """What overlaps tell: ranges of copies, each about a pattern of members."""

    slot: Whole
    pattern: Whole
    low: Whole
    high: Whole
    offsets: Whole
    """Where each pattern begins."""
    positions: Whole
    counts: Whole


class _Rest(NamedTuple):
    """The members of a cluster beyond an overlap."""

    cluster: int
    term: int
    copies: int
    """Of the term in the whole cluster."""
    people: int
    """Those who are surely no counterfeits."""
    least: int
    most: int


class _Others(NamedTuple):
    """The clusters that a rest meets."""

    slot: Whole
    shared: Whole
    last: Whole
    """The last step of the members that are shared."""
    met: Whole


@kernel
def derive(groups: Groups, known: Known) -> Found:
    """Return what the rests of clusters, beyond overlaps whose ranges are known, tell about others.

    Where an overlap is known to hold so many copies of a term, the rest of its cluster holds the
    others: a derived cluster, which overlaps with clusters of other releases in its turn.
    """
    left = np.zeros(len(groups.sets), dtype=np.int64)
    steps = np.empty((max(16, most_meetings(groups)), 3), dtype=np.int64)
    others = _Others(
        np.full(len(groups.size), -1, dtype=np.int64),
        np.zeros(len(groups.size), dtype=np.int64),
        np.empty(len(groups.size), dtype=np.int64),
        np.empty(len(groups.size), dtype=np.int64),
    )
    ranges, count = np.empty((1024, 3), dtype=np.int64), 0
    members, ends = np.empty((1024, 2), dtype=np.int64), np.zeros(1024, dtype=np.int64)
    seen, clashes = 0, 0
    for entry in range(len(known.slot)):
        rest = _rest(groups, known, entry, left)
        meets = _meet(groups, rest, left, steps, others)
        seen += meets
        for other in others.met[:meets]:
            slot, common = others.slot[other], others.shared[other]
            others.slot[other] = -1
            tells, low, high = _range(groups, rest, slot, common)
            clashes += tells == CLASH
            if tells == TELLS:
                ranges = with_room(ranges, count, 1)
                ranges[count, 0], ranges[count, 1], ranges[count, 2] = slot, low, high
                ends = longer(ends, count + 1)
                members, ends[count + 1] = _with_steps(
                    steps, others.last[other], members, ends[count]
                )
                count += 1
    return (
        ranges[:count, 0].copy(),
        np.arange(count),
        ranges[:count, 1].copy(),
        ranges[:count, 2].copy(),
        np.ones(count, dtype=np.int64),
        ends[: count + 1].copy(),
        members[: ends[count], 0].copy(),
        members[: ends[count], 1].copy(),
        np.array([seen, clashes], dtype=np.int64),
    )


@kernel
def _rest(groups: Groups, known: Known, entry: int, left: Whole) -> _Rest:
    """Return who is left of a cluster, and how many copies of the term these hold."""
    slot = known.slot[entry]
    cluster, copies = groups.slot_owner[slot], groups.copies[slot]
    for position in range(groups.set_offsets[cluster], groups.set_offsets[cluster + 1]):
        left[position] = groups.counts[position]
    overlap, pattern = 0, known.pattern[entry]
    for member in range(known.offsets[pattern], known.offsets[pattern + 1]):
        left[known.positions[member]] -= known.counts[member]
        overlap += known.counts[member]
    # which of the others are counterfeits is not known, nor whether these hold the term
    people = groups.size[cluster] - overlap - groups.counterfeits[cluster]
    least = max(copies - known.high[entry] - groups.counterfeits[cluster], 0)
    most = min(people, copies - known.low[entry])
    return _Rest(cluster, groups.terms[slot], copies, people, least, most)


@kernel
def _meet(groups: Groups, rest: _Rest, left: Whole, steps: Whole, others: _Others) -> int:
    """Find the clusters of other releases with the term that share sets with a rest."""
    meets, used = 0, 0
    for position in range(groups.set_offsets[rest.cluster], groups.set_offsets[rest.cluster + 1]):
        if left[position] < groups.counts[position]:
            continue  # which of the equal sets are the rest is open
        set_ = groups.sets[position]
        for holder in groups.holders[groups.index_offsets[set_] : groups.index_offsets[set_ + 1]]:
            other = groups.owner[holder]
            if groups.release[other] == groups.release[rest.cluster]:
                continue
            if others.slot[other] < 0:
                others.slot[other] = _slot_with(groups, other, rest.term)
                if others.slot[other] < 0:
                    continue
                others.shared[other], others.last[other] = 0, -1
                others.met[meets] = other
                meets += 1
            both = min(groups.counts[position], groups.counts[holder])
            others.shared[other] += both
            steps[used, 0], steps[used, 1], steps[used, 2] = holder, both, others.last[other]
            others.last[other] = used
            used += 1
    return meets


@kernel
def _slot_with(groups: Groups, cluster: int, term: int) -> int:
    """Return the slot of a cluster with a term, -1 where it has none."""
    for slot in range(groups.slot_offsets[cluster], groups.slot_offsets[cluster + 1]):
        if groups.terms[slot] == term:
            return int(slot)
    return -1


@kernel
def _range(groups: Groups, rest: _Rest, slot: int, common: int) -> tuple[int, int, int]:
    """Return whether a rest tells more of a slot than is known, and the range of copies."""
    low = max(rest.least - (rest.people - common), 0)
    high = min(common, rest.most)
    whole = groups.size[rest.cluster]
    if low <= max(rest.copies - (whole - common), 0) and high >= min(common, rest.copies):
        return SILENT, low, high  # the whole cluster tells as much about these members
    mine = groups.copies[slot]
    own_low = max(mine - (groups.size[groups.slot_owner[slot]] - common), 0)
    own_high = min(common, mine)
    low, high = max(low, own_low), min(high, own_high)
    if low > high:
        return CLASH, low, high
    tells = SILENT if low == own_low and high == own_high else TELLS
    return tells, low, high


@kernel
def _with_steps(steps: Whole, last: int, members: Whole, used: int) -> tuple[Whole, int]:
    """Return all members with those of a chain of steps behind them, and how many there are."""
    depth, step = 0, last
    while step >= 0:
        depth += 1
        step = steps[step, 2]
    members = with_room(members, used, depth)
    step = last
    for row in range(used + depth - 1, used - 1, -1):
        members[row, 0], members[row, 1] = steps[step, 0], steps[step, 1]
        step = steps[step, 2]
    return members, used + depth
