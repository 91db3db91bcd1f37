"""Run: the work in its own process, told step by step."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from discreet.errors import DataError
from discreet.web.commands import publish_steps
from discreet.web.jobs import Job
from discreet.web.pages import Bench, Form, Here, Workbench, at, shown
from discreet.web.projects import Project

__all__ = ["router"]

router = APIRouter()


@router.get("/p/{project}/run")
def run(bench: Bench, here: Here) -> HTMLResponse:
    """Show how far the work is."""
    return _shown(bench, here, "run.html")


@router.get("/p/{project}/progress/{kind}")
def progress(bench: Bench, here: Here, kind: str) -> HTMLResponse:
    """Show how far the work is, for a page that asks again."""
    job = bench.jobs.look(here.folder, kind) if kind in ("exposure", "run", "sign") else None
    return shown(bench, "progress.html", here, job=job, kind=kind)


def _shown(bench: Workbench, here: Project, template: str) -> HTMLResponse:
    job = bench.jobs.look(here.folder, "run")
    typed = "\n\n".join(job["typed"]) if job else ""
    place = f"# in {here.folder}\n"
    return shown(bench, template, here, job=job, command=place + typed if typed else "")


@router.post("/p/{project}/run")
def begin(bench: Bench, here: Here, form: Form) -> RedirectResponse:
    """Begin, or cancel what is under way."""
    if form.get("cancel"):
        bench.jobs.cancel(here.folder, "run")
        return at(here, "run")
    if "method" not in here.choices:
        msg = "choose a method first, under Goal"
        raise DataError(msg)
    under_way = bench.jobs.look(here.folder, "run")
    if under_way is None or under_way["state"] != "running":
        steps = publish_steps(here, here.new_run())
        bench.jobs.start(Job(kind="run", folder=here.folder, steps=steps))
    return at(here, "run", finished="run")
