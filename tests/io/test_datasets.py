import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.io import datasets
from discreet.io.datasets import (
    DATASETS,
    Dataset,
    dataset_path,
    is_dataset,
    names,
    read_dataset,
    read_dataset_table,
    source_path,
    universe_of,
)

BASKETS = b"1 2\n2 3\n\n3\n"
PEOPLE = b"age,job\n39,spy\n40,nurse\n"


def known(name: str, kind: datasets.Kind, content: bytes, **facts: object) -> Dataset:
    return Dataset(
        name=name,
        kind=kind,
        file=f"{name}.gz",
        sha256=hashlib.sha256(gzip.compress(content, mtime=0)).hexdigest(),
        **facts,
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with two small data sets, known by name."""
    baskets = known("baskets", "sets", BASKETS, records=4, items=3, input_format="fimi")
    people = known("people", "table", PEOPLE, records=2, items=2)
    (tmp_path / baskets.file).write_bytes(gzip.compress(BASKETS, mtime=0))
    (tmp_path / people.file).write_bytes(gzip.compress(PEOPLE, mtime=0))
    monkeypatch.setattr(datasets, "DATASETS", (baskets, people))
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    return tmp_path


def changed(monkeypatch: pytest.MonkeyPatch, **facts: int) -> None:
    others = tuple(replace(data, **facts) for data in datasets.DATASETS)
    monkeypatch.setattr(datasets, "DATASETS", others)


def test_the_papers_data_have_names() -> None:
    sets = ("nltcs", "nltcs-all", "msnbc", "bms1", "bms2", "checkin", "lastfm")
    assert names("sets") == sets
    assert set(names("table")) == {"adult", "adult-arx", "census-income"}
    assert set(names()) == {*names("sets"), *names("table"), *names("edges")}
    assert len({data.sha256 for data in DATASETS}) == len(DATASETS)


def test_documented_universes_need_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCREET_DATA", raising=False)
    assert universe_of("nltcs") == universe_of("dataset:nltcs-all")
    assert universe_of("nltcs")[:10] == (*"123456789", "10")
    assert len(universe_of("nltcs")) == 16
    assert len(universe_of("msnbc")) == 17


def test_a_source_is_a_file_or_a_data_set(folder: Path) -> None:
    assert is_dataset("dataset:people")
    assert not is_dataset(Path("people.csv"))
    assert source_path("here/people.csv") == Path("here/people.csv")
    assert source_path("dataset:people") == dataset_path("people") == folder / "people.gz"


def test_sets_are_read_by_name(folder: Path) -> None:
    assert folder.exists()
    baskets = Transactions.read("dataset:baskets")
    assert list(baskets) == [("1", "2"), ("2", "3"), (), ("3",)]
    assert universe_of("dataset:baskets") == baskets.universe == ("1", "2", "3")


def test_a_documented_universe_orders_the_items(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder.exists()
    baskets = replace(datasets.DATASETS[0], universe=("3", "9", "2", "1"))
    monkeypatch.setattr(datasets, "DATASETS", (baskets,))
    read = Transactions.read("dataset:baskets")
    assert read.universe == universe_of("baskets") == ("3", "9", "2", "1")
    assert list(read) == [("2", "1"), ("3", "2"), (), ("3",)]


def test_tables_are_read_by_name(folder: Path) -> None:
    assert folder.exists()
    assert read_dataset_table("people").rows() == [("39", "spy"), ("40", "nurse")]
    people = Microdata.read("dataset:people", qids=["age"], sensitive=["job"])
    assert len(people) == 2


@pytest.mark.parametrize("facts", [{"records": 5}, {"items": 4}])
def test_wrong_counts_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, facts: dict[str, int]
) -> None:
    assert folder.exists()
    changed(monkeypatch, **facts)
    with pytest.raises(DataError, match=r"data set baskets must have .* got 4 and 3"):
        read_dataset("baskets")
    with pytest.raises(DataError, match=r"data set people must have .* columns, got 2 and 2"):
        read_dataset_table("people")


def test_another_file_under_the_name_is_refused(folder: Path) -> None:
    assert dataset_path("baskets").exists()
    (folder / "baskets.gz").write_bytes(gzip.compress(BASKETS + b"1\n", mtime=0))
    with pytest.raises(DataError, match="data set baskets must be the published file"):
        read_dataset("baskets")


def test_a_missing_file_or_folder_is_refused_with_the_cure(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "baskets.gz").unlink()
    with pytest.raises(DataError, match=r"data set baskets .*baskets\.gz.*put it there"):
        read_dataset("baskets")
    (folder / "baskets.gz").mkdir()
    with pytest.raises(DataError, match=r"data set baskets .*cannot be read there"):
        dataset_path("baskets")
    monkeypatch.delenv("DISCREET_DATA")
    with pytest.raises(DataError, match=r"DISCREET_DATA .*not set; .*baskets\.gz"):
        dataset_path("baskets")


def test_an_unknown_name_is_refused_with_what_is_near() -> None:
    with pytest.raises(DataError, match=r"'msnbcc'; did you mean msnbc\?"):
        dataset_path("dataset:msnbcc")
    with pytest.raises(DataError, match=r"'zzzz'; there are nltcs, .*census-income"):
        read_dataset("zzzz")


def test_kinds_are_not_confused() -> None:
    with pytest.raises(DataError, match=r"adult is of kind table .*kind sets: nltcs, "):
        read_dataset("adult")
    with pytest.raises(DataError, match="adult is of kind table"):
        universe_of("adult")
    with pytest.raises(DataError, match=r"nltcs is of kind sets .*lastfm-friends"):
        read_dataset_table("nltcs")


def test_the_checksum_is_taken_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset_path("people")
    monkeypatch.setattr(hashlib, "file_digest", lambda *_: pytest.fail("taken again"))
    assert dataset_path("people") == folder / "people.gz"
