"""Texts and distances come from every kind of file, and bad files get one sentence."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from discreet.errors import DataError
from discreet.semantics import DistanceTable, Relatedness, read_corpus, read_texts


def test_plain_files_are_split_as_asked(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n\nthree\n")
    assert read_texts(file) == (["one\ntwo\n\nthree\n"], None)
    assert read_texts(file, split="line")[0] == ["one", "two", "three"]
    assert [text.split() for text in read_texts(file, split="paragraph")[0]] == [
        ["one", "two"],
        ["three"],
    ]


def test_an_empty_file_of_a_folder_is_an_empty_text(tmp_path: Path) -> None:
    for name, text in (("a.txt", "one text"), ("b.txt", ""), ("c.txt", " \n")):
        (tmp_path / name).write_text(text)
    assert read_texts(tmp_path) == (["one text", "", ""], None)
    assert read_texts(tmp_path, split="line") == (["one text"], None)
    bare = tmp_path / "bare"
    bare.mkdir()
    with pytest.raises(DataError, match="bare: must hold at least one file"):
        read_texts(bare)


def test_a_folder_is_all_its_files(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden"):
        (tmp_path / name).write_text(name)
    assert read_corpus([tmp_path]) == ["a.txt", "b.txt"]


def test_tables_and_json_lines_have_columns(tmp_path: Path) -> None:
    rows = [{"title": "Oil", "body": "rises", "user": 7}, {"title": "Bank", "body": None}]
    packed = tmp_path / "docs.jsonl.gz"
    packed.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    assert read_texts(packed, columns={"text": "title+body"}) == (["Oil. rises", "Bank"], None)
    table = tmp_path / "log.tsv"
    table.write_text("AnonID\tQuery\n7\tgood wine\n8\tred wine\n")
    assert read_texts(table, columns={"id": "AnonID", "text": "Query"}) == (
        ["good wine", "red wine"],
        ["7", "8"],
    )
    with pytest.raises(
        DataError, match=r"log\.tsv: there is no column 'text'; name one by columns"
    ):
        read_texts(table)


def test_bad_json_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "docs.jsonl"
    file.write_text('{"text": "a"}\n["a"]\n')
    with pytest.raises(DataError, match=r"docs\.jsonl, line 2: every line must be a JSON object"):
        read_texts(file)


def test_a_table_of_distances_is_read(tmp_path: Path) -> None:
    file = tmp_path / "near.csv"
    file.write_text("one,other,distance\nknee,injury,1.03\nknee,icd,1.51\n")
    table = DistanceTable.read(file)
    assert isinstance(table, Relatedness)
    found = table.distances(["injury", "icd"], ["knee", "icd"])
    assert found == pytest.approx(np.array([[1.03, np.nan], [1.51, 0]]), nan_ok=True)
