"""Risks by the number of friends: equal to a count person by person."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import SocialNetwork, Transactions
from discreet.core.graph import Network
from discreet.errors import ParameterError
from discreet.risk import Population, degrees_risk, graph_profile, network_profile, profile

PAIRS = list(combinations(range(7), 2))


@given(st.lists(st.sampled_from(PAIRS), unique=True))
def test_the_three_threats_are_counted(pairs: list[tuple[int, int]]) -> None:
    graph = Network.of_edges(7, pairs)
    friends = {person: set() for person in range(7)}  # type: dict[int, set[int]]
    for one, other in pairs:
        friends[one].add(other)
        friends[other].add(one)
    degree = {person: len(friends[person]) for person in friends}
    alike = {person: [x for x in degree if degree[x] == degree[person]] for person in degree}
    alone = sum(len(alike[person]) == 1 for person in degree)
    linked = sum(1 / len(alike[person]) for person in degree)
    certain = sum(
        bool(set.intersection(*({degree[friend] for friend in friends[x]} for x in alike[person])))
        for person in degree
    )
    told = degrees_risk(graph.edges, 7)
    assert told["wp29"]["singling_out"]["share"] == pytest.approx(alone / 7)
    assert told["wp29"]["linkability"]["share"] == pytest.approx(linked / 7)
    assert told["wp29"]["inference"]["share"] == pytest.approx(certain / 7)
    assert told["prosecutor"]["highest"] == pytest.approx(1 / min(map(len, alike.values())))


def test_a_population_cannot_be_a_table() -> None:
    graph = Network.of_edges(2, [(0, 1)])
    with pytest.raises(ParameterError, match="sampling_fraction"):
        degrees_risk(graph.edges, 2, Population(table=object()))
    assert graph_profile(Network.of_edges(0, []))["wp29"]["inference"]["share"] is None


def test_of_items_and_friends_the_worse_count() -> None:
    people = Transactions.of({"1": ["a"], "2": ["a"], "3": ["a"], "4": ["b"]})
    network = SocialNetwork(people, Network.of_edges(4, [(0, 1), (0, 2), (0, 3)]).edges)
    told = network_profile(network)
    sets = profile(people)
    assert told["wp29"]["singling_out"]["share"] == 1 / 4
    assert told["degree"]["prosecutor"]["highest"] == 1.0
    assert told["whole_set"] == sets["whole_set"]
    assert told["wp29"]["inference"]["share"] == 1.0, "whoever has one friend has one with three"
