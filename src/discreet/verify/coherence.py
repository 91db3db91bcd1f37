"""(h,k,p)-coherence and LKC-privacy: the one definition of both, read aloud."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import exact, in_small_terms
from discreet.core.findings import counted
from discreet.core.guarantees.sets import Coherence, Lkc
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict
from discreet.verify.absent_secrets import none_left
from discreet.verify.known_items import as_known, items_by_names

MOST = 40_000_000
"""Sets of one item and others that are listed at once; beyond, the check says where it stopped."""


def coherence(
    sets: Itemsets,
    claim: Coherence | Lkc,
    sensitive: frozenset[str] | None,
    original: Transactions | None = None,
    tree: Hierarchy | None = None,
) -> Verdict:
    """Count, for every set of up to p public items that occurs, its people and their secrets.

    Knowing nothing counts too. Sets are listed by their first item. With a hierarchy what is known
    may be an original item as well, which fits all names that it can have.
    """
    if sensitive is None:
        checked = "nothing: the release does not say which items are sensitive"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    fitting = sets if tree is None else _as_known(sets, tree, sensitive)
    if fitting is None:
        checked = "nothing: the names stand for too many items that somebody may know"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    return _counted(fitting, claim, sensitive, original)


def _as_known(sets: Itemsets, tree: Hierarchy, sensitive: frozenset[str]) -> Itemsets | None:
    """Return the records as sets of names and of public items; None where these are many."""
    names = {frozenset({number}): name for number, name in enumerate(sets.vocabulary)}
    items = items_by_names(sets, tree, sensitive)
    # an item of which no name is published fits nobody
    return as_known(sets, {fits: item for fits, item in items.items() if fits} | names)


def _counted(
    sets: Itemsets,
    claim: Coherence | Lkc,
    sensitive: frozenset[str],
    original: Transactions | None,
) -> Verdict:
    k = claim.k
    p, h = (claim.p, claim.h) if isinstance(claim, Coherence) else (claim.l, claim.c)
    check = _Check(sets, sensitive, k, exact("h", h))
    everyone = np.arange(len(sets))
    witness = check.fault(everyone, np.zeros(len(sets), dtype=np.int64), np.zeros((1, 0), int))
    for first in np.flatnonzero(check.public).tolist():
        if witness:
            break
        fault = _of_first(check, first, p)
        if fault is None:
            checked = f"sets that begin before item {first + 1}; the others are too many to count"
            return Verdict(guarantee=claim, holds=None, checked=checked)
        witness = fault
    if not witness and not len(check.secrets):
        return none_left(claim, sensitive, original)
    items = counted(p, "public item")
    checked = f"the people and the secrets of every set of up to {items} that occurs"
    return Verdict(guarantee=claim, holds=not witness, checked=checked, witness=witness or None)


class _Check:
    """Records with their secrets apart."""

    def __init__(self, sets: Itemsets, sensitive: frozenset[str], k: int, h: Fraction) -> None:
        self.names, self.k = sets.vocabulary, k
        # a bound of many digits would not fit the machine words in which it is compared
        self.h = in_small_terms(h, len(sets))
        self.public = np.array([name not in sensitive for name in self.names], dtype=np.bool_)
        rows = sets.rows
        shown = self.public[sets.items] if len(self.public) else np.zeros(0, dtype=np.bool_)
        self.items, self.rows = sets.items[shown].astype(np.int64), rows[shown]
        self.ends = np.searchsorted(self.rows, self.rows, side="right")
        self.positions = np.argsort(self.items, kind="stable")
        self.begins = np.searchsorted(self.items[self.positions], np.arange(len(self.names) + 1))
        self.secrets = sets.items[~shown].astype(np.int64)
        self.starts = np.searchsorted(rows[~shown], np.arange(len(sets) + 1))

    def fault(
        self, rows: NDArray[np.int64], which: NDArray[np.int64], names: NDArray[np.int64]
    ) -> str:
        """Return what is wrong with one of several sets, each row of ``rows`` for one; or ''."""
        if not len(rows):
            return ""
        people = np.bincount(which, minlength=len(names))
        few = np.flatnonzero((people > 0) & (people < self.k))
        if len(few):
            return f"{self._said(names[few[0]])} fits {people[few[0]]} records, not {self.k}"
        count = np.diff(self.starts)[rows]
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        secret = self.secrets[np.repeat(self.starts[rows], count) + within]
        codes, counts = np.unique(
            np.repeat(which, count) * len(self.names) + secret, return_counts=True
        )
        group = codes // max(1, len(self.names))
        sure = np.flatnonzero(counts * self.h.denominator > people[group] * self.h.numerator)
        if not len(sure):
            return ""
        known = self._said(names[group[sure[0]]])
        return f"of {people[group[sure[0]]]} records with {known}, {counts[sure[0]]} share a secret"

    def _said(self, names: NDArray[np.int64]) -> str:
        return ", ".join(self.names[name] for name in names.tolist()) or "nothing known"


def _of_first(check: _Check, first: int, p: int) -> str | None:
    """Return what is wrong with a set that begins with an item, '' if nothing, None if many."""
    positions = check.positions[check.begins[first] : check.begins[first + 1]]
    names = np.array([[first]])
    which = np.zeros(len(positions), dtype=np.int64)
    for size in range(1, p + 1):
        if fault := check.fault(check.rows[positions], which, names):
            return fault
        further = check.ends[positions] - positions - 1
        if size == p or not further.any():
            break
        if further.sum() > MOST:
            return None
        within = np.arange(further.sum()) - np.repeat(np.cumsum(further) - further, further)
        positions = np.repeat(positions, further) + 1 + within
        width = len(check.names)
        codes = np.repeat(which, further) * width + check.items[positions]
        distinct, which = np.unique(codes, return_inverse=True)
        names = np.column_stack([names[distinct // width], distinct % width])
    return ""
