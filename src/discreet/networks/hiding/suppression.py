"""Partial suppression: single occurrences deleted until no sensitive item follows too surely.

Jia, Pan, Xu, Zhu and Lo 2014, from what its descendants tell of it; the reconstruction is
described in soundness note 004.
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import in_small_terms
from discreet.core.itemsets import Itemsets
from discreet.networks.kernels.few_items import quicker_by_table, returned_by_table
from discreet.networks.kernels.few_known import Around, relieved, restored
from discreet.networks.kernels.holders import Incidence, broken
from discreet.networks.kernels.mending import suppressed
from discreet.networks.kernels.pruning import (
    GONE,
    LOST,
    SPENT,
    Pruned,
    clear_all,
    delete_all,
    held_of,
    put_all_back,
    returned_are,
    secrets_first,
)
from discreet.networks.kernels.returning import put_back
from discreet.networks.kernels.rule_lists import Rules, all_too_sure
from discreet.networks.kernels.rules import too_sure
from discreet.networks.kernels.set_counts import SetCounts, set_counts

Heuristic: TypeAlias = Literal["num", "dist"]
"""Delete the item that needs the fewest deletions, or the fewest for its frequency."""
Ints: TypeAlias = NDArray[np.int64]

TRIED = 5_000_000
"""Most antecedents tried for one item; an item with more is deleted rather than trusted."""
LISTED = 256
"""Most rules listed for one item at once; the others are met in the next round."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bound:
    """The largest confidence with which a sensitive item may follow.

    One bound is asked about again and again, and to hash its fractions takes longer than to answer:
    so it is equal to nothing but itself.
    """

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


@lru_cache
def in_numbers(bound: Bound, records: int, tried: int = TRIED) -> Ints:
    """Return the bound as kernels want it (``holders.BOUND``); groups of a size share it."""
    rho = in_small_terms(bound.rho, records, up=bound.strict)
    return np.array([rho.numerator, rho.denominator, bound.strict, records, tried], dtype=np.int64)


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
        held: Incidence | None = None,
        tried: int = TRIED,
        table: bool | None = None,
    ) -> None:
        self.sets = sets
        self.secret = secret
        self.bound = bound
        if held is None:
            held = held_of(sets.rows, sets.items.astype(np.int64), len(sets), len(secret))
        self.held, self.bits = held, held.bits
        self.sizes = held.offsets[1:] - held.offsets[:-1]
        self.counts = held.ends[1:] - held.ends[:-1]
        self._bound = in_numbers(bound, len(sets), tried)
        self._usable = ~secret | bound.mixed
        # the same either way: by a table of supports, or by a search
        self._table = table
        if table is None:
            table = quicker_by_table(len(secret), len(sets), len(sets.items))
        self._by_table = table
        gone = np.empty((2, len(sets.items)), dtype=np.int64)
        self._pruned = Pruned(
            *(self.held, secret, self._usable),
            price=np.ones_like(self.counts) if price is None else price,
            sizes=self.sizes,
            counts=self.counts,
            elsewhere=(self.counts if everywhere is None else everywhere) - self.counts,
            rows=gone[0],
            items=gone[1],
            totals=np.zeros(3, dtype=np.int64),
        )

    @property
    def gone(self) -> tuple[Ints, Ints]:
        """The records and the items of what is deleted."""
        count = self._pruned.totals[GONE]
        return self._pruned.rows[:count], self._pruned.items[:count]

    @property
    def deleted(self) -> list[tuple[int, int]]:
        """What is deleted, as records and items."""
        rows, items = self.gone
        return list(zip(rows.tolist(), items.tolist(), strict=True))

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
        return self.held.rows[self.held.ends[item] : self.held.ends[item + 1]]

    def rules(self, secrets: Ints) -> tuple[Rules, list[int]]:
        """Return rules that are too sure, and the items with too many antecedents to try all.

        Such items must go, and the rules that begin with one of them go with it.
        """
        untried, rules = all_too_sure(self.held, secrets, self._usable, self._bound, LISTED)
        return rules, secrets[untried].tolist()

    def safe(self) -> bool:
        """Whether no sensitive item follows too surely, as far as that can be tried."""
        return not any(self._too_sure(item, -1) for item in self.present().tolist())

    def _too_sure(self, secret: int, must: int) -> bool:
        """Whether an item follows too surely from some antecedent with ``must`` (-1: any)."""
        complete, starts, _ = too_sure(self.held, secret, must, self._usable, self._bound, 1)
        return not complete or len(starts) > 1

    def present(self) -> Ints:
        """Return the sensitive items that some record still holds."""
        return np.flatnonzero(self.secret & (self.counts > 0))

    def delete(self, rows: Ints, items: Ints) -> None:
        """Delete these occurrences."""
        delete_all(self._pruned, rows, items)

    def delete_everywhere(self, item: int) -> None:
        """Delete each occurrence of an item, so that any of them may be put back."""
        clear_all(self._pruned, np.array([item]))

    def only_names(self) -> None:
        """Delete every secret, which is safe, and put back those that may stay beside all names."""
        clear_all(self._pruned, self.present())
        self.put_back()

    def only_frequent_names(self, below: Fraction | int) -> bool:
        """Delete rare names, as few as make it safe, and put back those that may stay.

        Nothing is deleted, and that is the answer, where they cost ``below`` or more.
        """
        names = self.rare_names(below)
        clear_all(self._pruned, np.array(names, dtype=np.int64))
        self.put_back()
        return bool(names)

    def rare_names(self, below: Fraction | int) -> list[int]:
        """Return the names that fewest hold, as many as must go so that nothing follows too surely.

        None of them where they cost ``below`` or more. What is enough stays enough if more names
        go: the others keep their holders, and fewer antecedents are left.
        """
        names = np.flatnonzero(~self.secret & (self.counts > 0))
        names = names[np.argsort(self.counts[names], kind="stable")]
        costs = np.cumsum(self.counts[names] * self._pruned.price[names])
        # names that equally many hold go together
        ends = np.flatnonzero(np.diff(self.counts[names], append=-1)) + 1
        sizes = [0, *ends[costs[ends - 1] < ceil(below)].tolist()]
        if not sizes[-1] or not self._safe_without(names[: sizes[-1]]):
            return []
        least = bisect_left(sizes, 1, key=lambda size: int(self._safe_without(names[:size])))
        chosen: list[int] = names[: sizes[least]].tolist()
        return chosen

    def _safe_without(self, items: Ints) -> bool:
        """Whether nothing follows too surely once these are deleted; they are put back after."""
        clear_all(self._pruned, items)
        if self.bound.known is None:
            fine = self.safe()
        else:
            gone = len(self.gone[0])
            self._suppress_few(self.bound.known)
            fine = len(self.gone[0]) == gone
        self.undelete()
        return fine

    def undelete(self) -> None:
        """Put back whatever is deleted, safe or not."""
        put_all_back(self._pruned)

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
        allowed = (-1 if most_secrets is None else most_secrets, -1 if most is None else most)
        return suppressed(self._pruned, self._bound, allowed, LISTED, heuristic == "dist")

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
                self.delete(np.array([row]), np.array([item]))
        share = self.bound.names_first.numerator, self.bound.names_first.denominator
        self.delete(*relieved(self.held, self._around(known), share, self._set_counts(known)))

    def _around(self, known: int) -> Around:
        return Around(self.secret, self._usable, self._bound, known)

    def _set_counts(self, known: int) -> SetCounts:
        """Return how many records hold each set that may be known, where that is quicker."""
        return set_counts(self.held, self.secret, self._usable, known, self._table)

    @property
    def spent(self) -> int:
        """What all deletions cost, also of what was put back."""
        return int(self._pruned.totals[SPENT])

    def secrets_lost(self) -> int:
        """Return how many sensitive occurrences are deleted."""
        return int(self._pruned.totals[LOST])

    def put_back(self) -> None:
        """Put back every deleted occurrence that can be; sensitive ones first, then the others."""
        if not self._pruned.totals[GONE]:
            return
        if self.bound.known is None and not self._by_table:
            put_back(self._pruned, self._bound)
            return
        secrets_first(self._pruned)
        if self.bound.known is not None:
            around, table = self._around(self.bound.known), self._set_counts(self.bound.known)
            back = restored(self._pruned, around, table)
        else:
            back = returned_by_table(self._pruned, self._bound)
        returned_are(self._pruned, back)

    def left(self) -> Itemsets:
        """Return the records with what is left of them."""
        return self.sets.only(self.hold(self.sets.rows, self.sets.items))
