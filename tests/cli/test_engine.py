"""Choosing on the command line who folds the rows."""

import json
import re
from collections import Counter

import polars as pl
import pytest

from discreet import Release
from discreet.cli.engine import EngineChoice
from discreet.scale import limits


@pytest.fixture
def rows(tmp_path):
    held = [(person, "abcdef"[item]) for person in range(40) for item in range(person % 4 + 1)]
    table = pl.DataFrame(held, schema=["id", "item"], orient="row")
    table.write_parquet(tmp_path / "people.parquet")
    table.write_csv(tmp_path / "people.csv")
    return tmp_path


@pytest.mark.parametrize("file", ["people.parquet", "people.csv", "people*.parquet"])
def test_a_release_by_duckdb_is_that_of_memory(run, rows, file):
    common = ("--k", "3", "--m", "2", "--seed", "1")
    plain = str(rows / file.replace("*", ""))
    run("publish", "km-anonymity", plain, *common, "--engine", "memory", "--out", str(rows / "m"))
    made = run(
        "publish", "km-anonymity", str(rows / file), *common, "--engine", "duckdb",
        "--out", str(rows / "d"), "--json",
    )  # fmt: skip
    assert json.loads(made.stdout)["rows"]["transactions"] == 40
    one, other = Release.load(rows / "m"), Release.load(rows / "d")
    assert one.record() == other.record()
    bags = [Counter(map(str, each["transactions"].iter_rows())) for each in (one, other)]
    assert bags[0] == bags[1]
    checked = run("verify", str(rows / "d"), "--engine", "duckdb", "--json")
    assert checked.exit_code == 3
    assert json.loads(checked.stdout)["guarantees"][0]["holds"] is True


def test_a_table_is_folded_with_its_roles(run, tmp_path):
    table = {"age": [30, 31, 30, 31] * 5, "sex": ["f", "m"] * 10, "ill": ["flu", "?"] * 10}
    pl.DataFrame(table).write_csv(tmp_path / "t.csv")
    for engine in ("memory", "duckdb"):
        run(
            "publish", "incognito", str(tmp_path / "t.csv"), "--k", "2", "--qid", "age,sex",
            "--sensitive-attributes", "ill", "--missing", "drop", "--discretise", "age=31",
            "--engine", engine, "--seed", "1", "--out", str(tmp_path / engine),
        )  # fmt: skip
    one, other = Release.load(tmp_path / "memory"), Release.load(tmp_path / "duckdb")
    assert one["table_1"].sort("age", "sex").equals(other["table_1"].sort("age", "sex"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--keep", "key"), "--keep needs the records"),
        (("--engine", "foo"), "--engine must be"),
        (("--memory", "much"), "--memory must be an amount"),
        (("--format", "csv"), "writes parquet"),
        (("--columns", "id=who"), "no column 'who'|column 'who', and there is none"),
    ],
)
def test_what_an_engine_cannot_do_is_one_sentence(run, rows, more, said):
    refused = run(
        "publish", "km-anonymity", str(rows / "people.parquet"), "--k", "3", "--m", "2",
        "--engine", "duckdb", "--out", str(rows / "d"), *more,
    )  # fmt: skip
    assert refused.exit_code == 2
    assert re.search(said, refused.stderr)
    assert not (rows / "d").exists()


def test_a_file_larger_than_half_of_memory_goes_to_duckdb_by_itself(rows, monkeypatch):
    file = str(rows / "people.parquet")
    assert EngineChoice().chosen(file) is None
    monkeypatch.setattr(limits, "memory_here", lambda: 1000)
    assert EngineChoice().chosen(file).name == "duckdb"
    assert EngineChoice(engine="memory").chosen(file) is None


def test_profile_and_measure_give_the_numbers_of_memory(run, rows):
    file = str(rows / "people.parquet")
    looked = [run("profile", file, "--json", "--engine", each) for each in ("memory", "duckdb")]
    assert json.loads(looked[0].stdout) == json.loads(looked[1].stdout)
    run(
        "publish", "sparse-histogram", file, "--epsilon", "1", "--max-size", "2", "--seed", "1",
        "--engine", "duckdb", "--out", str(rows / "r"),
    )  # fmt: skip
    told = [
        run("measure", str(rows / "r"), "--against", file, "--json", "--engine", each)
        for each in ("memory", "duckdb")
    ]
    assert json.loads(told[0].stdout) == json.loads(told[1].stdout)


@pytest.mark.parametrize("more", [(), ("--suppression", "none")])
def test_generalised_sets_are_measured_by_distinct_sets(run, rows, more):
    file = str(rows / "people.parquet")
    run("publish", "km-anonymity", file, "--k", "2", "--m", "1", *more, "--out", str(rows / "g"))
    by_memory, by_engine = (
        run("measure", str(rows / "g"), "--against", file, "--json", "--engine", each)
        for each in ("memory", "duckdb")
    )
    told = json.loads(by_engine.stdout)
    assert "occurrences_by_name" in told
    assert "query_error_expected" in told
    assert told.items() <= json.loads(by_memory.stdout).items()
    assert "left out: eliminated members" in by_engine.stderr
