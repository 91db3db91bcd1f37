"""Any m published items fit at least k records or none: the definition read aloud."""

import numpy as np
from numpy.typing import NDArray

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantees.sets import KmAnonymity
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict

__all__ = ["km_anonymity"]

MOST = 40_000_000
"""Sets of one item and others that are listed at once; beyond, the check says where it stopped."""


def km_anonymity(content: GeneralisedSets | Transactions, claim: KmAnonymity) -> Verdict:
    """Count the records of every set of up to m published items that occurs.

    Sets are listed by their first item. An item known of a person fits what stands for it, and
    two known items may have the same stand-in, so smaller sets count too.
    """
    sets = content.sets
    starts = np.zeros(len(sets.vocabulary) + 1, dtype=np.int64)
    np.cumsum(np.bincount(sets.items, minlength=len(sets.vocabulary)), out=starts[1:])
    places = np.argsort(sets.items, kind="stable")
    ends = np.repeat(sets.offsets[1:], sets.sizes)
    for first in range(len(sets.vocabulary)):
        held = places[starts[first] : starts[first + 1]]
        rare = _rare(sets, held, ends, claim)
        if rare is None:
            checked = f"sets that begin with one of the first {first} items; the others are many"
            return Verdict(guarantee=claim, holds=None, checked=checked)
        if rare:
            records, numbers = rare
            items = ", ".join(sets.vocabulary[number] for number in (first, *numbers))
            checked = f"the records of sets of up to {claim.m} items, until one was too rare"
            witness = f"{items} fits {records} records, not {claim.k}"
            return Verdict(guarantee=claim, holds=False, checked=checked, witness=witness)
    checked = f"the records of every set of up to {claim.m} published items that occurs"
    return Verdict(guarantee=claim, holds=True, checked=checked)


def _rare(
    sets: Itemsets, held: NDArray[np.int64], ends: NDArray[np.int64], claim: KmAnonymity
) -> tuple[int, list[int]] | tuple[()] | None:
    """Return a set that too few hold, its further items; nothing; or None where sets are many.

    ``held`` are the places of the first item; each round puts all later items of the record
    behind it.
    """
    if 0 < len(held) < claim.k:
        return len(held), []
    width = len(sets.vocabulary)
    names = np.zeros((1, 0), dtype=np.int64)
    which = np.zeros(len(held), dtype=np.int64)
    for _ in range(claim.m - 1):
        further = ends[held] - held - 1
        if further.sum() > MOST:
            return None
        within = np.arange(further.sum()) - np.repeat(np.cumsum(further) - further, further)
        held = np.repeat(held, further) + 1 + within
        codes = np.repeat(which, further) * width + sets.items[held]
        found, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
        names = np.column_stack([names[found // width], found % width])
        few = np.flatnonzero(counts < claim.k)
        if len(few):
            return int(counts[few[0]]), names[few[0]].tolist()
    return ()
