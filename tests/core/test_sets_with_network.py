"""Sets and a graph of the same nodes: what is a content and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.errors import DataError

NODES = st.lists(st.tuples(st.sets(st.sampled_from("abc")), st.integers(0, 3)), min_size=2)


@given(NODES, st.data(), st.booleans())
def test_the_tables_tell_all_of_it(
    nodes: list[tuple[set[str], int]], drawn: st.DataObject, tree: bool
) -> None:
    ends = st.integers(0, len(nodes) - 1)
    pairs = drawn.draw(st.sets(st.tuples(ends, ends).filter(lambda pair: pair[0] < pair[1])))
    content = SetsWithNetwork.of(
        [held for held, _ in nodes],
        [group for _, group in nodes],
        sorted(pairs),
        hierarchy=Hierarchy.flat("abc") if tree else None,
    )
    tables = {name: table.reverse() for name, table in content.tables().items()}
    again = SetsWithNetwork.of_tables(tables)
    assert list(again.sets) == list(content.sets)
    assert again.group.tolist() == content.group.tolist()
    assert again.edges.tolist() == content.edges.tolist()
    assert (again.applied is None) is not tree


@pytest.mark.parametrize(
    ("group", "edges", "message"),
    [
        ([0], [[0, 1]], "every node must have one group, got 1 groups for 2 nodes"),
        ([0, -1], [[0, 1]], "groups must be counted from 0, got -1"),
        ([0, 0], [[0, 2]], "an edge must join two of the nodes 0 to 1"),
        ([0, 0], [[1, 0]], "each edge must be listed once, its lower node first"),
        ([0, 0], [[0, 1], [0, 1]], "each edge must be listed once, its lower node first"),
    ],
)
def test_what_is_no_simple_graph_is_refused(
    group: list[int], edges: list[list[int]], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        SetsWithNetwork(Itemsets.of([["a"], []]), np.array(group), np.array(edges))


def test_nodes_must_be_numbered_without_a_gap() -> None:
    tables = SetsWithNetwork.of([["a"], []], [0, 0], [(0, 1)]).tables()
    tables["transactions"] = tables["transactions"].with_columns(
        node=tables["transactions"]["node"] * 2
    )
    with pytest.raises(DataError, match="numbered 0 to 1, each once"):
        SetsWithNetwork.of_tables(tables)


def test_it_never_shows_its_content() -> None:
    assert repr(SetsWithNetwork.of([["secret"]], [0], [])) == "SetsWithNetwork(1 nodes, 0 edges)"
