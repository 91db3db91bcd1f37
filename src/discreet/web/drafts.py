"""A hierarchy under change: every change leaves one tree, of which a page shows what fits."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError
from discreet.io.text import normalised, quoted


@dataclass(slots=True)
class Draft:
    """What stands above each name, and which names are values."""

    above: dict[str, str]
    """The name just above each name but the root, in the order in which names are shown."""
    values: set[str]
    """The names at the bottom; any other name that loses all below it goes."""
    root: str

    @classmethod
    def of(cls, made: Hierarchy) -> "Draft":
        """Take a hierarchy to change it."""
        pairs = zip(made.names, made.parents.tolist(), strict=True)
        above = {name: made.names[parent] for name, parent in pairs if parent >= 0}
        return cls(above, set(made.values), made.root)

    def made(self) -> Hierarchy:
        """Return the hierarchy as it stands."""
        return Hierarchy.of_pairs(self.above.items())

    @property
    def groups(self) -> list[str]:
        """Every name that is no value, the root first."""
        return [self.root, *(name for name in self.above if name not in self.values)]

    def below(self) -> dict[str, list[str]]:
        """Return the names just below each name."""
        children: dict[str, list[str]] = {}
        for name, parent in self.above.items():
            children.setdefault(parent, []).append(name)
        return children

    def way(self, name: str) -> list[str]:
        """Return a name and those above it, up to the root."""
        path = [name]
        while path[-1] in self.above:
            path.append(self.above[path[-1]])
        return path

    def put_under(self, names: Sequence[str], group: str) -> None:
        """Put names under a new name, which hangs where their ways meet."""
        group = self._new(group)
        tops = self._tops(names)
        paths = [self.way(name)[1:] for name in tops]
        meeting = next(name for name in paths[0] if all(name in path for path in paths))
        self.above[group] = meeting
        self.above |= dict.fromkeys(tops, group)
        self._prune()

    def move(self, names: Sequence[str], target: str) -> None:
        """Hang names under a name that is there."""
        if target not in self.groups:
            raise DataError("a name must go under a group, and there is no such group")
        tops = self._tops(names)
        if set(tops) & set(self.way(target)):
            raise DataError(f"{quoted(target)} cannot go under itself; choose another group")
        self.above |= dict.fromkeys(tops, target)
        self._prune()

    def rename(self, names: Sequence[str], name: str) -> None:
        """Give one group another name; values keep theirs, or they would not be found any more."""
        chosen = self._chosen(names)
        if len(chosen) != 1 or chosen[0] in self.values:
            msg = "choose one group to rename; values keep the names they have in the data"
            raise DataError(msg)
        (old,) = chosen
        new = self._new(name)
        swapped = {old: new}
        self.above = {
            swapped.get(child, child): swapped.get(parent, parent)
            for child, parent in self.above.items()
        }
        self.root = swapped.get(self.root, self.root)

    def merge(self, names: Sequence[str], name: str) -> None:
        """Make one group of several, with all that hangs under them."""
        chosen = self._chosen(names)
        if len(chosen) < 2 or set(chosen) & {self.root, *self.values}:
            msg = "choose two or more groups to merge; values are put under a new name instead"
            raise DataError(msg)
        into = normalised(name) if normalised(name) in chosen else self._new(name)
        inside = [child for child, parent in self.above.items() if parent in chosen]
        paths = [self.way(child)[1:] for child in chosen]
        meeting = next(
            ancestor
            for ancestor in paths[0]
            if all(ancestor in path for path in paths) and ancestor not in chosen
        )
        self.above[into] = meeting
        moved = [child for child in inside if child not in chosen]
        self.above |= dict.fromkeys(moved, into)
        self._prune()

    def dissolve(self, names: Sequence[str]) -> None:
        """Take groups away; what hung under each hangs where it hung."""
        for name in self._chosen(names):
            if name == self.root or name in self.values:
                raise DataError("choose groups below the top to take apart")
            up = self.above.pop(name)
            self.above = {
                child: up if parent == name else parent for child, parent in self.above.items()
            }

    def add(self, names: Iterable[str], target: str | None = None) -> None:
        """Hang further values under a group, by default under the root."""
        for name in dict.fromkeys(map(normalised, names)):
            if name:
                self.above[self._new(name)] = target if target in self.groups else self.root
                self.values.add(name)

    def remove(self, names: Sequence[str], occurring: Collection[str]) -> None:
        """Take values out that nobody holds."""
        chosen = self._chosen(names)
        if not set(chosen) <= self.values or set(chosen) & set(occurring):
            msg = "only values that do not occur in the data can be removed; take a group apart"
            raise DataError(msg)
        if set(chosen) == self.values:
            raise DataError("a hierarchy must keep at least one value")
        for name in chosen:
            del self.above[name]
            self.values.remove(name)
        self._prune()

    def _chosen(self, names: Sequence[str]) -> list[str]:
        chosen = [name for name in dict.fromkeys(names) if name in self.above or name == self.root]
        if not chosen:
            raise DataError("choose names in the tree first, by the boxes before them")
        return chosen

    def _tops(self, names: Sequence[str]) -> list[str]:
        """Return the names chosen, without those that hang under another that is chosen."""
        chosen = self._chosen(names)
        if self.root in chosen:
            raise DataError("the top stays where it is; choose names below it")
        inside = set(chosen)
        return [name for name in chosen if not inside & set(self.way(name)[1:])]

    def _new(self, name: str) -> str:
        name = normalised(name)
        if not name:
            raise DataError("type a name first")
        if name in self.above or name == self.root:
            raise DataError(f"a name can occur once only, and {quoted(name)} is there already")
        return name

    def _prune(self) -> None:
        """Take away groups that hold nothing."""
        while empty := [
            name
            for name in self.above
            if name not in self.values and name not in set(self.above.values())
        ]:
            for name in empty:
                del self.above[name]


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
        inside = [child for child in below.get(name, ()) if wanted is None or child in wanted]
        holders = people.get(name, 0) if name in draft.values else None
        branch = Branch(name, holders, len(below.get(name, ())), open=opened or depth == 0)
        for child in inside[:SIBLINGS]:
            if next(left, None) is None:
                break
            branch.children.append(grown(child, depth + 1))
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
