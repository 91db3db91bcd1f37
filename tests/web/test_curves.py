import json
import tomllib
from typing import Any

import pytest
from click.testing import CliRunner

from discreet import Hierarchy
from discreet.catalog import find
from discreet.cli.root import root
from discreet.study.file import study_of
from discreet.web.curves import (
    curve_of,
    curve_steps,
    draw_plans,
    plan_steps,
    plans_of,
    swept,
    weighs_plans,
)
from discreet.web.studies import study_text


def _project(workspace: Any, **choices: Any) -> Any:
    project = workspace.new("a", "data.csv")
    project.data.write_text("id,item\n1,a\n2,b\n")
    project.choose(**choices)
    return project


def test_an_epsilon_is_tried_on_made_up_people_only(workspace: Any) -> None:
    project = _project(
        workspace, kind="sets", method="counts", parameters={"epsilon": "1"}, universe=["x", "y"]
    )
    project.list_file("universe", ["x", "y"])
    (step,) = curve_steps(project)
    assert step.words[:2] == ("compare", "curve.toml")
    text = (project.folder / "curve.toml").read_text()
    assert "data.csv" not in text
    assert len(study_of(tomllib.loads(text), project.folder).cells()) == 5
    lines = (project.folder / "made-up.csv").read_text().splitlines()
    assert {line.split(",")[1] for line in lines[1:]} == {"x", "y"}


def test_other_methods_are_tried_on_the_data(workspace: Any) -> None:
    project = _project(
        workspace, kind="sets", method="km-anonymity", parameters={"k": "5", "m": "1"},
        sensitive=["a"],
    )  # fmt: skip
    project.list_file("sensitive", ["a"])
    curve_steps(project)
    study = study_of(tomllib.loads((project.folder / "curve.toml").read_text()), project.folder)
    assert len(study.cells()) == 5
    assert dict(study.originals[0].options)["sensitive"].endswith("sensitive.txt")


def test_a_table_is_studied_as_it_is_read(workspace: Any) -> None:
    roles = {"id": "qid", "item": "sensitive_attributes"}
    project = _project(workspace, kind="table", roles=roles, harmless={"item": ["a", "b, c"]})
    project.data.write_text('id,item\n1,a\n2,"b, c"\n')
    text = study_text(project, [(find("mondrian"), {"k": "5"})])
    study = study_of(tomllib.loads(text), project.folder)
    assert study.originals[0].read(study.originals[0].nouns[0]).non_sensitive["item"] == {
        "a",
        "b, c",
    }


def test_what_was_tried_is_drawn_and_of_another_method_is_not(workspace: Any) -> None:
    project = _project(workspace, kind="sets", method="km-anonymity", parameters={})
    assert curve_of(project) is None
    front = [
        {"method": "km-anonymity", "parameters": f"k={k} m=1", "verdict": "release",
         "exposure": 0.1, "loss": k / 20}
        for k in (10, 2, 5)
    ]  # fmt: skip
    (project.folder / "curve.json").write_text(json.dumps({"front": front}))
    drawn = curve_of(project)
    assert [row["value"] for row in drawn[1]] == [2, 5, 10]
    assert drawn[0].startswith("<svg")
    project.choose(method="disassociation")
    assert curve_of(project) is None


@pytest.mark.parametrize(
    ("name", "found"), [("km-anonymity", "k"), ("gp-asn", "rho"), ("greedy-swap", None)]
)
def test_the_first_value_that_must_be_chosen_is_tried(name: str, found: str | None) -> None:
    assert swept(find(name)) == found


@pytest.fixture
def patients(workspace: Any) -> Any:
    project = workspace.new("Patients", "data.csv")
    rows = [f"{20 + row % 10},{'fm'[row % 2]},{('flu', 'gout')[row % 3 > 0]}" for row in range(90)]
    project.data.write_text("\n".join(["age,sex,ill", *rows]) + "\n")
    project.choose(
        kind="table", roles={"age": "qid", "sex": "qid", "ill": "sensitive_attributes"},
        method="incognito", parameters={"k": "10"},
    )  # fmt: skip
    ages = [str(age) for age in range(20, 30)]
    Hierarchy.intervals(ages, [5]).save(project.folder / "hierarchy-1.csv")
    return project


def test_what_was_weighed_is_drawn_and_thrown_away(
    patients: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(patients.folder)
    assert plans_of(patients) is None
    (step,) = plan_steps(patients)
    done = CliRunner().invoke(root, list(step.words))
    assert done.exit_code == 0, done.stderr
    step.output.write_text(done.stdout)
    draw_plans(patients)
    assert not (patients.folder / "plans").exists()
    assert (patients.folder / "plans.json").stat().st_mode & 0o077 == 0
    shown = plans_of(patients)
    # by age and sex as they are nine people look alike, without the sex eighteen
    assert shown["best"][0][0] == "age 1 of 2, sex 0 of 1"
    costs = [cost for _, cost in shown["best"]]
    assert costs == sorted(costs)
    assert shown["svgs"][0].startswith("<svg")
    patients.choose(parameters={"k": "5"})
    assert plans_of(patients) is None


@pytest.mark.parametrize(
    ("method", "given", "weighs"),
    [
        ("incognito", {}, True),
        ("mondrian", {}, False),
        ("l-diversity", {"recoding": "mondrian"}, False),
        ("l-diversity", {}, True),
        ("km-anonymity", {}, False),
        ("counts", {}, False),
    ],
)
def test_only_whole_columns_are_weighed(method: str, given: dict[str, str], weighs: bool) -> None:
    assert weighs_plans(find(method), given) == weighs
