"""The application: every step behind one guard."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import TYPE_CHECKING

from discreet.web.guard import Guard
from discreet.web.projects import Workspace
from discreet.web.session import Session

if TYPE_CHECKING:
    from fastapi import FastAPI


def application(workspace: Workspace, session: Session) -> Guard:
    """Return the workbench over these projects, for who holds the session's secrets.

    Parameters
    ----------
    workspace
        Where the projects are.
    session
        The secrets of this run of the server.

    Returns
    -------
    Guard
        An ASGI application.
    """
    from discreet.web.pages import Workbench

    app = routed()
    app.state.bench = Workbench(workspace, session)
    return Guard(app, session)


@asynccontextmanager
async def _stopping_work(app: "FastAPI") -> AsyncIterator[None]:
    """Let no work outlive the server: nobody would see how it ended."""
    yield
    await asyncio.to_thread(app.state.bench.jobs.close)


def routed() -> "FastAPI":
    """Return every route, without the guard."""
    from fastapi import FastAPI
    from fastapi.exceptions import RequestValidationError
    from fastapi.staticfiles import StaticFiles
    from starlette.exceptions import HTTPException

    from discreet.errors import DiscreetError
    from discreet.web.pages import faulty
    from discreet.web.steps import (
        compare,
        constraints,
        data,
        exposure,
        goal,
        hierarchies,
        like,
        look,
        run,
        sign,
        start,
        tune,
    )

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=_stopping_work)
    steps = (
        start, data, exposure, goal, hierarchies, constraints, tune, run, look, sign, compare, like,
    )  # fmt: skip
    for step in steps:
        app.include_router(step.router)
    app.mount("/static", StaticFiles(directory=str(files("discreet.web") / "static")))
    for kind in (DiscreetError, HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, faulty)
    return app
