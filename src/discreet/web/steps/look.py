"""Look: before and after, the worst-off people, attacks against guessing; for the owner alone."""

from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, HTMLResponse

from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.errors import DiscreetError
from discreet.report.rows import loss_rows
from discreet.report.strips import Strip, strips
from discreet.report.wording import attack_name
from discreet.study.matched_rows import MatchedRow, matched_rows
from discreet.study.own_counts import own_count
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, note_done, shown
from discreet.web.projects import Project
from discreet.web.reading import noun_of, read
from discreet.web.runs import RunOutput, audited_outputs, newest
from discreet.web.understanding import ROWS

router = APIRouter()
WORST: Final = 10
QUESTION_LENGTH: Final = 1000
PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
)
"""A page of the report stands alone; here it may touch nothing of the workbench."""


def chosen_output(project: Project, number: int) -> tuple[Path, RunOutput] | None:
    """Return the newest run and the release of it that is asked for, or its last."""
    run = newest(project)
    outputs = audited_outputs(run) if run else []
    if run is None or not outputs:
        return None
    return run, next((output for output in outputs if output.number == number), outputs[-1])


@router.get("/p/{project}/look")
def look(bench: Bench, project: CurrentProject, part: int = 0) -> HTMLResponse:
    """Show what became of the rows, and what attackers make of them."""
    return _shown(bench, project, part)


@router.post("/p/{project}/look")
def ask(bench: Bench, project: CurrentProject, form: Form) -> HTMLResponse:
    """Answer a question of the owner's own from the data and from the release."""
    number, question = str(form.get("part", "")), str(form.get("question", ""))
    trimmed = question[:QUESTION_LENGTH].strip()
    return _shown(bench, project, int(number) if number.isdecimal() else 0, trimmed)


def _shown(bench: Workbench, project: Project, number: int, question: str = "") -> HTMLResponse:
    chosen = chosen_output(project, number)
    if chosen is None:
        return shown(bench, "look.html", project, audit=None)
    note_done(project, "look")
    run, output = chosen
    audit = output.audit("owner")
    series = any(attack["releases"] > 1 for attack in audit["attacks"])
    tried = [
        attack | {"title": attack_name(attack, series=series)}
        for attack in audit["attacks"]
        if attack["run"]
    ]
    worst = [claim | {"attack": attack["title"]} for attack in tried for claim in attack["worst"]]
    attacks = list(zip(tried, strips(audit["attacks"]), strict=True))
    release = Release.load(output.release)
    matched = _matched(project, output, release)
    answers, fault = _answered(project, output, release, question)
    return shown(
        bench, "look.html", project, audit=audit, parts=audited_outputs(run), part=output,
        fault=fault, attacks=[attack for attack in attacks if _drawn(attack)], matched=matched,
        quiet=[attack for attack in attacks if not _drawn(attack)],
        worst=sorted(worst, key=lambda claim: -claim["confidence"])[:WORST],
        after=[] if matched else _after(release), answers=answers,
        lifted=any("ALL" in cell for row in matched for cell in row.after),
        losses=loss_rows(audit["measured"], audit["meanings"]), question=question,
        table=project.choices.get("kind") == "table", command=_command(bench, project, output),
    )  # fmt: skip


def _drawn(attack: tuple[Any, list[Strip]]) -> bool:
    return any(line.svg for line in attack[1])


def _command(bench: Workbench, project: Project, output: RunOutput) -> str:
    """Return what wrote the owner's copy of the audit that is shown."""
    job = bench.jobs.look(project.folder, "run") or {"typed": []}
    path = f"{output.run.name}/{output.release.name} "
    return next((line for line in job["typed"] if path in line and "--owner" in line), "")


def _matched(project: Project, output: RunOutput, release: Release[Any]) -> list[MatchedRow]:
    original = _original(project, output)
    if original is None or not output.key.is_file():
        return []
    return matched_rows(original, release.content, LinkageKey.load(output.key), ROWS)


def _original(project: Project, output: RunOutput) -> Any:
    """Read the file behind a release as it is read now; None where it is not there any more."""
    files = [str(project.choices["data"]), *project.later]
    index = (output.number or 1) - 1
    if index >= len(files):
        return None
    return read(project.folder, project.choices, noun_of(project.choices), files[index])


def _answered(
    project: Project, output: RunOutput, release: Release[Any], question: str
) -> tuple[list[tuple[str, float, float | None]], str]:
    """Return a line for each question of the owner, and why one could not be answered."""
    lines = [line.strip() for line in question.splitlines() if line.strip()]
    original = _original(project, output) if lines else None
    answers = []
    for line in lines:
        try:
            answers.append((line, *own_count(original, release.content, line)))
        except DiscreetError as error:
            return answers, str(error)
    return answers, ""


def _after(release: Release[Any]) -> list[tuple[str, list[str], list[tuple[str, ...]]]]:
    """Return the first rows of each table of a release."""
    return [
        (name, table.columns, [tuple(map(_cell, row)) for row in table.head(ROWS).rows()])
        for name, table in release.to_polars().items()
    ]


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@router.get("/p/{project}/audit/{copy}")
def audit(project: CurrentProject, copy: str, part: int = 0) -> FileResponse:
    """Show a copy of the audit as it is on the disk."""
    chosen = chosen_output(project, part)
    if chosen is None or copy not in ("owner", "public"):
        raise HTTPException(status_code=404)
    policy = {"content-security-policy": PAGE_POLICY}
    return FileResponse(chosen[1].page(copy), media_type="text/html", headers=policy)
