"""Confidence bounded in published counts of any universe, by people added to known sets."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import comb

from discreet.core.histogram import ItemsetHistogram
from discreet.errors import InfeasibleError

__all__ = ["raised"]

MOST_SUBSETS = 3_000_000
"""Subsets of published sets whose supports are kept at once."""

Supports = dict[tuple[str, ...], int]


def raised(content: ItemsetHistogram, tau: Fraction, known: int | None) -> ItemsetHistogram:
    """Add people to known sets, the largest first, until no item follows with more than ``tau``.

    Adding people to a set changes the supports of its subsets only, so that what was settled for
    larger sets stays settled, and one visit of each known set is enough.

    >>> counts = ItemsetHistogram.of({("a", "b"): 9, ("a",): 1})
    >>> raised(counts, Fraction(1, 2), None).as_dict()
    {('a', 'b'): 9, ('a',): 9, ('b',): 9, (): 9}
    """
    largest = int(content.sets.sizes.max(initial=0))
    most = largest if known is None else min(known, largest)
    _refuse_too_many(content, min(most + 1, largest))
    supports = _supports(content, min(most + 1, largest))
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
    return ItemsetHistogram.of(counts, content.sets.vocabulary)


def _refuse_too_many(content: ItemsetHistogram, most: int) -> None:
    wanted = sum(comb(size, k) for size in content.sets.sizes.tolist() for k in range(most + 1))
    if wanted > MOST_SUBSETS:
        msg = (
            f"to bound the confidence of these itemsets {wanted:,} known sets are to be looked "
            f"at, and at most {MOST_SUBSETS:,} can be; lower `known`"
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
