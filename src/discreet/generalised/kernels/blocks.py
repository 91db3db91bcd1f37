"""Blocks of items that hide each other, and whether constraints are met by them, compiled.

Rows are distinct sets with counts. A block is a list of items: its first member is its name, each
member points to the next one, and the time of the merge stands where two lists were joined, so
that the last merge of a block is undone by cutting its list at the latest joint. Nothing is kept
per block and row: the rows of a block are found along the rows of its members.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = [
    "MOST_ITEMS",
    "Belief",
    "Blocks",
    "Groups",
    "Needs",
    "Rows",
    "Work",
    "all_met",
    "failing",
    "nearest",
    "pluck",
    "relist",
    "union",
    "violation",
]

MOST_ITEMS = 16
"""Items of one constraint: all their subsets are looked at."""


class Rows(NamedTuple):
    """The data: distinct sets, both ways."""

    offsets: NDArray[np.int64]
    """Row ``r`` is ``items[offsets[r]:offsets[r + 1]]``."""
    items: NDArray[np.int32]
    """Item numbers."""
    counts: NDArray[np.int64]
    """How many people have each row."""
    starts: NDArray[np.int64]
    """Item ``i`` is in the rows ``holders[starts[i]:starts[i + 1]]``."""
    holders: NDArray[np.int64]
    """Row numbers."""


class Blocks(NamedTuple):
    """The partition, changed in place."""

    block: NDArray[np.int64]
    """The first member of each item's block; -1 where the item is suppressed."""
    next: NDArray[np.int64]
    """The member after each item; -1 after the last."""
    joint: NDArray[np.int64]
    """When the list before an item was joined to the list that begins with it; 0 at the first."""
    size: NDArray[np.int64]
    """Members of each block, at its first."""
    support: NDArray[np.int64]
    """People who hold a member, at its first."""


class Needs(NamedTuple):
    """The privacy constraints, and the support that each needs."""

    offsets: NDArray[np.int64]
    """Constraint ``c`` is ``items[offsets[c]:offsets[c + 1]]``."""
    items: NDArray[np.int64]
    """Item numbers."""
    least: NDArray[np.int64]
    """The support each of them needs."""
    starts: NDArray[np.int64]
    """Item ``i`` is named by the constraints ``naming[starts[i]:starts[i + 1]]``."""
    naming: NDArray[np.int64]
    """Constraint numbers."""


class Groups(NamedTuple):
    """The utility constraints: blocks stay within a group."""

    group: NDArray[np.int64]
    """The group of each item; -1 for an item that may only be suppressed."""
    offsets: NDArray[np.int64]
    """Group ``g`` is ``items[offsets[g]:offsets[g + 1]]``."""
    items: NDArray[np.int64]
    """Item numbers, ascending within a group."""
    budget: NDArray[np.int64]
    """How many items of each group may still be suppressed; changed in place."""


class Belief(NamedTuple):
    """What an attacker would go by to tell the members of a block apart; empty where unasked."""

    common: NDArray[np.float64]
    """How many people hold each item."""
    alike: NDArray[np.float32]
    """How alike the company is that any two items keep, from 0 to 1."""


class Work(NamedTuple):
    """Room to work in."""

    clock: NDArray[np.int64]
    """The tick of the last scan, and the time of the last merge."""
    met: NDArray[np.int64]
    """For each row the tick of the last scan that met it."""
    seen: NDArray[np.int64]
    """For each block the tick of the last row that held it."""
    shared: NDArray[np.int64]
    """For each block how many people hold it besides another."""
    bit: NDArray[np.int64]
    """For each block its bit among those of a constraint."""
    live: NDArray[np.int64]
    """The blocks of a constraint that somebody holds, rarest first."""


@kernel
def union(rows: Rows, blocks: Blocks, first: int, work: Work) -> int:
    """Return how many people hold a member of the list that begins with ``first``."""
    work.clock[0] += 1
    tick = work.clock[0]
    people = 0
    item = first
    while item >= 0:
        for posting in range(rows.starts[item], rows.starts[item + 1]):
            row = rows.holders[posting]
            if work.met[row] != tick:
                work.met[row] = tick
                people += rows.counts[row]
        item = blocks.next[item]
    return people


@kernel
def _together(rows: Rows, blocks: Blocks, first: int, mask: int, least: int, work: Work) -> int:
    """Return how many people hold all blocks of ``mask``, or some number from ``least`` on."""
    work.clock[0] += 1
    tick = work.clock[0]
    people = 0
    item = first
    while item >= 0 and people < least:
        for posting in range(rows.starts[item], rows.starts[item + 1]):
            row = rows.holders[posting]
            if work.met[row] == tick:
                continue
            work.met[row] = tick
            bits = 0
            for at in range(rows.offsets[row], rows.offsets[row + 1]):
                block = blocks.block[rows.items[at]]
                if block >= 0:
                    bits |= work.bit[block]
            if bits & mask == mask:
                people += rows.counts[row]
                if people >= least:
                    break
        item = blocks.next[item]
    return people


@kernel
def _live(blocks: Blocks, needs: Needs, constraint: int, work: Work) -> int:
    """Write the blocks of a constraint that somebody holds, rarest first; return how many."""
    count = 0
    for position in range(needs.offsets[constraint], needs.offsets[constraint + 1]):
        block = blocks.block[needs.items[position]]
        if block < 0 or blocks.support[block] == 0:
            continue
        known = False
        for at in range(count):
            known = known or work.live[at] == block
        if known:
            continue
        at = count
        count += 1
        while at > 0 and (blocks.support[work.live[at - 1]], work.live[at - 1]) > (
            blocks.support[block],
            block,
        ):
            work.live[at] = work.live[at - 1]
            at -= 1
        work.live[at] = block
    return count


@kernel
def violation(
    rows: Rows, blocks: Blocks, needs: Needs, constraint: int, work: Work
) -> tuple[int, int]:
    """Return how many the most frequent failing part of a constraint fits, and the failing blocks.

    The blocks are bits of ``work.live``: those that fail by themselves, which must change in any
    case; if there are none, all those in any part that fits somebody but too few. Larger parts
    come first; whatever lies within a part that fits enough fits enough. (0, 0) where the
    constraint is met.
    """
    least = needs.least[constraint]
    count = _live(blocks, needs, constraint, work)
    most, worst = 0, 0
    for at in range(count):
        if blocks.support[work.live[at]] < least:
            most, worst = blocks.support[work.live[at]], worst | 1 << at
    if most > 0 or count < 2:
        return most, worst
    for at in range(count):
        work.bit[work.live[at]] = 1 << at
    fine = np.zeros(1 << count, dtype=np.bool_)
    for mask in range((1 << count) - 1, 0, -1):
        for at in range(count):
            if not mask >> at & 1 and fine[mask | 1 << at]:
                fine[mask] = True
        if fine[mask]:
            continue
        rarest = 0
        while not mask >> rarest & 1:
            rarest += 1
        first = work.live[rarest]
        people = blocks.support[first]
        if mask != 1 << rarest:
            people = _together(rows, blocks, first, mask, least, work)
        if people >= least:
            fine[mask] = True
        elif people > 0:
            most = max(most, people)
            worst |= mask
    for at in range(count):
        work.bit[work.live[at]] = 0
    return most, worst


@kernel
def failing(mask: int, work: Work, chosen: NDArray[np.int64]) -> int:
    """Write the blocks that ``violation`` found failing, rarest first; return how many."""
    count = 0
    for at in range(MOST_ITEMS):
        if mask >> at & 1:
            chosen[count] = work.live[at]
            count += 1
    return count


@kernel
def nearest(rows: Rows, blocks: Blocks, needs: Needs, work: Work) -> NDArray[np.int64]:
    """Return for each constraint how many its most frequent failing part fits; 0 where met."""
    count = len(needs.least)
    people = np.zeros(count, dtype=np.int64)
    for constraint in range(count):
        people[constraint] = violation(rows, blocks, needs, constraint, work)[0]
    return people


@kernel
def relist(
    rows: Rows, blocks: Blocks, members: NDArray[np.int64], joints: NDArray[np.int64], work: Work
) -> None:
    """Make ``members`` one block, in that order, with these joints (the first one is none)."""
    size = len(members)
    for at in range(size):
        blocks.block[members[at]] = members[0]
        blocks.next[members[at]] = members[at + 1] if at + 1 < size else -1
        blocks.joint[members[at]] = joints[at] if at else 0
    blocks.size[members[0]] = size
    blocks.support[members[0]] = union(rows, blocks, members[0], work)


@kernel
def pluck(rows: Rows, blocks: Blocks, item: int, work: Work) -> None:
    """Suppress one item; what was its block stays together."""
    first = blocks.block[item]
    size = blocks.size[first] - 1
    members, joints = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    at, each, gone = 0, first, 0
    while each >= 0:
        if each == item:
            gone = blocks.joint[each]
        else:
            members[at] = each
            # where a member is missing, the later of the two joints holds what is left together
            joints[at] = max(gone, blocks.joint[each])
            gone = 0
            at += 1
        each = blocks.next[each]
    blocks.block[item] = -1
    if size:
        relist(rows, blocks, members, joints, work)


@kernel
def all_met(
    rows: Rows, blocks: Blocks, needs: Needs, members: NDArray[np.int64], work: Work
) -> bool:
    """Tell whether every constraint that names one of the members is met.

    Constraints about the same two blocks are the same question, which is asked once as long as
    the members of a block stand together.
    """
    block, tick, level = -1, 0, -1
    for item in members:
        if blocks.block[item] != block:
            block = blocks.block[item]
            work.clock[0] += 1
            tick = work.clock[0]
        for posting in range(needs.starts[item], needs.starts[item + 1]):
            constraint = needs.naming[posting]
            other = -1
            if _live(blocks, needs, constraint, work) == 2:
                other = work.live[0] + work.live[1] - block
                other = other if other in (work.live[0], work.live[1]) else -1
            level = needs.least[constraint] if level < 0 else level
            other = other if needs.least[constraint] == level else -1
            if other >= 0 and work.seen[other] == tick:
                continue
            if violation(rows, blocks, needs, constraint, work)[0] > 0:
                return False
            if other >= 0:
                work.seen[other] = tick
    return True
