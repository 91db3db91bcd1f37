"""Hierarchies: a tree for the items or for each column, made from the data, by hand or read."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from discreet.catalog import parameters_of
from discreet.catalog.hierarchies import BUILDERS
from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError, DiscreetError
from discreet.web.attached import CONSTRAINTS, HierarchyFile, hierarchy_files, tree_in
from discreet.web.drafts import Draft, branches
from discreet.web.holdings import Holdings, built, holdings_in, levels_of, rows_at
from discreet.web.jobs import command_line
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, note_done, shown, texts
from discreet.web.uploads import taken_in

router = APIRouter()
IMPORT_LIMIT: Final = 64 << 20
"""The most bytes of a hierarchy that is read from a file."""
SHOWN: Final = 30
"""How many values that are not covered are named."""
INSTALLED: Final = ("wordnet_synsets.tsv", "data.noun")
"""Files by which a WordNet is known to be there."""


def _slot(number: int, project: CurrentProject) -> HierarchyFile:
    for slot in hierarchy_files(project):
        if slot.number == number:
            return slot
    raise HTTPException(status_code=404)


Tree = Annotated[HierarchyFile, Depends(_slot)]
"""The hierarchy that an address names, for a route."""


@router.get("/p/{project}/hierarchies")
def hierarchies(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show what can have a hierarchy, and how each stands."""
    listed = [(slot, _summary(slot)) for slot in hierarchy_files(project)]
    files = [(kind, (project.folder / f"{kind}.txt").is_file()) for kind in CONSTRAINTS]
    sets = project.choices.get("kind") != "table"
    names = [slot.file.name for slot, summary in listed if summary]
    shows = [command_line(("discreet", "hierarchy", "show", name)) for name in names]
    return shown(
        bench, "hierarchies.html", project, listed=listed, constraints=files if sets else [],
        command="\n".join(shows) or "discreet hierarchy --help",
    )  # fmt: skip


def _summary(slot: HierarchyFile) -> str:
    if (made := tree_in(slot.file)) is None:
        return ""
    holdings = holdings_in(slot.project, slot.column)
    lacking = len(holdings.people.keys() - set(made.values))
    covers = "every value is covered" if not lacking else f"{lacking:,} values are not covered"
    return f"{len(made.values):,} values, {made.height} levels above them; {covers}"


@router.get("/p/{project}/hierarchies/{number}")
def tree(bench: Bench, slot: Tree) -> HTMLResponse:
    """Show the editor of one hierarchy."""
    return _shown(bench, slot, "tree.html", {})


@router.get("/p/{project}/hierarchies/{number}/file")
def file(slot: Tree) -> FileResponse:
    """Hand out the hierarchy as the command line takes it."""
    if not slot.file.is_file():
        raise HTTPException(status_code=404)
    return FileResponse(slot.file, filename=slot.file.name, media_type="text/csv")


@router.post("/p/{project}/hierarchies/{number}", response_model=None)
def change(
    request: Request, bench: Bench, slot: Tree, form: Form
) -> HTMLResponse | RedirectResponse:
    """Change the tree; a page that can, swaps only what changed."""
    wrong = ""
    try:
        _change(slot, form)
    except DiscreetError as error:
        wrong = str(error)
    swaps = request.headers.get("hx-request") == "true"
    return _shown(bench, slot, "tree_editor.html" if swaps else "tree.html", form, wrong)


@router.post("/p/{project}/hierarchies/{number}/upload", response_model=None)
async def upload(request: Request, bench: Bench, slot: Tree) -> HTMLResponse | RedirectResponse:
    """Read a hierarchy from a file: ARX's, Amnesia's, or pairs of child and parent."""
    folder, csrf = slot.project.folder, bench.session.csrf
    try:
        async with taken_in(request, folder, csrf, limit=IMPORT_LIMIT) as got:
            named = got.path.with_name(f"{got.path.name}{got.ending}")
            try:
                got.path.rename(named)
                _save(slot, Hierarchy.read(named))
            finally:
                named.unlink(missing_ok=True)
    except DiscreetError as error:
        return _shown(bench, slot, "tree.html", {}, str(error))
    return RedirectResponse(f"/p/{slot.project.name}/hierarchies/{slot.number}", status_code=303)


def _shown(
    bench: Workbench, slot: HierarchyFile, template: str, form: "FormData | Mapping[str, Any]",
    wrong: str = "",
) -> HTMLResponse:  # fmt: skip
    holdings = holdings_in(slot.project, slot.column)
    made = tree_in(slot.file)
    content: dict[str, Any] = {"made": made, "wrong": wrong, "find": str(form.get("find", ""))}
    content["undo"] = _before(slot).is_file()
    if made is not None:
        lacking = sorted(holdings.people.keys() - set(made.values))
        level = str(form.get("level", "1"))
        level_number = int(level) if level.isdecimal() else 1
        draft = Draft.of(made)
        content |= {
            "lacking": lacking[:SHOWN], "lacking_many": len(lacking), "draft": draft,
            "absent": len(set(made.values) - holdings.people.keys()),
            "branch": branches(draft, holdings.people, content["find"]),
            "levels": levels_of(made, holdings), "level": min(level_number, made.height),
            "rows": rows_at(made, holdings, level_number),
        }  # fmt: skip
    return shown(
        bench, template, slot.project, step="hierarchies", place=slot, held=holdings,
        offered=_offered(holdings), command=_command(slot), **content,
    )  # fmt: skip


def _command(slot: HierarchyFile) -> str:
    data = str(slot.project.choices["data"])
    against = ["--against", data, "--column", slot.column] if slot.column else []
    return command_line(("discreet", "hierarchy", "show", slot.file.name, *against))


def _offered(holdings: Holdings) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Return the ways to build a tree of these values, with what each asks."""
    net = Path(os.environ.get("DISCREET_DATA", ""))
    lacks = set() if any((net / name).is_file() for name in INSTALLED) else {"wordnet"}
    if holdings.sets is None:
        lacks.add("from-data")
    return [
        (name, (kind.__doc__ or "").rstrip("."), _fields_shown(kind))
        for name, kind in BUILDERS.items()
        if name not in lacks
    ]


def _fields_shown(kind: Any) -> tuple[Any, ...]:
    """Return the fields of a builder but for folders, which a page does not name."""
    return tuple(
        parameter for parameter in parameters_of(kind) if parameter.syntax.metavar != "PATH"
    )


def _change(slot: HierarchyFile, form: FormData) -> None:
    action = str(form.get("action", "look"))
    if action == "look":
        return
    if action == "build":
        _build(slot, form)
        return
    if action == "undo":
        _undo(slot)
        return
    if (made := tree_in(slot.file)) is None:
        raise DataError("make or read a hierarchy first")
    if action == "forget":
        slot.file.replace(_before(slot))
        return
    draft = Draft.of(made)
    _edited(draft, action, form, holdings_in(slot.project, slot.column))
    _save(slot, draft.made())


def _edited(draft: Draft, action: str, form: FormData, holdings: Holdings) -> None:
    chosen, name = texts(form, "chosen"), str(form.get("name", ""))
    target, values = str(form.get("target", "")), str(form.get("values", ""))
    changes: dict[str, Callable[[], None]] = {
        "put": lambda: draft.put_under(chosen, name),
        "move": lambda: draft.move(chosen, target),
        "rename": lambda: draft.rename(chosen, name),
        "merge": lambda: draft.merge(chosen, name),
        "dissolve": lambda: draft.dissolve(chosen),
        "remove": lambda: draft.remove(chosen, holdings.people.keys()),
        "cover": lambda: draft.add(sorted(holdings.people.keys() - draft.values), target),
        "add": lambda: draft.add(values.splitlines(), target),
    }
    if action not in changes:
        raise DataError("the editor does not know this change")
    changes[action]()


def _build(slot: HierarchyFile, form: FormData) -> None:
    name = str(form.get("builder", ""))
    if name not in BUILDERS:
        raise DataError("choose how the hierarchy is made")
    typed = {
        field.name: str(form.get(f"{name}.{field.name}", ""))
        for field in _fields_shown(BUILDERS[name])
    }
    _save(slot, built(name, typed, holdings_in(slot.project, slot.column)))


def _before(slot: HierarchyFile) -> Path:
    return slot.file.with_suffix(".before.csv")


def _save(slot: HierarchyFile, made: Hierarchy) -> None:
    """Write the file, and keep the one before for one step back."""
    new = slot.file.with_suffix(".new.csv")
    made.save(new)
    new.chmod(0o600)
    if slot.file.is_file():
        slot.file.replace(_before(slot))
    new.replace(slot.file)
    note_done(slot.project, "hierarchies")


def _undo(slot: HierarchyFile) -> None:
    before = _before(slot)
    if not before.is_file():
        raise DataError("there is nothing to undo")
    aside = slot.file.with_suffix(".new.csv")
    if slot.file.is_file():
        slot.file.replace(aside)
    before.replace(slot.file)
    if aside.is_file():
        aside.replace(before)
