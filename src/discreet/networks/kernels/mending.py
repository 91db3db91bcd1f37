"""Single occurrences deleted until rules are no longer too sure, and put back where they may be."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones
from discreet.networks.kernels.holders import (
    Incidence,
    broken,
    harmless,
    holds,
    holds_all,
    put_in,
    rarest,
    shell_sort,
    take_out,
)
from discreet.networks.kernels.rule_lists import Rules
from discreet.networks.kernels.rules import too_sure

MEMORY = 256
"""Rules that putting back remembers."""


@kernel
def _fitting(
    index: Incidence, rules: Rules, rule: int, most: int, rows: NDArray[np.int64]
) -> tuple[int, int]:
    """Write the records that hold all of a rule; return how many, and others with its antecedent.

    Counts no more of these others than one more than ``most``.
    """
    low, high, s = rules.starts[rule], rules.starts[rule + 1], rules.ends[rule]
    ends, bits = index.ends, index.bits
    known = rules.items[low:high]
    # nothing known is known of everybody: then the records with the sensitive item are enough
    base = rarest(ends, known) if len(known) else s
    matches, others = 0, 0
    for e in range(ends[base], ends[base + 1]):
        r = index.rows[e]
        if holds_all(bits, known, r):
            if holds(bits, s, r):
                rows[matches] = r
                matches += 1
            elif len(known):
                others += 1
                if others > most:
                    break
    if not len(known):
        others = len(index.offsets) - 1 - matches
    return matches, others


@kernel
def counted(index: Incidence, rules: Rules) -> NDArray[np.float64]:
    """Return the confidence of each rule."""
    n_records = len(index.offsets) - 1
    rows = np.empty(n_records, dtype=np.int64)
    sure = np.empty(len(rules.ends), dtype=np.float64)
    for rule in range(len(rules.ends)):
        matches, others = _fitting(index, rules, rule, n_records, rows)
        sure[rule] = matches / (matches + others)
    return sure


@kernel
def _needed(matches: int, others: int, bound: NDArray[np.int64], slope: int) -> int:
    """Return how many of the matching records must lose an item.

    The ``slope`` says how much one of them helps: rho's denominator if it loses the sensitive
    item, that less the numerator if a known one.
    """
    if slope == 0:
        return matches
    excess = matches * bound[1] - bound[0] * (matches + others)
    up = excess // slope + 1 if bound[2] else -(-excess // slope)
    return int(min(max(up, 1), matches))


@kernel
def _cheapest(
    rules: Rules,
    rule: int,
    fitting: tuple[int, int],
    bound: NDArray[np.int64],
    often: NDArray[np.int64],
    hit: NDArray[np.int64],
) -> tuple[int, int]:
    """Return the item of a rule that is to go, and from how many of the records that fit it."""
    matches, others = fitting
    s = rules.ends[rule]
    item, share = s, 1
    need = _needed(matches, others, bound, bound[1])
    if hit[s]:
        share = often[s] * hit[s]
    wants = _needed(matches, others, bound, bound[1] - bound[0])
    for k in range(rules.starts[rule], rules.starts[rule + 1]):
        i = rules.items[k]
        per = often[i] * hit[i] if hit[i] else 1
        left, right = wants * share, need * per
        # of equal ones not the sensitive item, then the lower
        if left < right or (left == right and (item == s or i < item)):
            item, share, need = i, per, wants
    return item, need


@kernel
def mended(
    index: Incidence,
    rules: Rules,
    order: NDArray[np.int64],
    bound: NDArray[np.int64],
    prices: NDArray[np.int64],
    state: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Mend the rules in order, each if it is still broken when its turn comes.

    The item of it with the fewest deletions for its ``hit`` times its occurrences (just the fewest
    where all ``hit`` are 0) goes from as many of the records that hold all of the rule as needed,
    the longest first. ``prices`` holds what an occurrence of each item costs and, at the end, what
    may be spent (-1: anything); ``state`` the size of each record, the number of each item's
    occurrences everywhere, and its ``hit``. Returns what was spent, and the records and items of
    what was deleted.
    """
    sizes, often, hit = state
    n_items = len(index.blank)
    rows = np.empty(len(sizes), dtype=np.int64)
    keys = np.empty(len(sizes), dtype=np.int64)
    gone_rows = np.empty(len(index.items), dtype=np.int64)
    gone_items = np.empty(len(index.items), dtype=np.int64)
    gone, spent, budget = 0, 0, prices[n_items]
    for rule in order:
        s = rules.ends[rule]
        most = harmless(index.ends[s + 1] - index.ends[s], bound)
        matches, others = _fitting(index, rules, rule, most, rows)
        if others <= most and broken(matches, others, bound):
            item, need = _cheapest(rules, rule, (matches, others), bound, often, hit)
            for k in range(matches):
                keys[k] = (n_items - sizes[rows[k]]) * len(sizes) + k
            shell_sort(keys, 0, matches)
            for k in range(need):
                r = rows[keys[k] % len(sizes)]
                take_out(index.bits, item, r)
                sizes[r] -= 1
                often[item] -= 1
                gone_rows[gone], gone_items[gone] = r, item
                gone += 1
                spent += prices[item]
        if 0 <= budget < spent:
            break
    return spent, gone_rows[:gone], gone_items[:gone]


@kernel
def _still_sure(
    index: Incidence, s: int, known: NDArray[np.int64], bound: NDArray[np.int64]
) -> bool:
    """Whether item ``s`` follows too surely from the known items."""
    bits = index.bits
    with_it, without = 0, 0
    for word in range(bits.shape[1]):
        fitting = ~np.uint64(0)
        for k in range(len(known)):
            fitting &= bits[known[k], word]
        with_it += ones(fitting & bits[s, word])
        without += ones(fitting & ~bits[s, word])
    if len(known) == 0:
        # beyond the last record no bit stands for anybody
        without = len(index.offsets) - 1 - with_it
    return broken(with_it, without, bound)


class _Memory(NamedTuple):
    """Rules that kept an occurrence out, and mostly keep out others too."""

    rules: NDArray[np.int64]
    """In each row a rule, its sensitive item first."""
    sizes: NDArray[np.int64]
    """How long each is."""
    learnt: NDArray[np.int64]
    """How many were ever learnt; the last of them are remembered."""


@kernel
def _remembered(
    index: Incidence, r: int, item: int, memory: _Memory, bound: NDArray[np.int64]
) -> bool:
    """Whether a rule of the memory is too sure that the record fits, with the item in it."""
    for m in range(min(memory.learnt[0], MEMORY)):
        rule = memory.rules[m, : memory.sizes[m]]
        for k in range(len(rule)):
            if rule[k] == item:
                if holds_all(index.bits, rule, r) and _still_sure(index, rule[0], rule[1:], bound):
                    return True
                break
    return False


@kernel
def _discovered(
    index: Incidence,
    r: int,
    item: int,
    secret: NDArray[np.bool_],
    mine: NDArray[np.bool_],
    memory: _Memory,
    bound: NDArray[np.int64],
) -> bool:
    """Whether any rule is too sure that the record fits, with the item in it; learn the first.

    A search that was not finished counts as one that found such a rule.
    """
    for e in range(index.offsets[r], index.offsets[r + 1]):
        s = index.items[e]
        if secret[s] and (s == item or mine[item]) and holds(index.bits, s, r):
            must = -1 if s == item else item
            complete, starts, antecedents = too_sure(index, s, must, mine, bound, 1)
            if len(starts) > 1:
                slot = memory.learnt[0] % MEMORY
                memory.rules[slot, 0], memory.sizes[slot] = s, 1 + starts[1]
                for k in range(starts[1]):
                    memory.rules[slot, 1 + k] = antecedents[k]
                memory.learnt[0] += 1
            if not complete or len(starts) > 1:
                return True
    return False


@kernel
def returned(
    index: Incidence,
    gone: tuple[NDArray[np.int64], NDArray[np.int64]],
    secret: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    bound: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Put each occurrence back that makes no rule too sure, and tell which.

    Only rules that the record itself fits, with the item among them, get surer. What kept one
    occurrence out is tried before all antecedents are.
    """
    rows, items = gone
    back = np.zeros(len(rows), dtype=np.bool_)
    mine = np.zeros(len(secret), dtype=np.bool_)
    longest = 1
    for r in range(len(index.offsets) - 1):
        longest = max(longest, index.offsets[r + 1] - index.offsets[r])
    memory = _Memory(
        np.zeros((MEMORY, longest + 1), dtype=np.int64),
        np.zeros(MEMORY, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    for g in range(len(rows)):
        r, item = rows[g], items[g]
        put_in(index.bits, item, r)
        fine = not _remembered(index, r, item, memory, bound)
        if fine:
            of_record = index.items[index.offsets[r] : index.offsets[r + 1]]
            for i in of_record:
                mine[i] = usable[i] and holds(index.bits, i, r)
            fine = not _discovered(index, r, item, secret, mine, memory, bound)
            mine[of_record] = False
        back[g] = fine
        if fine:
            sizes[r] += 1
        else:
            take_out(index.bits, item, r)
    return back
