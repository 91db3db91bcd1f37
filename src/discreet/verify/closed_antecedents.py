"""Every antecedent that could break a bound on confidence, met once, in compiled code.

This kernel is the verifier's own: it shares nothing with the machines of the publishers (see
docs/decisions/0007-a-kernel-in-the-verifier.md), and the tests hold it against brute force.

For a consequent ``s`` take the records that hold it, the positives. Of all antecedents with the
same positives the largest, which is the intersection of these records, has the fewest records
without ``s``, so it has the highest confidence: looking at these intersections is looking at all.
They are met by closing one by one (Kuznetsov 1993), each exactly once.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.verify.positives import Held, held_by_positives, holds_bit, items_of, ones

__all__ = ["CAPPED", "HOLDS", "VIOLATED", "search"]

HOLDS, VIOLATED, CAPPED = 0, 1, 2

# what is known of a level of the search: where its items, their masks and its negatives begin and
# how many there are, the words of a mask, the items of its antecedent, and whose turn it is
AT, MANY, MASKS, WIDE, NEGATIVES, LEFT, KNOWN, TURN = range(8)

_ONE = np.uint64(1)


@kernel
def _breaks(bound: NDArray[np.int64], positives: int, negatives: int) -> bool:
    """Tell whether so many with the consequent, of all with the antecedent, are too many."""
    sure, most = positives * bound[1], bound[0] * (positives + negatives)
    return bool(sure > most or (bound[2] and sure == most))


@kernel
def _alone(bits: NDArray[np.uint64], s: int, held: Held, bound: NDArray[np.int64]) -> int:
    """Return a positive that breaks the bound by all it holds, or -1.

    The antecedents of one positive are parts of it.
    """
    n_words = bits.shape[1]
    common = np.empty(n_words, dtype=np.uint64)
    for p in range(held.positives):
        for w in range(n_words):
            common[w] = ~bits[s, w]
        size = 0
        left = 1
        for k in range(len(held.items)):
            if left and holds_bit(held.masks[k], p):
                left = 0
                for w in range(n_words):
                    common[w] &= bits[held.items[k], w]
                    left |= common[w] != 0
                size += 1
        without = 0
        if left and size:
            for w in range(n_words):
                without += ones(common[w])
        # an empty one is left to the root, which knows how many records there really are
        if size and _breaks(bound, 1, without):
            return p
    return -1


@kernel
def _negatives_of(
    bits: NDArray[np.uint64], s: int, known: NDArray[np.int64], records: int
) -> tuple[NDArray[np.int64], int]:
    """Return room for negatives that begins with those that hold ``known``, and how many do."""
    found = np.empty(4 * records + 64, dtype=np.int64)
    kept = 0
    for r in range(records):
        fits = not holds_bit(bits[s], r)
        k = 0
        while fits and k < len(known):
            fits = holds_bit(bits[known[k]], r)
            k += 1
        if fits:
            found[kept] = r
            kept += 1
    return found, kept


@kernel
def _is_fresh(masks: NDArray[np.uint64], begin: int, wide: int, j: int) -> bool:
    """Tell whether no item before ``j`` belongs to the closure: only then it is canonical."""
    mine = begin + j * wide
    for i in range(j):
        theirs = begin + i * wide
        inside = True
        for w in range(wide):
            if masks[mine + w] & ~masks[theirs + w]:
                inside = False
                break
        if inside:
            return False
    return True


@kernel
def _close(
    here: NDArray[np.int64],
    j: int,
    items: NDArray[np.int64],
    masks: NDArray[np.uint64],
    chosen: NDArray[np.uint64],
    known: NDArray[np.int64],
) -> tuple[int, int]:
    """Write the closure with item ``j`` and its positives; return how many of both there are."""
    wide, mine = here[WIDE], here[MASKS] + j * here[WIDE]
    size = 0
    for w in range(wide):
        chosen[w] = masks[mine + w]
        size += ones(chosen[w])
    q = here[KNOWN]
    known[q] = items[here[AT] + j]
    q += 1
    for i in range(j + 1, here[MANY]):
        theirs = here[MASKS] + i * wide
        inside = True
        for w in range(wide):
            if chosen[w] & ~masks[theirs + w]:
                inside = False
                break
        if inside:
            known[q] = items[here[AT] + i]
            q += 1
    return size, q


@kernel
def _left_of_all(
    bits: NDArray[np.uint64], s: int, known: NDArray[np.int64], new: int, q: int,
    negatives: NDArray[np.int64], begin: int,
) -> int:  # fmt: skip
    """Write the records without s that hold ``known[:q]``; return how many.

    Of all records most lack the item at ``new``: going through its words is quicker.
    """
    kept = 0
    for word in range(bits.shape[1]):
        rest = bits[known[new], word] & ~bits[s, word]
        while rest:
            r = 64 * word + ones(~rest & (rest - _ONE))
            rest &= rest - _ONE
            bit = np.uint64(r & 63)
            fits = True
            for k in range(q):
                if not (bits[known[k], word] >> bit) & _ONE:
                    fits = False
                    break
            if fits:
                negatives[begin + kept] = r
                kept += 1
    return kept


@kernel
def _left_of(
    bits: NDArray[np.uint64], known: NDArray[np.int64], new: int, q: int,
    negatives: NDArray[np.int64], here: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write behind the negatives of a level those that hold ``known[new:q]``; return how many."""
    begin = here[NEGATIVES] + here[LEFT]
    kept = 0
    for t in range(here[NEGATIVES], begin):
        r = negatives[t]
        word, bit = r >> 6, np.uint64(r & 63)
        fits = True
        for k in range(new, q):
            if not (bits[known[k], word] >> bit) & _ONE:
                fits = False
                break
        if fits:
            negatives[begin + kept] = r
            kept += 1
    return kept


@kernel
def _below(
    here: NDArray[np.int64],
    j: int,
    size: int,
    items: NDArray[np.int64],
    masks: NDArray[np.uint64],
    chosen: NDArray[np.uint64],
) -> tuple[int, int]:
    """Write the level below: items that at least two of the ``size`` positives hold, but not all.

    Return how many there are, and the first behind item ``j``.
    """
    wide, narrow = here[WIDE], (size + 63) // 64
    to_items, to_masks = here[AT] + here[MANY], here[MASKS] + here[MANY] * wide
    count = 0
    first = 0
    for i in range(here[MANY]):
        if i == j:
            first = count
            continue
        mine = here[MASKS] + i * wide
        held = 0
        for w in range(wide):
            held += ones(masks[mine + w] & chosen[w])
        if held < 2 or held == size:
            continue
        to = to_masks + count * narrow
        if narrow == wide:
            for w in range(wide):
                masks[to + w] = masks[mine + w] & chosen[w]
        else:
            for w in range(narrow):
                masks[to + w] = np.uint64(0)
            index = 0
            for w in range(wide):
                rest = chosen[w]
                while rest:
                    lowest = rest & (~rest + _ONE)
                    if masks[mine + w] & lowest:
                        masks[to + (index >> 6)] |= _ONE << np.uint64(index & 63)
                    index += 1
                    rest &= rest - _ONE
        items[to_items + count] = items[here[AT] + i]
        count += 1
    return count, first


@kernel
def _enter(
    below: NDArray[np.int64],
    here: NDArray[np.int64],
    items: tuple[int, int],
    size: int,
    left: int,
    known: int,
) -> None:
    """Say where the level below this one stands: how many items it has and whose turn it is."""
    below[MANY], below[TURN] = items
    below[AT] = here[AT] + here[MANY]
    below[MASKS], below[WIDE] = here[MASKS] + here[MANY] * here[WIDE], (size + 63) // 64
    below[NEGATIVES], below[LEFT] = here[NEGATIVES] + here[LEFT], left
    below[KNOWN] = known


@kernel
def _root(
    held: Held, items: NDArray[np.int64], masks: NDArray[np.uint64], known: NDArray[np.int64]
) -> tuple[int, int]:
    """Write what all positives share, and what some share; return how many items of both."""
    shared, some = 0, 0
    for k in range(len(held.items)):
        if held.support[k] == held.positives:
            known[shared] = held.items[k]
            shared += 1
        elif held.support[k] >= 2:
            items[some] = held.items[k]
            for w in range(held.masks.shape[1]):
                masks[some * held.masks.shape[1] + w] = held.masks[k, w]
            some += 1
    return shared, some


@kernel
def _with_room(numbers: NDArray[Any], used: int, more: int) -> NDArray[Any]:
    """Return numbers with room for some more behind those that are used, longer where needed."""
    if used + more <= numbers.size:
        return numbers
    longer = np.empty(2 * (used + more), dtype=numbers.dtype)
    longer[:used] = numbers[:used]
    return longer


@kernel
def _left(
    bits: NDArray[np.uint64], s: int, known: NDArray[np.int64], q: int,
    negatives: NDArray[np.int64], level: int, here: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write behind the negatives of a level those that hold ``known[:q]``; return how many."""
    if level == 0:
        return _left_of_all(bits, s, known, here[KNOWN], q, negatives, here[NEGATIVES] + here[LEFT])
    return _left_of(bits, known, here[KNOWN], q, negatives, here)


@kernel
def search(
    bits: NDArray[np.uint64],
    s: int,
    usable: NDArray[np.bool_],
    bound: NDArray[np.int64],
    cap: int,
) -> tuple[int, int, NDArray[np.int64]]:
    """Look for an antecedent from which item ``s`` follows with too high a confidence.

    ``bits[i]`` marks the records that hold item ``i``; ``bound`` is numerator and denominator of
    rho, 1 where the bound itself is too high, and the number of records. Returns what was found,
    the number of closed sets met, and for a violation the antecedent.
    """
    nothing = np.empty(0, dtype=np.int64)
    held = held_by_positives(bits, s, usable)
    if held.positives == 0:
        return HOLDS, 0, nothing
    positive = _alone(bits, s, held, bound)
    if positive >= 0:
        return VIOLATED, 1, items_of(held, positive)
    return _closed_search(bits, s, held, bound, cap)


@kernel
def _closed_search(
    bits: NDArray[np.uint64], s: int, held: Held, bound: NDArray[np.int64], cap: int
) -> tuple[int, int, NDArray[np.int64]]:
    """Look among the antecedents that several positives share, from the root downwards."""
    # the arena: for each level its items with their masks, and the negatives that are left
    n_local, wide = held.masks.shape
    items = np.empty(4 * n_local + 64, dtype=np.int64)
    masks = np.empty((4 * n_local + 64) * wide, dtype=np.uint64)
    levels = np.zeros((n_local + 2, 8), dtype=np.int64)
    known = np.empty(n_local + 1, dtype=np.int64)
    levels[0, KNOWN], levels[0, MANY] = _root(held, items, masks, known)
    shared = known[: levels[0, KNOWN]]
    negatives, left = _negatives_of(bits, s, shared, bound[3])
    levels[0, WIDE], levels[0, LEFT] = wide, left
    if _breaks(bound, held.positives, left):
        return VIOLATED, 1, shared.copy()
    met, level = 1, 0
    chosen = np.empty(wide, dtype=np.uint64)
    while level >= 0:
        here = levels[level]
        j = here[TURN]
        if j >= here[MANY]:
            level -= 1
            continue
        here[TURN] += 1
        if not _is_fresh(masks, here[MASKS], here[WIDE], j):
            continue
        met += 1
        if met > cap:
            return CAPPED, met, items[:0]
        size, q = _close(here, j, items, masks, chosen, known)
        negatives = _with_room(negatives, here[NEGATIVES] + here[LEFT], here[LEFT])
        left = _left(bits, s, known, q, negatives, level, here)
        if _breaks(bound, size, left):
            return VIOLATED, met, known[:q].copy()
        if size > 2:
            items = _with_room(items, here[AT] + here[MANY], here[MANY])
            room = here[MANY] * ((size + 63) // 64)
            masks = _with_room(masks, here[MASKS] + here[MANY] * here[WIDE], room)
            count, first = _below(here, j, size, items, masks, chosen)
            if first < count:
                level += 1
                _enter(levels[level], here, (count, first), size, left, q)
    return HOLDS, met, items[:0]
