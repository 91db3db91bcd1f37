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
from discreet.generalised.believing import belief_of
from discreet.generalised.constraining import utility_of
from discreet.generalised.constraint_search import Generalising, asked_of, groups_of, rows_of

if TYPE_CHECKING:
    from discreet.generalised.merging import Merging


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
        failed, work = self._met(self.method.k, share)
        if failed is None:
            return work.blocks.block
        # what is suppressed on the way and comes back at the end does not count
        _, free = self._met(self.method.k, Fraction(1))
        gone = free.blocks.block < 0
        need = max((Fraction(int(gone[g].sum()), len(g)) for g in self.groups), default=Fraction(0))
        if need <= share:
            return free.blocks.block
        raise self._refusal(failed, need)

    def _met(self, k: int, share: Fraction) -> tuple[int | None, Generalising]:
        work = Generalising(self.rows, self.belief)
        least = [support for _, support in self.constraints.needs(k)]
        asked = asked_of(self.itemsets, least, self.items)
        groups = groups_of(self.groups, self.items, share)
        once = self.method.rounds == "once"
        failed = work.meet(asked, groups, every=self.method.every, once=once)
        if failed is None and not once:
            work.tighten(asked, groups, members=self.method.undo == "members")
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
