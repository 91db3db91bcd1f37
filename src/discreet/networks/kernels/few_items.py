"""Deleted occurrences put back where there are few items, by a table of every set's support.

An occurrence changes the support of the subsets of its record alone. So a table is kept up as
occurrences come back, and no antecedent is searched for: each is looked up.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.supersets import superset_sums
from discreet.networks.kernels.holders import broken, holds
from discreet.networks.kernels.pruning import GONE, Pruned

__all__ = ["FEW_ITEMS", "quicker_by_table", "returned_by_table"]

FEW_ITEMS = 17
"""Most items of which a table is made: a megabyte, which a processor has at hand."""
FEW_RECORDS = 64
"""Among fewer records a search ends sooner than a table is made."""
SPARSE = 64
"""So many sets for each occurrence, and most of a table would not be looked at."""


def quicker_by_table(n_items: int, n_records: int, n_occurrences: int) -> bool:
    """Whether a table is made sooner than antecedents are searched for.

    >>> quicker_by_table(17, 500, 4_000), quicker_by_table(17, 500, 2_000)
    (True, False)
    >>> quicker_by_table(8, 10, 50), quicker_by_table(18, 10_000, 100_000)
    (False, False)
    """
    enough = n_records >= FEW_RECORDS and 1 << n_items <= SPARSE * n_occurrences
    return n_items <= FEW_ITEMS and enough


def returned_by_table(pruned: Pruned, bound: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Put what is gone back where that makes no rule too sure, and tell which.

    The same as ``returning.returned``, for up to ``FEW_ITEMS`` items.
    """
    secret, gone = pruned.secret, pruned.totals[GONE]
    masks = _masks(pruned.held.bits, len(pruned.sizes))
    table = superset_sums(np.bincount(masks, minlength=1 << len(secret)))
    powers = np.int64(1) << np.arange(len(secret), dtype=np.int64)
    roles = (int(powers[secret].sum()), int(powers[pruned.usable].sum()))
    return _returned(table, masks, (pruned.rows[:gone], pruned.items[:gone]), roles, bound)


@kernel
def _masks(bits: NDArray[np.uint64], n_records: int) -> NDArray[np.int64]:
    """Return for each record a bit for each item that it holds."""
    masks = np.zeros(n_records, dtype=np.int64)
    for item in range(len(bits)):
        for record in range(n_records):
            if holds(bits, item, record):
                masks[record] |= 1 << item
    return masks


@kernel
def _returned(
    table: NDArray[np.int64],
    masks: NDArray[np.int64],
    gone: tuple[NDArray[np.int64], NDArray[np.int64]],
    roles: tuple[int, int],
    bound: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Go round until nothing can be put back: what comes back makes some rules less sure."""
    rows, items = gone
    back, moved = np.zeros(len(rows), dtype=np.bool_), True
    while moved:
        moved = False
        for g in range(len(rows)):
            if back[g]:
                continue
            record, item = masks[rows[g]], items[g]
            _count(table, record, item, 1)
            if _too_sure(table, record | (1 << item), item, roles, bound):
                _count(table, record, item, -1)
            else:
                masks[rows[g]] |= 1 << item
                back[g] = moved = True
    return back


@kernel
def _count(table: NDArray[np.int64], record: int, item: int, people: int) -> None:
    """Let a record hold an item more, or no longer, in the support of every set."""
    subset = record
    while True:
        table[subset | (1 << item)] += people
        if subset == 0:
            break
        subset = (subset - 1) & record


@kernel
def _too_sure(
    table: NDArray[np.int64],
    record: int,
    item: int,
    roles: tuple[int, int],
    bound: NDArray[np.int64],
) -> bool:
    """Whether a rule is too sure that the record fits, with the item in it."""
    secret, usable = roles
    for s in range(64):
        bit = 1 << s
        if bit > record:
            break
        if not record & secret & bit:
            continue
        must = 0 if s == item else 1 << item
        if must & ~usable:
            continue
        known = record & usable & ~bit & ~must
        subset = known
        while True:
            every, with_it = table[subset | must], table[subset | must | bit]
            if broken(with_it, every - with_it, bound):
                return True
            if subset == 0:
                break
            subset = (subset - 1) & known
    return False
