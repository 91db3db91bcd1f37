"""A table with a set column: nobody is alone with columns and items, at less than trivial cost."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, Release, verify
from discreet.core.publication import Publication
from discreet.core.ranges import covers
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.tables import Mondrian, RtAnonymity, table_measures

TREE = Hierarchy.of_levels([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["?", "1", "2", "3", "5", "8"]),
        st.sampled_from("abcd"),
        st.sampled_from(["red", "green", "blue"]),
        st.sampled_from("xy"),
        st.sets(st.sampled_from(["p", "q", "r", "s", "t"])).map("|".join),
    ),
    min_size=4,
    max_size=30,
)
ITEMS = Hierarchy.of_levels(
    [
        ["p", "pq", "all"],
        ["q", "pq", "all"],
        ["r", "rst", "all"],
        ["s", "rst", "all"],
        ["t", "rst", "all"],
        ["u", "u", "all"],
    ]
)
NODES = set(ITEMS.names)
LIFTED = RtAnonymity(k=2, m=2, hierarchy=(("buys", ITEMS), ("zip", TREE)))
METHODS: list[RtAnonymity] = [
    LIFTED,
    replace(LIFTED, k=3, suppression="items"),
    replace(LIFTED, m=3, highest_level={"buys": "1"}),
    RtAnonymity(k=2, m=2, suppression="items"),
    RtAnonymity(k=2, m=1),
    RtAnonymity(k=2, m=2, bounding="rmerge"),
    RtAnonymity(k=3, m=2, bounding="tmerge", hierarchy=(("zip", TREE),)),
    RtAnonymity(k=2, m=3, weights={"hue": "5"}),
    RtAnonymity(k=2, m=2, delta="0.9", bounding="tmerge"),
    RtAnonymity(k=2, m=2, delta="0.9", bounding="rmerge"),
    RtAnonymity(
        k=2, m=2, hierarchy=(("zip", TREE),), highest_level={"zip": "1"}, suppression_limit="0.5"
    ),
]


def people(rows: Sequence[tuple[str, ...]]) -> Microdata:
    table = pl.DataFrame(rows, schema=["age", "zip", "hue", "pay", "buys"], orient="row")
    return Microdata.of(table, qids=["age", "zip", "hue"], sensitive=["pay"], set_column="buys")


def published(method: RtAnonymity, data: Microdata) -> Publication[Any]:
    try:
        return method.publish(data, seeded(1))
    except InfeasibleError:
        reject()


def below(block: list[str]) -> set[str]:
    """Return the items that a block stands for; no item has the name of a node."""
    return {item for name in block for item in (ITEMS.leaves(name) if name in NODES else [name])}


def rows_fitting(rows: list[dict[str, Any]], cells: tuple[str, ...], known: set[str]) -> int:
    """Count the rows of a class that hold a block for each known item."""
    return sum(
        (row["age"], row["zip"], row["hue"]) == cells
        and all(any(item in below(block) for block in row["buys"]) for item in known)
        for row in rows
    )


@pytest.mark.parametrize("method", METHODS)
@given(rows=ROWS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_the_promise_holds_by_the_verifier_and_row_by_row(
    method: RtAnonymity, rows: list[tuple[str, ...]]
) -> None:
    made = published(method, people(rows))
    assert verify(made.release).parts[0].holds
    table = made.release.content.parts[0].to_dicts()
    for row in table:
        cells = (row["age"], row["zip"], row["hue"])
        assert rows_fitting(table, cells, set()) >= method.k
        items = sorted({item for block in row["buys"] for item in below(block)})
        for size in range(1, method.m + 1):
            for known in combinations(items, size):
                assert rows_fitting(table, cells, set(known)) >= method.k


@pytest.mark.parametrize("method", METHODS)
@given(rows=ROWS)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_published_of_a_person_is_true(
    method: RtAnonymity, rows: list[tuple[str, ...]]
) -> None:
    data = people(rows)
    made = published(method, data)
    table = made.release.content.parts[0].to_dicts()
    records = made.linkage_key.records(len(table), len(data), "rows_1").tolist()
    assert len(set(records)) == len(records)
    above = {"zip": {value: {value, *TREE.ancestors(value)} for value in "abcd"}}
    for row, record in zip(table, records, strict=True):
        truth = data[record]
        assert covers(row["age"], truth["age"])
        assert covers(row["hue"], truth["hue"])
        assert covers(row["zip"], truth["zip"]) or row["zip"] in above["zip"][truth["zip"]]
        held = set(truth["buys"].split("|"))
        assert all(held & below(block) for block in row["buys"])
        assert row["buys"] == sorted(sorted(block) for block in row["buys"])
        items = [item for block in row["buys"] for item in block]
        assert len(set(items)) == len(items)


@given(rows=ROWS, m=st.integers(1, 2), bounding=st.sampled_from(["rmerge", "tmerge", "rtmerge"]))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_it_is_never_worse_than_dropping_the_columns_or_the_sets(
    rows: list[tuple[str, ...]], m: int, bounding: Any
) -> None:
    data = people(rows)
    made = published(RtAnonymity(k=2, m=m, bounding=bounding), data)
    told = table_measures(data, made.release, made.linkage_key)
    lost = told["relational_loss"] + told["transaction_loss"]
    plain = replace(data, set_column=None)
    without_sets = table_measures(plain, Mondrian(k=2).publish(plain, seeded(1)).release)
    columns = without_sets["loss_by_column"].values()
    assert lost <= sum(columns) / len(columns) + 1 + 1e-9
    one_class = data.table.with_columns(age=pl.lit("1"), zip=pl.lit("a"), hue=pl.lit("red"))
    merged = replace(data, table=one_class)
    alone = RtAnonymity(k=2, m=m).publish(merged, seeded(1))
    sets = table_measures(merged, alone.release, alone.linkage_key)["transaction_loss"]
    assert lost <= 1 + sets + 1e-9


def test_a_release_is_the_same_from_every_format(tmp_path: Path) -> None:
    data = people([("1", "a", "red", "x", "p|q"), ("2", "b", "blue", "y", "p")] * 4)
    made = RtAnonymity(k=2, m=2).publish(data, seeded(1)).release
    lifted = LIFTED.publish(data, seeded(1)).release
    for kind in ("parquet", "csv", "jsonl"):
        made.save(tmp_path / kind, file_format=kind)
        again = Release.load(tmp_path / kind)
        assert again.content.set_column == "buys"
        assert again == made
        assert "a list of blocks of items" in (tmp_path / kind / "README.txt").read_text()
        lifted.save(tmp_path / f"lifted-{kind}", file_format=kind)
        again = Release.load(tmp_path / f"lifted-{kind}")
        assert again == lifted
        assert again.content.qids == ("age", "zip", "hue")
        assert again.content.items_of(["pq"]) == ("p", "q")
        told = (tmp_path / f"lifted-{kind}" / "README.txt").read_text()
        assert "stands for the items below it in hierarchy_buys" in told


def test_sets_stay_whole_where_they_tell_nobody() -> None:
    data = people([("1", "a", "red", "x", "p|q")] * 3 + [("8", "d", "blue", "y", "")] * 3)
    made = RtAnonymity(k=3, m=2).publish(data, seeded(1))
    told = table_measures(data, made.release, made.linkage_key)
    assert told["relational_loss"] == told["transaction_loss"] == 0.0
    assert told["occurrences_by_name"] == 1.0


def test_classes_are_merged_until_sets_lose_no_more_than_delta() -> None:
    data = people(
        [(age, "a", "red", "x", f"{'pqrst'[place % 5]}") for place in range(40) for age in "1358"]
    )
    finest = RtAnonymity(k=4, m=1, delta=1).publish(data, seeded(1))
    kept = RtAnonymity(k=4, m=1, delta="0.1").publish(data, seeded(1))
    losses = [table_measures(data, made.release, made.linkage_key) for made in (finest, kept)]
    assert losses[1]["transaction_loss"] <= 0.1
    assert losses[0]["relational_loss"] <= losses[1]["relational_loss"]


def test_a_delta_that_nothing_keeps_names_the_nearest_that_would_do() -> None:
    data = people([("1", "a", "red", "x", item) for item in "pqrst"])
    with pytest.raises(InfeasibleError, match=r"the nearest that would do is 0\.8$"):
        RtAnonymity(k=5, m=1, delta="0.5").publish(data)


def test_wrong_choices_are_refused_in_a_sentence() -> None:
    with pytest.raises(ParameterError, match="m must be from 1 to 8, got 0"):
        RtAnonymity(k=2, m=0)
    with pytest.raises(ParameterError, match="delta"):
        RtAnonymity(k=2, m=1, delta="1.5")
    data = people([("1", "a", "red", "x", "p")] * 3)
    with pytest.raises(DataError, match="name it with set_column"):
        RtAnonymity(k=2, m=1).publish(replace(data, set_column=None))
    with pytest.raises(DataError, match="must be a value of its hierarchy, and one in row 1 is"):
        RtAnonymity(k=2, m=1, hierarchy=(("buys", TREE),)).publish(data)
    with pytest.raises(ParameterError, match="a column with a hierarchy, and 'buys' has none"):
        RtAnonymity(k=2, m=1, highest_level={"buys": "1"}).publish(data)
    with pytest.raises(DataError, match="published by rt-anonymity, not by mondrian"):
        Mondrian(k=2).publish(data)
    with pytest.raises(DataError, match="the column 'buys' was given two roles"):
        Microdata.of(data.table, qids=["buys"], sensitive=[], set_column="buys")


def test_lists_in_a_frame_are_sets() -> None:
    table = pl.DataFrame({"age": [1, 2], "buys": [["q", "p"], None]})
    data = Microdata.of(table, qids=["age"], sensitive=[], set_column="buys")
    assert data.table["buys"].to_list() == ["q|p", ""]
    with pytest.raises(DataError, match="holds the separator"):
        Microdata.of(
            pl.DataFrame({"age": [1], "buys": [["a|b"]]}),
            qids=["age"],
            sensitive=[],
            set_column="buys",
        )


def test_items_are_lifted_in_their_hierarchy_as_high_as_allowed() -> None:
    rows = [("1", "a", "red", "x", item) for item in "pqrst"]
    made = replace(LIFTED, k=2, m=1).publish(people(rows), seeded(1))
    shown = [cell for row in made.release.content.parts[0]["buys"].to_list() for cell in row]
    assert sorted(shown) == [["pq"], ["pq"], ["rst"], ["rst"], ["rst"]]
    told = table_measures(people(rows), made.release, made.linkage_key)
    assert told["transaction_loss"] == pytest.approx(1 - (2 / 2 + 3 / 3) / 5)
    assert told["item_count_error"] == 0.0
    few = replace(LIFTED, k=5, m=1)
    top = few.publish(people(rows), seeded(1)).release.content.parts[0]
    assert top["buys"].to_list() == [[["all"]]] * 5
    capped = replace(few, highest_level={"buys": "1"}).publish(people(rows), seeded(1))
    assert capped.release.content.parts[0]["buys"].to_list() == [[]] * 5
