"""Records that lose single occurrences and get some of them back, and what they have lost."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.holders import Incidence, holds, put_in, take_out

__all__ = [
    "GONE", "LOST", "SPENT", "Pruned", "clear_all", "delete", "delete_all", "held_of",
    "put_all_back", "returned_are", "secrets_first",
]  # fmt: skip

GONE, LOST, SPENT = range(3)
"""Totals: how many occurrences are gone, how many of them sensitive, what all deletions cost."""


class Pruned(NamedTuple):
    """Records as they are now, and what they have lost."""

    held: Incidence
    """Who holds what."""
    secret: NDArray[np.bool_]
    """Whether each item is sensitive."""
    usable: NDArray[np.bool_]
    """Whether each item may be known."""
    price: NDArray[np.int64]
    """What an occurrence of each item costs."""
    sizes: NDArray[np.int64]
    """How many items each record holds now."""
    counts: NDArray[np.int64]
    """How many records hold each item now."""
    elsewhere: NDArray[np.int64]
    """How many records that are not among these hold each item."""
    rows: NDArray[np.int64]
    """The record of each occurrence that is gone; beyond them is room for all others."""
    items: NDArray[np.int64]
    """The item of each of them."""
    totals: NDArray[np.int64]
    """``GONE``, ``LOST`` and ``SPENT``."""


@kernel
def _by_item(
    rows: NDArray[np.int64], items: NDArray[np.int64], n_items: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the rows of each item begin, with the end of the last, and the rows."""
    starts = np.zeros(n_items + 1, dtype=np.int64)
    for item in items:
        starts[item + 1] += 1
    for item in range(n_items):
        starts[item + 1] += starts[item]
    sorted_rows, fill = np.empty(len(items), dtype=np.int64), starts.copy()
    for e in range(len(items)):
        sorted_rows[fill[items[e]]] = rows[e]
        fill[items[e]] += 1
    return starts, sorted_rows


@kernel
def held_of(
    rows: NDArray[np.int64], items: NDArray[np.int64], n_records: int, n_items: int
) -> Incidence:
    """Return who holds what, from pairs of a record and an item; a pair may come again.

    The records must ascend.
    """
    starts, by_item = _by_item(rows, items, n_items)
    bits = np.zeros((n_items, max(1, (n_records + 63) // 64)), dtype=np.uint64)
    offsets, ends = np.zeros(n_records + 1, dtype=np.int64), np.zeros_like(starts)
    written = 0
    for item in range(n_items):
        for e in range(starts[item], starts[item + 1]):
            r = by_item[e]
            if not holds(bits, item, r):
                put_in(bits, item, r)
                by_item[written] = r
                offsets[r + 1] += 1
                written += 1
        ends[item + 1] = written
    for r in range(n_records):
        offsets[r + 1] += offsets[r]
    listed, fill = np.empty(written, dtype=np.int32), offsets.copy()
    for item in range(n_items):
        for e in range(ends[item], ends[item + 1]):
            listed[fill[by_item[e]]] = item
            fill[by_item[e]] += 1
    return Incidence(
        offsets, listed, bits, ends, by_item[:written], np.zeros(n_items, dtype=np.int64)
    )


@kernel
def delete(pruned: Pruned, row: int, item: int) -> None:
    """Delete an occurrence that is there, and write it down."""
    take_out(pruned.held.bits, item, row)
    pruned.sizes[row] -= 1
    pruned.counts[item] -= 1
    totals = pruned.totals
    pruned.rows[totals[GONE]], pruned.items[totals[GONE]] = row, item
    totals[GONE] += 1
    totals[LOST] += pruned.secret[item]
    totals[SPENT] += pruned.price[item]


@kernel
def delete_all(pruned: Pruned, rows: NDArray[np.int64], items: NDArray[np.int64]) -> None:
    """Delete these occurrences, one after the other."""
    for e in range(len(rows)):
        delete(pruned, rows[e], items[e])


@kernel
def clear_all(pruned: Pruned, items: NDArray[np.int64]) -> None:
    """Delete each occurrence of some items, one item after the other."""
    index = pruned.held
    for item in items:
        for e in range(index.ends[item], index.ends[item + 1]):
            if holds(index.bits, item, index.rows[e]):
                delete(pruned, index.rows[e], item)


@kernel
def secrets_first(pruned: Pruned) -> None:
    """Bring sensitive items to the front of what is gone; else the order stays."""
    gone = pruned.totals[GONE]
    rows, items = pruned.rows[:gone].copy(), pruned.items[:gone].copy()
    at, behind = 0, pruned.totals[LOST]
    for g in range(gone):
        if pruned.secret[items[g]]:
            pruned.rows[at], pruned.items[at] = rows[g], items[g]
            at += 1
        else:
            pruned.rows[behind], pruned.items[behind] = rows[g], items[g]
            behind += 1


@kernel
def returned_are(pruned: Pruned, back: NDArray[np.bool_]) -> None:
    """Write down which of what was gone is back in its record."""
    left = 0
    for g in range(len(back)):
        row, item = pruned.rows[g], pruned.items[g]
        if back[g]:
            put_in(pruned.held.bits, item, row)
            pruned.sizes[row] += 1
            pruned.counts[item] += 1
            pruned.totals[LOST] -= pruned.secret[item]
        else:
            pruned.rows[left], pruned.items[left] = row, item
            left += 1
    pruned.totals[GONE] = left


@kernel
def put_all_back(pruned: Pruned) -> None:
    """Bring the records back to where they were before anything was deleted."""
    returned_are(pruned, np.ones(pruned.totals[GONE], dtype=np.bool_))
    pruned.totals[SPENT] = 0
