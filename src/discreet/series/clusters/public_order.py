"""One order of all sets that depends on nothing but the sets: similar sets come close together.

Everyone can compute it, and it is the same for every corpus: the items are hashed without a key,
a set is known by the smallest hashes of its items (MinHash), and sets are sorted by these. So two
releases of a series put the same sets side by side.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets

HASHES = 8
"""Smallest hashes by which a set is known; the first decides unless it is shared."""
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def numbered(collections: Sequence[Itemsets]) -> tuple[list[NDArray[np.int64]], int]:
    """Give the distinct sets of several collections numbers; return these and how many they are.

    Sets are equal when their items are, whatever their vocabularies.

    >>> one, two = Itemsets.of([["a"], [], ["a", "b"]]), Itemsets.of([["b", "a"], ["a"]])
    >>> (first, second), count = numbered([one, two])
    >>> count, bool(first[2] == second[0]), bool(first[0] == second[1])
    (3, True, True)
    """
    keys = np.concatenate([set_keys(sets) for sets in collections], axis=1)
    order = np.lexsort(keys)
    changed = (np.diff(keys[:, order], axis=1) != 0).any(axis=0)
    number = np.empty(keys.shape[1], dtype=np.int64)
    number[order] = np.concatenate([[0], np.cumsum(changed)])[: len(order)]
    ends = np.cumsum([len(sets) for sets in collections])[:-1]
    return np.split(number, ends), int(number.max(initial=-1)) + 1


def set_keys(sets: Itemsets) -> NDArray[np.uint64]:
    """Return 128 bits for each set: the sums of its items' hashes."""
    hashes = _hashes(sets.vocabulary)
    sums = np.zeros((2, len(sets.items) + 1), dtype=np.uint64)
    np.cumsum(hashes[:, sets.items], axis=1, out=sums[:, 1:])
    return sums[:, sets.offsets[1:]] - sums[:, sets.offsets[:-1]]


@lru_cache(maxsize=16)
def _hashes(vocabulary: tuple[str, ...]) -> NDArray[np.uint64]:
    """Return 128 bits for each item, from its name.

    Kept, for all parts of a corpus and its orders ask for those of the same few vocabularies.
    """
    digests = b"".join(map(_digest, vocabulary))
    hashes = np.frombuffer(digests, dtype="<u8").astype(np.uint64).reshape(-1, 2).T
    hashes.setflags(write=False)
    return hashes


def _digest(name: str) -> bytes:
    return blake2b(name.encode(), digest_size=16).digest()


def item_key(name: str) -> int:
    """Return the first 64 bits of an item's hash; a set's key is their sum, modulo 2**64.

    >>> key = set_keys(Itemsets.of([["a", "b"]]))[0, 0]
    >>> (item_key("a") + item_key("b")) % 2**64 == int(key)
    True
    """
    return int.from_bytes(_digest(name)[:8], "little")


def _mixed(words: NDArray[np.uint64], salt: int) -> NDArray[np.uint64]:
    """Return other words, as different from these as chance would make them."""
    words = words + np.array([salt + 1], dtype=np.uint64) * _SPREAD
    words = (words ^ (words >> np.uint64(30))) * _MIX[0]
    words = (words ^ (words >> np.uint64(27))) * _MIX[1]
    return words ^ (words >> np.uint64(31))


def public_order(sets: Itemsets) -> NDArray[np.int64]:
    """Return the sets' places in the public order; the empty set comes last.

    >>> sets = Itemsets.of([["a", "b", "c"], ["x"], ["a", "b", "c"]])
    >>> abs(
    ...     int(
    ...         np.flatnonzero(public_order(sets) == 0)[0]
    ...         - np.flatnonzero(public_order(sets) == 2)[0]
    ...     )
    ... )
    1
    """
    full = np.flatnonzero(sets.sizes > 0)
    hashes = _hashes(sets.vocabulary)[0]
    least = np.full((HASHES, len(sets)), np.iinfo(np.uint64).max, dtype=np.uint64)
    for number in range(HASHES if len(full) else 0):
        # the items of sets that are not empty follow each other without a gap
        least[number, full] = np.minimum.reduceat(
            _mixed(hashes, number)[sets.items], sets.offsets[full]
        )
    return np.lexsort((*set_keys(sets), *least[::-1]))


def runs(counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Cut ``counts`` into runs of at least ``size`` together; return the run of each.

    One that is large enough alone is a run of its own; what is left at the end joins the run
    before.

    >>> runs(np.array([1, 1, 9, 1, 2, 1]), 3).tolist()
    [0, 0, 2, 0, 1, 1]
    """
    large = counts >= size
    small = np.flatnonzero(~large)
    run = np.zeros(len(counts), dtype=np.int64)
    total = np.cumsum(counts[small])
    begun, ends = 0, []
    while len(small) and begun + size <= total[-1]:
        end = int(np.searchsorted(total, begun + size))
        ends.append(end)
        begun = int(total[end])
    # a run ends with the set that fills it; the last one takes what is left
    cuts = np.zeros(len(small), dtype=np.int64)
    cuts[[end + 1 for end in ends[:-1]]] = 1
    run[small] = np.cumsum(cuts)
    smalls = int(run[small].max(initial=-1)) + 1
    if len(small) and not ends and large.any():
        # too few for a run of their own: with the first large one
        run[large] = np.arange(large.sum())
        return run
    run[large] = smalls + np.arange(large.sum())
    return run
