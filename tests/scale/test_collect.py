"""Sets folded by an engine are those folded in memory, cut or whole."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet import DataError, InfeasibleError, Transactions, scale
from discreet.counts.levels import limited
from discreet.rng import seeded

names = st.sampled_from(["b", "a", " a", "é", "e\u0301", "10", "9", "", None])
rows = st.lists(st.tuples(st.integers(1, 9), names), min_size=1, max_size=40)
some = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(folder: Path, table: pl.DataFrame) -> Path:
    file = folder / "people.parquet"
    table.write_parquet(file)
    return file


def long_table(held: list[tuple[int, str | None]], text: bool) -> pl.DataFrame:
    ids = [f" {person}" if text else person for person, _ in held]
    return pl.DataFrame({"id": ids, "item": pl.Series([i for _, i in held], dtype=pl.String)})


@given(rows, st.booleans(), st.integers(1, 4), st.sampled_from(["cut", "drop"]))
@some
def test_rows_fold_as_in_memory(tmp_path, held, text, size, longer):
    file = written(tmp_path, long_table(held, text))
    data = Transactions.read(file)
    with scale.open(file, memory="1GB") as people:
        assert people.universe == data.universe
        assert people.folded.as_dict() == data.folded.as_dict()
        assert people.folded.sets == data.folded.sets
        mine = limited(people, None, size, longer, seeded(3))
        theirs = limited(data, None, size, longer, seeded(3))
    assert mine.sets == theirs.sets
    assert mine.counts.tolist() == theirs.counts.tolist()


@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=15),
    st.booleans(),
    st.sampled_from([None, ("f", "b", "x", "a")]),
)
@some
def test_lists_fold_as_in_memory_with_ids_and_without(tmp_path, held, ids, universe):
    columns = {"items": pl.Series(held, dtype=pl.List(pl.String))}
    columns |= {"id": [f"p{number}" for number in range(len(held))]} if ids else {}
    file = written(tmp_path, pl.DataFrame(columns))
    data = Transactions.read(file)
    with scale.open(file, memory="1GB") as people:
        mine = limited(people, universe, 2, "cut", seeded(5))
    theirs = limited(data, universe, 2, "cut", seeded(5))
    assert mine.sets == theirs.sets
    assert mine.counts.tolist() == theirs.counts.tolist()


@pytest.mark.parametrize("member", [None, "", " "])
@pytest.mark.parametrize("ids", [["p", "q", "r"], None])
def test_a_member_of_a_list_without_a_name_is_refused_as_in_memory(tmp_path, member, ids):
    held = pl.Series([["a", member], [], None], dtype=pl.List(pl.String))
    file = written(tmp_path, pl.DataFrame({"items": held} | ({"id": ids} if ids else {})))
    with pytest.raises(DataError, match="must have a name, and one is empty or missing"):
        Transactions.read(file)
    refusal = "must have a name, and one in a list is empty or missing"
    with pytest.raises(DataError, match=refusal), scale.open(file, memory="1GB"):
        pass


def test_many_people_are_folded_some_at_a_time(tmp_path, monkeypatch):
    from discreet.scale import duckdb

    monkeypatch.setattr(duckdb, "ROW", 10**8)
    held = [(person, "abcdefgh"[item]) for person in range(30) for item in range(person % 5 + 1)]
    file = written(tmp_path, long_table(held, text=False))
    data = Transactions.read(file)
    with scale.open(file, memory="1GB") as people:
        assert people.folded.sets == data.folded.sets
        assert people.folded.counts.tolist() == data.folded.counts.tolist()
        mine = limited(people, None, 2, "cut", seeded(1))
    assert mine.as_dict() == limited(data, None, 2, "cut", seeded(1)).as_dict()


def test_more_sets_than_fit_are_refused_before_they_are_collected(tmp_path, monkeypatch):
    from discreet.scale import limits

    monkeypatch.setattr(limits, "SET_BYTES", 2 * 10**9)
    file = written(tmp_path, long_table([(1, "a"), (2, "b")], text=False))
    with (
        scale.open(file, memory="1GB") as people,
        pytest.raises(InfeasibleError, match="2 distinct"),
    ):
        _ = people.folded


def test_folding_ends_as_soon_as_sets_are_surely_too_many(tmp_path, monkeypatch):
    from discreet.scale import duckdb, limits

    monkeypatch.setattr(limits, "SET_BYTES", 2 * 10**7)  # room for a hundred
    monkeypatch.setattr(duckdb, "ROW", 10**7)  # four buckets
    monkeypatch.setattr(duckdb, "SHARE", 1)  # few sets are counted one by one
    held = [(person, f"item{person}") for person in range(400)]
    file = written(tmp_path, long_table(held, text=False))
    folds = []
    run = duckdb.DuckDB._run
    monkeypatch.setattr(
        duckdb.DuckDB,
        "_run",
        lambda engine, name, **parts: (folds.append(name), run(engine, name, **parts)),
    )
    told = r"about 1\d\d distinct sets must be held to decide, and memory has room for 100"
    with scale.open(file, memory="1GB") as people, pytest.raises(InfeasibleError, match=told):
        _ = people.folded
    assert folds.count("fold") == 2
    assert "merge" not in folds


def test_who_spells_people_out_is_refused_before_they_are_folded(tmp_path, monkeypatch):
    from discreet.networks import TdControl
    from discreet.scale import limits

    monkeypatch.setattr(limits, "RECORD_BYTES", 10**9)
    file = written(tmp_path, long_table([(1, "a"), (2, "b")], text=False))
    told = "holds all 2 records to decide, for it decides record by record"
    with (
        scale.open(file, sensitive=["a"], memory="1GB") as people,
        pytest.raises(InfeasibleError, match=told),
    ):
        scale.decided(TdControl(rho="0.5"), people)
    assert "folded" not in vars(people)


def test_rows_that_name_nobody_and_ids_that_repeat_are_refused(tmp_path):
    nobody = written(tmp_path, pl.DataFrame({"id": [1, None], "item": ["a", "b"]}))
    with pytest.raises(DataError, match="1 of 2 do not"), scale.open(nobody):
        pass
    twice = written(tmp_path, pl.DataFrame({"id": [1, 1], "items": [["a"], ["b"]]}))
    with pytest.raises(DataError, match="its own id"), scale.open(twice):
        pass
