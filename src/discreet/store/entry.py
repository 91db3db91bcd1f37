"""One row of the ledger, and how a population stands after it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from discreet.core.guarantee import DifferentialPrivacy, Neighbours
from discreet.errors import ParameterError

EntryKind: TypeAlias = Literal[
    "budget", "reserve", "seal", "settle", "answer", "correct", "destroy key", "abandon", "restored"
]
"""What a row of the ledger says: see docs/reference/ledger.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """How a population stands."""

    population: str
    """Whose data these are."""
    budget: Fraction
    """What may be spent on them in all."""
    neighbours: Neighbours
    """What the budget is about: one person more or less, or one person replaced."""
    spent: Fraction
    """What was spent, with everything that was reserved and never settled."""

    @property
    def left(self) -> Fraction:
        """What may still be spent; nothing where a budget was lowered below what was spent."""
        return max(self.budget - self.spent, Fraction(0))

    def cost(self, claim: DifferentialPrivacy) -> Fraction:
        """Return what a promise costs here.

        One person replaced is one person less and then one more, so an epsilon for one person
        more or less costs twice as much of a budget for replacing.
        """
        if claim.neighbours == self.neighbours:
            return claim.budget
        if self.neighbours == "add-remove":
            msg = (
                f"the budget of {self.population} is for one person more or less, and this release "
                "promises something for one person replaced only; it needs a population whose "
                "budget was set with `neighbours` replace"
            )
            raise ParameterError(msg, parameter="people")
        return 2 * claim.budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row of the ledger."""

    number: int
    population: str
    kind: EntryKind
    epsilon: Fraction
    """What it adds to what was spent; below 0 in a correction."""
    refers: int | None
    """The reservation it is about."""
    budget: Fraction
    """The budget after it."""
    neighbours: Neighbours
    spent: Fraction
    """What was spent after it."""
    made: str
    """When, in UTC."""
    detail: Mapping[str, Any]
    hash: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Entry":
        """Read a row of the database."""
        fields = {name: row[name] for name in cls.__dataclass_fields__}
        exactly = {name: Fraction(row[name]) for name in ("epsilon", "budget", "spent")}
        return cls(**fields | exactly | {"detail": json.loads(row["detail"])})

    @property
    def account(self) -> Account:
        """How its population stands after it."""
        return Account(
            population=self.population,
            budget=self.budget,
            neighbours=self.neighbours,
            spent=self.spent,
        )
