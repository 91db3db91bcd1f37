"""Look: before and after, the worst-off people, attacks against guessing; for the owner alone."""

import json
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, HTMLResponse

from discreet.core.release import Release
from discreet.report.strips import strips
from discreet.web.pages import Bench, Here, shown
from discreet.web.projects import Project
from discreet.web.understanding import ROWS, understood

__all__ = ["audit_of", "newest", "router"]

router = APIRouter()
WORST = 10
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
)
"""A page of the report stands alone; here it may touch nothing of the workbench."""


def newest(here: Project) -> Path | None:
    """Return the newest run that came to its end, None where there is none."""
    done = [run for run in here.runs if (run / "public" / "audit.json").is_file()]
    return done[-1] if done else None


def audit_of(run: Path, copy: str) -> dict[str, Any]:
    """Read the owner's or the public copy of an audit."""
    record: dict[str, Any] = json.loads((run / copy / "audit.json").read_text("utf-8"))
    return record


@router.get("/p/{project}/look")
def look(bench: Bench, here: Here) -> HTMLResponse:
    """Show what became of the rows, and what attackers make of them."""
    run = newest(here)
    if run is None:
        return shown(bench, "look.html", here, audit=None)
    audit = audit_of(run, "owner")
    tried = [each for each in audit["attacks"] if each["run"]]
    worst = [claim | {"attack": each["name"]} for each in tried for claim in each["worst"]]
    return shown(
        bench, "look.html", here, audit=audit, run=run.name,
        attacks=list(zip(tried, strips(audit["attacks"]), strict=True)),
        worst=sorted(worst, key=lambda each: -each["confidence"])[:WORST],
        before=understood(here.data, here.choices).rows[:ROWS], after=_after(run),
    )  # fmt: skip


def _after(run: Path) -> list[tuple[str, list[str], list[tuple[str, ...]]]]:
    """Return the first rows of each table of a release."""
    tables = Release.load(run / "release").to_polars().items()
    return [
        (name, table.columns, [tuple(map(_cell, row)) for row in table.head(ROWS).rows()])
        for name, table in tables
    ]


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@router.get("/p/{project}/audit/{copy}")
def audit(here: Here, copy: str) -> FileResponse:
    """Show a copy of the audit as it is on the disk."""
    run = newest(here)
    if run is None or copy not in ("owner", "public"):
        raise HTTPException(status_code=404)
    policy = {"content-security-policy": PAGE_POLICY}
    return FileResponse(run / copy / "audit.html", media_type="text/html", headers=policy)
