"""Generalised sets from the command line: the owner's constraints stay with the owner."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run

BASKETS = ["beer bread", "beer milk", "bread wine", "milk", "bread milk", "wine", "cider bread"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    rows = [json.dumps({"items": basket.split()}) for basket in BASKETS]
    (tmp_path / "baskets.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "secret.txt").write_text("beer\ncider bread\n")
    (tmp_path / "alike.txt").write_text("beer cider wine\nbread milk\n")
    (tmp_path / "goods.csv").write_text(
        "beer;drink;*\nwine;drink;*\ncider;drink;*\nbread;food;*\nmilk;food;*\n"
    )
    return tmp_path


@pytest.mark.parametrize("method", ["coat", "pcta"])
def test_publish_verify_and_measure(run: Run, files: Path, method: str) -> None:
    out, key = files / "release", files / "key"
    chosen = ("--k", "2", "--privacy", files / "secret.txt", "--utility", files / "alike.txt")
    made = run(
        "publish", method, files / "baskets.jsonl", *chosen, "--suppress", "40", "--out", out,
        "--keep", key,
    )  # fmt: skip
    assert made.exit_code == 0, made.stderr
    manifest = json.loads((out / "manifest.json").read_text())
    columns = {name: file.get("columns") for name, file in manifest["files"].items()}
    assert columns["transactions.parquet"] == {"blocks": "list[int64]"}
    assert columns["blocks.parquet"] == {"block": "int64", "items": "list[str]"}
    assert manifest["parameters"]["utility_from"] == "file"
    assert "cider" not in (out / "manifest.json").read_text() + (out / "README.txt").read_text()
    assert run("verify", out).exit_code == 3
    assert run("verify", out, "--privacy", files / "secret.txt").exit_code == 0
    assert run("verify", out, "--key", key).exit_code == 0
    (files / "more.txt").write_text("milk bread beer\nwine\n")
    assert run("verify", out, "--privacy", files / "more.txt").exit_code == 1
    told = run("measure", out, "--against", files / "baskets.jsonl", "--json")
    numbers = json.loads(told.stdout)
    assert {"utility_loss", "ncp", "density", "query_error_worst"} <= numbers.keys()


@pytest.mark.parametrize("file_format", ["parquet", "csv", "jsonl"])
def test_any_two_known_items(run: Run, files: Path, file_format: str) -> None:
    data, out = files / "baskets.jsonl", files / "release"
    chosen = ("km-anonymity", data, "--k", "2", "--m", "2", "--format", file_format)
    assert run("publish", *chosen, "--out", out).exit_code == 0
    assert run("verify", out).exit_code == 0
    tree = files / "lifted"
    assert run("publish", *chosen, "--hierarchy", files / "goods.csv", "--out", tree).exit_code == 0
    assert run("verify", tree).exit_code == 0
    names = json.loads((tree / "manifest.json").read_text())["files"]
    assert f"hierarchy_items.{file_format}" in names
    assert run("measure", tree, "--against", data).exit_code == 0


@pytest.mark.parametrize(("k", "said"), [("1000", True), ("2", False)])
def test_who_publishes_hears_that_nothing_is_left(
    run: Run, files: Path, k: str, said: bool
) -> None:
    words = (files / "baskets.jsonl", "--k", k, "--m", "1", "--out", files / "release")
    made = run("publish", "km-anonymity", *words)
    assert made.exit_code == 0, made.stderr
    assert ("every set of this release is empty" in made.stderr) is said


@pytest.mark.parametrize("how", [("--loss", "ncp"), ("--hierarchy", "goods.csv")])
def test_guesses_and_singled_out_records_are_scored(
    run: Run, files: Path, how: tuple[str, str]
) -> None:
    data, out, key = files / "baskets.jsonl", files / "release", files / "key"
    chosen = tuple(files / word if word.endswith(".csv") else word for word in how)
    chosen += ("--suppression", "none", "--keep", key, "--out", out)
    made = run("publish", "km-anonymity", data, "--k", "2", "--m", "2", *chosen)
    assert made.exit_code == 0, made.stderr
    (files / "common.csv").write_text("item,count\nbread,9\nbeer,5\nwine,2\nmilk,1\n")
    truth = ("--truth", data, "--key", key, "--json")
    told = run("attack", "frequency", out, "--frequencies", files / "common.csv", *truth)
    assert json.loads(told.stdout)["breach"]["chance"] > 0, told.stderr
    told = run("attack", "singling-out", out, "--known", "2,3", *truth)
    summary = json.loads(told.stdout)["summary"]
    assert summary["singled_out_by_2"] == 0
    assert "singled_out_by_3_at_random" in summary
    assert run("attack", "frequency", out).exit_code == 2
    assert run("attack", "singling-out", out, "--known", "11").exit_code == 2


@pytest.mark.parametrize(
    "chosen", [("coherence", "--h", "0.5", "--p", "1"), ("lkc", "--c", "1/2", "--l", "1")]
)
def test_known_items_tell_no_secret(run: Run, files: Path, chosen: tuple[str, ...]) -> None:
    data, out = files / "baskets.jsonl", files / "release"
    (files / "hidden.txt").write_text("beer\ncider\n")
    method, *options = chosen
    given = (method, data, "--sensitive", files / "hidden.txt", "--k", "2", *options)
    made = run("publish", *given, "--out", out)
    assert made.exit_code == 0, made.stderr
    assert run("verify", out).exit_code == 0
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["sensitive"] == ["beer", "cider"]
    refused = run("publish", *given[:6], *options[2:], options[0], "0.1", "--out", files / "no")
    assert refused.exit_code == 1
    assert "0.286" in refused.stderr
    assert not (files / "no").exists()


def test_what_cannot_be_met_leaves_nothing_behind(run: Run, files: Path) -> None:
    out = files / "release"
    told = run(
        "publish", "coat", files / "baskets.jsonl", "--k", "9", "--protect", "items", "--out", out
    )
    assert told.exit_code == 1
    assert "--k 7" in told.stderr
    assert not out.exists()


def test_rules_are_saved_with_a_release_and_applied_to_the_next_file(
    run: Run, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.dat", tmp_path / "second.dat"
    first.write_text("1 2\n" * 6 + "1\n" * 6 + "3\n", encoding="utf-8")
    second.write_text("1 2\n" * 5 + "1 4\n" * 3, encoding="utf-8")
    rules = tmp_path / "rules.json"
    how = ("--k", 5, "--m", 2, "--suppression", "items")
    whole = ("--out", tmp_path / "one", "--save-rules", rules)
    assert run("publish", "km-anonymity", first, *how, *whole).exit_code == 0
    done = run("publish", "km-anonymity", second, *how, "--rules", rules, "--out", tmp_path / "two")
    assert done.exit_code == 0
    assert run("verify", tmp_path / "two").exit_code == 0
    second.write_text("1 2\n" * 2, encoding="utf-8")
    done = run("publish", "km-anonymity", second, *how, "--rules", rules, "--out", tmp_path / "no")
    assert (done.exit_code, (tmp_path / "no").exists()) == (1, False)
    assert "would not keep its promise" in done.stderr
    again = run("publish", "km-anonymity", first, *how, *whole)
    assert (again.exit_code, "exists; choose another name" in again.stderr) == (2, True)
    inside = ("--out", tmp_path / "new", "--save-rules", tmp_path / "new" / "rules.json")
    done = run("publish", "km-anonymity", first, *how, *inside)
    assert (done.exit_code, "outside the release folder" in done.stderr) == (2, True)
    assert not (tmp_path / "new").exists()


def test_rules_of_a_disassociation_are_refused_before_anything_is_read(
    run: Run, tmp_path: Path
) -> None:
    how = ("--k", 5, "--m", 2, "--out", tmp_path / "new")
    rules = tmp_path / "rules.json"
    rules.write_text("{}", encoding="utf-8")
    for option, file in (("--rules", rules), ("--save-rules", tmp_path / "new.json")):
        done = run("publish", "disassociation", tmp_path / "not there.dat", *how, option, file)
        assert done.exit_code == 2
        assert "depends on the others in the cluster" in done.stderr
        assert option in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rules.json"]
