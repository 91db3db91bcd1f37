"""Last.fm's friendships: k = 15, verified, nearly all edges kept, and who is found all the same."""

from pathlib import Path

import pytest

from discreet import rng, verify
from discreet.core.graph import Network
from discreet.networks import Circle, GreedySwap, Neighbourhood, network_measures


@pytest.fixture(scope="module", autouse=True)
def real(data_folder: Path) -> Path:
    return data_folder


def test_lastfm_keeps_its_edges_and_its_promise() -> None:
    network = Network.read("dataset:lastfm-friends")
    assert (len(network), len(network.edges)) == (1_892, 12_717)
    made = GreedySwap(k=15).publish(network, rng.seeded(1))
    assert verify(made.release).by_parts is True
    told = network_measures(network, made.release, key=made.linkage_key)
    assert told["edges_kept_share"] > 0.99
    assert told["community_jaccard"] > 0.5
    assert abs(told["clustering_after"] - told["clustering_before"]) < 0.01
    findings = Neighbourhood().attack([made.release], Circle())
    assert findings.summary["singled_out_by_degree"] > 1_000
