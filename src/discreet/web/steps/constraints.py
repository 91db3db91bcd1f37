"""Constraints: which combinations are protected, and which items may stand for each other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from discreet.core.constraints import Constraints
from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError, DiscreetError
from discreet.web.attached import CONSTRAINTS, hierarchy_files, tree_in
from discreet.web.holdings import holdings_in
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, note_done, shown, texts
from discreet.web.projects import Project
from discreet.web.uploads import taken_in

router = APIRouter()
LISTED: Final = 500
"""How many constraints are shown."""
OFFERED: Final = 2000
"""How many items can be chosen by click."""
IMPORT_LIMIT: Final = 64 << 20
"""The most bytes of a file of constraints."""


def _kind(kind: str) -> str:
    if kind not in CONSTRAINTS:
        raise HTTPException(status_code=404)
    return kind


Kind = Annotated[str, Depends(_kind)]
"""Privacy or utility, for a route."""


@router.get("/p/{project}/constraints/{kind}")
def constraints(bench: Bench, project: CurrentProject, kind: Kind) -> HTMLResponse:
    """Show the constraints, and the items to make further ones of."""
    return _shown(bench, project, kind)


@router.post("/p/{project}/constraints/{kind}")
def change(bench: Bench, project: CurrentProject, kind: Kind, form: Form) -> HTMLResponse:
    """Add or take away constraints."""
    wrong = ""
    try:
        _save(project, kind, list(_changed(project, kind, form)))
        note_done(project, "hierarchies")
    except DiscreetError as error:
        wrong = str(error)
    return _shown(bench, project, kind, wrong)


@router.post("/p/{project}/constraints/{kind}/upload", response_model=None)
async def upload(
    request: Request, bench: Bench, project: CurrentProject, kind: Kind
) -> HTMLResponse | RedirectResponse:
    """Read constraints from a file as the command line takes it."""
    csrf = bench.session.csrf
    try:
        async with taken_in(request, project.folder, csrf, limit=IMPORT_LIMIT) as got:
            Constraints.read(got.path).save(_file(project, kind))
            note_done(project, "hierarchies")
    except DiscreetError as error:
        return _shown(bench, project, kind, str(error))
    return RedirectResponse(f"/p/{project.name}/constraints/{kind}", status_code=303)


def _file(project: Project, kind: str) -> Path:
    return project.folder / f"{kind}.txt"


def _existing(project: Project, kind: str) -> list[tuple[tuple[str, ...], int]]:
    """Return the constraints, each with the support it asks for."""
    if not _file(project, kind).is_file():
        return []
    return list(Constraints.read(_file(project, kind)).needs(0))


def _shown(bench: Workbench, project: Project, kind: str, wrong: str = "") -> HTMLResponse:
    holdings, existing = holdings_in(project, ""), _existing(project, kind)
    named = {item for items, _ in existing for item in items}
    items = sorted(holdings.people.items(), key=lambda pair: (-pair[1], pair[0]))
    return shown(
        bench, "constraints.html", project, step="hierarchies", kind=kind, wrong=wrong,
        there=existing[:LISTED], more=max(0, len(existing) - LISTED), items=items[:OFFERED],
        absent=sorted(named - holdings.people.keys())[:20], tree=_tree(project) is not None,
        unnamed=len(holdings.people.keys() - named),
    )  # fmt: skip


def _tree(project: Project) -> Hierarchy | None:
    return (
        tree_in(hierarchy_files(project)[0].file)
        if project.choices.get("kind") != "table"
        else None
    )


def _changed(project: Project, kind: str, form: FormData) -> Iterator[tuple[tuple[str, ...], int]]:
    """Give the constraints as they are after what the form asks for."""
    action, chosen = form.get("action"), texts(form, "chosen")
    gone = set(texts(form, "gone")) if action == "remove" else set()
    existing = _existing(project, kind) if action != "clear" else []
    yield from (constraint for index, constraint in enumerate(existing) if str(index) not in gone)
    if action in ("together", "each") and not chosen:
        raise DataError("choose items first, by the boxes before them")
    least = str(form.get("least", "")).strip()
    support = int(least) if least.isdecimal() and len(least) < 18 else 0
    if action == "together":
        yield tuple(chosen), support
    elif action == "each":
        yield from (((item,), support) for item in chosen)
    elif action == "groups":
        yield from _of_tree(project)


def _of_tree(project: Project) -> Iterator[tuple[tuple[str, ...], int]]:
    """Give the values under each name just above values, as one constraint each."""
    tree = _tree(project)
    if tree is None:
        raise DataError("make a hierarchy of the items first")
    people = holdings_in(project, "").people
    groups: dict[str, list[str]] = {}
    for value in tree.values:
        if value in people:
            groups.setdefault(str(tree.parent(value)), []).append(value)
    yield from ((tuple(values), 0) for values in groups.values())


def _save(project: Project, kind: str, constraints: list[tuple[tuple[str, ...], int]]) -> None:
    if not constraints:
        _file(project, kind).unlink(missing_ok=True)
        return
    Constraints.of([items for items, _ in constraints], [least for _, least in constraints]).save(
        _file(project, kind)
    )
