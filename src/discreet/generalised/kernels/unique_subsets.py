"""The few items by which a set is the only one that holds them, compiled."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["unique_subsets"]

BITS = 62
"""Items of a set that are looked at, the rarest first."""
WORK = 50_000
"""Looks at places for one set; those of its rarest item are always looked at."""


@kernel
def _shared(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    holders: NDArray[np.int64],
    but: int,
    bit: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return which bits each of the other holders has."""
    masks = np.zeros(len(holders), dtype=np.int64)
    many = 0
    for row in holders:
        if row == but:
            continue
        mask = 0
        for place in range(offsets[row], offsets[row + 1]):
            mask |= bit[items[place]]
        masks[many] = mask
        many += 1
    return masks[:many]


@kernel
def _fewest(masks: NDArray[np.int64], width: int, start: int, most: int) -> int:
    """Return few bits, ``start`` among them, that no mask has all of; 0 if none are found.

    Each further bit is the one that fewest of the masks left have.
    """
    chosen, size = start, 0
    for place in range(width):
        size += chosen >> place & 1
    left = np.empty(len(masks), dtype=np.int64)
    many = 0
    for mask in masks:
        if mask & chosen == chosen:
            left[many] = mask
            many += 1
    while many > 0 and size < most:
        best, fewest = -1, many
        for place in range(width):
            have = 0
            for at in range(many):
                have += left[at] >> place & 1
            if have < fewest:
                best, fewest = place, have
        if best < 0:
            return 0
        chosen, size = chosen | 1 << best, size + 1
        kept = 0
        for at in range(many):
            if left[at] >> best & 1:
                left[kept] = left[at]
                kept += 1
        many = kept
    return 0 if many else chosen


@kernel
def unique_subsets(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    counts: NDArray[np.int64],
    holders: tuple[NDArray[np.int64], NDArray[np.int64]],
    most: int,
) -> NDArray[np.int64]:
    """Return for each distinct set up to ``most`` of its items that no other holds, -1 behind them.

    Up to three items are found where there are such, unless the places to look at are too many;
    beyond three it is the best that one further item at a time leads to.
    """
    starts, rows = holders
    found = np.full((len(counts), most), -1, dtype=np.int64)
    bit = np.zeros(len(starts) - 1, dtype=np.int64)
    for row in range(len(counts)):
        if counts[row] != 1:
            continue
        held = items[offsets[row] : offsets[row + 1]].copy()
        held = held[np.argsort(starts[held + 1] - starts[held], kind="mergesort")][:BITS]
        for place in range(len(held)):
            bit[held[place]] = 1 << place
        best, least, work = 0, most + 1, 0
        for first in range(len(held)):
            others = rows[starts[held[first]] : starts[held[first] + 1]]
            work += len(others) * len(held) * len(held)
            if least == 1 or (first > 0 and (least == 2 or work > WORK)):
                break
            masks = _shared(offsets, items, others, row, bit)
            for second in range(len(held)):
                chosen = _fewest(masks, len(held), 1 << first | 1 << second, least - 1)
                size = 0
                for place in range(len(held)):
                    size += chosen >> place & 1
                if 0 < size < least:
                    best, least = chosen, size
        for place in range(len(held)):
            bit[held[place]] = 0
        at = 0
        for place in range(len(held)):
            if best >> place & 1:
                found[row, at] = held[place]
                at += 1
    return found
