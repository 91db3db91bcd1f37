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
OUT_OF_REACH = -(1 << 40)
"""A count below all others, however much is added."""


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
def _ascending(values: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the order of the first ``size`` values; few of them, by insertion."""
    order = np.empty(size, dtype=np.int64)
    for index in range(size):
        slot = index
        while slot > 0 and values[order[slot - 1]] > values[index]:
            order[slot] = order[slot - 1]
            slot -= 1
        order[slot] = index
    return order


@kernel
def _furthest(
    rare: NDArray[np.int64], common: NDArray[np.int64], size: int, room: NDArray[np.int64]
) -> tuple[int, int]:
    """Find the largest ``b`` for every reachable ``a``; return the row of ``room`` and its end.

    Each of ``size`` cells adds its ``rare`` to ``a`` or its ``common`` to ``b``.
    """
    row, reached = 0, 0
    room[0, 0] = 0
    # small cells first keep the range of ``a`` short for longest
    for cell in _ascending(rare, size):
        low, high = rare[cell], common[cell]
        old, new = room[row], room[1 - row]
        for a in range(min(low, reached + 1)):
            new[a] = old[a] + high
        for a in range(reached + 1, low):
            new[a] = OUT_OF_REACH
        for a in range(low, reached + 1):
            new[a] = max(old[a] + high, old[a - low])
        for a in range(max(low, reached + 1), reached + low + 1):
            new[a] = old[a - low]
        reached += low
        row = 1 - row
    return row, reached


@kernel
def _determined(
    sums: NDArray[np.int64], ones: NDArray[np.int64], room: NDArray[np.int64], total: int
) -> int:
    """Return F in units of ``1 / (2 * total)``, exactly.

    Each cell of the parents is given to one value of the child; ``a`` counts the records of the
    rarer value in the cells given to it, ``b`` likewise for the other. F is minus the least of
    ``max(0, total - 2a) + max(0, total - 2b)``, and ``a`` is never above half.
    """
    n_ones = 0
    for cell in range(len(sums)):
        n_ones += ones[cell]
    rare = np.empty(len(sums), dtype=np.int64)
    common = np.empty(len(sums), dtype=np.int64)
    best_a = best_b = sure_a = sure_b = mixed = 0
    for cell in range(len(sums)):
        low, high = ones[cell], sums[cell] - ones[cell]
        if 2 * n_ones > total:
            low, high = high, low
        if low > high:
            best_a += low
        else:
            best_b += high
        if low > 0 and high > 0:
            rare[mixed], common[mixed] = low, high
            mixed += 1
        else:
            sure_a += low
            sure_b += high
    if 2 * best_b <= total:
        # the majority in each cell makes a + b as large as it can be, and none of it is in vain
        return 2 * (best_a + best_b - total)
    row, reached = _furthest(rare, common, mixed, room)
    least = 2 * total
    for a in range(reached + 1):
        lost = total - 2 * (sure_a + a) + max(0, total - 2 * (sure_b + room[row, a]))
        least = min(least, lost)
    return -least


@kernel
def score(
    kind: int,
    sums: NDArray[np.int64],
    ones: NDArray[np.int64],
    room: NDArray[np.int64],
    total: int,
) -> int:
    """Return the score of a child and its parents as an integer.

    ``sums`` are the counts of the parents' cells, ``ones`` those of them in which the child is 1.
    The unit is ``1 / total**2`` for R, ``1 / (2 * total)`` for F, ``1 / ONE_BIT`` for MI. F
    works in ``room``: two rows, each of half of the records and one more.
    """
    if kind == NEAR_DETERMINED:
        return _determined(sums, ones, room, total)
    n_ones = 0
    for cell in range(len(ones)):
        n_ones += ones[cell]
    if kind == FAR_FROM_INDEPENDENT:
        # both values of the child lie equally far from independence: half of twice this
        far = 0
        for cell in range(len(sums)):
            far += abs(total * ones[cell] - n_ones * sums[cell])
        return far
    bits = 0.0
    for cell in range(len(sums)):
        one, zero = ones[cell], sums[cell] - ones[cell]
        if one:
            bits += one / total * log2(one / n_ones * (total / sums[cell]))
        if zero:
            bits += zero / total * log2(zero / (total - n_ones) * (total / sums[cell]))
    return round(bits * ONE_BIT)


@kernel
def _next_choice(index: NDArray[np.int64], size: int) -> int:
    """Go to the next choice of ``len(index)`` of ``size``; return the first that changed."""
    position = len(index) - 1
    while position >= 0 and index[position] == size - len(index) + position:
        position -= 1
    if position >= 0:
        index[position] += 1
        for after in range(position + 1, len(index)):
            index[after] = index[after - 1] + 1
    return position


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
    for position in range(size - 1):
        choices = choices * (older - position) // (position + 1)
    for row in range(rows):
        total += counts[row]
    parents = np.empty((choices, size), dtype=np.int32)
    scores = np.empty((choices, len(children)), dtype=np.int64)
    # cell numbers over the first parents: of the next choice only the last ones are new
    codes = np.zeros((size, rows), dtype=np.int32)
    for row in range(rows):
        codes[0, row] = columns[chosen[older], row]
    index = np.empty(size - 1, dtype=np.int64)
    for position in range(size - 1):
        index[position] = position
    sums = np.zeros(cells, dtype=np.int64)
    ones = np.zeros(cells, dtype=np.int64)
    room = np.empty((2, total // 2 + 1 if kind == NEAR_DETERMINED else 1), dtype=np.int64)
    changed = 0
    for choice in range(choices):
        parents[choice, 0] = chosen[older]
        for position in range(size - 1):
            parents[choice, position + 1] = chosen[index[position]]
        for position in range(changed, size - 1):
            item = chosen[index[position]]
            for row in range(rows):
                codes[position + 1, row] = 2 * codes[position, row] + columns[item, row]
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
            scores[choice, at] = score(kind, sums, ones, room, total)
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
