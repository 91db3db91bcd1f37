"""Start: a file, or a project from before."""

from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.background import BackgroundTask

from discreet import rng
from discreet.errors import DiscreetError
from discreet.report.glossary import whole_glossary
from discreet.study.example import PRODUCTS, pharmacy
from discreet.web.pages import STEPS, Bench, Form, Workbench, at, prepare_pages, shown
from discreet.web.populations import populations
from discreet.web.projects import Project, Workspace
from discreet.web.reading import prepare_reading
from discreet.web.runs import audited_outputs, judged, newest
from discreet.web.uploads import UPLOAD_LIMIT, taken_in

router = APIRouter()
PEOPLE = 4000
"""How many people the built-in example has."""


@router.get("/")
def start(bench: Bench) -> HTMLResponse:
    """Show where to begin."""
    page = _shown(bench)
    # while the page is read, what the first file needs is loaded
    page.background = BackgroundTask(_prepare)
    return page


@cache
def _prepare() -> None:
    prepare_pages()
    prepare_reading()


def _shown(bench: Workbench, fault: str = "") -> HTMLResponse:
    projects = [(project, *_standing(project)) for project in bench.workspace.all()]
    try:
        known = populations()
    except DiscreetError as error:
        # a ledger that cannot be read is told, and keeps nobody from the projects
        known, fault = [], fault or str(error)
    return shown(bench, "start.html", fault=fault, projects=projects, populations=known)


def _standing(project: Project) -> tuple[str, str]:
    """Return the step at which a project goes on, and how it stands in words."""
    done = set(project.choices.get("done", []))
    run = newest(project)
    if run is None:
        steps = [name for name in STEPS if name != "hierarchies"]
        return next((name for name in steps if name not in done), "sign"), ""
    verdict = judged(audited_outputs(run))
    return ("sign" if (run / "release.zip").is_file() else "look"), f"last verdict: {verdict}"


@router.get("/glossary")
def glossary(bench: Bench) -> HTMLResponse:
    """Show what words mean."""
    return shown(bench, "glossary.html", words=whole_glossary())


@router.post("/upload", response_model=None)
async def upload(request: Request, bench: Bench) -> HTMLResponse | RedirectResponse:
    """Take a file in, and begin a project with it."""
    root, csrf = bench.workspace.root, bench.session.csrf
    try:
        # people's data: no copy stays that no project knows of
        async with taken_in(request, root, csrf, limit=UPLOAD_LIMIT) as got:
            title, people = got.fields.get("title", ""), got.fields.get("people", "")
            chosen = {"people": people} if people else {}
            project = bench.workspace.new(
                title or got.file_name, f"data{got.ending}", file=got.path, **chosen
            )
    except DiscreetError as error:
        return _shown(bench, str(error))
    return at(project, "like" if got.fields.get("like") else "data")


@router.post("/example")
def example(bench: Bench, form: Form) -> RedirectResponse:
    """Begin a project with made-up data."""
    del form
    return at(example_project(bench.workspace), "data")


def example_project(workspace: Workspace) -> Project:
    """Write the made-up baskets of a pharmacy into a new project."""
    baskets = pharmacy(PEOPLE, rng.seeded(2026))
    project = workspace.new("Example: baskets of a pharmacy", "data.csv")
    lines = [f"{person},{item}\n" for person, basket in enumerate(baskets) for item in basket]
    project.data.touch(mode=0o600)
    project.data.write_text("id,item\n" + "".join(lines), encoding="utf-8")
    project.choose(universe=list(PRODUCTS))
    project.list_file("universe", list(PRODUCTS))
    return project
