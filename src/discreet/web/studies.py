"""A study of a project's data, as the file that ``discreet compare`` takes."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, Final

from discreet import rng
from discreet.catalog import NOUNS, Entry
from discreet.catalog.syntax import bare
from discreet.io.writing import write_file
from discreet.study.example import made_up
from discreet.web.projects import Project
from discreet.web.reading import source_of, typed_by_name, words_of

PEOPLE: Final = 2000
"""How many people are made up where the data are not looked at."""
ITEMS: Final = 12
"""How many items they hold where there is no public list."""


def study_text(
    project: Project,
    publications: Sequence[tuple[Entry, Mapping[str, Any]]],
    *,
    source: str | None = None,
    seeds: int = 1,
) -> str:
    """Return a study over methods with their values, where a list of values is tried one by one.

    Parameters
    ----------
    project
        Whose data are tried.
    publications
        Methods, each with what is typed for its parameters.
    source
        Another file in its folder that is tried in place of its data.
    seeds
        How often each setting is run.

    Returns
    -------
    str
        The file.
    """
    noun = publications[0][0].data
    reading = {} if source else typed_by_name(words_of(project.choices, noun), NOUNS[noun])
    name = "made up" if source else "the data"
    data = {"name": name, "source": source or source_of(project.choices, noun)} | reading
    lines = [f"title = {_quoted(project.title)}", f"seeds = {seeds}", ""]
    lines += ["[[data]]", *_lines(data)]
    for entry, values in publications:
        own: dict[str, Any] = {"method": entry.name} | dict(_chosen(entry, values))
        if entry.takes_universe and project.choices.get("universe"):
            own["universe"] = "universe.txt"
        lines += ["", "[[publish]]", *_lines(own)]
    return "\n".join(lines) + "\n"


def _chosen(entry: Entry, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for parameter in entry.parameters:
        value = values.get(parameter.name)
        if bare(parameter.kind) is bool:
            yield from [(parameter.name, value == "True")] if value else []
        elif value:
            yield parameter.name, value


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        yield f"{name} = {_quoted(value)}"


def _quoted(value: Any) -> str:
    # a text in JSON is one in TOML as well, but for the one sign that JSON leaves as it is
    return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")


def made_up_file(project: Project) -> str:
    """Write made-up sets over the public list of items; nothing of the data is in them."""
    numbered = [f"item {number}" for number in range(1, ITEMS + 1)]
    drawn = made_up(project.choices.get("universe") or numbered, PEOPLE, rng.seeded(1))
    text = StringIO()
    rows = ((who, item) for who, items in enumerate(drawn) for item in items)
    csv.writer(text, lineterminator="\n").writerows([("id", "item"), *rows])
    path = project.folder / "made-up.csv"
    write_file(path, text.getvalue(), "made-up data", private=True)
    return path.name
