"""How many records hold each small set of items, alone and beside a sensitive one: a table.

A deletion changes the sets of its record alone, so the table is kept up as items go and come back,
and who shares what with a record need not be found among all others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.holders import Incidence, holds

__all__ = ["SetCounts", "held_by", "items_of", "key_of", "moved", "next_choice", "set_counts"]

MOST_SETS = 1 << 24
"""Most sets that a table is made for: it has room for twice as many, of twelve bytes each."""
QUICKER = 4
"""A table is made where a search would meet so many times as many records as there are sets."""
LOW = (1 << 31) - 1
"""The bits of a key that are multiplied at once, so that nothing overflows."""


class SetCounts(NamedTuple):
    """A hash table of sets; where it has no room there is none."""

    keys: NDArray[np.int64]
    """The number of each set, -1 where a place is free; a power of two of them."""
    counts: NDArray[np.int32]
    """How many records hold each set now."""


@kernel
def items_of(index: Incidence, r: int, wanted: NDArray[np.bool_], but: int) -> NDArray[np.int64]:
    """Return the items of a record that are wanted, ascending, less one."""
    matches = np.empty(index.offsets[r + 1] - index.offsets[r], dtype=np.int64)
    count = 0
    for e in range(index.offsets[r], index.offsets[r + 1]):
        i = index.items[e]
        if wanted[i] and i != but and holds(index.bits, i, r):
            matches[count] = i
            count += 1
    return matches[:count]


@kernel
def next_choice(chosen: NDArray[np.int64], size: int, end: int) -> bool:
    """Move on to the next choice of so many numbers below ``end``; False after the last."""
    k = 0
    while k < size - 1 and chosen[k] + 1 == chosen[k + 1]:
        chosen[k] = k
        k += 1
    chosen[k] += 1
    return bool(chosen[size - 1] < end)


@kernel
def key_of(
    names: NDArray[np.int64], chosen: NDArray[np.int64], k: int, must: int, n_items: int
) -> int:
    """Return the key of ``k`` chosen names, with ``must`` unless that is -1.

    The set beside a sensitive item has the key that is greater by the item and 1.
    """
    width, key, missing = n_items + 1, 0, must >= 0
    for c in range(k):
        if missing and must < names[chosen[c]]:
            key, missing = key * width + must + 1, False
        key = key * width + names[chosen[c]] + 1
    if missing:
        key = key * width + must + 1
    return int(key * width)


@kernel
def _place(table: SetCounts, key: int) -> int:
    """Return the place of a key, or the free one where it would be."""
    last = len(table.keys) - 1
    mixed = (key & LOW) * 0x4F1BBCDD + ((key >> 31) & LOW) * 0x2545F491
    place = (mixed ^ (mixed >> 31)) & last
    while table.keys[place] >= 0 and table.keys[place] != key:
        place = (place + 1) & last
    return int(place)


@kernel
def held_by(table: SetCounts, key: int) -> int:
    """Return how many records hold a set."""
    return int(table.counts[_place(table, key)])


@kernel
def _changed(table: SetCounts, key: int, change: int) -> None:
    """Count so many records more for a set: nothing for one that the table lacks, 0 enters it."""
    place = _place(table, key)
    if change == 0:
        table.keys[place] = key
    elif table.keys[place] == key:
        table.counts[place] += change


@kernel
def _all_changed(
    table: SetCounts,
    names: NDArray[np.int64],
    secrets: NDArray[np.int64],
    sets: tuple[int, int, bool],
    change: int,
    n_items: int,
) -> None:
    """Count a record more, or less, for its sets of names, each also beside every secret.

    ``sets`` is an item that is in each (-1: none), how many names there are beside it at most, and
    whether the sets count alone too.
    """
    must, most, alone = sets
    chosen = np.zeros(most + 1, dtype=np.int64)
    for k in range(0 if must >= 0 else 1, min(most, len(names)) + 1):
        for c in range(k):
            chosen[c] = c
        more = True
        while more:
            key = key_of(names, chosen, k, must, n_items)
            if alone:
                _changed(table, key, change)
            for s in secrets:
                own = s == must
                for c in range(k):
                    own = own or names[chosen[c]] == s
                if not own:
                    _changed(table, key + s + 1, change)
            more = k > 0 and next_choice(chosen, k, len(names))


@kernel
def moved(
    table: SetCounts,
    index: Incidence,
    occurrence: tuple[int, int],
    roles: tuple[NDArray[np.bool_], NDArray[np.bool_], int],
    change: int,
) -> None:
    """Count an item of a record that came back (1) or went (-1), as the record is but for it.

    ``roles`` is which items are sensitive, which may be known, and how many are at most.
    """
    if len(table.keys) == 0:
        return
    r, i = occurrence
    secret, usable, known = roles
    names = items_of(index, r, usable, i)
    if usable[i]:
        secrets = items_of(index, r, secret, i)
        _all_changed(table, names, secrets, (i, known - 1, True), change, len(usable))
    if secret[i]:
        _all_changed(table, names, np.array([i]), (-1, known, False), change, len(usable))


@kernel
def _listed(index: Incidence, r: int, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the items of a record at first that are wanted."""
    items = index.items[index.offsets[r] : index.offsets[r + 1]].astype(np.int64)
    return items[wanted[items]]


@kernel
def _filled(
    table: SetCounts,
    index: Incidence,
    secret: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    known: int,
) -> None:
    """Enter the sets that somebody held beside a secret at first; count who holds them now."""
    for r in range(len(index.offsets) - 1):
        secrets = _listed(index, r, secret)
        if len(secrets):
            names = _listed(index, r, usable)
            _all_changed(table, names, secrets, (-1, known, True), 0, len(usable))
    for r in range(len(index.offsets) - 1):
        names = items_of(index, r, usable, -1)
        secrets = items_of(index, r, secret, -1)
        _all_changed(table, names, secrets, (-1, known, True), 1, len(usable))


def set_counts(
    index: Incidence,
    secret: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    known: int,
    wanted: bool | None = None,
) -> SetCounts:
    """Return the table of all sets of up to ``known`` items that somebody held beside a secret.

    It is none where it would be too large, or a search quicker; ``wanted`` says which of the two.
    """
    room = _room(index, secret, usable, known, wanted)
    table = SetCounts(np.full(room, -1, dtype=np.int64), np.zeros(room, dtype=np.int32))
    if room:
        _filled(table, index, secret, usable, known)
    return table


def _room(
    index: Incidence,
    secret: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    known: int,
    wanted: bool | None,
) -> int:
    """Return the room of a table; 0 for none."""
    if wanted is False or (len(secret) + 1) ** (known + 1) >= 1 << 62:
        return 0
    records = len(index.offsets) - 1
    rows, supports = np.repeat(np.arange(records), np.diff(index.offsets)), np.diff(index.ends)
    names, secrets, met = (
        np.bincount(rows, each[index.items], minlength=records)
        for each in (usable, secret, usable * supports)
    )
    ways, sets = np.ones(records), np.zeros(records)
    for size in range(known):
        ways *= np.maximum(names - size, 0) / (size + 1)
        sets += ways
    holders = secrets > 0
    entries = float((sets * (1 + secrets))[holders].sum())
    if entries > MOST_SETS:
        return 0
    searched = float((met + records)[holders].sum())
    if wanted is None and searched < QUICKER * (sets.sum() + entries):
        return 0
    return 1 << (2 * int(entries)).bit_length()
