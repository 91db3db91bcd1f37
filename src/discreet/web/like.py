"""A project like an earlier one: the choices of a publication, taken over from their file."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from discreet.catalog import Choices, Parameter
from discreet.catalog.choices import choosable
from discreet.catalog.syntax import ItemList, bare
from discreet.core.constraints import Constraints
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.io.writing import write_file
from discreet.web.attached import NAMED, places
from discreet.web.projects import Project, Workspace
from discreet.web.reading import ROLES

__all__ = ["FILE", "earlier_choices", "take_over"]

FILE: Final = "choices.json"
"""What the file of a run is called, among what is the owner's."""
KINDS: Final[dict[type[Any], str]] = {Transactions: "sets", Microdata: "table"}


def earlier_choices(workspace: Workspace) -> Iterator[tuple[str, str, Path]]:
    """Give a name, words and the file of every run of every project, the newest first."""
    for project in workspace.all():
        for run in reversed(project.runs):
            if (file := run / "owner" / FILE).is_file():
                words = f"{project.title}, {run.name.replace('-', ' ')}"
                yield f"{project.name}/{run.name}", words, file


def take_over(project: Project, chosen: Choices) -> None:
    """Choose for a project what was chosen before; nothing is changed where a page cannot."""
    entry = chosen.entry
    if entry.data not in KINDS:
        msg = (
            f"the page takes over choices for sets and for tables, and {entry.name} is for others; "
            "use discreet publish --like on the command line"
        )
        raise DataError(msg)
    parts = choosable(entry)
    reading: dict[str, Any] = {}
    method: dict[str, Any] = {}
    own = {part.name for part in entry.parameters}
    for name, value in chosen.options.items():
        (method if name in own else reading)[name] = value
    kind = KINDS[entry.data]
    told = _sets(reading, chosen) if kind == "sets" else _table(reading)
    more, files = _method(method, parts, chosen)
    people = chosen.about.get("people", "")
    project.choose(kind=kind, method=entry.name, people=people, **told, **more)
    for name in ("universe", "sensitive"):
        project.list_file(name, project.choices.get(name, []))
    _lay_out(project, files)


def _items(chosen: Choices, name: Any) -> list[str]:
    content = chosen.files.get(str(name), b"")
    return [
        line.strip() for line in content.decode("utf-8", "replace").splitlines() if line.strip()
    ]


def _refuse(names: list[str]) -> None:
    if names:
        msg = (
            f"these choices have {', '.join(names)}, which the page does not offer; use discreet "
            "publish --like on the command line"
        )
        raise DataError(msg)


def _sets(reading: Mapping[str, Any], chosen: Choices) -> dict[str, Any]:
    _refuse([name for name in reading if name not in ("columns", "input_format", "sensitive")])
    pairs = [each.partition("=") for each in str(reading.get("columns", "")).split(",") if each]
    told: dict[str, Any] = {"columns": {name: column for name, _, column in pairs}}
    if "input_format" in reading:
        told["input_format"] = reading["input_format"]
    return told | {"sensitive": _items(chosen, reading.get("sensitive"))}


def _table(reading: Mapping[str, Any]) -> dict[str, Any]:
    _refuse([name for name in reading if name not in ROLES])
    roles: dict[str, str] = {}
    # several values are the narrower role, and come last
    for role in sorted(reading, key=lambda name: name == "multi_valued"):
        columns = [name.strip() for row in csv.reader([str(reading[role])]) for name in row]
        roles |= dict.fromkeys(columns, role)
    return {"roles": roles}


def _method(
    given: Mapping[str, Any], parts: Mapping[str, Parameter], chosen: Choices
) -> tuple[dict[str, Any], list[tuple[str, str, bytes]]]:
    """Return what a project chooses, and the files with the kind and the column of each."""
    typed: dict[str, str] = {}
    universe: list[str] = []
    files: list[tuple[str, str, bytes]] = []
    strange = []
    for name, value in given.items():
        kind = parts[name].kind
        if kind == ItemList and name == "universe" and value in chosen.files:
            universe = _items(chosen, value)
        elif bare(kind) in (Hierarchy, NAMED, Constraints):
            texts = value if isinstance(value, tuple) else (value,)
            for column, _, file in (text.rpartition("=") for text in texts):
                files.append((name, column, chosen.files[file]))
        elif parts[name].syntax.listed_in_file or parts[name].syntax.metavar == "PATH":
            strange.append(name)
        else:
            typed[name] = str(value)
    _refuse(strange)
    return {"parameters": typed, "universe": universe}, files


def _lay_out(project: Project, files: list[tuple[str, str, bytes]]) -> None:
    """Write the hierarchies and constraints where the editors of the page have them."""
    where = {place.column: place.file for place in places(project)}
    for name, column, content in files:
        path = where.get(column) if name == "hierarchy" else project.folder / f"{name}.txt"
        if path is not None:
            write_file(path, content, "a file of the choices", private=True)
