"""Graphs: Greedy_Swap with k = 15, attacks on a joint release, Girvan and Newman's algorithm."""

from time import process_time
from typing import Any

import numpy as np

from benchmarks.results import Results
from discreet import rng, verify
from discreet.core.graph import Network
from discreet.core.sets_with_network import ascending
from discreet.networks import (
    Acquainted,
    Circle,
    GreedySwap,
    Neighbourhood,
    SetsAndDegree,
    SideBySide,
    edges_changed,
)
from discreet.networks.kernels.betweenness import taken_apart
from discreet.papers.made_up_friends import FLIXSTER, MadeUp, made_up_friends

SIZES = (
    (MadeUp(people=5_000, edges=40_000, items=500, communities=30), 0.5),
    (FLIXSTER, 20.0),
)
"""People and friends, and the seconds that Greedy_Swap may take."""


def main(results: Results) -> None:
    GreedySwap(k=2).publish(Network.of([("1", "2"), ("2", "3")]), rng.seeded(1))  # compiled once
    for size, bar in SIZES:
        people, _ = made_up_friends(size, rng.seeded(2020))
        network = Network.of_people(people)
        start = process_time()
        made = GreedySwap(k=15).publish(network, rng.seeded(1))
        taken = process_time() - start
        assert made.linkage_key is not None
        record = made.linkage_key.tables["rows"].sort("row")["record"].to_numpy()
        changes = edges_changed(len(network), network.edges, record[made.release.content.edges])
        results.seconds(
            f"greedy-swap, {len(network):,} nodes, {len(network.edges):,} edges",
            taken,
            bar,
            f"{changes['edges_kept_share']:.2%} of the edges kept; "
            f"verified: {verify(made.release).by_parts}",
        )
    attacks(results)
    taking_apart(results)


def attacks(results: Results) -> None:
    people, tree = made_up_friends(SIZES[0][0], rng.seeded(2020))
    start = process_time()
    release = SideBySide(rho="0.5", k=15, hierarchy=tree).publish(people, rng.seeded(1)).release
    published = process_time() - start
    runs: list[tuple[Any, Any]] = [(SetsAndDegree(), Acquainted()), (Neighbourhood(), Circle())]
    for attack, knows in runs:
        start = process_time()
        findings = attack.attack([release], knows)
        taken = process_time() - start
        work, remark = f"{findings.attack}, {len(people):,} people", f"{len(findings):,} claims"
        results.add(work, f"{taken:.2f} s", "publishing side by side", taken / published, remark)


def taking_apart(results: Results) -> None:
    """Take a graph apart, and again with igraph counting every path anew after every edge."""
    import igraph

    size = MadeUp(people=400, edges=2_000, items=50, communities=8)
    people, _ = made_up_friends(size, rng.seeded(2020))
    nodes, edges = len(people), ascending(people.edges)
    taken_apart(nodes, edges[:3])  # compiled once
    start = process_time()
    order = taken_apart(nodes, edges)
    ours = process_time() - start
    start = process_time()
    left, gone = edges.tolist(), []
    while left:
        travelled = np.array(igraph.Graph(n=nodes, edges=left).edge_betweenness())
        gone.append(left.pop(int(np.flatnonzero(travelled >= travelled.max() - 1e-9)[0])))
    plain = process_time() - start
    work = f"Girvan-Newman, {nodes:,} nodes, {len(edges):,} edges"
    note = f"the same order: {edges[order].tolist() == gone}"
    results.add(work, f"{ours:.2f} s", "igraph counting every path anew", ours / plain, note)
