"""Which occurrences can be published: as many as k^m-anonymity allows, of the best stand-ins."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.generalised.kernels.occurrences import Occurrences, put_back
from discreet.rng import Rng

WORK = 500_000
"""Sets of m items that may be looked at in attempts to do better."""
MOST_TRIES = 60
"""Attempts to do better, at most."""
LEAST_TRIES = 20
"""Attempts below which none is made where one item is known: they take longer than the rest."""


@dataclass(frozen=True, eq=False)
class Suppressing:
    """Sets in which any up to m published items are to fit k people or nobody."""

    folded: ItemsetHistogram
    """The sets, of items or of what stands for them."""
    worth: NDArray[np.float64]
    """What an occurrence of each item is worth."""
    k: int
    """People that known items must fit."""
    m: int
    """Items known at most."""

    @cached_property
    def nothing(self) -> Occurrences:
        """The sets with nothing published."""
        sets = self.folded.sets
        starts, positions = sets.by_item
        rows = (sets.offsets.copy(), sets.items.copy(), self.folded.counts.copy())
        nothing = np.zeros(len(sets.items), np.bool_)
        return Occurrences(*rows, starts, sets.rows[positions], positions, nothing)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The items, those whose occurrences are worth most first."""
        return np.argsort(-(self.worth * self.folded.supports), kind="stable")

    def value(self, published: NDArray[np.bool_]) -> float:
        """Return what all published occurrences are worth together."""
        sets = self.folded.sets
        people = np.repeat(self.folded.counts, sets.sizes)
        return float((self.worth[sets.items] * people)[published].sum())

    def of_items(self) -> NDArray[np.bool_]:
        """Return what is published when an item is suppressed everywhere or nowhere."""
        return self.filled(self.nothing.published, self.order, everywhere=True)

    def of_occurrences(self, rng: Rng) -> NDArray[np.bool_]:
        """Return the best found when single occurrences may go: no worse than by items alone."""
        best = self.filled(self.nothing.published, self.order, everywhere=False)
        items = self.of_items()
        if self.value(items) > self.value(best):
            best = self.filled(items, self.order, everywhere=False)
        for _ in range(self.tries):
            other = self.again(best, rng)
            if self.value(other) >= self.value(best):
                best = other
        return best

    @property
    def tries(self) -> int:
        """How often to try to do better: often where sets are few."""
        ways = np.ones(len(self.folded))
        for index in range(self.m):
            ways *= np.maximum(1, self.folded.sets.sizes - index) / (index + 1)
        tries = int(min(MOST_TRIES, WORK // max(1.0, float(ways.sum()))))
        return tries if self.m > 1 or tries >= LEAST_TRIES else 0

    def again(self, published: NDArray[np.bool_], rng: Rng) -> NDArray[np.bool_]:
        """Take some items away and put back what can be, in random order."""
        sets = self.folded.sets
        order = rng.permutation(len(sets.vocabulary))
        some = int(1 + rng.integers(max(1, len(order) // 2), 1)[0])
        gone = np.zeros(len(order), dtype=np.bool_)
        gone[order[:some]] = True
        return self.filled(published & ~gone[sets.items], order, everywhere=False)

    def filled(
        self, start: NDArray[np.bool_], order: NDArray[np.int64], *, everywhere: bool
    ) -> NDArray[np.bool_]:
        """Return what is published when nothing more can be, beginning with ``start``."""
        state = self.nothing._replace(published=start.copy())
        again = not everywhere and self._in_part(start)
        while put_back(state, order, self.k, self.m, everywhere) and again:
            pass
        return state.published

    def _in_part(self, published: NDArray[np.bool_]) -> bool:
        """Tell whether an item is published in some sets and not in others.

        Where none is, what an item was refused for stays there: of items that are dealt with
        before it nothing more comes, and those that come later only ask for more.
        """
        sets, width = self.folded.sets, len(self.folded.sets.vocabulary)
        counts = np.bincount(sets.items[published], minlength=width)
        return bool(((counts > 0) & (counts < np.bincount(sets.items, minlength=width))).any())
