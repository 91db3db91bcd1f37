"""Which nodes of a graph hang together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from discreet.series.kernels.connected import connected

NODES = 12


@given(st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=20))
def test_the_components_are_those_of_scipy(edges: list[tuple[int, int]]) -> None:
    one, other = np.array(edges, dtype=np.int64).reshape(-1, 2).T.copy()
    graph = coo_matrix((np.ones(len(one)), (one, other)), shape=(NODES, NODES))
    _, expected = connected_components(graph, directed=False)
    assert connected(one, other, NODES).tolist() == expected.tolist()
