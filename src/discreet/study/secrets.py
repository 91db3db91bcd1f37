"""Items that a study takes for sensitive where the data do not say which are."""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from discreet.core.exact import Exact, exact, positive_share
from discreet.core.network import SocialNetwork
from discreet.core.transactions import Transactions
from discreet.rng import seeded

D = TypeVar("D")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """A share of the items, drawn the same in every run.

    >>> people = Transactions.of([["a", "b"], ["a", "c"], ["a"]])
    >>> sorted(Secrets(share="1/2", least=2).drawn(people).sensitive)
    ['a']
    """

    share: Exact
    """Which part of the items that so many people have."""
    least: int = 1
    """How many people at least must have an item for it to be drawn."""
    seed: int = 1
    """Makes the draw."""

    def __post_init__(self) -> None:
        positive_share("sensitive_share", self.share)

    def drawn(self, data: D) -> D:
        """Return ``data`` with these items sensitive; data without sets stay as they are."""
        if isinstance(data, SocialNetwork):
            return replace(data, people=self.drawn(data.people))
        if not isinstance(data, Transactions):
            return data
        known = np.flatnonzero(data.supports >= self.least)
        share = exact("sensitive_share", self.share)
        count = -(-share.numerator * len(known) // share.denominator)
        chosen = known[seeded(self.seed).permutation(len(known))[:count]]
        return replace(data, sensitive=frozenset(data.universe[item] for item in chosen.tolist()))
