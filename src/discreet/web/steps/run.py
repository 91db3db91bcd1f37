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
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, at, fragment, shown
from discreet.web.populations import Budget, budget_of
from discreet.web.projects import Project
from discreet.web.runs import FINISHED

router = APIRouter()
KINDS: Final = ("exposure", "curve", "plans", "run", "sign")
"""What can be under way."""


@router.get("/p/{project}/run")
def run(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show how far the work is."""
    job = bench.jobs.look(project.folder, "run")
    fault = ""
    try:
        typed = job["typed"] if job else _planned(project)
    except DiscreetError as error:
        typed, fault = [], str(error)
    command = "\n\n".join([f"# in {project.folder}\n{typed[0]}", *typed[1:]]) if typed else ""
    return shown(
        bench, "run.html", project, job=job, command=command, budget=_budget(project), fault=fault,
        chosen="method" in project.choices,
    )  # fmt: skip


def _planned(project: Project) -> list[str]:
    """Return what publishing would type."""
    if "method" not in project.choices:
        return []
    return [step.typed for step in publish_steps(project, project.next_run)]


@router.get("/p/{project}/events/{kind}")
async def events(
    request: Request, bench: Bench, project: CurrentProject, kind: str
) -> StreamingResponse:
    """Tell how far the work is, as it goes."""
    if kind not in KINDS:
        raise HTTPException(status_code=404)
    return followed(
        request,
        partial(bench.jobs.look, project.folder, kind),
        lambda job: fragment("progress_now.html", project=project, kind=kind, job=job),
    )


def _budget(project: Project) -> Budget | None:
    """Return what publishing now would cost, where it costs something."""
    if not project.choices.get("people") or "method" not in project.choices:
        return None
    return budget_of(project.choices, cost_of(project) * (1 + len(project.later)))


@router.post("/p/{project}/run")
def begin(bench: Bench, project: CurrentProject, form: Form) -> RedirectResponse:
    """Begin, or cancel what is under way."""
    if form.get("cancel"):
        bench.jobs.cancel(project.folder, "run")
        return at(project, "run")
    if "method" not in project.choices:
        raise DataError("choose a method first, under Goal")
    start_run(bench, project)
    return at(project, "run", finished="run")


def start_run(bench: Workbench, project: Project) -> None:
    """Begin to publish by what is chosen, unless that is under way."""
    under_way = bench.jobs.look(project.folder, "run")
    if under_way is not None and under_way["state"] == "running":
        return
    made = project.new_run()
    try:
        steps = publish_steps(project, made)
    except DiscreetError:
        shutil.rmtree(made)
        raise
    bench.jobs.start(Job(kind="run", folder=project.folder, steps=steps), partial(_finish, made))


def _finish(made: Path) -> None:
    """Note that a run came to its end, so that the next steps show it."""
    (made / FINISHED).touch(mode=0o600)
