from typing import Any

import pytest
from click.testing import CliRunner

from discreet import Hierarchy
from discreet.catalog import find
from discreet.cli.root import root
from discreet.web.plans import draw_plans, plan_steps, plans_of, weighs_plans


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
    assert shown is not None
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
