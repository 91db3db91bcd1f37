"""Whose data these are: budgets, earlier releases, and when a population must be named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from discreet.catalog import Entry
from discreet.core.exact import written
from discreet.core.guarantee import epsilon_of
from discreet.errors import DiscreetError
from discreet.store import Shelved, Store, next_release, together
from discreet.web.projects import Project
from discreet.web.tuning import LIMITS


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
    return [_earlier(shelved.location) for shelved in out if shelved.method == entry.name]


def _earlier(release: Path) -> Earlier:
    name = release.name.replace("release", "linkage", 1)
    key = release.parent / "owner" / f"{name}.key"
    return Earlier(release=release, key=key if key.is_file() else None)


def must_be_named(choices: Mapping[str, Any], claims: Sequence[Any]) -> str:
    """Say why a population must be named; nothing where it need not be."""
    if epsilon_of(claims) is not None:
        return "every release with an epsilon uses up budget: name the population that pays for it"
    if choices.get("answers", {}).get("times") == "yearly":
        return (
            "you publish about the same people repeatedly: name the population, so that each "
            "release is checked against earlier ones"
        )
    return ""


def earlier_releases(project: Project | None) -> list[str]:
    """Return the releases of the people of a project in a line each, the newest first."""
    people = str(project.choices.get("people") or "") if project else ""
    if not people:
        return []
    try:
        return [in_words(shelved) for shelved in reversed(Store().shelf.releases(people))]
    except DiscreetError:
        return ["the shelf cannot be read"]


def in_words(release: Shelved) -> str:
    """Say in a line when a release was made, by what, with which values, and for whom."""
    parameters: Mapping[str, Any] = release.record.get("parameters", {})
    values = [
        f"{name} {parameters[name]}"
        for name in LIMITS
        if str(parameters.get(name, ""))[:1].isdigit()
    ]
    gets = [f"for {release.recipient}"] if release.recipient else []
    return ", ".join([release.made[:10], release.method, *values[:3], *gets])


def populations() -> list[dict[str, Any]]:
    """Return every population with its releases, and what may come next."""
    store = Store()
    rows = []
    for account in store.ledger.accounts():
        releases = store.shelf.releases(account.population)
        profiles = [shelved.profile for shelved in releases]
        rows.append({
            "name": account.population, "left": account.left, "budget": account.budget,
            "releases": [in_words(shelved) for shelved in reversed(releases)],
            "together": together(profiles) if profiles else "", "next": next_release(profiles),
        })  # fmt: skip
    return rows
