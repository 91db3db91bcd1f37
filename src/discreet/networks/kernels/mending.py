"""Single occurrences deleted until rules are no longer too sure."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.holders import (
    Incidence,
    broken,
    harmless,
    holds,
    holds_all,
    rarest,
    shell_sort,
)
from discreet.networks.kernels.pruning import GONE, LOST, SPENT, Pruned, clear_all, delete
from discreet.networks.kernels.rule_lists import Rules, all_too_sure, shaken, without_items

__all__ = ["suppressed"]


@kernel
def _fitting(
    index: Incidence, rules: Rules, rule: int, most: int, rows: NDArray[np.int64]
) -> tuple[int, int]:
    """Write the records that hold all of a rule; return how many, and others with its antecedent.

    Counts no more of these others than one more than ``most``.
    """
    low, high, s = rules.starts[rule], rules.starts[rule + 1], rules.ends[rule]
    ends, bits, holders = index.ends, index.bits, index.rows
    known = rules.items[low:high]
    # nothing known is known of everybody: then the records with the sensitive item are enough
    base = rarest(ends, known) if len(known) else s
    matches, others = 0, 0
    for e in range(ends[base], ends[base + 1]):
        r = holders[e]
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
def _surest_first(index: Incidence, rules: Rules) -> NDArray[np.int64]:
    """Return the rules in the order in which they are mended.

    The surest comes first, of equally sure ones the one that needs less, then the earlier.
    """
    n_records, count = len(index.offsets) - 1, len(rules.ends)
    rows = np.empty(n_records, dtype=np.int64)
    sure, order = np.empty(count, dtype=np.float64), np.arange(count)
    for rule in range(count):
        matches, others = _fitting(index, rules, rule, n_records, rows)
        sure[rule] = matches / (matches + others)
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(gap, count):
            x, b = order[a], a
            while b >= gap and _sooner(rules, sure, x, order[b - gap]):
                order[b] = order[b - gap]
                b -= gap
            order[b] = x
        gap //= 3
    return order


@kernel
def _sooner(rules: Rules, sure: NDArray[np.float64], one: int, other: int) -> bool:
    """Whether a rule is mended before another."""
    if sure[one] != sure[other]:
        return bool(sure[one] > sure[other])
    size = rules.starts[one + 1] - rules.starts[one]
    length = rules.starts[other + 1] - rules.starts[other]
    return bool(size < length or (size == length and one < other))


@kernel
def _worth(pruned: Pruned, item: int, hit: NDArray[np.int64]) -> int:
    """Return by what the deletions of an item are divided when items are compared."""
    often = pruned.counts[item] + pruned.elsewhere[item]
    return int(often * hit[item] if hit[item] else 1)


@kernel
def _cheapest(
    pruned: Pruned,
    rules: Rules,
    rule: int,
    fitting: tuple[int, int],
    bound: NDArray[np.int64],
    hit: NDArray[np.int64],
) -> tuple[int, int]:
    """Return the item of a rule that is to go, and from how many of the records that fit it.

    The one with the fewest deletions for its ``hit`` times its occurrences everywhere; just the
    fewest where all ``hit`` are 0.
    """
    matches, others = fitting
    s = rules.ends[rule]
    item, share = s, _worth(pruned, s, hit)
    need = _needed(matches, others, bound, bound[1])
    wants = _needed(matches, others, bound, bound[1] - bound[0])
    for k in range(rules.starts[rule], rules.starts[rule + 1]):
        i = rules.items[k]
        per = _worth(pruned, i, hit)
        left, right = wants * share, need * per
        # of equal ones not the sensitive item, then the lower
        if left < right or (left == right and (item == s or i < item)):
            item, share, need = i, per, wants
    return item, need


@kernel
def _hits(rules: Rules, n_items: int) -> NDArray[np.int64]:
    """Return in how many rules each item stands."""
    hit = np.zeros(n_items, dtype=np.int64)
    for item in rules.items:
        hit[item] += 1
    for item in rules.ends:
        hit[item] += 1
    return hit


@kernel
def _mended(
    pruned: Pruned,
    rules: Rules,
    hit: NDArray[np.int64],
    bound: NDArray[np.int64],
    allowed: tuple[int, int],
) -> bool:
    """Mend each rule that is still broken when its turn comes; False as soon as too much is gone.

    The cheapest of its items goes from as many of the records that hold all of the rule as needed,
    the longest first.
    """
    index, sizes, totals = pruned.held, pruned.sizes, pruned.totals
    n_records, n_items = len(sizes), len(pruned.secret)
    rows, keys = np.empty(n_records, dtype=np.int64), np.empty(n_records, dtype=np.int64)
    for rule in _surest_first(index, rules):
        s = rules.ends[rule]
        most = harmless(index.ends[s + 1] - index.ends[s], bound)
        matches, others = _fitting(index, rules, rule, most, rows)
        if others <= most and broken(matches, others, bound):
            item, need = _cheapest(pruned, rules, rule, (matches, others), bound, hit)
            for k in range(matches):
                keys[k] = (n_items - sizes[rows[k]]) * n_records + k
            shell_sort(keys, 0, matches)
            for k in range(need):
                delete(pruned, rows[keys[k] % n_records], item)
        if 0 <= allowed[0] < totals[LOST] or 0 <= allowed[1] < totals[SPENT]:
            return False
    return True


@kernel
def suppressed(
    pruned: Pruned,
    bound: NDArray[np.int64],
    allowed: tuple[int, int],
    listed: int,
    sparing_rare: bool,
) -> bool:
    """Delete occurrences until nothing follows too surely; False as soon as too much is gone.

    ``allowed`` are the sensitive occurrences that may go, and what all that goes may cost (-1:
    anything); up to so many rules are ``listed`` for an item at once. Items with too many
    antecedents to try them all go as a whole, and the rules that begin with one of them with it.
    """
    todo = np.flatnonzero(pruned.secret & (pruned.counts > 0))
    while len(todo):
        before = pruned.totals[GONE]
        untried, rules = all_too_sure(pruned.held, todo, pruned.usable, bound, listed)
        again = rules.ends
        if untried.any():
            clear_all(pruned, todo[untried])
            cleared = np.zeros(len(pruned.secret), dtype=np.bool_)
            cleared[todo[untried]] = True
            rules = without_items(rules, cleared)
        hit = np.zeros_like(pruned.counts)
        if sparing_rare:
            hit = _hits(rules, len(hit))
        if len(rules.ends) and not _mended(pruned, rules, hit, bound, allowed):
            return False
        if 0 <= allowed[0] < pruned.totals[LOST]:
            return False
        gone = pruned.items[before : pruned.totals[GONE]]
        todo = shaken(pruned.held, pruned.secret, pruned.counts, gone, again)
    return True
