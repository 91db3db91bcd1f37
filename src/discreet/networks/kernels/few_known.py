"""Up to so many known items: what follows from them too surely, deleted and put back.

One record at a time is looked at, with all sets of up to so many of its items. How many records
hold each of them is looked up in a table, or where that would be too large counted from what the
record shares with others. A deletion is seen at once by whoever is looked at next.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.holders import Incidence, broken, holds, put_in, take_out
from discreet.networks.kernels.pruning import GONE, Pruned
from discreet.networks.kernels.set_counts import (
    SetCounts,
    held_by,
    items_of,
    key_of,
    moved,
    next_choice,
)

__all__ = ["Around", "relieved", "restored"]

ROOM = 1 << 25
"""Most numbers in the table of one record; a record with more loses its secrets unlooked at."""


class Around(NamedTuple):
    """What is asked of each record."""

    secret: NDArray[np.bool_]
    """Whether each item is sensitive."""
    usable: NDArray[np.bool_]
    """Whether each item may be known."""
    bound: NDArray[np.int64]
    """The bound on confidences, as ``holders.BOUND`` has it."""
    known: int
    """Most items known."""


class _Sets(NamedTuple):
    """The sets of up to so many of a record's items, and who holds them."""

    names: NDArray[np.int64]
    """The items that may be known."""
    secrets: NDArray[np.int64]
    """The sensitive items."""
    choose: NDArray[np.int64]
    """Binomial coefficients, by which a set is numbered."""
    first: NDArray[np.int64]
    """The number of the first set of each size, and the end."""
    every: NDArray[np.int32]
    """How many records hold each set."""
    beside: NDArray[np.int32]
    """How many of them hold each sensitive item as well."""


@kernel
def _binomials(size: int, known: int) -> NDArray[np.int64]:
    """Return how many ways there are to choose k of n, as far as they fit the room of a table."""
    choose = np.zeros((size + 1, known + 1), dtype=np.int64)
    for n in range(size + 1):
        choose[n, 0] = 1
        for k in range(1, min(n, known) + 1):
            choose[n, k] = min(choose[n - 1, k - 1] + choose[n - 1, k], ROOM)
    return choose


@kernel
def _shared(
    index: Incidence, r: int, names: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each other record which of the names it holds: where they begin and end."""
    starts = np.zeros(len(index.offsets), dtype=np.int64)
    for k in range(len(names)):
        for e in range(index.ends[names[k]], index.ends[names[k] + 1]):
            starts[index.rows[e] + 1] += 1
    for other in range(len(starts) - 1):
        starts[other + 1] += starts[other]
    fill = starts[:-1].copy()
    positions = np.empty(starts[-1], dtype=np.int64)
    for k in range(len(names)):
        for e in range(index.ends[names[k]], index.ends[names[k] + 1]):
            other = index.rows[e]
            if other != r and holds(index.bits, names[k], other):
                positions[fill[other]] = k
                fill[other] += 1
    return np.stack((starts[:-1], fill)), positions


@kernel
def _look_up(sets: _Sets, known: int, must: int, table: SetCounts, n_items: int) -> None:
    """Fill in from a table who holds each set, with ``must`` unless that is -1."""
    names = sets.names
    chosen = np.zeros(known + 1, dtype=np.int64)
    for k in range(0 if must >= 0 else 1, min(known, len(names)) + 1):
        for c in range(k):
            chosen[c] = c
        code, more = sets.first[k], True
        while more:
            # sets of one size are numbered in the order in which they are met
            key = key_of(names, chosen, k, must, n_items)
            sets.every[code] = held_by(table, key)
            for t in range(len(sets.secrets)):
                sets.beside[t, code] = held_by(table, key + sets.secrets[t] + 1)
            code += 1
            more = k > 0 and next_choice(chosen, k, len(names))


@kernel
def _counted(
    index: Incidence,
    r: int,
    names: NDArray[np.int64],
    secrets: NDArray[np.int64],
    known: int,
    must: int,
    table: SetCounts,
) -> _Sets:
    """Count who holds each set of up to ``known`` of the names, beside ``must`` unless that is -1.

    A table that would be too large comes back empty. The record itself holds all of it.
    """
    choose = _binomials(len(names), known)
    first = np.zeros(known + 2, dtype=np.int64)
    for k in range(known + 1):
        first[k + 1] = first[k] + choose[len(names), k]
    room = first[known + 1]
    if room * (1 + len(secrets)) > ROOM:
        room = 0
    every = np.ones(room, dtype=np.int32)
    beside = np.ones((len(secrets), room), dtype=np.int32)
    if room == 0:
        return _Sets(names, secrets, choose, first, every, beside)
    if len(table.keys):
        sets = _Sets(names, secrets, choose, first, every, beside)
        _look_up(sets, known, must, table, len(index.bits))
        return sets
    ends, positions = _shared(index, r, names)
    chosen = np.zeros(known + 1, dtype=np.int64)
    codes = np.empty(room, dtype=np.int64)
    for other in range(ends.shape[1]):
        low, size = ends[0, other], ends[1, other] - ends[0, other]
        if must >= 0:
            if other == r or not holds(index.bits, must, other):
                continue
        elif size == 0:
            continue
        n_codes = 0
        if must >= 0:
            codes[0] = 0
            n_codes = 1
        for k in range(1, min(known, size) + 1):
            for c in range(k):
                chosen[c] = c
            more = True
            while more:
                code = first[k]
                for c in range(k):
                    code += choose[positions[low + chosen[c]], c + 1]
                codes[n_codes] = code
                n_codes += 1
                more = next_choice(chosen, k, size)
        for c in range(n_codes):
            every[codes[c]] += 1
        for t in range(len(secrets)):
            if holds(index.bits, secrets[t], other):
                for c in range(n_codes):
                    beside[t, codes[c]] += 1
    return _Sets(names, secrets, choose, first, every, beside)


@kernel
def _too_sure(sets: _Sets, t: int, around: Around, least: int) -> NDArray[np.int64]:
    """Return the sets of at least ``least`` names from which a sensitive item follows too surely.

    Each is a row of the positions of its names, filled up by -1.
    """
    known = len(sets.first) - 2
    hits = np.empty((64, known), dtype=np.int64)
    count = 0
    chosen = np.zeros(known + 1, dtype=np.int64)
    for k in range(least, min(known, len(sets.names)) + 1):
        for c in range(k):
            chosen[c] = c
        code, more = sets.first[k], True
        while more:
            # sets of one size are numbered in the order in which they are met
            with_it = int(sets.beside[t, code])
            if broken(with_it, int(sets.every[code]) - with_it, around.bound):
                own = False
                for c in range(k):
                    own = own or sets.names[chosen[c]] == sets.secrets[t]
                if not own:
                    if count == len(hits):
                        longer = np.empty((2 * count, known), dtype=np.int64)
                        longer[:count] = hits
                        hits = longer
                    for c in range(known):
                        hits[count, c] = chosen[c] if c < k else -1
                    count += 1
            code += 1
            more = k > 0 and next_choice(chosen, k, len(sets.names))
    return hits[:count]


@kernel
def _hitting(
    rules: NDArray[np.int64], gone: NDArray[np.bool_], most: int
) -> tuple[bool, NDArray[np.bool_]]:
    """Return names of which every rule has one, the next best again and again; False beyond most.

    What is ``gone`` already is no longer among the rules.
    """
    hits = np.zeros(len(gone), dtype=np.int64)
    chosen = np.zeros(len(gone), dtype=np.bool_)
    waiting = np.ones(len(rules), dtype=np.bool_)
    for q in range(len(rules)):
        for c in range(rules.shape[1]):
            waiting[q] = waiting[q] and not (rules[q, c] >= 0 and gone[rules[q, c]])
        if waiting[q]:
            for c in range(rules.shape[1]):
                if rules[q, c] >= 0:
                    # a name that is enough by itself must go
                    hits[rules[q, c]] += len(rules) if rules.shape[1] == 1 or rules[q, 1] < 0 else 1
    taken = 0
    while True:
        best = int(np.argmax(hits)) if len(hits) else 0
        if len(hits) == 0 or hits[best] == 0:
            return True, chosen
        taken += 1
        if taken > most:
            return False, chosen
        chosen[best] = True
        for q in range(len(rules)):
            if waiting[q]:
                among = False
                for c in range(rules.shape[1]):
                    among = among or rules[q, c] == best
                if among:
                    waiting[q] = False
                    for c in range(rules.shape[1]):
                        if rules[q, c] >= 0:
                            single = rules.shape[1] == 1 or rules[q, 1] < 0
                            hits[rules[q, c]] -= len(rules) if single else 1


@kernel
def _cleared(index: Incidence, r: int, i: int, around: Around, table: SetCounts) -> None:
    """Delete an occurrence."""
    take_out(index.bits, i, r)
    moved(table, index, (r, i), (around.secret, around.usable, around.known), -1)


@kernel
def _waits(index: Incidence, r: int, touched: NDArray[np.int64], since: int) -> bool:
    """Whether an item that a record holds was deleted elsewhere since it was looked at."""
    for e in range(index.offsets[r], index.offsets[r + 1]):
        i = index.items[e]
        if touched[i] > since and holds(index.bits, i, r):
            return True
    return False


@kernel
def relieved(
    index: Incidence, around: Around, share: tuple[int, int], table: SetCounts
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Delete items of the records that wait until nothing follows too surely from few of them.

    In a record a least set of names goes for each secret, or the secret itself where more than a
    ``share`` of the names that the record had would be gone. Returns the records and items of what
    was deleted.
    """
    gone_rows = np.empty(len(index.items), dtype=np.int64)
    gone_items = np.empty(len(index.items), dtype=np.int64)
    # after how many deletions each item was deleted last, and each record looked at
    touched = np.zeros(len(around.secret), dtype=np.int64)
    looked = np.full(len(index.offsets) - 1, -1, dtype=np.int64)
    gone, left = 0, True
    while left:
        left = False
        for r in range(len(looked)):
            if not _waits(index, r, touched, looked[r]):
                continue
            looked[r] = gone
            secrets = items_of(index, r, around.secret, -1)
            if len(secrets) == 0:
                continue
            names = items_of(index, r, around.usable, -1)
            had = 0
            for e in range(index.offsets[r], index.offsets[r + 1]):
                had += not around.secret[index.items[e]]
            allowed = had * share[0] // share[1]
            sets = _counted(index, r, names, secrets, around.known, -1, table)
            off = np.zeros(len(names), dtype=np.bool_)
            for t in range(len(secrets)):
                if not holds(index.bits, secrets[t], r):
                    continue
                few, drop = False, off
                if len(sets.every):
                    few, drop = _hitting(_too_sure(sets, t, around, 1), off, max(allowed, 0))
                if not few:
                    drop = np.zeros(len(names), dtype=np.bool_)
                    gone_rows[gone], gone_items[gone] = r, secrets[t]
                    gone += 1
                    _cleared(index, r, secrets[t], around, table)
                    touched[secrets[t]] = gone if around.usable[secrets[t]] else 0
                    for k in range(len(names)):
                        off[k] = off[k] or names[k] == secrets[t]
                for k in range(len(names)):
                    if drop[k]:
                        off[k] = True
                        gone_rows[gone], gone_items[gone] = r, names[k]
                        gone += 1
                        _cleared(index, r, names[k], around, table)
                        touched[names[k]] = gone
            left = True
    return gone_rows[:gone], gone_items[:gone]


@kernel
def _fits(
    index: Incidence,
    r: int,
    item: int,
    around: Around,
    counts: NDArray[np.int64],
    table: SetCounts,
) -> bool:
    """Whether an item that was just put back into a record lets nothing follow too surely."""
    if around.secret[item]:
        alone = np.array([item])
        if broken(counts[item], around.bound[3] - counts[item], around.bound):
            return False
        names = items_of(index, r, around.usable, item)
        sets = _counted(index, r, names, alone, around.known, -1, table)
        if len(sets.every) == 0 or len(_too_sure(sets, 0, around, 1)):
            return False
    secrets = items_of(index, r, around.secret, item)
    if not around.usable[item] or len(secrets) == 0:
        return True
    names = items_of(index, r, around.usable, item)
    sets = _counted(index, r, names, secrets, around.known - 1, item, table)
    for t in range(len(secrets)):
        if len(sets.every) == 0 or len(_too_sure(sets, t, around, 0)):
            return False
    return True


@kernel
def restored(pruned: Pruned, around: Around, table: SetCounts) -> NDArray[np.bool_]:
    """Put what is gone back where that lets nothing follow too surely, and tell which.

    Only sets of the record itself that hold the item can tell more than before. Goes round until
    nothing can be put back: what comes back makes some rules less sure.
    """
    index, counts = pruned.held, pruned.counts.copy()
    roles = (around.secret, around.usable, around.known)
    back, more = np.zeros(pruned.totals[GONE], dtype=np.bool_), True
    while more:
        more = False
        for g in range(len(back)):
            if back[g]:
                continue
            r, i = pruned.rows[g], pruned.items[g]
            put_in(index.bits, i, r)
            moved(table, index, (r, i), roles, 1)
            counts[i] += 1
            if _fits(index, r, i, around, counts, table):
                back[g] = more = True
            else:
                _cleared(index, r, i, around, table)
                counts[i] -= 1
    return back
