"""DiffPart (Chen et al. 2011): itemsets of all sizes up to a public cap."""

from discreet.compiled import kernel
from discreet.engine.kernels.noise import binomial_tail, discrete_laplace, geometric_exp
from discreet.engine.kernels.partition import (
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
    Run,
    begin,
    choose,
    exact_par,
    has_room,
    highest,
    made,
    measure_keys,
    publish,
    push,
    restore,
    split,
    threshold,
    visit,
)

__all__ = ["diff_part"]


@kernel
def _keep(run: Run, place: int, key: int, noisy: int, units: int) -> None:
    """Publish a leaf with its count; queue any other part with the budget that is left."""
    nodes, part = run.tree.nodes, run.part
    if run.keys[key, TALL] > 0:
        push(nodes, part, place, key, run.keys, run.stack, run.state)
    else:
        publish(nodes, part, place, key, run.output, run.state, noisy, units)


@kernel
def _test_height(run: Run, place: int, height: int) -> None:
    """Test the parts of one height: they share threshold and budget, so empties go together."""
    rule, keys, part = run.rule, run.keys, run.part
    units = rule.half + part[BUDGET] if height == 0 else part[ALPHA]
    s = rule.s * units
    least = threshold(rule, units, rule.c2 if height == 0 else rule.c1 * height)
    found = 0
    for key in range(1, 1 << run.tree.nodes[part[CUT + place], FAN]):
        if keys[key, TALL] != height or keys[key, NODES] > rule.size:
            continue
        if keys[key, ROWS] == 0:
            keys[found, EMPTIES] = key
            found += 1
            continue
        noisy = keys[key, MASS] + discrete_laplace(s, rule.t, run.words, run.pos)
        if noisy >= least:
            _keep(run, place, key, noisy, units)
    chosen = binomial_tail(found, least, s, rule.t, run.words, run.pos)
    choose(keys, found, chosen, run.words, run.pos)
    for at in range(chosen):
        # a discrete Laplace draw known to be at least `least` exceeds it geometrically
        noisy = least + geometric_exp(s, rule.t, run.words, run.pos) if height == 0 else 0
        _keep(run, place, keys[at, EMPTIES], noisy, units)


@kernel
def _split_top(run: Run) -> None:
    """Split the partition just taken off the stack; leaves are counted with all that is left."""
    part, keys, nodes = run.part, run.keys, run.tree.nodes
    part[ALPHA] = part[BUDGET] // exact_par(run.tree, part, run.rule.size)
    visit(part, run.trace, run.state)
    place = highest(nodes, part)
    split(nodes, run.records, part, part[CUT + place], keys, run.scratch)
    measure_keys(nodes, part, place, keys)
    for height in range(keys[(1 << nodes[part[CUT + place], FAN]) - 1, TALL] + 1):
        _test_height(run, place, height)


@kernel
def diff_part(run: Run, limit: int) -> int:
    """Publish itemsets of all sizes up to the rule's; return why it stopped."""
    stack, state, part, pos = run.stack, run.state, run.part, run.pos
    while state[TOP] > 0:
        if made(state) > limit:
            return LIMIT
        if not has_room(run.rule, stack, run.output, state):
            return MORE_ROOM
        mark = begin(stack, state, part, pos)
        top = state[TOP]
        _split_top(run)
        if pos[0] > run.words.size:
            restore(stack, state, part, pos, top, mark)
            return MORE_WORDS
    return DONE
