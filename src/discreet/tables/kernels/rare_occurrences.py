"""Leaving out single occurrences in a class, until no few known items fit too few of its rows."""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.kernels.bits import ones

__all__ = ["leave_out_rare", "work_of_groups"]

WORD = 64


@kernel
def work_of_groups(sizes: NDArray[np.int64], known: int, words: int) -> float:
    """Return how many steps one look at all sets of up to ``known`` items of the groups takes."""
    steps = 0.0
    for size in sizes:
        sets = 1.0
        for taken in range(min(known, size)):
            sets *= (size - taken) / (taken + 1)
            steps += sets * (words if taken > 1 else 1)
    return steps


@kernel
def _rare_in_group(
    bits: NDArray[np.uint64],
    pairs: NDArray[np.int64],
    blocks: NDArray[np.int64],
    least: int,
    known: int,
    hits: NDArray[np.int64],
) -> int:
    """Count the smallest rare sets among the blocks of a group, and for each block those it is in.

    Rare pairs come first: larger sets are looked at where there is none.
    """
    count, n_rare = len(blocks), 0
    hits[:count] = 0
    for first in range(count):
        if pairs[blocks[first], blocks[first]] < least:
            hits[first] += count
            n_rare += 1
        for second in range(first if known > 1 else 0):
            if pairs[blocks[first], blocks[second]] < least:
                hits[first] += 1
                hits[second] += 1
                n_rare += 1
    if n_rare or known < 3:
        return n_rare
    words = bits.shape[1]
    common = np.zeros((known, words), dtype=np.uint64)
    at = np.zeros(known + 1, dtype=np.int64)
    depth = 0
    while depth >= 0:
        if at[depth] == count:
            depth -= 1
            continue
        index = at[depth]
        at[depth] += 1
        rows = 0
        for word in range(words):
            before = common[depth - 1, word] if depth else ~np.uint64(0)
            common[depth, word] = before & bits[blocks[index], word]
            rows += ones(common[depth, word])
        if rows < least:
            n_rare += 1
            for level in range(depth + 1):
                hits[at[level] - 1] += 1
        elif depth + 1 < known:
            at[depth + 1] = index + 1
            depth += 1
    return n_rare


@kernel
def _fits_with(
    bits: NDArray[np.uint64],
    pairs: NDArray[np.int64],
    block: int,
    blocks: NDArray[np.int64],
    more: int,
    least: int,
    known: int,
) -> bool:
    """Whether a block and others of a group are not rare once so many more rows hold it too."""
    if pairs[block, block] + more < least:
        return False
    if known > 1:
        for other in blocks:
            if pairs[block, other] + more < least:
                return False
    if known < 3:
        return True
    words, count = bits.shape[1], len(blocks)
    common = np.zeros((known, words), dtype=np.uint64)
    common[0] = bits[block]
    at = np.zeros(known + 1, dtype=np.int64)
    depth = 1
    while depth > 0:
        if at[depth] == count:
            depth -= 1
            continue
        index = at[depth]
        at[depth] += 1
        rows = 0
        for word in range(words):
            common[depth, word] = common[depth - 1, word] & bits[blocks[index], word]
            rows += ones(common[depth, word])
        if rows + more < least:
            return False
        if depth + 1 < known:
            at[depth + 1] = index + 1
            depth += 1
    return True


@kernel
def _change(
    bits: NDArray[np.uint64],
    pairs: NDArray[np.int64],
    blocks: NDArray[np.int64],
    block: int,
    begin: int,
    end: int,
    sign: int,
) -> None:
    """Put a block into the rows of a group (1), or take it out (-1), beside ``blocks``."""
    rows = sign * (end - begin)
    for row in range(begin, end):
        bits[block, row // WORD] ^= np.uint64(1) << np.uint64(row % WORD)
    pairs[block, block] += rows
    for other in blocks:
        pairs[block, other] += rows
        pairs[other, block] += rows


@kernel
def leave_out_rare(
    bits: NDArray[np.uint64],
    pairs: NDArray[np.int64],
    begins: NDArray[np.int64],
    starts: NDArray[np.int64],
    blocks: NDArray[np.int64],
    worth: NDArray[np.float64],
    least: int,
    known: int,
) -> NDArray[np.bool_]:
    """Leave out occurrences of blocks until no set of up to ``known`` is rare; say which are kept.

    Group ``g`` is the rows from ``begins[g]`` on, which hold the same: ``blocks`` from
    ``starts[g]`` on, each occurrence being ``worth`` something. What is in most rare sets of a
    group for its worth goes first. At the end whatever can be put back is. ``bits`` and ``pairs``,
    the rows of each block and how many rows hold two, are kept up to date.
    """
    retained = np.ones(len(blocks), dtype=np.bool_)
    hits = np.zeros(len(blocks) + 1, dtype=np.int64)
    again = True
    while again:
        again = False
        for group in range(len(begins) - 1):
            entries = np.arange(starts[group], starts[group + 1])
            here = entries[retained[starts[group] : starts[group + 1]]]
            while _rare_in_group(bits, pairs, blocks[here], least, known, hits) > 0:
                worst, most = 0, -1.0
                for each in range(len(here)):
                    blame = hits[each] / max(1e-9, worth[here[each]])
                    if blame > most:
                        worst, most = each, blame
                gone = here[worst]
                retained[gone] = False
                here = here[here != gone]
                ends = (begins[group], begins[group + 1])
                _change(bits, pairs, blocks[here], blocks[gone], *ends, -1)
                again = True
    again = True
    while again:
        again = False
        for group in range(len(begins) - 1):
            for entry in range(starts[group], starts[group + 1]):
                if retained[entry]:
                    continue
                entries = np.arange(starts[group], starts[group + 1])
                here = blocks[entries[retained[starts[group] : starts[group + 1]]]]
                more = begins[group + 1] - begins[group]
                if _fits_with(bits, pairs, blocks[entry], here, more, least, known):
                    ends = (begins[group], begins[group + 1])
                    _change(bits, pairs, here, blocks[entry], *ends, 1)
                    retained[entry] = again = True
    return retained
