"""Maximal sets of a family, and their missing boundaries.

A boundary of a set S lacks one item x of it. The boundary is *missing* when no other set of the
family contains it: then whoever is known to hold the boundary holds x as well.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.supersets import (
    LATTICE,
    Holders,
    holders_of,
    lattice_masks,
    misses,
    signature_of,
    superset_sums,
)

__all__ = ["maximal_sets"]


def maximal_sets(
    offsets: NDArray[np.int64], items: NDArray[np.int32], n_items: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say of each set whether it is maximal, and of each item whether its set gives it away.

    It does where the rest of the set is a missing boundary; the second array runs beside
    ``items``. Only maximal sets have missing boundaries. Equal sets count as one.

    >>> offsets, items = np.array([0, 2, 3]), np.array([0, 1, 0], dtype=np.int32)
    >>> maximal, missing = maximal_sets(offsets, items, 2)  # {0, 1} and {0}
    >>> maximal.tolist(), missing.tolist()
    ([True, False], [True, False, False])
    """
    if n_items <= LATTICE:
        return _by_lattice(offsets, items, n_items)
    sets = len(offsets) - 1
    maximal = np.ones(sets, dtype=np.bool_)
    missing = np.ones(len(items), dtype=np.bool_)
    _scan(offsets, items, holders_of(offsets, items, n_items), maximal, missing)
    return maximal, missing


def _by_lattice(
    offsets: NDArray[np.int64], items: NDArray[np.int32], n_items: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Count the containers of every conceivable set at once."""
    masks = lattice_masks(offsets, items)
    containers = np.zeros(1 << n_items, dtype=np.int64)
    containers[masks] = 1
    superset_sums(containers)
    boundaries = np.repeat(masks, np.diff(offsets)) ^ (np.int64(1) << items.astype(np.int64))
    return containers[masks] == 1, containers[boundaries] == 1


@kernel
def _scan(
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    holders: Holders,
    maximal: NDArray[np.bool_],
    missing: NDArray[np.bool_],
) -> None:
    """Strike out what is not maximal and not missing.

    A set that contains S, or S without any item but its rarest, stands in the list of that rarest
    item; a set that contains S without its rarest item stands in the list of the second rarest.
    """
    alone = _one_set_only(offsets, items)
    for row in range(len(maximal)):
        itemset = items[offsets[row] : offsets[row + 1]]
        open_boundaries = missing[offsets[row] : offsets[row + 1]]
        if len(itemset) == 0:
            maximal[row] = alone
        elif len(itemset) == 1:
            # its boundary is the empty set, in every set; a list begins with its largest set
            largest = holders.rows[holders.starts[itemset[0]]]
            maximal[row] = offsets[largest + 1] - offsets[largest] == 1
            open_boundaries[0] = alone
        else:
            first, second = _two_rarest(itemset, holders.starts)
            maximal[row] = _strike(
                itemset, itemset[first], offsets, items, holders, open_boundaries
            )
            open_boundaries[first] = maximal[row] and not _held_without(
                itemset, first, itemset[second], offsets, items, holders
            )


@kernel
def _one_set_only(offsets: NDArray[np.int64], items: NDArray[np.int32]) -> bool:
    """Say whether all sets of the family are equal."""
    for row in range(1, len(offsets) - 1):
        size = offsets[row + 1] - offsets[row]
        if size != offsets[1] - offsets[0]:
            return False
        for position in range(size):
            if items[offsets[row] + position] != items[offsets[0] + position]:
                return False
    return True


@kernel
def _two_rarest(itemset: NDArray[np.int32], starts: NDArray[np.int64]) -> tuple[int, int]:
    """Return the positions of the two items that the fewest sets hold."""
    first = 0
    second = 1
    for position in range(len(itemset)):
        support = starts[itemset[position] + 1] - starts[itemset[position]]
        if support < starts[itemset[first] + 1] - starts[itemset[first]]:
            second = first
            first = position
        elif position != first and support < starts[itemset[second] + 1] - starts[itemset[second]]:
            second = position
    return first, second


@kernel
def _strike(
    itemset: NDArray[np.int32],
    through: int,
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    holders: Holders,
    open_boundaries: NDArray[np.bool_],
) -> bool:
    """Strike boundaries that sets in the list of ``through`` contain; False if one contains all.

    The list runs from large to small, so beyond the larger sets only boundaries are left to look
    for, and below one item less nothing is.
    """
    signature = signature_of(itemset, holders.bits)
    left = len(itemset) - 1
    for posting in range(holders.starts[through], holders.starts[through + 1]):
        lacking_bits = signature & ~holders.signatures[posting]
        if lacking_bits != 0 and lacking_bits & (lacking_bits - np.uint64(1)) != 0:
            continue
        row = holders.rows[posting]
        other = items[offsets[row] : offsets[row + 1]]
        if len(other) < len(itemset) - 1 or (left == 0 and len(other) <= len(itemset)):
            break
        lacking, position = misses(itemset, other, 2)
        if lacking == 0 and len(other) > len(itemset):
            open_boundaries[:] = False
            return False
        if lacking == 1 and open_boundaries[position]:
            open_boundaries[position] = False
            left -= 1
    return True


@kernel
def _held_without(
    itemset: NDArray[np.int32],
    position: int,
    through: int,
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    holders: Holders,
) -> bool:
    """Say whether a set in the list of ``through`` contains all but the item at ``position``."""
    signature = np.uint64(0)
    for other_position in range(len(itemset)):
        if other_position != position:
            signature |= holders.bits[itemset[other_position]]
    for posting in range(holders.starts[through], holders.starts[through + 1]):
        if signature & ~holders.signatures[posting] != 0:
            continue
        row = holders.rows[posting]
        other = items[offsets[row] : offsets[row + 1]]
        if len(other) < len(itemset) - 1:
            break
        lacking, where = misses(itemset, other, 2)
        if lacking == 1 and where == position:
            return True
    return False
