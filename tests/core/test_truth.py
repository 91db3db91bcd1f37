"""The digests in a key tell the data that were published from all others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import rng
from discreet.catalog import find
from discreet.core.graph import Network
from discreet.core.guarantee import KmAnonymity
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.microdata import Microdata
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.core.truth import (
    choices_in,
    confirmed,
    content_digest,
    record_digests,
    refuse_key_of_another,
    with_truth,
)
from discreet.errors import DataError
from tests.releases import as_released

SECRET = b"s" * 32
SETS = st.lists(st.sets(st.sampled_from("abcde")), max_size=8)
ROWS = st.lists(st.tuples(st.sampled_from("12?"), st.sampled_from("xy")), min_size=1, max_size=8)


@given(SETS, SETS)
def test_records_have_the_same_digest_where_their_sets_are_the_same(
    one: list[set[str]], other: list[set[str]]
) -> None:
    first = record_digests(Transactions.of(one), SECRET)
    second = record_digests(Transactions.of(other, universe=tuple("edcbaf")), SECRET)
    found = (first[:, None, :] == second[None, :, :]).all(axis=2)
    assert found.tolist() == [[held == beside for beside in other] for held in one]


@given(ROWS, ROWS)
def test_rows_of_tables_have_the_same_digest_where_their_cells_are(
    one: list[tuple[str, str]], other: list[tuple[str, str]]
) -> None:
    def digests(rows: list[tuple[str, str]]) -> Any:
        table = pl.DataFrame(rows, schema=["age", "ill"], orient="row")
        return record_digests(Microdata.of(table, qids=["age"], sensitive=["ill"]), SECRET)

    found = (digests(one)[:, None, :] == digests(other)[None, :, :]).all(axis=2)
    assert found.tolist() == [[held == beside for beside in other] for held in one]


def test_another_secret_gives_other_digests() -> None:
    data = Transactions.of([["a"], ["b"]])
    assert not (record_digests(data, SECRET) == record_digests(data, b"t" * 32)).any()


def test_a_graph_is_told_by_its_edges() -> None:
    one, other = Network.of([("a", "b"), ("b", "c")]), Network.of([("a", "b"), ("a", "c")])
    assert (record_digests(one, SECRET) != record_digests(other, SECRET)).any()


def test_a_key_confirms_its_data_and_release_and_no_other() -> None:
    data = Transactions.of([["a"], ["b"], []])
    release = as_released(Transactions.of([["b"], ["a"]]))
    key = with_truth(None, data, release, {"missing": "drop"})
    assert confirmed(key, data, release)
    assert choices_in(key) == {"missing": "drop"}
    assert choices_in(None) == {}
    assert not confirmed(None, data, release)
    with pytest.raises(DataError, match="2 records differ, record 1 first"):
        confirmed(key, Transactions.of([["b"], ["a"], []]), release)
    with pytest.raises(DataError, match="with 3 records"):
        confirmed(key, Transactions.of([["a"]]), release)
    with pytest.raises(DataError, match="that of another"):
        confirmed(key, data, as_released(Transactions.of([["b"]])))


def test_the_digest_of_a_release_does_not_depend_on_its_file(tmp_path: Path) -> None:
    content = Transactions.of([["b", "a"], [], ["c"]], universe=tuple("cab"))
    for file_format in ("csv", "jsonl", "parquet"):
        folder = as_released(content).save(tmp_path / file_format, file_format=file_format)
        assert content_digest(Release.load(folder).content) == content_digest(content)


def test_the_digest_in_keys_that_are_out_stays_valid() -> None:
    sets = Transactions.of(
        [["b", "\u00e9", "a"], [], ["Z", "b", "10", "9"]],
        universe=("b", "a", "\u00e9", "Z", "9", "10"),
    )
    old = "a31de343a786487b0805201344a843545f73f4c629ed31465d7f028be6de1d16"
    assert content_digest(sets) == old


def test_a_manifest_that_was_changed_is_refused_by_the_key() -> None:
    """Whoever drops the mark of a seed, or a secret, must not get a milder verdict."""
    data = Transactions.of([["a"], ["b"]])
    seeded = replace(
        as_released(data).manifest, seeded=True, parameters={"c1": {1: "0.5", 10: "1"}}
    )
    release = Release(data, (), seeded)
    key = with_truth(None, data, release, {})
    assert confirmed(key, data, release)
    changes: list[dict[str, Any]] = [
        {"seeded": False}, {"sensitive": ("a",)}, {"follows": ()}, {"parameters": {}},
    ]  # fmt: skip
    for change in changes:
        edited = Release(data, (), replace(seeded, **change))
        with pytest.raises(DataError, match="it was changed since"):
            confirmed(key, data, edited)
        with pytest.raises(DataError, match="it was changed since"):
            refuse_key_of_another(key, edited)
    promised = Release(data, (KmAnonymity(k=2, m=1),), seeded)
    with pytest.raises(DataError, match="it was changed since"):
        confirmed(key, data, promised)


def test_people_keep_their_ids() -> None:
    """Ids that moved from record to record join other people across the releases of a series."""
    data = Transactions(Itemsets.of([["a"], ["b"]]), ids=np.array(["p", "q"]))
    release = as_released(Transactions(data.sets))
    key = with_truth(None, data, release, {})
    assert confirmed(key, data, release)
    for ids in (np.array(["q", "p"]), None):
        with pytest.raises(DataError, match="must have the ids that they had"):
            confirmed(key, replace(data, ids=ids), release)


def test_the_digest_of_a_tree_does_not_depend_on_the_order_of_its_names(tmp_path: Path) -> None:
    levels = [[f"v{leaf}", f"g{leaf // 2}", f"h{leaf // 4}", "*"] for leaf in range(8)]
    tree = Hierarchy.of_levels(levels)
    method = find("km-anonymity").method(k=2, m=1, hierarchy=tree)
    release = method.publish(Transactions.of([[row[0]] for row in levels]), rng.seeded(1)).release
    kept = Release.load(release.save(tmp_path / "release")).content
    assert content_digest(kept) == content_digest(release.content)
