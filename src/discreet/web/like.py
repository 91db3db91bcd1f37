"""A project like an earlier one: the choices of a publication, taken over from their file."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from discreet.catalog import Choices, Parameter
from discreet.catalog.choices import choosable
from discreet.catalog.syntax import ItemList, bare
from discreet.core.constraints import Constraints
from discreet.core.graph import Network
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.release import Release
from discreet.errors import DataError
from discreet.io.text import listed
from discreet.io.writing import write_file
from discreet.web.attached import NAMED, hierarchy_files
from discreet.web.projects import Project, Workspace
from discreet.web.reading import ROLES

FILE: Final = "choices.json"
"""What the file of a run is called, among what is the owner's."""
KINDS: Final[Mapping[type[Any], str]] = {
    Microdata: "table",
    SocialNetwork: "network",
    Network: "network",
}
"""What a project holds, by what a method reads; anything else that can be published is sets."""
PAIRS: Final = ("columns", "edge_columns")
"""How columns are told apart, as NAME=NAME."""
OF_SETS: Final = ("input_format", "separator", "sensitive", "allow_absent", "allow_unmatched")
"""What else a project of sets keeps of how its file is read."""
OF_TABLES: Final = ("missing", "separator")
"""The same of a table, besides roles."""


def earlier_choices(workspace: Workspace) -> Iterator[tuple[str, str, Path]]:
    """Give a name, words and the file of every run of every project, the newest first."""
    for project in workspace.all():
        for run in reversed(project.runs):
            if (file := run / "owner" / FILE).is_file():
                origin = f"{project.title}, {run.name.replace('-', ' ')}"
                yield f"{project.name}/{run.name}", origin, file


def take_over(project: Project, chosen: Choices) -> None:
    """Choose for a project what was chosen before; nothing is changed where a page cannot."""
    entry = chosen.entry
    if entry.data is Release:
        msg = (
            f"{entry.name} is for a release, and a project begins with a file; use discreet "
            "publish --like on the command line"
        )
        raise DataError(msg)
    kind = KINDS.get(entry.data) or ("series" if project.choices.get("later") else "sets")
    own = {parameter.name for parameter in entry.parameters}
    reading = {name: value for name, value in chosen.options.items() if name not in own}
    method = {name: value for name, value in chosen.options.items() if name in own}
    choices = _table(reading) if kind == "table" else _sets(reading, chosen)
    more, files = _method(method, choosable(entry), chosen)
    people = chosen.about.get("people", "")
    project.choose(kind=kind, method=entry.name, people=people, **choices, **more)
    for name in ("universe", "sensitive"):
        project.list_file(name, project.choices.get(name, []))
    _lay_out(project, files)


def _items(chosen: Choices, name: Any) -> list[str]:
    content = chosen.files.get(str(name), b"")
    return [
        line.strip() for line in content.decode("utf-8", "replace").splitlines() if line.strip()
    ]


def _refuse(names: list[str]) -> None:
    """Refuse files that a page has no place for."""
    if names:
        msg = (
            f"these choices have {', '.join(names)}, which the page does not offer; use discreet "
            "publish --like on the command line"
        )
        raise DataError(msg)


def _sets(reading: Mapping[str, Any], chosen: Choices) -> dict[str, Any]:
    choices: dict[str, Any] = {
        "sensitive": _items(chosen, reading.get("sensitive")),
        "further": _further(reading, (*PAIRS, *OF_SETS)),
    }
    for name in PAIRS:
        pairs = [pair.partition("=") for pair in str(reading.get(name, "")).split(",") if pair]
        choices[name] = {role: column for role, _, column in pairs}
    return choices | {
        name: reading[name] for name in OF_SETS if name in reading and name not in choices
    }


def _table(reading: Mapping[str, Any]) -> dict[str, Any]:
    roles: dict[str, str] = {}
    # several values are the narrower role, and come last
    named = [name for name in reading if name in ROLES]
    for role in sorted(named, key=lambda name: name == "multi_valued"):
        roles |= dict.fromkeys(listed(str(reading[role])), role)
    apart = (declared.partition("=") for declared in reading.get("non_sensitive", ()))
    return {
        "roles": roles,
        "harmless": {name: listed(values) for name, _, values in apart},
        "further": _further(reading, (*ROLES, *OF_TABLES, "non_sensitive")),
    } | {name: reading[name] for name in OF_TABLES if name in reading}


def _further(reading: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Return what no field of a page asks for; it stays as it was typed."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in reading.items()
        if name not in known
    }


def _method(
    values: Mapping[str, Any], parameters: Mapping[str, Parameter], chosen: Choices
) -> tuple[dict[str, Any], list[tuple[str, str, bytes]]]:
    """Return what a project chooses, and the files with the kind and the column of each."""
    typed: dict[str, Any] = {}
    universe: list[str] = []
    files: list[tuple[str, str, bytes]] = []
    strange = []
    for name, value in values.items():
        kind = parameters[name].kind
        if kind == ItemList and name == "universe" and value in chosen.files:
            universe = _items(chosen, value)
        elif bare(kind) in (Hierarchy, NAMED, Constraints):
            texts = value if isinstance(value, tuple) else (value,)
            for column, _, file in (text.rpartition("=") for text in texts):
                if file not in chosen.files:
                    raise DataError(f"these choices name a file of {name} that is not in them")
                files.append((name, column, chosen.files[file]))
        elif parameters[name].syntax.listed_in_file or parameters[name].syntax.metavar == "PATH":
            strange.append(name)
        else:
            typed[name] = list(value) if isinstance(value, tuple) else str(value)
    _refuse(strange)
    return {"parameters": typed, "universe": universe}, files


def _lay_out(project: Project, files: list[tuple[str, str, bytes]]) -> None:
    """Write the hierarchies and constraints where the editors of the page have them."""
    where = {slot.column: slot.file for slot in hierarchy_files(project)}
    for name, column, content in files:
        path = where.get(column) if name == "hierarchy" else project.folder / f"{name}.txt"
        if path is not None:
            write_file(path, content, "a file of the choices", private=True)
