"""Every snippet of the tutorials runs, in order, and shows what the page says it shows.

A page says what its blocks are (python, console); one whose blocks have no language is a sketch.

Python blocks share their names. In a console block a line ``$ discreet ...`` is run and must end
well; the lines below it must occur in its output in that order, ``...`` standing for anything.
"""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from discreet.cli.root import root

FOLDER = Path(__file__).parents[1] / "docs" / "tutorials"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return the language and the text of each block."""
    return BLOCK.findall(page.read_text())


PAGES = [page for page in sorted(FOLDER.glob("*.md")) if blocks(page)]


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Return each command of a console block with the lines it should print."""
    scenes: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            scenes.append((line.removeprefix("$ discreet "), []))
        elif line.strip():
            scenes[-1][1].append(line)
    return scenes


def shows(output: str, lines: list[str]) -> bool:
    """Whether the lines occur in the output in this order, blanks not counted exactly."""
    lines = [line for line in lines if line.strip() != "..."]
    patterns = [r"\s+".join(re.escape(word) for word in line.split()) for line in lines]
    wanted = r"(?:.*\n)*?\s*".join(
        pattern.replace(r"\.\.\.", ".*") + r".*\n" for pattern in patterns
    )
    return re.search(wanted, output + "\n") is not None


def is_seeded(command: str, result: Result) -> bool:
    """Whether a check ended with 3 for the one reason that a page's releases can be repeated."""
    output = result.stdout.lower()
    return (
        command.startswith("verify ") and result.exit_code == 3 and "not for publication" in output
    )


def run_console(text: str) -> None:
    for command, lines in commands(text):
        result = CliRunner().invoke(root, shlex.split(command))
        assert result.exit_code == 0 or is_seeded(command, result), f"{command}: {result.stderr}"
        assert shows(result.stdout, lines), f"{command} printed\n{result.stdout}"


def run_python(text: str, names: dict[str, Any], page: Path) -> None:
    exec(compile(text, page.name, "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_snippet_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for language, text in blocks(page):
        if language == "python":
            run_python(text, names, page)
        elif language == "console":
            run_console(text)
    assert any(tmp_path.iterdir()), "a tutorial leaves something behind"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_snippet_is_of_a_kind_that_is_not_run(page: Path) -> None:
    languages = [language for language, _ in blocks(page)]
    assert languages
    assert set(languages) <= {"python", "console", "text"}
    assert len(languages) == page.read_text().count("\n```") // 2
    for language, text in blocks(page):
        if language == "console":
            assert all(
                line.startswith("$ discreet ") for line in text.splitlines() if line[:1] == "$"
            )


def test_there_are_tutorials() -> None:
    run = {page.stem for page in PAGES}
    assert run >= {"baskets-under-differential-privacy", "a-table-with-fifteen-secrets"}


def test_a_line_that_is_not_printed_is_noticed() -> None:
    output = "one  two\nthree\nfour five six\n"
    assert shows(output, ["one two", "...", "four ... six"])
    assert shows(output, ["three"])
    assert not shows(output, ["three", "one two"])
    assert not shows(output, ["four ... seven"])
    assert not shows(output, ["five two"])
