from typing import Any

import pytest

OPEN, CLOSED = "<details open><summary>New population", "<details><summary>New population"


@pytest.mark.parametrize(
    ("method", "given", "seen"),
    [("counts", {"epsilon": "1"}, OPEN), ("km-anonymity", {"k": "5", "m": "2"}, CLOSED)],
)
def test_a_population_that_must_be_named_can_be_named_at_once(
    visitor: Any, workspace: Any, method: str, given: dict[str, str], seen: str
) -> None:
    project = workspace.new("a", "data.csv")
    project.data.write_text("id,item\n1,a\n2,b\n")
    project.choose(method=method, parameters=given)
    assert seen in visitor.enter().ask("GET", f"/p/{project.name}/tune").text
