"""The ways to generalise a table that a method weighs: tried out before one is published."""

import json
import shutil
from collections.abc import Mapping
from typing import Any, Final

from discreet.catalog import Entry, find
from discreet.core.microdata import Microdata
from discreet.core.release import Release
from discreet.io.writing import write_file
from discreet.report.lattice import plans_around
from discreet.web.commands import chosen_words
from discreet.web.jobs import Step
from discreet.web.projects import Project
from discreet.web.reading import read

__all__ = ["draw_plans", "plan_steps", "plans_of", "weighs_plans"]

COST: Final = "cost of "
"""How a publisher begins to tell what a way to generalise costs."""


def weighs_plans(entry: Entry, given: Mapping[str, str]) -> bool:
    """Return whether a method searches the ways to generalise each column as a whole."""
    names = {parameter.name for parameter in entry.parameters}
    return "score" in names and given.get("recoding", "full-domain") == "full-domain"


def plan_steps(project: Project) -> tuple[Step, ...]:
    """Return the command that publishes once, to see between which ways it would choose."""
    words = (*chosen_words(project), "--seed", "1", "--force", "--out", "plans", "--json")
    step = Step(
        name="Weigh every way to generalise the columns",
        words=words,
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
    if not path.is_file() or not weighs_plans(
        find(str(project.choices["method"]), "publisher"), project.choices["parameters"]
    ):
        return None
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record if record["words"] == list(chosen_words(project)) else None
