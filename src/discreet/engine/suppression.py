"""Partial suppression: single occurrences deleted until no sensitive item follows too surely.

Jia, Pan, Xu, Zhu and Lo 2014, from what its descendants tell of it; the reconstruction is
described in docs/soundness/004.md.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.data.exact import in_small_terms
from discreet.data.itemsets import Itemsets
from discreet.engine.kernels.rules import too_sure

__all__ = ["Bound", "Heuristic", "Records"]

Heuristic: TypeAlias = Literal["num", "dist"]
"""Delete the item that needs the fewest deletions, or the fewest for its frequency."""
Rule: TypeAlias = tuple[tuple[int, ...], int]
"""An antecedent and the sensitive item that follows from it."""

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

    def broken(self, held: int, support: int) -> bool:
        """Whether ``held`` of ``support`` records are too many."""
        left, right = held * self.rho.denominator, self.rho.numerator * support
        return left > right or (self.strict and held > 0 and left == right)

    def needed(self, held: int, support: int, *, antecedent: bool) -> int:
        """How many of the ``held`` records must lose an item, the sensitive one or a known one."""
        num, den = self.rho.numerator, self.rho.denominator
        slope = den - num if antecedent else den
        if not slope:
            return held
        excess = held * den - num * support
        # the smallest whole number at or, where rho itself is too high, above the quotient
        up = excess // slope + 1 if self.strict else -(-excess // slope)
        return min(max(up, 1), held)


class Records:
    """Sets of numbered items from which single occurrences can be deleted and put back."""

    def __init__(
        self,
        sets: Itemsets,
        secret: NDArray[np.bool_],
        bound: Bound,
        *,
        everywhere: NDArray[np.int64] | None = None,
        price: NDArray[np.int64] | None = None,
        tried: int = TRIED,
    ) -> None:
        self.sets = sets
        self.secret = secret
        self.bound = bound
        words = max(1, -(-len(sets) // 64))
        rows = np.repeat(np.arange(len(sets)), sets.sizes)
        self.bits = np.zeros((len(sets.vocabulary), words), dtype=np.uint64)
        at = np.uint64(1) << (rows & 63).astype(np.uint64)
        np.bitwise_or.at(self.bits, (sets.items, rows >> 6), at)
        everyone = np.packbits(np.ones(len(sets), dtype=np.uint8), bitorder="little")
        self._all = np.zeros(words, dtype=np.uint64)
        self._all.view(np.uint8)[: len(everyone)] = everyone
        self.sizes = sets.sizes.copy()
        here = np.bincount(sets.items, minlength=len(sets.vocabulary))
        # how often each item occurs in records that are not among these
        self.elsewhere = np.zeros_like(here) if everywhere is None else everywhere - here
        self.deleted: list[tuple[int, int]] = []
        self.price: list[int] = [1] * len(secret) if price is None else price.tolist()
        self.spent = 0
        rho = in_small_terms(bound.rho, len(sets), up=bound.strict)
        self._bound = np.array(
            [rho.numerator, rho.denominator, bound.strict, len(sets), tried], dtype=np.int64
        )
        self._usable = np.ones(len(secret), dtype=np.bool_) if bound.mixed else ~secret

    def support(self, items: Iterable[int]) -> NDArray[np.uint64]:
        """Return the records that hold all of these items, as bits."""
        words = self._all.copy()
        for item in items:
            words &= self.bits[item]
        return words

    def counts(self, rule: Rule) -> tuple[int, int]:
        """Return how many records hold a rule's antecedent with its sensitive item, and in all."""
        known = self.support(rule[0])
        return _ones(known & self.bits[rule[1]]), _ones(known)

    def rows_of(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the records that the bits mark."""
        return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))

    def rules(self, secrets: Iterable[int]) -> tuple[set[Rule], list[int]]:
        """Return rules that are too sure, and the items with too many antecedents to try all."""
        found: set[Rule] = set()
        untried: list[int] = []
        for item in secrets:
            complete, starts, known = self._broken(item, self._usable, LISTED)
            spoken = known.tolist()
            cuts = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
            found.update((tuple(sorted(spoken[low:high])), item) for low, high in cuts)
            if not complete and len(starts) == 1:
                untried.append(item)
        return found, untried

    def _broken(
        self, item: int, usable: NDArray[np.bool_], limit: int
    ) -> tuple[bool, NDArray[np.int64], NDArray[np.int64]]:
        offsets, items = self.sets.offsets, self.sets.items
        return too_sure(offsets, items, self.bits, item, usable, self._bound, limit)

    def safe(self) -> bool:
        """Whether no sensitive item follows too surely, as far as that can be tried."""
        found, untried = self.rules(self.present())
        return not found and not untried

    def present(self) -> list[int]:
        """Return the sensitive items that some record still holds."""
        held = self.bits[self.secret].any(axis=1)
        there: list[int] = np.flatnonzero(self.secret)[held].tolist()
        return there

    def delete(self, row: int, item: int) -> None:
        """Delete one occurrence."""
        self.bits[item, row >> 6] &= ~(np.uint64(1) << np.uint64(row & 63))
        self.sizes[row] -= 1
        self.deleted.append((row, item))
        self.spent += self.price[item]

    def held(self, item: int) -> int:
        """Return how many records hold the item."""
        return _ones(self.bits[item])

    def clear(self, item: int) -> None:
        """Delete an item everywhere."""
        self.sizes[self.rows_of(self.bits[item])] -= 1
        self.bits[item] = 0

    def restore(self, item: int) -> None:
        """Put an item that was deleted everywhere back wherever it was."""
        rows = np.repeat(np.arange(len(self.sets)), self.sets.sizes)[self.sets.items == item]
        at = np.uint64(1) << (rows & 63).astype(np.uint64)
        np.bitwise_or.at(self.bits[item], rows >> 6, at)
        self.sizes[rows] += 1

    def suppress(
        self, heuristic: Heuristic, most_secrets: int | None = None, most: int | None = None
    ) -> bool:
        """Delete occurrences until nothing follows too surely.

        It gives up, and says so, as soon as more sensitive occurrences than ``most_secrets`` are
        gone, or occurrences with a price of more than ``most``.
        """
        todo = self.present()
        while todo:
            found, untried = self.rules(todo)
            before = len(self.deleted)
            for item in untried:
                for row in self.rows_of(self.bits[item]).tolist():
                    self.delete(row, item)
            hit = Counter(item for known, secret in found for item in (*known, secret))
            for rule in self._surest_first(found):
                self._mend(rule, hit, heuristic)
                if most is not None and self.spent > most:
                    return False
            if most_secrets is not None and self.secrets_lost() > most_secrets:
                return False
            todo = self._shaken(self.deleted[before:], {item for _, item in found})
        return True

    def secrets_lost(self) -> int:
        """Return how many sensitive occurrences are deleted."""
        return sum(bool(self.secret[item]) for _, item in self.deleted)

    def _shaken(self, gone: list[tuple[int, int]], broken: set[int]) -> list[int]:
        """Return the sensitive items whose rules may have become surer, and the broken ones.

        A rule gets surer only when an item of its antecedent goes, so some record holds that
        item beside the sensitive one.
        """
        near = np.zeros(self.bits.shape[1], dtype=np.uint64)
        for item in {item for _, item in gone}:
            near |= self.bits[item]
        secrets = np.flatnonzero(self.secret)
        beside = (self.bits[secrets] & near).any(axis=1)
        return sorted(broken.union(secrets[beside].tolist()).intersection(self.present()))

    def _surest_first(self, found: Iterable[Rule]) -> list[Rule]:
        """Return the rules, the surest first, of equally sure ones those that need less."""
        rules = sorted(found)
        counted = {rule: self.counts(rule) for rule in rules}
        return sorted(rules, key=lambda rule: (-counted[rule][0] / counted[rule][1], len(rule[0])))

    def _mend(self, rule: Rule, hit: Counter[int], heuristic: Heuristic) -> None:
        """Mend a rule if it is still broken when its turn comes.

        The best of its items goes from as many of the records that hold all of it as needed, the
        longest first.
        """
        known, secret = rule
        held, support = self.counts(rule)
        if not self.bound.broken(held, support):
            return
        choices = []
        for item in (*known, secret):
            need = self.bound.needed(held, support, antecedent=item != secret)
            cost: Fraction | int = need
            if heuristic == "dist":
                often = self.held(item) + int(self.elsewhere[item])
                cost = Fraction(need, often * hit[item])
            choices.append((cost, item == secret, item, need))
        _, _, item, need = min(choices)
        rows = self.rows_of(self.support((*known, secret)))
        longest = rows[np.argsort(-self.sizes[rows], kind="stable")]
        for row in longest[:need].tolist():
            self.delete(row, item)

    def put_back(self) -> int:
        """Put back every deleted occurrence that can be; sensitive ones first, then the others.

        Goes round until none can be: what is put back makes some rules less sure. Returns how
        many came back.
        """
        back = 0
        moved = True
        while moved:
            moved = False
            waiting = sorted(self.deleted, key=lambda gone: not self.secret[gone[1]])
            self.deleted = []
            for row, item in waiting:
                if self._returns(row, item):
                    back += 1
                    moved = True
                else:
                    self.deleted.append((row, item))
            moved = moved and bool(self.deleted)
        return back

    def _returns(self, row: int, item: int) -> bool:
        """Put one occurrence back unless that makes a rule too sure.

        Only rules that the record itself fits, with the item among them, get surer.
        """
        word, bit = row >> 6, np.uint64(1) << np.uint64(row & 63)
        self.bits[item, word] |= bit
        usable = np.zeros(len(self.secret), dtype=np.bool_)
        mine = self.sets.items[self.sets.offsets[row] : self.sets.offsets[row + 1]]
        mine = mine[(self.bits[mine, word] & bit) != 0]
        usable[mine] = self._usable[mine]
        for secret in mine[self.secret[mine]].tolist():
            complete, starts, _ = self._broken(secret, usable, 1)
            if not complete or len(starts) > 1:
                self.bits[item, word] &= ~bit
                return False
        self.sizes[row] += 1
        return True

    def left(self) -> Itemsets:
        """Return the records with what is left of them."""
        rows = np.repeat(np.arange(len(self.sets)), self.sets.sizes)
        bit = np.uint64(1) << (rows & 63).astype(np.uint64)
        stays = (self.bits[self.sets.items, rows >> 6] & bit) != 0
        offsets = np.zeros(len(self.sets) + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows[stays], minlength=len(self.sets)), out=offsets[1:])
        return Itemsets(offsets, self.sets.items[stays], self.sets.vocabulary)


def _ones(words: NDArray[np.uint64]) -> int:
    return int(np.bitwise_count(words).sum())
