"""Which sets of a family contain a given set: sums over them, and the items they share.

Three machines. Up to ``LATTICE`` items one number for each conceivable set, summed over supersets.
Beyond, lists of the sets that hold each item: a query runs along the list of its rarest item, and
a 64-bit signature of each set turns nearly all misfits away before items are compared. Where those
lists are long, as in dense data, an item is a column of bits, and 64 sets are compared at once.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones

__all__ = [
    "LATTICE",
    "Holders",
    "contained_sums",
    "containment_sums",
    "holders_of",
    "lattice_masks",
    "lattice_sums",
    "shared_beyond",
    "subset_sums",
    "superset_sums",
]

Number = TypeVar("Number", np.int64, np.float64)

LATTICE = 20
"""Up to so many items a table over all sets is built: ``2**20`` entries, 8 MB of counts."""
SIGNATURE = 64
WORD = 64
WALKED = 4
"""Columns of bits pay where the lists of rarest items are so many times longer than the sets."""


class Holders(NamedTuple):
    """For each item the sets that hold it, larger sets first."""

    starts: NDArray[np.int64]
    """Item ``i`` is held by the sets ``rows[starts[i]:starts[i + 1]]``."""
    rows: NDArray[np.int64]
    """Set numbers."""
    signatures: NDArray[np.uint64]
    """The signature of each set in ``rows``, side by side for speed."""
    bits: NDArray[np.uint64]
    """The signature bit of each item; up to 64 items they differ and a signature is the set."""


def holders_of(offsets: NDArray[np.int64], items: NDArray[np.int32], n_items: int) -> Holders:
    """Return who holds what in a family of sets."""
    sizes = np.diff(offsets)
    frequency = np.bincount(items, minlength=n_items)
    # frequent items get different bits, or signatures would turn few misfits away
    rank = np.empty(n_items, dtype=np.int64)
    rank[np.argsort(-frequency, kind="stable")] = np.arange(n_items)
    bits = np.uint64(1) << (rank % SIGNATURE).astype(np.uint64)
    starts = np.zeros(n_items + 1, dtype=np.int64)
    np.cumsum(frequency, out=starts[1:])
    order = np.argsort(-sizes, kind="stable")
    rows, signatures = _lists(offsets, items, order, starts, bits)
    return Holders(starts, rows, signatures, bits)


@kernel
def _lists(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    bits: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Deal the sets, in ``order``, out to the lists of their items."""
    rows = np.empty(len(items), dtype=np.int64)
    signatures = np.empty(len(items), dtype=np.uint64)
    ends = starts[:-1].copy()
    for row in order:
        itemset = items[offsets[row] : offsets[row + 1]]
        signature = signature_of(itemset, bits)
        for item in itemset:
            rows[ends[item]] = row
            signatures[ends[item]] = signature
            ends[item] += 1
    return rows, signatures


@kernel
def signature_of(itemset: NDArray[np.int32], bits: NDArray[np.uint64]) -> np.uint64:
    """Return the union of the items' bits."""
    signature = np.uint64(0)
    for item in itemset:
        signature |= bits[item]
    return signature


@kernel
def misses(itemset: NDArray[np.int32], other: NDArray[np.int32], limit: int) -> tuple[int, int]:
    """Count the items of ``itemset`` that ``other`` lacks, up to ``limit``, and find the last."""
    lacking = 0
    last = -1
    at = 0
    for position in range(len(itemset)):
        while at < len(other) and other[at] < itemset[position]:
            at += 1
        if at == len(other) or other[at] != itemset[position]:
            lacking += 1
            last = position
            if lacking == limit:
                break
    return lacking, last


@kernel
def rarest(itemset: NDArray[np.int32], starts: NDArray[np.int64]) -> int:
    """Return the item of ``itemset`` that the fewest sets hold."""
    best = int(itemset[0])
    for item in itemset:
        if starts[item + 1] - starts[item] < starts[best + 1] - starts[best]:
            best = int(item)
    return best


@kernel
def _within(asked: NDArray[np.int32], items: NDArray[np.int32], begin: int, end: int) -> bool:
    """Tell whether a run of ascending items has all that are asked for."""
    at = begin
    for item in asked:
        while at < end and items[at] < item:
            at += 1
        if at == end or items[at] != item:
            return False
        at += 1
    return True


def containment_sums(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    holders: Holders,
    query_offsets: NDArray[np.int64],
    query_items: NDArray[np.int32],
) -> NDArray[np.int64]:
    """For each query sum the weights of the sets that contain it."""
    frequency = np.diff(holders.starts)
    walked = _postings(frequency, query_offsets, query_items)
    words = -(-(len(offsets) - 1) // WORD)
    common = np.flatnonzero(frequency > words)
    # columns take as much memory as the lists at most, and as long to fill
    dense = common if walked > WALKED * len(items) else common[:0]
    column_of = np.full(len(frequency), -1, dtype=np.int64)
    column_of[dense] = np.arange(len(dense))
    columns = np.zeros((len(dense), words), dtype=np.uint64)
    _fill(columns, column_of, offsets, items)
    return _sums(
        offsets, items, weights, holders, Columns(column_of, columns), query_offsets, query_items
    )


def _postings(
    frequency: NDArray[np.int64], offsets: NDArray[np.int64], items: NDArray[np.int32]
) -> int:
    """Return how long the lists of the rarest items of some sets are, all together."""
    some = offsets[:-1][np.diff(offsets) > 0]
    return int(np.minimum.reduceat(frequency[items], some).sum()) if len(some) else 0


class Columns(NamedTuple):
    """For common items a bit for each set: whether it holds the item."""

    column_of: NDArray[np.int64]
    """The column of each item; -1 for one that has a list only."""
    words: NDArray[np.uint64]
    """A row of words for each column, 64 sets a word."""


@kernel
def _fill(
    columns: NDArray[np.uint64],
    column_of: NDArray[np.int64],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
) -> None:
    """Set the bits of the sets that hold the items with a column."""
    if len(columns) == 0:
        return
    for row in range(len(offsets) - 1):
        bit = np.uint64(1) << np.uint64(row % WORD)
        for at in range(offsets[row], offsets[row + 1]):
            column = column_of[items[at]]
            if column >= 0:
                columns[column, row // WORD] |= bit


@kernel
def _sums(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    holders: Holders,
    columns: Columns,
    query_offsets: NDArray[np.int64],
    query_items: NDArray[np.int32],
) -> NDArray[np.int64]:
    sums = np.zeros(len(query_offsets) - 1, dtype=np.int64)
    # where every item has a bit of its own no items need to be compared
    exact = len(holders.bits) <= SIGNATURE
    for query in range(len(sums)):
        asked = query_items[query_offsets[query] : query_offsets[query + 1]]
        if len(asked) == 0:
            sums[query] = weights.sum()
            continue
        item = rarest(asked, holders.starts)
        if columns.column_of[item] >= 0:
            # all others are at least as common
            sums[query] = _weight_in_all(asked, columns, weights)
            continue
        wanted = signature_of(asked, holders.bits)
        bits_suffice = exact or len(asked) == 1
        total = 0
        for posting in range(holders.starts[item], holders.starts[item + 1]):
            if wanted & ~holders.signatures[posting] != 0:
                continue
            row = holders.rows[posting]
            begin, end = offsets[row], offsets[row + 1]
            # larger sets come first: all that follow are too small as well
            if end - begin < len(asked):
                break
            if bits_suffice or _within(asked, items, begin, end):
                total += weights[row]
        sums[query] = total
    return sums


@kernel
def _weight_in_all(asked: NDArray[np.int32], columns: Columns, weights: NDArray[np.int64]) -> int:
    """Sum the weights of the sets whose bits are set in the columns of all items."""
    one = np.uint64(1)
    total = 0
    for word in range(columns.words.shape[1]):
        common = columns.words[columns.column_of[asked[0]], word]
        for item in asked[1:]:
            common &= columns.words[columns.column_of[item], word]
        while common != 0:
            # the bits below the lowest one that is set tell its position
            total += weights[WORD * word + ones((common & (~common + one)) - one)]
            common &= common - one
    return total


@kernel
def contained_sums(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    holders: Holders,
    query_offsets: NDArray[np.int64],
    query_items: NDArray[np.int32],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """For each set sum the weights of the queries that it contains."""
    sums = np.zeros(len(offsets) - 1, dtype=np.float64)
    for query in range(len(query_offsets) - 1):
        asked = query_items[query_offsets[query] : query_offsets[query + 1]]
        if len(asked) == 0:
            sums += weights[query]
            continue
        wanted = signature_of(asked, holders.bits)
        item = rarest(asked, holders.starts)
        for posting in range(holders.starts[item], holders.starts[item + 1]):
            if wanted & ~holders.signatures[posting] != 0:
                continue
            row = holders.rows[posting]
            itemset = items[offsets[row] : offsets[row + 1]]
            if len(itemset) < len(asked):
                break
            if misses(asked, itemset, 1)[0] == 0:
                sums[row] += weights[query]
    return sums


@kernel
def shared_beyond(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    holders: Holders,
    query_offsets: NDArray[np.int64],
    query_items: NDArray[np.int32],
) -> NDArray[np.int64]:
    """For each query count the further items that all sets around it share; 0 for an empty one."""
    further = np.zeros(len(query_offsets) - 1, dtype=np.int64)
    shared = np.empty(len(holders.bits), dtype=np.int32)
    for query in range(len(further)):
        asked = query_items[query_offsets[query] : query_offsets[query + 1]]
        if len(asked) == 0:
            continue
        wanted = signature_of(asked, holders.bits)
        item = rarest(asked, holders.starts)
        first = True
        left = 0
        for posting in range(holders.starts[item], holders.starts[item + 1]):
            if wanted & ~holders.signatures[posting] != 0:
                continue
            row = holders.rows[posting]
            itemset = items[offsets[row] : offsets[row + 1]]
            if misses(asked, itemset, 1)[0] > 0:
                continue
            if first:
                left = len(itemset)
                shared[:left] = itemset
                first = False
            else:
                left = _keep_common(shared, left, itemset)
            if left == len(asked):
                break
        further[query] = max(0, left - len(asked))
    return further


@kernel
def _keep_common(shared: NDArray[np.int32], left: int, itemset: NDArray[np.int32]) -> int:
    """Keep the items of ``shared[:left]`` that ``itemset`` has, and return how many those are."""
    count = 0
    at = 0
    for position in range(left):
        item = shared[position]
        while at < len(itemset) and itemset[at] < item:
            at += 1
        if at < len(itemset) and itemset[at] == item:
            shared[count] = item
            count += 1
    return count


def lattice_masks(offsets: NDArray[np.int64], items: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return each set as a number below ``2**n``, bit ``i`` for item ``i``."""
    upto = np.zeros(len(items) + 1, dtype=np.int64)
    np.cumsum(np.int64(1) << items.astype(np.int64), out=upto[1:])
    return upto[offsets[1:]] - upto[offsets[:-1]]


def lattice_sums(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_items: int,
) -> NDArray[np.int64]:
    """Return for every conceivable set the weights of the sets that contain it, summed.

    >>> lattice_sums(np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([5, 2]), 2).tolist()
    [7, 5, 7, 5]
    """
    table = np.zeros(1 << n_items, dtype=np.int64)
    np.add.at(table, lattice_masks(offsets, items), weights)
    return superset_sums(table)


def superset_sums(table: NDArray[Number]) -> NDArray[Number]:
    """Replace each entry of a table over all sets by the sum over its supersets; in place.

    ``n * 2**(n - 1)`` additions, by whole columns.

    >>> superset_sums(np.array([1, 2, 0, 5])).tolist()
    [8, 7, 5, 5]
    """
    for bit in range(len(table).bit_length() - 1):
        pairs = table.reshape(-1, 2, 1 << bit)
        pairs[:, 0] += pairs[:, 1]
    return table


def subset_sums(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Replace each entry of a table over all sets by the sum over its subsets; in place.

    >>> subset_sums(np.array([1.0, 2.0, 0.0, 5.0])).tolist()
    [1.0, 3.0, 1.0, 8.0]
    """
    for bit in range(len(table).bit_length() - 1):
        pairs = table.reshape(-1, 2, 1 << bit)
        pairs[:, 1] += pairs[:, 0]
    return table
