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
from discreet.verify.positives import Projection, holds_bit, items_of, ones, projection

HOLDS, VIOLATED, CAPPED = 0, 1, 2

# what is known of a level of the search: where its items, their masks and its negatives begin and
# how many there are, the words of a mask, the items of its antecedent, and whose turn it is
AT, COUNT, MASKS, WIDE, NEGATIVES, LEFT, KNOWN, TURN = range(8)

_ONE = np.uint64(1)


@kernel
def _breaks(bound: NDArray[np.int64], positives: int, negatives: int) -> bool:
    """Tell whether so many with the consequent, of all with the antecedent, are too many."""
    sure, most = positives * bound[1], bound[0] * (positives + negatives)
    return bool(sure > most or (bound[2] and sure == most))


@kernel
def _alone(
    bits: NDArray[np.uint64], s: int, projected: Projection, bound: NDArray[np.int64]
) -> int:
    """Return a positive that breaks the bound by all it holds, or -1.

    The antecedents of one positive are parts of it.
    """
    n_words = bits.shape[1]
    common = np.empty(n_words, dtype=np.uint64)
    for p in range(projected.positives):
        for w in range(n_words):
            common[w] = ~bits[s, w]
        size = 0
        left = 1
        for k in range(len(projected.items)):
            if left and holds_bit(projected.masks[k], p):
                left = 0
                for w in range(n_words):
                    common[w] &= bits[projected.items[k], w]
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
    negatives = np.empty(4 * records + 64, dtype=np.int64)
    count = 0
    for r in range(records):
        fits = not holds_bit(bits[s], r)
        k = 0
        while fits and k < len(known):
            fits = holds_bit(bits[known[k]], r)
            k += 1
        if fits:
            negatives[count] = r
            count += 1
    return negatives, count


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
    node: NDArray[np.int64],
    j: int,
    items: NDArray[np.int64],
    masks: NDArray[np.uint64],
    chosen: NDArray[np.uint64],
    known: NDArray[np.int64],
) -> tuple[int, int]:
    """Write the closure with item ``j`` and its positives; return how many of both there are."""
    wide, mine = node[WIDE], node[MASKS] + j * node[WIDE]
    size = 0
    for w in range(wide):
        chosen[w] = masks[mine + w]
        size += ones(chosen[w])
    q = node[KNOWN]
    known[q] = items[node[AT] + j]
    q += 1
    for i in range(j + 1, node[COUNT]):
        theirs = node[MASKS] + i * wide
        inside = True
        for w in range(wide):
            if chosen[w] & ~masks[theirs + w]:
                inside = False
                break
        if inside:
            known[q] = items[node[AT] + i]
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
    count = 0
    for word in range(bits.shape[1]):
        pending = bits[known[new], word] & ~bits[s, word]
        while pending:
            r = 64 * word + ones(~pending & (pending - _ONE))
            pending &= pending - _ONE
            bit = np.uint64(r & 63)
            fits = True
            for k in range(q):
                if not (bits[known[k], word] >> bit) & _ONE:
                    fits = False
                    break
            if fits:
                negatives[begin + count] = r
                count += 1
    return count


@kernel
def _left_of(
    bits: NDArray[np.uint64], known: NDArray[np.int64], new: int, q: int,
    negatives: NDArray[np.int64], node: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write behind the negatives of a level those that hold ``known[new:q]``; return how many."""
    begin = node[NEGATIVES] + node[LEFT]
    count = 0
    for t in range(node[NEGATIVES], begin):
        r = negatives[t]
        word, bit = r >> 6, np.uint64(r & 63)
        fits = True
        for k in range(new, q):
            if not (bits[known[k], word] >> bit) & _ONE:
                fits = False
                break
        if fits:
            negatives[begin + count] = r
            count += 1
    return count


@kernel
def _below(
    node: NDArray[np.int64],
    j: int,
    size: int,
    items: NDArray[np.int64],
    masks: NDArray[np.uint64],
    chosen: NDArray[np.uint64],
) -> tuple[int, int]:
    """Write the level below: items that at least two of the ``size`` positives hold, but not all.

    Return how many there are, and the first behind item ``j``.
    """
    wide, narrow = node[WIDE], (size + 63) // 64
    to_items, to_masks = node[AT] + node[COUNT], node[MASKS] + node[COUNT] * wide
    count = 0
    first = 0
    for i in range(node[COUNT]):
        if i == j:
            first = count
            continue
        mine = node[MASKS] + i * wide
        support = 0
        for w in range(wide):
            support += ones(masks[mine + w] & chosen[w])
        if support < 2 or support == size:
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
                pending = chosen[w]
                while pending:
                    lowest = pending & (~pending + _ONE)
                    if masks[mine + w] & lowest:
                        masks[to + (index >> 6)] |= _ONE << np.uint64(index & 63)
                    index += 1
                    pending &= pending - _ONE
        items[to_items + count] = items[node[AT] + i]
        count += 1
    return count, first


@kernel
def _enter(
    below: NDArray[np.int64],
    node: NDArray[np.int64],
    items: tuple[int, int],
    size: int,
    left: int,
    known: int,
) -> None:
    """Say where the level below this one stands: how many items it has and whose turn it is."""
    below[COUNT], below[TURN] = items
    below[AT] = node[AT] + node[COUNT]
    below[MASKS], below[WIDE] = node[MASKS] + node[COUNT] * node[WIDE], (size + 63) // 64
    below[NEGATIVES], below[LEFT] = node[NEGATIVES] + node[LEFT], left
    below[KNOWN] = known


@kernel
def _root(
    projected: Projection,
    items: NDArray[np.int64],
    masks: NDArray[np.uint64],
    known: NDArray[np.int64],
) -> tuple[int, int]:
    """Write what all positives share, and what some share; return how many items of both."""
    shared, some = 0, 0
    for k in range(len(projected.items)):
        if projected.support[k] == projected.positives:
            known[shared] = projected.items[k]
            shared += 1
        elif projected.support[k] >= 2:
            items[some] = projected.items[k]
            for w in range(projected.masks.shape[1]):
                masks[some * projected.masks.shape[1] + w] = projected.masks[k, w]
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
    negatives: NDArray[np.int64], level: int, node: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write behind the negatives of a level those that hold ``known[:q]``; return how many."""
    if level == 0:
        return _left_of_all(bits, s, known, node[KNOWN], q, negatives, node[NEGATIVES] + node[LEFT])
    return _left_of(bits, known, node[KNOWN], q, negatives, node)


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
    projected = projection(bits, s, usable)
    if projected.positives == 0:
        return HOLDS, 0, nothing
    positive = _alone(bits, s, projected, bound)
    if positive >= 0:
        return VIOLATED, 1, items_of(projected, positive)
    return _closed_search(bits, s, projected, bound, cap)


@kernel
def _closed_search(
    bits: NDArray[np.uint64], s: int, projected: Projection, bound: NDArray[np.int64], cap: int
) -> tuple[int, int, NDArray[np.int64]]:
    """Look among the antecedents that several positives share, from the root downwards."""
    # the arena: for each level its items with their masks, and the negatives that are left
    n_local, wide = projected.masks.shape
    items = np.empty(4 * n_local + 64, dtype=np.int64)
    masks = np.empty((4 * n_local + 64) * wide, dtype=np.uint64)
    levels = np.zeros((n_local + 2, 8), dtype=np.int64)
    known = np.empty(n_local + 1, dtype=np.int64)
    levels[0, KNOWN], levels[0, COUNT] = _root(projected, items, masks, known)
    shared = known[: levels[0, KNOWN]]
    negatives, left = _negatives_of(bits, s, shared, bound[3])
    levels[0, WIDE], levels[0, LEFT] = wide, left
    if _breaks(bound, projected.positives, left):
        return VIOLATED, 1, shared.copy()
    met, level = 1, 0
    chosen = np.empty(wide, dtype=np.uint64)
    while level >= 0:
        node = levels[level]
        j = node[TURN]
        if j >= node[COUNT]:
            level -= 1
            continue
        node[TURN] += 1
        if not _is_fresh(masks, node[MASKS], node[WIDE], j):
            continue
        met += 1
        if met > cap:
            return CAPPED, met, items[:0]
        size, q = _close(node, j, items, masks, chosen, known)
        negatives = _with_room(negatives, node[NEGATIVES] + node[LEFT], node[LEFT])
        left = _left(bits, s, known, q, negatives, level, node)
        if _breaks(bound, size, left):
            return VIOLATED, met, known[:q].copy()
        if size > 2:
            items = _with_room(items, node[AT] + node[COUNT], node[COUNT])
            room = node[COUNT] * ((size + 63) // 64)
            masks = _with_room(masks, node[MASKS] + node[COUNT] * node[WIDE], room)
            count, first = _below(node, j, size, items, masks, chosen)
            if first < count:
                level += 1
                _enter(levels[level], node, (count, first), size, left, q)
    return HOLDS, met, items[:0]
