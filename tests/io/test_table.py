import csv
import io
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.io.table import read_table
from discreet.io.text import normalised


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("table")


def table_of(folder: Path, content: str, name: str = "t.csv") -> pl.DataFrame:
    path = folder / name
    path.write_bytes(content.encode())
    return read_table(path)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_are_text_with_any_separator(tmp_path: Path, separator: str) -> None:
    table = table_of(tmp_path, "age, job\n039,nurse\n,spy\n\n".replace(",", separator))
    assert table.columns == ["age", "job"]
    assert table.rows() == [("039", "nurse"), ("", "spy")]


def test_quotes_hold_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    table = table_of(tmp_path, 'a,b\n"x, ""y""","1\n2"\n5" pipe,\n')
    assert table.rows() == [('x, "y"', "1\n2"), ('5" pipe', "")]


def test_many_rows_that_only_the_slow_reader_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.io.delimited._BLOCK", 3)
    table = table_of(tmp_path, "a,b\n" + 'x"y,1\n' * 7)
    assert table.rows() == [('x"y', "1")] * 7


def test_lines_of_json_become_text(tmp_path: Path) -> None:
    content = '{"a": " x ", "b": 1}\n\n{"b": 2.5, "c": true}\n'
    table = table_of(tmp_path, content, "t.jsonl")
    assert table.columns == ["a", "b", "c"]
    assert table.rows() == [("x", "1", ""), ("", "2.5", "true")]
    with pytest.raises(
        DataError, match=r"t.jsonl, line 1: a cell must be text, a number or a list"
    ):
        table_of(tmp_path, '{"a": {"b": 1}}', "t.jsonl")
    with pytest.raises(DataError, match=r"t.jsonl, line 2: every line must be a JSON object"):
        table_of(tmp_path, '{"a": 1}\n[1]', "t.jsonl")


@pytest.mark.parametrize("half", ['{"a": "\\ud800"}', '{"a": ["\\udfff"]}', '{"\\ud800": 1}'])
def test_half_a_letter_is_no_text(tmp_path: Path, half: str) -> None:
    whole = '{"a": "\\ud83d\\ude00"}'
    assert table_of(tmp_path, whole, "t.jsonl").rows() == [("\U0001f600",)]
    with pytest.raises(DataError, match=r"t.jsonl, line 2: every line must be a JSON object"):
        table_of(tmp_path, f"{whole}\n{half}\n", "t.jsonl")


def test_an_empty_last_cell_is_no_short_row(tmp_path: Path) -> None:
    assert table_of(tmp_path, "a,b\n1,\n,2\n").rows() == [("1", ""), ("", "2")]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a,b\n1,2\n3\n", "t.csv, line 3: .* as the header, 2, and this one has 1"),
        ("a,b\n1,2\n3,4,5\n", "t.csv, line 3: .* as the header, 2, and this one has 3"),
        ('a,b\n"1\n2",3\n3\n', "t.csv, line 4: .* as the header, 2, and this one has 1"),
        ("a,b\n1,2\n\n3\n", "t.csv, line 4: .* as the header, 2, and this one has 1"),
        ('a,b\n1,2\n"3"x,4\n', "t.csv, line 3: after its closing quote"),
        ('a,b\n1,"2\n', "t.csv, line 2: .* never closed"),
        ("a,b,a\n1,2,3\n", "t.csv, line 1: .*columns 1 and 3"),
        ("a,\n1,2\n", "t.csv, line 1: .*name of column 2 is empty"),
        ("\na,b\n1,2\n", "t.csv, line 1: the first line must name the columns"),
        ("a,b\n", "t.csv: there must be a record"),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        table_of(tmp_path, content)


def test_parquet_becomes_text(tmp_path: Path) -> None:
    weights = [1.5, float("nan")]
    frame = pl.DataFrame({"age": [39, None], "job": ["spy", None], "weight": weights})
    frame.write_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    assert table.rows() == [("39", "spy", "1.5"), ("", "", "")]


def test_a_list_is_one_cell_with_the_separator_between_its_texts(tmp_path: Path) -> None:
    lists = [["flu", " cold"], [], None, ["flu"]]
    pl.DataFrame({"held": lists, "year": [[1], [2], [3], [4]]}).write_parquet(
        tmp_path / "t.parquet"
    )
    assert read_table(tmp_path / "t.parquet", separator=";").rows() == [
        ("flu; cold", "1"),
        ("", "2"),
        ("", "3"),
        ("flu", "4"),
    ]
    (tmp_path / "t.jsonl").write_text(
        '{"held": ["flu", 3]}\n{"held": "cold"}\n{"held": null}\n{}\n'
    )
    assert read_table(tmp_path / "t.jsonl").to_series().to_list() == ["flu|3", "cold", "", ""]
    (tmp_path / "u.jsonl").write_text('{"held": ["flu"]}\n{"held": [["cold"]]}\n')
    with pytest.raises(DataError, match=r"u.jsonl, line 2: .*list of lists"):
        read_table(tmp_path / "u.jsonl")


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        (pl.DataFrame({"a": [[["x"]]]}), "column 'a' must hold text or numbers"),
        (pl.DataFrame({"a": [["x|y"]]}), "a value of 'a' holds the separator"),
        (pl.DataFrame({"a": [b"x"]}), "column 'a' must hold text or numbers"),
        (pl.DataFrame({"a": [timedelta(1)]}), "column 'a' must hold text or numbers"),
        (pl.DataFrame({"a": [[timedelta(1)]]}), "column 'a' must hold text or numbers"),
        (pl.DataFrame({"a": pl.Series([], dtype=pl.String)}), "there must be a record"),
    ],
)
def test_parquet_without_plain_rows_is_refused(
    tmp_path: Path, frame: pl.DataFrame, complaint: str
) -> None:
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=f"t.parquet.*{complaint}"):
        read_table(tmp_path / "t.parquet")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"x" * 40, b"PAR1junkjunkPAR1"])
def test_broken_parquet_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"t\.parquet"):
        read_table(path)


@given(st.text(alphabet='ab", \n;', max_size=24))
def test_a_table_is_what_a_plain_csv_reader_sees(folder: Path, body: str) -> None:
    try:
        table = table_of(folder, f"x,y\n{body}")
    except DataError:
        table = None
    try:
        rows = list(csv.reader(io.StringIO(f"x,y\n{body}".rstrip("\n")), strict=True))[1:]
    except csv.Error:
        rows = []
    rows = [row for row in rows if row]  # blank lines are skipped
    proper = bool(rows) and all(len(row) == 2 for row in rows)
    assert (table is not None) == proper
    assert table is None or table.rows() == [tuple(map(normalised, row)) for row in rows]


@pytest.mark.parametrize("name", ["*", "^.*$", "^a$"])
def test_a_name_that_would_stand_for_several_columns_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="line 1: rename column 2"):
        table_of(tmp_path, f"age,{name}\n39,nurse\n")
