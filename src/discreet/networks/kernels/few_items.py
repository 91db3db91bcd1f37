"""Deleted occurrences put back where there are few items, by a table of every set's support.

An occurrence changes the support of the subsets of its record alone. So a table is kept up as
occurrences come back, and no antecedent is searched for: each is looked up.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.supersets import superset_sums
from discreet.networks.kernels.holders import Incidence, broken, holds

FEW_ITEMS = 17
"""Most items of which a table is made: a megabyte, which a processor has at hand."""


def returned_by_table(
    index: Incidence,
    gone: tuple[NDArray[np.int64], NDArray[np.int64]],
    secret: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    bound: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Put each occurrence back that makes no rule too sure, and tell which.

    The same as ``mending.returned``, for up to ``FEW_ITEMS`` items.
    """
    masks = _masks(index.bits, len(index.offsets) - 1)
    table = superset_sums(np.bincount(masks, minlength=1 << len(secret)))
    powers = np.int64(1) << np.arange(len(secret), dtype=np.int64)
    roles = (int(powers[secret].sum()), int(powers[usable].sum()))
    back = _returned(table, masks, gone, roles, bound)
    rows, items = gone[0][back], gone[1][back]
    bit = np.uint64(1) << (rows & 63).astype(np.uint64)
    np.bitwise_or.at(index.bits, (items, rows >> 6), bit)
    np.add.at(sizes, rows, 1)
    return back


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
    rows, items = gone
    back = np.zeros(len(rows), dtype=np.bool_)
    for g in range(len(rows)):
        record, item = masks[rows[g]], items[g]
        _count(table, record, item, 1)
        if _too_sure(table, record | (1 << item), item, roles, bound):
            _count(table, record, item, -1)
        else:
            masks[rows[g]] |= 1 << item
            back[g] = True
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
