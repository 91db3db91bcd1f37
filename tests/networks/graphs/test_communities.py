"""Communities: the karate club's known figures, edges by brute force, the same seed twice."""

from fractions import Fraction
from itertools import combinations, pairwise

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.networks.graphs.communities import SMALL, algorithm_for, communities, modularity
from discreet.networks.kernels.betweenness import taken_apart

KARATE = np.array(igraph.Graph.Famous("Zachary").get_edgelist())


def test_girvan_and_newman_on_the_karate_club() -> None:
    member = communities(34, KARATE, 0)
    assert algorithm_for(KARATE) == "Girvan-Newman"
    assert member.max() + 1 == 5
    assert modularity(member, KARATE) == pytest.approx(0.4013, abs=5e-5)


def test_leiden_on_the_karate_club() -> None:
    member = communities(34, KARATE, 3, algorithm="Leiden")
    assert modularity(member, KARATE) == pytest.approx(0.4198, abs=5e-4)
    assert member.tolist() == communities(34, KARATE, 3, algorithm="Leiden").tolist()


def test_modularity_is_the_one_of_igraph() -> None:
    member = np.arange(34) % 3
    graph = igraph.Graph(n=34, edges=KARATE.tolist())
    assert modularity(member, KARATE) == pytest.approx(graph.modularity(member.tolist()))


def test_communities_are_numbered_by_their_first_nodes() -> None:
    member = communities(5, np.array([[3, 4], [1, 2]]), 0)
    assert member.tolist() == [0, 1, 1, 2, 2]


def test_a_graph_without_edges_is_all_single() -> None:
    assert communities(3, np.empty((0, 2), dtype=np.int64), 0).tolist() == [0, 1, 2]


def test_many_edges_go_to_leiden() -> None:
    assert algorithm_for(np.zeros((SMALL + 1, 2), dtype=np.int64)) == "Leiden"


def most_travelled_first(edges: list[tuple[int, int]], nodes: int) -> list[tuple[int, int]]:
    """Take edges away by counting every shortest path of every pair anew, as fractions."""
    left, order = sorted(edges), []
    while left:
        graph = igraph.Graph(n=nodes, edges=left)
        travelled = dict.fromkeys(left, Fraction(0))
        for one, other in combinations(range(nodes), 2):
            paths = graph.get_all_shortest_paths(one, other)
            for path in paths:
                for step in pairwise(path):
                    travelled[min(step), max(step)] += Fraction(1, len(paths))
        most = max(travelled.values())
        order.append(next(edge for edge in left if travelled[edge] == most))
        left.remove(order[-1])
    return order


def highest_modularity(order: list[tuple[int, int]], nodes: int) -> float:
    """Return the best value of all partitions on the way."""
    graph = igraph.Graph(n=nodes, edges=order)
    ways = (igraph.Graph(n=nodes, edges=order[at:]) for at in range(len(order) + 1))
    return max(float(graph.modularity(way.connected_components().membership)) for way in ways)


@given(st.integers(2, 9), st.data())
def test_edges_go_in_the_order_of_their_paths(nodes: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(nodes), 2))
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True, min_size=1, max_size=18))
    ordered = np.array(sorted(edges))
    order = [tuple(edge) for edge in ordered[taken_apart(nodes, ordered)].tolist()]
    assert order == most_travelled_first(edges, nodes)
    member = communities(nodes, np.array(edges), 0, algorithm="Girvan-Newman")
    best = highest_modularity(order, nodes)
    assert modularity(member, ordered) == pytest.approx(best, abs=1e-12)
