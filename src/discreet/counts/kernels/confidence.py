"""Published counts over all sets of a small universe, changed until no item is too sure.

``counts`` are the people with exactly each set, ``supports`` with at least it; a set is the
number whose bits are its items. Wanted is ``supports[known + item] <= tau * supports[known]`` for
every known set up to some size and every other item, with ``tau = num / den``.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["bounded", "dissolved", "thinned"]

Counts = NDArray[np.int64]


@kernel
def _needed(supports: Counts, known: int, items: int, ratio: tuple[int, int], but: int) -> int:
    """Return the support a known set needs for what is published beyond it, one item left out."""
    num, den = ratio
    largest = 0
    for item in range(items):
        if item != but and not known >> item & 1:
            largest = max(largest, supports[known | 1 << item])
    return -((-largest * den) // num)


@kernel
def _add(supports: Counts, at: int, fixed: int, by: int) -> None:
    """Add to the supports of all subsets of ``at`` together with the items of ``fixed``."""
    subset = at
    while True:
        supports[subset | fixed] += by
        if subset == 0:
            return
        subset = (subset - 1) & at


@kernel
def bounded(
    counts: Counts,
    supports: Counts,
    largest_first: Counts,
    sizes: Counts,
    ratio: tuple[int, int],
    known_size: int,
    moved_share: int,
    most: int,
) -> bool:
    """Change ``counts`` and ``supports`` in place, known sets from the largest to the smallest.

    Of what a known set lacks, ``moved_share`` percent may be met by people who give up the item
    that follows too surely, as far as no larger known set is harmed; the rest is added. Adding at
    a set changes the supports of its subsets only, and moving from ``known + item`` to ``known``
    those of sets that hold the item: the finished ones among these are checked before. False where
    it would take more than ``most`` people, who times the denominator still fit a machine word:
    then the bound is not kept.
    """
    num, den = ratio
    items = 0
    while 1 << items < len(counts):
        items += 1
    done = np.zeros(len(counts), dtype=np.bool_)
    for known in largest_first:
        if sizes[known] > known_size:
            continue
        for item in range(items):
            bit = 1 << item
            sure = known | bit
            if known & bit or counts[sure] == 0:
                continue
            excess = -((-(supports[sure] * den - num * supports[known])) // den)
            can = min((excess * moved_share + 99) // 100, counts[sure])
            if can > 0 and sizes[known] + 1 <= known_size:
                can = min(can, supports[sure] - _needed(supports, sure, items, ratio, -1))
            for other in range(items):
                if can > 0 and known >> other & 1:
                    beside = sure ^ (1 << other)
                    if done[beside]:
                        spare = supports[beside] - _needed(supports, beside, items, ratio, other)
                        can = min(can, spare)
            if can > 0:
                counts[sure] -= can
                counts[known] += can
                _add(supports, known, bit, -can)
        lack = _needed(supports, known, items, ratio, -1) - supports[known]
        if lack > 0:
            counts[known] += lack
            _add(supports, known, 0, lack)
            if supports[0] > most:
                return False
        done[known] = True
    return True


@kernel
def thinned(counts: NDArray[np.float64], dropped: float) -> None:
    """Turn counts into those to expect where each item of each person goes with this chance."""
    half = 1
    while half < len(counts):
        for begin in range(0, len(counts), 2 * half):
            for at in range(begin, begin + half):
                moved = counts[at + half] * dropped
                counts[at + half] -= moved
                counts[at] += moved
        half *= 2


@kernel
def dissolved(counts: Counts, containers: Counts, largest_first: Counts) -> int:
    """Let published sets that give an item away lose people to what lies below, in place.

    ``containers`` counts the published sets that contain each set. A set that alone contains one
    of its boundaries gives one person to each such boundary if it has more people than those;
    else it is dissolved, and its people go to the boundaries that most published sets contain.
    Returns how many people moved; nobody is lost. Sets that a move leaves alone are met later or
    in the next round.
    """
    moved = 0
    for at in largest_first:
        if counts[at] == 0 or containers[at] > 1 or at == 0:
            continue
        missing = 0
        bit = 1
        while bit <= at:
            if at & bit and containers[at ^ bit] == 1:
                missing += 1
            bit *= 2
        if missing == 0:
            continue
        people = counts[at]
        if people > missing:
            bit = 1
            while bit <= at:
                below = at ^ bit
                if at & bit and containers[below] == 1:
                    if counts[below] == 0:
                        _add(containers, below, 0, 1)
                    counts[below] += 1
                    counts[at] -= 1
                    moved += 1
                bit *= 2
            continue
        counts[at] = 0
        _add(containers, at, 0, -1)
        best, most = 0, np.int64(-1)
        bit = 1
        while bit <= at:
            if at & bit and containers[at ^ bit] > most:
                best, most = at ^ bit, containers[at ^ bit]
            bit *= 2
        if counts[best] == 0:
            _add(containers, best, 0, 1)
        counts[best] += people
        moved += people
    return moved
