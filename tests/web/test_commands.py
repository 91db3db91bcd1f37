from pathlib import Path
from typing import Any

from discreet.web.commands import exposure_steps, publish_steps, signing_steps
from discreet.web.runs import RunOutput, audited_outputs


def _series(workspace: Any, method: str, **parameters: str) -> Any:
    project = workspace.new("a", "data.csv")
    project.choose(
        kind="series", later=["data-2.csv", "data-3.csv"], sensitive=["a"], method=method,
        parameters=parameters,
    )  # fmt: skip
    return project


def test_each_release_of_a_series_follows_those_before_it(workspace: Any) -> None:
    project = _series(workspace, "sanony", r_th="3")
    steps = publish_steps(project, project.folder / "run-1")
    assert len(steps) == 9
    third = steps[6].words
    assert [third[at + 1] for at, word in enumerate(third) if word == "--after"] == [
        "run-1/release-1", "run-1/release-2",
    ]  # fmt: skip
    assert third[:3] == ("publish", "sanony", "data-3.csv")
    audit = steps[7].words
    assert audit.count("--after-data") == audit.count("--after-key") == 2
    assert steps[6].copied == ("run-1/owner/linkage-2.key", "run-1/owner/linkage-3.key")
    assert steps[6].typed.startswith("cp run-1/owner/linkage-2.key run-1/owner/linkage-3.key\n")


def test_a_method_that_knows_no_past_is_given_none(workspace: Any) -> None:
    project = _series(workspace, "counts", epsilon="1")
    steps = publish_steps(project, project.folder / "run-1")
    assert not any("--after" in step.words for step in steps if step.words[0] == "publish")
    assert all(step.copied == () for step in steps)


def test_friends_alone_are_read_from_their_own_file(workspace: Any) -> None:
    project = workspace.new("a", "data.csv")
    project.choose(kind="network", edges="edges.csv", method="greedy-swap", parameters={"k": "3"})
    published, audited, _ = publish_steps(project, project.folder / "run-1")
    assert published.words[:3] == ("publish", "greedy-swap", "edges.csv")
    assert audited.words[2:4] == ("--against", "edges.csv")


def test_every_file_is_profiled(workspace: Any) -> None:
    steps = exposure_steps(_series(workspace, "sanony"))
    assert [step.words[1] for step in steps] == ["data.csv", "data-2.csv", "data-3.csv"]


def test_a_key_is_made_once(tmp_path: Path) -> None:
    parts = [RunOutput(run=tmp_path / "run-1")]
    key = tmp_path / "signing.key"
    assert [step.words[0] for step in signing_steps(parts, key, {})] == [
        "keygen",
        "certify",
        "verify",
    ]
    key.touch()
    assert [step.words[0] for step in signing_steps(parts, key, {})] == ["certify", "verify"]


def test_a_run_holds_what_was_audited(tmp_path: Path) -> None:
    for name in ("release-1", "release-2", "release-10", "public", "owner"):
        (tmp_path / name).mkdir()
    for number in (1, 10):
        (tmp_path / "public" / f"audit-{number}.json").touch()
    assert [each.number for each in audited_outputs(tmp_path)] == [1, 10]


def test_what_has_an_epsilon_is_booked_and_the_rest_is_shelved_when_signed(
    workspace: Any, tmp_path: Path
) -> None:
    project = workspace.new("a", "data.csv")
    project.choose(kind="sets", people="town", method="counts", parameters={"epsilon": "1"})
    run = project.folder / "run-1"
    assert "--people" in publish_steps(project, run)[0].words
    project.choose(method="km-anonymity", parameters={"k": "3", "m": "1"})
    steps = publish_steps(project, run)
    assert ["--people" in step.words for step in steps] == [False, True, True]
    key = tmp_path / "signing.key"
    shelved = signing_steps([RunOutput(run=run)], key, {"recipient": "a ministry"}, "town")[1]
    assert shelved.words == (
        "shelf", "town", "--put", "run-1/release", "--recipient", "a ministry",
    )  # fmt: skip


def test_others_are_laid_beside_counts_and_nothing_else(workspace: Any) -> None:
    project = workspace.new("a", "data.csv")
    project.choose(kind="sets", control="control.csv", universe=["a"])
    (project.folder / "universe.txt").write_text("a\n")
    for method, given, beside in (
        ("counts", {"epsilon": "1"}, True), ("km-anonymity", {"k": "2", "m": "1"}, False),
    ):  # fmt: skip
        project.choose(method=method, parameters=given)
        audits = publish_steps(project, project.folder / "run-1")[1:]
        assert [("--control" in step.words) for step in audits] == [beside, beside]


def test_a_flag_that_was_switched_off_elsewhere_stays_so(workspace: Any) -> None:
    project = workspace.new("a", "data.csv")
    given = {"k": "5", "m": "2"}
    for refine, said in (({}, False), ({"refine": "True"}, False), ({"refine": "False"}, True)):
        project.choose(method="disassociation", kind="sets", parameters=given | refine)
        step = publish_steps(project, project.folder / "run-1")[0]
        assert ("--no-refine" in step.words) is said
