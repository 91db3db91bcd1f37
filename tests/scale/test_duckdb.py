"""What DuckDB is handed: files, folders, patterns and relations; and what it refuses."""

import duckdb
import polars as pl
import pytest

from discreet import DataError, ParameterError, Transactions, scale
from discreet.scale.duckdb import DuckDB

ROWS = pl.DataFrame({"id": [1, 1, 2, 3], "item": ["b", "a", "b", None]})


@pytest.fixture
def files(tmp_path):
    many = tmp_path / "many"
    many.mkdir()
    ROWS.head(1).write_parquet(many / "1.parquet")
    ROWS.tail(3).write_parquet(many / "2.parquet")
    ROWS.write_csv(tmp_path / "rows.csv")
    ROWS.write_csv(tmp_path / "rows.tsv", separator="\t")
    ROWS.write_csv(tmp_path / "german.csv", separator=";", quote_style="always")
    return tmp_path


@pytest.mark.parametrize("name", ["many", "many/*.parquet", "rows.csv", "rows.tsv", "german.csv"])
def test_files_folders_and_patterns_are_read(files, name):
    with scale.open(files / name, memory="1GB") as people:
        assert people.folded.as_dict() == {("a", "b"): 1, ("b",): 1, (): 1}
        assert len(people) == 3
        scratch = people.engine.scratch
        assert scratch.stat().st_mode & 0o077 == 0
    assert not scratch.exists()


def test_a_relation_of_another_session_is_read(files):
    session = duckdb.connect()
    relation = session.sql(f"SELECT id AS who, item AS what FROM '{files}/rows.csv'")
    with scale.open(relation, columns={"id": "who", "item": "what"}) as people:
        assert people.universe == ("a", "b")
        assert people.folded.total == 3


def test_names_with_quotes_are_names(tmp_path):
    odd = tmp_path / "o'clock"
    odd.mkdir()
    ROWS.rename({"item": 'it"em'}).write_parquet(odd / "a.parquet")
    with scale.open(odd / "a.parquet", columns={"item": 'it"em'}) as people:
        assert people.universe == ("a", "b")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("no.parquet", None, "no such file"),
        ("no-*.parquet", None, r"no file fits the pattern no-\*\.parquet; check"),
        ("none/*.csv", None, r"no file fits the pattern \*\.csv; check"),
        ("rows.dat", b"1 2\n", "csv, tsv or parquet"),
        ("bad.parquet", b"PAR1 no parquet", "cannot be read|must hold whole rows"),
        ("odd.csv", b"id,item\n1,a,b,c\n2\n", "must hold whole rows"),
        ("other.csv", b"who,what\n1,a\n", "there must be a column 'item"),
        ("title.csv", b"My rows\nid,item\n1,a\n", "must hold whole rows"),
        ("blank.csv", b"\n\nid,item\n1,a\n", "first line must name the columns"),
        ("blank.tsv", b"\nid\titem\n1\ta\n", "first line must name the columns"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises((DataError, ParameterError), match=said), scale.open(tmp_path / name):
        pass


def test_numbers_with_a_point_are_no_items(tmp_path):
    pl.DataFrame({"id": [1], "item": [1.5]}).write_parquet(tmp_path / "a.parquet")
    refused = pytest.raises(DataError, match="text or whole numbers, not DOUBLE")
    with refused, scale.open(tmp_path / "a.parquet"):
        pass


def test_a_folder_of_both_kinds_is_refused(files):
    ROWS.write_csv(files / "many" / "3.csv")
    with pytest.raises(DataError, match="files of one kind"), scale.open(files / "many"):
        pass


def test_a_rare_set_is_found_among_those_of_its_size(tmp_path):
    sets = pl.DataFrame({"items": [["a", "b"], ["a", "b"], ["b", "c"], ["c"], []]})
    sets.write_parquet(tmp_path / "r.parquet")
    engine = DuckDB("1GB")
    table = engine.table(tmp_path / "r.parquet")
    assert engine.subsets(table, "items", 1, 2) is None
    assert engine.subsets(table, "items", 2, 2) == (("b", "c"), 1)
    assert engine.faulty(table, "items") == 0
    engine.close()


def test_memory_and_an_engine_read_the_same_names(tmp_path):
    rows = pl.DataFrame({"id": [" p", "p", "q\u00a0"], "item": ["e\u0301 ", "\u00e9", "2"]})
    rows.write_parquet(tmp_path / "a.parquet")
    data = Transactions.read(tmp_path / "a.parquet")
    with scale.open(tmp_path / "a.parquet") as people:
        assert people.folded.as_dict() == data.folded.as_dict()
        assert people.universe == data.universe


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_what_looks_like_a_comment_is_a_cell(tmp_path, name):
    """DuckDB guesses comments where many rows have the same sign; all items began with it."""
    rows = [("id", "item"), ("b", "#a"), ("# y", "#t"), ("--", "#t"), ("#x", "#a"), ("b", "#t")]
    separator = "\t" if name == "a.tsv" else ";"
    (tmp_path / name).write_text("".join(f"{separator.join(row)}\n" for row in rows))
    data = Transactions.read(tmp_path / name)
    with scale.open(tmp_path / name) as people:
        assert people.folded.as_dict() == data.folded.as_dict()
        assert people.universe == data.universe


def test_a_named_data_set_is_left_to_memory():
    with pytest.raises(ParameterError, match="use engine memory"), scale.open("dataset:nltcs"):
        pass
