"""A partition of items that meets the owner's constraints, or a refusal that says a way out."""

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.constraints import Constraints
from discreet.core.exact import exact
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import numbering
from discreet.errors import InfeasibleError
from discreet.generalised.merging.beliefs import belief_of
from discreet.generalised.merging.constraints import utility_of
from discreet.generalised.recoding.constraint_search import (
    Generalising,
    groups_of,
    needs_of,
    rows_of,
)

if TYPE_CHECKING:
    from discreet.generalised.merging.choices import Merging


class Constrained:
    """Constraints as numbers, and how to meet them within the utility sets."""

    def __init__(
        self, method: "Merging", folded: ItemsetHistogram, constraints: Constraints
    ) -> None:
        universe = folded.sets.vocabulary
        number = numbering(universe)
        self.method, self.items = method, len(universe)
        self.rows = rows_of(folded)
        self.groups = utility_of(method, universe, constraints)
        # an item that nobody has fits nobody, whatever is merged
        self.itemsets = [[number[item] for item in p if item in number] for p in constraints]
        self.constraints = constraints
        self.belief = belief_of(folded, method.resist)

    def partition(self) -> NDArray[np.int64]:
        """Return the first member of each item's block, -1 for a suppressed item."""
        share = exact("suppress", self.method.suppress) / 100
        merged = self._merged(share)
        # Differs from the paper: there what can be merged is merged, however much that loses.
        alone = self._suppressed(share)
        if alone is not None and _loss(alone) < _loss(merged):
            return alone.blocks.block
        return merged.blocks.block

    def _merged(self, share: Fraction) -> Generalising:
        """Return blocks that meet the constraints, and items suppressed where none would."""
        failed, work = self._met(self.method.k, share)
        if failed is None:
            return work
        # what is suppressed on the way and comes back at the end does not count
        _, free = self._met(self.method.k, Fraction(1))
        if (need := self._gone(free)) <= share:
            return free
        raise self._refusal(failed, need)

    def _suppressed(self, share: Fraction) -> Generalising | None:
        """Return items suppressed and none merged, where that is asked for and within the limit."""
        if not share or self.method.rounds == "once":
            return None
        # an item in no utility set can only be suppressed
        _, work = self._met(self.method.k, share, merging=False)
        return work if self._gone(work) <= share else None

    def _gone(self, work: Generalising) -> Fraction:
        """Return the largest share of a utility set that is suppressed."""
        gone = work.blocks.block < 0
        shares = (Fraction(int(gone[g].sum()), len(g)) for g in self.groups if len(g))
        return max(shares, default=Fraction(0))

    def _met(
        self, k: int, share: Fraction, *, merging: bool = True
    ) -> tuple[int | None, Generalising]:
        work = Generalising(self.rows, self.belief)
        least = [support for _, support in self.constraints.needs(k)]
        needs = needs_of(self.itemsets, least, self.items)
        groups = groups_of(self.groups if merging else [], self.items, share)
        once = self.method.rounds == "once"
        failed = work.meet(needs, groups, every=self.method.every, once=once)
        if failed is None and not once:
            work.tighten(needs, groups, members=self.method.undo == "members")
        return failed, work

    def _refusal(self, failed: int, need: Fraction) -> InfeasibleError:
        """Say which constraint cannot be met, and the nearest choices with which all can be."""
        ways = [f"`suppress` {-(-need * 100 // 1)}"]
        if (lower := self._largest_k()) > 0:
            ways.append(f"`k` {lower}")
        msg = (
            f"constraint {failed + 1} cannot be met within the utility sets when at most "
            f"{self.method.suppress} percent of a set may be suppressed; it can with "
            f"{' or with '.join(ways)}"
        )
        return InfeasibleError(msg)

    def _largest_k(self) -> int:
        """Return a k below the one chosen that works, found by halving; 0 if none does."""
        share = exact("suppress", self.method.suppress) / 100
        works, fails = 0, self.method.k
        while fails - works > 1:
            middle = (works + fails) // 2
            if self._met(middle, share)[0] is None:
                works = middle
            else:
                fails = middle
        return works


def _loss(work: Generalising) -> float:
    """Return the utility loss of Loukides et al. 2011: of blocks and of suppression, in people.

    A block of s of the n items that occur loses ``(2^s - 1) / (2^n - 1)`` for each person who holds
    it, a suppressed occurrence 1.
    """
    blocks, occurring = work.blocks, max(1, int((work.supports > 0).sum()))
    first = np.unique(blocks.block[blocks.block >= 0])
    merged = first[blocks.size[first] > 1]
    all_items = 1 - 2.0**-occurring
    shares = np.exp2(blocks.size[merged] - float(occurring)) - 2.0**-occurring
    suppressed = float(work.supports[blocks.block < 0].sum())
    return float((shares / all_items * blocks.support[merged]).sum()) + suppressed
