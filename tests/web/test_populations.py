"""Past releases of the same people, as a page tells of them."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from discreet.cli.root import root
from discreet.web.populations import earlier_releases, populations
from tests.web.conftest import HOME


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A population with one release on its shelf."""
    monkeypatch.setenv("DISCREET_STORE", str(tmp_path / "store.db"))
    (tmp_path / "d.dat").write_text("1 2\n" * 30 + "2\n" * 20)
    (tmp_path / "u.txt").write_text("1\n2\n")
    for words in (
        ["ledger", "budget", "town", "2"],
        ["publish", "item-supports", "d.dat", "--epsilon", "0.5", "--universe", "u.txt", "--people",
         "town", "--recipient", "the press", "--out", "r"],
    ):  # fmt: skip
        monkeypatch.chdir(tmp_path)
        done = CliRunner().invoke(root, words)
        assert done.exit_code == 0, done.stderr
    return "town"


def test_the_start_shows_what_is_out_and_what_may_come(
    visitor: Any, workspace: Any, town: str
) -> None:
    told = visitor.enter().ask("GET", "/").text
    assert "item-supports" in told
    assert "for the press" in told
    assert "3/2 of epsilon 2 left" in told
    (listed,) = populations()
    assert listed["name"] == town
    answer = visitor.ask(
        "POST", "/upload", data={"csrf": visitor.session.csrf, "people": town, "like": "1"},
        files={"file": ("a.csv", b"id,item\n1,a\n")}, headers={"origin": HOME},
    )  # fmt: skip
    (project,) = workspace.all()
    assert answer.headers["location"] == f"/p/{project.name}/like"
    (line,) = earlier_releases(project)
    assert "item-supports, epsilon 0.5" in line
    assert line in visitor.ask("GET", f"/p/{project.name}/goal").text


def test_a_project_of_nobody_has_nothing_before_it(workspace: Any) -> None:
    assert earlier_releases(None) == []
    assert earlier_releases(workspace.new("a", "data.csv")) == []


def test_people_who_are_unknown_break_no_page(
    visitor: Any, workspace: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCREET_STORE", str(tmp_path / "other.db"))
    project = workspace.new("a", "data.csv")
    project.choose(people="nobody knows")
    assert visitor.enter().ask("GET", f"/p/{project.name}/goal").status_code == 200


def test_a_ledger_that_cannot_be_read_keeps_nobody_out(
    visitor: Any, workspace: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.db").write_text("no database at all, and long enough to be looked into")
    monkeypatch.setenv("DISCREET_STORE", str(tmp_path / "broken.db"))
    project = workspace.new("Care survey", "data.csv")
    told = visitor.enter().ask("GET", "/").text
    assert "Not yet:" in told
    assert f"/p/{project.name}/data" in told


def test_a_project_is_opened_where_it_stands(visitor: Any, workspace: Any) -> None:
    project = workspace.new("Care survey", "data.csv")
    visitor.enter()
    assert f'href="/p/{project.name}/data"' in visitor.ask("GET", "/").text
    project.choose(done=["data", "exposure"])
    told = visitor.ask("GET", "/").text
    assert f'href="/p/{project.name}/goal"' in told
    assert "at Goal" in told
    assert "this machine only, nothing leaves it" in told
