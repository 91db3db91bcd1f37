"""Records cut to a public size by a keyed hash: no record's part depends on another record.

Of a person's items those with the least values stay (soundness note on cutting). With ``key`` 32
hexadecimal digits, p = 2**31 - 1, a, b, c, d the four words of eight digits of
``md5(key || '|' || id)`` and x the first word of ``md5(key || '|' || item)``, each modulo p, the
value of an item is ``((a x + b) x + c) x + d`` modulo p: whole numbers that fit 64 bits when the
remainder is taken at each step, so that any SQL engine computes the same.

Without ids each of a, b, c, d is a sum modulo p: that word of ``md5(key || '|' || item)`` over the
items of the set, and of ``md5(key || '#' || number)`` for the number of the record among those of
the same set, from 1.
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.counts.kernels.cutting import PRIME, cut_sets, encoded, set_sums
from discreet.kernels.keyed_hash import hashed_texts
from discreet.kernels.ragged import offsets_of
from discreet.rng import Rng

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
    universe, sets, ids = folded.sets.vocabulary, data.sets, data.ids
    if sets.vocabulary != universe:
        # items outside the universe only shorten a record: what is short stays so
        perhaps = np.flatnonzero(sets.sizes > size)
        sets, ids = sets.take(perhaps).over(universe), ids[perhaps]
    longer = np.flatnonzero(sets.sizes > size)
    people, hashes = _hashes(f"{key}|", *_codes(ids[longer])), item_hashes(universe, key)
    # each record is a set that one person holds
    ones, nothing = np.ones(len(longer), dtype=np.int64), np.zeros((1, 4), dtype=np.int64)
    rows = cut_sets(sets.offsets, sets.items, longer, hashes, people, ones, nothing, size)
    return _as_sets(rows, universe)


def cut_folded(folded: ItemsetHistogram, size: int, key: str) -> Itemsets:
    """Return of each holder of a set with more than ``size`` items ``size`` of them."""
    sets, longer = folded.sets, np.flatnonzero(folded.sets.sizes > size)
    counts = folded.counts[longer]
    most = int(counts.max(initial=0))
    numbers = _hashes(f"{key}#", *_codes(np.arange(1, most + 1).astype(np.str_)))
    hashes = item_hashes(sets.vocabulary, key)
    sums = set_sums(sets.offsets, sets.items, longer, hashes)
    rows = cut_sets(sets.offsets, sets.items, longer, hashes, sums, counts, numbers, size)
    return _as_sets(rows, sets.vocabulary)


def item_hashes(universe: tuple[str, ...], key: str) -> NDArray[np.int64]:
    """Return four numbers below the prime for each item: the words of its hash under the key."""
    return _hashes(f"{key}|", *_texts(universe)) % PRIME


def _hashes(begin: str, offsets: NDArray[np.int64], texts: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the four words of the hash of each text."""
    return hashed_texts(np.frombuffer(begin.encode(), np.uint8), offsets, texts)


def _as_sets(rows: NDArray[np.int32], universe: tuple[str, ...]) -> Itemsets:
    offsets = np.arange(0, rows.size + 1, rows.shape[1], dtype=np.int64)
    return Itemsets(offsets, rows.ravel(), universe)


def _texts(names: Iterable[str]) -> Texts:
    """Return texts one after the other in bytes, and where each begins."""
    encoded = [name.encode() for name in names]
    offsets = offsets_of([len(text) for text in encoded])
    return offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8)


def _codes(names: NDArray[np.str_]) -> Texts:
    """Return the same for an array of texts."""
    # whatever an array of ids holds, the order of its bytes included, is hashed as its text
    texts = np.ascontiguousarray(names, dtype=np.str_)
    texts = texts.astype(texts.dtype.newbyteorder("="), copy=False)
    codes = texts.view(np.uint32)
    return encoded(codes.reshape(len(texts), texts.dtype.itemsize // codes.itemsize))
