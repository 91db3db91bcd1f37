import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.core.network import FoldedEdges, SocialNetwork
from discreet.core.transactions import Transactions
from discreet.errors import DataError


def people_called(*ids: str) -> Transactions:
    return Transactions(
        Itemsets.of([[f"item of {name}", "bread"] for name in ids]),
        np.array(ids, dtype=np.str_),
        frozenset({"bread"}),
    )


PEOPLE = people_called("10", "7", "200")


def test_edges_are_simple_and_undirected() -> None:
    pairs = [("7", "10"), ("10", "7"), ("7", "10"), ("200", "200"), ("200", "10")]
    network = SocialNetwork.of(PEOPLE, pairs)
    assert network.edges.tolist() == [[0, 1], [0, 2]]
    assert network.edges.dtype == np.int64
    assert network.folded_edges == FoldedEdges(rows=5, self_loops=1, doubled=1, mutual=1)
    assert network.degrees.tolist() == [2, 1, 1]
    assert network.people is PEOPLE


def test_people_without_edges_are_kept() -> None:
    assert SocialNetwork.of(PEOPLE, [("10", "7")]).degrees.tolist() == [1, 1, 0]
    alone = SocialNetwork.of(PEOPLE, [])
    assert alone.degrees.tolist() == [0, 0, 0]
    assert alone.edges.shape == (0, 2)


@pytest.mark.parametrize("people", [None, Transactions.of({})])
def test_nobody_and_no_edges_are_an_empty_network(people: Transactions | None) -> None:
    network = SocialNetwork.of(people, [])
    assert len(network) == 0
    assert network.edges.shape == (0, 2)
    assert network.edges.dtype == np.int64


def test_unmatched_ends_are_refused_without_showing_them() -> None:
    with pytest.raises(DataError, match=r"edge 2: .*among the people, which 2 edges") as refusal:
        SocialNetwork.of(PEOPLE, [("10", "7"), ("31337", "10"), ("10", "31338")])
    assert "3133" not in str(refusal.value)


def test_unmatched_ends_are_kept_with_an_empty_set_on_request() -> None:
    pairs = [("10", "a very long id"), ("b", "7")]
    network = SocialNetwork.of(PEOPLE, pairs, allow_unmatched=True)
    assert network.people.ids.tolist() == ["10", "7", "200", "b", "a very long id"]
    assert list(network.people)[:3] == list(PEOPLE)
    assert list(network.people)[3:] == [(), ()]
    assert network.people.sensitive == PEOPLE.sensitive
    assert network.folded_edges.unmatched == 2
    assert network.edges.tolist() == [[0, 4], [1, 3]]


def test_without_people_they_are_those_of_the_edges() -> None:
    network = SocialNetwork.of(None, [("a", "b"), ("c", "b")])
    assert sorted(zip(network.people.ids.tolist(), network.degrees.tolist(), strict=True)) == [
        ("a", 1),
        ("b", 2),
        ("c", 1),
    ]


def test_people_need_ids_that_differ() -> None:
    with pytest.raises(DataError, match="must have ids"):
        SocialNetwork.of(Transactions.of([["a"]]), [])
    with pytest.raises(DataError, match="record 3 has"):
        SocialNetwork.of(people_called("1", "2", "1"), [])


def test_an_empty_end_is_refused() -> None:
    with pytest.raises(DataError, match=r"edge 2: .*be named"):
        SocialNetwork.of(PEOPLE, [("10", "7"), ("10", "")], allow_unmatched=True)


def test_edges_cannot_be_written() -> None:
    network = SocialNetwork.of(PEOPLE, [("10", "7")])
    with pytest.raises(ValueError, match="read-only"):
        network.edges[0, 0] = 2


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=30))
def test_folding_agrees_with_sets(pairs: list[tuple[int, int]]) -> None:
    people = people_called(*"012345")
    network = SocialNetwork.of(people, [(str(a), str(b)) for a, b in pairs])
    expected = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    assert [tuple(edge) for edge in network.edges.tolist()] == sorted(expected)
    folded = network.folded_edges
    assert folded.self_loops == sum(a == b for a, b in pairs)
    assert folded.mutual == sum(edge in pairs and edge[::-1] in pairs for edge in expected)
    assert folded.rows == len(pairs)
    assert folded.rows - folded.self_loops - folded.doubled - folded.mutual == len(expected)
    assert [sum(person in edge for edge in expected) for person in range(6)] == (
        network.degrees.tolist()
    )


@pytest.mark.parametrize("name", ["e.csv", "e.tsv.gz", "e.parquet"])
def test_edges_from_every_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    table = pl.DataFrame({"target": [7, 7], "weight": [1, 2], "source": [10, 200]})
    if name == "e.parquet":
        table.write_parquet(path)
    elif name == "e.csv":
        table.write_csv(path)
    else:
        path.write_bytes(gzip.compress(table.write_csv(separator="\t").encode()))
    network = SocialNetwork.read(PEOPLE, path)
    assert network.edges.tolist() == [[0, 1], [1, 2]]


def test_columns_and_lines_of_an_edge_file(tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    path.write_text("userID,friendID\n10,7\n10,99\n")
    columns = {"source": "userID", "target": "friendID"}
    with pytest.raises(DataError, match=r"e\.csv, line 3: .*among the people"):
        SocialNetwork.read(PEOPLE, path, columns=columns)
    network = SocialNetwork.read(PEOPLE, path, columns=columns, allow_unmatched=True)
    assert network.degrees.tolist() == [2, 1, 0, 1]
    with pytest.raises(DataError, match=r"column 'source'.*say which column is the source"):
        SocialNetwork.read(PEOPLE, path)
    with pytest.raises(DataError, match="source and target, got 'from'"):
        SocialNetwork.read(PEOPLE, path, columns={"from": "userID"})


@given(st.binary(max_size=60), st.sampled_from(["csv", "tsv.gz", "parquet"]))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, ending: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any-edges.{ending}"
    path.write_bytes(b"source,target\n" + content)
    try:
        network = SocialNetwork.read(None, path)
    except DataError as error:
        assert path.name in str(error)
    else:
        assert network.degrees.sum() == 2 * len(network.edges)


@pytest.mark.parametrize("name", ["edges.csv", "edges.parquet"])
def test_an_edge_file_with_nothing_but_a_header_joins_nobody(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    table = pl.DataFrame(schema={"source": pl.String, "target": pl.String})
    table.write_csv(path) if path.suffix == ".csv" else table.write_parquet(path)
    network = SocialNetwork.read(PEOPLE, path)
    assert network.degrees.tolist() == [0, 0, 0]
    assert network.folded_edges == FoldedEdges()
    # without people there would be nobody to join
    with pytest.raises(DataError, match="there must be a record after the header"):
        SocialNetwork.read(None, path)
