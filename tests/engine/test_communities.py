"""Communities: the karate club's known figures, and the same seed twice."""

import igraph
import numpy as np
import pytest

from discreet.engine.communities import SMALL, algorithm_for, communities, modularity

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
