"""People who do not exist: sets that no release of the series has ever held."""

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.rng import Rng
from discreet.series.corpus import Corpus
from discreet.series.public_order import item_key, set_keys

__all__ = ["draw_counterfeits"]

TRIES = 8
"""How often a set of one size is drawn before a larger one is tried."""
LARGEST = 6
"""Largest counterfeit; where even these are all taken, terms of a wider source are drawn."""


def draw_counterfeits(
    corpus: Corpus,
    cluster: NDArray[np.int64],
    wanted: NDArray[np.int64],
    earlier: Sequence[Itemsets],
    rng: Rng,
) -> list[tuple[int, tuple[str, ...]]]:
    """Return cluster and set of every counterfeit; ``wanted`` says how many each cluster needs.

    A set has as few terms as possible, drawn from those of its cluster, and equals no set of this
    corpus or of any ``earlier`` release and no other counterfeit: else it would be taken for
    someone who was seen before.
    """
    if not wanted.any():
        return []
    taken = {0}  # the empty set
    for sets in (corpus.sets, *earlier):
        taken.update(set_keys(sets)[0].tolist())
    rows = np.argsort(cluster, kind="stable")
    begins = np.searchsorted(cluster[rows], np.arange(len(wanted) + 1))
    drawn = []
    for place in np.flatnonzero(wanted).tolist():
        members = corpus.sets.take(rows[begins[place] : begins[place + 1]])
        for _ in range(int(wanted[place])):
            fake, key = _drawn((members, corpus.sets, *earlier), taken, rng)
            taken.add(key)
            drawn.append((place, fake))
    return drawn


def _drawn(sources: Sequence[Itemsets], taken: set[int], rng: Rng) -> tuple[tuple[str, ...], int]:
    """Draw a set of the fewest terms that nobody has, from the first source that yields one."""
    for items in _candidates(sources, rng):
        key = sum(map(item_key, items)) % (1 << 64)
        if key not in taken:
            return items, key
    raise AssertionError


def _candidates(sources: Sequence[Itemsets], rng: Rng) -> Iterator[tuple[str, ...]]:
    """Yield sets of growing size from each source, and at last sets that hold a made-up term."""
    for source in sources:
        for size in range(1, LARGEST + 1 if len(source.items) else 1):
            drawn = rng.integers(len(source.items), TRIES * size).reshape(TRIES, size)
            for places in drawn:
                items = {source.vocabulary[item] for item in source.items[places]}
                if len(items) == size:
                    yield tuple(sorted(items))
    yield from ((f"other {number}",) for number in count(1))
