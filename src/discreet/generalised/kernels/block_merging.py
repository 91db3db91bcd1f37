"""Blocks merged until every constraint is met, and taken apart again where they need not be."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.generalised.kernels.blocks import (
    MOST_ITEMS,
    Belief,
    Blocks,
    Groups,
    Needs,
    Rows,
    Work,
    all_met,
    failing,
    pluck,
    relist,
    violation,
)

__all__ = ["settle", "tighten"]

PLUCKED = 64
"""Up to this size each member of a block is tried on its own, besides the last merge."""
POWERS = 900
"""Sizes beyond this one weigh the same: twice to their power is no number any more."""
WEIGHTS = 2.0 ** np.arange(POWERS + 1) - 1.0
"""The weight of a block of each size: in how many ways it can be meant."""


@kernel
def _advantage(blocks: Blocks, belief: Belief, left: int, right: int) -> float:
    """Return how many times likelier than by chance an attacker is right about a union's member.

    By frequency: the share of the commonest member over that of an average one. By company: from 1
    where members of both blocks keep the same company to 2 where they keep none in common.
    """
    factor = 1.0
    if len(belief.common) > 0:
        most, total, size = 0.0, 0.0, 0
        for first in (left, right):
            item = first
            while item >= 0:
                most = max(most, belief.common[item])
                total += belief.common[item]
                size += 1
                item = blocks.next[item]
        if total > 0:
            factor *= most * size / total
    if len(belief.alike) > 0:
        alike, pairs = 0.0, 0
        item = left
        while item >= 0:
            against = right
            while against >= 0:
                alike += belief.alike[item, against]
                pairs += 1
                against = blocks.next[against]
            item = blocks.next[item]
        factor *= 2.0 - alike / pairs
    return factor


@kernel
def _partner(
    rows: Rows, blocks: Blocks, groups: Groups, first: int, believed: tuple[Belief, Work]
) -> tuple[int, float, int]:
    """Return the block of the same group whose union with this one costs least, cost and people.

    The cost is the utility loss without its constant factor, times what an attacker gains by what
    he believes. Who holds both is counted along the rows of this block, for all partners at once.
    (-1, 0, 0) where there is no partner.
    """
    belief, work = believed
    group = groups.group[first]
    if group < 0:
        return -1, 0.0, 0
    begin, end = groups.offsets[group], groups.offsets[group + 1]
    for position in range(begin, end):
        work.shared[groups.items[position]] = 0
    work.clock[0] += 1
    tick = work.clock[0]
    item = first
    while item >= 0:
        for position in range(rows.starts[item], rows.starts[item + 1]):
            row = rows.holders[position]
            if work.met[row] == tick:
                continue
            work.met[row] = tick
            work.clock[0] += 1
            for at in range(rows.offsets[row], rows.offsets[row + 1]):
                block = blocks.block[rows.items[at]]
                if block >= 0 and work.seen[block] != work.clock[0]:
                    work.seen[block] = work.clock[0]
                    work.shared[block] += rows.counts[row]
        item = blocks.next[item]
    best, cost, union = -1, 0.0, 0
    for position in range(begin, end):
        block = groups.items[position]
        if block == first or blocks.block[block] != block or blocks.support[block] == 0:
            continue
        people = blocks.support[first] + blocks.support[block] - work.shared[block]
        size = min(blocks.size[first] + blocks.size[block], POWERS)
        loss = WEIGHTS[size] * people
        if best >= 0 and loss >= cost:
            continue
        loss *= _advantage(blocks, belief, first, block)
        if best < 0 or loss < cost:
            best, cost, union = block, loss, people
    return best, cost, union


@kernel
def _merge(blocks: Blocks, left: int, right: int, people: int, work: Work) -> None:
    """Join two blocks, a member of which so many people hold, under the smaller name."""
    work.clock[1] += 1
    first, second = min(left, right), max(left, right)
    last = first
    while blocks.next[last] >= 0:
        last = blocks.next[last]
    blocks.next[last] = second
    blocks.joint[second] = work.clock[1]
    blocks.size[first] += blocks.size[second]
    item = second
    while item >= 0:
        blocks.block[item] = first
        item = blocks.next[item]
    blocks.support[first] = people


@kernel
def _suppress(
    rows: Rows,
    blocks: Blocks,
    needs: Needs,
    groups: Groups,
    target: tuple[int, int],
    work: Work,
) -> bool:
    """Suppress the items of a constraint in one of its blocks, if its group allows it."""
    constraint, block = target
    group = groups.group[block]
    begin, end = needs.offsets[constraint], needs.offsets[constraint + 1]
    count = 0
    for position in range(begin, end):
        count += blocks.block[needs.items[position]] == block
    if group >= 0:
        if groups.budget[group] < count:
            return False
        groups.budget[group] -= count
    name = block
    for position in range(begin, end):
        item = needs.items[position]
        if name >= 0 and blocks.block[item] == name:
            rest = blocks.next[item] if item == name else name
            pluck(rows, blocks, item, work)
            name = rest
    return True


@kernel
def settle(
    rows: Rows,
    blocks: Blocks,
    needs: Needs,
    groups: Groups,
    how: tuple[NDArray[np.int64], bool, Belief],
    work: Work,
) -> int:
    """Meet the constraints one after the other; return the first that cannot be met, or -1.

    ``how`` is their order, whether every block of a constraint seeks a partner and the cheapest
    pair is merged (PCTA), or the rarest block that has a partner (COAT), and by what belief. Only
    where no block has a partner left are the constraint's items in one of them suppressed.
    """
    order, every, belief = how
    chosen = np.empty(MOST_ITEMS + 1, dtype=np.int64)
    for constraint in order:
        people, mask = violation(rows, blocks, needs, constraint, work)
        while people > 0:
            count = failing(mask, work, chosen)
            left, right, least, union = -1, -1, 0.0, 0
            for at in range(count):
                # a union is no smaller and no rarer than this, so that frequent blocks need no look
                size = min(blocks.size[chosen[at]] + 1, POWERS)
                if left >= 0 and WEIGHTS[size] * blocks.support[chosen[at]] >= least:
                    continue
                seeking = chosen[at]
                partner, cost, both = _partner(rows, blocks, groups, seeking, (belief, work))
                if partner >= 0 and (left < 0 or cost < least):
                    left, right, least, union = chosen[at], partner, cost, both
                    if not every:
                        break
            if left >= 0:
                _merge(blocks, left, right, union, work)
            else:
                done = False
                for at in range(count):
                    target = (constraint, chosen[at])
                    done = done or _suppress(rows, blocks, needs, groups, target, work)
                if not done:
                    return int(constraint)
            people, mask = violation(rows, blocks, needs, constraint, work)
    return -1


@kernel
def _divide(
    rows: Rows, blocks: Blocks, needs: Needs, first: int, each_member: bool, work: Work
) -> bool:
    """Undo the last merge of a block, or set one of its members free, if all stays met."""
    size = blocks.size[first]
    members, joints = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    each = first
    cut = 1
    for at in range(size):
        members[at], joints[at] = each, blocks.joint[each]
        if at > 0 and joints[at] > joints[cut]:
            cut = at
        each = blocks.next[each]
    relist(rows, blocks, members[:cut], joints[:cut], work)
    relist(rows, blocks, members[cut:], joints[cut:], work)
    if all_met(rows, blocks, needs, members, work):
        return True
    relist(rows, blocks, members, joints, work)
    if not each_member or size > PLUCKED or size == 2:
        return False
    alone = np.empty(1, dtype=np.int64)
    none = np.zeros(1, dtype=np.int64)
    for at in range(size):
        item = members[at]
        pluck(rows, blocks, item, work)
        alone[0] = item
        relist(rows, blocks, alone, none, work)
        if all_met(rows, blocks, needs, members, work):
            return True
        relist(rows, blocks, members, joints, work)
    return False


@kernel
def tighten(
    rows: Rows, blocks: Blocks, needs: Needs, groups: Groups, each_member: bool, work: Work
) -> int:
    """Give back what need not be given up, in one round over all blocks; return how often.

    Suppressed items come back as they were and merges are undone from the last, wherever every
    constraint stays met; where ``each_member`` is tried, single members are set free as well.
    """
    given = 0
    alone = np.empty(1, dtype=np.int64)
    none = np.zeros(1, dtype=np.int64)
    for item in range(len(blocks.block)):
        if blocks.block[item] < 0:
            alone[0] = item
            relist(rows, blocks, alone, none, work)
            if not all_met(rows, blocks, needs, alone, work):
                blocks.block[item] = -1
                continue
            given += 1
            if groups.group[item] >= 0:
                groups.budget[groups.group[item]] += 1
        while blocks.block[item] == item and blocks.size[item] > 1:
            if not _divide(rows, blocks, needs, item, each_member, work):
                break
            given += 1
    return given
