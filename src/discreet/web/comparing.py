"""A study from a page: which methods, which values, and the files that the command line takes."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

from discreet import rng
from discreet.catalog import NOUNS, Entry, entries, parameters_of
from discreet.catalog.syntax import bare
from discreet.core.exact import exact
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError, DiscreetError
from discreet.io.writing import write_file
from discreet.study import Study
from discreet.study.example import made_up
from discreet.web.attached import attached
from discreet.web.jobs import Step
from discreet.web.projects import Project
from discreet.web.tuning import LIMITS
from discreet.web.understanding import reading_options

__all__ = ["MOST", "Candidate", "Sweep", "candidates", "compare_steps", "studies", "sweeps"]

MOST: Final = 60
"""How many releases a study from the page may have; the command line takes more."""
VALUES: Final = 5
"""How many values of a parameter at most."""
PEOPLE: Final = 2000
"""How many people are made up where the data are not looked at."""
OWN, MADE_UP = "study", "study-made-up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A method that can be compared."""

    entry: Entry
    on_made_up: bool
    """Whether it is tried on made-up data: under differential privacy a look is a spend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The values of one parameter, from the least to the most."""

    name: str
    least: str
    most: str
    many: int

    @property
    def values(self) -> list[str]:
        """The values, as they are typed; whole numbers where the parameter takes those."""
        step = exact(self.name, LIMITS[self.name][2])
        low, high = sorted((exact(self.name, self.least), exact(self.name, self.most)))
        places = [low + (high - low) * place / max(1, self.many - 1) for place in range(self.many)]
        rounded = [round(place / step) * step for place in places]
        return list(dict.fromkeys(f"{float(value):g}" for value in rounded))


def candidates(project: Project) -> list[Candidate]:
    """Return the methods that fit the data and whose parameters a page can sweep."""
    noun = Microdata if project.choices.get("kind") == "table" else Transactions
    found = [entry for entry in entries("publisher") if entry.data is noun]
    return [each for entry in found if (each := _candidate(entry, project)) is not None]


def _candidate(entry: Entry, project: Project) -> Candidate | None:
    needed = {part.name for part in entry.parameters if part.required}
    if not needed or not needed <= LIMITS.keys():
        return None
    middle = {name: LIMITS[name][1] for name in needed}
    given = middle | attached(entry, project, project.folder)
    parts = {part.name: part for part in entry.parameters}
    try:
        made = entry.method(**{name: parts[name].read(text) for name, text in given.items()})
    except DiscreetError:
        return None
    costs = any(isinstance(claim, DifferentialPrivacy) for claim in made.guarantees)
    if costs and not project.choices.get("universe"):
        return None
    return Candidate(entry=entry, on_made_up=costs)


def sweeps(found: Sequence[Candidate], given: Mapping[str, Any]) -> list[Sweep]:
    """Return the parameters that these methods need, each with its range as typed before."""
    names = dict.fromkeys(
        part.name for each in found for part in each.entry.parameters if part.required
    )
    return [_sweep(name, given.get(name, {})) for name in names]


def _sweep(name: str, typed: Mapping[str, Any]) -> Sweep:
    low, high, _ = (exact(name, text) for text in LIMITS[name])

    def inside(text: Any, default: str) -> str:
        try:
            value = exact(name, str(text))
        except DiscreetError:
            return default
        return f"{float(min(max(value, low), high)):g}"

    many = str(typed.get("many", "3"))
    return Sweep(
        name=name,
        least=inside(typed.get("least"), LIMITS[name][0]),
        most=inside(typed.get("most"), LIMITS[name][1]),
        many=min(int(many), VALUES) if many.isdecimal() and int(many) else 1,
    )


def studies(project: Project) -> Iterator[tuple[str, Path, Path]]:
    """Give what each study of a project is on, its file, and the folder of its results."""
    for name, words in ((OWN, "your data"), (MADE_UP, "made-up data")):
        if (file := project.folder / f"{name}.toml").is_file():
            yield words, file, project.folder / name


def compare_steps(
    project: Project, chosen: Sequence[Candidate], ranges: Sequence[Sweep], seeds: int
) -> tuple[Step, ...]:
    """Write the studies, and return the commands that run them."""
    if not chosen:
        msg = "choose at least one method to compare"
        raise DataError(msg)
    steps = []
    for name, made in ((OWN, False), (MADE_UP, True)):
        file = project.folder / f"{name}.toml"
        file.unlink(missing_ok=True)
        mine = [each.entry for each in chosen if each.on_made_up == made]
        if not mine:
            continue
        text = "\n".join(_toml(project, mine, ranges, seeds, made=made))
        write_file(file, text + "\n", "the study", private=True)
        if made:
            _make_up(project)
        if (many := len(Study.read(file).cells())) > MOST:
            file.unlink()
            msg = f"this is {many} releases, and a page compares up to {MOST}: choose fewer values"
            raise DataError(msg)
        out = project.folder / name
        on = "made-up data" if made else "your data"
        # by their whole paths, since a cell is known by the files that it names
        words = ("compare", str(file), "--out", str(out), "--workers", "1")
        steps.append(Step(name=f"Compare on {on}: {many} releases", words=words))
    return tuple(steps)


def _toml(
    project: Project, mine: Sequence[Entry], ranges: Sequence[Sweep], seeds: int, *, made: bool
) -> Iterator[str]:
    yield f"title = {json.dumps(project.title)}"
    yield f"seeds = {seeds}"
    yield "\n[[data]]"
    if made:
        yield 'name = "made up"\nsource = "made-up.csv"'
    else:
        yield f'name = "the data"\nsource = {json.dumps(str(project.choices["data"]))}'
        yield from _reading(project)
    values = {each.name: each.values for each in ranges}
    for entry in mine:
        yield f"\n[[publish]]\nmethod = {json.dumps(entry.name)}"
        for part in entry.parameters:
            if part.required:
                whole = bare(part.kind) is int
                typed = [int(float(text)) if whole else text for text in values[part.name]]
                yield f"{part.name} = {json.dumps(list(dict.fromkeys(typed)))}"
        files = attached(entry, project)
        if entry.takes_universe and project.choices.get("universe"):
            files["universe"] = "universe.txt"
        for name, value in files.items():
            yield f"{name} = {json.dumps(value)}"


def _reading(project: Project) -> Iterator[str]:
    noun = Microdata if project.choices.get("kind") == "table" else Transactions
    given = reading_options(project.choices)
    for part in parameters_of(NOUNS[noun]):
        value = given.get(part.name)
        if isinstance(value, Mapping):
            yield f"{part.name} = {json.dumps(','.join(f'{a}={b}' for a, b in value.items()))}"
        elif value:
            text = ",".join(value) if isinstance(value, tuple) else str(value)
            yield f"{part.name} = {json.dumps(text)}"
    if noun is Transactions and project.choices.get("sensitive"):
        yield 'sensitive = "sensitive.txt"'


def _make_up(project: Project) -> None:
    """Write made-up sets over the public list of items; nothing of the data is in them."""
    drawn = made_up(project.choices["universe"], PEOPLE, rng.seeded(1))
    text = StringIO()
    rows = ((who, item) for who, held in enumerate(drawn) for item in held)
    csv.writer(text, lineterminator="\n").writerows([("id", "item"), *rows])
    write_file(project.folder / "made-up.csv", text.getvalue(), "made-up data", private=True)
