"""Partial suppression: single occurrences deleted until no sensitive item follows too surely.

Jia, Pan, Xu, Zhu and Lo 2014, from what its descendants tell of it; the reconstruction is
described in soundness note 004.
"""

from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import in_small_terms
from discreet.core.itemsets import Itemsets
from discreet.kernels.ragged import offsets_of
from discreet.networks.kernels.few_items import FEW_ITEMS, returned_by_table
from discreet.networks.kernels.few_known import Around, relieved, restored
from discreet.networks.kernels.holders import Incidence, broken
from discreet.networks.kernels.mending import counted, mended, returned
from discreet.networks.kernels.rule_lists import Rules, all_too_sure, shaken
from discreet.networks.kernels.rules import too_sure

Heuristic: TypeAlias = Literal["num", "dist"]
"""Delete the item that needs the fewest deletions, or the fewest for its frequency."""
Ints: TypeAlias = NDArray[np.int64]

TRIED = 5_000_000
"""Most antecedents tried for one item; an item with more is deleted rather than trusted."""
LISTED = 256
"""Most rules listed for one item at once; the others are met in the next round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The largest confidence with which a sensitive item may follow."""

    rho: Fraction
    """The confidence."""
    mixed: bool = True
    """Whether sensitive items may be known too."""
    strict: bool = False
    """Whether rho itself is already too high."""
    known: int | None = None
    """Most items known; None: any number."""
    names_first: Fraction = Fraction(1, 5)
    """Where few items are known, the share of a record's names that may go before a secret does."""


class Records:
    """Sets of numbered items from which single occurrences can be deleted and put back."""

    def __init__(  # noqa: PLR0913 (how it works is said beside what it works on)
        self,
        sets: Itemsets,
        secret: NDArray[np.bool_],
        bound: Bound,
        *,
        everywhere: NDArray[np.int64] | None = None,
        price: NDArray[np.int64] | None = None,
        tried: int = TRIED,
        few_items: int = FEW_ITEMS,
    ) -> None:
        self.sets = sets
        self.secret = secret
        self.bound = bound
        words = max(1, -(-len(sets) // 64))
        rows = sets.rows
        self.bits = np.zeros((len(sets.vocabulary), words), dtype=np.uint64)
        at = np.uint64(1) << (rows & 63).astype(np.uint64)
        np.bitwise_or.at(self.bits, (sets.items, rows >> 6), at)
        self.sizes = sets.sizes.copy()
        ends, positions = sets.by_item
        supports = np.diff(ends)
        self._index = Incidence(
            *(sets.offsets, sets.items, self.bits),
            ends=ends,
            rows=rows[positions],
            blank=np.zeros(len(supports), dtype=np.int64),
        )
        self.counts = supports.copy()
        # how often each item occurs in records that are not among these
        self.elsewhere = np.zeros_like(supports) if everywhere is None else everywhere - supports
        self.deleted: list[tuple[int, int]] = []
        self.price = np.ones(len(secret), dtype=np.int64) if price is None else price
        self.spent = 0
        rho = in_small_terms(bound.rho, len(sets), up=bound.strict)
        self._bound = np.array(
            [rho.numerator, rho.denominator, bound.strict, len(sets), tried], dtype=np.int64
        )
        self._usable = np.ones(len(secret), dtype=np.bool_) if bound.mixed else ~secret
        self._few_items = few_items

    def copied(self) -> "Records":
        """Return the same records, to be changed by themselves."""
        same = copy(self)
        same.bits, same.sizes, same.counts = self.bits.copy(), self.sizes.copy(), self.counts.copy()
        same._index = self._index._replace(bits=same.bits)
        same.deleted = list(self.deleted)
        return same

    def rows_of(self, item: int) -> NDArray[np.int64]:
        """Return the records that hold an item, ascending."""
        rows = self._at_first(item)
        return rows[self.hold(rows, item)]

    def hold(self, rows: NDArray[np.int64], items: NDArray[Any] | int) -> NDArray[np.bool_]:
        """Return for each record whether it still holds the item beside it."""
        bit = np.uint64(1) << (rows & 63).astype(np.uint64)
        return np.asarray((self.bits[items, rows >> 6] & bit) != 0)

    def _at_first(self, item: int) -> NDArray[np.int64]:
        """Return the records that held an item before anything was deleted."""
        return self._index.rows[self._index.ends[item] : self._index.ends[item + 1]]

    def rules(self, secrets: Ints) -> tuple[Rules, list[int]]:
        """Return rules that are too sure, and the items with too many antecedents to try all.

        Such items must go, and the rules that begin with one of them go with it.
        """
        untried, rules = all_too_sure(self._index, secrets, self._usable, self._bound, LISTED)
        return rules, secrets[untried].tolist()

    def safe(self) -> bool:
        """Whether no sensitive item follows too surely, as far as that can be tried."""
        return not any(self._too_sure(item, -1) for item in self.present().tolist())

    def _too_sure(self, secret: int, must: int) -> bool:
        """Whether an item follows too surely from some antecedent with ``must`` (-1: any)."""
        complete, starts, _ = too_sure(self._index, secret, must, self._usable, self._bound, 1)
        return not complete or len(starts) > 1

    def present(self) -> Ints:
        """Return the sensitive items that some record still holds."""
        return np.flatnonzero(self.secret & (self.counts > 0))

    def delete(self, row: int, item: int) -> None:
        """Delete one occurrence."""
        self.bits[item, row >> 6] &= ~(np.uint64(1) << np.uint64(row & 63))
        self.sizes[row] -= 1
        self.counts[item] -= 1
        self.deleted.append((row, item))
        self.spent += int(self.price[item])

    def delete_everywhere(self, item: int) -> None:
        """Delete each occurrence of an item, so that any of them may be put back."""
        for row in self.rows_of(item).tolist():
            self.delete(row, item)

    def clear(self, item: int) -> None:
        """Delete an item as a whole: it can be restored as a whole."""
        self.sizes[self.rows_of(item)] -= 1
        self.bits[item] = 0
        self.counts[item] = 0

    def restore(self, item: int) -> bool:
        """Put an item that was deleted everywhere back, unless that makes a rule too sure.

        What else is there must be safe, so only rules with this item can be too sure.
        """
        rows = self._at_first(item)
        np.bitwise_or.at(self.bits[item], rows >> 6, np.uint64(1) << (rows & 63).astype(np.uint64))
        self.sizes[rows] += 1
        self.counts[item] = len(rows)
        beside = [
            other for other in self.present().tolist() if other != item and self._usable[item]
        ]
        fine = not (self.secret[item] and self._too_sure(item, -1))
        fine = fine and not any(self._too_sure(other, item) for other in beside)
        if not fine:
            self.clear(item)
        return fine

    def suppress(
        self, heuristic: Heuristic, most_secrets: int | None = None, most: int | None = None
    ) -> bool:
        """Delete occurrences until nothing follows too surely.

        It gives up, and says so, as soon as more sensitive occurrences than ``most_secrets`` are
        gone, or occurrences with a price of more than ``most``.
        """
        if self.bound.known is not None:
            self._suppress_few(self.bound.known)
            within = most_secrets is None or self.secrets_lost() <= most_secrets
            return within and (most is None or self.spent <= most)
        todo = self.present()
        while len(todo):
            rules, untried = self.rules(todo)
            before = len(self.deleted)
            for item in untried:
                self.delete_everywhere(item)
            if not self._mend(without_items(rules, untried), heuristic, most):
                return False
            if most_secrets is not None and self.secrets_lost() > most_secrets:
                return False
            gone = _items_of(self.deleted[before:])
            todo = shaken(self._index, self.secret, self.counts, gone, rules.ends)
        return True

    def _suppress_few(self, known: int) -> None:
        """Delete occurrences until nothing follows too surely from up to ``known`` items."""
        for item in self.present().tolist():
            # nothing known: only the number of holders counts
            rows = self.rows_of(item)
            for row in rows[np.argsort(-self.sizes[rows], kind="stable")].tolist():
                if not broken(
                    int(self.counts[item]), len(self.sets) - self.counts[item], self._bound
                ):
                    break
                self.delete(row, item)
        share = self.bound.names_first.numerator, self.bound.names_first.denominator
        waiting = np.ones(len(self.sets), dtype=np.bool_)
        rows, items = relieved(self._index, self._around(known), waiting, share)
        np.subtract.at(self.sizes, rows, 1)
        np.subtract.at(self.counts, items, 1)
        self.spent += int(self.price[items].sum())
        self.deleted += zip(rows.tolist(), items.tolist(), strict=True)

    def _around(self, known: int) -> Around:
        return Around(self.secret, self._usable, self._bound, known)

    def secrets_lost(self) -> int:
        """Return how many sensitive occurrences are deleted."""
        return int(np.count_nonzero(self.secret[_items_of(self.deleted)]))

    def _mend(self, rules: Rules, heuristic: Heuristic, most: int | None) -> bool:
        """Mend each rule if it is still broken when its turn comes; False if too much is spent.

        The surest comes first, of equally sure ones the one that needs less. The best of its
        items goes from as many of the records that hold all of it as needed, the longest first.
        """
        if not len(rules.ends):
            return True
        order = np.lexsort((np.diff(rules.starts), -counted(self._index, rules)))
        hit = np.zeros_like(self.counts)
        if heuristic == "dist":
            hit += np.bincount(np.concatenate([rules.items, rules.ends]), minlength=len(hit))
        often = self.counts + self.elsewhere
        left = -1 if most is None else max(most - self.spent, 0)
        prices = np.append(self.price, left)
        spent, rows, items = mended(
            self._index, rules, order, self._bound, prices, (self.sizes, often, hit)
        )
        self.counts = often - self.elsewhere
        self.spent += spent
        self.deleted += zip(rows.tolist(), items.tolist(), strict=True)
        return most is None or self.spent <= most

    def put_back(self) -> None:
        """Put back every deleted occurrence that can be; sensitive ones first, then the others.

        Goes round until none can be: what is put back makes some rules less sure.
        """
        moved = True
        while moved:
            waiting = sorted(self.deleted, key=lambda gone: not self.secret[gone[1]])
            rows, items = np.array(waiting, dtype=np.int64).reshape(-1, 2).T.copy()
            if self.bound.known is None:
                way = returned_by_table if len(self.secret) <= self._few_items else returned
                fine = way(
                    self._index, (rows, items), self.secret, self._usable, self._bound, self.sizes
                )
                self.counts += np.bincount(items[fine], minlength=len(self.counts))
            else:
                around = self._around(self.bound.known)
                fine = restored(self._index, around, (rows, items), self.counts)
                np.add.at(self.sizes, rows[fine], 1)
            self.deleted = [gone for gone, there in zip(waiting, fine, strict=True) if not there]
            moved = bool(fine.any()) and bool(self.deleted)

    def left(self) -> Itemsets:
        """Return the records with what is left of them."""
        return self.sets.only(self.hold(self.sets.rows, self.sets.items))


def without_items(rules: Rules, gone: list[int]) -> Rules:
    """Return the rules that begin with none of these items."""
    if not gone:
        return rules
    sizes = np.diff(rules.starts)
    rule = np.repeat(np.arange(len(sizes)), sizes)
    broken_off = np.zeros(len(sizes), dtype=np.bool_)
    broken_off[rule[np.isin(rules.items, gone)]] = True
    left = ~broken_off
    return Rules(offsets_of(sizes[left]), rules.items[left[rule]], rules.ends[left])


def _items_of(occurrences: list[tuple[int, int]]) -> Ints:
    """Return the items of records and items."""
    return np.array([item for _, item in occurrences], dtype=np.int64)
