"""Tables of a release as files: one or many parts, the same rows."""

import errno
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Release, rng
from discreet.core.histogram import ItemsetHistogram
from discreet.errors import DataError, ParameterError
from discreet.io.release_folder import (
    checked_release_files,
    new_release_folder,
    read_release_folder,
    seal,
)
from discreet.io.release_tables import files_of_tables, read_table_files, write_table
from tests.releases import as_released
from tests.samples import PUBLISHERS

KINDS = {"n": "int64", "items": "list[str]"}


def table_of(rows: int) -> pl.DataFrame:
    return pl.DataFrame(
        {"n": range(rows), "items": [["a", 'b "c", d'][: row % 3] for row in range(rows)]},
        schema={"n": pl.Int64, "items": pl.List(pl.String)},
    )


@given(
    rows=st.integers(0, 9),
    part_rows=st.one_of(st.none(), st.integers(1, 10), st.just(10**20)),
    file_format=st.sampled_from(["parquet", "csv", "jsonl"]),
)
def test_parts_hold_the_rows_in_their_order(
    tmp_path_factory: pytest.TempPathFactory, rows: int, part_rows: int | None, file_format: str
) -> None:
    folder = tmp_path_factory.mktemp("r")
    write_table(folder, "sets", table_of(rows), file_format, part_rows)
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == (1 if part_rows is None else max(1, -(-rows // part_rows)))
    assert read_table_files(folder, names, KINDS).equals(table_of(rows))


@pytest.mark.parametrize("file_format", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("part_rows", [None, 1])
def test_columns_may_have_quotes_and_line_ends_in_their_names(
    tmp_path: Path, file_format: str, part_rows: int | None
) -> None:
    # an attribute of several values has a column for each of them, named as the value is
    columns = ['ill=5" cut', '"x"', "a,b", "a\nb", "a\rb", "'", "7"]
    table = pl.DataFrame({name: ['5"', "a\n,b", ""] for name in columns})
    write_table(tmp_path, "table_1", table, file_format, part_rows)
    kinds = dict.fromkeys(columns, "str")
    assert read_table_files(tmp_path, _names(tmp_path), kinds).equals(table)
    with pytest.raises(DataError, match=r"does not hold the columns|has gaps"):
        read_table_files(tmp_path, _names(tmp_path), {"other": "str", **kinds})


@pytest.mark.parametrize("method", PUBLISHERS, ids=lambda method: method.__name__)
def test_every_content_comes_back_from_parts(method: type, tmp_path: Path) -> None:
    publisher, data = PUBLISHERS[method]
    release: Release[Any] = publisher.publish(data, rng.seeded(1)).release
    release.save(tmp_path / "whole")
    release.save(tmp_path / "parts", part_rows=3)
    whole, parts = Release.load(tmp_path / "whole"), Release.load(tmp_path / "parts")
    assert parts == whole
    assert parts.unlisted == ()
    assert any(name.endswith("-00001.parquet") for name in _names(tmp_path / "parts"))


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A release of one table in three parts."""
    content = ItemsetHistogram.of({(str(item),): item for item in range(1, 6)})
    return as_released(content).save(tmp_path / "r", part_rows=2)


def test_the_manifest_lists_each_part_and_the_readme_says_so(parts: Path) -> None:
    names = [f"itemsets-{part:05d}.parquet" for part in range(3)]
    assert _names(parts) == ["README.txt", *names, "manifest.json"]
    manifest, files = checked_release_files(parts)
    assert files == {"itemsets": names}
    assert [manifest["files"][name]["part"] for name in names] == [0, 1, 2]
    assert len({manifest["files"][name]["sha256"] for name in names}) == 3
    assert "itemsets-00000.parquet and so on: items (list[str])" in (
        parts / "README.txt"
    ).read_text("utf-8")


def test_a_part_that_was_changed_lost_or_added_is_seen(parts: Path) -> None:
    last = parts / "itemsets-00002.parquet"
    content = last.read_bytes()
    (parts / "itemsets-00003.parquet").write_bytes(content)
    assert Release.load(parts).unlisted == ("itemsets-00003.parquet",)
    last.write_bytes((parts / "itemsets-00001.parquet").read_bytes())
    with pytest.raises(DataError, match=r"itemsets-00002\.parquet in r was changed"):
        Release.load(parts)
    last.unlink()
    with pytest.raises(DataError, match=r"itemsets-00002\.parquet is missing"):
        Release.load(parts)


def _without(files: dict[str, Any], number: int) -> dict[str, Any]:
    return {name: facts for name, facts in files.items() if facts.get("part") != number}


def _with(files: dict[str, Any], number: int, **facts: Any) -> dict[str, Any]:
    name = f"itemsets-{number:05d}.parquet"
    return files | {name: files[name] | facts}


@pytest.mark.parametrize(
    "forge",
    [
        lambda files: _without(files, 0),
        lambda files: _without(files, 1),
        lambda files: _with(files, 1, part=2),
        lambda files: _with(files, 1, part="1"),
        lambda files: _with(files, 1, part=None),
        lambda files: _with(files, 1, columns={"items": "list[str]"}),
        lambda files: dict(reversed(files.items())),
    ],
)
def test_parts_that_do_not_add_up_are_refused(parts: Path, forge: Any) -> None:
    manifest = json.loads((parts / "manifest.json").read_text())
    manifest["files"] = forge(manifest["files"])
    manifest["seal"] = seal(manifest)
    (parts / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DataError):
        Release.load(parts)


def test_a_table_may_have_the_name_of_a_part(tmp_path: Path) -> None:
    columns = {"a": KINDS, "a-00000": KINDS}
    with new_release_folder(tmp_path / "r", {}, columns, "") as folder:
        write_table(folder, "a", table_of(1), "parquet", None)
        write_table(folder, "a-00000", table_of(2), "parquet", None)
    _, tables = read_release_folder(tmp_path / "r")
    assert {name: table.height for name, table in tables.items()} == {"a": 1, "a-00000": 2}


def test_numbers_are_summed_over_parts(tmp_path: Path) -> None:
    half = pl.DataFrame({"n": [2**60 - 1]})
    columns = {"a": {"n": "int64"}}
    with new_release_folder(tmp_path / "r", {}, columns, "") as folder:
        half.write_parquet(folder / "a-00000.parquet")
        half.write_parquet(folder / "a-00001.parquet")
    with pytest.raises(DataError, match="too large"):
        read_release_folder(tmp_path / "r")


def test_what_an_engine_leaves_behind_is_no_release(tmp_path: Path) -> None:
    refused = pytest.raises(ValueError, match="nothing else")
    with refused, new_release_folder(tmp_path / "r", {}, {"a": KINDS}, "") as folder:
        write_table(folder, "a", table_of(1), "parquet", None)
        (folder / "_SUCCESS").touch()
    with refused, new_release_folder(tmp_path / "r", {}, {"a": KINDS}, ""):
        pass  # a table without a file
    assert list(tmp_path.iterdir()) == []


def test_a_part_holds_at_least_one_row(tmp_path: Path) -> None:
    content = ItemsetHistogram.of({("a",): 1})
    release = as_released(content)
    with pytest.raises(ParameterError, match="at least one row"):
        release.save(tmp_path / "r", part_rows=0)


@pytest.mark.parametrize("file_format", ["parquet", "csv", "jsonl"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_disk_is_what_the_system_says(tmp_path: Path, file_format: str) -> None:
    (tmp_path / f"sets.{file_format}").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as told:
        write_table(tmp_path, "sets", table_of(200_000), file_format, None)
    assert told.value.errno == errno.ENOSPC


def test_a_file_that_is_no_table_has_no_parts() -> None:
    assert files_of_tables({"README.txt": {"sha256": "0"}}) == {}
