"""Constraints made, read and taken by the command line, over the routes."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from discreet.cli.root import root
from discreet.core.constraints import Constraints
from discreet.web.commands import publish_words
from discreet.web.runs import RunOutput
from tests.web.conftest import HOME


def _ask(visitor: Any, project: Any, kind: str, chosen: tuple[str, ...], **fields: str) -> Any:
    data = {"csrf": visitor.session.csrf, "chosen": list(chosen)} | fields
    path = f"/p/{project.name}/constraints/{kind}"
    return visitor.ask("POST", path, data=data, headers={"origin": HOME})


def test_constraints_are_made_and_taken_by_the_command_line(
    visitor: Any, baskets: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor.enter()
    _ask(visitor, baskets, "privacy", ("beer", "red wine"), action="together", least="30")
    _ask(visitor, baskets, "privacy", ("tea", "bread"), action="each")
    visitor.post(f"/p/{baskets.name}/hierarchies/1", action="build", builder="flat")
    told = _ask(visitor, baskets, "utility", (), action="groups")
    assert "1 constraint<" in told.text
    read = Constraints.read(baskets.folder / "privacy.txt")
    assert dict(zip(read.itemsets, read.least, strict=True)) == {
        ("beer", "red wine"): 30, ("tea",): 0, ("bread",): 0,
    }  # fmt: skip
    baskets.choose(method="coat", parameters={"k": "25"})
    words = publish_words(baskets, RunOutput(run=Path("run-1")))
    assert {"--privacy", "--utility"} <= set(words)
    assert "--hierarchy" not in words  # coat would refuse it without utility-from hierarchy
    monkeypatch.chdir(baskets.folder)
    (baskets.folder / "run-1" / "owner").mkdir(parents=True)
    done = CliRunner().invoke(root, list(words))
    assert done.exit_code == 0, done.stderr


def test_constraints_are_taken_away(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    _ask(visitor, baskets, "utility", ("beer", "tea"), action="each")
    _ask(visitor, baskets, "utility", (), action="remove", gone="0")
    assert Constraints.read(baskets.folder / "utility.txt").itemsets == (("tea",),)
    _ask(visitor, baskets, "utility", (), action="clear")
    assert not (baskets.folder / "utility.txt").exists()
    assert "Choose items first" in _ask(visitor, baskets, "utility", (), action="each").text


def test_a_file_is_read_and_strangers_are_told(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    path = f"/p/{baskets.name}/constraints/privacy"

    def send(content: bytes) -> Any:
        return visitor.ask(
            "POST", f"{path}/upload", data={"csrf": visitor.session.csrf},
            files={"file": ("p.txt", content)}, headers={"origin": HOME},
        )  # fmt: skip

    assert send(b"beer tea\nvodka\n").status_code == 303
    assert "Not in the data:</b> vodka" in visitor.ask("GET", path).text
    assert "names one twice" in send(b"beer beer\n").text
    assert Constraints.read(baskets.folder / "privacy.txt").items == ("beer", "tea", "vodka")
    assert (baskets.folder / "privacy.txt").stat().st_mode & 0o077 == 0
    assert not [each for each in baskets.folder.iterdir() if "coming" in each.name]


def test_there_are_two_kinds_only(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    for kind in ("secret", "..%2fprivacy", "choices"):
        assert visitor.ask("GET", f"/p/{baskets.name}/constraints/{kind}").status_code == 404
