"""Items that can be published beside others without telling who has what, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.generalised.kernels.blocks import Rows
from discreet.generalised.kernels.occurrences import MOST_PLACES

__all__ = ["Secrets", "coherent_items", "too_sure"]


class Secrets(NamedTuple):
    """The sensitive items of the same people."""

    offsets: NDArray[np.int64]
    """Those of set ``r`` are ``items[offsets[r]:offsets[r + 1]]``."""
    items: NDArray[np.int32]
    """Item numbers."""
    width: int
    """How many sensitive items there are."""
    numerator: int
    """No more than this share of those who hold known items ..."""
    denominator: int
    """... may hold one of them."""


@kernel
def _violates(sets: Rows, secrets: Secrets, rows: NDArray[np.int64], k: int) -> bool:
    """Tell whether people with these sets are too few, or too many of them share a secret."""
    people = 0
    for row in rows:
        people += sets.counts[row]
    if people < k:
        return True
    tally = np.zeros(secrets.width, dtype=np.int64)
    for row in rows:
        for position in range(secrets.offsets[row], secrets.offsets[row + 1]):
            secret = secrets.items[position]
            tally[secret] += sets.counts[row]
            if tally[secret] * secrets.denominator > people * secrets.numerator:
                return True
    return False


@kernel
def _grown(
    sets: Rows,
    published: NDArray[np.bool_],
    groups: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    space: int,
    slots: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the groups of people that share one published item more, further on in their sets.

    Groups are set numbers, where what may still come begins in each set, and where groups end.
    """
    rows, after, edges = groups
    next_rows, next_after = np.empty(space, np.int64), np.empty(space, np.int64)
    next_edges = np.zeros(space + 1, np.int64)
    touched = np.empty(len(slots), np.int64)
    count, filled = 0, 0
    for group in range(len(edges) - 1):
        new = 0
        for at in range(edges[group], edges[group + 1]):
            for position in range(after[at], sets.offsets[rows[at] + 1]):
                other = sets.items[position]
                if published[other]:
                    if slots[other] == 0:
                        touched[new] = other
                        new += 1
                    slots[other] += 1
        for each in range(new):
            count += 1
            next_edges[count] = filled + slots[touched[each]]
            slots[touched[each]], filled = filled, filled + slots[touched[each]]
        for at in range(edges[group], edges[group + 1]):
            for position in range(after[at], sets.offsets[rows[at] + 1]):
                other = sets.items[position]
                if published[other]:
                    next_rows[slots[other]], next_after[slots[other]] = rows[at], position + 1
                    slots[other] += 1
        for each in range(new):
            slots[touched[each]] = 0
    return next_rows[:filled], next_after[:filled], next_edges[: count + 1]


@kernel
def _further(
    sets: Rows, groups: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
) -> int:
    """Return at how many places of their sets groups can share one item more."""
    space = 0
    for at in range(len(groups[0])):
        space += sets.offsets[groups[0][at] + 1] - groups[1][at]
    return space


@kernel
def _holders(
    sets: Rows, item: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the group of those who hold an item."""
    rows = sets.holders[sets.starts[item] : sets.starts[item + 1]].copy()
    return rows, sets.offsets[rows].copy(), np.array([0, len(rows)])


@kernel
def _admissible(
    sets: Rows,
    secrets: Secrets,
    published: NDArray[np.bool_],
    item: int,
    bounds: tuple[int, int],
    slots: NDArray[np.int64],
) -> bool:
    """Tell whether no set of up to p published items with ``item`` tells too much."""
    k, p = bounds
    groups = _holders(sets, item)
    for depth in range(1, p + 1):
        rows, _, edges = groups
        for group in range(len(edges) - 1):
            if _violates(sets, secrets, rows[edges[group] : edges[group + 1]], k):
                return False
        if depth == p:
            break
        space = _further(sets, groups)
        if space > MOST_PLACES:
            return False
        groups = _grown(sets, published, groups, space, slots)
    return True


@kernel
def coherent_items(
    sets: Rows, secrets: Secrets, order: NDArray[np.int64], k: int, p: int
) -> NDArray[np.bool_]:
    """Return which items are published when each, in this order, is wherever it can be.

    Sets of other items do not change when an item comes back, so only those with it are looked at.
    """
    width = len(sets.starts) - 1
    published = np.zeros(width, dtype=np.bool_)
    slots = np.zeros(width, dtype=np.int64)
    for item in order:
        if sets.starts[item] < sets.starts[item + 1]:
            published[item] = _admissible(sets, secrets, published, item, (k, p), slots)
    return published


@kernel
def _mark(
    sets: Rows,
    secrets: Secrets,
    rows: NDArray[np.int64],
    exposed: NDArray[np.bool_],
    tally: NDArray[np.int64],
) -> None:
    """Mark in ``exposed`` the secrets that too many of the people with these sets share."""
    people = 0
    for row in rows:
        people += sets.counts[row]
        for position in range(secrets.offsets[row], secrets.offsets[row + 1]):
            tally[secrets.items[position]] += sets.counts[row]
    for row in rows:
        for position in range(secrets.offsets[row], secrets.offsets[row + 1]):
            secret = secrets.items[position]
            if tally[secret] * secrets.denominator > people * secrets.numerator:
                exposed[secret] = True
            tally[secret] = 0


@kernel
def too_sure(sets: Rows, secrets: Secrets, p: int) -> NDArray[np.bool_]:
    """Return which secrets follow too surely from up to p items of these sets, each by itself.

    Where there are too many places to look at, every secret is taken to.
    """
    width = len(sets.starts) - 1
    exposed, tally = (
        np.zeros(secrets.width, dtype=np.bool_),
        np.zeros(secrets.width, dtype=np.int64),
    )
    before, slots = np.zeros(width, dtype=np.bool_), np.zeros(width, dtype=np.int64)
    for item in range(width):
        if exposed.all():
            break
        groups = _holders(sets, item)
        for depth in range(1, p + 1):
            rows, _, edges = groups
            for group in range(len(edges) - 1):
                _mark(sets, secrets, rows[edges[group] : edges[group + 1]], exposed, tally)
            if depth == p:
                break
            space = _further(sets, groups)
            if space > MOST_PLACES:
                return np.ones_like(exposed)
            groups = _grown(sets, before, groups, space, slots)
        before[item] = True
    return exposed
