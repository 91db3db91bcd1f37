"""The items of one class lifted in a hierarchy, until any few of them fit enough of its rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones
from discreet.tables.kernels.rare_sets import anonymous_with, common_rows, rare_with

__all__ = ["lifted_blocks"]


class Blocks(NamedTuple):
    """The items of a class, the blocks that stand for them, and the hierarchy; changed in place."""

    own: NDArray[np.uint64]
    """The rows of each item, a bit a row."""
    leaf: NDArray[np.int64]
    """The node of each item."""
    tree: NDArray[np.int64]
    """Parent, first and last leaf of each node."""
    label: NDArray[np.int64]
    """The block of each item, -1 where it is suppressed."""
    sizes: NDArray[np.int64]
    """How many names a block stands for, 0 where its slot is free."""
    node: NDArray[np.int64]
    """The node of each block."""
    bits: NDArray[np.uint64]
    """The rows of each block, a bit a row."""


@kernel
def _inside(tree: NDArray[np.int64], node: int, above: int) -> bool:
    """Whether a node is below another, or the same; ``tree`` has parent, first and last leaf."""
    return bool(tree[1, above] <= tree[1, node] and tree[2, node] <= tree[2, above])


@kernel
def _leaves(tree: NDArray[np.int64], node: int) -> int:
    return int(tree[2, node] - tree[1, node] + 1)


@kernel
def _best_lift(
    blocks: Blocks,
    counts: NDArray[np.int64],
    rare: NDArray[np.int64],
    rows: int,
    least: int,
    lifting: bool,
) -> tuple[int, int]:
    """Return a block and the node to lift it to, or -1 to suppress it, to mend a rare set.

    It costs least for what it mends: suppressing mends all, a lift as far as enough rows fit.
    """
    tree, sizes, node, bits = blocks.tree, blocks.sizes, blocks.node, blocks.bits
    words = bits.shape[1]
    joined = np.empty(words, dtype=np.uint64)
    rest = np.empty(words, dtype=np.uint64)
    best, target, cheapest = -1, -1, np.inf
    for block in rare:
        cost = counts[block] / sizes[block]
        if cost < cheapest:
            best, target, cheapest = block, -1, cost
    for block in rare if lifting else rare[:0]:
        above = tree[0, node[block]]
        while above >= 0:
            joined[:] = 0
            cost = 0.0
            for slot in range(len(bits)):
                if sizes[slot] > 0 and _inside(tree, node[slot], above):
                    joined |= bits[slot]
                    # another rare item would have to be mended anyway
                    if slot == block or len(rare) > 1 or counts[slot] >= least:
                        cost += counts[slot] * (1.0 / sizes[slot] - 1.0 / _leaves(tree, above))
            rest[:] = joined
            for beside in rare:
                if not _inside(tree, node[beside], above):
                    common_rows(rest, bits[beside], rest)
            fitting = 0
            for word in range(words):
                fitting += ones(rest[word])
            if fitting > rows:
                cost *= (least - rows) / (min(fitting, least) - rows)
                if cost < cheapest:
                    best, target, cheapest = block, above, cost
            above = tree[0, above]
    return best, target


@kernel
def _lift(blocks: Blocks, counts: NDArray[np.int64], above: int) -> None:
    """Merge all blocks below a node into one, which takes the last of their slots."""
    _, _, tree, label, sizes, node, bits = blocks
    last = -1
    for slot in range(len(bits)):
        if sizes[slot] > 0 and _inside(tree, node[slot], above):
            if last >= 0:
                bits[slot] |= bits[last]
                counts[slot] += counts[last]
                sizes[last] = 0
                label[label == last] = slot
            last = slot
    node[last], sizes[last] = above, _leaves(tree, above)


@kernel
def _put_back(blocks: Blocks, least: int, known: int) -> None:
    """Put every suppressed item back that can be: as the block above it, or by its own name."""
    own, leaf, tree, label, sizes, node, bits = blocks
    chosen = np.zeros(known, dtype=np.int64)
    for item in np.flatnonzero(label < 0):
        slot = -1
        for other in range(len(bits)):
            if sizes[other] > 0 and _inside(tree, leaf[item], node[other]):
                slot = other
        if slot >= 0:
            before = bits[slot].copy()
            bits[slot] |= own[item]
            if anonymous_with(bits, sizes, slot, least, known, chosen):
                label[item] = slot
            else:
                bits[slot] = before
            continue
        slot = np.flatnonzero(sizes == 0)[0]
        bits[slot], sizes[slot], node[slot] = own[item], 1, leaf[item]
        if anonymous_with(bits, sizes, slot, least, known, chosen):
            label[item] = slot
        else:
            sizes[slot] = 0


@kernel
def _lowered(blocks: Blocks, least: int, known: int, slot: int) -> bool:
    """Replace a node by those just below it, if that leaves no set rare."""
    own, leaf, tree, label, sizes, node, bits = blocks
    chosen = np.zeros(known, dtype=np.int64)
    members = np.flatnonzero(label == slot)
    above, before = node[slot], bits[slot].copy()
    spare = np.flatnonzero(sizes == 0)
    slots = np.empty(len(members), dtype=np.int64)
    count = 0
    for item in members:
        below = leaf[item]
        while tree[0, below] != above:
            below = tree[0, below]
        index = 0
        while index < count and node[slots[index]] != below:
            index += 1
        if index == count:
            slots[count] = slot if count == 0 else spare[count - 1]
            count += 1
            bits[slots[index]] = 0
            node[slots[index]], sizes[slots[index]] = below, _leaves(tree, below)
        bits[slots[index]] |= own[item]
        label[item] = slots[index]
    for index in range(count if count > 1 else 0):
        if not anonymous_with(bits, sizes, slots[index], least, known, chosen):
            sizes[slots[:count]] = 0
            bits[slot], node[slot], sizes[slot] = before, above, _leaves(tree, above)
            label[members] = slot
            return False
    return True


@kernel
def lifted_blocks(
    bits: NDArray[np.uint64],
    counts: NDArray[np.int64],
    leaf: NDArray[np.int64],
    tree: NDArray[np.int64],
    least: int,
    known: int,
    lifting: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the block of each item (-1: suppressed), what blocks stand for, and their nodes.

    ``leaf`` is the node of each item. Blocks are mended in order: a lift or a suppression makes no
    set rare that was not, so what is behind needs no second look. Then nodes are lowered where
    that can be; what cannot be once cannot be later either, as finer blocks fit fewer rows.
    """
    own, n_items = bits.copy(), len(bits)
    label, sizes, node = np.arange(n_items), np.ones(n_items, dtype=np.int64), leaf.copy()
    blocks = Blocks(own, leaf, tree, label, sizes, node, bits)
    chosen = np.zeros(known, dtype=np.int64)
    for first in range(n_items):
        size = 1
        while size <= known and sizes[first] > 0:
            alive = np.flatnonzero(sizes > 0)
            rows = rare_with(bits, alive[alive > first], first, least, size, chosen)
            if rows == 0:
                size += 1
                continue
            rare = chosen[:size]
            block, target = _best_lift(blocks, counts, rare, rows, least, lifting)
            if target < 0:
                sizes[block] = 0
                label[label == block] = -1
            else:
                _lift(blocks, counts, target)
    _put_back(blocks, least, known)
    asked = sizes > 0
    while asked.any():
        slot = np.flatnonzero(asked)[0]
        before = sizes > 0
        asked[slot] = node[slot] not in leaf and _lowered(blocks, least, known, slot)
        asked |= (sizes > 0) & ~before
    _put_back(blocks, least, known)
    return label, sizes, node
