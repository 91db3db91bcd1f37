"""Any m known items fit at least k records or none: the definition read aloud."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.findings import counted
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantees.sets import KmAnonymity
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict
from discreet.verify.known_items import as_known, items_by_names

MOST = 40_000_000
"""Sets of one item and others that are listed at once; beyond, the check says where it stopped."""
AT_ONCE = 100_000
"""Items behind first items that are taken together, unless one first item has more."""


def km_anonymity(content: GeneralisedSets | Transactions, claim: KmAnonymity) -> Verdict:
    """Count the records that any up to m original items fit.

    A known item fits what stands for it: its block, itself, or a name above it. Two known items
    may have the same stand-in, so smaller sets count too.
    """
    sets: Itemsets | None = content.sets
    if isinstance(content, Transactions) and content.applied is not None:
        sets = _as_known(content.sets, content.applied)
    if sets is None:
        checked = "nothing: the names stand for too many items that somebody may know"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    return km_verdict(claim, rare_set(sets, claim.k, claim.m), sets.vocabulary)


def km_verdict(claim: KmAnonymity, result: "Rare", names: Sequence[str]) -> Verdict:
    """Return the verdict on a release in which such a set was found, or none."""
    if result.rows:
        rare = ", ".join(names[number] for number in result.items)
        checked = f"the records of sets of up to {counted(claim.m, 'item')}, until one was too rare"
        witness = f"{rare} fits {result.rows} records, not {claim.k}"
        return Verdict(guarantee=claim, holds=False, checked=checked, witness=witness)
    if result.stopped is not None:
        checked = (
            f"sets that begin with one of the first {result.stopped} items; the others are many"
        )
        return Verdict(guarantee=claim, holds=None, checked=checked)
    items = counted(claim.m, "known item")
    checked = f"for every set of up to {items} that matches any record, how many records match"
    return Verdict(guarantee=claim, holds=True, checked=checked)


class Rare(NamedTuple):
    """A set that too few records hold, or that there is none."""

    rows: int = 0
    """How many records hold it; 0 where there is none."""
    items: tuple[int, ...] = ()
    """The set."""
    stopped: int | None = None
    """Where sets became too many: at those that begin with this item."""


def rare_set(sets: Itemsets, k: int, m: int) -> Rare:
    """Look for a set of up to m items that some records hold, but fewer than k.

    Sets are listed by their first items, a run of them at a time.
    """
    counts = np.bincount(sets.items, minlength=len(sets.vocabulary))
    ends = np.repeat(sets.offsets[1:], sets.sizes)
    later = np.bincount(sets.items, ends - np.arange(len(ends)), len(sets.vocabulary))
    positions = np.argsort(sets.items, kind="stable")
    starts = np.concatenate([[0], np.cumsum(counts)])
    runs = np.flatnonzero(np.diff(np.cumsum(later) // AT_ONCE, prepend=-1))
    for first, last in pairwise([*runs.tolist(), len(counts)]):
        rare = _rare(sets, positions[starts[first] : starts[last]], ends, k, m)
        if rare is None:
            return Rare(stopped=first)
        if rare.rows:
            return rare
    return Rare()


def _as_known(sets: Itemsets, tree: Hierarchy) -> Itemsets | None:
    """Return the records as sets of the original items that fit them; None where these are many.

    What an item fits is told by the published names among it and those above it. Where one item
    has all of another's and more, whatever fits too few with the first does so with the second:
    of the items below a name, those with the fewest names are enough.
    """
    known = items_by_names(sets, tree)
    below = _fewest(known, len(sets.vocabulary))
    if all(len(classes) == 1 == len(classes[0]) for classes in below):
        return sets  # nothing is above anything else: names stand for the items below them
    return as_known(sets, {names: known[names] for classes in below for names in classes})


def _fewest(known: Iterable[frozenset[int]], n_names: int) -> list[list[frozenset[int]]]:
    """Return for each name the smallest of the known sets that hold it, none within another."""
    below: list[list[frozenset[int]]] = [[] for _ in range(n_names)]
    for names in sorted(known, key=len):
        for name in names:
            if not any(fewer < names for fewer in below[name]):
                below[name].append(names)
    return below


def _rare(
    sets: Itemsets, positions: NDArray[np.int64], ends: NDArray[np.int64], k: int, m: int
) -> Rare | None:
    """Return a set that too few hold, if there is one; None where sets are many.

    ``positions`` are those of the first items; each round puts all later items of the record
    behind them.
    """
    width = len(sets.vocabulary)
    names = np.zeros((1, 0), dtype=np.int64)
    codes = sets.items[positions].astype(np.int64)
    for size in range(1, m + 1):
        distinct, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
        names = np.column_stack([names[distinct // width], distinct % width])
        few = np.flatnonzero(counts < k)
        if len(few):
            return Rare(int(counts[few[0]]), tuple(names[few[0]].tolist()))
        further = ends[positions] - positions - 1
        if size == m or not further.any():
            break
        if further.sum() > MOST:
            return None
        within = np.arange(further.sum()) - np.repeat(np.cumsum(further) - further, further)
        positions = np.repeat(positions, further) + 1 + within
        codes = np.repeat(which, further) * width + sets.items[positions]
    return Rare()
