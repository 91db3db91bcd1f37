"""Exposure now: how attackable the data are as they stand."""

import json
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from discreet.report.draw import people
from discreet.report.wording import a_hundred, percent
from discreet.web.commands import exposure_steps
from discreet.web.jobs import Job
from discreet.web.pages import Bench, Form, Here, at, shown

__all__ = ["cards", "router"]

router = APIRouter()
ITEMS = ("one known item", "two known items", "three known items")


@router.get("/p/{project}/exposure")
def exposure(bench: Bench, here: Here) -> HTMLResponse:
    """Show the numbers, or how far their counting is."""
    job = bench.jobs.look(here.folder, "exposure")
    file = here.folder / "exposure.json"
    ready = job is not None and job["state"] == "done"
    told = cards(json.loads(file.read_text("utf-8"))) if ready else []
    steps = exposure_steps(here)
    return shown(bench, "exposure.html", here, job=job, cards=told, command=steps[0].typed)


@router.post("/p/{project}/exposure")
def count(bench: Bench, here: Here, form: Form) -> RedirectResponse:
    """Begin to count."""
    del form
    bench.jobs.start(Job(kind="exposure", folder=here.folder, steps=exposure_steps(here)))
    return at(here, "exposure", finished="exposure")


def cards(risk: dict[str, Any]) -> list[dict[str, str]]:
    """Return a title, a picture of a hundred people and a sentence for each kind of knowledge."""
    known = [(words, risk.get(f"knowing_{items}")) for items, words in enumerate(ITEMS, start=1)]
    found = [(words, each) for words, each in known if each and each["people"]]
    if not found and "share_alone" in risk:
        found = [("what others may know", risk)]
    return [
        {
            "title": f"Alone by {words}",
            "big": a_hundred(each["share_alone"]),
            "svg": people(f"{a_hundred(each['share_alone'])} alone", each["share_alone"],
                          each["share_below_5"] - each["share_alone"]),
            "words": f"{percent(each['share_alone'])} are the only ones who fit, "
            f"{percent(each['share_below_5'])} are among fewer than five.",
        }
        for words, each in found
    ]  # fmt: skip
