"""Records cut to a public size by a keyed hash: no record's part depends on another record.

Of a person's items those with the least values stay (docs/soundness/cutting.md). With ``key`` 32
hexadecimal digits, p = 2**31 - 1, a, b, c, d the four words of eight digits of
``md5(key || '|' || id)`` and x the first word of ``md5(key || '|' || item)``, each modulo p, the
value of an item is ``((a x + b) x + c) x + d`` modulo p: whole numbers that fit 64 bits when the
remainder is taken at each step, so that any SQL engine computes the same.

Without ids ``id`` becomes ``number || '|' || items``: the number of the record among those of the
same set, from 1, and the items of the set in their public order with bars between.
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.counts.kernels.cutting import cut_people, cut_sets, hashed_texts
from discreet.rng import Rng

__all__ = ["cut_folded", "cut_to", "random_key"]

Texts: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint8]]


def random_key(rng: Rng) -> str:
    """Draw a key of 128 bits, as 32 hexadecimal digits."""
    return "".join(f"{word:016x}" for word in rng.words(2).tolist())


def cut_to(data: Transactions, folded: ItemsetHistogram, size: int, key: str) -> Itemsets:
    """Return of each record with more than ``size`` items of the universe ``size`` of them.

    ``folded`` are the distinct sets of ``data`` over the universe.

    >>> people = Transactions.of([["a", "b", "c"], ["a"]])
    >>> [len(record) for record in cut_to(people, people.folded, 2, "0" * 32)]
    [2]
    """
    if data.ids is None:
        return cut_folded(folded, size, key)
    universe, digits = folded.sets.vocabulary, np.frombuffer(key.encode(), np.uint8)
    # items outside the universe only shorten a record: what is short stays so
    perhaps = np.flatnonzero(data.sets.sizes > size)
    sets = data.sets.take(perhaps).over(universe)
    longer = np.flatnonzero(sets.sizes > size)
    people = hashed_texts(digits, *_texts(data.ids[perhaps[longer]].tolist()))
    sets, hashes = sets.take(longer), hashed_texts(digits, *_texts(universe))
    return _as_sets(cut_people(sets.offsets, sets.items, hashes, people, size), universe)


def cut_folded(folded: ItemsetHistogram, size: int, key: str) -> Itemsets:
    """Return of each holder of a set with more than ``size`` items ``size`` of them."""
    long = folded.take(np.flatnonzero(folded.sets.sizes > size))
    digits, names = np.frombuffer(key.encode(), np.uint8), _texts(folded.sets.vocabulary)
    arrays = long.sets.offsets, long.sets.items, hashed_texts(digits, *names)
    rows = cut_sets(*arrays, long.counts, digits, names, size)
    return _as_sets(rows, folded.sets.vocabulary)


def _as_sets(rows: NDArray[np.int32], universe: tuple[str, ...]) -> Itemsets:
    offsets = np.arange(0, rows.size + 1, rows.shape[1], dtype=np.int64)
    return Itemsets(offsets, rows.ravel(), universe)


def _texts(names: Iterable[str]) -> Texts:
    """Return texts one after the other in bytes, and where each begins."""
    encoded = [name.encode() for name in names]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    return offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8)
