"""A graph as a noun: what it refuses, what a file of edges keeps, what it never shows."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Release
from discreet.catalog import NOUNS
from discreet.core.graph import Network
from discreet.core.guarantee import guarantee_of, record_of
from discreet.core.guarantees.graphs import KDegree
from discreet.errors import DataError, ParameterError
from discreet.verify.k_degree import k_degree
from tests.releases import as_released


def test_direction_repetition_and_loops_are_folded() -> None:
    network = Network.of([("Al", "Bo"), ("Bo", "Al"), ("Al", "Bo"), ("Cy", "Cy"), ("Bo", "Di")])
    assert len(network) == 4
    assert network.edges.tolist() == [[0, 1], [1, 3]]
    assert network.degrees.tolist() == [1, 2, 0, 1]
    assert network.ids.tolist() == ["Al", "Bo", "Cy", "Di"]


def test_a_file_is_read_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "friends.tsv"
    path.write_text("me\tyou\n1\t2\n2\t3\n")
    reading = NOUNS[Network](edge_columns={"source": "me", "target": "you"})
    network = reading.read(str(path))
    assert network.edges.tolist() == [[0, 1], [1, 2]]
    with pytest.raises(DataError, match=r"friends\.tsv"):
        Network.read(path)


def of_size(n: int) -> st.SearchStrategy[tuple[int, set[tuple[int, int]]]]:
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    return st.tuples(st.just(n), st.sets(ends.filter(lambda edge: edge[0] < edge[1])))


GRAPHS = st.integers(2, 8).flatmap(of_size)


@settings(max_examples=80)
@given(GRAPHS)
def test_a_file_of_edges_keeps_every_node(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    count, edges = drawn
    network = Network.of_edges(count, sorted(edges | {(0, count - 1)}))
    again = Network.of_tables(network.tables())
    assert (len(again), again.edges.tolist()) == (count, network.edges.tolist())


@settings(max_examples=80)
@given(GRAPHS)
def test_a_last_node_without_edges_is_refused(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    count, edges = drawn
    with pytest.raises(DataError, match="must have an edge"):
        Network.of_edges(count + 1, sorted(edges)).tables()


def test_a_release_survives_the_disk_without_names(tmp_path: Path) -> None:
    network = Network.of([("Al", "Bo"), ("Cy", "Cy"), ("Bo", "Di")])
    as_released(network, KDegree(k=1)).save(tmp_path / "r")
    back = Release.load(tmp_path / "r").content
    assert isinstance(back, Network)
    assert back.ids is None
    assert back.degrees.tolist() == network.degrees.tolist()
    assert repr(network) == "Network(4 nodes, 2 edges)"
    for file in (tmp_path / "r").iterdir():
        assert b"Di" not in file.read_bytes().replace(b"Discreet", b"")


@pytest.mark.parametrize(
    ("many", "edges"), [(2, [(0, 2)]), (2, [(0, 0)]), (3, [(0, 1), (1, 0)]), (1, [(-1, 0)])]
)
def test_what_is_no_simple_graph_is_refused(many: int, edges: list[tuple[int, int]]) -> None:
    with pytest.raises(DataError):
        Network.of_edges(many, edges)


def test_the_guarantee_checks_itself_and_survives_the_manifest() -> None:
    claim = KDegree(k=4)
    assert guarantee_of(record_of(claim)) == claim
    assert "at least 4 matching nodes" in claim.promise
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        KDegree(k=0)


def test_nodes_without_edges_share_a_degree_too() -> None:
    lonely = Network.of_edges(4, [(0, 3)])
    assert k_degree(lonely, KDegree(k=2)).holds is True
    verdict = k_degree(Network.of_edges(3, [(0, 2)]), KDegree(k=2))
    assert (verdict.holds, verdict.witness) == (False, "1 nodes have degree 0, not 2")


def test_a_number_in_a_file_makes_nobody_count_that_many_nodes() -> None:
    many = 2 * 10**9
    network = Network.of_edges(many, [(0, many - 1)])
    assert k_degree(network, KDegree(k=2)).holds is True
    assert k_degree(network, KDegree(k=3)).witness == "2 nodes have degree 1, not 3"
