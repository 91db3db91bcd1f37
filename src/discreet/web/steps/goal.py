"""Goal: three questions lead to two or three methods."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from discreet.web.goals import QUESTIONS, notes, proposals
from discreet.web.jobs import command_line
from discreet.web.pages import Bench, Form, Here, at, shown

router = APIRouter()


@router.get("/p/{project}/goal")
def goal(bench: Bench, here: Here) -> HTMLResponse:
    """Ask, and propose where everything was answered."""
    proposed = proposals(here.choices)
    named = [command_line(("discreet", "methods", each.entry.name)) for each in proposed]
    return shown(
        bench, "goal.html", here, questions=QUESTIONS, answers=here.choices.get("answers", {}),
        proposed=proposed, notes=list(notes(here.choices)),
        command="\n".join(named) or "discreet methods",
    )  # fmt: skip


@router.post("/p/{project}/goal")
def answer(here: Here, form: Form) -> RedirectResponse:
    """Keep the answers, or the method that was chosen by them."""
    answers = {
        name: str(form.get(name)) if form.get(name) in choices else next(iter(choices))
        for name, (_, choices) in QUESTIONS.items()
    }
    here.choose(answers=answers)
    offered = {each.entry.name: each for each in proposals(here.choices)}
    method = form.get("method")
    if method not in offered:
        return at(here, "goal")
    here.choose(method=method, parameters=dict(offered[str(method)].beginning))
    return at(here, "tune", finished="goal")
