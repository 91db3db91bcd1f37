"""The static site: ``make docs`` builds it into build/site."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

from sphinx.application import Sphinx

from discreet.catalog import Entry, entries
from discreet.cli.examples import shown

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "discreet"
author = "the discreet developers"
version = release = version_of("discreet")
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["README.md"]
html_theme = "furo"
html_title = "discreet"
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "tasklist"]
# one theme for the program's own output; blocks of other kinds are plain text
highlight_language = "text"
# pages outside docs/ (README, CHANGELOG, tests) are named as files, and are not part of the site
suppress_warnings = ["myst.xref_missing"]


def catalog_page() -> str:
    """Return the catalog as a page: every method with its parameters, in the words of the code."""
    parts = ["# Catalog", "", "Written from the code: `discreet methods NAME` says the same.", ""]
    for kind, heading in (("publisher", "Ways to publish"), ("attack", "Ways to attack")):
        parts += [f"## {heading}", ""]
        for entry in entries(kind):
            parts += _entry(entry)
    return "\n".join(parts)


def _entry(entry: Entry) -> list[str]:
    contents = ", ".join(content.__name__ for content in entry.contents) or "any"
    about = (
        f"Reads `{entry.data.__name__}`, makes `{contents}`."
        if entry.kind == "publisher"
        else f"Attacks releases of `{contents}`."
    )
    rows = [
        f"| `{part.option}` | {_cell(part.help)} | {_cell(part.usage)} | {_default(part)} |"
        for part in (*entry.parameters, *entry.facts)
    ]
    table = ["| option | meaning | value | default |", "|---|---|---|---|", *rows] if rows else []
    example = ["```sh", *shown(entry.example), "```", ""]
    return [
        f"### {entry.name}",
        "",
        f"{entry.summary} {entry.when}",
        "",
        *example,
        f"{about} {entry.source}",
        "",
        *table,
        "",
    ]


def _default(part: object) -> str:
    if part.required:
        return "must be chosen"
    return "" if part.written_default is None else f"`{part.written_default}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _write_pages(_app: Sphinx) -> None:
    from api_pages import pages

    made = {HERE / "reference" / "catalog.md": catalog_page()}
    made |= {HERE / "api" / f"{name}.md": page for name, page in pages().items()}
    (HERE / "api").mkdir(exist_ok=True)
    for target, page in made.items():
        if not target.is_file() or target.read_text(encoding="utf-8") != page:
            target.write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write what is made from the code before the site is built."""
    app.connect("config-inited", lambda app, _config: _write_pages(app))
