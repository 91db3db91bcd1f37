"""All rules that are too sure at once, in an order that only they decide."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.networks.kernels.holders import Incidence, shell_sort
from discreet.networks.kernels.rules import too_sure, with_room

__all__ = ["Rules", "all_too_sure", "shaken", "without_items"]


class Rules(NamedTuple):
    """Rules, each an antecedent and the sensitive item that follows from it."""

    starts: NDArray[np.int64]
    """Where each antecedent begins, and the end of the last."""
    items: NDArray[np.int64]
    """The items of all antecedents."""
    ends: NDArray[np.int64]
    """The sensitive item of each."""


@kernel
def _compared(rules: Rules, one: int, other: int) -> int:
    """Return -1, 0 or 1 as a rule comes before another, equals it or comes after it.

    The first item that differs decides, then the shorter antecedent, then what follows.
    """
    begin, size = rules.starts[one], rules.starts[one + 1] - rules.starts[one]
    against, length = rules.starts[other], rules.starts[other + 1] - rules.starts[other]
    for k in range(min(size, length)):
        if rules.items[begin + k] != rules.items[against + k]:
            return -1 if rules.items[begin + k] < rules.items[against + k] else 1
    if size != length:
        return -1 if size < length else 1
    if rules.ends[one] != rules.ends[other]:
        return -1 if rules.ends[one] < rules.ends[other] else 1
    return 0


@kernel
def _ordered(rules: Rules) -> Rules:
    """Return each rule once, in their order."""
    count = len(rules.ends)
    order = np.arange(count)
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(gap, count):
            x, b = order[a], a
            while b >= gap and _compared(rules, order[b - gap], x) > 0:
                order[b] = order[b - gap]
                b -= gap
            order[b] = x
        gap //= 3
    starts = np.zeros(count + 1, dtype=np.int64)
    items, ends = np.empty_like(rules.items), np.empty_like(rules.ends)
    written = 0
    for a in range(count):
        rule = order[a]
        if a == 0 or _compared(rules, order[a - 1], rule) != 0:
            begin, size = rules.starts[rule], rules.starts[rule + 1] - rules.starts[rule]
            for k in range(size):
                items[starts[written] + k] = rules.items[begin + k]
            ends[written] = rules.ends[rule]
            starts[written + 1] = starts[written] + size
            written += 1
    return Rules(starts[: written + 1], items[: starts[written]], ends[:written])


@kernel
def all_too_sure(
    held: Incidence,
    secrets: NDArray[np.int64],
    usable: NDArray[np.bool_],
    bound: NDArray[np.int64],
    limit: int,
) -> tuple[NDArray[np.bool_], Rules]:
    """Return for each of the secrets whether it was left untried, and rules that break the bound.

    Each rule once and in an order of their content; of each secret as ``too_sure`` lists them.
    """
    untried = np.zeros(len(secrets), dtype=np.bool_)
    starts, ends = np.zeros(64, dtype=np.int64), np.empty(64, dtype=np.int64)
    items = np.empty(256, dtype=np.int64)
    count = 0
    for number in range(len(secrets)):
        complete, begins, known = too_sure(held, secrets[number], -1, usable, bound, limit)
        more = len(begins) - 1
        untried[number] = not complete and more == 0
        starts = with_room(starts, count + 1, more)
        ends = with_room(ends, count, more)
        items = with_room(items, starts[count], len(known))
        first = starts[count]
        for k in range(len(known)):
            items[first + k] = known[k]
        for rule in range(more):
            ends[count + rule] = secrets[number]
            starts[count + rule + 1] = first + begins[rule + 1]
            shell_sort(items, starts[count + rule], starts[count + rule + 1])
        count += more
    return untried, _ordered(Rules(starts[: count + 1], items[: starts[count]], ends[:count]))


@kernel
def without_items(rules: Rules, gone: NDArray[np.bool_]) -> Rules:
    """Return the rules that begin with none of the items that are marked."""
    starts = np.zeros_like(rules.starts)
    items, ends = np.empty_like(rules.items), np.empty_like(rules.ends)
    written = 0
    for rule in range(len(rules.ends)):
        stays, at = True, starts[written]
        for k in range(rules.starts[rule], rules.starts[rule + 1]):
            stays = stays and not gone[rules.items[k]]
            items[at] = rules.items[k]
            at += 1
        if stays:
            ends[written] = rules.ends[rule]
            written += 1
            starts[written] = at
    return Rules(starts[: written + 1], items[: starts[written]], ends[:written])


@kernel
def shaken(
    held: Incidence,
    secret: NDArray[np.bool_],
    counts: NDArray[np.int64],
    gone: NDArray[np.int64],
    mended: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the sensitive items whose rules may have become surer, and those that were mended.

    A rule gets surer only when an item of its antecedent goes, so some record holds that item
    beside the sensitive one. Only items that some record still holds, by their ``counts``.
    """
    bits = held.bits
    near = np.zeros(bits.shape[1], dtype=np.uint64)
    seen = np.zeros(len(secret), dtype=np.bool_)
    for item in gone:
        if not seen[item]:
            seen[item] = True
            for word in range(len(near)):
                near[word] |= bits[item, word]
    again = np.zeros(len(secret), dtype=np.bool_)
    for item in mended:
        again[item] = True
    for item in range(len(secret)):
        if secret[item] and counts[item] > 0:
            for word in range(len(near)):
                if again[item] or bits[item, word] & near[word]:
                    again[item] = True
                    break
        else:
            again[item] = False
    return np.flatnonzero(again)
