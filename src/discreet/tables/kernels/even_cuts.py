"""A class cut in two as evenly as the rules allow, or into all children of a node."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.tables.kernels.keeping import ClassRules, Entries, counted, keeps

__all__ = ["Columns", "all_keep", "best_cut", "groups_of", "two_parts"]


class Columns(NamedTuple):
    """What a table is cut by, a row for each attribute."""

    codes: NDArray[np.int64]
    """The code of each row of the table."""
    positions: NDArray[np.float64]
    """Where a code stands between 0 and the weight of its attribute."""
    levels: NDArray[np.int64]
    """What a code becomes on each level."""
    heights: NDArray[np.int64]
    """How many levels there are; 0 where codes are cut by their order."""
    words: NDArray[np.bool_]
    """Whether any codes may stand together, as in sets of words; else those side by side."""


@kernel
def groups_of(
    ranked: NDArray[np.int64], levels: NDArray[np.int64], height: int
) -> NDArray[np.int64]:
    """Return the part of each entry, ascending: its value, or its child of the common node."""
    if height == 0:
        return ranked
    level = height
    while level > 0 and levels[ranked[0], level - 1] == levels[ranked[-1], level - 1]:
        level -= 1
    parts = np.empty(len(ranked), dtype=np.int64)
    for at in range(len(ranked)):
        parts[at] = levels[ranked[at], max(0, level - 1)]
    return parts


@kernel
def best_cut(
    members: NDArray[np.int64], parts: NDArray[np.int64], entries: Entries, rules: ClassRules
) -> int:
    """Return before which entry to cut, most evenly of the cuts that keep the rules; 0 for none."""
    rows, people, values = entries.rows, entries.people, rules.values
    right = counted(members, entries, rules)
    left = np.zeros_like(right)
    size, least, before, best, evenness = people[members].sum(), rules.least, 0, 0, 0
    for at in range(1, len(members)):
        entry = members[at - 1]
        before += people[entry]
        for attribute in range(len(values)):
            value = values[attribute, rows[entry]]
            left[attribute, value] += people[entry]
            right[attribute, value] -= people[entry]
        smaller = min(before, size - before)
        if parts[at] == parts[at - 1] or smaller <= evenness or smaller < least:
            continue
        if keeps(left, before, rules) and keeps(right, size - before, rules):
            best, evenness = at, smaller
    return best


@kernel
def all_keep(
    members: NDArray[np.int64], parts: NDArray[np.int64], entries: Entries, rules: ClassRules
) -> bool:
    """Whether there are at least two parts and each of them keeps the rules."""
    start = 0
    for end in range(1, len(members) + 1):
        if end < len(members) and parts[end] == parts[end - 1]:
            continue
        if start == 0 and end == len(members):
            return False
        counts = counted(members[start:end], entries, rules)
        if not keeps(counts, entries.people[members[start:end]].sum(), rules):
            return False
        start = end
    return True


@kernel
def two_parts(size: int, second: int) -> NDArray[np.int64]:
    """Return 0 for each entry of a first part and 1 for each of a second."""
    parts = np.zeros(size, dtype=np.int64)
    parts[second:] = 1
    return parts
