"""Like an earlier release: choices from a run of before, or from a file of them."""

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from discreet.catalog import Choices
from discreet.errors import DataError, DiscreetError
from discreet.web.jobs import command_line
from discreet.web.like import FILE, earlier_choices, take_over
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, at, shown
from discreet.web.projects import Project
from discreet.web.uploads import taken_in

router = APIRouter()
IMPORT_LIMIT: Final = 256 << 20
"""The most bytes of a file of choices, which holds lists and hierarchies."""


@router.get("/p/{project}/like")
def like(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show the runs of before."""
    return _shown(bench, project)


def _shown(bench: Workbench, project: Project, fault: str = "") -> HTMLResponse:
    runs = list(earlier_choices(bench.workspace))
    data = str(project.choices["data"])
    args = ("discreet", "publish", "--like", FILE, data, "--out", "release")
    return shown(bench, "like.html", project, runs=runs, fault=fault, command=command_line(args))


@router.post("/p/{project}/like", response_model=None)
def choose(bench: Bench, project: CurrentProject, form: Form) -> HTMLResponse | RedirectResponse:
    """Take over the choices of a run."""
    files = {name: file for name, _, file in earlier_choices(bench.workspace)}
    try:
        if form.get("run") not in files:
            raise DataError("choose an earlier run")
        take_over(project, Choices.read(files[str(form["run"])]))
    except DiscreetError as error:
        return _shown(bench, project, str(error))
    return at(project, "data")


@router.post("/p/{project}/like/upload", response_model=None)
async def upload(
    request: Request, bench: Bench, project: CurrentProject
) -> HTMLResponse | RedirectResponse:
    """Take over the choices of a file that publish --save-choices wrote."""
    csrf, kinds = bench.session.csrf, (".json",)
    try:
        async with taken_in(
            request, project.folder, csrf, limit=IMPORT_LIMIT, endings=kinds
        ) as got:
            take_over(project, Choices.read(got.path))
    except DiscreetError as error:
        return _shown(bench, project, str(error))
    return at(project, "data")
