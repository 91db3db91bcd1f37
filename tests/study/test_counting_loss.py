"""One loss for every release of sets: a share that grows as less can be counted."""

import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Hierarchy, Transactions, rng
from discreet.core.clusters import Clusters
from discreet.core.disassociated import Disassociated
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.release import Content
from discreet.study.counting_loss import (
    TABLE_LOSS,
    _answers,
    common_loss,
    counting_loss,
    rows_of,
)
from tests import samples
from tests.releases import as_released

module = sys.modules[counting_loss.__module__]

PEOPLE = Transactions.of([["a", "b"]] * 6 + [["a"]] * 4 + [["c"]] * 10)


def answers(content: Content, *asked: tuple[str, str]) -> list[float]:
    reading = rows_of(content)
    assert reading is not None
    universe = ("a", "b", "c", "s")
    one, two = (np.array([universe.index(pair[end]) for pair in asked]) for end in (0, 1))
    return [float(each) for each in _answers(reading, universe, one, two)]


def test_counts_of_sets_are_exact() -> None:
    assert answers(PEOPLE, ("a", "a"), ("a", "b"), ("b", "c"), ("c", "c")) == [10, 6, 0, 10]
    histogram = ItemsetHistogram.of({("a", "b"): 6, ("a",): 4, ("c",): 10})
    assert answers(histogram, ("a", "a"), ("a", "b"), ("b", "c"), ("c", "c")) == [10, 6, 0, 10]


def test_a_group_of_items_counts_for_its_share() -> None:
    content = GeneralisedSets.of([[["a", "b"], ["c"]]] * 4 + [[["c"]]] * 2)
    assert answers(content, ("a", "a"), ("a", "c"), ("c", "c")) == [2, 2, 6]


def test_a_lifted_item_counts_for_its_share() -> None:
    tree = Hierarchy.flat(["a", "b", "c"], root="ALL")
    content = Transactions(Itemsets.of([["ALL"]] * 3 + [["a"]] * 2), applied=tree)
    assert answers(content, ("a", "a"), ("b", "b")) == [3, 1]


def test_private_terms_count_by_cluster_and_bag() -> None:
    content = Clusters.of([([["a"], ["b"]], ["s"]), ([["c"], ["c"]], [])], bag=["s"])
    # half of the first cluster, and a quarter of everybody
    assert answers(content, ("s", "s"), ("a", "s"), ("c", "s")) == [2, 0.75, 0.5]


def test_sub_records_are_put_together_within_their_clusters() -> None:
    content = Disassociated.of([(4, [[["a", "b"]] * 3], ["s"]), (2, [[["c"]] * 2], [])], shared=[])
    # exact within a chunk, nothing across clusters, and a term is somebody's
    told = answers(content, ("a", "a"), ("a", "b"), ("a", "c"), ("c", "c"), ("s", "s"))
    assert told == [3, 3, 0, 2, 1]


@given(st.lists(st.sets(st.sampled_from("abcd")), min_size=1, max_size=30))
def test_the_data_themselves_lose_nothing_and_nothing_loses_all(rows: list[set[str]]) -> None:
    data = Transactions.of([sorted(row) for row in rows])
    loss = counting_loss(data, as_released(data))
    nothing = counting_loss(data, as_released(Transactions.of([[]] * len(rows))))
    assert (loss, nothing) == ((0.0, 1.0) if any(rows) else (None, None))


def test_long_sets_of_many_items_take_little_memory() -> None:
    people, size = 20, 1_000
    numbers = np.arange(people * size, dtype=np.int32)
    names = tuple(f"{number:05d}" for number in numbers)
    sets = Itemsets(np.arange(people + 1) * size, numbers, names)
    data = Transactions(sets)
    tracemalloc.start()
    try:
        assert counting_loss(data, as_released(data)) == 0
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # all pairs would take sixteen bytes each, 320 MB
    assert most < 50_000_000


def test_pairs_are_the_same_however_many_are_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    content = GeneralisedSets.of([[["a", "b"], ["c"]], [["c"]], [["a", "b"]]])
    pairs = ("a", "b"), ("a", "c"), ("c", "c"), ("c", "b"), ("a", "s")
    expected = answers(content, *pairs)
    assert expected == [0.5, 0.5, 2, 0.5, 0]
    monkeypatch.setattr(module, "AT_ONCE", 1)
    assert answers(content, *pairs) == expected


def test_a_table_loses_cells_and_associations() -> None:
    data = Microdata.of({"sex": ["f"], "job": ["spy"]}, qids=["sex"], sensitive=["job"])
    assert counting_loss(data, as_released(PEOPLE)) is None
    assert common_loss(data, as_released(PEOPLE), {}) == {}
    measured = {"loss_by_column": {"sex": 1.0, "age": 0.0}, "association_loss_ratio": 0.5}
    assert common_loss(data, as_released(PEOPLE), measured) == {TABLE_LOSS: 0.75}
    one_table = {"loss_by_column": {"sex": 0.25}, "association_loss_ratio": None}
    assert common_loss(data, as_released(PEOPLE), one_table) == {TABLE_LOSS: 0.25}


OF_SETS = [
    publisher
    for publisher, (_, data) in samples.PUBLISHERS.items()
    if isinstance(data, Transactions | SocialNetwork)
]


@pytest.mark.parametrize("publisher", OF_SETS)
def test_every_release_of_sets_is_comparable(publisher: type) -> None:
    method, data = samples.PUBLISHERS[publisher]
    loss = counting_loss(data, method.publish(data, rng.seeded(5)).release)
    assert loss is not None
    assert 0 <= loss <= 1
