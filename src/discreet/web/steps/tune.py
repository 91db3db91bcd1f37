"""Tune: the parameters in words, with limits, the budget, and what other values would give."""

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from discreet.catalog import Entry
from discreet.errors import DataError, DiscreetError, ParameterError
from discreet.store import Store
from discreet.web.commands import claims_of, cost_of, publish_words
from discreet.web.curves import (
    curve_of,
    curve_steps,
    draw_plans,
    plan_steps,
    plans_of,
    swept,
    weighs_plans,
)
from discreet.web.jobs import Job, command_line
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, at, shown
from discreet.web.populations import budget_of, must_be_named
from discreet.web.projects import Project
from discreet.web.runs import planned_outputs
from discreet.web.tuning import fields_of

router = APIRouter()
TRIED: Final = ("curve", "plans")
"""What can be tried out before anything is published."""


@router.get("/p/{project}/tune")
def tune(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show the parameters of the method that was chosen."""
    if "method" not in project.choices:
        return shown(bench, "tune_nothing.html", project, step="tune")
    return _shown(bench, project)


@router.post("/p/{project}/tune/meaning")
def meaning(bench: Bench, project: CurrentProject, form: Form) -> HTMLResponse:
    """Say what values mean that are not kept yet, for a page whose sliders move."""
    entry = _entry(project)
    tried = Project(folder=project.folder, choices=project.choices | _chosen(project, entry, form))
    return shown(bench, "tune_meaning.html", project, **_content(tried), moving=True)


def _shown(bench: Workbench, project: Project, fault: str = "") -> HTMLResponse:
    entry = _entry(project)
    content = _content(project)
    return shown(
        bench, "tune.html", project, **content, accounts=Store().ledger.accounts(), moving=False,
        listed=len(project.choices.get("universe", [])), fault=fault or content["refused"],
        needed=must_be_named(project.choices, content["claims"]), swept=swept(entry),
        curve=curve_of(project), job=bench.jobs.look(project.folder, "curve"),
        weighs=weighs_plans(entry, project.choices["parameters"]), plans=plans_of(project),
        taken_over=unasked(project, entry), weighing=bench.jobs.look(project.folder, "plans"),
    )  # fmt: skip


def _content(project: Project) -> dict[str, Any]:
    """Return what is told of the values: fields in words, promises, the cost and the command."""
    entry, values = _entry(project), project.choices["parameters"]
    claims: tuple[Any, ...] = ()
    cost, refused, typed, files = Fraction(), "", "", planned_outputs(project, Path("run-1"))
    try:
        claims, cost = claims_of(project), cost_of(project)
        typed = command_line(("discreet", *publish_words(project, files[-1][0])))
    except DiscreetError as error:
        refused = str(error)
    return {
        "entry": entry, "fields": fields_of(entry, values), "claims": claims, "refused": refused,
        "budget": budget_of(project.choices, cost * len(files)), "cost": cost, "typed": typed,
    }  # fmt: skip


def _entry(project: Project) -> Entry:
    if "method" not in project.choices:
        raise DataError("choose a method first, under Goal")
    return project.entry


@router.post("/p/{project}/tune", response_model=None)
def choose(bench: Bench, project: CurrentProject, form: Form) -> HTMLResponse | RedirectResponse:
    """Keep the values; go on where the method takes them, or try others out."""
    entry = _entry(project)
    project.choose(**_chosen(project, entry, form))
    if (stopped := form.get("cancel")) in TRIED:
        bench.jobs.cancel(project.folder, str(stopped))
        return at(project, "tune")
    try:
        claims = claims_of(project)
        _name_people(project, form)
    except DiscreetError as error:
        return _shown(bench, project, str(error))
    if form.get("try") == "plans":
        job = Job(kind="plans", folder=project.folder, steps=plan_steps(project))
        bench.jobs.start(job, partial(draw_plans, project))
    elif form.get("try"):
        bench.jobs.start(Job(kind="curve", folder=project.folder, steps=curve_steps(project)))
    if form.get("look") or form.get("try"):
        return at(project, "tune")
    if not project.choices["people"] and (why := must_be_named(project.choices, claims)):
        return _shown(bench, project, why)
    return at(project, "run", finished="tune")


def _name_people(project: Project, form: FormData) -> None:
    """Open an account for people who have none yet."""
    name = str(form.get("new_people", "")).strip()[:120]
    if not name:
        return
    books = Store().ledger
    if name.startswith("-") or any(account.population == name for account in books.accounts()):
        msg = "a new population must have a name of its own that does not begin with -"
        raise ParameterError(msg, parameter="people")
    books.set_budget(name, str(form.get("new_budget", "")).strip() or "0")
    project.choose(people=name)


def _chosen(project: Project, entry: Entry, form: FormData) -> dict[str, Any]:
    names = [field.parameter.name for field in fields_of(entry, {})]
    values = {name: str(form[name]).strip() for name in names if form.get(name)}
    return {
        "parameters": unasked(project, entry) | values,
        "people": str(form.get("people", "")).strip(),
    }


def unasked(project: Project, entry: Entry) -> dict[str, Any]:
    """Return values that were taken over from an earlier time, and that no field asks for."""
    on_the_page = {field.parameter.name for field in fields_of(entry, {})}
    values = project.choices.get("parameters", {})
    return {name: value for name, value in values.items() if name not in on_the_page}
