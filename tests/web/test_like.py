"""A new project like an earlier one, and what the page cannot take over."""

import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from discreet import Hierarchy
from discreet.catalog import Choices, find
from discreet.cli.root import root
from discreet.errors import DataError
from discreet.web.commands import publish_words
from discreet.web.like import earlier_choices, take_over
from discreet.web.runs import RunOutput
from tests.web.conftest import HOME


def _run(project: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    run: Path = project.new_run()
    monkeypatch.chdir(project.folder)
    done = CliRunner().invoke(root, list(publish_words(project, RunOutput(run=run))))
    assert done.exit_code == 0, done.stderr
    return run


@pytest.fixture
def patients(workspace: Any) -> Any:
    """A project with a table, a hierarchy and a method."""
    project = workspace.new("Patients", "data.csv")
    rows = [
        f"{20 + row % 9},{'fm'[row % 2]},{('flu', 'gout', 'cold')[row % 3]}" for row in range(90)
    ]
    project.data.write_text("\n".join(["age,sex,ill", *rows]) + "\n")
    project.choose(
        kind="table", roles={"age": "qid", "sex": "qid", "ill": "sensitive_attributes"},
        method="l-diversity", parameters={"k": "3", "l": "2", "recoding": "mondrian"},
    )  # fmt: skip
    Hierarchy.intervals([str(age) for age in range(20, 30)], [5]).save(
        project.folder / "hierarchy-1.csv"
    )
    return project


def test_next_year_is_published_like_this_year(
    visitor: Any, workspace: Any, patients: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _run(patients, monkeypatch)
    ((name, words, file),) = earlier_choices(workspace)
    assert (words, file) == ("Patients, run 1", run / "owner" / "choices.json")
    new = workspace.new("Patients, next year", "data.csv")
    new.data.write_text(patients.data.read_text())
    visitor.enter()
    assert "Patients, run 1" in visitor.ask("GET", f"/p/{new.name}/like").text
    answer = visitor.post(f"/p/{new.name}/like", run=name)
    assert answer.headers["location"] == f"/p/{new.name}/data"
    new = workspace.open(new.name)
    assert publish_words(new, RunOutput(run=run)) == publish_words(patients, RunOutput(run=run))
    assert _run(new, monkeypatch).is_dir()


def test_choices_of_sets_are_taken_over_from_a_file(
    visitor: Any, workspace: Any, tmp_path: Path
) -> None:
    for name, text in (("u.txt", "a\nb b\n"), ("s.txt", "b b\n"), ("h.csv", "a;*\nb b;*\n")):
        (tmp_path / name).write_text(text)
    typed = {
        "k": "3", "m": "1", "hierarchy": str(tmp_path / "h.csv"), "columns": "id=who,item=what",
        "sensitive": str(tmp_path / "s.txt"),
    }  # fmt: skip
    saved = tmp_path / "c.json"
    saved.write_text(Choices.of(find("km-anonymity"), typed, {"people": "town"}).text())
    project = workspace.new("a", "data.csv")
    project.data.write_text("who,what\n1,a\n2,b b\n")

    def send(name: str, content: bytes) -> Any:
        return visitor.ask(
            "POST", f"/p/{project.name}/like/upload", data={"csrf": visitor.session.csrf},
            files={"file": (name, content)}, headers={"origin": HOME},
        )  # fmt: skip

    visitor.enter()
    assert send("choices.json", saved.read_bytes()).status_code == 303
    took = workspace.open(project.name)
    assert took.choices["columns"] == {"id": "who", "item": "what"}
    assert took.choices["people"] == "town"
    assert took.choices["parameters"] == {"k": "3", "m": "1"}
    assert (took.folder / "sensitive.txt").read_text() == "b b\n"
    assert (took.folder / "hierarchy-1.csv").read_text() == "a;*\nb b;*\n"
    for name, content in (("c.json", b"{}"), ("c.csv", b"x"), ("c.json", b"\xff")):
        told = send(name, content)
        assert told.status_code == 400
        assert "Not yet:" in told.text
    assert "coming" not in told.text
    assert not [each for each in project.folder.iterdir() if "coming" in each.name]


@pytest.mark.parametrize(
    ("method", "options", "typed"),
    [
        ("counts", {"epsilon": "1"}, "--epsilon 1"),
        ("km-anonymity", {"k": "2", "m": "1", "separator": "/"}, "--separator /"),
        ("mondrian", {"k": "2", "qid": "a,b", "missing": "drop"}, "--missing drop"),
        ("mondrian", {"k": "2", "qid": "a", "discretise": ("a=1,2",)}, "--discretise a=1,2"),
        ("mondrian", {"k": "2", "qid": "a", "top_code": "a=9"}, "--top-code a=9"),
        (
            "l-diversity",
            {"k": "2", "l": "2", "qid": "a", "sensitive_attributes": "b",
             "non_sensitive": ('b="x, y",z',)},
            """--non-sensitive 'b="x, y",z'""",
        ),
        ("incognito", {"k": "2", "qid": "a", "weights": "a=2"}, "--weights a=2"),
        ("sanony", {"r_th": "3", "allow_absent": True}, "--r-th 3"),
        (
            "gp-asn",
            {"rho": "0.5", "edge_columns": "source=x,target=y", "allow_unmatched": True},
            "--edges edges.csv --edge-columns source=x,target=y --allow-unmatched",
        ),
        ("greedy-swap", {"k": "3", "edge_columns": "source=x,target=y"}, "greedy-swap edges.csv"),
    ],
)  # fmt: skip
def test_choices_of_every_family_are_typed_as_then(
    visitor: Any, workspace: Any, method: str, options: dict[str, Any], typed: str
) -> None:
    project = workspace.new("a", "data.csv")
    project.data.write_text("a,b\n1,x\n2,y\n")
    (project.folder / "edges.csv").write_text("x,y\n1,2\n")
    take_over(project, Choices(method=method, options=options))
    project.choose(edges="edges.csv")
    assert typed in shlex.join(publish_words(project, RunOutput(run=Path("run-1"))))
    visitor.enter()
    assert visitor.ask("GET", f"/p/{project.name}/data").status_code == 200
    # what no field asks for stays when values are kept
    visitor.post(f"/p/{project.name}/tune", look="1", **dict(project.choices["parameters"]))
    kept = workspace.open(project.name)
    assert typed in shlex.join(publish_words(kept, RunOutput(run=Path("run-1"))))


def test_friendships_are_asked_for_where_they_are_not_there(visitor: Any, workspace: Any) -> None:
    project = workspace.new("a", "data.csv")
    project.data.write_text("id,item\n1,a\n2,b\n")
    take_over(project, Choices(method="gp-asn", options={"rho": "0.5"}))
    page = visitor.enter().ask("GET", f"/p/{project.name}/data").text
    assert "add the file of friendships" in page
    assert 'id="f-edges"' in page


def test_the_next_files_of_a_series_are_a_series(workspace: Any) -> None:
    project = workspace.new("a", "data.csv")
    project.choose(later=["data-2.csv"])
    take_over(project, Choices(method="sanony", options={"r_th": "3"}, about={"people": "town"}))
    assert (project.choices["kind"], project.choices["people"]) == ("series", "town")


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("apl-free", {}, "is for a release"),
        ("coat", {"k": "2", "wordnet": "folder"}, "have wordnet, which the page"),
    ],
)
def test_what_the_page_cannot_is_told_and_changes_nothing(
    workspace: Any, method: str, options: dict[str, str], words: str
) -> None:
    project = workspace.new("a", "data.csv")
    before = dict(project.choices)
    with pytest.raises(DataError, match=words):
        take_over(project, Choices(method=method, options=options))
    assert workspace.open(project.name).choices == before
