"""The posterior of a slot by counting every way to hand out its copies, compiled."""

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.series.kernels.slots import Members, Slot, SlotGroups, SlotRanges, log_choose

__all__ = ["by_counting"]

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

MOST_RANGES = 62
"""Ranges that fit the bits of a word."""
ENOUGH = 1e18
"""A number of ways that nobody counts."""


class _Cells(NamedTuple):
    """People who are in the same ranges; the first cell is of those in none."""

    masks: Whole
    people: Whole


@kernel
def by_counting(
    table: Real,
    effort: int,
    slot: Slot,
    members: Members,
    groups: SlotGroups,
    ranges: SlotRanges,
    exact: Real,
    mean: Real,
) -> int:
    """Write the posteriors by all ways to hand out the copies; return 1 where they are too many."""
    if len(ranges.group) > MOST_RANGES:
        return 1
    cells = _cells(slot, members, groups, ranges)
    if _ways(slot, cells, ranges) > effort:
        return 0 if len(ranges.group) == 1 else 1  # one range: the product is exact
    allowed, shares = _shares(table, slot, cells, ranges)
    for index in range(slot.sets):
        count, best, total, since = members.counts[slot.first + index], 0.0, 0.0, 0
        while allowed > 0 and since < count:
            mask, until = _mask(groups, ranges, index, since, count)
            share = shares[_find(cells.masks, len(cells.masks), mask)]
            best = max(best, share / allowed)
            total += (until - since) * share / allowed
            since = until
        exact[index] = min(best, 1.0) if allowed > 0 else slot.prior
        mean[index] = min(total / count, 1.0) if allowed > 0 else slot.prior
    return 0


@kernel
def _mask(
    groups: SlotGroups, ranges: SlotRanges, index: int, since: int, count: int
) -> tuple[int, int]:
    """Return which ranges the people with a set are in from a number on, and until which number."""
    mask, until = 0, count
    for number in range(len(ranges.group)):
        fits = groups.inside[ranges.group[number], index]
        if fits > since:
            mask |= 1 << number
            until = min(until, fits)
    return mask, until


@kernel
def _find(masks: Whole, used: int, mask: int) -> int:
    """Return where a mask stands, the number of those in use where it is new."""
    cell = 0
    while cell < used and masks[cell] != mask:
        cell += 1
    return cell


@kernel
def _wider(numbers: Whole) -> Whole:
    """Return twice the room."""
    wider = np.zeros(2 * len(numbers), dtype=np.int64)
    wider[: len(numbers)] = numbers
    return wider


@kernel
def _cells(slot: Slot, members: Members, groups: SlotGroups, ranges: SlotRanges) -> _Cells:
    """Return the people of a slot's cluster by the ranges they are in."""
    used, met = 1, 0
    masks = np.zeros(64, dtype=np.int64)
    people = np.zeros(64, dtype=np.int64)
    for index in range(slot.sets):
        since, count = 0, members.counts[slot.first + index]
        while since < count:
            mask, until = _mask(groups, ranges, index, since, count)
            cell = _find(masks, used, mask)
            if cell == len(masks):
                masks, people = _wider(masks), _wider(people)
            if cell == used:
                masks[cell] = mask
                used += 1
            if mask:
                people[cell] += (until - since) * members.weights[slot.first + index]
                met += (until - since) * members.weights[slot.first + index]
            since = until
    people[0] = slot.size - met  # less those who are known to be counterfeits
    return _Cells(masks[:used], people[:used])


@kernel
def _ways(slot: Slot, cells: _Cells, ranges: SlotRanges) -> float:
    """Return a bound on the ways to hand out the copies."""
    ways, splits, subsets = 1.0, 1.0, 1.0
    for cell in range(1, len(cells.masks)):
        most = min(cells.people[cell], slot.copies)
        for number in range(len(ranges.group)):
            if cells.masks[cell] >> number & 1:
                most = min(most, ranges.high[number])
        ways = min(ways * (most + 1), ENOUGH)
    if slot.copies > 64:
        return ways
    for number in range(slot.copies):
        splits = min(splits * (len(cells.masks) - 1 + slot.copies - number) / (number + 1), ENOUGH)
        subsets = min(subsets * (slot.size - number) / (number + 1), ENOUGH)
    return min(ways, min(splits, subsets))


@kernel
def _shares(table: Real, slot: Slot, cells: _Cells, ranges: SlotRanges) -> tuple[float, Real]:
    """Return the share of all ways that keeps every range, and each cell's share of copies in it.

    The cells take their copies in turn, the first what the others leave.
    """
    last = len(cells.masks) - 1
    taken = np.zeros(last + 1, dtype=np.int64)
    logs = np.zeros(last + 2)
    sums = np.zeros(len(ranges.group), dtype=np.int64)
    shares = np.zeros(last + 1)
    whole, everything = 0.0, log_choose(table, slot.size, slot.copies)
    cell, left = 1, slot.copies
    taken[1] = -1
    while cell > 0:
        # one more copy for this cell, if it can have one
        taken[cell] += 1
        possible = taken[cell] <= cells.people[cell] and (taken[cell] == 0 or left > 0)
        if taken[cell] > 0:
            left -= 1
            within = _add(sums, ranges, cells.masks[cell], 1)
            possible = possible and within
        if not possible:
            left += taken[cell]
            _add(sums, ranges, cells.masks[cell], -taken[cell])
            taken[cell] = 0
            cell -= 1
            continue
        logs[cell] = logs[cell - 1] + log_choose(table, cells.people[cell], taken[cell])
        if cell < last:
            cell += 1
            taken[cell] = -1
        elif left <= cells.people[0] and _enough(sums, ranges.low):
            weight = exp(logs[cell] + log_choose(table, cells.people[0], left) - everything)
            whole += weight
            taken[0] = left
            for each in range(last + 1):
                if cells.people[each] > 0:
                    shares[each] += weight * taken[each] / cells.people[each]
    return whole, shares


@kernel
def _enough(sums: Whole, low: Whole) -> bool:
    """Whether every sum reaches its low end."""
    reached = 0
    for number in range(len(sums)):
        reached += sums[number] >= low[number]
    return reached == len(sums)


@kernel
def _add(sums: Whole, ranges: SlotRanges, mask: int, copies: int) -> bool:
    """Add copies to the sums of the ranges of a mask; return whether these keep their high ends."""
    within = True
    for number in range(len(sums)):
        if mask >> number & 1:
            sums[number] += copies
            within = within and sums[number] <= ranges.high[number]
    return within
