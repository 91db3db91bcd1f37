"""Past releases of the same people, from the shelf."""

from collections.abc import Mapping
from typing import Any

from discreet.errors import DiscreetError
from discreet.store import Shelved, Store, next_release, together
from discreet.web.projects import Project
from discreet.web.tuning import LIMITS

__all__ = ["earlier_releases", "in_words", "populations"]


def earlier_releases(project: Project | None) -> list[str]:
    """Return the releases of the people of a project in a line each, the newest first."""
    people = str(project.choices.get("people") or "") if project else ""
    if not people:
        return []
    try:
        return [in_words(each) for each in reversed(Store().shelf.releases(people))]
    except DiscreetError:
        return ["the shelf cannot be read"]


def in_words(release: Shelved) -> str:
    """Say in a line when a release was made, by what, with which values, and for whom."""
    given: Mapping[str, Any] = release.record.get("parameters", {})
    values = [f"{name} {given[name]}" for name in LIMITS if str(given.get(name, ""))[:1].isdigit()]
    gets = [f"for {release.recipient}"] if release.recipient else []
    return ", ".join([release.made[:10], release.method, *values[:3], *gets])


def populations() -> list[dict[str, Any]]:
    """Return every population with its releases, and what may come next."""
    store = Store()
    rows = []
    for account in store.ledger.accounts():
        releases = store.shelf.releases(account.population)
        profiles = [each.profile for each in releases]
        rows.append({
            "name": account.population, "left": account.left, "budget": account.budget,
            "releases": [in_words(each) for each in reversed(releases)],
            "together": together(profiles) if profiles else "", "next": next_release(profiles),
        })  # fmt: skip
    return rows
