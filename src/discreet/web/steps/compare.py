"""Compare: methods and values against every attack, in a process of its own, as they come in."""

import zipfile
from functools import lru_cache, partial
from io import BytesIO
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.datastructures import FormData

from discreet.errors import DiscreetError
from discreet.report.study import curves, exposure_against_loss, numbered
from discreet.study import Study, front
from discreet.study.run import so_far
from discreet.web.comparing import (
    MOST,
    OWN,
    Candidate,
    candidates,
    compare_steps,
    studies,
    sweeps,
)
from discreet.web.events import Standing, followed
from discreet.web.jobs import Job
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, fragment, shown, texts
from discreet.web.projects import Project
from discreet.web.steps.look import PAGE_POLICY
from discreet.web.tuning import LIMITS

router = APIRouter()
RESULTS: Final = ("table.csv", "summary.csv", "front.csv", "report.html")
"""What is handed out of a study; the cells stay."""
SEEDS: Final = 5


@router.get("/p/{project}/compare")
def compare(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show what can be compared, and what came of it so far."""
    return _shown(bench, project)


@router.get("/p/{project}/compare/events")
async def events(request: Request, bench: Bench, project: CurrentProject) -> StreamingResponse:
    """Tell what came so far, as it comes."""
    drawn = lru_cache(maxsize=1)(lambda _cells: _results(project))

    def draw(job: Standing) -> str:
        # counting seconds is no reason to read every cell again
        results = drawn(job["cells"]) if job else []
        return fragment("compare_results.html", project=project, job=job, results=results)

    return followed(request, partial(_standing, bench, project), draw)


def _standing(bench: Workbench, project: Project) -> Standing:
    """Return how the study stands, with how many releases of it are there."""
    job = bench.jobs.look(project.folder, "compare")
    cells = sum(1 for _, _, folder in studies(project) for _ in folder.glob("cells/*"))
    return job and job | {"cells": (job["state"], cells)}


@router.post("/p/{project}/compare", response_model=None)
def begin(bench: Bench, project: CurrentProject, form: Form) -> HTMLResponse | RedirectResponse:
    """Begin a study, or cancel the one under way."""
    back = RedirectResponse(f"/p/{project.name}/compare", status_code=303)
    if form.get("cancel"):
        bench.jobs.cancel(project.folder, "compare")
        return back
    under_way = bench.jobs.look(project.folder, "compare")
    if under_way is not None and under_way["state"] == "running":
        return back
    offered = candidates(project)
    project.choose(compare=_chosen(form, offered))
    try:
        steps = _steps(project, offered)
    except DiscreetError as error:
        return _shown(bench, project, str(error))
    bench.jobs.start(Job(kind="compare", folder=project.folder, steps=steps))
    return back


def _chosen(form: FormData, offered: list[Candidate]) -> dict[str, Any]:
    names = {candidate.entry.name for candidate in offered}
    seeds = str(form.get("seeds", "1"))
    return {
        "methods": [name for name in texts(form, "method") if name in names],
        "seeds": min(int(seeds), SEEDS) if seeds.isdecimal() and int(seeds) else 1,
        "ranges": {
            name: {end: str(form.get(f"{name}.{end}", "")) for end in ("least", "most", "count")}
            for name in LIMITS
            if f"{name}.least" in form
        },
    }


def _steps(project: Project, offered: list[Candidate]) -> Any:
    chosen = project.choices["compare"]
    mine = [candidate for candidate in offered if candidate.entry.name in chosen["methods"]]
    return compare_steps(project, mine, sweeps(mine, chosen["ranges"]), chosen["seeds"])


def _shown(bench: Workbench, project: Project, fault: str = "") -> HTMLResponse:
    offered = candidates(project)
    chosen = project.choices.get("compare", {"methods": [], "seeds": 1, "ranges": {}})
    job = bench.jobs.look(project.folder, "compare")
    command = "\n\n".join(job["typed"]) if job else f"discreet compare {OWN}.toml --out {OWN}"
    return shown(
        bench, "compare.html", project, found=offered, chosen=chosen, fault=fault, job=job,
        ranges=sweeps(offered, chosen["ranges"]), limits=LIMITS, most=MOST, seeds=SEEDS,
        results=_results(project) if job else [], command=command,
    )  # fmt: skip


def _results(project: Project) -> list[dict[str, Any]]:
    """Return for each study how far it is, the best settings and the pictures."""
    results = []
    for label, file, folder in studies(project):
        plan = Study.read(file)
        table, done, every = so_far(plan, folder / "cells")
        settings = front(table) if done else table
        best = settings.filter("best").sort("exposure", "loss").to_dicts() if done else []
        trade = exposure_against_loss(numbered(settings)) if done else None
        figures = [trade, *curves(settings)] if done else []
        failed = table.filter(part="failed").select("method", "note").unique(maintain_order=True)
        results.append({
            "on": label, "done": done, "every": every, "best": best,
            "refused": settings.filter(verdict="do not release").height if done else 0,
            "figures": [figure for figure in figures if figure is not None],
            "failed": failed.rows(), "report": (folder / "report.html").is_file(),
        })  # fmt: skip
    return results


@router.get("/p/{project}/study.zip")
def study_zip(project: CurrentProject) -> Response:
    """Hand out the studies with their tables and pages; for the owner."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for _, file, folder in studies(project):
            results = [folder / name for name in RESULTS if (folder / name).is_file()]
            for path in [file, *results]:
                files.write(path, path.relative_to(project.folder))
    if not zipfile.ZipFile(packed).namelist():
        raise HTTPException(status_code=404)
    headers = {"content-disposition": 'attachment; filename="study.zip"'}
    return Response(packed.getvalue(), media_type="application/zip", headers=headers)


@router.get("/p/{project}/study/{which}")
def report(project: CurrentProject, which: int) -> FileResponse:
    """Show the page of a study as it is on the disk."""
    pages = [folder / "report.html" for _, _, folder in studies(project)]
    if not 0 <= which < len(pages) or not pages[which].is_file():
        raise HTTPException(status_code=404)
    policy = {"content-security-policy": PAGE_POLICY}
    return FileResponse(pages[which], media_type="text/html", headers=policy)
