"""Exposure now: how attackable the data are as they stand."""

import json
from collections.abc import Iterator
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from discreet.report.draw import people
from discreet.report.wording import a_hundred, percent
from discreet.web.commands import exposure_steps
from discreet.web.jobs import Job
from discreet.web.pages import Bench, CurrentProject, Form, at, shown

router = APIRouter()
KNOWN: Final = {
    "knowing_1": "one known item",
    "knowing_2": "two known items",
    "knowing_3": "three known items",
}
"""What may be known of a person, by what a profile calls it."""


@router.get("/p/{project}/exposure")
def exposure(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show the numbers, or how far their counting is."""
    job, steps = bench.jobs.look(project.folder, "exposure"), exposure_steps(project)
    ready = job is not None and job["state"] == "done"
    files = [step.output for step in steps if step.output and step.output.is_file()]
    boards = [cards(json.loads(file.read_text("utf-8"))) for file in files] if ready else []
    return shown(
        bench, "exposure.html", project, job=job, told=boards,
        command="\n\n".join(step.typed for step in steps),
    )  # fmt: skip


@router.post("/p/{project}/exposure")
def count(bench: Bench, project: CurrentProject, form: Form) -> RedirectResponse:
    """Begin to count."""
    del form
    bench.jobs.start(Job(kind="exposure", folder=project.folder, steps=exposure_steps(project)))
    return at(project, "exposure", finished="exposure")


def cards(risk: dict[str, Any]) -> list[dict[str, str]]:
    """Return a title, a picture of a hundred people and a sentence for each kind of knowledge."""
    return [*(_alone(who, figures) for who, figures in _knowing(risk)), *_certain(risk)]


def _alone(who: str, risk: dict[str, Any]) -> dict[str, str]:
    alone, few = risk["share_alone"], risk["share_below_5"]
    right = risk["mean_risk"] if "mean_risk" in risk else risk["prosecutor"]["mean"]
    return {
        "title": f"Alone by {who}",
        "big": a_hundred(alone),
        "svg": people(f"{a_hundred(alone)} alone", alone, few - alone),
        "words": (
            f"{percent(alone)} are the only ones who match, {percent(few)} are among fewer than "
            f"five. Anyone who looks for one of them finds the right one {percent(right)} of the "
            "time."
        ),
    }


def _knowing(risk: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what may be known of a person, and how many are then alone."""
    if "share_alone" in risk:
        yield "what others may know", risk
    for name, who in KNOWN.items():
        if (known := risk.get(name)) and known["people"]:
            yield who, known
    if degree := risk.get("degree"):
        few = degree["prosecutor"]["share_above_20_percent"]
        shares = {"share_alone": degree["sample_uniqueness"], "share_below_5": few}
        yield "their number of friends", degree | shares


def _certain(risk: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yield for each secret column of how many people its value follows with certainty."""
    for name, risk_of_one in risk.get("attributes", {}).items():
        share = risk_of_one["share_value_certain"]
        yield {
            "title": f"{name} given away",
            "big": a_hundred(share),
            "svg": people(f"{a_hundred(share)} given away", share),
            "words": (
                f"For {percent(share)} of people it follows with certainty from what others may "
                "know."
            ),
        }
