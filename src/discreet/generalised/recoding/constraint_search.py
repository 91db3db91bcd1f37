"""Sets generalised until constraints are met: what the compiled loops need, and their order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.generalised.kernels.block_merging import settle, tighten
from discreet.generalised.kernels.blocks import (
    MOST_ITEMS,
    Belief,
    Blocks,
    Groups,
    Needs,
    Rows,
    Work,
    nearest,
)
from discreet.kernels.ragged import offsets_of


def rows_of(folded: ItemsetHistogram) -> Rows:
    """Return distinct sets both ways: the items of each, and who holds each item."""
    sets = folded.sets
    starts, positions = sets.by_item
    # compiled code tells read-only arrays apart: these are made alike wherever they come from
    arrays = (sets.offsets.copy(), sets.items.copy(), folded.counts.copy())
    return Rows(*arrays, starts, sets.rows[positions])


def needs_of(itemsets: Sequence[Sequence[int]], least: Sequence[int], items: int) -> Needs:
    """Return constraints both ways: the items of each, and those that name each item."""
    sizes = np.array([len(each) for each in itemsets], dtype=np.int64)
    offsets = offsets_of(sizes)
    flat = np.fromiter((item for each in itemsets for item in each), np.int64, int(offsets[-1]))
    starts = offsets_of(np.bincount(flat, minlength=items))
    naming = np.repeat(np.arange(len(sizes)), sizes)[np.argsort(flat, kind="stable")]
    return Needs(offsets, flat, np.array(least, dtype=np.int64), starts, naming)


def groups_of(
    groups: Iterable[Sequence[int] | NDArray[np.int64]], items: int, share: Fraction
) -> Groups:
    """Return disjoint groups of items, of each of which a share may be suppressed."""
    lists = [np.sort(np.array(group, dtype=np.int64)) for group in groups]
    group = np.full(items, -1, dtype=np.int64)
    for number, members in enumerate(lists):
        group[members] = number
    sizes = [len(members) for members in lists]
    offsets = offsets_of(sizes)
    flat = np.concatenate([np.empty(0, dtype=np.int64), *lists])
    budget = np.array([int(size * share) for size in sizes], dtype=np.int64)
    return Groups(group, offsets, flat, budget)


@dataclass(frozen=True, eq=False)
class Generalising:
    """A partition of items under way, over the sets of people.

    >>> from discreet.core.transactions import Transactions
    >>> rows = rows_of(Transactions.of([["a", "b"], ["a"], ["c"]]).folded)
    >>> work = Generalising(rows)
    >>> groups = groups_of([[0, 1, 2]], 3, Fraction(0))
    >>> work.meet(needs_of([[1]], [2], 3), groups), work.blocks.block.tolist()
    (None, [0, 0, 2])
    """

    rows: Rows
    """The sets."""
    belief: Belief = Belief(np.zeros(0), np.zeros((0, 0), dtype=np.float32))  # noqa: RUF009 (fixed)
    """What an attacker would go by; by default nothing."""

    @cached_property
    def items(self) -> int:
        """How many items there are."""
        return len(self.rows.starts) - 1

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """For each item how many people hold it."""
        people = offsets_of(self.rows.counts[self.rows.holders])
        return np.diff(people[self.rows.starts])

    @cached_property
    def blocks(self) -> Blocks:
        """The partition, changed in place; at first every item is alone."""
        n = self.items
        none = np.full(n, -1, dtype=np.int64)
        zero = np.zeros(n, dtype=np.int64)
        ones = np.ones(n, dtype=np.int64)
        return Blocks(np.arange(n), none, zero, ones, self.supports.copy())

    @cached_property
    def work(self) -> Work:
        """Room to work in."""
        n = self.items
        seen, shared, bit = (np.zeros(n, dtype=np.int64) for _ in range(3))
        met = np.zeros(len(self.rows.counts), dtype=np.int64)
        live = np.zeros(MOST_ITEMS + 1, dtype=np.int64)
        return Work(np.zeros(2, dtype=np.int64), met, seen, shared, bit, live)

    def meet(
        self, needs: Needs, groups: Groups, *, every: bool = False, once: bool = False
    ) -> int | None:
        """Merge and suppress until all constraints are met; return the one that cannot be, if any.

        A constraint that nobody's set fits is met, and a later merge can change that: so the round
        over all of them is repeated until it finds none unmet, unless it is to go round ``once``.
        """
        unmet = self.unmet(needs)
        while len(unmet):
            failed = settle(
                self.rows, self.blocks, needs, groups, (unmet, every, self.belief), self.work
            )
            if failed >= 0:
                return failed
            if once:
                return None
            unmet = self.unmet(needs)
        return None

    def unmet(self, needs: Needs) -> NDArray[np.int64]:
        """Return the constraints that are not met, the nearest to it first."""
        people = nearest(self.rows, self.blocks, needs, self.work)
        unmet = np.flatnonzero(people)
        return unmet[np.lexsort((unmet, -people[unmet]))]

    def tighten(self, needs: Needs, groups: Groups, *, members: bool = False) -> None:
        """Give back all that need not be given up: no last merge is left that could be undone.

        With ``members`` none of them could be set free either (in blocks of up to 64).
        """
        while tighten(self.rows, self.blocks, needs, groups, members, self.work):
            pass

    def members(self, first: int) -> list[int]:
        """Return the members of the block that begins with an item, in the order of merging."""
        members = [first]
        while (item := int(self.blocks.next[members[-1]])) >= 0:
            members.append(item)
        return members
