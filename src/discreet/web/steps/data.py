"""Data: what the file seems to hold, and which of it is secret."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from discreet.web.pages import Bench, Form, Here, Workbench, at, shown, texts
from discreet.web.projects import Project
from discreet.web.understanding import MOST, ROLES, Understood, understood

__all__ = ["router"]

router = APIRouter()


@router.get("/p/{project}/data")
def data(bench: Bench, here: Here) -> HTMLResponse:
    """Show the first rows as they are read."""
    return _shown(bench, here, understood(here.data, here.choices))


def _shown(bench: Workbench, here: Project, seen: Understood, fault: str = "") -> HTMLResponse:
    return shown(
        bench, "data.html", here, seen=seen, roles=ROLES, most=MOST, chosen=here.choices,
        fault=fault,
    )  # fmt: skip


@router.post("/p/{project}/data", response_model=None)
def choose(bench: Bench, here: Here, form: Form) -> HTMLResponse | RedirectResponse:
    """Keep how the data are read, and what is secret; go on where they can be read so."""
    before = {name: here.choices.get(name) for name in ("kind", "columns")}
    here.choose(**_chosen(form))
    seen = understood(here.data, here.choices)
    if seen.fault:
        return _shown(bench, here, seen, seen.fault)
    if seen.kind == "table" and not here.choices["roles"]:
        return _shown(bench, here, seen, "at least one column must have a role")
    if before["kind"] is not None and before != {name: here.choices.get(name) for name in before}:
        # what is shown changes, and should be seen before going on
        return _shown(bench, here, seen)
    _keep_lists(here, form, seen)
    return at(here, "exposure", finished="data")


def _chosen(form: FormData) -> dict[str, Any]:
    kind = "table" if form.get("kind") == "table" else "sets"
    names, roles = texts(form, "column"), form.getlist("role")
    given = {name: role for name, role in zip(names, roles, strict=False) if role in ROLES and role}
    columns = {part: str(form.get(f"{part}_column", "")) for part in ("id", "item")}
    return {"kind": kind, "roles": given, "columns": columns}


def _keep_lists(here: Project, form: FormData, seen: Understood) -> None:
    known = {name for name, _ in seen.values}
    secret = [each for each in texts(form, "sensitive") if each in known]
    universe = texts(form, "universe")
    here.choose(sensitive=secret)
    here.list_file("sensitive", secret)
    if universe:
        # a public list may name what nobody holds
        listed = [line.strip() for line in universe[0].splitlines() if line.strip()]
        here.choose(universe=listed)
        here.list_file("universe", listed)
