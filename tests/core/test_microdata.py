import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import rng
from discreet.core.microdata import Microdata
from discreet.errors import DataError
from discreet.tables import Incognito

PATIENTS = pl.DataFrame(
    {"name": ["Ann", "Bob"], "age": [39, None], "diagnosis": ["flu|cough", ""], "job": ["spy"] * 2}
)


def test_roles_choose_the_columns() -> None:
    people = Microdata.of(
        PATIENTS, qids=["age"], sensitive=["job", "diagnosis"], multi_valued=["diagnosis"]
    )
    assert len(people) == 2
    assert people.qids == ("age",)
    assert people.sensitive == ("job", "diagnosis")
    assert people.multi_valued == {"diagnosis"}
    assert people.separator == "|"
    assert people.table.rows() == [("39", "spy", "flu|cough"), ("?", "spy", "")]


@pytest.mark.parametrize(
    ("qids", "sensitive", "multi_valued", "complaint"),
    [
        (["age"], ["jobs"], [], "'jobs' .did you mean 'job'.. is not; there are the columns name"),
        (["zip"], ["job"], [], "'zip' is not; there are the columns name"),
        (["age", "age"], ["job"], [], "the column 'age' was given two roles"),
        (["age", "job"], ["job"], [], "the column 'job' was given two roles"),
        (["age"], ["job"], ["age"], "multi-valued attribute must be sensitive, and 'age' is not"),
        (
            [],
            [],
            [],
            "at least one .*, got none; name them with qid .*; there are the columns name",
        ),
    ],
)
def test_roles_that_do_not_fit_are_refused(
    qids: list[str], sensitive: list[str], multi_valued: list[str], complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint):
        Microdata.of(PATIENTS, qids=qids, sensitive=sensitive, multi_valued=multi_valued)


def test_the_separator_is_something() -> None:
    with pytest.raises(DataError, match="separator"):
        Microdata.of(PATIENTS, qids=["age"], sensitive=["job"], separator="")


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet"])
def test_the_same_table_from_every_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "t.parquet":
        PATIENTS.write_parquet(path)
    else:
        content = PATIENTS.write_csv(separator=";").encode()
        path.write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
    people = Microdata.read(path, qids=["age"], sensitive=["diagnosis"], separator="/")
    assert people.table.rows() == [("39", "flu|cough"), ("?", "?")]
    assert people.separator == "/"


def test_a_missing_column_is_named_and_no_record_shown(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("39,spy\n40,nurse\n")
    with pytest.raises(DataError, match="'age', 'job' are not") as refusal:
        Microdata.read(path, qids=["age"], sensitive=["job"])
    assert "spy" not in str(refusal.value)


@given(st.binary(max_size=60), st.sampled_from(["csv", "csv.gz", "parquet"]))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, ending: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any-table.{ending}"
    path.write_bytes(b"age,job\n" + content)
    try:
        people = Microdata.read(path, qids=["age"], sensitive=["job"])
    except DataError as error:
        assert path.name in str(error)
    else:
        assert len(people)


def test_a_missing_cell_is_a_value_that_can_be_published() -> None:
    gaps = pl.DataFrame({"age": ["39", None, "", "?"] * 3, "job": ["spy", "", "cook", None] * 3})
    people = Microdata.of(gaps, qids=["age"], sensitive=["job"])
    assert people.table.rows() == [("39", "spy"), ("?", "?"), ("?", "cook"), ("?", "?")] * 3
    table = Incognito(k=3).publish(people, rng.seeded(1)).release.to_polars()["table_1"]
    assert sorted(table["age"].to_list()) == ["39"] * 3 + ["?"] * 9


@pytest.mark.parametrize("name", ["*", "^.*$", "^a$"])
def test_a_name_that_would_stand_for_several_columns_is_refused(name: str) -> None:
    table = pl.DataFrame({name: ["1", "2"], "job": ["spy", "cook"]})
    with pytest.raises(DataError, match="rename the column"):
        Microdata.of(table, qids=[name], sensitive=["job"])
