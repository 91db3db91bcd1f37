"""The hierarchies and constraints of a project, as files that the command line takes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from discreet.catalog import Entry
from discreet.catalog.syntax import bare
from discreet.core.constraints import Constraints
from discreet.core.hierarchy import Hierarchy
from discreet.web.projects import Project, while_unchanged
from discreet.web.reading import LEFT_OUT

NAMED: Final = tuple[tuple[str, Hierarchy], ...]
"""The type of a field that has a hierarchy for each column."""
CONSTRAINTS: Final = ("privacy", "utility")
"""The kinds of constraints: what is protected, and what stays apart."""
ITEMS: Final = ""
"""The column of which sets are: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyFile:
    """Where a hierarchy of a project belongs."""

    number: int
    """What it is called in an address, which tells no name."""
    column: str
    """The column of a table; empty for the items of sets."""
    project: Project

    @property
    def file(self) -> Path:
        """The file, in the folder of the project."""
        return self.project.folder / f"hierarchy-{self.number}.csv"

    @property
    def title(self) -> str:
        """What it is a hierarchy of."""
        return self.column or "items"


def tree_in(path: Path) -> Hierarchy | None:
    """Read a hierarchy; None where there is none."""
    return _read(path) if path.is_file() else None


_read: Final = while_unchanged(8)(Hierarchy.read)


def hierarchy_files(project: Project) -> list[HierarchyFile]:
    """Return what of a project can have a hierarchy: its items, or the columns with a role."""
    if project.choices.get("kind") != "table":
        return [HierarchyFile(number=1, column=ITEMS, project=project)]
    roles = project.choices.get("roles", {})
    known = [name for name, role in roles.items() if role not in LEFT_OUT]
    # a column keeps its number, whatever becomes of the others
    numbers: dict[str, int] = dict(project.choices.get("numbers", {}))
    for name in known:
        numbers.setdefault(name, max(numbers.values(), default=0) + 1)
    if numbers != project.choices.get("numbers", {}):
        project.choose(numbers=numbers)
    return [HierarchyFile(number=numbers[name], column=name, project=project) for name in known]


def attached(entry: Entry, project: Project, folder: Path | None = None) -> dict[str, Any]:
    """Return what is typed for the fields of a method that take such files, where there are some.

    Files are named from the folder of the project, or with ``folder`` in it.
    """
    typed: dict[str, Any] = {}
    for parameter in entry.parameters:
        if files := list(_files(parameter.name, bare(parameter.kind), project, folder or Path())):
            typed[parameter.name] = tuple(files) if parameter.syntax.repeated else files[0]
    if any(parameter.name == "utility_from" for parameter in entry.parameters):
        _only_where_asked(typed, project.choices.get("parameters", {}))
    return typed


def _files(name: str, kind: Any, project: Project, folder: Path) -> Iterator[str]:
    if kind in (Hierarchy, NAMED):
        for slot in hierarchy_files(project):
            if slot.file.is_file():
                path = str(folder / slot.file.name)
                yield f"{slot.column}={path}" if kind == NAMED else path
    elif kind is Constraints and (project.folder / f"{name}.txt").is_file():
        yield str(folder / f"{name}.txt")


def _only_where_asked(typed: dict[str, Any], choices: Mapping[str, str]) -> None:
    """Leave out what a method takes with another choice only, and would refuse."""
    source = choices.get("utility_from", "one")
    if choices.get("protect", "file") != "file":
        typed.pop("privacy", None)
    if source not in ("file", "one"):
        typed.pop("utility", None)
    if source != "hierarchy":
        typed.pop("hierarchy", None)


def attached_words(entry: Entry, project: Project) -> list[str]:
    """Return the options for these files, as typed in the folder of the project."""
    options = {parameter.name: parameter.option for parameter in entry.parameters}
    options_typed: list[str] = []
    for name, value in attached(entry, project).items():
        for text in value if isinstance(value, tuple) else (value,):
            options_typed += [options[name], text]
    return options_typed
