from typing import Any

import pytest

from discreet.web.steps import goal


def test_a_fault_tells_nothing_of_the_data(
    visitor: Any, workspace: Any, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    project = workspace.new("a", "data.csv")

    def fail(*_: Any, **__: Any) -> None:
        raise KeyError("insulin")

    monkeypatch.setattr(goal, "shown", fail)
    answer = visitor.enter().ask("GET", f"/p/{project.name}/goal")
    assert answer.status_code == 500
    said = capfd.readouterr()
    assert "insulin" not in answer.text + said.out + said.err
    assert "KeyError in" in said.err


def test_every_step_can_be_opened_before_its_time(visitor: Any) -> None:
    address = visitor.enter().post("/example").headers["location"].removesuffix("/data")
    for step in ("data", "exposure", "goal", "run", "look", "sign"):
        assert visitor.ask("GET", f"{address}/{step}").status_code == 200, step
    assert visitor.ask("GET", f"{address}/tune").status_code == 400
