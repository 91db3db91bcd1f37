"""Seed propagation finds whom it should, and rewiring keeps degrees and loses the way."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Release, SocialNetwork, Transactions
from discreet.core.itemsets import Itemsets
from discreet.core.release import Manifest
from discreet.core.sets_with_network import SetsWithNetwork, ascending
from discreet.errors import DataError, ParameterError
from discreet.networks import Placed, Propagation, score_with_friends
from discreet.networks.hiding import keep_rows
from discreet.networks.rewiring import rewired
from discreet.rng import seeded

PEOPLE = 300


def friends() -> SocialNetwork:
    """People who know about a dozen others, some of whom hold a secret."""
    rng = seeded(4)
    pairs = rng.integers(PEOPLE, 2 * 6 * PEOPLE).reshape(-1, 2)
    edges = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    sets = Itemsets.of([["a", *(["x"] if row % 3 == 0 else [])] for row in range(PEOPLE)])
    return SocialNetwork(Transactions(sets, sensitive=frozenset("x")), ascending(edges))


def published(network: SocialNetwork, edges: np.ndarray) -> tuple[Release, np.ndarray]:
    order = seeded(9).permutation(len(network))
    number = np.argsort(order)
    sets = network.people.sets.take(order)
    group = np.zeros(len(network), dtype=np.int64)
    content = SetsWithNetwork(sets, group, ascending(number[edges]))
    made = Manifest(method="by hand", parameters={}, randomness="none", sensitive=("x",))
    return Release(content, (), made), order


def test_everyone_is_found_in_a_graph_that_was_only_renumbered() -> None:
    network = friends()
    release, order = published(network, network.edges)
    key = keep_rows(order)
    found = Propagation(seeds=12).attack(release, Placed.by_owner(network, key))
    summary = found.summary
    assert summary["mapped"] == summary["mapped_right"]
    assert int(summary["mapped"]) > 0.9 * PEOPLE
    assert summary["secrets_read"] == summary["secrets_read_right"]
    assert int(summary["mapped_from_wrong_seeds"]) < 0.2 * PEOPLE
    score = score_with_friends(found, [network], [release], [key])
    assert score.figures["identified"].share > 0.9
    assert score.success.share == 1.0
    assert "person" not in found.claims[0].record()


def test_a_rewired_graph_loses_the_way() -> None:
    network = friends()
    moved = rewired(network.edges, np.zeros(PEOPLE, dtype=np.int64), Fraction(1), seeded(1))
    release, order = published(network, moved)
    found = Propagation(seeds=12).attack(release, Placed.by_owner(network, keep_rows(order)))
    assert int(found.summary["mapped_right"]) < 0.05 * PEOPLE


@settings(max_examples=100, deadline=None)
@given(
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30),
    st.lists(st.integers(0, 2), min_size=12, max_size=12),
    st.fractions(0, 1),
)
def test_rewiring_keeps_degrees_and_the_edges_between_groups(
    pairs: set[tuple[int, int]], groups: list[int], share: Fraction
) -> None:
    simple = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    edges = np.array(simple, dtype=np.int64).reshape(-1, 2)
    group = np.array(groups)
    made = rewired(edges, group, share, seeded(2))
    assert len({tuple(edge) for edge in made.tolist()}) == len(edges)
    assert (made[:, 0] < made[:, 1]).all()
    for each in (edges, made):
        assert np.bincount(each.ravel(), minlength=12).tolist() == (
            np.bincount(edges.ravel(), minlength=12).tolist()
        )
    between = [sorted(map(tuple, np.sort(group[each], axis=1).tolist())) for each in (edges, made)]
    assert between[0] == between[1]
    still = {tuple(edge) for edge in made.tolist()} & set(simple)
    assert len(edges) - len(still) <= share * len(edges)


def test_what_it_needs_is_said() -> None:
    network = friends()
    release, _ = published(network, network.edges)
    with pytest.raises(DataError, match="needs the private data and the key"):
        Propagation().attack(release)
    with pytest.raises(ParameterError, match="seeds must be at least 1"):
        Propagation(seeds=0)
