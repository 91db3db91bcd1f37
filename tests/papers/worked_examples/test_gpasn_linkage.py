"""Wang, Lin, Bai, Chang, Li and Liu 2020: Example 1, and the graph of Greedy_Swap behind it."""

from typing import Any

import numpy as np

from discreet import Release, rng, verify
from discreet.core.graph import Network
from discreet.core.guarantees.graphs import KDegree
from discreet.core.guarantees.rho import RhoUncertainty
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.networks import Acquainted, GreedySwap, SetsAndDegree
from discreet.networks.graphs.degree_sequences import anonymous_degrees, deficit, near_graph
from tests.releases import as_released

EDGES = [(1, 3), (2, 3), (3, 6), (3, 7), (5, 6), (5, 7), (2, 5), (4, 5), (2, 4)]
"""Figure 1(a); the image is determined by the degrees and edges that the text names."""
TABLE_1B = [["a1"], ["alpha"], ["b3", "alpha"], ["b3"], ["a1", "alpha"], ["a1", "b3"], ["a1"]]
FIGURE_1A = Network.of_edges(7, [(one - 1, other - 1) for one, other in EDGES])


def example_1() -> Release[Any]:
    """Table 1(b) and Figure 1(b), published under the same numbers."""
    degrees = anonymous_degrees(FIGURE_1A.degrees, 2)
    assert degrees is not None
    edges = near_graph(degrees, FIGURE_1A.edges)
    content = SetsWithNetwork.of(TABLE_1B, [0] * 7, [(int(a), int(b)) for a, b in edges])
    return as_released(
        content,
        RhoUncertainty(rho="0.6"),
        KDegree(k=2),
        method="two by themselves",
        sensitive=("alpha", "gamma"),
    )


def test_the_degrees_of_figure_1a() -> None:
    assert FIGURE_1A.degrees.tolist() == [1, 3, 4, 2, 4, 2, 2]


def test_the_degrees_are_shared_at_a_cost_of_two() -> None:
    shared = anonymous_degrees(FIGURE_1A.degrees, 2)
    assert sorted(shared.tolist(), reverse=True) == [4, 4, 3, 3, 2, 2, 2]
    assert int(shared.sum() - FIGURE_1A.degrees.sum()) == 2
    assert deficit(shared) == 0


def test_the_swaps_bring_all_nine_edges_back_and_one_is_new() -> None:
    for seed in range(20):
        publication = GreedySwap(k=2).publish(FIGURE_1A, rng.seeded(seed))
        record = publication.linkage_key.tables["rows"].sort("row")["record"].to_numpy()
        published = {frozenset(edge) for edge in record[publication.release.content.edges].tolist()}
        original = {frozenset(edge) for edge in FIGURE_1A.edges.tolist()}
        assert original < published
        # one of the nodes with two edges is raised to three, and joined with node 1
        ((one, other),) = published - original
        assert 0 in (one, other)
        assert FIGURE_1A.degrees[[one, other]].tolist() in ([1, 2], [2, 1])
        assert verify(publication.release).by_parts is True


def test_each_release_of_example_1_keeps_its_promise() -> None:
    assert verify(example_1()).by_parts is True


def test_example_1_items_and_friends_together_tell_what_neither_tells() -> None:
    release = example_1()
    both = SetsAndDegree().attack([release], Acquainted(items=("b3",), degree=4))
    assert both.summary == {"candidates": 1}
    assert ("alpha",) in [claim.inferred for claim in both.claims]
    assert [claim.confidence for claim in both.claims] == [1.0, 1.0]
    assert {claim.row for claim in both.claims} == {2}
    for alone in (Acquainted(items=("b3",)), Acquainted(degree=4)):
        findings = SetsAndDegree(confidence="0.61").attack([release], alone)
        surest = max((claim.confidence for claim in findings.claims), default=0.0)
        assert findings.summary["candidates"] in (2, 3)
        assert surest <= 0.6 or alone.degree == 4


def test_a_search_finds_example_1_by_itself() -> None:
    findings = SetsAndDegree().attack([example_1()], Acquainted())
    told = [claim for claim in findings.claims if claim.known == ("b3", "4 friends")]
    assert [(claim.inferred, claim.confidence) for claim in told if claim.inferred] == [
        (("alpha",), 1)
    ]
    assert findings.summary["singled_out_by_both"] > max(
        findings.summary["singled_out_by_items"], findings.summary["singled_out_by_degree"]
    )
    assert np.isclose(max(claim.confidence for claim in findings.claims), 1)
