import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from discreet.core.histogram import ItemsetHistogram
from discreet.errors import DataError
from discreet.web.steps import goal
from discreet.web.steps.sign import pack
from tests.releases import as_released
from tests.web.conftest import HOME

SIGNED = ("audit.html", "audit.json", "certificate.pdf", "certificate.pdf.sig")


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
    for step in ("data", "exposure", "goal", "hierarchies", "tune", "run", "look", "sign"):
        assert visitor.ask("GET", f"{address}/{step}").status_code == 200, step
    for step in ("tune", "run"):
        page = visitor.ask("GET", f"{address}/{step}").text
        assert f'{address}/goal">Choose one first' in page
        assert "<button" not in page


def test_what_will_be_typed_is_shown_before_it_runs(visitor: Any, workspace: Any) -> None:
    address = visitor.enter().post("/example").headers["location"].removesuffix("/data")
    visitor.post(f"{address}/goal", method="km-anonymity")
    visitor.post(f"{address}/tune", k="7", m="2")
    page = visitor.ask("GET", f"{address}/run").text
    assert "discreet publish km-anonymity data.csv" in page
    assert "--k 7" in page
    assert "discreet audit run-1/release" in page
    assert workspace.open(address.rpartition("/")[2]).runs == []


def test_the_zip_holds_every_listed_part_and_nothing_else(tmp_path: Path) -> None:
    content = ItemsetHistogram.of({("a",): 1, ("b",): 2, ("c",): 3})
    folder = as_released(content).save(tmp_path / "release", part_rows=2)
    (folder / "itemsets-00002.parquet").touch()
    (tmp_path / "public").mkdir()
    for name in (*(f"public/{each}" for each in SIGNED), "key.pub"):
        (tmp_path / name).touch()
    pack(tmp_path, tmp_path / "key")
    with ZipFile(tmp_path / "release.zip") as packed:
        names = {Path(name).name for name in packed.namelist() if name.startswith("release/")}
    parts = {"itemsets-00000.parquet", "itemsets-00001.parquet"}
    assert names == {"manifest.json", "README.txt"} | parts


@pytest.mark.parametrize("name", ["../owner/linkage.key", "/etc/hostname", "linked"])
def test_the_zip_takes_nothing_from_outside_of_the_release(tmp_path: Path, name: str) -> None:
    (tmp_path / "owner").mkdir()
    (tmp_path / "owner" / "linkage.key").write_text("mine")
    for folder in ("release", "public"):
        (tmp_path / folder).mkdir()
    (tmp_path / "public" / "audit.json").touch()
    (tmp_path / "release" / "linked").symlink_to(tmp_path / "owner" / "linkage.key")
    (tmp_path / "release" / "manifest.json").write_text(json.dumps({"files": {name: ""}}))
    with pytest.raises(DataError, match="outside of its release"):
        pack(tmp_path, tmp_path / "key")


def test_a_further_file_that_was_seen_is_not_asked_about_again(visitor: Any) -> None:
    def sent(path: str, text: bytes, **fields: str) -> Any:
        return visitor.ask(
            "POST", path, data={"csrf": visitor.session.csrf, **fields},
            files={"file": ("a.csv", text)}, headers={"origin": HOME},
        )  # fmt: skip

    visitor.enter()
    base = sent("/upload", b"id,item\n1,a\n2,b\n").headers["location"].removesuffix("/data")
    assert sent(f"{base}/upload", b"id,item\n1,b\n", part="later").status_code == 303
    answer = visitor.post(f"{base}/data", kind="series", sensitive="a")
    assert answer.headers["location"] == f"{base}/exposure"
    changed = visitor.post(f"{base}/data", kind="sets", sensitive="a")
    assert changed.headers["location"] == f"{base}/data"
