import csv
import gzip
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.core.constraints import Constraints
from discreet.core.hierarchy import Hierarchy
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError
from discreet.io import source
from discreet.io.public import read_items
from discreet.io.sets import FORMATS
from discreet.io.text import normalised

Records = Sequence[Sequence[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("private_folder")


def read(folder: Path, name: str, content: bytes, **options: Any) -> Transactions:
    path = folder / name
    path.write_bytes(content)
    return Transactions.read(path, **options)


def parquet(**columns: Any) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(columns).write_parquet(file)
    return file.getvalue()


# ---------------------------------------------------------------- plain numbers


def test_fimi_is_a_set_a_line_in_the_order_of_numbers(folder: Path) -> None:
    baskets = read(folder, "a.dat", b"10 9\t2\r\n\n2 2 007 \n9")
    assert list(baskets) == [("2", "9", "10"), (), ("2", "7"), ("9",)]
    assert baskets.universe == ("2", "7", "9", "10")
    assert baskets.ids is None


def test_the_last_newline_adds_no_record_and_a_blank_line_does(folder: Path) -> None:
    assert [len(read(folder, "a.dat", text)) for text in (b"1", b"1\n", b"1\n\n", b"\n")] == [
        1,
        1,
        2,
        1,
    ]


def test_item_numbers_are_names_of_any_length_up_to_18_digits(folder: Path) -> None:
    largest = b"9" * 18
    assert read(folder, "a.dat", b"0 " + largest).universe == ("0", largest.decode())


def test_a_byte_order_mark_is_no_item(folder: Path) -> None:
    assert list(read(folder, "a.dat", b"\xef\xbb\xbf1 2\n")) == [("1", "2")]


def test_many_items_make_the_table_grow(folder: Path) -> None:
    lines = [range(start, start + 50) for start in range(0, 20_000, 25)]
    content = "\n".join(" ".join(map(str, reversed(line))) for line in lines)
    baskets = read(folder, "a.dat", content.encode())
    assert list(baskets) == [tuple(map(str, line)) for line in lines]


def test_a_long_line_just_works(folder: Path) -> None:
    baskets = read(folder, "a.dat", b"1 2\n" + b"3 4 " * 300_000 + b"\n5\n")
    assert list(baskets) == [("1", "2"), ("3", "4"), ("5",)]


def test_lines_may_be_cut_anywhere_between_blocks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"12 345\n\n6\r\n" * 5
    expected = list(read(folder, "a.dat", content))
    for block in range(1, len(content)):
        monkeypatch.setattr(source, "BLOCK", block)
        assert list(Transactions.read(folder / "a.dat")) == expected


def test_seq_skips_what_is_before_the_first_record_only(folder: Path) -> None:
    content = (
        b"% Different categories\r\n\r\nnews tech\r\n 7 no record\n% Sequences:\r\n\r\n1 1 \r\n"
    )
    visits = read(folder, "a.seq", content + b"\r\n17 2 \r\n \n")
    assert list(visits) == [("1",), (), ("2", "17"), ()]


def test_seq_may_have_no_header(folder: Path) -> None:
    assert list(read(folder, "a.seq", b"3 1\n")) == [("1", "3")]


# ---------------------------------------------------------------- tables


def test_long_unites_the_rows_of_an_id_wherever_they_stand(folder: Path) -> None:
    visits = read(folder, "a.csv", b"id,item\nbo,10\nal,9\nbo,9\nbo,10\ncy,\n")
    assert list(visits) == [("9", "10"), ("9",), ()]
    assert visits.ids.tolist() == ["bo", "al", "cy"]
    assert visits.universe == ("9", "10")


def test_long_takes_columns_by_name_and_ignores_the_others(folder: Path) -> None:
    content = b"weight\tartistID\tuserID\n5\tx\t1\n7\ty\t1\n"
    options = {"columns": {"id": "userID", "item": "artistID"}}
    for name in ("a.tsv", "a.csv"):
        assert list(read(folder, name, content, **options)) == [("x", "y")]


def test_items_that_are_not_all_numbers_sort_as_text(folder: Path) -> None:
    assert read(folder, "a.csv", b"id,item\n1,10\n1,9\n1,x\n").universe == ("10", "9", "x")
    assert read(folder, "a.csv", b"id,item\n1,10\n1,9\n1,-3\n").universe == ("-3", "10", "9")


def test_quoted_and_plain_cells_are_the_same(folder: Path) -> None:
    content = b'id;item\r\n"1";"a;""b"""\r\n1;c\r\n\r\n"2";"line\nbreak"\r\n'
    assert list(read(folder, "a.csv", content)) == [('a;"b"', "c"), ("line\nbreak",)]


def test_in_a_table_with_tabs_a_quote_is_a_letter(folder: Path) -> None:
    visits = read(folder, "a.tsv", b'id\titem\n1\t"Weird Al" Yankovic\n1\t"\n')
    assert list(visits) == [('"', '"Weird Al" Yankovic')]


def test_a_quoted_cell_may_be_longer_than_many_blocks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "BLOCK", 64)
    note = "x\n" * 2_000
    content = f'note,id,item\n"{note}",1,a\n"",1,b\n,2,\n'.encode()
    assert list(read(folder, "a.csv", content)) == [("a", "b"), ()]


def test_many_ids_and_items_make_the_tables_grow(folder: Path) -> None:
    rows = [(f"p{number % 3000}", f"i{number % 7001}") for number in range(20_000)]
    content = "id,item\n" + "".join(f"{owner},{item}\n" for owner, item in rows)
    visits = read(folder, "a.csv", content.encode())
    expected: dict[str, set[str]] = {}
    for owner, item in rows:
        expected.setdefault(owner, set()).add(item)
    assert visits.ids.tolist() == list(expected)
    assert list(visits) == [tuple(sorted(held)) for held in expected.values()]


def test_lists_in_cells_are_json_or_separated(folder: Path) -> None:
    content = b'id,items\n1,a|b|a\n2,"[""c"", 7]"\n3,\n4,[]\n'
    baskets = read(folder, "a.csv", content)
    assert list(baskets) == [("a", "b"), ("7", "c"), (), ()]
    assert baskets.ids.tolist() == ["1", "2", "3", "4"]


def test_lists_take_another_separator_and_another_column(folder: Path) -> None:
    options = {"columns": {"items": "basket"}, "separator": "; "}
    assert list(read(folder, "a.csv", b"basket\na|b; c\n\n", **options)) == [("a|b", "c"), ()]


def test_lists_in_json_lines_are_lists_or_objects(folder: Path) -> None:
    content = b'["b", "a", 3]\n\n{"items": [], "more": {"x": 1}}\n{"items": null}\r\n[1, "1"]'
    baskets = read(folder, "a.jsonl", content)
    assert list(baskets) == [("3", "a", "b"), (), (), ("1",)]
    assert baskets.ids is None


def test_json_lines_may_have_ids(folder: Path) -> None:
    content = b'{"who": 7, "what": ["x"]}\n{"what": ["y"], "who": "8"}\n'
    baskets = read(folder, "a.ndjson", content, columns={"id": "who", "items": "what"})
    assert list(baskets) == [("x",), ("y",)]
    assert baskets.ids.tolist() == ["7", "8"]


def test_matrix_keeps_the_order_of_its_header(folder: Path) -> None:
    baskets = read(folder, "a.csv", b'zoe,"abe",mid\n1,0,1\n0,0,0\r\n"1",1,0\n')
    assert baskets.universe == ("zoe", "abe", "mid")
    assert list(baskets) == [("zoe", "mid"), (), ("zoe", "abe")]


def test_matrix_has_ids_where_they_are_named_or_called_so(folder: Path) -> None:
    called = b"a,id,b\n1,x,0\n0,y,1\n"
    with pytest.raises(DataError, match="or say matrix"):
        read(folder, "a.csv", called)
    said = read(folder, "a.csv", called, input_format="matrix")
    assert (list(said), said.universe) == ([("a",), ("b",)], ("a", "b"))
    assert said.ids.tolist() == ["x", "y"]
    baskets = read(folder, "a.csv", b"a,who,b\n1,x,0\n0,y,1\n", columns={"id": "who"})
    assert baskets.universe == ("a", "b")
    assert list(baskets) == [("a",), ("b",)]
    assert baskets.ids.tolist() == ["x", "y"]


# ---------------------------------------------------------------- Parquet


@pytest.mark.parametrize("name", ["a.parquet", "a.parquet.gz"])
def test_parquet_holds_long_tables(folder: Path, name: str) -> None:
    content = parquet(id=[5, 5, 4, 3], item=["b", "a", "b", None], more=[1.5, 2, 3, 4])
    visits = read(folder, name, gzip.compress(content, mtime=0) if name.endswith("gz") else content)
    assert list(visits) == [("a", "b"), ("b",), ()]
    assert visits.ids.tolist() == ["5", "4", "3"]


def test_parquet_holds_lists(folder: Path) -> None:
    content = parquet(items=[[10, 9, 10], [], None, [9]], id=["a", "b", "c", "d"])
    baskets = read(folder, "a.parquet", content)
    assert list(baskets) == [("9", "10"), (), (), ("9",)]
    assert baskets.ids.tolist() == ["a", "b", "c", "d"]


def test_parquet_lists_may_all_be_empty(folder: Path) -> None:
    assert list(read(folder, "a.parquet", parquet(items=[[], []]))) == [(), ()]


def test_parquet_takes_categories(folder: Path) -> None:
    items = pl.Series(["b", "a", "b"], dtype=pl.Categorical)
    assert list(read(folder, "a.parquet", parquet(id=[1, 1, 2], item=items))) == [
        ("a", "b"),
        ("b",),
    ]


# ---------------------------------------------------------------- Excel


def excel(**columns: Any) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(columns).write_excel(file)
    return file.getvalue()


def test_excel_holds_long_tables_lists_and_matrices(folder: Path) -> None:
    long = read(folder, "a.xlsx", excel(id=[5, 5, 4], item=[" b", "a", "b"], more=[1.5, 2, 3]))
    assert list(long) == [("a", "b"), ("b",)]
    assert long.ids.tolist() == ["5", "4"]
    lists = read(folder, "a.xlsx", excel(items=["a|b", '["c", 1]']))
    assert list(lists) == [("a", "b"), ("1", "c")]
    assert list(read(folder, "a.xlsx", excel(x=[1, 0], y=[1, 1]))) == [("x", "y"), ("y",)]


# ---------------------------------------------------------------- one form of a name

ACUTE = "\N{COMBINING ACUTE ACCENT}"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", f" id , item\n1, cafe{ACUTE}\n 1,caf\xe9 \n".encode()),
        ("a.tsv", f"id\titem\n1\t cafe{ACUTE}\n1 \tcaf\xe9\n".encode()),
        ("a.csv", f'items\n"[""cafe{ACUTE}"", "" caf\xe9""]"\n'.encode()),
        ("a.csv", f"items\ncafe{ACUTE} | caf\xe9\n".encode()),
        ("a.csv", f" cafe{ACUTE},tea\n 1,0 \n".encode()),
        ("a.jsonl", f'[" cafe{ACUTE}", "caf\xe9 "]'.encode()),
        ("a.parquet", parquet(id=["1", " 1"], item=[f"cafe{ACUTE}", " caf\xe9"])),
        ("a.parquet", parquet(items=[[f"cafe{ACUTE}", " caf\xe9"]])),
    ],
)
def test_names_that_look_alike_are_alike(folder: Path, name: str, content: bytes) -> None:
    assert list(read(folder, name, content)) == [("caf\xe9",)]


def test_ids_that_look_alike_are_one_person(folder: Path) -> None:
    with pytest.raises(DataError, match="record 2: each record must have its own id"):
        read(folder, "a.csv", b"id,items\n1,x\n 1,y\n")


# ---------------------------------------------------------------- round trips

letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0\r")
names = st.text(letters, min_size=1).filter(normalised)
plain_letters = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="|[")
plain = st.text(plain_letters, min_size=1).filter(normalised)
some = st.lists(st.lists(names, max_size=5), min_size=1, max_size=8)
plain_some = st.lists(st.lists(plain, max_size=5), min_size=1, max_size=8)
numbers = st.integers(0, 10**18 - 1).map(str)


def as_csv(rows: Sequence[Sequence[str]], **options: Any) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, **options).writerows(rows)
    return text.getvalue().encode()


def as_sets(records: Records) -> list[frozenset[str]]:
    return [frozenset(map(normalised, record)) for record in records]


@given(records=st.lists(st.lists(numbers, max_size=6), min_size=1), end=st.sampled_from(["\n", ""]))
def test_fimi_comes_back(folder: Path, records: Records, end: str) -> None:
    content = "\n".join(" ".join(record) for record in records) + end
    assume(content.strip(" ") and (records[-1] or end))
    assert as_sets(list(read(folder, "a.dat", content.encode()))) == as_sets(records)


@given(records=st.lists(st.lists(numbers, max_size=6), min_size=1))
def test_seq_comes_back(folder: Path, records: Records) -> None:
    records = [["1"], *records]
    content = "% header\r\n\r\n" + "".join(" ".join(record) + " \r\n" for record in records)
    content = content.replace("\r\n \r\n", "\r\n\r\n")
    assert as_sets(
        list(read(folder, "a.seq.gz", gzip.compress(content.encode(), mtime=0)))
    ) == as_sets(records)


@given(records=some, delimiter=st.sampled_from(",;"))
def test_long_comes_back(folder: Path, records: Records, delimiter: str) -> None:
    rows = [["id", "item"]]
    for number, record in enumerate(records):
        rows += [[str(number), item] for item in record] or [[str(number), ""]]
    visits = read(folder, "a.csv", as_csv(rows, delimiter=delimiter))
    assert as_sets(list(visits)) == as_sets(records)


@given(records=some)
def test_json_cells_come_back(folder: Path, records: Records) -> None:
    content = as_csv([["items"], *([json.dumps(record)] for record in records)])
    assert as_sets(list(read(folder, "a.csv", content))) == as_sets(records)


@given(records=plain_some, separator=st.sampled_from(["|", "||", "["]))
def test_separated_cells_come_back(folder: Path, records: Records, separator: str) -> None:
    content = as_csv([["items"], *([separator.join(record)] for record in records)])
    options = {"input_format": "lists", "separator": separator}
    assert as_sets(list(read(folder, "a.csv", content, **options))) == as_sets(records)


@given(records=some, ascii_only=st.booleans(), objects=st.booleans())
def test_json_lines_come_back(
    folder: Path, records: Records, ascii_only: bool, objects: bool
) -> None:
    lines = [{"items": record} if objects else record for record in records]
    texts = [json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    baskets = read(folder, "a.jsonl", "\n".join(texts).encode())
    assert as_sets(list(baskets)) == as_sets(records)


@given(records=some)
def test_parquet_comes_back(folder: Path, records: Records) -> None:
    lists = pl.Series(records, dtype=pl.List(pl.String))
    assert as_sets(list(read(folder, "a.parquet", parquet(items=lists)))) == as_sets(records)


@given(data=st.data(), items=st.lists(plain.map(normalised), unique=True))
def test_matrix_comes_back(folder: Path, data: st.DataObject, items: list[str]) -> None:
    items = ["first", *(item for item in items if item not in ("first", "item", "items"))]
    row = st.lists(st.sampled_from("01"), min_size=len(items), max_size=len(items))
    rows = data.draw(st.lists(row, min_size=1, max_size=6))
    baskets = read(folder, "a.csv", as_csv([items, *rows]))
    assert baskets.universe == tuple(items)
    held = [[item for item, cell in zip(items, row, strict=True) if cell == "1"] for row in rows]
    assert list(baskets) == [tuple(record) for record in held]


@given(records=some)
def test_a_packed_file_reads_as_the_plain_one(folder: Path, records: Records) -> None:
    content = "\n".join(json.dumps(record) for record in records).encode()
    packed = gzip.compress(content[:7], mtime=0) + gzip.compress(content[7:], mtime=0)
    one, two = read(folder, "a.jsonl", content), read(folder, "a.jsonl.GZ", packed)
    assert list(one) == list(two)


# ---------------------------------------------------------------- which format


@pytest.mark.parametrize(
    ("name", "content", "items"),
    [
        ("a.dat", b"1 2\n", ("1", "2")),
        ("a.FIMI", b"1 2\n", ("1", "2")),
        ("a.txt", b"1 2\n", ("1", "2")),
        ("a.seq", b"%\n1 2\n", ("1", "2")),
        ("a.csv", b"item,id\nx,1\n", ("x",)),
        ("a.csv", b"more,items\n5,x|y\n", ("x", "y")),
        ("a.tsv", b"more\titems\n5\tx|y\n", ("x", "y")),
        ("a.csv", b"id1,x\n0,1\n", ("id1", "x")),
        ("a.jsonl", b'["x"]\n', ("x",)),
    ],
)
def test_ending_and_header_tell_the_format(
    folder: Path, name: str, content: bytes, items: tuple[str, ...]
) -> None:
    assert read(folder, name, content).universe == items


@pytest.mark.parametrize(
    ("input_format", "content"),
    [
        ("fimi", b"1 2"),
        ("seq", b"% x\n1 2"),
        ("long", b"id,item\n1,1\n1,2\n"),
        ("lists", b"items\n1|2\n"),
        ("matrix", b"1,2\n1,1\n"),
    ],
)
def test_a_person_may_say_the_format(folder: Path, input_format: str, content: bytes) -> None:
    baskets = read(folder, "nothing", content, input_format=input_format)
    assert list(baskets) == [("1", "2")]


def test_every_format_is_tried_above() -> None:
    assert set(FORMATS) == {"fimi", "seq", "long", "lists", "matrix"}


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("a.dat", {"input_format": "fini"}, "one of fimi, seq, long, lists, matrix, got 'fini'"),
        ("a.dat", {"columns": {"id": "x"}}, "the format fimi takes no columns, got id"),
        ("a.csv", {"columns": {"od": "x"}}, "takes columns for id and item, got od"),
        ("a.csv", {"columns": {"item": "x", "items": "y"}}, "got items"),
        ("a.dat", {"separator": "|"}, "a separator .* for the format fimi"),
        ("b.csv", {"separator": ""}, "a separator .* got ''"),
        ("dataset:msnbc", {"columns": {"id": "x"}}, "the named data sets takes no columns"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    folder: Path, name: str, options: dict[str, Any], complaint: str
) -> None:
    (folder / "a.dat").write_bytes(b"1\n")
    (folder / "a.csv").write_bytes(b"id,item\n1,2\n")
    (folder / "b.csv").write_bytes(b"items\n1\n")
    path = name if name.startswith("dataset:") else folder / name
    with pytest.raises(ParameterError, match=complaint):
        Transactions.read(path, **options)


# ---------------------------------------------------------------- what is wrong

BROKEN_PARQUET = parquet(id=[1], item=["a"])
MALFORMED = [
    ("a.dat", b"", "a.dat: the file is empty"),
    ("a.dat", b"\xef\xbb\xbf", "a.dat: the file is empty"),
    ("a.dat", b"1 2\n3 -4\n", "a.dat, line 2: a line must hold whole numbers"),
    ("a.dat", b"1 2\n\n3 SECRET\n", "a.dat, line 3: a line must hold whole numbers"),
    ("a.dat", b"1.5\n", "a.dat, line 1: a line must hold whole numbers"),
    ("a.dat", b"SECRET 2\n", "a.dat, line 1: .*; items with other names are read from .csv"),
    ("a.dat", b"1,2\n", "a.dat, line 1: a line must hold whole numbers"),
    ("a.dat", b"1\n1" + b"0" * 18 + b"\n", "a.dat, line 2: .* at most 18 digits"),
    ("a.dat", b"1\n2\r3\r", "a.dat, line 2: .* carriage return"),
    ("a.dat", b"1\n2\0 3\n", "a.dat, line 2: .*plain text"),
    ("a.dat", "1\n\N{ARABIC-INDIC DIGIT ONE}\n".encode(), "a.dat, line 2: .*plain text"),
    ("a.dat", b"\x89PNG\r\n\x1a\n\0\0", "a.dat, line 1: .*plain text"),
    ("a.dat", "1 2\n".encode("utf-16"), "a.dat, line 1: .*plain text"),
    ("a.dat", b"1 " * 600_000 + b"SECRET", "a.dat, line 1: a line must hold whole numbers"),
    ("a.dat", b"1 2\n" * 700_000 + b"SECRET", "a.dat, line 700001: "),
    ("a.seq", b"", "a.seq: the file is empty"),
    ("a.seq", b"% only\n header\n", "a.seq: there must be a line that begins with a digit"),
    ("a.seq", b"%\n\n1 2\nSECRET\n", "a.seq, line 4: a line must hold whole numbers"),
    ("a.seq", b"%\n\n1 2\n\n% x\n", "a.seq, line 5: a line must hold whole numbers"),
    ("a.seq", b"%\n1 2\n 3\n", "a.seq, line 3: .* must begin with a digit"),
    ("a.seq", b"%\nx\0y\n1 2\n", "a.seq, line 2: .*plain text"),
    ("a.dat.gz", b"1 2\n", "a.dat.gz: the gzip file is damaged or cut short"),
    ("a.dat.gz", gzip.compress(b"1 2\n" * 99, mtime=0)[:-9], "a.dat.gz: the gzip file is damaged"),
    (
        "a.dat.gz",
        gzip.compress(b"1 2\n" * 99, mtime=0)[:-4] + b"abcd",
        "a.dat.gz: the gzip .* damaged",
    ),
    ("a.dat.gz", gzip.compress(b"", mtime=0), "a.dat.gz: the file is empty"),
    (
        "a.csv.gz",
        gzip.compress(b"id,item\n1,2\n", mtime=0)[:20],
        "a.csv.gz: the gzip file is damaged",
    ),
    ("a.csv", b"", "a.csv: the file is empty"),
    ("a.csv", b"\n1,2\n", "a.csv, line 1: the first line must name the columns"),
    ("a.csv", b"id,thing\n1,2\n", "a.csv: there is a column 'id' but none 'item' or 'items'"),
    ("a.csv", b'"id,item\n1,2\n', "a.csv, line 1: the first line must name the columns"),
    ("a.csv", b"id,item\0\n1,2\n", "a.csv, line 1: the file must be text, .* a NUL byte"),
    ("a.csv", b"id,item\n", "a.csv: there must be a record after the header"),
    ("a.csv", b"id,item\n1,2\n3\n", "a.csv, line 3: .* as the header, 2, and this one has 1"),
    ("a.csv", b'id,item\n"1\n",2\n3,4,5\n', "a.csv, line 4: .* 2, and this one has 3"),
    ("a.csv", b"item,more\n1,2\n", "a.csv, line 1: .* one column 'id', and there is none"),
    ("a.csv", b"id,item,item\n1,2,3\n", "a.csv, line 1: .* one column 'item', and there are 2"),
    ("a.csv", b"id,item\n1,2\nid,item\n3,4\n", "a.csv, line 3: the header must occur once"),
    ("a.csv", b"id,item\n1,2\n,4\n", "a.csv, line 3: an id must have 1 to 256 letters"),
    ("a.csv", b"id,item\n" + b"x" * 300 + b",4\n", "a.csv, line 2: an id .* has 300"),
    ("a.csv", b'id,item\n1,"SECRET\n', "a.csv, line 2: .* a quote that is never closed"),
    ("a.csv", b'id,item\n1,"SECRET"x\n', "a.csv, line 2: after its closing quote"),
    ("a.csv", b"id,item\n1,a\n1,b\xff\n", "a.csv, line 3: the file must be UTF-8 text"),
    (
        "a.csv",
        b"id,item\n1,a\n1,b\0\n",
        "a.csv, line 3: the file must be text, and here it holds a NUL byte",
    ),
    ("a.csv", "id,item\n1,a\n".encode("utf-16"), "a.csv, line 1: the file must be UTF-8 text"),
    ("a.csv", "käse,id\n1,0\n".encode("latin-1"), "a.csv, line 1: the file must be UTF-8 text"),
    (
        "a.csv",
        b"a,b\n1,0\n0,2\n",
        "a.csv, line 3: this is read as a matrix, whose cells must be 0 or 1",
    ),
    (
        "a.csv",
        b"a,b\n1,0\n0,\n",
        "a.csv, line 3: this is read as a matrix, whose cells must be 0 or 1",
    ),
    ("a.csv", b"a,b\n1,0\n\n0,1,1\n", "a.csv, line 4: a row must have as many cells"),
    ("a.csv", b"a,b,a\n1,0,1\n", "a.csv, line 1: items must differ, but columns 1 and 3"),
    ("a.csv", b"a,,b\n1,0,1\n", "a.csv, line 1: column 2 must have a name"),
    ("a.csv", b"1,0\n0,1\n", "a.csv, line 1: the first line must name the items"),
    ("a.csv", b"a,b\n", "a.csv: there must be a record after the header"),
    ("a.csv", b"items,items\n1,2\n", "a.csv, line 1: .* column 'items', and there are 2"),
    ("a.csv", b"items\na||b\n", "a.csv, line 2: the items must be a JSON list"),
    ("a.csv", b'items\na\n"[SECRET]"\n', "a.csv, line 3: the items must be a JSON list"),
    ("a.csv", b"items\n[1.5]\n", "a.csv, line 2: the items must be a JSON list"),
    ("a.csv", b"items\n" + b"[" * 100_000 + b"\n", "a.csv, line 2: the items must be a JSON"),
    ("a.csv", b'items\n"[""\\ud800""]"\n', "a.csv, line 2: the items must be a JSON list"),
    ("a.csv", b"id,items\n1,x\n1,y\n", "a.csv: record 2: each record must have its own id"),
    ("a.jsonl", b"", "a.jsonl: the file is empty"),
    ("a.jsonl", b"\n \n", "a.jsonl: there must be a record"),
    ("a.jsonl", b'["a"]\n["SECRET"\n', "a.jsonl, line 2: each line must be a JSON list"),
    ("a.jsonl", b'["a"]\n\n"b"\n', "a.jsonl, line 3: each line must be a JSON list"),
    ("a.jsonl", b'{"item": ["a"]}\n', "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b'{"items": ["a"], "items": ["b"]}', "a.jsonl, line 1: each line must be a JSON"),
    ("a.jsonl", b"[true]", "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b'["a", null]', "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b'["a", ["b"]]', "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b'["a", ""]', "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b'["\\ud800"]', "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b'{"id": "\\ud800", "items": []}', "a.jsonl, line 1: each line must be a JSON"),
    ("a.jsonl", b'["\\u0000"]', "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b"[" + b"1" * 5_000 + b"]", "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b"[" * 100_000, "a.jsonl, line 1: each line must be a JSON list"),
    ("a.jsonl", b'["a"]\n["\xff"]', "a.jsonl, line 2: the file must be UTF-8 text"),
    ("a.jsonl", b'["a"]\n\0\0\0', "a.jsonl, line 2: the file must be text"),
    ("a.jsonl", b'{"items": [], "id": 1}\n[]\n', "a.jsonl, line 2: every record must have an id"),
    ("a.jsonl", b'[]\n{"items": [], "id": 1}\n', "a.jsonl, line 2: every record must have an id"),
    ("a.jsonl", b'{"items": [], "id": 1}\n' * 2, "a.jsonl: record 2: each record must have its"),
    ("a.parquet", b"", "a.parquet: the file is empty"),
    ("a.parquet", b"id,item\n1,2\n", "a.parquet: this must be a whole Parquet file"),
    ("a.parquet", BROKEN_PARQUET[:-5], "a.parquet: this must be a whole Parquet file"),
    ("a.parquet", b"PAR1" + b"\xff" * 40 + b"PAR1", "a.parquet: the Parquet file is damaged"),
    ("a.parquet", parquet(id=[1], more=[2]), "a.parquet: there is no column 'item' or 'items'"),
    ("a.parquet", parquet(id=[1], item=[2.5]), "a.parquet: the column 'item' must hold text or"),
    ("a.parquet", parquet(item=[1], more=[2]), "a.parquet: there must be one column 'id'"),
    ("a.parquet", parquet(id=[1, None], item=["a", "b"]), "a.parquet, row 2: an id must have 1 to"),
    ("a.parquet", parquet(items=["a"]), "a.parquet: the column 'items' must hold lists"),
    ("a.parquet", parquet(items=[["a"], ["b", None]]), "a.parquet, row 2: an item must have a"),
    ("a.parquet", parquet(items=[[], ["a"], [], ["b", ""]]), "a.parquet, row 4: an item must have"),
    ("a.parquet", parquet(items=[["a"]]).replace(b"items", b"\xff" * 5), "a.parquet: .*damaged"),
    ("a.parquet", parquet(items=pl.Series([], dtype=pl.List(pl.String))), "a.parquet: .*a record"),
    ("a.docx", b"1 2\n", "a.docx: the ending of the name does not tell the format"),
    ("a", b"1 2\n", "a: the ending of the name does not tell the format; say one of fimi, seq"),
]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"\xef\xbb\xbfwho no.;what (ICD)\r\nP 1;flu\r\nP 2;flu\r\n"),
        ("a.csv", b"id;who no.;what (ICD)\n1;P 1;flu\n"),
        ("a.jsonl", b'{"who no.": 1, "what (ICD)": ["a"]}\n{"what (ICD)": [], "who no.": 2}\n'),
    ],
)
def test_a_header_that_says_nothing_is_answered_with_its_columns(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"items?=NAME.*columns .*who no\., what \(ICD\)$"):
        Transactions.read(path)


def test_a_key_that_only_one_object_has_may_be_a_name_and_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"Anna": ["flu"]}\n{"Bert": ["flu"]}\n')
    with pytest.raises(DataError, match="name its key") as error:
        Transactions.read(path)
    assert "Anna" not in str(error.value)


@pytest.mark.parametrize(("name", "content", "complaint"), MALFORMED)
def test_what_is_malformed_gets_one_sentence_that_says_where(
    folder: Path, name: str, content: bytes, complaint: str
) -> None:
    with pytest.raises(DataError, match=f"^{complaint}") as error:
        read(folder, name, content)
    sentence = str(error.value)
    assert "\n" not in sentence
    assert len(sentence) < 200
    assert "SECRET" not in sentence, "a message never shows what a record holds"
    assert "private_folder" not in sentence, "nor where the file lies"
    assert error.value.__cause__ is None


@pytest.mark.parametrize(
    ("columns", "content", "complaint"),
    [
        ({"id": "item"}, b"id,item\n1,2\n", "a.csv: the column 'item' was given two roles"),
        ({"id": "who"}, b"a,b\n1,0\n", "a.csv, line 1: .* column 'who', and there is none"),
        ({"id": "who"}, b"items,b\n1,0\n", "a.csv, line 1: .* column 'who', and there is none"),
        ({"id": "b"}, b"a,b\n1,x\n0,x\n", "a.csv: record 2: each record must have its own id"),
    ],
)
def test_columns_that_are_not_there_are_missed(
    folder: Path, columns: dict[str, str], content: bytes, complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint):
        read(folder, "a.csv", content, columns=columns)


def test_an_id_that_was_named_must_be_in_every_object(folder: Path) -> None:
    with pytest.raises(DataError, match="line 1: every record must have an id"):
        read(folder, "a.jsonl", b"[1]\n", columns={"id": "who"})


def test_the_same_parquet_column_cannot_play_two_parts(folder: Path) -> None:
    with pytest.raises(DataError, match="was given two roles"):
        read(folder, "a.parquet", BROKEN_PARQUET, columns={"id": "item"})


def test_a_panic_of_polars_is_a_sentence_and_prints_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def panic(*_: object, **__: object) -> None:
        os.write(2, b"thread panicked at SECRET")
        raise pl.exceptions.PanicException

    monkeypatch.setattr(pl, "read_parquet", panic)
    with pytest.raises(DataError, match=r"^a\.parquet: the Parquet file is damaged"):
        read(folder, "a.parquet", BROKEN_PARQUET)
    os.write(2, b"heard again")
    assert capfd.readouterr().err == "heard again"


@pytest.mark.parametrize("ending", ["dat", "seq", "csv", "jsonl", "parquet", "dat.gz", "docx"])
def test_a_folder_or_nothing_is_no_file(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"folder.{ending}").mkdir()
    with pytest.raises(DataError, match=rf"^folder\.{ending}: this must be a file, .* a folder$"):
        Transactions.read(tmp_path / f"folder.{ending}")
    with pytest.raises(DataError, match=rf"^none\.{ending}: there is no such file$"):
        Transactions.read(tmp_path / f"none.{ending}")


@pytest.mark.parametrize("name", ["a\0", "\0", "a\0b"])
def test_an_id_with_a_nul_byte_is_refused_for_an_array_would_drop_it(
    name: str, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"id": ["b", name], "item": ["beer", "bread"]})
    for table in (frame, frame.with_columns(pl.concat_list("item").alias("items")).drop("item")):
        table.write_parquet(tmp_path / "people.parquet")
        with pytest.raises(DataError, match=r"row 2: an id must hold no NUL character"):
            Transactions.read(tmp_path / "people.parquet")
    with pytest.raises(DataError, match="record 2: an id must hold no NUL character"):
        Transactions.from_frame(frame)
    with pytest.raises(DataError, match="record 2: an id must hold no NUL character"):
        Transactions.of({"b": ["beer"], name: ["bread"]})


def test_a_name_with_a_nul_byte_is_no_name() -> None:
    with pytest.raises(DataError, match="cannot be the name of a file"):
        Transactions.read("a\0b.dat")


def test_a_name_of_a_thousand_letters_is_no_name() -> None:
    with pytest.raises(DataError, match="the file cannot be read"):
        Transactions.read("a" * 1000 + ".dat")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file"
)
def test_a_locked_file_is_said_to_be_locked(tmp_path: Path) -> None:
    path = tmp_path / "locked.dat"
    path.write_bytes(b"1\n")
    path.chmod(0)
    with pytest.raises(DataError, match=r"^locked\.dat: the file may not be read"):
        Transactions.read(path)


@pytest.mark.parametrize(
    ("refusal", "complaint"),
    [
        (PermissionError(13, "Permission denied"), "may not be read; check its permissions"),
        (OSError(5, "Input/output error"), r"cannot be read \(Input/output error\)"),
    ],
)
def test_what_the_system_refuses_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, refusal: OSError, complaint: str
) -> None:
    def refuse(*_: object) -> None:
        raise refusal

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=rf"^a\.dat: the file {complaint}"):
        Transactions.read("somewhere/a.dat")


def test_a_second_reading_is_the_first(folder: Path) -> None:
    baskets = read(folder, "a.dat", b"3 1\n2\n")
    assert list(Transactions.read(str(folder / "a.dat"))) == list(baskets)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such file")
def test_a_file_that_fails_while_it_is_read_is_said_to_fail() -> None:
    with pytest.raises(DataError, match="cannot be read"):
        Transactions.read("/proc/self/mem", input_format="fimi")


TIDY = "caf\u00e9"
BLANKS = ["\u00a0", "\u2003", "\u3000", "\u202f", "\u2028", "\x85", "\x1f"]
RAWS = [" cafe\u0301\u00a0", *(f"{blank}caf\u00e9 {blank}" for blank in BLANKS)]
TABBED = "\tcafe\u0301\t"


def files_of(raw: str) -> dict[str, str | bytes]:
    """Return one record of two items, in every format that can hold the name."""
    able = {
        "lists.jsonl": json.dumps([raw, TIDY, " te a "]) + "\n",
        "objects.jsonl": json.dumps({"items": [raw, TIDY, " te a "]}) + "\n",
        "long.csv": f"id,item\n1,{raw}\n1,{TIDY}\n1, te a \n",
        "cells.csv": f"items,id\n{raw}|{TIDY}| te a ,1\n",
        "long.parquet": parquet(id=[1, 1, 1], item=[raw, TIDY, " te a "]),
        "lists.parquet": parquet(items=[[raw, TIDY, " te a "]]),
        "long.xlsx": excel(id=[1, 1, 1], item=[raw, TIDY, " te a "]),
        "cells.xlsx": excel(items=[f"{raw}|{TIDY}| te a "]),
    }
    quoted = json.dumps([raw, TIDY, " te a "]).replace('"', '""')
    without_tabs = {
        "long.tsv": f"id\titem\n1\t{raw}\n1\t{TIDY}\n1\t te a \n",
        "lists.csv": f'items\n"{quoted}"\n',
        "matrix.csv": f"{raw}, te a \n1,1\n",
        "one.csv": f"items\n{raw}|{TIDY}| te a \n",
    }
    return able if "\t" in raw else able | without_tabs


NAMED = [(raw, name) for raw in (*RAWS, TABBED) for name in files_of(raw)]


@pytest.mark.parametrize(("raw", "name"), NAMED, ids=[f"{name}-{raw!a}" for raw, name in NAMED])
def test_names_are_alike_in_every_format(folder: Path, raw: str, name: str) -> None:
    content: Any = files_of(raw)[name]
    data = read(folder, name, content if isinstance(content, bytes) else content.encode())
    assert list(map(set, data)) == [{TIDY, "te a"}]


@pytest.mark.parametrize("raw", [*RAWS, TABBED], ids=ascii)
def test_names_are_alike_on_every_side(folder: Path, raw: str) -> None:
    (folder / "items.txt").write_text(f"{raw}\nte a \n")
    # where tabs stand between items, one beside a name would make a nameless item
    (folder / "constraints.txt").write_text(f"{raw.strip(chr(9))}\tte a \n")
    (folder / "hierarchy.csv").write_text(f"{raw}; drinks \n te a;drinks\n")
    sides = (
        read_items(folder / "items.txt"),
        Constraints.read(folder / "constraints.txt").items,
        Constraints.of([[raw, " te a "]]).items,
        Hierarchy.read(folder / "hierarchy.csv").leaves("drinks"),
        Hierarchy.of_pairs([(raw, "drinks"), ("te a ", " drinks")]).leaves("drinks"),
        Hierarchy.of_levels([(raw, "drinks"), ("te a ", " drinks")]).leaves("drinks"),
        Transactions.of([[raw, " te a "]], sensitive=[raw, " te a "]).sensitive,
        Transactions.of([[TIDY]], universe=[raw, " te a "]).universe,
    )
    assert [set(side) for side in sides] == [{TIDY, "te a"}] * len(sides)


PEOPLE = [f"p{number % 7}" for number in range(40)]
HELD = [["b", "a,c", None, "é", 'say "so"', "a\nb"][number % 6] for number in range(40)]


@pytest.mark.parametrize("name", ["long.parquet", "long.csv", "lists.parquet", "lists.csv"])
def test_a_file_read_in_many_parts_is_read_as_at_once(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pl.DataFrame({"id": PEOPLE, "item": HELD})
    if name.startswith("lists"):
        table = table.drop_nulls().group_by("id", maintain_order=True).agg(items="item")
    if name == "lists.csv":
        table = table.with_columns(pl.col("items").list.join("|"))
    path = tmp_path / name
    table.write_csv(path) if name.endswith("csv") else table.write_parquet(path, row_group_size=3)
    whole = Transactions.read(path)
    for module, size in (("parquet.AT_ONCE", 4), ("source.BLOCK", 16)):
        monkeypatch.setattr(f"discreet.io.{module}", size)
    parts = Transactions.read(path)
    assert list(parts) == list(whole)
    assert parts.ids.tolist() == whole.ids.tolist()
    assert len(whole) == 7


@pytest.mark.parametrize(
    ("last", "complaint"),
    [
        ("1,2,3", "a row must have as many cells as the header, 2, and this one has 3"),
        (",a", "an id must have 1 to 256 letters, and this one has 0"),
        ("id,item", "the header must occur once, and here it is again"),
        ('1,"a', "a cell begins with a quote that is never closed"),
        ('1,"a"b', "after its closing quote a cell must end, and this one goes on"),
    ],
)
def test_a_fault_far_down_is_told_with_its_line(
    tmp_path: Path, last: str, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.io.source.BLOCK", 64)
    rows = [f"{row},a" for row in range(100)]
    (tmp_path / "a.csv").write_text("\n".join(["id,item", *rows, "", last]) + "\n")
    with pytest.raises(DataError, match=f"^a.csv, line 103: {complaint}$"):
        Transactions.read(tmp_path / "a.csv")
