"""Tune: the parameters in words, with limits, and the budget beside them."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from discreet.catalog import Entry, find
from discreet.core.guarantee import DifferentialPrivacy
from discreet.errors import DataError, DiscreetError
from discreet.store import Store
from discreet.web.attached import attached
from discreet.web.commands import publish_words
from discreet.web.jobs import told
from discreet.web.pages import Bench, Form, Here, Workbench, at, shown
from discreet.web.projects import Project
from discreet.web.tuning import fields_of, fitted

__all__ = ["router"]

router = APIRouter()


@router.get("/p/{project}/tune")
def tune(bench: Bench, here: Here) -> HTMLResponse:
    """Show the parameters of the method that was chosen."""
    return _shown(bench, here)


def _shown(bench: Workbench, here: Project, fault: str = "") -> HTMLResponse:
    entry = _entry(here)
    given = here.choices["parameters"]
    claims: tuple[Any, ...] = ()
    try:
        claims = fitted(entry, given | attached(entry, here, here.folder)).guarantees
    except DiscreetError as error:
        fault = fault or str(error)
    costs = any(isinstance(claim, DifferentialPrivacy) for claim in claims)
    return shown(
        bench, "tune.html", here, entry=entry, fields=fields_of(entry, given), claims=claims,
        costs=costs, accounts=Store().ledger.accounts(), fault=fault,
        listed=len(here.choices.get("universe", [])),
        command=told(("discreet", *publish_words(here, Path("run-1")))),
    )  # fmt: skip


def _entry(here: Project) -> Entry:
    if "method" not in here.choices:
        msg = "choose a method first, under Goal"
        raise DataError(msg)
    return find(str(here.choices["method"]), "publisher")


@router.post("/p/{project}/tune", response_model=None)
def choose(bench: Bench, here: Here, form: Form) -> HTMLResponse | RedirectResponse:
    """Keep the values; go on where the method takes them."""
    entry = _entry(here)
    here.choose(parameters=_given(entry, form), people=str(form.get("people", "")).strip())
    try:
        fitted(entry, here.choices["parameters"] | attached(entry, here, here.folder))
    except DiscreetError as error:
        return _shown(bench, here, str(error))
    if form.get("look"):
        return at(here, "tune")
    return at(here, "run", finished="tune")


def _given(entry: Entry, form: FormData) -> dict[str, str]:
    asked = [each.parameter.name for each in fields_of(entry, {})]
    return {name: str(form[name]).strip() for name in asked if form.get(name)}
