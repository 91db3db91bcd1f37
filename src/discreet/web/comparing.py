"""A study from a page: which methods, which values, and the files that the command line takes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from discreet.catalog import Entry, Parameter, entries
from discreet.catalog.syntax import bare
from discreet.core.exact import exact
from discreet.core.guarantee import epsilon_of
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError, DiscreetError
from discreet.io.writing import write_file
from discreet.study import Study
from discreet.web.attached import attached
from discreet.web.goals import lacking
from discreet.web.jobs import Step
from discreet.web.projects import Project
from discreet.web.studies import made_up_file, study_text
from discreet.web.tuning import LIMITS, read_value

MOST: Final = 60
"""How many releases a study from the page may have; the command line takes more."""
VALUES: Final = 5
"""How many values of a parameter at most."""
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
    count: int
    meaning: str = ""
    """What it is, in words."""
    methods: tuple[str, ...] = ()
    """Which methods need it."""

    @property
    def values(self) -> list[str]:
        """The values, as they are typed; whole numbers where the parameter takes those."""
        step = exact(self.name, LIMITS[self.name][2])
        low, high = sorted((exact(self.name, self.least), exact(self.name, self.most)))
        points = [
            low + (high - low) * index / max(1, self.count - 1) for index in range(self.count)
        ]
        rounded = [round(point / step) * step for point in points]
        return list(dict.fromkeys(f"{float(value):g}" for value in rounded))


def candidates(project: Project) -> list[Candidate]:
    """Return the methods that can run on the data and whose parameters a page can sweep."""
    noun = Microdata if project.choices.get("kind") == "table" else Transactions
    publishers = [entry for entry in entries("publisher") if entry.data is noun]
    return [
        candidate for entry in publishers if (candidate := _candidate(entry, project)) is not None
    ]


def _candidate(entry: Entry, project: Project) -> Candidate | None:
    needed = {parameter.name for parameter in entry.parameters if parameter.required}
    if not needed or not needed <= LIMITS.keys() or lacking(entry, project.choices):
        return None
    middle = {name: LIMITS[name][1] for name in needed}
    typed = middle | attached(entry, project, project.folder)
    known = {parameter.name: parameter for parameter in entry.parameters}
    try:
        made = entry.method(**{name: read_value(known[name], text) for name, text in typed.items()})
    except DiscreetError:
        return None
    costs = epsilon_of(made.guarantees) is not None
    if costs and not project.choices.get("universe"):
        return None
    return Candidate(entry=entry, on_made_up=costs)


def sweeps(offered: Sequence[Candidate], typed: Mapping[str, Any]) -> list[Sweep]:
    """Return the parameters that these methods need, each with its range as typed before."""
    needed: dict[str, list[tuple[Parameter, str]]] = {}
    for candidate in offered:
        for parameter in candidate.entry.parameters:
            if parameter.required:
                needed.setdefault(parameter.name, []).append((parameter, candidate.entry.name))
    return [
        replace(
            _sweep(name, typed.get(name, {})),
            meaning=pairs[0][0].meaning,
            methods=tuple(method for _, method in pairs),
        )
        for name, pairs in needed.items()
    ]


def _sweep(name: str, typed: Mapping[str, Any]) -> Sweep:
    low, high, _ = (exact(name, text) for text in LIMITS[name])

    def inside(text: Any, default: str) -> str:
        try:
            value = exact(name, str(text))
        except DiscreetError:
            return default
        return f"{float(min(max(value, low), high)):g}"

    count = str(typed.get("count", "3"))
    return Sweep(
        name=name,
        least=inside(typed.get("least"), LIMITS[name][0]),
        most=inside(typed.get("most"), LIMITS[name][1]),
        count=min(int(count), VALUES) if count.isdecimal() and int(count) else 1,
    )


def studies(project: Project) -> Iterator[tuple[str, Path, Path]]:
    """Give what each study of a project is on, its file, and the folder of its results."""
    for name, label in ((OWN, "your data"), (MADE_UP, "made-up data")):
        if (file := project.folder / f"{name}.toml").is_file():
            yield label, file, project.folder / name


def compare_steps(
    project: Project, chosen: Sequence[Candidate], ranges: Sequence[Sweep], seeds: int
) -> tuple[Step, ...]:
    """Write the studies, and return the commands that run them."""
    if not chosen:
        raise DataError("choose at least one method to compare")
    steps = []
    for name, made in ((OWN, False), (MADE_UP, True)):
        file = project.folder / f"{name}.toml"
        file.unlink(missing_ok=True)
        mine = [candidate.entry for candidate in chosen if candidate.on_made_up == made]
        if not mine:
            continue
        source = made_up_file(project) if made else None
        tried = [_tried(project, entry, ranges) for entry in mine]
        text = study_text(project, tried, source=source, seeds=seeds)
        write_file(file, text, "the study", private=True)
        if (count := len(Study.read(file).cells())) > MOST:
            file.unlink()
            msg = f"this is {count} releases, and a page compares up to {MOST}: choose fewer values"
            raise DataError(msg)
        out = project.folder / name
        on = "made-up data" if made else "your data"
        # by their whole paths, since a cell is known by the files that it names
        args = ("compare", str(file), "--out", str(out), "--workers", "1")
        steps.append(Step(name=f"Compare on {on}: {count} releases", words=args))
    return tuple(steps)


def _tried(project: Project, entry: Entry, ranges: Sequence[Sweep]) -> tuple[Entry, dict[str, Any]]:
    """Return a method with the values that are tried of it."""
    values = {sweep.name: sweep.values for sweep in ranges}
    settings: dict[str, Any] = dict(attached(entry, project))
    for parameter in entry.parameters:
        if parameter.required:
            integral = bare(parameter.kind) is int
            typed = [str(int(float(text))) if integral else text for text in values[parameter.name]]
            settings[parameter.name] = list(dict.fromkeys(typed))
    return entry, settings
