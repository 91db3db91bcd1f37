"""A population's budget, for who answers questions about its people."""

from dataclasses import dataclass
from fractions import Fraction

from discreet.store.ledger import Ledger

__all__ = ["LedgerBudget"]


@dataclass(frozen=True, slots=True)
class LedgerBudget:
    """A population's budget in the ledger, for whoever answers questions about its people.

    It is the same budget in every process, after every restart, and for every copy.
    """

    ledger: Ledger
    """Where it is booked."""
    population: str
    """Whose it is."""

    @property
    def total(self) -> Fraction:
        """The whole budget of the population."""
        return self.ledger.account(self.population).budget

    @property
    def left(self) -> Fraction:
        """What is left of it now."""
        return self.ledger.account(self.population).left

    def spend(self, epsilon: Fraction) -> None:
        """Book an epsilon for one person more or less."""
        self.ledger.spend(self.population, epsilon)
