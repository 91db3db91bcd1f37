"""Occurrences of public items that can be published beside secrets, compiled.

What is published is coherent at every moment: any up to p published items that somebody has fit k
people, of whom no more than a share holds any one secret. Sets without an item do not change when
the item comes back, so only those with it are looked at.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.generalised.kernels.coherent_items import Secrets
from discreet.generalised.kernels.occurrences import (
    MOST_PLACES,
    Groups,
    Occurrences,
    deal,
    first_group,
    room_for,
    split,
    tally,
)
from discreet.generalised.kernels.tallies import Tallies, forget, tallies_for

__all__ = ["put_beside_secrets"]


@kernel
def _withdraw(
    sets: Occurrences,
    secrets: Secrets,
    group: NDArray[np.int64],
    begin: int,
    alive: NDArray[np.bool_],
    k: int,
    tally: NDArray[np.int64],
) -> int:
    """Take from ``alive`` what makes a group too small or a secret of it too sure; return how many.

    Of those who hold the secret as few go as must; what this does to other groups is seen later.
    """
    people, gone = 0, 0
    for at in group:
        people += sets.counts[sets.holders[begin + at]]
    if people < k:
        for at in group:
            gone += alive[at]
            alive[at] = False
        return gone
    for at in group:
        row = sets.holders[begin + at]
        for position in range(secrets.offsets[row], secrets.offsets[row + 1]):
            tally[secrets.items[position]] += sets.counts[row]
    for at in group:
        row = sets.holders[begin + at]
        for position in range(secrets.offsets[row], secrets.offsets[row + 1]):
            secret = secrets.items[position]
            if tally[secret] * secrets.denominator > people * secrets.numerator:
                gone += alive[at]
                alive[at] = False
        if not alive[at]:
            people -= sets.counts[row]
            for position in range(secrets.offsets[row], secrets.offsets[row + 1]):
                tally[secrets.items[position]] -= sets.counts[row]
    for at in group:
        row = sets.holders[begin + at]
        for position in range(secrets.offsets[row], secrets.offsets[row + 1]):
            tally[secrets.items[position]] = 0
    return gone


@kernel
def _spoilt(
    sets: Occurrences,
    secrets: Secrets,
    item: int,
    alive: NDArray[np.bool_],
    bounds: tuple[int, int],
    room: tuple[NDArray[np.int64], Tallies],
) -> int:
    """Take from ``alive`` what would tell too much with ``item``; return how many, -1 for all.

    Groups of people who share ``item`` and others grow a size at a time; those of the smallest
    size that spoil anything are enough for one round.
    """
    k, p = bounds
    by_secret, tallies = room
    groups = first_group(sets, item, alive)
    for depth in range(1, p + 1):
        gone, made = 0, 0
        for number in range(len(groups.edges) - 1):
            group = groups.members[groups.edges[number] : groups.edges[number + 1]]
            live = group[alive[group]]
            gone += _withdraw(sets, secrets, live, sets.starts[item], alive, k, by_secret)
        if gone or depth == p:
            return gone
        space = room_for(sets, item, groups)
        if space > MOST_PLACES:
            return -1
        smaller = Groups(
            np.empty(space, np.int64), np.empty(space, np.int64), np.zeros(space + 1, np.int64)
        )
        for number in range(len(groups.edges) - 1):
            new = tally(sets, item, groups, number, tallies)
            made = split(tallies, new, smaller.edges, made)
            deal(sets, item, groups, number, tallies.slots, smaller)
            forget(tallies, new)
        filled = smaller.edges[made]
        groups = Groups(smaller.members[:filled], smaller.after[:filled], smaller.edges[: made + 1])
    return 0


@kernel
def put_beside_secrets(
    sets: Occurrences, secrets: Secrets, order: NDArray[np.int64], k: int, p: int
) -> int:
    """Publish more occurrences, item by item in this order; return how many there are.

    An item is dealt with as if it were not there yet, and stays as it is where that is no better.
    """
    tallies = tallies_for(len(sets.starts) - 1)
    room = (np.zeros(secrets.width, np.int64), tallies)
    given = 0
    for item in order:
        begin, end = sets.starts[item], sets.starts[item + 1]
        before, possible = 0, 0
        for at in range(begin, end):
            possible += sets.counts[sets.holders[at]]
            before += sets.counts[sets.holders[at]] * sets.published[sets.positions[at]]
        if before == possible:
            continue
        alive = np.ones(end - begin, dtype=np.bool_)
        gone = 1
        while gone > 0 and alive.any():
            gone = _spoilt(sets, secrets, item, alive, (k, p), room)
        people = 0
        for at in range(end - begin):
            people += sets.counts[sets.holders[begin + at]] * alive[at]
        if gone < 0 or people <= before:
            continue
        given += people - before
        for at in range(end - begin):
            sets.published[sets.positions[begin + at]] = alive[at]
    return given
