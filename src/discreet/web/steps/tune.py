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
from discreet.web.pages import Bench, Form, Here, Workbench, at, shown
from discreet.web.populations import budget_of, must_be_named
from discreet.web.projects import Project
from discreet.web.runs import planned_outputs
from discreet.web.tuning import fields_of

router = APIRouter()
TRIED: Final = ("curve", "plans")
"""What can be tried out before anything is published."""


@router.get("/p/{project}/tune")
def tune(bench: Bench, here: Here) -> HTMLResponse:
    """Show the parameters of the method that was chosen."""
    if "method" not in here.choices:
        return shown(bench, "tune_nothing.html", here, step="tune")
    return _shown(bench, here)


@router.post("/p/{project}/tune/meaning")
def meaning(bench: Bench, here: Here, form: Form) -> HTMLResponse:
    """Say what values mean that are not kept yet, for a page whose sliders move."""
    entry = _entry(here)
    tried = Project(folder=here.folder, choices=here.choices | _chosen(here, entry, form))
    return shown(bench, "tune_meaning.html", here, **_content(tried), moving=True)


def _shown(bench: Workbench, here: Project, fault: str = "") -> HTMLResponse:
    entry = _entry(here)
    content = _content(here)
    return shown(
        bench, "tune.html", here, **content, accounts=Store().ledger.accounts(), moving=False,
        listed=len(here.choices.get("universe", [])), fault=fault or content["refused"],
        needed=must_be_named(here.choices, content["claims"]), swept=swept(entry),
        curve=curve_of(here), job=bench.jobs.look(here.folder, "curve"),
        weighs=weighs_plans(entry, here.choices["parameters"]), plans=plans_of(here),
        taken_over=unasked(here, entry), weighing=bench.jobs.look(here.folder, "plans"),
    )  # fmt: skip


def _content(here: Project) -> dict[str, Any]:
    """Return what is told of the values: fields in words, promises, the cost and the command."""
    entry, given = _entry(here), here.choices["parameters"]
    claims: tuple[Any, ...] = ()
    cost, refused, typed, files = Fraction(), "", "", planned_outputs(here, Path("run-1"))
    try:
        claims, cost = claims_of(here), cost_of(here)
        typed = command_line(("discreet", *publish_words(here, files[-1][0])))
    except DiscreetError as error:
        refused = str(error)
    return {
        "entry": entry, "fields": fields_of(entry, given), "claims": claims, "refused": refused,
        "budget": budget_of(here.choices, cost * len(files)), "cost": cost, "typed": typed,
    }  # fmt: skip


def _entry(here: Project) -> Entry:
    if "method" not in here.choices:
        raise DataError("choose a method first, under Goal")
    return here.entry


@router.post("/p/{project}/tune", response_model=None)
def choose(bench: Bench, here: Here, form: Form) -> HTMLResponse | RedirectResponse:
    """Keep the values; go on where the method takes them, or try others out."""
    entry = _entry(here)
    here.choose(**_chosen(here, entry, form))
    if (stopped := form.get("cancel")) in TRIED:
        bench.jobs.cancel(here.folder, str(stopped))
        return at(here, "tune")
    try:
        claims = claims_of(here)
        _name_people(here, form)
    except DiscreetError as error:
        return _shown(bench, here, str(error))
    if form.get("try") == "plans":
        job = Job(kind="plans", folder=here.folder, steps=plan_steps(here))
        bench.jobs.start(job, partial(draw_plans, here))
    elif form.get("try"):
        bench.jobs.start(Job(kind="curve", folder=here.folder, steps=curve_steps(here)))
    if form.get("look") or form.get("try"):
        return at(here, "tune")
    if not here.choices["people"] and (why := must_be_named(here.choices, claims)):
        return _shown(bench, here, why)
    return at(here, "run", finished="tune")


def _name_people(here: Project, form: FormData) -> None:
    """Open an account for people who have none yet."""
    name = str(form.get("new_people", "")).strip()[:120]
    if not name:
        return
    books = Store().ledger
    if name.startswith("-") or any(each.population == name for each in books.accounts()):
        msg = "a new population must have a name of its own that does not begin with -"
        raise ParameterError(msg, parameter="people")
    books.set_budget(name, str(form.get("new_budget", "")).strip() or "0")
    here.choose(people=name)


def _chosen(here: Project, entry: Entry, form: FormData) -> dict[str, Any]:
    asked = [each.parameter.name for each in fields_of(entry, {})]
    given = {name: str(form[name]).strip() for name in asked if form.get(name)}
    return {
        "parameters": unasked(here, entry) | given,
        "people": str(form.get("people", "")).strip(),
    }


def unasked(here: Project, entry: Entry) -> dict[str, Any]:
    """Return values that were taken over from an earlier time, and that no field asks for."""
    asked = {each.parameter.name for each in fields_of(entry, {})}
    given = here.choices.get("parameters", {})
    return {name: value for name, value in given.items() if name not in asked}
