"""Neither the order of the records nor that of the edges tells in a release."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, SocialNetwork, Transactions, rng
from discreet.core.graph import Network
from discreet.core.itemsets import Itemsets
from discreet.networks import Dist, GpAsn, GreedySwap, SideBySide, TdControl
from discreet.networks.record_order import in_order

ITEMS = ("a1", "a2", "b", "x", "y")
TREE = Hierarchy.of_pairs([("a1", "A"), ("a2", "A"), ("A", "ALL"), ("b", "ALL")])
RECORDS = st.lists(st.sets(st.sampled_from(ITEMS)), min_size=8, max_size=20)
BY_SETS = [TdControl(rho="0.5", hierarchy=TREE), Dist(rho="0.5"), Dist(rho="0.4", heuristic="num")]
BY_PEOPLE = [
    GpAsn(rho="0.5", hierarchy=TREE, g_min=3),
    GpAsn(rho="0.5", g_min=2, split=3),
    SideBySide(rho="0.5", k=2),
    SideBySide(rho="0.5", k=2, sets="td-control", hierarchy=TREE),
    GreedySwap(k=3),
]


def tables(method: Any, data: Any) -> dict[str, list[Any]]:
    release = method.publish(data, rng.seeded(5)).release
    return {name: table.rows() for name, table in release.to_polars().items()}


@pytest.mark.parametrize("method", BY_SETS, ids=repr)
@settings(max_examples=25)
@given(RECORDS, st.randoms(use_true_random=False))
def test_the_order_of_records(method: Any, records: list[set[str]], chance: Any) -> None:
    mixed = chance.sample(records, len(records))
    one, other = (
        Transactions.of(each, universe=ITEMS, sensitive=["x", "y"]) for each in (records, mixed)
    )
    assert tables(method, one) == tables(method, other)


@pytest.mark.parametrize("method", BY_PEOPLE, ids=repr)
@settings(max_examples=25)
@given(RECORDS, st.data())
def test_the_order_of_people_and_edges(method: Any, records: list[set[str]], data: Any) -> None:
    ids = [f"p{row}" for row in range(len(records))]
    ends = st.sampled_from(ids)
    pairs = data.draw(st.lists(st.tuples(ends, ends), max_size=40))
    people = dict(zip(ids, records, strict=True))
    networks = []
    for order, edges in (
        (ids, [(ids[0], ids[1]), *pairs]),
        (data.draw(st.permutations(ids)), [*pairs[::-1], (ids[1], ids[0])]),
    ):
        sets = Itemsets.of([people[each] for each in order], ITEMS)
        known = Transactions(sets, ids=np.array(order), sensitive=frozenset("xy"))
        network = SocialNetwork.of(known, edges)
        networks.append(Network.of_people(network) if type(method) is GreedySwap else network)
    assert tables(method, networks[0]) == tables(method, networks[1])


def test_people_change_places_with_their_friends() -> None:
    sets = Itemsets.of([["a"], ["b"], ["c"]])
    network = SocialNetwork(Transactions(sets), np.array([[0, 1]]))
    moved = in_order(network, np.array([2, 1, 0]))
    assert list(moved.people) == [("c",), ("b",), ("a",)]
    assert moved.edges.tolist() == [[1, 2]]


@settings(max_examples=40)
@given(RECORDS, st.sampled_from(["0.3", "0.5", "0.7"]), st.data())
def test_td_control_decides_once_and_applies_to_any_slice(
    records: list[set[str]], rho: str, data: Any
) -> None:
    people = Transactions.of(records, universe=ITEMS, sensitive=["x", "y"])
    method = TdControl(rho=rho, hierarchy=TREE)
    plan = method.decide(method.statistics(people, rng.seeded(2)), rng.seeded(2))
    cut = data.draw(st.integers(0, len(records)))
    rows = np.array(data.draw(st.permutations(range(len(records)))), dtype=np.int64)
    slices = [replace(people, sets=people.sets.take(part)) for part in (rows[:cut], rows[cut:])]
    parts = [row for each in slices for row in method.apply(plan, each)]
    whole = list(method.publish(people, rng.seeded(1)).release.content)
    assert sorted(parts) == sorted(whole)
