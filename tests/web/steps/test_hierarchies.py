"""Trees made, changed, read and taken by the command line, over the routes."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from discreet import Hierarchy, Release
from discreet.cli.root import root
from discreet.web.commands import publish_words
from discreet.web.runs import RunOutput
from tests.web.conftest import HOME

TABLE = "age,sex,ill\n" + "".join(
    f"{20 + row % 30},{'fm'[row % 2]},{('flu', 'gout')[row % 2]}\n" for row in range(90)
)
ROLES = {"age": "qid", "sex": "qid", "ill": "sensitive_attributes"}


@pytest.fixture
def patients(workspace: Any) -> Any:
    """A project with a table."""
    project = workspace.new("b", "data.csv")
    project.data.write_text(TABLE)
    project.choose(kind="table", roles=ROLES)
    return project


def _at(project: Any, number: int = 1) -> str:
    return f"/p/{project.name}/hierarchies/{number}"


def _tree(project: Any, number: int = 1) -> Hierarchy:
    return Hierarchy.read(project.folder / f"hierarchy-{number}.csv")


def test_a_tree_is_made_changed_and_taken_by_the_command_line(
    visitor: Any, baskets: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor.enter()
    made = visitor.post(_at(baskets), action="build", builder="flat")
    assert "Every value is covered" in made.text
    assert 'class="done"' in visitor.ask("GET", f"/p/{baskets.name}/data").text
    visitor.post(_at(baskets), action="put", chosen="beer", name="alcohol")
    visitor.post(_at(baskets), action="move", chosen="red wine", target="alcohol")
    assert _tree(baskets).leaves("alcohol") == ("beer", "red wine")
    baskets.choose(method="km-anonymity", parameters={"k": "25", "m": "1"})
    words = publish_words(baskets, RunOutput(run=Path("run-1")))
    assert words[words.index("--hierarchy") + 1] == "hierarchy-1.csv"
    monkeypatch.chdir(baskets.folder)
    (baskets.folder / "run-1" / "owner").mkdir(parents=True)
    done = CliRunner().invoke(root, [*words, "--json"])
    assert done.exit_code == 0, done.stderr
    applied = Release.load(baskets.folder / "run-1" / "release").to_polars()["hierarchy_items"]
    assert ("beer", "alcohol") in applied.rows()
    assert json.loads(done.stdout)["method"] == "km-anonymity"


def test_a_column_has_its_own_tree(visitor: Any, patients: Any) -> None:
    visitor.enter()
    typed = {"action": "build", "builder": "intervals", "intervals.widths": "5,10"}
    assert "Every value is covered" in visitor.post(_at(patients, 1), **typed).text
    assert _tree(patients, 1).ancestors("23") == ("20..<25", "20..<30", "*")
    patients.choose(method="mondrian", parameters={"k": "5"})
    words = publish_words(patients, RunOutput(run=Path("run-1")))
    assert words[words.index("--hierarchy") + 1] == "age=hierarchy-1.csv"
    for builder, names in (("quantiles", 8), ("frequency", 8)):
        told = visitor.post(_at(patients, 1), action="build", builder=builder)
        assert "People in the smallest group" in told.text
        assert len({row[1] for row in _tree(patients, 1).rows()}) == names
    # a column that got its role later takes no other's number
    patients.choose(roles={"sex": "qid", "age": "qid"})
    assert "A hierarchy of age" in visitor.ask("GET", _at(patients, 1)).text


def test_what_is_not_covered_is_told_at_once_and_can_be_hung(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    (baskets.folder / "hierarchy-1.csv").write_text("beer;alcohol;*\n")
    told = visitor.ask("GET", _at(baskets)).text
    assert "3 values of the data are not in the tree: bread, red wine, tea" in told
    told = visitor.post(_at(baskets), action="cover", target="alcohol").text
    assert "Every value is covered" in told
    assert _tree(baskets).parent("tea") == "alcohol"
    told = visitor.post(_at(baskets), action="undo").text
    assert "3 values of the data are not in the tree" in told


def test_a_file_is_read_whoever_wrote_it(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    texts = {
        "arx.csv": "beer;drink;*\ntea;drink;*\nbread;food;*\nred wine;drink;*\n",
        "pairs.csv": "child,parent\nbeer,drink\ntea,drink\nbread,*\ndrink,*\nred wine,*\n",
        "amnesia.txt": "distinct\nname x\ntype string\nheight 2\n\n* has beer tea bread\n",
    }
    for name, text in texts.items():
        answer = visitor.ask(
            "POST", f"{_at(baskets)}/upload", data={"csrf": visitor.session.csrf},
            files={"file": (name, text.encode())}, headers={"origin": HOME},
        )  # fmt: skip
        assert answer.status_code == 303, answer.text
        assert "beer" in _tree(baskets).values
    before = (baskets.folder / "hierarchy-1.csv").read_bytes()
    wrong = visitor.ask(
        "POST", f"{_at(baskets)}/upload", data={"csrf": visitor.session.csrf},
        files={"file": ("t.csv", b"beer;a;*\nbeer;b;*\n")}, headers={"origin": HOME},
    )  # fmt: skip
    assert "line 2: 'beer' of level 0 must have one parent" in wrong.text.replace("&#39;", "'")
    assert (baskets.folder / "hierarchy-1.csv").read_bytes() == before
    assert not [each for each in baskets.folder.iterdir() if "coming" in each.name]


def test_a_page_that_can_gets_only_what_changed(visitor: Any, baskets: Any) -> None:
    data = {"csrf": visitor.enter().session.csrf, "action": "build", "builder": "flat"}
    headers = {"origin": HOME, "hx-request": "true"}
    part = visitor.ask("POST", _at(baskets), data=data, headers=headers)
    assert part.text.lstrip().startswith('<div id="editor">')
    data |= {"action": "put", "name": "x"}
    part = visitor.ask("POST", _at(baskets), data=data, headers=headers)
    assert part.status_code == 200
    assert "Choose names in the tree first" in part.text


def test_a_large_tree_is_looked_through_by_name(visitor: Any, workspace: Any) -> None:
    project = workspace.new("large", "data.csv")
    rows = [f"{number},item {number:05}" for number in range(3000)]
    project.data.write_text("\n".join(["id,item", *rows]) + "\n")
    project.choose(kind="sets")
    visitor.enter()
    told = visitor.post(_at(project), action="build", builder="flat").text
    assert "2,940 more: look for them by name" in told
    told = visitor.post(_at(project), action="look", find="ITEM 02999").text
    assert "item 02999" in told
    assert "item 00000" not in told.split('id="tree"')[1].split('id="preview"')[0]


def test_what_leads_elsewhere_is_no_hierarchy(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    for path in (
        _at(baskets, 2),
        _at(baskets, 0),
        f"{_at(baskets)}/file",
        f"{_at(baskets, 9)}/file",
    ):
        assert visitor.ask("GET", path).status_code == 404, path
    for number in ("..%2f1", "x"):
        path = f"/p/{baskets.name}/hierarchies/{number}"
        assert visitor.ask("GET", path).status_code in (404, 422)


def test_no_value_is_in_an_address_and_files_are_closed(visitor: Any, baskets: Any) -> None:
    visitor.enter().post(_at(baskets), action="build", builder="from-data")
    told = visitor.ask("GET", _at(baskets)).text
    addresses = [part.split('"')[0] for name in ("href", "action", "hx-post")
                 for part in told.split(f'{name}="')[1:]]  # fmt: skip
    assert not [each for each in addresses if "beer" in each or "tea" in each]
    for file in baskets.folder.glob("hierarchy*"):
        assert file.stat().st_mode & 0o077 == 0, file.name
