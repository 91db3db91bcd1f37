"""What every page has: its template, its project, its form, and how a fault is told."""

import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import Depends, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException as AnyHTTPException

from discreet.errors import DiscreetError
from discreet.report.page import templates
from discreet.web.jobs import Jobs
from discreet.web.populations import earlier_releases
from discreet.web.projects import Project, Workspace
from discreet.web.session import Session, same

STEPS: Final[Mapping[str, str]] = {
    "data": "Data",
    "exposure": "Exposure now",
    "goal": "Goal",
    "hierarchies": "Hierarchies",
    "tune": "Tune",
    "run": "Run",
    "look": "Results",
    "sign": "Review and sign",
}
"""The steps of a project, in order."""
REFUSED: Final = {
    403: "Only the workbench's own pages may ask for this.",
    404: "There is no such page.",
}
"""What is said of a status."""


class Forbidden(HTTPException):
    """A form that is not this workbench's."""

    def __init__(self) -> None:
        super().__init__(status_code=403)


class Workbench:
    """What a running workbench holds: its projects, its secrets, and the work under way."""

    def __init__(self, workspace: Workspace, session: Session) -> None:
        self.workspace = workspace
        self.session = session
        self.jobs = Jobs()


def _bench(request: Request) -> Workbench:
    bench: Workbench = request.app.state.bench
    return bench


Bench = Annotated[Workbench, Depends(_bench)]
"""The workbench, for a route."""


def _current_project(project: str, bench: Bench) -> Project:
    try:
        return bench.workspace.open(project)
    except DiscreetError:
        raise HTTPException(status_code=404) from None


CurrentProject = Annotated[Project, Depends(_current_project)]
"""The project that an address names, for a route."""


async def _form(request: Request, bench: Bench) -> FormData:
    form = await request.form(max_fields=100_000, max_files=0)
    token = form.get("csrf")
    if not isinstance(token, str) or not same(token, bench.session.csrf):
        raise Forbidden
    return form


Form = Annotated[FormData, Depends(_form)]
"""What was typed into a form of this workbench and no other page's, for a route."""


def texts(form: FormData, name: str) -> list[str]:
    """Return every text given under a name."""
    return [value for value in form.getlist(name) if isinstance(value, str) and value]


def prepare_pages() -> None:
    """Compile every template, so that each page is as fast when it comes first."""
    rooms = templates("discreet.web")
    for name in rooms.list_templates():
        rooms.get_template(name)


def fragment(template: str, **content: Any) -> str:
    """Return a part of a page; everything put in is escaped."""
    return templates("discreet.web").get_template(template).render(**content)


def shown(
    bench: Workbench, template: str, project: Project | None = None, **content: Any
) -> HTMLResponse:
    """Return a page; everything put in is escaped."""
    step = content.pop("step", template.removesuffix(".html"))
    content = {"fault": "", "command": "", "csrf": bench.session.csrf} | content
    done = project.choices.get("done", []) if project else []
    text = fragment(
        template, project=project, step=step, steps=STEPS, done=done,
        earlier=earlier_releases(project), **content,
    )  # fmt: skip
    return HTMLResponse(text, status_code=400 if content["fault"] else 200)


def note_done(project: Project, *steps: str) -> None:
    """Note that steps of a project are done."""
    done = project.choices.get("done", [])
    if now := [step for step in steps if step not in done]:
        project.choose(done=[*done, *now])


def at(project: Project, step: str, *, finished: str | None = None) -> RedirectResponse:
    """Lead on to a step, noting the one that was finished."""
    if finished is not None:
        note_done(project, finished)
    return RedirectResponse(f"/p/{project.name}/{step}", status_code=303)


async def faulty(_request: Request, error: Exception) -> HTMLResponse:
    """Tell of a fault by a page."""
    status, sentence = fault_of(error)
    return HTMLResponse(fragment("fault.html", words=sentence), status_code=status)


def fault_of(error: Exception) -> tuple[int, str]:
    """Return status and sentence of a fault without a word of the data; its line is for the log."""
    if isinstance(error, DiscreetError):
        return 400, str(error)
    if isinstance(error, AnyHTTPException):
        status = error.status_code
        return status, REFUSED.get(status, "This cannot be done here.")
    if isinstance(error, RequestValidationError):
        # what was asked for is not told again
        return 404, REFUSED[404]
    last = traceback.extract_tb(error.__traceback__)[-1]
    location = f"{Path(last.filename).name}, line {last.lineno}"
    print(f"discreet serve: {type(error).__name__} in {location}", file=sys.stderr, flush=True)
    return 500, "This is a fault of discreet itself; please report it."
