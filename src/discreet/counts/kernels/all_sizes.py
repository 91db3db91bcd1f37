"""DiffPart (Chen et al. 2011): itemsets of all sizes up to a public cap."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.counts.kernels.exchangeable_trials import binomial_tail
from discreet.counts.kernels.layout import (
    ALPHA,
    BUDGET,
    CUT,
    DONE,
    EMPTIES,
    FAN,
    LIMIT,
    MASS,
    MORE_ROOM,
    MORE_WORDS,
    NODES,
    ROWS,
    TALL,
    TOP,
    Rule,
    Run,
)
from discreet.counts.kernels.partition import (
    begin,
    choose,
    exact_par,
    has_room,
    made,
    publish,
    push,
    restore,
    split,
    threshold,
    visit,
)
from discreet.kernels.noise import discrete_laplace, geometric_exp

__all__ = ["diff_part"]


@kernel
def _units(rule: Rule, partition: NDArray[np.int64], height: int) -> int:
    """Return the budget of a test: a leaf is counted with all that is left."""
    return int(rule.half + partition[BUDGET] if height == 0 else partition[ALPHA])


@kernel
def _test_parts(
    rule: Rule,
    number: int,
    keys: NDArray[np.int64],
    height: int,
    s: int,
    least: int,
    words: NDArray[np.uint64],
    pos: NDArray[np.int64],
) -> tuple[int, int]:
    """Test the parts of one height that hold records, and each empty one once.

    Return how many passed; they are listed from the end of the column, the empty ones, drawn
    together, from its beginning. The noisy count of a part that passed replaces its true one.
    """
    passed = n_empty = 0
    for key in range(1, number):
        if keys[key, TALL] != height or keys[key, NODES] > rule.size:
            continue
        if keys[key, ROWS] == 0:
            keys[n_empty, EMPTIES] = key
            n_empty += 1
            continue
        keys[key, MASS] += discrete_laplace(s, rule.t, words, pos)
        if keys[key, MASS] >= least:
            passed += 1
            keys[keys.shape[0] - passed, EMPTIES] = key
    chosen = binomial_tail(n_empty, least, s, rule.t, words, pos)
    choose(keys, n_empty, chosen, words, pos)
    for at in range(chosen):
        # a discrete Laplace draw known to be at least `least` exceeds it geometrically
        keys[keys[at, EMPTIES], MASS] = least + geometric_exp(s, rule.t, words, pos)
    return passed, chosen


@kernel
def _accept(
    nodes: NDArray[np.int64],
    partition: NDArray[np.int64],
    slot: int,
    key: int,
    keys: NDArray[np.int64],
    stack: NDArray[np.int64],
    output: NDArray[np.int64],
    state: NDArray[np.int64],
    units: int,
) -> None:
    """Publish a leaf with its count; queue any other part with the budget that is left."""
    if keys[key, TALL] > 0:
        push(nodes, partition, slot, key, keys, stack, state)
    else:
        publish(nodes, partition, slot, key, output, state, keys[key, MASS], units)


@kernel
def _split_top(run: Run) -> None:
    """Split the partition just taken off the stack; leaves are counted with all that is left."""
    tree, rule, records, stack, output, trace, state, partition, keys, scratch, words, pos = run
    nodes = tree.nodes
    partition[ALPHA] = partition[BUDGET] // exact_par(tree, partition, rule.size)
    visit(partition, trace, state)
    if partition[ALPHA] <= 0:
        return
    slot = split(nodes, records, partition, keys, scratch)
    number = 1 << nodes[partition[CUT + slot], FAN]
    # parts of one height share threshold and budget, so their empties are drawn together
    for height in range(keys[number - 1, TALL] + 1):
        units = _units(rule, partition, height)
        least = threshold(rule, units, rule.c2 if height == 0 else rule.c1 * height)
        passed, chosen = _test_parts(rule, number, keys, height, rule.s * units, least, words, pos)
        for at in range(passed + chosen):
            row = at if at < chosen else keys.shape[0] - 1 - (at - chosen)
            _accept(nodes, partition, slot, keys[row, EMPTIES], keys, stack, output, state, units)


@kernel
def diff_part(run: Run, limit: int) -> int:
    """Publish itemsets of all sizes up to the rule's; return why it stopped."""
    stack, state, partition, pos = run.stack, run.state, run.partition, run.pos
    while state[TOP] > 0:
        if made(state) > limit:
            return LIMIT
        if not has_room(run.rule, stack, run.output, state):
            return MORE_ROOM
        mark = begin(stack, state, partition, pos)
        top = state[TOP]
        _split_top(run)
        if pos[0] > run.words.size:
            restore(stack, state, partition, pos, top, mark)
            return MORE_WORDS
    return DONE
