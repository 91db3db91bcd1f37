"""The documentation: every link leads somewhere, and the site builds."""

import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from discreet.catalog import entries
from discreet.cli.examples import shown
from discreet.cli.root import root
from discreet.report.glossary import GLOSSARY, whole_glossary

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
ATTACKS = ROOT / "docs" / "attacks"
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """Return the names by which headings of a page can be linked to."""
    heads = re.findall(r"^#+\s+(.*)$", FENCE.sub("", text), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", head).lower() for head in heads]
    return {re.sub(r"[^\w\- ]", "", head).strip().replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lost = []
    for link in LINK.finditer(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))):
        target = link[1] or link[2]
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        made = file.name == "catalog.md" or file.parent.name == "api"
        if made and not file.exists():
            continue  # it is written when the site is built
        if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
            lost.append(target)
    assert lost == []


def _names_of_tests() -> set[str]:
    texts = (file.read_text() for file in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"def (test_\w+)", text)}


def faults_of_evidence(text: str) -> list[str]:
    """Return the tests and files that a page names and that are not there."""
    folders = (ROOT, ROOT / "src" / "discreet")
    files = set(re.findall(r"`([\w/]+\.py)`", text))
    lost = [file for file in files if not any((folder / file).is_file() for folder in folders)]
    return sorted({*lost, *(set(re.findall(r"`(test_\w+)`", text)) - _names_of_tests())})


# decisions tell of what was there when they were taken
TOLD_BY = [page for page in PAGES if page.parent.name in ("soundness", "reference", "concepts")]


@pytest.mark.parametrize("page", TOLD_BY, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_shows_a_claim_is_there(page: Path) -> None:
    assert faults_of_evidence(page.read_text(encoding="utf-8")) == []


def test_a_test_that_was_renamed_is_seen() -> None:
    text = "*Shown by* `tests/data/test_gone.py`, `test_that_is_gone`, `core/exact.py`"
    assert faults_of_evidence(text) == ["test_that_is_gone", "tests/data/test_gone.py"]


def test_there_are_pages_to_check() -> None:
    assert len(TOLD_BY) > 10
    assert len(PAGES) > 20


@pytest.mark.skipif(find_spec("sphinx") is None, reason="the extra for the site is not installed")
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", "-d", tmp_path / "trees"]
    done = subprocess.run(
        [*map(str, command), str(ROOT / "docs"), str(tmp_path / "site")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    catalog = (tmp_path / "site" / "reference" / "catalog.html").read_text(encoding="utf-8")
    assert "apl-killer" in catalog
    assert "--epsilon" in catalog
    python = (tmp_path / "site" / "api" / "discreet.counts.html").read_text(encoding="utf-8")
    assert "AplKiller" in python
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    # nothing is asked for from elsewhere
    assert not re.search(r"""(?:src|<link[^>]*href)=["']https?:""", index)


def commands(page: Path) -> list[list[str]]:
    """Return the command lines of a page, word by word; a line that ends in \\ goes on."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    fenced = "\n".join(block[0] for block in FENCE.finditer(text))
    lines = re.findall(r"^(?:\$ )?discreet (.*)$", fenced, re.MULTILINE)
    return [shlex.split(re.sub(r"\s#.*|[|>].*|\s{2,}[A-Za-z].*", "", line)) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_and_option_that_is_shown_exists(page: Path) -> None:
    wrong = []
    for args in commands(page):
        command: click.Command = root
        remaining = list(args)
        while isinstance(command, click.Group) and remaining and not remaining[0].startswith("-"):
            name = remaining.pop(0)
            if name.isupper():  # METHOD stands for any of them
                break
            subcommand = command.get_command(click.Context(command), name)
            assert subcommand is not None, args
            command = subcommand
        known = {name for option in command.params for name in option.opts} | {"--help", "-h"}
        options = {arg.partition("=")[0] for arg in remaining if arg.startswith("--")}
        # `series publish` hands options on to the method that it is given
        handed_on = command.context_settings.get("ignore_unknown_options")
        open_ended = isinstance(command, click.Group) or handed_on
        if not open_ended and options - known:
            wrong.append((args, sorted(options - known)))
    assert wrong == []


def test_there_are_commands_to_check() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 40


def test_every_attack_has_a_story_with_its_example() -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in ATTACKS.glob("[a-z]*.md")}
    assert set(pages) == {entry.name for entry in entries("attack")} | {"interactive-linkage"}
    for entry in entries("attack"):
        assert "\n".join(shown(entry.example)) in pages[entry.name]
        assert all(f"**{heading}" in pages[entry.name] for heading in ("The story", "What helps"))
        assert f"[{entry.name}]({entry.name}.md)" in (ATTACKS / "README.md").read_text("utf-8")


def test_the_glossary_says_what_the_program_says() -> None:
    page = (ROOT / "docs" / "concepts" / "glossary.md").read_text(encoding="utf-8")
    terms = [(word, " ".join(meaning.split())) for word, meaning in
            re.findall(r"^\*\*(.+)\*\*\n: (.+)$", page, re.MULTILINE)]  # fmt: skip
    assert terms == whole_glossary()
    assert set(GLOSSARY) < {word for word, _ in terms}


def test_the_decision_tree_names_methods_that_are_there() -> None:
    page = (ROOT / "docs" / "guide" / "choosing.md").read_text(encoding="utf-8")
    named = set(re.findall(r"→ \[([a-z-]+)\]", page))
    assert len(named) > 12
    assert named <= {entry.name for entry in entries("publisher")}


def test_the_citation_is_of_this_version_by_nobody_made_up() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {project['version']}\n" in citation
    assert f"\nlicense: {project['license']}\n" in citation
    assert re.findall(r"- name: (.*)", citation) == ['"The discreet developers"']


def test_no_help_points_at_a_file_that_a_wheel_does_not_hold() -> None:
    wrong = [
        entry.name
        for entry in entries()
        if re.search(r"docs/|examples/|\.md\b", f"{entry.source} {entry.method.__doc__}")
    ]
    assert wrong == []
