"""Gate and sign: the one verdict, what to do about it, and the certificate."""

import json
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

from discreet.errors import InfeasibleError, ParameterError
from discreet.report.board import sentence
from discreet.web.commands import signing_steps
from discreet.web.jobs import Job
from discreet.web.pages import Bench, Form, Here, at, shown
from discreet.web.steps.look import audit_of, newest

__all__ = ["pack", "router"]

router = APIRouter()
OCCASION = ("title", "purpose", "recipient", "signatory")
SIGNED = ("audit.html", "audit.json", "certificate.pdf", "certificate.pdf.sig")


@router.get("/p/{project}/sign")
def sign(bench: Bench, here: Here) -> HTMLResponse:
    """Show the verdict, and what it takes to sign."""
    run = newest(here)
    if run is None:
        return shown(bench, "sign.html", here, audit=None)
    audit, job = audit_of(run, "owner"), bench.jobs.look(here.folder, "sign")
    steps = signing_steps(run, bench.workspace.signing_key, here.choices.get("occasion", {}))
    return shown(
        bench, "sign.html", here, audit=audit, job=job, sentence=sentence(audit["judgement"]),
        ready=(run / "release.zip").is_file(), run=run, occasion=here.choices.get("occasion", {}),
        command=f"# in {here.folder}\n" + "\n\n".join(step.typed for step in steps),
    )  # fmt: skip


@router.post("/p/{project}/sign")
def certify(bench: Bench, here: Here, form: Form) -> RedirectResponse:
    """Sign the newest release, unless its verdict forbids it."""
    run = newest(here)
    if run is None or audit_of(run, "owner")["judgement"]["verdict"] == "do not release":
        msg = "there is no release that may be signed"
        raise InfeasibleError(msg)
    occasion = {name: str(form.get(name, "")).strip()[:200] for name in OCCASION}
    if not occasion["signatory"] or any(text.startswith("-") for text in occasion.values()):
        msg = "a certificate needs somebody who answers for it: name the `signatory`"
        raise ParameterError(msg, parameter="signatory")
    here.choose(occasion=occasion)
    key = bench.workspace.signing_key
    job = Job(kind="sign", folder=here.folder, steps=signing_steps(run, key, occasion))
    bench.jobs.start(job, partial(pack, run, key))
    return at(here, "sign", finished="sign")


def pack(run: Path, key: Path) -> None:
    """Write a zip of what others get: the files that the manifest lists, and what was signed."""
    with zipfile.ZipFile(run / "release.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in _listed(run, key):
            packed.write(path, name)
    (run / "release.zip").chmod(0o600)


def _listed(run: Path, key: Path) -> Iterator[tuple[str, Path]]:
    release = run / "release"
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    for name in ("manifest.json", *manifest["files"]):
        yield f"release/{name}", release / name
    for name in SIGNED:
        yield name, run / "public" / name
    yield "signatory.pub", Path(f"{key}.pub")


@router.get("/p/{project}/release.zip")
def release_zip(here: Here) -> FileResponse:
    """Hand out the zip of what others get."""
    run = newest(here)
    if run is None or not (run / "release.zip").is_file():
        raise HTTPException(status_code=404)
    return FileResponse(run / "release.zip", filename="release.zip")
