"""What a choice would give, tried out before publishing: values of parameters, plans of tables."""

import json
import shutil
from collections.abc import Iterator, Mapping
from typing import Any, Final

from discreet.catalog import Entry
from discreet.core.graph import Network
from discreet.core.microdata import Microdata
from discreet.core.release import Release
from discreet.io.writing import write_file
from discreet.report.draw import Axis, Series, plot
from discreet.report.lattice import plans_around
from discreet.web.attached import attached
from discreet.web.commands import chosen_words, cost_of
from discreet.web.jobs import Step
from discreet.web.projects import Project
from discreet.web.reading import read
from discreet.web.studies import made_up_file, study_text

SWEEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "epsilon": ("0.1", "0.25", "0.5", "1", "2"),
    "k": ("2", "3", "5", "10", "20"),
    "m": ("1", "2", "3"),
    "l": ("2", "3", "4", "5"),
    "rho": ("0.2", "0.3", "0.5", "0.7", "0.9"),
    "h": ("0.3", "0.5", "0.7", "0.9"),
    "t": ("0.1", "0.2", "0.3", "0.5"),
    "r_th": ("1.5", "2", "3", "5", "8"),
}
"""The values that are tried, by the name of the parameter."""

Curve = tuple[str, list[dict[str, Any]]]
"""A picture, and what it shows in rows."""


def swept(entry: Entry) -> str | None:
    """Return the parameter whose values are tried; None where there is none to try."""
    if entry.data is Network:
        return None
    names = [
        parameter.name
        for parameter in entry.parameters
        if parameter.required and parameter.name in SWEEPS
    ]
    return names[0] if names else None


def curve_steps(project: Project) -> tuple[Step, ...]:
    """Write a study over the values of one parameter; return the command that runs it."""
    entry = project.entry
    name, values = swept(entry), project.choices["parameters"] | attached(entry, project)
    if name is None:
        return ()
    # choosing an epsilon by the people's own data would itself give something away
    source = made_up_file(project) if cost_of(project) else None
    tried = values | {name: list(SWEEPS[name])}
    text = study_text(project, [(entry, tried)], source=source)
    write_file(project.folder / "curve.toml", text, "the study", private=True)
    step = Step(
        name=f"Publish, attack and measure with each {name}",
        words=("compare", "curve.toml", "--out", "curve", "--json"),
        output=project.folder / "curve.json",
    )
    return (step,)


def curve_of(project: Project) -> Curve | None:
    """Draw what was tried last; None where it was of another method or there is nothing."""
    path = project.folder / "curve.json"
    entry = project.entry
    name = swept(entry)
    try:
        settings = json.loads(path.read_text("utf-8"))["front"]
    except (OSError, ValueError, KeyError):
        return None
    rows = sorted(_rows(settings, entry.name, name or ""), key=lambda row: row["value"])
    if len(rows) < 2 or name is None:
        return None
    shown = [
        Series(
            name=label,
            kind="line",
            points=[(row["value"], row[column]) for row in rows if row[column] is not None],
        )
        for column, label in (("loss", "lost"), ("exposure", "what the best attack gains"))
    ]
    description = "; ".join(f"{name} {row['value']:g}: {row['verdict']}" for row in rows)
    svg = plot(
        f"What each {name} gives", description, Axis(title=name), Axis(title="share", percent=True),
        [curve for curve in shown if curve.points],
    )  # fmt: skip
    return svg, rows


def _rows(front: list[dict[str, Any]], method: str, name: str) -> Iterator[dict[str, Any]]:
    for row in front:
        typed = dict(
            setting.split("=", 1) for setting in str(row["parameters"]).split() if "=" in setting
        )
        if row["method"] == method and name in typed:
            yield {column: row[column] for column in ("loss", "exposure", "verdict")} | {
                "value": float(typed[name])
            }


COST: Final = "cost of "
"""How a publisher begins to tell what a way to generalise costs."""


def weighs_plans(entry: Entry, values: Mapping[str, str]) -> bool:
    """Return whether a method searches the ways to generalise each column as a whole."""
    names = {parameter.name for parameter in entry.parameters}
    return "score" in names and values.get("recoding", "full-domain") == "full-domain"


def plan_steps(project: Project) -> tuple[Step, ...]:
    """Return the command that publishes once, to see between which ways it would choose."""
    args = (*chosen_words(project), "--seed", "1", "--force", "--out", "plans", "--json")
    step = Step(
        name="Weigh every way to generalise the columns",
        words=args,
        output=project.folder / "weighed.json",
    )
    return (step,)


def draw_plans(project: Project) -> None:
    """Keep what was weighed and its picture; the release behind it is thrown away."""
    folder = project.folder / "plans"
    weighed = json.loads((project.folder / "weighed.json").read_text("utf-8"))
    original = read(project.folder, project.choices, Microdata)
    drawn = plans_around(Release.load(folder), original)
    shutil.rmtree(folder)
    record = {
        "words": chosen_words(project),
        "told": drawn.words if drawn else "",
        "svgs": drawn.svgs if drawn else (),
        "best": [
            (name.removeprefix(COST), cost)
            for name, cost in weighed["report"].items()
            if name.startswith(COST)
        ],
    }
    text = json.dumps(record)
    write_file(project.folder / "plans.json", text, "the ways to generalise", private=True)


def plans_of(project: Project) -> dict[str, Any] | None:
    """Return what was weighed last, None where it was for other values or there is nothing."""
    path = project.folder / "plans.json"
    if not path.is_file() or not weighs_plans(project.entry, project.choices["parameters"]):
        return None
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record if record["words"] == list(chosen_words(project)) else None
