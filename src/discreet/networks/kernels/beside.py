"""What the records with a sensitive item hold beside it, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.holders import Incidence, holds, shell_sort


class Beside(NamedTuple):
    """What the positives, the records with the sensitive item, hold beside it.

    Their items are numbered anew, the rarest among them first.
    """

    items: NDArray[np.int64]
    """The item behind each number."""
    positives: NDArray[np.int64]
    """The record of each positive."""
    starts: NDArray[np.int64]
    """Where each positive's numbers begin, and the end of the last."""
    numbers: NDArray[np.int64]
    """The numbers that each positive holds, ascending."""
    first: NDArray[np.int64]
    """Where each number's positives begin, and the end of the last."""
    holders: NDArray[np.int64]
    """The positives that hold each number, ascending."""


@kernel
def positives_of(index: Incidence, s: int, must: int) -> tuple[int, NDArray[np.int64]]:
    """Return how many records hold ``s``, and those of them that hold ``must`` if it is one."""
    bits, ends, rows = index.bits, index.ends, index.rows
    matches = np.empty(ends[s + 1] - ends[s], dtype=np.int64)
    every, at = 0, 0
    for e in range(ends[s], ends[s + 1]):
        r = rows[e]
        if holds(bits, s, r):
            every += 1
            if must < 0 or holds(bits, must, r):
                matches[at] = r
                at += 1
    return every, matches[:at]


@kernel
def beside_of(
    index: Incidence, s: int, positives: NDArray[np.int64], usable: NDArray[np.bool_]
) -> Beside:
    """Return what the positives hold beside ``s``."""
    offsets, items, bits, seen = index.offsets, index.items, index.bits, index.blank
    n_pos, n_items = len(positives), len(seen)
    most = 0
    for p in range(n_pos):
        most += offsets[positives[p] + 1] - offsets[positives[p]]
    met = np.empty(most, dtype=np.int64)
    starts = np.zeros(n_pos + 1, dtype=np.int64)
    total, at = 0, 0
    for p in range(n_pos):
        r = positives[p]
        for e in range(offsets[r], offsets[r + 1]):
            i = items[e]
            if i != s and usable[i] and holds(bits, i, r):
                if seen[i] == 0:
                    met[total] = i
                    total += 1
                seen[i] += 1
                at += 1
        starts[p + 1] = at
    for k in range(total):
        met[k] += seen[met[k]] * n_items
    order = met[:total]
    shell_sort(order, 0, total)
    first = np.zeros(total + 1, dtype=np.int64)
    fill = np.empty(total, dtype=np.int64)
    for k in range(total):
        often = order[k] // n_items
        order[k] -= often * n_items
        fill[k] = first[k]
        first[k + 1] = first[k] + often
        seen[order[k]] = k
    holders = np.empty(at, dtype=np.int64)
    for p in range(n_pos):
        r = positives[p]
        for e in range(offsets[r], offsets[r + 1]):
            i = items[e]
            if i != s and usable[i] and holds(bits, i, r):
                k = seen[i]
                holders[fill[k]] = p
                fill[k] += 1
    numbers = np.empty(at, dtype=np.int64)
    cursor = starts.copy()
    for k in range(total):
        seen[order[k]] = 0
        for e in range(first[k], first[k + 1]):
            p = holders[e]
            numbers[cursor[p]] = k
            cursor[p] += 1
    return Beside(order, positives, starts, numbers, first, holders)
