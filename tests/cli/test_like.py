"""Next year's data by this year's choices, for every family."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run

ITEMS = ("beer", "bread", "milk", "wine", "psalms")


def _sets(path: Path, people: int) -> Path:
    rows = [
        f"u{person},{ITEMS[item]}"
        for person in range(people)
        for item in {person % 4, (person + 1) % 4, *((4,) if person % 6 == 0 else ())}
    ]
    path.write_text("\n".join(["who,what", *rows]) + "\n")
    return path


def _table(path: Path, people: int) -> Path:
    rows = [
        f"{30 + row % 4},{'fm'[row % 2]},{('spy', 'nurse', 'cook')[row % 3]},{row % 5 * 10}"
        for row in range(people)
    ]
    path.write_text("\n".join(["age,sex,job,pay", *rows]) + "\n")
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Data of two years, and what is chosen for them."""
    for year, people in (("old", 60), ("new", 90)):
        _sets(tmp_path / f"{year}.csv", people)
        _table(tmp_path / f"{year}-table.csv", people)
        pairs = [f"u{one},u{(one + step) % people}" for one in range(people) for step in (1, 2)]
        edges = "\n".join(["source,target", *pairs]) + "\n"
        (tmp_path / f"{year}-friends.csv").write_text(edges)
    (tmp_path / "universe.txt").write_text("\n".join(ITEMS) + "\n")
    (tmp_path / "secret.txt").write_text("psalms\n")
    (tmp_path / "privacy.txt").write_text("beer\nbread milk\n")
    (tmp_path / "utility.txt").write_text("beer bread\nmilk wine\npsalms\n")
    (tmp_path / "age.csv").write_text(
        "".join(f"{age};{age // 2 * 2}s;*\n" for age in range(30, 40))
    )
    tree = "beer;drink;*\nwine;drink;*\nmilk;food;*\nbread;food;*\n"
    (tmp_path / "tree.csv").write_text(tree)
    return tmp_path


SETS = ("--columns", "id=who,item=what")
FAMILIES = {
    "counts": ("item-supports", "{}.csv", *SETS, "--epsilon", "1", "--universe", "universe.txt"),
    "generalised": (
        "coat", "{}.csv", *SETS, "--k", "4", "--privacy", "privacy.txt", "--utility",
        "utility.txt", "--suppress", "50",
    ),
    "tables": (
        "codip-star", "{}-table.csv", "--k", "2", "--t", "0.6", "--hierarchy", "age=age.csv",
        "--qid", "age,sex", "--sensitive-attributes", "job,pay", "--distance", "pay=ordered",
    ),
    "series": (
        "anony", "{}.csv", *SETS, "--r-th", "8", "--cluster-size", "5", "--sensitive", "secret.txt",
    ),
    "networks": (
        "gp-asn", "{}.csv", *SETS, "--rho", "0.6", "--hierarchy", "tree.csv", "--sensitive",
        "secret.txt",
    ),
}  # fmt: skip


def _contents(folder: Path) -> dict[str, Any]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("family", FAMILIES)
def test_other_data_are_published_as_if_everything_were_typed_again(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    monkeypatch.chdir(place)
    method, data, *options = FAMILIES[family]
    edges = {year: ["--edges", f"{year}-friends.csv"] * (family == "networks") for year in
             ("old", "new")}  # fmt: skip
    first = run(
        "publish", method, data.format("old"), *options, *edges["old"], "--out", "first",
        "--save-choices", "choices.json", "--format", "csv",
    )  # fmt: skip
    assert first.exit_code == 0, first.stderr
    assert (place / "choices.json").stat().st_mode & 0o077 == 0
    typed = run(
        "publish", method, data.format("new"), *options, *edges["new"], "--out", "typed", "--seed",
        7, "--format", "csv",
    )  # fmt: skip
    assert typed.exit_code == 0, typed.stderr
    for gone in ("universe.txt", "secret.txt", "privacy.txt", "utility.txt", "age.csv", "tree.csv"):
        (place / gone).unlink()
    like = run(
        "publish", "--like", "choices.json", data.format("new"), *edges["new"], "--out", "like",
        "--seed", 7,
    )  # fmt: skip
    assert like.exit_code == 0, like.stderr
    assert _contents(place / "like") == _contents(place / "typed")


def test_a_series_must_say_what_went_out_before(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    words = [*SETS, "--sensitive", "secret.txt", "--r-th", 8, "--cluster-size", 5]
    saved = ["--save-choices", "choices.json"]
    assert run("publish", "sanony", "old.csv", *words, "--out", "one", *saved).exit_code == 0
    again = ["publish", "--like", "choices.json", "new.csv", "--out", "two"]
    alone = run(*again)
    assert (alone.exit_code, (place / "two").exists()) == (2, False)
    assert "name that with --after, or the population with --people" in alone.stderr
    went_on = run(*again, "--after", "one")
    assert went_on.exit_code == 0, went_on.stderr
    assert "  follows: nothing\n" not in (place / "two" / "README.txt").read_text()


def test_a_key_that_is_not_there_is_no_release_before(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    (place / "choices.json").write_text(json.dumps({
        "discreet": "choices of a publication", "format": 1, "method": "m-invariance",
        "options": {"m": "2"}, "about": {}, "files": {},
    }))  # fmt: skip
    again = run("publish", "--like", "choices.json", "new.csv", "--out", "two", "--keep", "other")
    assert again.exit_code == 2
    assert "name that with --keep" in again.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--like"], "--like takes one file"),
        (["new.csv", "--out", "r", "--like"], "--like takes one file"),
        (["--like", "new.csv", "new.csv", "--out", "r"], "must hold the choices of a publication"),
        (["--like=none.json", "new.csv", "--out", "r"], "there is no file of choices"),
        (
            ["coat", "new.csv", "--like=choices.json", "--out", "r"],
            "for km-anonymity, not for coat",
        ),
        (["--like", "choices.json", "--out", "r"], "Missing argument 'DATA'"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(place)
    assert run(
        "publish", "km-anonymity", "old.csv", *SETS, "--k", 2, "--m", 1, "--out", "first",
        "--save-choices", "choices.json",
    ).exit_code == 0  # fmt: skip
    done = run("publish", *words)
    assert (done.exit_code, (place / "r").exists()) == (2, False)
    assert said in " ".join(done.stderr.split())


def test_choices_go_beside_a_release_and_never_into_it(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    words = ["publish", "km-anonymity", "old.csv", *SETS, "--k", 2, "--m", 1, "--out", "r"]
    for file in ("r/choices.json", "r"):
        done = run(*words, "--save-choices", file)
        assert (done.exit_code, (place / "r").exists()) == (2, False)
        assert "--save-choices must be a file of its own" in " ".join(done.stderr.split())
    same = run(*words, "--save-choices", "key", "--keep", "key")
    assert (same.exit_code, (place / "r").exists()) == (2, False)
