"""The sets of one class, recoded so that any few known items fit enough of its rows or none."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones
from discreet.tables.kernels.lifted_sets import lifted_blocks
from discreet.tables.kernels.rare_occurrences import leave_out_rare, work_of_groups
from discreet.tables.kernels.rare_sets import anonymous_with, common_rows, rare_with

__all__ = ["blocks_of_class"]

WORD = 64
MOST_STEPS = 2e7
"""Above so many steps of a look at all small sets no occurrence is left out by itself."""
MOST_PAIRS = 4096
"""Nor above so many items, of which any two are counted."""


@kernel
def _rows_of_items(
    members: NDArray[np.int64],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    number: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int64]]:
    """Return the items of a class, ascending, the rows of each as bits, and how many those are.

    ``number`` has room for every item and holds -1 throughout, before and after.
    """
    count = 0
    for row in members:
        count += offsets[row + 1] - offsets[row]
    unique = np.empty(count, dtype=np.int64)
    count = 0
    for row in members:
        for at in range(offsets[row], offsets[row + 1]):
            if number[items[at]] < 0:
                number[items[at]] = 0
                unique[count] = items[at]
                count += 1
    unique = np.sort(unique[:count])
    for position in range(count):
        number[unique[position]] = position
    bits = np.zeros((count, (len(members) + WORD - 1) // WORD), dtype=np.uint64)
    counts = np.zeros(count, dtype=np.int64)
    for position in range(len(members)):
        row = members[position]
        for at in range(offsets[row], offsets[row + 1]):
            item = number[items[at]]
            bits[item, position // WORD] |= np.uint64(1) << np.uint64(position % WORD)
            counts[item] += 1
    for item in unique:
        number[item] = -1
    return unique, bits, counts


@kernel
def _best_move(
    bits: NDArray[np.uint64],
    counts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rare: NDArray[np.int64],
    rows: int,
    least: int,
    merging: bool,
) -> tuple[int, int]:
    """Return the two blocks to merge, or the one to suppress and -1, to mend a rare set.

    It costs least for what it mends: suppressing mends all, a merge as far as enough rows fit.
    """
    words = bits.shape[1]
    rest = np.empty(words, dtype=np.uint64)
    joined = np.empty(words, dtype=np.uint64)
    first, second, cheapest = -1, -1, np.inf
    for block in rare:
        cost = counts[block] / sizes[block]
        if cost < cheapest:
            first, second, cheapest = block, -1, cost
    for block in rare if merging else rare[:0]:
        for word in range(words):
            rest[word] = ~np.uint64(0)
        for beside in rare:
            if beside != block:
                common_rows(rest, bits[beside], rest)
        for partner in range(len(bits)):
            if sizes[partner] == 0 or partner == block:
                continue
            share = 1.0 / (sizes[block] + sizes[partner])
            cost = counts[block] * (1.0 / sizes[block] - share)
            if len(rare) == 1 and common_rows(bits[partner], bits[partner], joined) < least:
                # the partner is rare as well and would have to be mended anyway
                if cost < cheapest:
                    first, second, cheapest = block, partner, cost
                continue
            cost += counts[partner] * (1.0 / sizes[partner] - share)
            if cost >= cheapest:
                continue
            inside = False
            for beside in rare:
                inside = inside or beside == partner
            if inside:
                # the set is smaller then, and the partner no longer asked for by itself
                for word in range(words):
                    joined[word] = ~np.uint64(0)
                for beside in rare:
                    if beside not in (block, partner):
                        common_rows(joined, bits[beside], joined)
                fitting = 0
                for word in range(words):
                    fitting += ones(joined[word] & (bits[block, word] | bits[partner, word]))
            else:
                fitting = 0
                for word in range(words):
                    fitting += ones(rest[word] & (bits[block, word] | bits[partner, word]))
            if fitting > rows:
                cost *= (least - rows) / (min(fitting, least) - rows)
                if cost < cheapest:
                    first, second, cheapest = block, partner, cost
    return first, second


@kernel
def _taken_out(
    own: NDArray[np.uint64],
    counts: NDArray[np.int64],
    label: NDArray[np.int64],
    sizes: NDArray[np.int64],
    bits: NDArray[np.uint64],
    least: int,
    known: int,
) -> None:
    """Name again every item that can be: taken out of its block, or put back where suppressed.

    What cannot be done once cannot be done later either: finer blocks fit fewer rows.
    """
    chosen = np.zeros(known, dtype=np.int64)
    spare = np.flatnonzero(sizes == 0)
    free = len(spare)
    for item in np.argsort(-counts, kind="mergesort"):
        block = label[item]
        if free == 0 or (block >= 0 and sizes[block] == 1):
            continue
        alone = spare[free - 1]
        bits[alone], sizes[alone], label[item] = own[item], 1, alone
        fits = True
        if block >= 0:
            sizes[block] -= 1
            before = bits[block].copy()
            bits[block] = 0
            for member in range(len(label)):
                if label[member] == block:
                    bits[block] |= own[member]
            fits = anonymous_with(bits, sizes, block, least, known, chosen)
        if fits and anonymous_with(bits, sizes, alone, least, known, chosen):
            free -= 1
            continue
        sizes[alone], label[item] = 0, block
        if block >= 0:
            bits[block] = before
            sizes[block] += 1


@kernel
def _merged_blocks(
    bits: NDArray[np.uint64],
    counts: NDArray[np.int64],
    least: int,
    known: int,
    merging: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the block of each item (-1: suppressed) and the sizes of blocks, so that none is rare.

    Blocks are mended in order: a merge or a suppression makes no set rare that was not, so what is
    behind needs no second look; a merged block takes the later position of the two.
    """
    own, held_by = bits.copy(), counts.copy()
    n_items = len(bits)
    label, sizes = np.arange(n_items), np.ones(n_items, dtype=np.int64)
    chosen = np.zeros(known, dtype=np.int64)
    for first in range(n_items):
        size = 1
        while size <= known and sizes[first] > 0:
            alive = np.flatnonzero(sizes > 0)
            later = alive[alive > first]
            rows = rare_with(bits, later, first, least, size, chosen)
            if rows == 0:
                size += 1
                continue
            block, partner = _best_move(bits, counts, sizes, chosen[:size], rows, least, merging)
            if partner < 0:
                sizes[block] = 0
                label[label == block] = -1
            else:
                source, target = min(block, partner), max(block, partner)
                bits[target] |= bits[source]
                counts[target] += counts[source]
                sizes[target] += sizes[source]
                sizes[source] = 0
                label[label == source] = target
    _taken_out(own, held_by, label, sizes, bits, least, known)
    return label, sizes


@kernel
def _groups(
    members: NDArray[np.int64],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    number: NDArray[np.int64],
    label: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return where equal sets of a class begin, where their blocks do, these, and their worth.

    ``members`` ascend, so equal sets stand side by side; ``number`` has the position of each item.
    """
    begins, starts = np.zeros(len(members) + 1, np.int64), np.zeros(len(members) + 1, np.int64)
    total, groups, filled = 0, 0, 0
    for position in range(len(members)):
        total += offsets[members[position] + 1] - offsets[members[position]]
    blocks, worth = np.empty(total, dtype=np.int64), np.zeros(total)
    for position in range(len(members)):
        row = members[position]
        if position > 0 and members[position - 1] == row:
            continue
        begins[groups], starts[groups] = position, filled
        groups += 1
        for at in range(offsets[row], offsets[row + 1]):
            block = label[number[items[at]]]
            if block < 0:
                continue
            where = starts[groups - 1]
            while where < filled and blocks[where] != block:
                where += 1
            if where == filled:
                blocks[filled] = block
                filled += 1
            worth[where] += 1.0 / sizes[block]
    begins[groups], starts[groups] = len(members), filled
    return begins[: groups + 1], starts[: groups + 1], blocks[:filled], worth[:filled]


@kernel
def _rows_of_pairs(
    begins: NDArray[np.int64], starts: NDArray[np.int64], blocks: NDArray[np.int64], n_blocks: int
) -> NDArray[np.int64]:
    """Count the rows that hold any two blocks."""
    pairs = np.zeros((n_blocks, n_blocks), dtype=np.int64)
    for group in range(len(begins) - 1):
        rows = begins[group + 1] - begins[group]
        for first in range(starts[group], starts[group + 1]):
            for second in range(starts[group], starts[group + 1]):
                pairs[blocks[first], blocks[second]] += rows
    return pairs


@kernel
def blocks_of_class(
    members: NDArray[np.int64],
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    number: NDArray[np.int64],
    leaf_of_item: NDArray[np.int64],
    tree: NDArray[np.int64],
    least: int,
    known: int,
    merging: bool,
    single: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], float]:
    """Return the items of a class with their blocks, its distinct sets with theirs, and the loss.

    Any up to ``known`` items then fit at least ``least`` of ``members``, or none of them. These are
    the numbers of sets, ascending; an entry of the last two arrays says that a set keeps a block.
    The best of three: items merged, or suppressed, until nothing is rare; and ``single``
    occurrences left out, of all items or of rare ones merged before. Without ``merging`` items are
    suppressed alone; with a ``tree`` they are lifted in it, and blocks are its nodes.
    """
    unique, rows, counts = _rows_of_items(members, offsets, items, number)
    number[unique] = np.arange(len(unique))
    label, sets, blocks = unique[:0], unique[:0], unique[:0]
    least_lost = np.inf
    for way in range(3 if single else 1):
        bits = rows.copy()
        asked = known if way == 0 else 1
        node = unique[:0]
        if len(leaf_of_item):
            new, sizes, node = lifted_blocks(
                bits, counts.copy(), leaf_of_item[unique], tree, least, asked, merging and way != 1
            )
        else:
            new, sizes = _merged_blocks(bits, counts.copy(), least, asked, merging and way != 1)
        begins, starts, named, worth = _groups(members, offsets, items, number, new, sizes)
        mask = np.ones(len(named), dtype=np.bool_)
        if way > 0:
            steps = work_of_groups(np.diff(starts), known, bits.shape[1])
            if known == 1 or steps > MOST_STEPS or len(unique) > MOST_PAIRS:
                continue
            pairs = _rows_of_pairs(begins, starts, named, len(unique))
            mask = leave_out_rare(bits, pairs, begins, starts, named, worth, least, known)
        lost = float(counts.sum())
        for group in range(len(begins) - 1):
            for entry in range(starts[group], starts[group + 1]):
                lost -= worth[entry] * (begins[group + 1] - begins[group]) if mask[entry] else 0.0
        if lost < least_lost - 1e-9:
            least_lost, label, blocks = lost, new, named[mask]
            sets = np.repeat(members[begins[:-1]], np.diff(starts))[mask]
            if len(leaf_of_item):
                blocks = node[blocks]
                label = np.where(label < 0, -1, node[np.maximum(label, 0)])
    number[unique] = -1
    return unique, label, sets, blocks, max(0.0, least_lost)
