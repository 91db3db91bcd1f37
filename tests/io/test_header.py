"""Which columns there are is told, and no record in place of a header."""

from pathlib import Path

import pytest

from discreet import Microdata, Transactions
from discreet.errors import DataError
from discreet.io.header import MOST, columns_there, nearest_column

NO_HEADER = "is the line with the names of the columns missing?"


def test_the_columns_are_listed_up_to_a_number() -> None:
    names = [f"c{number}" for number in range(MOST + 5)]
    told = columns_there(names, lambda _: [])
    assert told.endswith(f"c{MOST - 1} and 5 more")


@pytest.mark.parametrize("header", [["39", "job"], ["-1", "a"], ["2024-01-02", "a"], ["", "a"],
                                    ["a" * 60, "b"]])  # fmt: skip
def test_what_is_no_name_is_not_listed(header: list[str]) -> None:
    assert columns_there(header, lambda _: []).endswith(NO_HEADER)


def test_the_nearest_column_is_found_in_any_case() -> None:
    assert nearest_column("AGES", ["age", "job"]) == "age"
    assert nearest_column("age", ["age"]) is None
    assert nearest_column("zip", ["age"]) is None


def test_a_record_in_place_of_a_header_is_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("insulin,cook\nsoap,nurse\ninsulin,clerk\n")
    with pytest.raises(DataError, match="missing") as table:
        Microdata.read(path, qids=["age"], sensitive=["job"])
    with pytest.raises(DataError, match="missing") as sets:
        Transactions.read(path, columns={"id": "user", "item": "thing"})
    assert "insulin" not in f"{table.value}{sets.value}"


def test_every_unknown_column_is_told_with_those_there(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,job\n39,cook\n")
    with pytest.raises(DataError) as error:
        Microdata.read(path, qids=["agee", "town"], sensitive=["job"])
    assert "'agee' (did you mean 'age'?), 'town'" in str(error.value)
    assert str(error.value).endswith("there are the columns age, job")


@pytest.mark.parametrize("name", ["a.json", "a.xls", "a.ods"])
@pytest.mark.parametrize("of_sets", [True, False])
def test_files_of_other_programs_get_a_way_out(tmp_path: Path, name: str, of_sets: bool) -> None:
    path = tmp_path / name
    path.write_text("[]")
    with pytest.raises(DataError, match=r"is not read; .*\.(jsonl|csv)"):
        Transactions.read(path) if of_sets else Microdata.read(path, qids=["a"], sensitive=["b"])
