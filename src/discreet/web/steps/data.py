"""Data: what the files seem to hold, and which of it is secret."""

from collections.abc import Iterator
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from discreet.errors import DataError, DiscreetError
from discreet.web.commands import exposure_steps
from discreet.web.pages import Bench, CurrentProject, Form, Workbench, at, shown, texts
from discreet.web.projects import Project
from discreet.web.reading import KINDS, ROLES
from discreet.web.understanding import (
    MOST,
    Understood,
    columns_guessed,
    header_of,
    understood,
)
from discreet.web.uploads import UPLOAD_LIMIT, Upload, taken_in

router = APIRouter()
FURTHER: Final = {"edges": "network", "later": "series", "control": None}
"""What a further file can be, and what the project then is; others beside change nothing."""
MOST_FILES: Final = 50
"""How many files a series may have here."""
SEEN_AGAIN: Final = (
    "kind", "columns", "edge_columns", "allow_unmatched", "roles", "separator",
)  # fmt: skip
"""What changes the rows that are shown, or what is asked of them."""


@router.get("/p/{project}/data")
def data(bench: Bench, project: CurrentProject) -> HTMLResponse:
    """Show the first rows as they are read."""
    if guessed := columns_guessed(project):
        project.choose(columns=guessed)
    return _shown(bench, project, understood(project))


def _shown(bench: Workbench, project: Project, seen: Understood, fault: str = "") -> HTMLResponse:
    choices = project.choices
    ends = header_of(project.folder / choices["edges"]) if choices.get("edges") else ()
    names = {name for name, _ in seen.values[:MOST]}
    return shown(
        bench, "data.html", project, seen=seen, roles=ROLES, most=MOST, chosen=choices, fault=fault,
        command=_command(project, seen), ends=ends, listed=set(choices.get("universe", [])),
        further=[name for name in choices.get("universe", []) if name not in names],
    )  # fmt: skip


def _command(project: Project, seen: Understood) -> str:
    """Return what reads the file so at a terminal; nothing where it cannot be read yet."""
    if seen.fault or (seen.kind == "table" and not project.choices.get("roles")):
        return ""
    return exposure_steps(project)[0].typed


@router.post("/p/{project}/data", response_model=None)
def choose(bench: Bench, project: CurrentProject, form: Form) -> HTMLResponse | RedirectResponse:
    """Keep how the data are read, and what is secret; go on where they can be read so."""
    if taken := form.get("take_out"):
        _take_out(project, str(taken))
        return at(project, "data")
    before, had_roles = _seen(project), bool(project.choices.get("roles"))
    was = project.choices.get("kind")
    project.choose(**_chosen(form))
    seen = understood(project)
    if seen.kind == "table" and was != "table" and not seen.fault and not project.choices["roles"]:
        # the columns stand on the page only now
        return at(project, "data")
    if fault := seen.fault or _without_roles(project, seen):
        return _shown(bench, project, seen, fault)
    _keep_lists(project, form, seen)
    asked_more = seen.kind == "table" and not had_roles
    if (was is not None and before != _seen(project)) or asked_more:
        # what is shown changes, and should be seen before going on
        return at(project, "data")
    return at(project, "exposure", finished="data")


def _seen(project: Project) -> list[Any]:
    """Return what was chosen of that; nothing chosen is as good as nothing said."""
    chosen = [project.choices.get(name) for name in SEEN_AGAIN]
    return [
        {key: text for key, text in choice.items() if text} if isinstance(choice, dict) else choice
        for choice in (value or {} for value in chosen)
    ]


def _without_roles(project: Project, seen: Understood) -> str:
    roles = set(project.choices["roles"].values())
    if seen.kind == "table" and not roles & {"qid", "sensitive_attributes", "multi_valued"}:
        return "at least one column must be known to others or secret"
    return ""


def _chosen(form: FormData) -> dict[str, Any]:
    kind = str(form.get("kind"))
    names = texts(form, "column")
    roles = {name: str(form.get(f"role-{index}", "")) for index, name in enumerate(names)}
    return {
        "kind": kind if kind in KINDS else "sets",
        "roles": {name: role for name, role in roles.items() if role in ROLES and role},
        "columns": {
            field: str(form.get(f"{field}_column", "")) for field in ("id", "item", "items")
        },
        "edge_columns": {end: str(form.get(f"{end}_end", "")) for end in ("source", "target")},
        "allow_unmatched": bool(form.get("allow_unmatched")),
        "harmless": dict(_harmless(form)),
        **({"separator": str(form["separator"]).strip()} if "separator" in form else {}),
    }


def _harmless(form: FormData) -> Iterator[tuple[str, list[str]]]:
    for index, name in enumerate(texts(form, "column")):
        if values := texts(form, f"harmless-{index}"):
            yield name, values


def _keep_lists(project: Project, form: FormData, seen: Understood) -> None:
    known = {name for name, _ in seen.values}
    secret = [name for name in texts(form, "sensitive") if name in known]
    listed = [name for name in texts(form, "listed") if name in known]
    # a public list may name what nobody holds
    lines = [line.strip() for text in texts(form, "universe") for line in text.splitlines()]
    universe = list(dict.fromkeys([*listed, *(line for line in lines if line)]))
    project.choose(sensitive=secret, universe=universe)
    project.list_file("sensitive", secret)
    project.list_file("universe", universe)


def _take_out(project: Project, name: str) -> None:
    """Forget a further file."""
    later = list(project.choices.get("later", []))
    single = {role: project.choices.get(role) for role in ("edges", "control")}
    if name not in (*single.values(), *later):
        return
    (project.folder / name).unlink(missing_ok=True)
    remaining = {role: None if file == name else file for role, file in single.items()}
    remaining["later"] = [file for file in later if file != name]
    if name == single["control"]:
        project.choose(**remaining)
        return
    still = "network" if remaining["edges"] else "series" if remaining["later"] else "sets"
    project.choose(**remaining, kind=still)


@router.post("/p/{project}/upload", response_model=None)
async def further(
    request: Request, bench: Bench, project: CurrentProject
) -> HTMLResponse | RedirectResponse:
    """Take a further file in: friendships, the same people later, or others beside them."""
    csrf = bench.session.csrf
    try:
        async with taken_in(request, project.folder, csrf, limit=UPLOAD_LIMIT) as got:
            _add(project, got)
    except DiscreetError as error:
        return _shown(bench, project, understood(project), str(error))
    return at(project, "data")


def _add(project: Project, got: Upload) -> None:
    role, later = got.fields.get("part", ""), list(project.choices.get("later", []))
    if role not in FURTHER or len(later) >= MOST_FILES:
        msg = (
            f"a further file must be friendships, others, or one of at most {MOST_FILES} later ones"
        )
        raise DataError(msg)
    if role == "later":
        numbers = [int(file.partition(".")[0].removeprefix("data-")) for file in later]
        name = f"data-{max(numbers, default=1) + 1}{got.ending}"
        chosen: dict[str, Any] = {"later": [*later, name]}
    else:
        name = f"{role}{got.ending}"
        chosen = {role: name}
    # chosen when it is there, so that no choice names a file that did not come
    got.path.rename(project.folder / name)
    project.choose(**chosen, **({"kind": FURTHER[role]} if FURTHER[role] else {}))
