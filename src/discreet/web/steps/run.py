"""Run: the work in its own process, told step by step."""

import shutil
from functools import partial
from pathlib import Path
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from discreet.errors import DataError, DiscreetError
from discreet.web.commands import cost_of, publish_steps
from discreet.web.events import followed
from discreet.web.jobs import Job
from discreet.web.pages import Bench, Form, Here, Workbench, at, fragment, shown
from discreet.web.populations import Budget, budget_of
from discreet.web.projects import Project
from discreet.web.runs import FINISHED

router = APIRouter()
KINDS: Final = ("exposure", "curve", "plans", "run", "sign")
"""What can be under way."""


@router.get("/p/{project}/run")
def run(bench: Bench, here: Here) -> HTMLResponse:
    """Show how far the work is."""
    job = bench.jobs.look(here.folder, "run")
    fault = ""
    try:
        typed = job["typed"] if job else _planned(here)
    except DiscreetError as error:
        typed, fault = [], str(error)
    command = "\n\n".join([f"# in {here.folder}\n{typed[0]}", *typed[1:]]) if typed else ""
    return shown(
        bench, "run.html", here, job=job, command=command, budget=_budget(here), fault=fault,
        chosen="method" in here.choices,
    )  # fmt: skip


def _planned(here: Project) -> list[str]:
    """Return what publishing would type."""
    if "method" not in here.choices:
        return []
    return [step.typed for step in publish_steps(here, here.next_run)]


@router.get("/p/{project}/events/{kind}")
async def events(request: Request, bench: Bench, here: Here, kind: str) -> StreamingResponse:
    """Tell how far the work is, as it goes."""
    if kind not in KINDS:
        raise HTTPException(status_code=404)
    return followed(
        request,
        partial(bench.jobs.look, here.folder, kind),
        lambda job: fragment("progress_now.html", project=here, kind=kind, job=job),
    )


def _budget(here: Project) -> Budget | None:
    """Return what publishing now would cost, where it costs something."""
    if not here.choices.get("people") or "method" not in here.choices:
        return None
    return budget_of(here.choices, cost_of(here) * (1 + len(here.later)))


@router.post("/p/{project}/run")
def begin(bench: Bench, here: Here, form: Form) -> RedirectResponse:
    """Begin, or cancel what is under way."""
    if form.get("cancel"):
        bench.jobs.cancel(here.folder, "run")
        return at(here, "run")
    if "method" not in here.choices:
        raise DataError("choose a method first, under Goal")
    start_run(bench, here)
    return at(here, "run", finished="run")


def start_run(bench: Workbench, here: Project) -> None:
    """Begin to publish by what is chosen, unless that is under way."""
    under_way = bench.jobs.look(here.folder, "run")
    if under_way is not None and under_way["state"] == "running":
        return
    made = here.new_run()
    try:
        steps = publish_steps(here, made)
    except DiscreetError:
        shutil.rmtree(made)
        raise
    bench.jobs.start(Job(kind="run", folder=here.folder, steps=steps), partial(_finish, made))


def _finish(made: Path) -> None:
    """Note that a run came to its end, so that the next steps show it."""
    (made / FINISHED).touch(mode=0o600)
