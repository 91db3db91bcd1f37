"""The verbs by Spark give what they give in memory, and by DuckDB."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet import DataError, InfeasibleError, ParameterError, Release, Transactions, scale
from discreet.counts.levels import limited
from discreet.generalised import Km
from discreet.rng import seeded
from discreet.scale.duckdb import DuckDB
from discreet.scale.spark import Spark
from discreet.scale.verbs import COPIES, PLACE
from tests.cluster.standalone import needs_spark

pytestmark = needs_spark
HELD = [(person, "abcdefgh"[item]) for person in range(30) for item in range(person % 6 + 1)]
HELD += [(98, None), (99, " a"), (99, "é"), (99, "e\u0301"), (99, "")]


@pytest.fixture(scope="module")
def spark() -> Iterator[Spark]:
    """One session for all tests: it takes seconds to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        engine = Spark("spark", "1GB")
    yield engine
    engine.close()


def written(folder: Path, table: pl.DataFrame, name: str = "people") -> Path:
    file = folder / f"{name}.parquet"
    table.write_parquet(file)
    return file


def long_table(*, texts: bool) -> pl.DataFrame:
    ids = [f" p{person}\u00a0" if texts else person for person, _ in HELD]
    return pl.DataFrame({"id": ids, "item": [item for _, item in HELD]})


@pytest.mark.parametrize("texts", [False, True])
def test_rows_fold_as_in_memory(spark: Spark, tmp_path: Path, texts: bool) -> None:
    file = written(tmp_path, long_table(texts=texts))
    data = Transactions.read(file)
    with scale.open(file, engine=spark.session) as people:
        assert people.universe == data.universe
        assert people.folded.sets == data.folded.sets
        assert people.folded.counts.tolist() == data.folded.counts.tolist()
        for longer in ("cut", "drop"):
            mine = limited(people, None, 2, longer, seeded(3))
            theirs = limited(data, None, 2, longer, seeded(3))
            assert mine.as_dict() == theirs.as_dict()


def test_files_a_folder_a_pattern_a_frame_and_a_table_are_the_same(
    spark: Spark, tmp_path: Path
) -> None:
    table = long_table(texts=False)
    file = written(tmp_path, table)
    table.write_csv(tmp_path / "people.csv")
    table.write_csv(tmp_path / "semicolons.csv", separator=";", quote_style="always")
    folder = tmp_path / "folder"
    folder.mkdir()
    written(folder, table[:20], "a"), written(folder, table[20:], "b")
    frame = spark.session.read.parquet(str(file))
    frame.createOrReplaceTempView("some_people")
    sources = [file, tmp_path / "people.csv", tmp_path / "semicolons.csv", folder]
    due = Transactions.read(file).folded.as_dict()
    for source in (*sources, f"{folder}/*.parquet", frame, "some_people"):
        engine: Any = "duckdb" if source is frame else spark.session
        with scale.open(source, engine=engine) as people:
            assert people.folded.as_dict() == due, source
    assert spark.session.catalog.tableExists("some_people")  # what is not ours stays


def test_lists_without_names_are_counted_by_what_they_hold(spark: Spark, tmp_path: Path) -> None:
    lists = [["b", "a"], ["a", "b"], ["a", "a"], [], None, ["c"]]
    file = written(tmp_path, pl.DataFrame({"items": lists}))
    with scale.open(file, engine=spark.session) as people:
        assert people.folded.as_dict() == Transactions.read(file).folded.as_dict()


@pytest.mark.parametrize("ids", [True, False])
def test_a_member_of_a_list_without_a_name_is_refused(
    spark: Spark, tmp_path: Path, ids: bool
) -> None:
    held = pl.Series([["a", None], [], None], dtype=pl.List(pl.String))
    file = tmp_path / "people.parquet"
    pl.DataFrame({"items": held} | ({"id": ["p", "q", "r"]} if ids else {})).write_parquet(file)
    refusal = "must have a name, and one in a list is empty or missing"
    with pytest.raises(DataError, match=refusal), scale.open(file, engine=spark.session):
        pass


def test_both_engines_find_the_same_rare_set_and_the_same_classes(
    spark: Spark, tmp_path: Path
) -> None:
    lists = [["a", "b"], ["a", "b"], ["a", "c"], ["a", "c", "b"], ["d", "a"], ["a", "d", "d"]]
    rows = {"items": lists, "sex": ["f", "m", None, "f", "f", "m"], "age": [1, 2, 3, 1, 1, 2]}
    file = written(tmp_path, pl.DataFrame(rows))
    other = DuckDB("1GB")
    found: list[Any] = []
    for engine in (spark, other):
        table = engine.table(file)
        rare = [engine.subsets(table, "items", size, 2) for size in (1, 2, 3)]
        classes = tmp_path / f"classes-{len(found)}"
        engine.classes(table, ["sex", "age", "items"], classes)
        counted = pl.read_parquet(classes / "*.parquet").sort("sex", "age", "items")
        assert engine.faulty(table, "items") == 1
        found.append((rare, counted.rows(), dict(engine.kinds(table))))
    other.close()
    assert found[0] == found[1]
    assert found[0][0] == [None, (("b", "c"), 1), (("b", "c"), 1)]


def test_parts_are_written_in_their_order_and_nothing_else(spark: Spark, tmp_path: Path) -> None:
    rows, release = tmp_path / "rows", tmp_path / "release"
    release.mkdir()
    for part in range(2):
        (rows / f"part={part}").mkdir(parents=True)
        places = pl.Series([2**63 + 5, 7, 1], dtype=pl.UInt64)
        table = pl.DataFrame({"blocks": [[1, 2], [], [3]], PLACE: places, COPIES: [2, 3, 0]})
        table.write_parquet(rows / f"part={part}" / "00000.parquet")
    spark.write(rows, "transactions", ["blocks"], release)
    names = ["transactions-00000.parquet", "transactions-00001.parquet"]
    assert sorted(path.name for path in release.iterdir()) == names
    for name in names:
        found = pl.read_parquet(release / name)
        assert found.schema == {"blocks": pl.List(pl.Int64)}
        assert found["blocks"].to_list() == [[], [], [], [1, 2], [1, 2]]


def test_what_spark_cannot_read_is_one_sentence(spark: Spark, tmp_path: Path) -> None:
    odd = written(tmp_path, pl.DataFrame({"id": ["e\u0301", "x"], "item": ["a", "b"]}))
    with pytest.raises(DataError, match=r"Unicode form NFC.* 1 "):
        scale.open(odd, engine=spark.session).__enter__()
    with pytest.raises(DataError, match="cannot be read by Spark"):
        spark.table(tmp_path / "nowhere.parquet")
    with pytest.raises(DataError, match="cannot be read by Spark"):
        spark.table("no_such_table")
    with pytest.raises(DataError, match=r"no file fits the pattern no-\*\.parquet"):
        spark.table(tmp_path / "no-*.parquet")
    with pytest.raises(ParameterError, match="neither"):
        spark.table(tmp_path / "people.dat.xlsx")


def test_more_sets_than_fit_stay_in_the_cluster(
    spark: Spark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.scale import limits

    monkeypatch.setattr(limits, "SET_BYTES", 2 * 10**9)
    file = written(tmp_path, long_table(texts=False))
    with (
        scale.open(file, engine=spark.session, memory="1GB") as people,
        pytest.raises(InfeasibleError, match=r"about 8 distinct sets .* room for 1"),
    ):
        _ = people.folded
    monkeypatch.setattr(limits, "CELL_BYTES", 10**9)
    with (
        pytest.raises(InfeasibleError, match="distinct rows must be held"),
        scale.open_table(file, engine=spark.session, qids=["id"], sensitive=["item"]),
    ):
        pass


CONNECT = """
import sys
from pyspark.sql import SparkSession
from discreet import Transactions, scale
session = SparkSession.builder.remote("local").getOrCreate()
with scale.open(sys.argv[1], engine=session) as people:
    same = people.folded.as_dict() == Transactions.read(sys.argv[1]).folded.as_dict()
frame = session.read.parquet(sys.argv[1])
with scale.open(frame) as people:
    same &= people.folded.as_dict() == Transactions.read(sys.argv[1]).folded.as_dict()
print("the same" if same else "different", type(session).__module__)
session.stop()
"""


def test_a_release_is_written_and_verified_by_spark(spark: Spark, tmp_path: Path) -> None:
    file = written(tmp_path, long_table(texts=False))
    method = Km(k=3, m=2)
    method.publish(Transactions.read(file), seeded(5)).save(tmp_path / "due")
    with scale.open(file, engine=spark.session) as people:
        scale.publish(method, people, tmp_path / "r", rng=seeded(5), part_rows=10)
    found, due = (Release.load(tmp_path / name) for name in ("r", "due"))
    assert found.content.blocks == due.content.blocks
    assert sorted(found.content.sets) == sorted(due.content.sets)
    assert found.unlisted == ()
    assert len(list((tmp_path / "r").glob("transactions-*.parquet"))) > 1
    assert scale.verify(tmp_path / "r", engine=spark.session).by_parts is True


@pytest.mark.slow
def test_a_connect_session_gives_the_same(tmp_path: Path) -> None:
    file = written(tmp_path, long_table(texts=True))
    done = subprocess.run(
        [sys.executable, "-c", CONNECT, str(file)], capture_output=True, text=True, check=False
    )
    assert "the same pyspark.sql.connect" in done.stdout, done.stderr[-2000:]
