"""Seed propagation finds whom it should, and rewiring keeps degrees and loses the way."""

from fractions import Fraction

import numpy as np
import pytest

from discreet import Release, SocialNetwork, Transactions
from discreet.core.graph import Network
from discreet.core.itemsets import Itemsets
from discreet.core.sets_with_network import SetsWithNetwork, ascending
from discreet.errors import DataError, ParameterError
from discreet.networks import Placed, Propagation, score_with_friends
from discreet.networks.graphs.rewiring import rewired
from discreet.networks.hiding.choices import keep_rows
from discreet.rng import seeded
from tests.releases import as_released

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
    return as_released(content, sensitive=("x",)), order


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


def test_what_it_needs_is_said() -> None:
    network = friends()
    release, _ = published(network, network.edges)
    with pytest.raises(DataError, match="needs the private data and the key"):
        Propagation().attack(release)
    for lacking in (network.people, Network.of_people(network)):
        with pytest.raises(DataError, match="needs the people with their sets and friendships"):
            Placed.by_owner(lacking, keep_rows(np.arange(PEOPLE)))
    with pytest.raises(ParameterError, match="seeds must be at least 1"):
        Propagation(seeds=0)
