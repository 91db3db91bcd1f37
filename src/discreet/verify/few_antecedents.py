"""Every antecedent of up to so many items, and how surely each sensitive item follows from it.

Antecedents grow item by item in ascending order, each with the records that hold it; for all
items by which one can grow next, the records with it are counted at once, and beside each
sensitive item again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["Sought", "first_too_sure"]


class Sought(NamedTuple):
    """Records, and the bound on what may follow from up to so many of their items."""

    offsets: NDArray[np.int64]
    """Where each record's items that may be known begin, and the end of the last."""
    items: NDArray[np.int64]
    """These items, ascending in each record."""
    secret_offsets: NDArray[np.int64]
    """Where each record's sensitive items begin, and the end of the last."""
    secrets: NDArray[np.int64]
    """The sensitive items."""
    bound: NDArray[np.int64]
    """Rho's numerator and denominator, and 1 where rho itself is too high."""
    known: int
    """Most items of an antecedent."""
    cap: int
    """Most steps that the search may take."""


@kernel
def _sure(held: int, fitting: int, bound: NDArray[np.int64]) -> bool:
    left, right = held * bound[1], bound[0] * fitting
    return held > 0 and bool(left > right or (bound[2] != 0 and left == right))


@kernel
def _positives(
    sought: Sought,
    rows: NDArray[np.int64],
    count: NDArray[np.int64],
    hidden: NDArray[np.int64],
    starts: NDArray[np.int64],
    places: NDArray[np.int64],
) -> int:
    """List for each sensitive item of these records where those with it stand; return how many."""
    n_hidden = 0
    for x in range(len(rows)):
        for e in range(sought.secret_offsets[rows[x]], sought.secret_offsets[rows[x] + 1]):
            s = sought.secrets[e]
            if count[s] == 0:
                hidden[n_hidden] = s
                n_hidden += 1
            count[s] += 1
    starts[0] = 0
    for h in range(n_hidden):
        starts[h + 1] = starts[h] + count[hidden[h]]
        count[hidden[h]] = h
    fill = starts[:n_hidden].copy()
    for x in range(len(rows)):
        for e in range(sought.secret_offsets[rows[x]], sought.secret_offsets[rows[x] + 1]):
            h = count[sought.secrets[e]]
            places[fill[h]] = x
            fill[h] += 1
    for h in range(n_hidden):
        count[hidden[h]] = 0
    return n_hidden


@kernel
def first_too_sure(
    sought: Sought, n_items: int
) -> tuple[int, int, NDArray[np.int64], tuple[int, int]]:
    """Return how many antecedents were met, and the first that breaks the bound.

    After them come the sensitive item that follows from it, -1 where none does too surely, the
    antecedent, and how many records hold it with the item and in all. Met is -1 where the search
    stopped at its cap.
    """
    offsets, items, known = sought.offsets, sought.items, sought.known
    n_records = len(offsets) - 1
    every = np.zeros(n_items, dtype=np.int64)
    beside = np.zeros(n_items, dtype=np.int64)
    queued = np.zeros(n_items, dtype=np.bool_)
    count = np.zeros(n_items, dtype=np.int64)
    touched = np.empty(n_items, dtype=np.int64)
    hidden = np.empty(n_items, dtype=np.int64)
    starts = np.empty(n_items + 1, dtype=np.int64)
    places = np.empty(len(sought.secrets), dtype=np.int64)
    chosen = np.empty(known, dtype=np.int64)
    # for each depth the records that hold what is chosen, and where their later items begin
    rows = np.empty((known, n_records), dtype=np.int64)
    later = np.empty((known, n_records), dtype=np.int64)
    sizes = np.zeros(known, dtype=np.int64)
    rows[0] = np.arange(n_records)
    later[0] = offsets[:-1]
    sizes[0] = n_records
    grow = np.empty((known, n_items), dtype=np.int64)
    many = np.zeros(known, dtype=np.int64)
    turn = np.zeros(known, dtype=np.int64)
    met, steps, depth, fresh = 1, 0, 0, True
    while depth >= 0:
        here = rows[depth, : sizes[depth]]
        if fresh:
            n_touched, many[depth], turn[depth] = 0, 0, 0
            for x in range(len(here)):
                steps += offsets[here[x] + 1] - later[depth, x]
                for e in range(later[depth, x], offsets[here[x] + 1]):
                    if every[items[e]] == 0:
                        touched[n_touched] = items[e]
                        n_touched += 1
                    every[items[e]] += 1
            n_hidden = _positives(sought, here, count, hidden, starts, places)
            met += n_touched
            for h in range(n_hidden):
                s, held = hidden[h], starts[h + 1] - starts[h]
                if depth == 0 and _sure(held, n_records, sought.bound):
                    return met, s, chosen[:0], (held, n_records)
                for p in range(starts[h], starts[h + 1]):
                    x = places[p]
                    steps += offsets[here[x] + 1] - later[depth, x]
                    for e in range(later[depth, x], offsets[here[x] + 1]):
                        beside[items[e]] += 1
                mine = False
                for c in range(depth):
                    mine = mine or chosen[c] == s
                for t in range(n_touched):
                    j = touched[t]
                    if not mine and j != s and _sure(beside[j], every[j], sought.bound):
                        chosen[depth] = j
                        return met, s, chosen[: depth + 1], (beside[j], every[j])
                    # what stands beside no sensitive item need not grow
                    if beside[j] and depth + 1 < known and not queued[j]:
                        queued[j] = True
                        grow[depth, many[depth]] = j
                        many[depth] += 1
                    beside[j] = 0
                steps += n_touched
            for t in range(n_touched):
                every[touched[t]], queued[touched[t]] = 0, False
            if steps > sought.cap:
                return -1, -1, chosen[:0], (0, 0)
        if turn[depth] == many[depth]:
            depth, fresh = depth - 1, False
            continue
        chosen[depth] = grow[depth, turn[depth]]
        turn[depth] += 1
        size = 0
        for x in range(len(here)):
            e = later[depth, x]
            while e < offsets[here[x] + 1] and items[e] < chosen[depth]:
                e += 1
            if e < offsets[here[x] + 1] and items[e] == chosen[depth]:
                rows[depth + 1, size], later[depth + 1, size] = here[x], e + 1
                size += 1
        depth, fresh = depth + 1, True
        sizes[depth] = size
    return met, -1, chosen[:0], (0, 0)
