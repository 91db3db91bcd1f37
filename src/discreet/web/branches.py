"""A tree as a page shows it: as much as can be looked at, or what was looked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from discreet.web.drafts import Draft

__all__ = ["Branch", "branches"]

SIBLINGS: Final = 60
"""How many names under one name are shown."""
MOST: Final = 1500
"""How many names are shown in all."""
OPEN: Final = 40
"""Trees with up to so many names are shown open."""


@dataclass(slots=True)
class Branch:
    """A name, and what is shown under it."""

    name: str
    people: int | None
    """How many people hold the value; None for a group."""
    inside: int = 0
    """How many names hang just under it."""
    children: "list[Branch]" = field(default_factory=list)
    more: int = 0
    """How many of them are not shown."""
    open: bool = True


def branches(draft: Draft, people: Mapping[str, int], find: str = "") -> Branch:
    """Return the tree as far as it is shown; with ``find`` what has these letters, and the way."""
    below, left = draft.below(), iter(range(MOST))
    wanted = _wanted(draft, find)
    opened = bool(find.strip()) or len(draft.above) <= OPEN

    def grown(name: str, depth: int) -> Branch:
        inside = [each for each in below.get(name, ()) if wanted is None or each in wanted]
        holders = people.get(name, 0) if name in draft.values else None
        branch = Branch(name, holders, len(below.get(name, ())), open=opened or depth == 0)
        for each in inside[:SIBLINGS]:
            if next(left, None) is None:
                break
            branch.children.append(grown(each, depth + 1))
        branch.more = len(inside) - len(branch.children)
        return branch

    return grown(draft.root, 0)


def _wanted(draft: Draft, find: str) -> set[str] | None:
    """Return the names with these letters and those above them; None where nothing is sought."""
    letters = find.strip().casefold()
    if not letters:
        return None
    matches = [name for name in draft.above if letters in name.casefold()]
    return {above for name in matches for above in draft.way(name)}
