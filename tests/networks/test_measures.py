"""How near graphs are: small ones by hand, the karate-sized ones by definition."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import rng
from discreet.core.graph import Network
from discreet.errors import DataError
from discreet.networks import (
    GreedySwap,
    average_path_length,
    clustering,
    community_jaccard,
    degree_distance,
    edges_changed,
    network_measures,
)
from discreet.networks.graphs.communities import communities

FIGURE_1A = np.array([[0, 2], [1, 2], [1, 3], [1, 4], [2, 5], [2, 6], [3, 4], [4, 5], [4, 6]])


@st.composite
def graphs(draw: st.DrawFn, many: int = 8) -> np.ndarray:
    every = list(combinations(range(many), 2))
    return np.array(sorted(draw(st.sets(st.sampled_from(every), min_size=1))), dtype=np.int64)


@settings(max_examples=40)
@given(graphs(), graphs())
def test_communities_are_compared_by_the_printed_formula(
    one: np.ndarray, other: np.ndarray
) -> None:
    old, new = ([*_parts(communities(8, edges, 0))] for edges in (one, other))
    there = np.mean([max(len(c & d) / len(c | d) for d in new) for c in old])
    back = np.mean([max(len(c & d) / len(c | d) for c in old) for d in new])
    told = community_jaccard(8, one, other)
    assert told["community_jaccard"] == pytest.approx(there)
    assert told["community_jaccard_symmetric"] == pytest.approx((there + back) / 2)
    each = [max(len(c & d) / len(c | d) for d in new) for c in old for _ in c]
    assert told["community_jaccard_by_people"] == pytest.approx(np.mean(each))


def _parts(member: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(member == part).tolist()) for part in np.unique(member)]


@settings(max_examples=40)
@given(graphs(), graphs())
def test_edges_and_degrees_by_counting(one: np.ndarray, other: np.ndarray) -> None:
    old, new = ({frozenset(edge) for edge in edges.tolist()} for edges in (one, other))
    told = edges_changed(8, one, other[:, ::-1])
    assert told["edges_kept"] == len(old & new)
    assert (told["edges_added"], told["edges_deleted"]) == (len(new - old), len(old - new))
    moved = [abs((one == node).sum() - (other == node).sum()) for node in range(8)]
    assert told["edges_changed_at_least"] == -(-sum(moved) // 2) <= len(old ^ new)
    same = degree_distance(8, one, one)
    assert set(same.values()) == {0.0}
    assert 0 <= degree_distance(8, one, other)["degree_total_variation"] <= 1


@settings(max_examples=40)
@given(graphs())
def test_clustering_and_path_length_by_definition(edges: np.ndarray) -> None:
    joined = {frozenset(edge) for edge in edges.tolist()}
    around = {n: {m for m in range(8) if frozenset((n, m)) in joined} for n in range(8)}
    local = [
        sum(frozenset(pair) in joined for pair in combinations(near, 2))
        / max(1, len(near) * (len(near) - 1) / 2)
        for near in around.values()
    ]
    assert clustering(8, edges) == pytest.approx(np.mean(local))
    reached = {node: _steps(node, around) for node in range(8)}
    largest = max(len(part) for part in reached.values())
    means = {
        round(sum(sum(reached[node].values()) for node in part) / (largest * (largest - 1)), 9)
        for part in ([*found] for found in reached.values() if len(found) == largest)
    }
    assert round(average_path_length(8, edges).mean, 9) in means


def _steps(start: int, around: dict[int, set[int]]) -> dict[int, int]:
    found, edge = {start: 0}, {start}
    while edge:
        edge = {m for n in edge for m in around[n]} - found.keys()
        found |= dict.fromkeys(edge, max(found.values()) + 1)
    return found


def test_a_sampled_path_length_has_an_interval_that_holds_the_exact_one() -> None:
    many = 400
    ring = [(node, (node + 1) % many) for node in range(many)]
    chords = [(node, (7 * node + 3) % many) for node in range(0, many, 3)]
    edges = Network.of_edges(many, {tuple(sorted(e)) for e in ring + chords if e[0] != e[1]}).edges
    exact = average_path_length(many, edges)
    sampled = average_path_length(many, edges, exact=10)
    assert exact.reach == 0 < sampled.reach
    assert abs(sampled.mean - exact.mean) <= 2 * sampled.reach


def test_a_published_graph_is_measured_through_its_key() -> None:
    network = Network(7, FIGURE_1A)
    made = GreedySwap(k=2).publish(network, rng.seeded(1))
    told = network_measures(network, made.release, key=made.linkage_key)
    assert (told["edges_kept"], told["edges_added"], told["edges_deleted"]) == (9, 1, 0)
    assert told["modularity_before"] == pytest.approx(0.1049, abs=5e-5)
    without = network_measures(network, made.release)
    assert "edges_kept" not in without
    assert without["clustering_before"] == told["clustering_before"]


def test_nodes_that_are_not_there_have_no_community() -> None:
    with pytest.raises(DataError, match="nodes below 3"):
        community_jaccard(3, np.array([[0, 1]]), np.array([[0, 5]]))


def test_no_edges_no_distance() -> None:
    assert average_path_length(3, np.empty((0, 2), dtype=np.int64)).mean == 0
