"""Deleted occurrences put back where they may be, by a search for what would be too sure then."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones
from discreet.networks.kernels.holders import Incidence, broken, holds, holds_all, put_in, take_out
from discreet.networks.kernels.pruning import GONE, Pruned, returned_are, secrets_first
from discreet.networks.kernels.rules import too_sure, with_room

__all__ = ["put_back", "returned"]

MEMORY = 256
"""How many of the rules met last are tried before any other."""


class _Met(NamedTuple):
    """Rules that kept an occurrence out, and mostly keep out others too."""

    starts: NDArray[np.int64]
    """Where each rule begins, and the end of the last."""
    items: NDArray[np.int64]
    """The items of all rules, of each its sensitive item first."""
    number: int
    """How many there are."""


@kernel
def _with_rule(met: _Met, s: int, known: NDArray[np.int64]) -> _Met:
    """Return the rules with one more, from the known items to ``s``."""
    begin = met.starts[met.number]
    starts = with_room(met.starts, met.number + 1, 1)
    items = with_room(met.items, begin, len(known) + 1)
    items[begin] = s
    for k in range(len(known)):
        items[begin + 1 + k] = known[k]
    starts[met.number + 1] = begin + 1 + len(known)
    return _Met(starts, items, met.number + 1)


@kernel
def _still_sure(index: Incidence, rule: NDArray[np.int64], bound: NDArray[np.int64]) -> bool:
    """Whether the first item of a rule follows too surely from the others."""
    bits, s = index.bits, rule[0]
    with_it, without = 0, 0
    for word in range(bits.shape[1]):
        fitting = ~np.uint64(0)
        for k in range(1, len(rule)):
            fitting &= bits[rule[k], word]
        with_it += ones(fitting & bits[s, word])
        without += ones(fitting & ~bits[s, word])
    if len(rule) == 1:
        # beyond the last record no bit stands for anybody
        without = len(index.offsets) - 1 - with_it
    return broken(with_it, without, bound)


@kernel
def _remembered(index: Incidence, r: int, item: int, met: _Met, bound: NDArray[np.int64]) -> int:
    """Return a rule met lately that is too sure and that the record fits, with the item in it.

    Returns -1 if there is none.
    """
    for m in range(max(met.number - MEMORY, 0), met.number):
        rule = met.items[met.starts[m] : met.starts[m + 1]]
        for k in range(len(rule)):
            if rule[k] == item:
                if holds_all(index.bits, rule, r) and _still_sure(index, rule, bound):
                    return m
                break
    return -1


@kernel
def _discovered(
    pruned: Pruned,
    r: int,
    item: int,
    mine: NDArray[np.bool_],
    met: _Met,
    bound: NDArray[np.int64],
) -> tuple[bool, _Met]:
    """Return whether any rule is too sure that the record fits, with the item in it.

    The first that is found is met. A search that was not finished counts as one that found a rule.
    ``mine`` has room for a mark on each item of the record that may be known.
    """
    index = pruned.held
    of_record = index.items[index.offsets[r] : index.offsets[r + 1]]
    for i in of_record:
        mine[i] = pruned.usable[i] and holds(index.bits, i, r)
    found = False
    for s in of_record:
        if pruned.secret[s] and (s == item or mine[item]) and holds(index.bits, s, r):
            must = -1 if s == item else item
            complete, starts, known = too_sure(index, s, must, mine, bound, 1)
            if len(starts) > 1:
                met = _with_rule(met, s, known)
            if not complete or len(starts) > 1:
                found = True
                break
    for i in of_record:
        mine[i] = False
    return found, met


class _Watch(NamedTuple):
    """Why each occurrence that is gone was kept out when it was looked at last."""

    culprit: NDArray[np.int64]
    """The rule that it would have made too sure; -1: none is known."""
    looked: NDArray[np.int64]
    """How many occurrences had come back by then."""
    came: NDArray[np.int64]
    """How many occurrences had come back when the last one of each item did."""


@kernel
def _unmoved(met: _Met, watch: _Watch, g: int) -> bool:
    """Whether nothing came back of what an occurrence's culprit begins with: it is no less sure."""
    rule = watch.culprit[g]
    if rule < 0:
        return False
    for k in range(met.starts[rule] + 1, met.starts[rule + 1]):
        if watch.came[met.items[k]] > watch.looked[g]:
            return False
    return True


@kernel
def _kept_out(
    pruned: Pruned,
    g: int,
    mine: NDArray[np.bool_],
    met: _Met,
    watch: _Watch,
    bound: NDArray[np.int64],
) -> tuple[bool, _Met]:
    """Return whether an occurrence that was just put back makes a rule too sure.

    First the rule is tried that kept it out before, then what kept out others, then all.
    """
    r, item, rule = pruned.rows[g], pruned.items[g], watch.culprit[g]
    if rule >= 0:
        known = met.items[met.starts[rule] : met.starts[rule + 1]]
        if _still_sure(pruned.held, known, bound):
            return True, met
    rule = _remembered(pruned.held, r, item, met, bound)
    out, before = rule >= 0, met.number
    if not out:
        out, met = _discovered(pruned, r, item, mine, met, bound)
        rule = before if met.number > before else -1
    watch.culprit[g] = rule
    return out, met


@kernel
def returned(pruned: Pruned, bound: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Put what is gone back where that makes no rule too sure, and tell which.

    Only rules that the record itself fits, with the item among them, get surer. Goes round until
    nothing can be put back: what comes back makes some rules less sure.
    """
    bits, gone, n_items = pruned.held.bits, pruned.totals[GONE], len(pruned.secret)
    back, mine = np.zeros(gone, dtype=np.bool_), np.zeros(n_items, dtype=np.bool_)
    met = _Met(np.zeros(64, dtype=np.int64), np.empty(256, dtype=np.int64), 0)
    watch = _Watch(
        np.full(gone, -1), np.zeros(gone, dtype=np.int64), np.zeros(n_items, dtype=np.int64)
    )
    clock, moved = 0, True
    while moved:
        moved = False
        for g in range(gone):
            if back[g] or _unmoved(met, watch, g):
                continue
            r, item = pruned.rows[g], pruned.items[g]
            put_in(bits, item, r)
            watch.looked[g] = clock
            out, met = _kept_out(pruned, g, mine, met, watch, bound)
            if out:
                take_out(bits, item, r)
            else:
                clock += 1
                watch.came[item] = clock
                back[g] = moved = True
    return back


@kernel
def put_back(pruned: Pruned, bound: NDArray[np.int64]) -> None:
    """Put every deleted occurrence back that can be; sensitive ones first, then the others."""
    secrets_first(pruned)
    returned_are(pruned, returned(pruned, bound))
