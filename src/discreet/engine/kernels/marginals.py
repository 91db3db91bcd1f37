"""Marginal tables of sets seen as rows of zeros and ones, and scores of how much they tell.

``columns`` holds one row of zeros and ones for each item, over the distinct sets; ``counts`` says
how often each set occurs. A cell of a table over several items is numbered by their values, the
first item being the most significant bit.
"""

from math import log2

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = [
    "FAR_FROM_INDEPENDENT",
    "MUTUAL_INFORMATION",
    "NEAR_DETERMINED",
    "ONE_BIT",
    "marginal",
    "sample_item",
    "score",
    "score_parents",
]

FAR_FROM_INDEPENDENT, NEAR_DETERMINED, MUTUAL_INFORMATION = range(3)
"""The scores R, F and MI of PrivBayes."""
ONE_BIT = 1 << 40
"""Mutual information is counted in this part of a bit."""


@kernel
def marginal(
    columns: NDArray[np.uint8], counts: NDArray[np.int64], items: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Return how often each combination of values of ``items`` occurs."""
    table = np.zeros(1 << len(items), dtype=np.int64)
    for row in range(len(counts)):
        cell = 0
        for item in items:
            cell = 2 * cell + int(columns[item, row])
        table[cell] += counts[row]
    return table


@kernel
def _determined(
    sums: NDArray[np.int64], ones: NDArray[np.int64], best: NDArray[np.int64], total: int
) -> int:
    """Return F in units of ``1 / (2 * total)``, exactly.

    Each cell of the parents is given to value 0 or to value 1 of the child; ``a`` counts the
    records of value 0 in the cells given to 0, ``b`` likewise for 1. F is minus the least of
    ``max(0, total - 2a) + max(0, total - 2b)``. ``best[a]`` keeps the largest ``b`` for each
    ``a``; beyond half of the records more of ``a`` does not help, and the last place stands for
    all of it.
    """
    given_0 = given_1 = sure_0 = sure_1 = 0
    for cell in range(len(sums)):
        one, zero = ones[cell], sums[cell] - ones[cell]
        if one > zero:
            given_1 += one
        else:
            given_0 += zero
        if one == 0:
            sure_0 += zero
        elif zero == 0:
            sure_1 += one
    if 2 * given_0 <= total and 2 * given_1 <= total:
        # the majority in each cell reaches the upper bound of a + b, and none of it is in vain
        return 2 * (given_0 + given_1 - total)
    last = len(best) - 1
    for a in range(last + 1):
        best[a] = -1
    reached = min(sure_0, last)
    best[reached] = sure_1
    for cell in range(len(sums)):
        one, zero = ones[cell], sums[cell] - ones[cell]
        if one == 0 or zero == 0:
            continue
        top = best[last] + one if best[last] >= 0 else -1
        for a in range(max(0, last - zero), last):
            top = max(top, best[a])
        for a in range(min(last - 1, reached + zero), -1, -1):
            kept = best[a] + one if best[a] >= 0 else -1
            moved = best[a - zero] if a >= zero else -1
            best[a] = max(kept, moved)
        best[last] = top
        reached = min(reached + zero, last)
    least = 2 * total
    for a in range(last + 1):
        if best[a] >= 0:
            least = min(least, max(0, total - 2 * a) + max(0, total - 2 * best[a]))
    return -least


@kernel
def score(
    kind: int,
    sums: NDArray[np.int64],
    ones: NDArray[np.int64],
    best: NDArray[np.int64],
    total: int,
) -> int:
    """Return the score of a child and its parents as an integer.

    ``sums`` are the counts of the parents' cells, ``ones`` those of them in which the child is 1.
    The unit is ``1 / total**2`` for R, ``1 / (2 * total)`` for F, ``1 / ONE_BIT`` for MI. ``best``
    is room for F: half of the records, rounded up, and one more.
    """
    if kind == NEAR_DETERMINED:
        return _determined(sums, ones, best, total)
    held = 0
    for cell in range(len(ones)):
        held += ones[cell]
    if kind == FAR_FROM_INDEPENDENT:
        # both values of the child lie equally far from independence: half of twice this
        far = 0
        for cell in range(len(sums)):
            far += abs(total * ones[cell] - held * sums[cell])
        return far
    bits = 0.0
    for cell in range(len(sums)):
        one, zero = ones[cell], sums[cell] - ones[cell]
        if one:
            bits += one / total * log2(one / held * (total / sums[cell]))
        if zero:
            bits += zero / total * log2(zero / (total - held) * (total / sums[cell]))
    return round(bits * ONE_BIT)


@kernel
def _next_choice(index: NDArray[np.int64], size: int) -> int:
    """Go to the next choice of ``len(index)`` of ``size``; return the first place that changed."""
    place = len(index) - 1
    while place >= 0 and index[place] == size - len(index) + place:
        place -= 1
    if place >= 0:
        index[place] += 1
        for after in range(place + 1, len(index)):
            index[after] = index[after - 1] + 1
    return place


@kernel
def score_parents(
    columns: NDArray[np.uint8],
    counts: NDArray[np.int64],
    chosen: NDArray[np.int32],
    size: int,
    children: NDArray[np.int32],
    kind: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Score each child with each ``size`` of the chosen items among which is the last chosen.

    Returns the parents, one choice a row, and the scores, one choice a row and one child a column.
    """
    rows, older, cells = len(counts), len(chosen) - 1, 1 << size
    choices, total = 1, 0
    for place in range(size - 1):
        choices = choices * (older - place) // (place + 1)
    for row in range(rows):
        total += counts[row]
    parents = np.empty((choices, size), dtype=np.int32)
    scores = np.empty((choices, len(children)), dtype=np.int64)
    # cell numbers over the first parents: of the next choice only the last ones are new
    codes = np.zeros((size, rows), dtype=np.int32)
    for row in range(rows):
        codes[0, row] = columns[chosen[older], row]
    index = np.arange(size - 1)
    sums = np.zeros(cells, dtype=np.int64)
    ones = np.zeros(cells, dtype=np.int64)
    best = np.zeros((total + 1) // 2 + 1 if kind == NEAR_DETERMINED else 1, dtype=np.int64)
    changed = 0
    for choice in range(choices):
        parents[choice, 0] = chosen[older]
        for place in range(size - 1):
            parents[choice, place + 1] = chosen[index[place]]
        for place in range(changed, size - 1):
            item = chosen[index[place]]
            for row in range(rows):
                codes[place + 1, row] = 2 * codes[place, row] + columns[item, row]
        for cell in range(cells):
            sums[cell] = 0
        for row in range(rows):
            sums[codes[size - 1, row]] += counts[row]
        for at in range(len(children)):
            item = children[at]
            for cell in range(cells):
                ones[cell] = 0
            for row in range(rows):
                ones[codes[size - 1, row]] += counts[row] * columns[item, row]
            scores[choice, at] = score(kind, sums, ones, best, total)
        changed = _next_choice(index, older)
    return parents, scores


@kernel
def sample_item(
    rows: NDArray[np.uint64],
    parents: NDArray[np.int32],
    thresholds: NDArray[np.int64],
    item: int,
    words: NDArray[np.uint64],
) -> None:
    """Put ``item`` into each row, a set in one word, with the probability of its parents' cell.

    A threshold is a probability in units of ``2**-53``; each row takes one random word.
    """
    one, low_bits = np.uint64(1), np.uint64(11)
    bit = one << np.uint64(item)
    for row in range(len(rows)):
        cell = 0
        for parent in parents:
            cell = 2 * cell + int((rows[row] >> np.uint64(parent)) & one)
        if np.int64(words[row] >> low_bits) < thresholds[cell]:
            rows[row] |= bit
