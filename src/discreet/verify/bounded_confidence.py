"""No item follows from published counts too surely: the definition read aloud.

For a known set K that fits some published set, and an item outside K, the confidence is the number
of people whose published set contains both over that of the people whose set contains K. A set K
that fits nothing tells nothing. So the subsets of the published sets are all that can be known.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb

import numpy as np

from discreet.core.exact import exceeding
from discreet.core.guarantees.counts import BoundedConfidence
from discreet.core.histogram import ItemsetHistogram
from discreet.core.verdict import Verdict

MOST_SUBSETS = 40_000_000
"""Subsets of published sets that are looked at before the search is given up."""
SMALL = 20
"""Up to so many items the support of every conceivable set is counted at once."""


def bounded_confidence(content: ItemsetHistogram, claim: BoundedConfidence) -> Verdict:
    """Compare every known set's support with that of the set and one item more."""
    count = "any number of" if claim.known is None else f"up to {claim.known}"
    checked = (
        f"for every set of {count} items that fits a published itemset, and for no item at all, "
        f"the share of the people behind it who hold each other item, against {claim.share}"
    )
    if len(content.sets.vocabulary) <= SMALL:
        witness = _by_table(content, claim)
        return Verdict(guarantee=claim, holds=witness is None, checked=checked, witness=witness)
    looked_at = sum(_subsets(len(itemset), claim.known) for itemset in content.sets)
    if looked_at > MOST_SUBSETS:
        gone_without = f"too many known sets to look at: {looked_at:,}, and {MOST_SUBSETS:,} are"
        return Verdict(guarantee=claim, holds=None, checked=gone_without)
    witness = _by_subsets(content, claim)
    return Verdict(guarantee=claim, holds=witness is None, checked=checked, witness=witness)


def _by_table(content: ItemsetHistogram, claim: BoundedConfidence) -> str | None:
    """Count the support of every set of the universe, then compare one item after the other."""
    items = len(content.sets.vocabulary)
    most = items if claim.known is None else claim.known
    sets = np.arange(1 << items)
    supports = np.zeros(len(sets), dtype=np.int64)
    for itemset, count in zip(_numbered(content), content.counts.tolist(), strict=True):
        supports[sum(1 << item for item in itemset)] += count
    sizes = np.zeros(len(sets), dtype=np.int64)
    for item in range(items):
        without = sets[sets >> item & 1 == 0]
        supports[without] += supports[without | 1 << item]
        sizes += sets >> item & 1
    for item in range(items):
        known = sets[(sets >> item & 1 == 0) & (sizes <= most)]
        broken = known[exceeding(supports[known | 1 << item], supports[known], claim.share)]
        if len(broken):
            first = int(broken[0])
            itemset = tuple(member for member in range(items) if first >> member & 1)
            shares = int(supports[first | 1 << item]), int(supports[first])
            return _witness(content, itemset, item, shares)
    return None


def _by_subsets(content: ItemsetHistogram, claim: BoundedConfidence) -> str | None:
    """Count the support of each subset of a published set, and beside it that of each item more."""
    supports: defaultdict[tuple[int, ...], int] = defaultdict(int)
    with_item: defaultdict[tuple[tuple[int, ...], int], int] = defaultdict(int)
    for itemset, count in zip(_numbered(content), content.counts.tolist(), strict=True):
        for known in _known(itemset, claim.known):
            supports[known] += count
            for item in itemset:
                if item not in known:
                    with_item[known, item] += count
    tau = claim.share
    for (known, item), both in with_item.items():
        if both * tau.denominator > tau.numerator * supports[known]:
            return _witness(content, known, item, (both, supports[known]))
    return None


def _numbered(content: ItemsetHistogram) -> Iterator[tuple[int, ...]]:
    offsets, items = content.sets.offsets.tolist(), content.sets.items.tolist()
    for begin, end in pairwise(offsets):
        yield tuple(items[begin:end])


def _known(itemset: tuple[int, ...], most: int | None) -> Iterator[tuple[int, ...]]:
    for size in range((len(itemset) if most is None else min(most, len(itemset))) + 1):
        yield from combinations(itemset, size)


def _subsets(items: int, most: int | None) -> int:
    return sum(comb(items, size) for size in range((items if most is None else most) + 1))


def _witness(
    content: ItemsetHistogram, known: tuple[int, ...], item: int, shares: tuple[int, int]
) -> str:
    names = content.sets.vocabulary
    spoken = "{" + ", ".join(names[number] for number in known) + "}" if known else "nothing at all"
    return f"of the {shares[1]:,} people behind {spoken}, {shares[0]:,} hold {names[item]} too"
