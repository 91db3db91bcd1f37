"""Rho-uncertainty, of all records or of each group: no sensitive item follows too surely."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import exact, in_small_terms
from discreet.core.findings import counted
from discreet.core.guarantees.rho import GroupedRhoUncertainty, RhoUncertainty
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict
from discreet.verify.absent_secrets import none_left
from discreet.verify.closed_antecedents import CAPPED, HOLDS, search
from discreet.verify.few_antecedents import Sought, first_too_sure

CAP = 5_000_000
"""Most closed antecedents that are looked at for one sensitive item of one group."""
STEPS = 20_000_000_000
"""Most steps of the search for antecedents of up to so many items."""
BITS = 1 << 33
"""Most bits of the table items x records of one group: a gigabyte."""

Uncertainty: TypeAlias = RhoUncertainty | GroupedRhoUncertainty
"""An antecedent, and how many records hold it with and without the sensitive item."""


def rho_uncertainty(
    sets: Itemsets,
    claim: Uncertainty,
    sensitive: Iterable[str] | None,
    group: NDArray[np.int64] | None = None,
    *,
    original: Transactions | None = None,
    cap: int = CAP,
) -> Verdict:
    """Look for a rule that ends in a sensitive item and is surer than rho.

    For each sensitive item the antecedents looked at are the intersections of records with the
    item: no other antecedent has a higher confidence (see ``closed_antecedents``).
    """
    if sensitive is None:
        needed = "the release does not say which items are sensitive: its manifest must name them"
        return Verdict(guarantee=claim, holds=None, checked=needed)
    secrets = frozenset(sensitive)
    secret = np.array([item in secrets for item in sets.vocabulary], dtype=np.bool_)
    if not secret[sets.items].any():
        return _none_left(claim, secrets, original)
    if claim.no_secret_left:
        count = int(secret[sets.items].sum())
        extent = "each record for the sensitive items that the manifest names"
        fault = f"{count:,} occurrences of sensitive items are left, where none should be"
        return Verdict(guarantee=claim, holds=False, checked=extent, witness=fault)
    if claim.known is not None:
        return _few(sets, claim, claim.known, secret, group)
    met = left_open = 0
    for scope in _scopes(sets, group):
        seen, stopped, witness = _Search(scope, secret, claim).run(cap)
        met += seen
        left_open += stopped
        if witness:
            extent = f"{met:,} antecedents, up to the first that breaks the bound"
            return Verdict(guarantee=claim, holds=False, checked=extent, witness=witness)
    scopes = "all records" if group is None else f"each of {len(np.unique(group)):,} groups"
    checked = f"for {scopes} and each sensitive item all closed antecedents, {met:,} of them"
    if left_open:
        checked = (
            f"for {left_open:,} sensitive items the search stopped at its limit of {cap:,} closed "
            "antecedents or a table of a gigabyte; for these every antecedent of up to two items "
            "was checked, for the others every antecedent"
        )
    return Verdict(guarantee=claim, holds=None if left_open else True, checked=checked)


def _none_left(
    claim: Uncertainty, secrets: frozenset[str], original: Transactions | None
) -> Verdict:
    """Judge a release without any sensitive item: all were deleted, or misspelt."""
    if not claim.no_secret_left:
        return none_left(claim, secrets, original)
    fact = f"none of the {len(secrets):,} sensitive items is in the release"
    if secrets and original is None:
        checked = f"{fact}, as it promises; that the data held any is taken from its manifest"
        return Verdict(guarantee=claim, holds=True, checked=checked)
    if original is not None and not secrets & original.held:
        witness = "the original holds none of the sensitive items that the manifest names"
        return Verdict(guarantee=claim, holds=False, checked=fact, witness=witness)
    return none_left(claim, secrets, original)


def _few(
    sets: Itemsets,
    claim: Uncertainty,
    most_known: int,
    secret: NDArray[np.bool_],
    group: NDArray[np.int64] | None,
) -> Verdict:
    """Try every antecedent of up to as many items as may be known; where that is too much, fewer.

    A search that stopped tells nothing of the larger ones, so the verdict is then open.
    """
    # larger ones than that fit no record
    most = min(most_known or 1, int(sets.sizes.max(initial=1)))
    met, least = 0, most
    for scope in _scopes(sets, group):
        search = _Search(scope, secret, claim)
        known = most
        while (result := search.few(known))[0] < 0 and known > 1:
            known -= 1
        met, least = met + max(result[0], 0), min(least, known if result[0] >= 0 else 0)
        if result[1] >= 0:
            extent = f"{met:,} antecedents, up to the first that breaks the bound"
            spoken = search.spoken(result[2], result[1])
            return Verdict(guarantee=claim, holds=False, checked=extent, witness=spoken)
    scopes = "all records" if group is None else f"each of {len(np.unique(group)):,} groups"
    reach = most_known if least == most else least
    checked = f"for {scopes} every antecedent of up to {counted(reach, 'item')}, {met:,} of them"
    if least < most:
        checked += f"; larger ones would have taken more than {STEPS:,} steps"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    return Verdict(guarantee=claim, holds=True, checked=checked)


@dataclass(frozen=True)
class _Scope:
    """Records among which confidences are counted: all of them, or a group's."""

    name: str
    sets: Itemsets

    @cached_property
    def numbered(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The items that occur here, and for each occurrence its place among them."""
        return np.unique(self.sets.items, return_inverse=True)

    @property
    def items(self) -> NDArray[Any]:
        return self.numbered[0]

    @property
    def rows(self) -> NDArray[np.int64]:
        """For each occurrence its record."""
        return self.sets.rows

    @property
    def words(self) -> int:
        return -(-len(self.sets) // 64)

    def bits(self) -> NDArray[np.uint64]:
        """Return for each item the records that hold it."""
        table = np.zeros((len(self.items), self.words), dtype=np.uint64)
        bit = np.uint64(1) << (self.rows & 63).astype(np.uint64)
        np.bitwise_or.at(table, (self.numbered[1], self.rows >> 6), bit)
        return table


def _scopes(sets: Itemsets, group: NDArray[np.int64] | None) -> Iterator[_Scope]:
    if group is None:
        yield _Scope("the release", sets)
        return
    order = np.argsort(group, kind="stable")
    ends = np.flatnonzero(np.diff(group[order])) + 1
    for rows in np.split(order, ends) if len(order) else []:
        yield _Scope(f"group {group[rows[0]]}", sets.take(rows))


class _Search:
    """The search of one scope for a rule that is too sure."""

    def __init__(self, scope: _Scope, secret: NDArray[np.bool_], claim: Uncertainty) -> None:
        rho = in_small_terms(exact("rho", claim.rho), len(scope.sets), up=claim.strict)
        self.scope = scope
        self.secret = secret[scope.items]
        self.mixed = claim.antecedents == "mixed"
        self.bound = np.array(
            [rho.numerator, rho.denominator, claim.strict, len(scope.sets)], dtype=np.int64
        )

    @property
    def usable(self) -> NDArray[np.bool_]:
        """The items an adversary may know."""
        return np.ones(len(self.secret), dtype=np.bool_) if self.mixed else ~self.secret

    def run(self, cap: int) -> tuple[int, int, str | None]:
        """Return the antecedents met, the items left open, and a rule that is too sure."""
        wide = len(self.scope.items) * self.scope.words * 64 > BITS
        table = self.scope.bits() if self.secret.any() and not wide else None
        met = left_open = 0
        for item in np.flatnonzero(self.secret).tolist():
            state, seen, known = CAPPED, 0, None
            if table is not None:
                state, seen, known = search(table, item, self.usable, self.bound, cap)
            met += seen
            if state == HOLDS:
                continue
            if state == CAPPED:
                left_open += 1
                known = self.short(item)
            if known is not None:
                return met, left_open, self.spoken(known, item)
        return met, left_open, None

    def few(self, known: int) -> tuple[int, int, NDArray[np.int64], tuple[int, int]]:
        """Try every antecedent of up to ``known`` items, as ``first_too_sure`` does."""
        rows, numbers = self.scope.rows, self.scope.numbered[1]
        may = self.usable[numbers]
        columns = [(rows[mask], numbers[mask]) for mask in (may, self.secret[numbers])]
        tables = [
            (
                np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(self.scope.sets)))]),
                item,
            )
            for row, item in columns
        ]
        sought = Sought(*tables[0], *tables[1], self.bound, known, STEPS)
        return first_too_sure(sought, len(self.secret))

    def short(self, item: int) -> NDArray[np.int64] | None:
        """Return an antecedent of up to two items from which ``item`` follows too surely.

        Where two items are the same, the pair is a single item; none at all is counted apart.
        """
        from scipy.sparse import csr_array

        ones = np.ones(len(self.scope.sets.items), dtype=np.int64)
        shape = (len(self.scope.sets), len(self.scope.items))
        matrix = csr_array((ones, self.scope.numbered[1], self.scope.sets.offsets), shape=shape)
        has = matrix[:, [item]].toarray().ravel() > 0
        with_item = matrix[has]
        known = np.flatnonzero(self.usable & (np.asarray(with_item.sum(axis=0)).ravel() > 0))
        known = known[known != item]
        beside, among = with_item[:, known], matrix[:, known]
        together = (beside.T @ beside).tocoo()
        all_of_them = (among.T @ among).tocsr()
        support = np.asarray(all_of_them[together.row, together.col]).ravel()
        broken = np.flatnonzero(self.too_sure(together.data, support - together.data))
        if self.too_sure(has.sum(), (~has).sum()):
            return np.empty(0, dtype=np.int64)
        if not len(broken):
            return None
        first = broken[0]
        return np.unique([known[together.row[first]], known[together.col[first]]])

    def too_sure(self, positives: Any, negatives: Any) -> Any:
        """Whether so many records with the item beside so many others break the bound."""
        numerator, denominator, strict, _ = self.bound.tolist()
        left, right = denominator * positives, numerator * (positives + negatives)
        return left >= right if strict else left > right

    def spoken(self, antecedent: NDArray[np.int64], item: int) -> str:
        """Say a rule, leaving out of its antecedent what is not needed to break the bound."""
        names = [self.scope.sets.vocabulary[number] for number in self.scope.items]
        records = [set(record) for record in self.scope.sets]
        known = {names[number] for number in antecedent.tolist()}
        for name in sorted(known):
            fitting = [record for record in records if known - {name} <= record]
            positives = sum(names[item] in record for record in fitting)
            if self.too_sure(positives, len(fitting) - positives):
                known.remove(name)
        fitting = [record for record in records if known <= record]
        positives = sum(names[item] in record for record in fitting)
        phrase = "{" + ", ".join(sorted(known)) + "}" if known else "nothing at all"
        return (
            f"in {self.scope.name}, of the {len(fitting)} records that fit who is known to hold "
            f"{phrase}, {positives} hold {names[item]}"
        )
