"""Confidence bounded in published counts of any universe: sets cut, then people added to them."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import comb, inf
from typing import NamedTuple

import numpy as np

from discreet.core.fold import fold
from discreet.core.histogram import ItemsetHistogram
from discreet.errors import InfeasibleError
from discreet.measure import SANITY

MOST_SUBSETS = 3_000_000
"""Subsets of published sets whose supports are kept at once."""
MOST_PEOPLE = 1 << 53
"""People of a release; counts of more would not fit a machine word, and be of no use."""
RARE = (5, 10, 20, 50, 100)
"""Supports below which an item is left out first: what is tried."""

Supports = dict[tuple[str, ...], int]


class _Trial(NamedTuple):
    """One way to bound counts."""

    error: float
    """How far its answers are from those before."""
    size: int
    """To how many items sets were cut."""
    counts: Supports
    """What it would publish."""


def nearest(content: ItemsetHistogram, tau: Fraction, known: int | None) -> ItemsetHistogram:
    """Return counts from which nothing follows with more than ``tau``: the nearest of some ways.

    Every further item of a set takes one over ``tau`` as many people who hold the rest of it. So
    it is tried to cut sets to fewer of their items, the commonest, and then to leave out rare
    items; with none left nothing follows. Only the counts themselves are looked at.

    >>> counts = ItemsetHistogram.of({("a", "b", "c"): 9, ("a",): 90, (): 99})
    >>> nearest(counts, Fraction(1, 2), None).as_dict()
    {(): 99, ('a',): 90, ('a', 'b'): 9, ('b',): 9}
    """
    largest = int(content.sets.sizes.max(initial=0))
    _refuse_too_many(content, _reach(largest, known) + 1)
    asked = _asked(content, _reach(largest, known) + 1)

    def trial(size: int, few: int) -> _Trial:
        counts, supports = _raised(_shortened(content, size, few), tau, known)
        error = _error(asked, supports, content.total)
        return _Trial(error if supports.get((), 0) <= MOST_PEOPLE else inf, size, counts)

    # of equals the first: no item goes for nothing
    best = min((trial(size, 0) for size in range(largest, -1, -1)), key=lambda each: each.error)
    best = min((best, *(trial(best.size, few) for few in RARE)), key=lambda each: each.error)
    return ItemsetHistogram.of(best.counts, content.sets.vocabulary)


def raised(content: ItemsetHistogram, tau: Fraction, known: int | None) -> ItemsetHistogram:
    """Add people to known sets, the largest first, until no item follows with more than ``tau``.

    Adding people to a set changes the supports of its subsets only, so that what was settled for
    larger sets stays settled, and one visit of each known set is enough.

    >>> counts = ItemsetHistogram.of({("a", "b"): 9, ("a",): 1})
    >>> raised(counts, Fraction(1, 2), None).as_dict()
    {('a', 'b'): 9, ('a',): 9, ('b',): 9, (): 9}
    """
    return ItemsetHistogram.of(_raised(content, tau, known)[0], content.sets.vocabulary)


def _raised(
    content: ItemsetHistogram, tau: Fraction, known: int | None
) -> tuple[Supports, Supports]:
    """Return the counts with people added, and the supports of what may be known and one more."""
    most = _reach(int(content.sets.sizes.max(initial=0)), known)
    supports = _supports(content, most + 1)
    added: Supports = {}
    for size in range(most, -1, -1):
        for itemset, lack in _lacking(supports, size, tau):
            added[itemset] = lack
            for length in range(len(itemset) + 1):
                for subset in combinations(itemset, length):
                    supports[subset] = supports.get(subset, 0) + lack
    counts = content.as_dict()
    for itemset, lack in added.items():
        counts[itemset] = counts.get(itemset, 0) + lack
    return counts, supports


def _reach(largest: int, known: int | None) -> int:
    """Return how many items of a set can be known, so that another may follow."""
    return largest if known is None else min(known, largest)


def _asked(content: ItemsetHistogram, most: int) -> Supports:
    """Return the sets by which ways are compared: items, pairs, and what is published."""
    published = set(content.sets)
    supports = _supports(content, most)
    return {each: n for each, n in supports.items() if 0 < len(each) <= 2 or each in published}


def _error(asked: Supports, said: Supports, people: int) -> float:
    """Return how far answers are off, in multiples of the right ones, and the number of people."""
    least = SANITY * people + 1
    errors = (abs(said.get(each, 0) - true) / max(true, least) for each, true in asked.items())
    added = said.get((), 0) - people
    return sum(errors) / max(1, len(asked)) + added / max(1, people)


def _shortened(content: ItemsetHistogram, size: int, few: int) -> ItemsetHistogram:
    """Return the counts of sets cut to their commonest items, without items that few hold."""
    sets = content.sets
    rank = np.empty(len(sets.vocabulary), dtype=np.int64)
    rank[np.argsort(-content.supports, kind="stable")] = np.arange(len(rank))
    order = np.lexsort((rank[sets.items], sets.rows))
    rank_in_set = np.empty(len(order), dtype=np.int64)
    rank_in_set[order] = np.arange(len(order)) - np.repeat(sets.offsets[:-1], sets.sizes)
    first = (rank_in_set < size) & (content.supports[sets.items] >= few)
    return content if first.all() else fold(sets.only(first), content.counts)


def _refuse_too_many(content: ItemsetHistogram, most: int) -> None:
    wanted = sum(comb(size, k) for size in content.sets.sizes.tolist() for k in range(most + 1))
    if wanted > MOST_SUBSETS:
        msg = (
            f"to bound the confidence of these itemsets {wanted:,} known sets would have to "
            f"be examined, and the limit is {MOST_SUBSETS:,}; lower `known`"
        )
        raise InfeasibleError(msg, parameter="known")


def _supports(content: ItemsetHistogram, most: int) -> Supports:
    supports: defaultdict[tuple[str, ...], int] = defaultdict(int)
    for itemset, count in zip(content.sets, content.counts.tolist(), strict=True):
        for size in range(min(most, len(itemset)) + 1):
            for subset in combinations(itemset, size):
                supports[subset] += count
    return dict(supports)


def _lacking(supports: Supports, size: int, tau: Fraction) -> list[tuple[tuple[str, ...], int]]:
    """Return the sets of a size that too few people hold for what follows from them."""
    likeliest: Supports = {}
    for itemset, count in supports.items():
        if len(itemset) == size + 1:
            for item in range(size + 1):
                known = itemset[:item] + itemset[item + 1 :]
                likeliest[known] = max(likeliest.get(known, 0), count)
    needed = (
        (known, -(-count * tau.denominator // tau.numerator)) for known, count in likeliest.items()
    )
    return [
        (known, enough - supports[known]) for known, enough in needed if enough > supports[known]
    ]
