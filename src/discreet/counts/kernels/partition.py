"""Top-down partitioning along a taxonomy tree: what DiffPart and LevelPart share.

A partition is a cut (disjoint tree nodes), the records that touch every node of the cut and
nothing else (a slice of a permuted order), and the budget left for further splits, in integer
units so that the budgets of a path add up exactly. Splitting expands one node of the cut; a
record goes to the sub-partition of the children it touches, by one counting sort of the slice.

Words of chance come in as an array. When they run out in the middle of an operation, that
operation is undone and the kernel returns; the caller brings the same words again with more
behind them, so the outcome depends on the stream of words alone.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.counts.kernels.layout import (
    ALPHA,
    BEGIN,
    BUDGET,
    CHAIN_AT,
    COUNT,
    CUT,
    EMPTIES,
    END,
    FAN,
    FIRST,
    HEIGHT,
    HIGH,
    LOW,
    MASS,
    NODES,
    PAR,
    PARENT,
    PUBLISHED,
    ROWS,
    SPAN,
    START,
    TALL,
    TOP,
    VISITED,
    WIDTH,
    Records,
    Rule,
    Tree,
)
from discreet.kernels.noise import below

__all__ = [
    "begin",
    "choose",
    "exact_par",
    "has_room",
    "made",
    "publish",
    "push",
    "restore",
    "split",
    "threshold",
    "visit",
]


@kernel
def exact_par(tree: Tree, partition: NDArray[np.int64], size: int) -> int:
    """Return the most operations that can still lead from a cut to a ``size``-itemset.

    Each inner node takes one item along its longest chain; the items left over take the longest
    of the other chains (soundness note 000, 000-3).
    """
    nodes, chains = tree
    width = partition[WIDTH]
    used = np.zeros(width, dtype=np.int64)
    total = 0
    for slot in range(width):
        node = partition[CUT + slot]
        if nodes[node, FAN] > 0:
            total += chains[nodes[node, CHAIN_AT]]
            used[slot] = 1
    for _ in range(size - width):
        best = 0
        best_slot = -1
        for slot in range(width):
            node = partition[CUT + slot]
            at = nodes[node, CHAIN_AT] + used[slot]
            if used[slot] > 0 and at < nodes[node + 1, CHAIN_AT] and chains[at] > best:
                best = chains[at]
                best_slot = slot
        if best_slot < 0:
            break
        used[best_slot] += 1
        total += best
    return total


@kernel
def threshold(rule: Rule, units: int, constant: float) -> int:
    """Return the least count that passes: ``constant`` standard deviations, at least 1.

    Public and free of data, so ordinary arithmetic does.
    """
    least = np.ceil(1.4142135623730951 * constant * rule.t / (rule.s * units) - 1e-9)
    return max(1, int(least))


@kernel
def _highest(nodes: NDArray[np.int64], partition: NDArray[np.int64]) -> int:
    """Return the slot of the last node of greatest height in the cut.

    Differs from the paper, which picks any: every choice that does not look at the data will do.
    """
    best = 0
    for slot in range(partition[WIDTH]):
        if nodes[partition[CUT + slot], HEIGHT] >= nodes[partition[CUT + best], HEIGHT]:
            best = slot
    return best


@kernel
def _find_keys(
    nodes: NDArray[np.int64],
    records: Records,
    partition: NDArray[np.int64],
    node: int,
    keys: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> None:
    """For each record of the slice the children of ``node`` that it touches, as bits."""
    offsets, items, counts, order = records
    low, high, first = nodes[node, LOW], nodes[node, HIGH], nodes[node, FIRST]
    start = partition[START]
    for index in range(start, partition[END]):
        record = order[index]
        child = first
        key = 0
        for at in range(offsets[record], offsets[record + 1]):
            item = items[at]
            if item >= high:
                break
            if item >= low:
                while item >= nodes[child, HIGH]:
                    child += 1
                key |= 1 << (child - first)
        scratch[0, index - start] = key
        keys[key, ROWS] += 1
        keys[key, MASS] += counts[record]


@kernel
def _measure_keys(
    nodes: NDArray[np.int64], partition: NDArray[np.int64], slot: int, keys: NDArray[np.int64]
) -> None:
    """For each set of children: nodes and items of the new cut, and its height."""
    span = height = 0
    for index in range(partition[WIDTH]):
        if index != slot:
            member = partition[CUT + index]
            span += nodes[member, HIGH] - nodes[member, LOW]
            height = max(height, nodes[member, HEIGHT])
    keys[0, NODES] = partition[WIDTH] - 1
    keys[0, SPAN] = span
    keys[0, TALL] = height
    node = partition[CUT + slot]
    for child in range(nodes[node, FAN]):
        member = nodes[node, FIRST] + child
        bit = 1 << child
        for key in range(bit):
            keys[key | bit, NODES] = keys[key, NODES] + 1
            keys[key | bit, SPAN] = keys[key, SPAN] + nodes[member, HIGH] - nodes[member, LOW]
            keys[key | bit, TALL] = max(keys[key, TALL], nodes[member, HEIGHT])


@kernel
def split(
    nodes: NDArray[np.int64],
    records: Records,
    partition: NDArray[np.int64],
    keys: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> int:
    """Split the highest node of the cut and return its slot.

    The slice is sorted by the children that each record touches, and every set of them measured.
    """
    order, slot = records.order, _highest(nodes, partition)
    node = partition[CUT + slot]
    number = 1 << nodes[node, FAN]
    for key in range(number):
        keys[key, ROWS] = 0
        keys[key, MASS] = 0
    _find_keys(nodes, records, partition, node, keys, scratch)
    start, end = partition[START], partition[END]
    at_key = start
    for key in range(number):
        keys[key, BEGIN] = at_key
        at_key += keys[key, ROWS]
    for index in range(start, end):
        key = scratch[0, index - start]
        scratch[1, keys[key, BEGIN] - start] = order[index]
        keys[key, BEGIN] += 1
    for index in range(start, end):
        order[index] = scratch[1, index - start]
    for key in range(number):
        keys[key, BEGIN] -= keys[key, ROWS]
    _measure_keys(nodes, partition, slot, keys)
    return slot


@kernel
def _write_cut(
    nodes: NDArray[np.int64],
    partition: NDArray[np.int64],
    slot: int,
    key: int,
    rows: NDArray[np.int64],
    row: int,
) -> None:
    """Write the cut with the node at ``slot`` replaced by the children in ``key``."""
    at = CUT
    for index in range(partition[WIDTH]):
        if index != slot:
            rows[row, at] = partition[CUT + index]
            at += 1
    node = partition[CUT + slot]
    for child in range(nodes[node, FAN]):
        if key >> child & 1:
            rows[row, at] = nodes[node, FIRST] + child
            at += 1
    rows[row, WIDTH] = at - CUT


@kernel
def push(
    nodes: NDArray[np.int64],
    partition: NDArray[np.int64],
    slot: int,
    key: int,
    keys: NDArray[np.int64],
    stack: NDArray[np.int64],
    state: NDArray[np.int64],
) -> None:
    """Put a sub-partition on the stack, with the budget that the split leaves."""
    top = state[TOP]
    _write_cut(nodes, partition, slot, key, stack, top)
    stack[top, START] = keys[key, BEGIN]
    stack[top, END] = keys[key, BEGIN] + keys[key, ROWS]
    stack[top, BUDGET] = partition[BUDGET] - partition[ALPHA]
    stack[top, PAR] = partition[PAR]
    stack[top, PARENT] = state[VISITED] - 1
    state[TOP] = top + 1


@kernel
def publish(
    nodes: NDArray[np.int64],
    partition: NDArray[np.int64],
    slot: int,
    key: int,
    output: NDArray[np.int64],
    state: NDArray[np.int64],
    count: int,
    budget: int,
) -> None:
    """Write an itemset with its noisy count; the nodes of a leaf cut are single items."""
    row = state[PUBLISHED]
    _write_cut(nodes, partition, slot, key, output, row)
    for at in range(CUT, CUT + output[row, WIDTH]):
        # sorted by insertion: the ranges of a cut arrive nearly in order
        item = nodes[output[row, at], LOW]
        before = at
        while before > CUT and output[row, before - 1] > item:
            output[row, before] = output[row, before - 1]
            before -= 1
        output[row, before] = item
    output[row, COUNT] = count
    output[row, BUDGET] = budget
    output[row, PARENT] = state[VISITED] - 1
    state[PUBLISHED] = row + 1


@kernel
def choose(
    keys: NDArray[np.int64],
    n_empty: int,
    chosen: int,
    words: NDArray[np.uint64],
    pos: NDArray[np.int64],
) -> None:
    """Bring ``chosen`` of the ``n_empty`` empties to the front, uniformly without replacement."""
    for at in range(chosen):
        pick = at + below(n_empty - at, words, pos)
        keys[at, EMPTIES], keys[pick, EMPTIES] = keys[pick, EMPTIES], keys[at, EMPTIES]


@kernel
def visit(partition: NDArray[np.int64], trace: NDArray[np.int64], state: NDArray[np.int64]) -> None:
    """Count the visit of a partition, and note it where there is room to."""
    number = state[VISITED]
    if number < trace.shape[0]:
        for at in range(CUT + partition[WIDTH]):
            trace[number, at] = partition[at]
    state[VISITED] = number + 1


@kernel
def made(state: NDArray[np.int64]) -> int:
    """Return how many partitions were made: visited, waiting, or published as itemsets."""
    return int(state[VISITED] + state[TOP] + state[PUBLISHED])


@kernel
def has_room(
    rule: Rule, stack: NDArray[np.int64], output: NDArray[np.int64], state: NDArray[np.int64]
) -> bool:
    """Tell whether all parts of one more split would find a place."""
    room = 1 << rule.fan_out
    if state[TOP] + room > stack.shape[0]:
        return False
    return bool(state[PUBLISHED] + room <= output.shape[0])


@kernel
def begin(
    stack: NDArray[np.int64],
    state: NDArray[np.int64],
    partition: NDArray[np.int64],
    pos: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Take the partition on top off the stack; return where everything stood."""
    top = state[TOP] - 1
    for at in range(CUT + stack[top, WIDTH]):
        partition[at] = stack[top, at]
    state[TOP] = top
    return state[PUBLISHED], state[VISITED], pos[0]


@kernel
def restore(
    stack: NDArray[np.int64],
    state: NDArray[np.int64],
    partition: NDArray[np.int64],
    pos: NDArray[np.int64],
    top: int,
    mark: tuple[int, int, int],
) -> None:
    """Undo an operation that ran out of words: the partition goes back on the stack."""
    for at in range(CUT + partition[WIDTH]):
        stack[top, at] = partition[at]
    state[TOP] = top + 1
    state[PUBLISHED], state[VISITED], pos[0] = mark
