from pathlib import Path
from typing import Any

import pytest

from discreet.errors import DataError
from discreet.web import Workspace


@pytest.mark.parametrize("name", ["..", "../..", "0123456789abcdef", "x", "", "/etc"])
def test_a_name_that_leads_elsewhere_is_refused(workspace: Any, name: str) -> None:
    with pytest.raises(DataError, match="no such project"):
        workspace.open(name)


def test_everything_is_closed_to_others(workspace: Any) -> None:
    project = workspace.new("a", "data.csv")
    project.list_file("sensitive", ["a"])
    run = project.new_run()
    for folder in (workspace.root, project.folder, run, run / "owner"):
        assert folder.stat().st_mode & 0o077 == 0
    assert (project.folder / "sensitive.txt").stat().st_mode & 0o077 == 0


def test_an_address_outside_the_projects_leads_nowhere(visitor: Any) -> None:
    visitor.enter()
    for path in (
        "/p/..%2f..%2fetc/data", "/static/..%2f..%2fguard.py", "/p/x/audit/owner",
        "/static/%2e%2e/guard.py", "/p/0123456789abcdef%2f../data", "/p/%00/data",
    ):  # fmt: skip
        assert visitor.ask("GET", path).status_code == 404


def test_a_project_that_is_a_link_elsewhere_is_none(
    visitor: Any, workspace: Any, tmp_path: Path
) -> None:
    elsewhere = Workspace(tmp_path / "elsewhere").new("not mine", "data.csv")
    (workspace.root / elsewhere.name).symlink_to(elsewhere.folder)
    assert workspace.all() == []
    assert "not mine" not in visitor.enter().ask("GET", "/").text
    assert visitor.ask("GET", f"/p/{elsewhere.name}/data").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["hierarchies/9", "hierarchies/insulin", "constraints/insulin", "audit/insulin",
     "look?part=insulin", "study/insulin", "study/-1", "release.zip", "study.zip",
     "progress/insulin", "insulin"],
)  # fmt: skip
def test_what_is_not_there_is_not_told_again(visitor: Any, workspace: Any, path: str) -> None:
    project = workspace.new("a", "data.csv")
    project.data.write_text("id,item\n1,a\n")
    answer = visitor.enter().ask("GET", f"/p/{project.name}/{path}")
    assert answer.status_code in (200, 404)
    assert "insulin" not in answer.text


def test_a_step_takes_no_file_that_the_project_does_not_have(visitor: Any, workspace: Any) -> None:
    other, project = workspace.new("b", "data.csv"), workspace.new("a", "data.csv")
    other.data.write_text("id,item\n1,a\n")
    project.data.write_text("id,item\n1,a\n")
    visitor.enter()
    visitor.post(f"/p/{project.name}/data", take_out=f"../{other.name}/data.csv")
    assert other.data.is_file()
    told = visitor.post(f"/p/{project.name}/like", run=f"../../{other.name}/run-1")
    assert told.status_code == 400


@pytest.mark.parametrize("content", [b"{", b"", b"[]", b"{}", b"\xff"])
def test_a_damaged_project_keeps_nobody_from_the_others(
    visitor: Any, workspace: Any, content: bytes
) -> None:
    """Choices may be cut short by a full disk, or edited by hand."""
    sound = workspace.new("Sound", "data.csv")
    damaged = workspace.new("Damaged", "data.csv")
    (damaged.folder / "choices.json").write_bytes(content)
    home = visitor.enter().ask("GET", "/")
    assert home.status_code == 200
    assert sound.name in home.text
    assert damaged.name not in home.text
    assert visitor.ask("GET", f"/p/{damaged.name}/data").status_code == 404
