from typing import Any

import pytest

from discreet.errors import DataError


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
    for path in ("/p/..%2f..%2fetc/data", "/static/..%2f..%2fguard.py", "/p/x/audit/owner"):
        assert visitor.ask("GET", path).status_code == 404
