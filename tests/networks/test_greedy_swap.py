"""k-degree graphs: the promise for any graph, the least change of degrees, the swaps that end."""

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Release, rng, verify
from discreet.core.graph import Network
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.networks import GreedySwap, network_measures

WAYS = ["best", "raised", "nearest"]


@st.composite
def networks(draw: st.DrawFn, most: int = 9) -> Network:
    many = draw(st.integers(2, most))
    edges = draw(st.sets(st.sampled_from(list(combinations(range(many), 2))), min_size=1))
    return Network.of_edges(many, sorted(edges))


@settings(max_examples=60)
@given(networks(), st.integers(1, 4), st.sampled_from(WAYS), st.integers(0, 3))
def test_any_graph_is_published_with_its_promise(
    network: Network, k: int, degrees: str, seed: int
) -> None:
    assume(k <= len(network))
    method = GreedySwap(k=k, degrees=degrees)
    publication = method.publish(network, rng.seeded(seed))
    content = publication.release.content
    counts = [content.degrees.tolist().count(degree) for degree in content.degrees.tolist()]
    assert min(counts) >= k
    assert verify(publication.release).by_parts is True
    assert len(content) == len(network)
    again = Network.of_tables(content.tables())
    assert (again.count, again.edges.tolist()) == (content.count, content.edges.tolist())
    assert sorted(publication.linkage_key.tables["rows"]["record"].to_list()) == [
        *range(len(network))
    ]


@given(networks(), st.integers(1, 4), st.sampled_from(WAYS))
def test_fewer_people_than_k_are_refused(network: Network, more: int, degrees: str) -> None:
    method = GreedySwap(k=len(network) + more, degrees=degrees)
    with pytest.raises(InfeasibleError, match=f"is {len(network)}"):
        method.publish(network, rng.seeded(1))


def test_one_is_the_identity_and_no_name_is_published() -> None:
    network = Network.of([("Al", "Bo"), ("Bo", "Cy"), ("Cy", "Di"), ("Ed", "Ed")])
    publication = GreedySwap(k=1).publish(network, rng.seeded(2))
    content, keep = publication.release.content, publication.linkage_key
    record = dict(keep.tables["rows"].select("row", "record").iter_rows())
    back = {frozenset(record[end] for end in edge) for edge in content.edges.tolist()}
    assert back == {frozenset(edge) for edge in network.edges.tolist()}
    assert content.ids is None
    assert keep.tables["rows"]["id"].to_list() == [
        (network.ids or [])[number] if network.ids is None else network.ids[number]
        for number in keep.tables["rows"]["record"].to_list()
    ]
    assert "Al" not in repr(network) + repr(publication)
    assert repr(keep) == "LinkageKey(rows)"


@settings(max_examples=40)
@given(st.integers(12, 60), st.integers(2, 5), st.integers(0, 3))
def test_few_edges_are_not_drowned_in_new_ones(people: int, k: int, seed: int) -> None:
    """One person knows all others: keeping that would make k of them know everybody."""
    star = Network.of_edges(people, [(0, other) for other in range(1, people)])
    made = GreedySwap(k=k).publish(star, rng.seeded(seed))
    told = network_measures(star, made.release, key=made.linkage_key)
    # publishing nothing deletes all; that somebody must have a friend costs the pairs
    pairs = people // 2 + k
    assert told["edges_added"] + told["edges_deleted"] <= len(star.edges) + pairs


@settings(deadline=None, max_examples=40)
@given(st.integers(3, 90), st.integers(0, 30), st.integers(2, 12), st.integers(0, 3))
def test_a_star_changes_no_more_than_publishing_almost_nothing(
    friends: int, strangers: int, k: int, seed: int
) -> None:
    people = friends + 1 + strangers
    assume(people >= 2 * k + k % 2)
    star = Network.of_edges(people, [(0, other) for other in range(1, friends + 1)])
    made = GreedySwap(k=k).publish(star, rng.seeded(seed))
    told = network_measures(star, made.release, key=made.linkage_key)
    assert verify(made.release).by_parts is True
    # every edge goes, and k people, an even number, are joined in pairs: one pair may be the star's
    assert told["edges_added"] + told["edges_deleted"] <= len(star.edges) + (k + 1) // 2


@settings(deadline=None, max_examples=40)
@given(st.integers(3, 30), st.integers(3, 60), st.data(), st.integers(0, 3))
def test_a_sparse_graph_does_not_become_a_dense_one(
    friends: int, strangers: int, data: st.DataObject, seed: int
) -> None:
    """Where most know nobody everybody would get the degree of one person, or none."""
    people = friends + strangers
    star = Network.of_edges(people, [(0, other) for other in range(1, friends)])
    k = data.draw(st.integers(2, people))
    made = GreedySwap(k=k).publish(star, rng.seeded(seed))
    told = network_measures(star, made.release, key=made.linkage_key)
    assert verify(made.release).by_parts is True
    # a circle of all is the most that it may take to say that somebody has a friend
    assert told["edges_added"] + told["edges_deleted"] <= len(star.edges) + people


def test_what_cannot_be_published_is_refused() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1"):
        GreedySwap(k=0)
    with pytest.raises(DataError, match="at least one edge"):
        GreedySwap(k=2).publish(Network.of([("Al", "Al")]), rng.seeded(1))


def test_a_broken_promise_is_seen() -> None:
    path = Network.of_edges(4, [(0, 1), (1, 2), (1, 3)])
    honest = GreedySwap(k=2).publish(path, rng.seeded(1)).release
    broken = Release(path, honest.guarantees, honest.manifest)
    verdict = verify(broken)
    assert verdict.holds is False
    assert verdict.witness == "1 nodes have degree 3, not 2"
