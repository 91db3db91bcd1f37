"""Goal: three questions lead to two or three methods."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from discreet.web.goals import QUESTIONS, notes, proposals
from discreet.web.jobs import command_line
from discreet.web.pages import Bench, CurrentProject, Form, at, shown

router = APIRouter()


@router.get("/p/{project}/goal")
def goal(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Ask, and propose where everything was answered."""
    proposed = proposals(project.choices)
    named = [command_line(("discreet", "methods", proposal.entry.name)) for proposal in proposed]
    return shown(
        bench, "goal.html", project, questions=QUESTIONS, proposed=proposed,
        answers=project.choices.get("answers", {}), notes=list(notes(project.choices)),
        command="\n".join(named) or "discreet methods",
    )  # fmt: skip


@router.post("/p/{project}/goal")
def answer(project: CurrentProject, form: Form) -> RedirectResponse:
    """Keep the answers, or the method that was chosen by them."""
    answers = {
        name: str(form.get(name)) if form.get(name) in choices else next(iter(choices))
        for name, (_, choices) in QUESTIONS.items()
    }
    project.choose(answers=answers)
    offered = {proposal.entry.name: proposal for proposal in proposals(project.choices)}
    method = form.get("method")
    if method not in offered:
        return at(project, "goal")
    project.choose(method=method, parameters=dict(offered[str(method)].beginning))
    return at(project, "tune", finished="goal")
