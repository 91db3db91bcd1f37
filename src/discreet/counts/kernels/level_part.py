"""LevelPart and LevelSGP (Wang et al. 2022, Algorithms 2 and 3): itemsets of one size."""

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
    HIGH,
    LIMIT,
    LOW,
    MASS,
    MORE_ROOM,
    MORE_WORDS,
    NODES,
    PAR,
    ROWS,
    SPAN,
    TALL,
    TOP,
    WIDTH,
    Rule,
    Run,
    Tree,
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
from discreet.kernels.noise import below, discrete_laplace

__all__ = ["level_part", "printed_par"]

ATTEMPTS = 20
"""The printed empty-partition loop runs ``2**items`` times; here at most ``2**20`` times."""


@kernel
def printed_par(items: int, fan_out: int, size: int) -> int:
    """Return Theorem 3 of Wang et al. 2022 as printed, times ``fan_out - 1`` to keep it whole.

    It is too small unless the tree is perfect.
    """
    if size <= 0:
        return 0
    total = items - 1
    power = fan_out
    while power * size <= items:
        total += (fan_out - 1) * (size - -(-items // power))
        power *= fan_out
    return total


@kernel
def _equation_1(tree: Tree, rule: Rule, partition: NDArray[np.int64]) -> int:
    """Return Par by Equation 1 as printed, times ``fan_out - 1``."""
    inner = node = 0
    for slot in range(partition[WIDTH]):
        if tree.nodes[partition[CUT + slot], FAN] > 0:
            inner += 1
            node = partition[CUT + slot]
    if inner > 1:
        return int(partition[PAR]) - (rule.fan_out - 1)
    items = tree.nodes[node, HIGH] - tree.nodes[node, LOW]
    return printed_par(items, rule.fan_out, rule.size - partition[WIDTH] + 1)


@kernel
def _share(tree: Tree, rule: Rule, partition: NDArray[np.int64]) -> None:
    """Write the budget of the next split: what is left, shared among the splits that may come."""
    if rule.printed_par:
        par = _equation_1(tree, rule, partition)
        partition[PAR] = par
        partition[ALPHA] = partition[BUDGET] * (rule.fan_out - 1) // par if par > 0 else 0
    else:
        partition[ALPHA] = partition[BUDGET] // exact_par(tree, partition, rule.size)


@kernel
def _printed_empties(
    keys: NDArray[np.int64],
    n_empty: int,
    picks: int,
    words: NDArray[np.uint64],
    pos: NDArray[np.int64],
) -> int:
    """Bring to the front the empties that the printed loop picks, uniformly with replacement."""
    if picks > 64 * n_empty:
        return n_empty
    chosen = 0
    for _ in range(picks):
        at = below(n_empty, words, pos)
        if at >= chosen:
            keys[at, EMPTIES], keys[chosen, EMPTIES] = keys[chosen, EMPTIES], keys[at, EMPTIES]
            chosen += 1
    return chosen


@kernel
def _test_parts(
    rule: Rule,
    number: int,
    keys: NDArray[np.int64],
    s: int,
    least: int,
    words: NDArray[np.uint64],
    pos: NDArray[np.int64],
) -> tuple[int, int]:
    """Test each legal part that holds records; list those that pass, and the empty ones.

    Those that pass are listed from the end of the column, the empty ones from its beginning.
    """
    passed = n_empty = 0
    for key in range(1, number):
        legal = keys[key, NODES] <= rule.size <= keys[key, SPAN]
        if keys[key, ROWS] == 0 and (legal or rule.printed_empties):
            keys[n_empty, EMPTIES] = key
            n_empty += 1
        elif legal and keys[key, MASS] + discrete_laplace(s, rule.t, words, pos) >= least:
            passed += 1
            keys[keys.shape[0] - passed, EMPTIES] = key
    return passed, n_empty


@kernel
def _choose_empties(
    rule: Rule,
    items: int,
    keys: NDArray[np.int64],
    n_empty: int,
    s: int,
    least: int,
    words: NDArray[np.uint64],
    pos: NDArray[np.int64],
) -> int:
    """Bring the empty parts that pass to the front: each is tested once, or as printed."""
    tests = 1 << min(ATTEMPTS, items) if rule.printed_empties else n_empty
    chosen = binomial_tail(tests, least, s, rule.t, words, pos)
    if rule.printed_empties:
        return _printed_empties(keys, n_empty, chosen, words, pos)
    choose(keys, n_empty, chosen, words, pos)
    return chosen


@kernel
def _accept(
    rule: Rule,
    nodes: NDArray[np.int64],
    partition: NDArray[np.int64],
    slot: int,
    key: int,
    keys: NDArray[np.int64],
    stack: NDArray[np.int64],
    output: NDArray[np.int64],
    state: NDArray[np.int64],
    words: NDArray[np.uint64],
    pos: NDArray[np.int64],
) -> None:
    """Queue a part that passed; a leaf gets its noisy count and a second test."""
    if not keys[key, NODES] <= rule.size <= keys[key, SPAN]:
        return
    if keys[key, TALL] > 0:
        push(nodes, partition, slot, key, keys, stack, state)
        return
    budget = rule.half + partition[BUDGET] - partition[ALPHA]
    if budget <= 0:
        return
    noisy = keys[key, MASS] + discrete_laplace(rule.s * budget, rule.t, words, pos)
    if noisy >= threshold(rule, budget, rule.c2):
        publish(nodes, partition, slot, key, output, state, noisy, budget)


@kernel
def level_part(run: Run, limit: int) -> int:
    """Publish itemsets of one size; return why it stopped, with the state to go on from.

    Each round is one LevelSGP: the partition on top is split and its parts are tested. All of it
    stands in one loop, because a call would pay for every array of the run.
    """
    tree, rule, records, stack, output, trace, state, partition, keys, scratch, words, pos = run
    nodes = tree.nodes
    while state[TOP] > 0:
        if made(state) > limit:
            return LIMIT
        if not has_room(rule, stack, output, state):
            return MORE_ROOM
        mark = begin(stack, state, partition, pos)
        top = state[TOP]
        _share(tree, rule, partition)
        visit(partition, trace, state)
        if partition[ALPHA] <= 0:
            continue
        slot = split(nodes, records, partition, keys, scratch)
        number = 1 << nodes[partition[CUT + slot], FAN]
        s = rule.s * partition[ALPHA]
        least = threshold(rule, partition[ALPHA], rule.c1)
        passed, n_empty = _test_parts(rule, number, keys, s, least, words, pos)
        for at in range(keys.shape[0] - passed, keys.shape[0]):
            key = keys[at, EMPTIES]
            _accept(rule, nodes, partition, slot, key, keys, stack, output, state, words, pos)
        # all children together hold all items of the cut
        items = keys[number - 1, SPAN]
        chosen = _choose_empties(rule, items, keys, n_empty, s, least, words, pos)
        for at in range(chosen):
            key = keys[at, EMPTIES]
            _accept(rule, nodes, partition, slot, key, keys, stack, output, state, words, pos)
        if pos[0] > words.size:
            restore(stack, state, partition, pos, top, mark)
            return MORE_WORDS
    return DONE
