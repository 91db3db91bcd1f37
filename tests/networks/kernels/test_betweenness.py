"""Girvan and Newman's way to take a graph apart, counting again only what an edge has changed."""

import igraph
import numpy as np

from discreet.networks.kernels.betweenness import REFRESH, taken_apart


def test_a_graph_that_outlasts_a_refresh_goes_as_igraph_has_it() -> None:
    graph = igraph.Graph.Lattice([9, 9], circular=False)
    graph.add_edges([(0, 40), (3, 77), (20, 60)])
    ordered = np.array(sorted(tuple(sorted(edge)) for edge in graph.get_edgelist()))
    assert len(ordered) > 2 * REFRESH
    left, expected = ordered.tolist(), []
    while left:
        travelled = np.array(igraph.Graph(n=81, edges=left).edge_betweenness())
        expected.append(left.pop(int(np.flatnonzero(travelled >= travelled.max() - 1e-9)[0])))
    assert ordered[taken_apart(81, ordered)].tolist() == expected
