"""The choices that publishers of itemset counts share: a budget, the sizes and the items."""

from dataclasses import dataclass, field
from typing import Annotated

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, positive
from discreet.core.guarantee import DifferentialPrivacy, Guarantee
from discreet.core.transactions import Transactions
from discreet.counts.levels import Level, Longer, levels_of, must_cut, public_facts
from discreet.counts.partitioning import rate_of
from discreet.rng import Rng

__all__ = ["Counting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """Noisy counts of the itemsets up to a public size, over a public universe."""

    epsilon: Annotated[
        Exact, Doc("Privacy budget, at most six decimals; smaller is safer and noisier.")
    ]
    max_size: Annotated[
        int | None,
        Doc("Largest itemset to publish, a public number; default: all items, up to 64."),
    ] = None
    universe: Annotated[
        tuple[str, ...] | None,
        Doc(
            "All items that can occur, public, in a public order; related items side by side "
            "work best."
        ),
    ] = field(default=None, metadata={"unwritten": True})
    longer: Annotated[
        Longer,
        Doc("What becomes of records longer than `max_size`: cut to a random part, or dropped."),
    ] = "cut"

    def __post_init__(self) -> None:
        rate_of(self.epsilon)
        at_least_one(max_size=self.max_size)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Differential privacy."""
        epsilon = positive("epsilon", self.epsilon)
        return (DifferentialPrivacy(epsilon=epsilon, public=public_facts(self.universe)),)

    def levels(self, data: Transactions, rng: Rng) -> tuple[tuple[str, ...], list[Level]]:
        """Return the universe and, for each size up to the cap, the records of that size."""
        return levels_of(data, self.universe, self.max_size, self.longer, rng)

    def cuts(self, data: Transactions) -> bool:
        """Tell whether chance decides which part of a record is counted."""
        return must_cut(data, self.universe, self.max_size, self.longer)
