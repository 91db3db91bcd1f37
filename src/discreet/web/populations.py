"""Whose data these are: budgets, earlier releases, and when a population must be named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from discreet.catalog import Entry
from discreet.core.exact import written
from discreet.core.guarantee import DifferentialPrivacy
from discreet.store import Store

__all__ = ["Budget", "Earlier", "budget_of", "earlier_of", "must_be_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How a population stands, with what a run would cost."""

    population: str
    budget: Fraction
    spent: Fraction
    planned: Fraction

    @property
    def left(self) -> Fraction:
        """What is left after the run; less than nothing where it does not reach."""
        return self.budget - self.spent - self.planned

    @property
    def words(self) -> str:
        """The sentence."""
        start = f"spent {written(self.spent)} of {written(self.budget)}"
        if self.left < 0:
            return f"{start}: the budget does not reach for {written(self.planned)} more"
        return f"{start} · this {written(self.planned)} · left after it {written(self.left)}"

    def share(self, amount: Fraction) -> float:
        """Return how much of the budget an amount is, for a picture."""
        return float(min(Fraction(1), amount / self.budget)) if self.budget else 1.0


def budget_of(choices: Mapping[str, Any], planned: Fraction) -> Budget | None:
    """Return how a population stands, with what a run would cost; None where nobody pays."""
    population = str(choices.get("people") or "")
    if not population or not planned:
        return None
    account = Store().ledger.account(population)
    return Budget(
        population=population, budget=account.budget, spent=account.spent, planned=planned
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A release of the same series that is out already."""

    release: Path
    key: Path | None
    """The owner's key beside it, where the workbench made it."""


def earlier_of(choices: Mapping[str, Any], entry: Entry) -> list[Earlier]:
    """Return the releases that a method must go on from, oldest first."""
    serial = entry.goes_on or any(parameter.name == "after" for parameter in entry.parameters)
    if not serial or not choices.get("people"):
        return []
    out = Store().predecessors(str(choices["people"]))
    return [_earlier(each.location) for each in out if each.method == entry.name]


def _earlier(release: Path) -> Earlier:
    name = release.name.replace("release", "linkage", 1)
    key = release.parent / "owner" / f"{name}.key"
    return Earlier(release=release, key=key if key.is_file() else None)


def must_be_named(choices: Mapping[str, Any], claims: Sequence[Any]) -> str:
    """Say why a population must be named; nothing where it need not be."""
    if any(isinstance(claim, DifferentialPrivacy) for claim in claims):
        return "every release with an epsilon uses up budget: name the population that pays for it"
    if choices.get("answers", {}).get("times") == "yearly":
        return (
            "you publish about the same people repeatedly: name the population, so that each "
            "release is checked against earlier ones"
        )
    return ""
