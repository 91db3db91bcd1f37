"""Review and sign: the one verdict, what to do about it, and the certificate."""

import json
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

from discreet.core.guarantee import epsilon_of
from discreet.core.release import Release
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.report.board import sentence
from discreet.report.signing import signature_beside
from discreet.web.commands import cost_of, signing_steps
from discreet.web.jobs import Job
from discreet.web.pages import Bench, CurrentProject, Form, at, shown
from discreet.web.projects import Project
from discreet.web.repairs import Offer, offers
from discreet.web.runs import RunOutput, audited_outputs, judged, newest
from discreet.web.steps.run import start_run

router = APIRouter()
OCCASION = ("title", "purpose", "recipient", "signatory")
NO: Final = "do not release"


@router.get("/p/{project}/sign")
def sign(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show the verdict, and what it takes to sign."""
    run = newest(project)
    if run is None:
        return shown(bench, "sign.html", project, verdict=None)
    outputs, job, occasion = (
        audited_outputs(run),
        bench.jobs.look(project.folder, "sign"),
        _occasion(project),
    )
    steps = signing_steps(outputs, bench.workspace.signing_key, occasion, _shelf(project, outputs))
    return shown(
        bench, "sign.html", project, verdict=judged(outputs), job=job,
        audits=list(_audits(project, outputs)), ready=(run / "release.zip").is_file(), run=run,
        occasion=occasion,
        command=f"# in {project.folder}\n" + "\n\n".join(step.typed for step in steps),
    )  # fmt: skip


def _occasion(project: Project) -> dict[str, str]:
    return dict(project.choices.get("occasion", {}))


def _shelf(project: Project, outputs: list[RunOutput]) -> str:
    """Return the people on whose shelf the releases go now; what has an epsilon is there."""
    people = str(project.choices.get("people") or "")
    releases = [Release.load(output.release) for output in outputs]
    return "" if any(epsilon_of(release.guarantees) is not None for release in releases) else people


def _audits(
    project: Project, outputs: list[RunOutput]
) -> Iterator[tuple[RunOutput, dict[str, Any], str, list[Offer]]]:
    for output in outputs:
        audit = output.audit("owner")
        steps = offers(audit["repairs"], project.choices)
        yield output, audit, sentence(audit["judgement"]), steps


@router.post("/p/{project}/repair")
def repair(bench: Bench, project: CurrentProject, form: Form) -> RedirectResponse:
    """Take over the choices of a repair, and run where that costs nothing."""
    run = newest(project)
    outputs = audited_outputs(run) if run else []
    indexes = [
        int(digits) if digits.isdecimal() else 0 for digits in str(form.get("step")).split("-")
    ]
    offered = [offers(output.audit("owner")["repairs"], project.choices) for output in outputs]
    try:
        step = offered[indexes[0]][indexes[-1]]
    except IndexError:
        step = None
    if step is None or step.method is None:
        raise DataError("that repair is no longer offered; look at the verdict again")
    project.choose(method=step.method, parameters=dict(step.parameters))
    if step.needs_data:
        return at(project, "data")
    if cost_of(project):
        return at(project, "tune")
    start_run(bench, project)
    return at(project, "run")


@router.post("/p/{project}/sign")
def certify(bench: Bench, project: CurrentProject, form: Form) -> RedirectResponse:
    """Sign the newest release, unless its verdict forbids it."""
    run = newest(project)
    outputs = audited_outputs(run) if run else []
    if run is None or judged(outputs) == NO:
        raise InfeasibleError("there is no release that may be signed")
    occasion = {name: str(form.get(name, "")).strip()[:200] for name in OCCASION}
    if not occasion["signatory"] or any(text.startswith("-") for text in occasion.values()):
        msg = "a certificate must name who is responsible for the release; give the `signatory`"
        raise ParameterError(msg, parameter="signatory")
    if not project.choices.get("people") and not form.get("first"):
        msg = (
            "what was released about these people before must be known: name the population "
            "under Tune, or confirm that nothing was"
        )
        raise DataError(msg)
    project.choose(occasion=occasion)
    key = bench.workspace.signing_key
    steps = signing_steps(outputs, key, occasion, _shelf(project, outputs))
    bench.jobs.start(Job(kind="sign", folder=project.folder, steps=steps), partial(pack, run, key))
    return at(project, "sign", finished="sign")


def pack(run: Path, key: Path) -> None:
    """Write a zip of what others get: the files that manifests list, and what was signed."""
    with zipfile.ZipFile(run / "release.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in _listed(run):
            packed.write(path, path.relative_to(run).as_posix().removeprefix("public/"))
        packed.write(f"{key}.pub", "signatory.pub")
    (run / "release.zip").chmod(0o600)


def _listed(run: Path) -> Iterator[Path]:
    for output in audited_outputs(run):
        manifest = json.loads((output.release / "manifest.json").read_text("utf-8"))
        for name in ("manifest.json", *manifest["files"]):
            path = output.release / name
            if path.is_symlink() or path.resolve().parent != output.release.resolve():
                raise DataError("the manifest lists a file outside of its release; publish again")
            yield path
        page, certificate = output.page("public"), output.certificate
        yield from (page, page.with_suffix(".json"), certificate, signature_beside(certificate))


@router.get("/p/{project}/release.zip")
def release_zip(project: CurrentProject) -> FileResponse:
    """Hand out the zip of what others get."""
    run = newest(project)
    if run is None or not (run / "release.zip").is_file():
        raise HTTPException(status_code=404)
    return FileResponse(run / "release.zip", filename="release.zip")
