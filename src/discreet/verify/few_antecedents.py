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
def _sure(positives: int, fitting: int, bound: NDArray[np.int64]) -> bool:
    left, right = positives * bound[1], bound[0] * fitting
    return positives > 0 and bool(left > right or (bound[2] != 0 and left == right))


@kernel
def _positives(
    sought: Sought,
    rows: NDArray[np.int64],
    count: NDArray[np.int64],
    hidden: NDArray[np.int64],
    starts: NDArray[np.int64],
    positions: NDArray[np.int64],
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
            positions[fill[h]] = x
            fill[h] += 1
    for h in range(n_hidden):
        count[hidden[h]] = 0
    return n_hidden


class _Tallies(NamedTuple):
    """Room to count in, a number for each item; zeros between two antecedents."""

    every: NDArray[np.int64]
    """The records of the antecedent that hold each item by which it may grow."""
    beside: NDArray[np.int64]
    """Those of them with one sensitive item."""
    queued: NDArray[np.bool_]
    """Whether the antecedent grows by the item."""
    touched: NDArray[np.int64]
    """The items by which it may grow."""
    hidden: NDArray[np.int64]
    """The sensitive items of its records."""
    starts: NDArray[np.int64]
    """Where the records with each of them begin, and the end of the last."""
    positions: NDArray[np.int64]
    """Where these stand among the records of the antecedent."""


@kernel
def _count_later(
    sought: Sought,
    rows: NDArray[np.int64],
    later: NDArray[np.int64],
    every: NDArray[np.int64],
    touched: NDArray[np.int64],
) -> tuple[int, int]:
    """Count the later items of these records; return how many items there are, and the steps."""
    offsets, items = sought.offsets, sought.items
    n_touched, steps = 0, 0
    for x in range(len(rows)):
        steps += offsets[rows[x] + 1] - later[x]
        for e in range(later[x], offsets[rows[x] + 1]):
            if every[items[e]] == 0:
                touched[n_touched] = items[e]
                n_touched += 1
            every[items[e]] += 1
    return n_touched, steps


@kernel
def _count_beside(
    sought: Sought,
    rows: NDArray[np.int64],
    later: NDArray[np.int64],
    positions: NDArray[np.int64],
    beside: NDArray[np.int64],
) -> int:
    """Count the later items of the records at these positions; return the steps."""
    offsets, items = sought.offsets, sought.items
    steps = 0
    for x in positions:
        steps += offsets[rows[x] + 1] - later[x]
        for e in range(later[x], offsets[rows[x] + 1]):
            beside[items[e]] += 1
    return steps


@kernel
def _try_each(
    tallies: _Tallies,
    n_touched: int,
    s: int,
    bound: NDArray[np.int64],
    grow: NDArray[np.int64],
    size: int,
) -> tuple[int, int]:
    """Return with which item more ``s`` follows too surely, -1 for none, and what there is to grow.

    An antecedent grows by what stands beside a sensitive item, and need not by anything else.
    Where ``s`` is -1 nothing follows. What was counted beside it is forgotten.
    """
    every, beside, queued = tallies.every, tallies.beside, tallies.queued
    touched = tallies.touched
    for t in range(n_touched):
        j = touched[t]
        if s >= 0 and j != s and _sure(beside[j], every[j], bound):
            return j, size
        if beside[j] and not queued[j]:
            queued[j] = True
            grow[size] = j
            size += 1
        beside[j] = 0
    return -1, size


@kernel
def _judged(
    sought: Sought,
    tallies: _Tallies,
    records: tuple[NDArray[np.int64], NDArray[np.int64]],
    chosen: NDArray[np.int64],
    grow: NDArray[np.int64],
    sizes: tuple[int, int],
) -> tuple[tuple[int, int, int, int], int, int]:
    """Return what follows too surely from an antecedent or from it and one item more.

    That is a sensitive item, the item more, and how many hold all with it and in all; -1 for none.
    Then come the steps taken, and by how many items the antecedent grows.
    """
    rows, later = records
    n_hidden, n_touched = sizes
    steps, size = 0, 0
    for h in range(n_hidden):
        s, mine = tallies.hidden[h], tallies.positions[tallies.starts[h] : tallies.starts[h + 1]]
        if len(chosen) == 0 and _sure(len(mine), len(rows), sought.bound):
            return (s, -1, len(mine), len(rows)), steps, size
        steps += _count_beside(sought, rows, later, mine, tallies.beside) + n_touched
        following = -1 if (chosen == s).any() else s
        j, size = _try_each(tallies, n_touched, following, sought.bound, grow, size)
        if j >= 0:
            return (s, j, tallies.beside[j], tallies.every[j]), steps, size
    return (-1, -1, 0, 0), steps, size


@kernel
def _narrowed(
    sought: Sought, rows: NDArray[np.int64], later: NDArray[np.int64], size: int, item: int
) -> int:
    """Write into the second rows which of the first hold one item more; return how many do."""
    offsets, items = sought.offsets, sought.items
    fitting = 0
    for x in range(size):
        e, end = later[0, x], offsets[rows[0, x] + 1]
        while e < end and items[e] < item:
            e += 1
        if e < end and items[e] == item:
            rows[1, fitting], later[1, fitting] = rows[0, x], e + 1
            fitting += 1
    return fitting


@kernel
def first_too_sure(
    sought: Sought, n_items: int
) -> tuple[int, int, NDArray[np.int64], tuple[int, int]]:
    """Return how many antecedents were met, and the first that breaks the bound.

    After them come the sensitive item that follows from it, -1 where none does too surely, the
    antecedent, and how many records hold it with the item and in all. Met is -1 where the search
    stopped at its cap.
    """
    known, n_records = sought.known, len(sought.offsets) - 1
    count = np.zeros(n_items, dtype=np.int64)
    tallies = _Tallies(
        np.zeros(n_items, dtype=np.int64),
        np.zeros(n_items, dtype=np.int64),
        np.zeros(n_items, dtype=np.bool_),
        np.empty(n_items, dtype=np.int64),
        np.empty(n_items, dtype=np.int64),
        np.empty(n_items + 1, dtype=np.int64),
        np.empty(len(sought.secrets), dtype=np.int64),
    )
    every, touched = tallies.every, tallies.touched
    hidden, starts, positions = tallies.hidden, tallies.starts, tallies.positions
    chosen = np.empty(known, dtype=np.int64)
    # for each depth the records that hold what is chosen, and where their later items begin
    rows = np.empty((known, n_records), dtype=np.int64)
    later = np.empty((known, n_records), dtype=np.int64)
    sizes = np.zeros(known, dtype=np.int64)
    rows[0], later[0], sizes[0] = np.arange(n_records), sought.offsets[:-1], n_records
    grow = np.empty((known, n_items), dtype=np.int64)
    lengths, turn = np.zeros(known, dtype=np.int64), np.zeros(known, dtype=np.int64)
    met, steps, depth, fresh = 1, 0, 0, True
    while depth >= 0:
        if fresh:
            hits, after = rows[depth, : sizes[depth]], later[depth, : sizes[depth]]
            n_touched, counted = _count_later(sought, hits, after, every, touched)
            n_hidden = _positives(sought, hits, count, hidden, starts, positions)
            met, steps, turn[depth] = met + n_touched, steps + counted, 0
            rule, counted, size = _judged(
                sought, tallies, (hits, after), chosen[:depth], grow[depth], (n_hidden, n_touched)
            )
            s, j, with_it, fitting = rule
            if s >= 0:
                chosen[depth] = j
                return met, s, chosen[: depth + (j >= 0)], (with_it, fitting)
            steps, lengths[depth] = steps + counted, size if depth + 1 < known else 0
            every[touched[:n_touched]] = 0
            tallies.queued[touched[:n_touched]] = False
            if steps > sought.cap:
                return -1, -1, chosen[:0], (0, 0)
        fresh = turn[depth] < lengths[depth]
        if fresh:
            chosen[depth] = grow[depth, turn[depth]]
            turn[depth] += 1
            size = sizes[depth]
            both = slice(depth, depth + 2)
            sizes[depth + 1] = _narrowed(sought, rows[both], later[both], size, chosen[depth])
        depth += 1 if fresh else -1
    return met, -1, chosen[:0], (0, 0)
