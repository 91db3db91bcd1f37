"""What the README and the docs say is so: examples run, rooms and methods exist."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import discreet
from discreet.catalog import entries
from discreet.cli.root import COMMANDS, root
from discreet.core.release import Release

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    return str(text)


def tree() -> dict[str, str]:
    """The rooms that the README draws, each with its line."""
    (drawn,) = re.findall(r"^src/discreet/\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    rooms = re.findall(r"^( *)(\S+) {2,}(\S.*)$", drawn, flags=re.MULTILINE)
    return {f"src/discreet/{room}" if indent else room: line for indent, room, line in rooms}


def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python"), "README.md", "exec"), {})
    output = capsys.readouterr().out
    assert re.search(r"^diff-part: [1-9]\d* leaks, promise kept: None$", output, flags=re.MULTILINE)
    assert "apl-killer: 0 leaks, promise kept: True" in output
    assert Release.load("release").manifest.method == "apl-killer"


def test_the_python_example_is_short() -> None:
    assert len(block("python").splitlines()) <= 12


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    baskets = [["beer", "bread"]] * 300 + [["bread", "milk"]] * 200 + [["wine"]] * 90
    rows = [f"{person},{item}" for person, basket in enumerate(baskets) for item in basket]
    Path("baskets.csv").write_text("\n".join(["id,item", *rows]) + "\n")
    Path("items.txt").write_text("beer\nbread\nmilk\nwine\n")
    lines = block("sh").splitlines()
    assert len(lines) >= 4
    for line in lines:
        program, *args = shlex.split(line)
        ended = CliRunner().invoke(root, args)
        assert (program, ended.exit_code) == ("discreet", 0), line + ended.output


def test_every_room_that_is_drawn_exists() -> None:
    drawn = tree()
    assert len(drawn) >= 14
    assert [path for path in drawn if not (ROOT / path).exists()] == []
    assert all(len(line.split()) >= 3 for line in drawn.values())


def test_every_room_that_exists_is_drawn() -> None:
    drawn = {Path(path).name for path in tree()}
    (package,) = discreet.__path__
    rooms = [
        path.name
        for path in Path(package).iterdir()
        if (path / "__init__.py").exists() or path.suffix == ".py"
    ]
    assert sorted(set(rooms) - {"__init__.py"} - drawn) == []


def test_what_is_said_to_be_there_is_there() -> None:
    known = {entry.name for entry in entries()}
    families = [line.split("|") for line in README.splitlines() if line.startswith("| ")][1:]
    named = {name for row in families for name in re.findall(r"`([a-z-]+)`", row[2] + row[3])}
    assert named == known


def test_commands_that_pages_name_exist() -> None:
    for page in PAGES:
        for command in re.findall(r"^discreet ([a-z-]+)", page.read_text(), flags=re.MULTILINE):
            assert command in COMMANDS, f"{page.name}: {command}"
