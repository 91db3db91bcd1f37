"""Graphs beside their bars: Greedy_Swap with k = 15, and the attacks on a joint release."""

from time import process_time
from typing import Any

from discreet import chance, verify
from discreet.attack import Acquainted, Circle, Neighbourhood, SetsAndDegree
from discreet.data.graph import Network
from discreet.experiments.made_up_friends import FLIXSTER, MadeUp, made_up_friends
from discreet.measure import edges_changed
from discreet.publish import GreedySwap, SideBySide

SIZES = (
    (MadeUp(people=5_000, edges=40_000, items=500, communities=30), 0.5),
    (FLIXSTER, 20.0),
)
"""People and friends, and the seconds that Greedy_Swap may take."""


def main() -> None:
    GreedySwap(k=2).publish(Network.of([("1", "2"), ("2", "3")]), chance.seeded(1))  # compiled once
    for size, bar in SIZES:
        people, _ = made_up_friends(size, chance.seeded(2020))
        network = Network.of_people(people)
        start = process_time()
        made = GreedySwap(k=15).publish(network, chance.seeded(1))
        taken = process_time() - start
        assert made.keep is not None
        record = made.keep.tables["rows"].sort("row")["record"].to_numpy()
        told = edges_changed(len(network), network.edges, record[made.release.content.edges])
        print(
            f"greedy-swap, {len(network):,} nodes, {len(network.edges):,} edges: {taken:.2f} s, "
            f"{taken / bar:.2f} of the bar; {told['edges_kept_share']:.2%} of the edges kept; "
            f"verified: {verify(made.release).holds}"
        )
    attacks()


def attacks() -> None:
    people, tree = made_up_friends(SIZES[0][0], chance.seeded(2020))
    start = process_time()
    release = SideBySide(rho="0.5", k=15, hierarchy=tree).publish(people, chance.seeded(1)).release
    published = process_time() - start
    runs: list[tuple[Any, Any]] = [(SetsAndDegree(), Acquainted()), (Neighbourhood(), Circle())]
    for attack, knows in runs:
        start = process_time()
        found = attack.attack([release], knows)
        taken = process_time() - start
        told = f"{len(found):,} claims, {taken / published:.2f} of the time to publish"
        print(f"{found.attack} on {len(people):,} people: {taken:.2f} s ({told})")


if __name__ == "__main__":
    main()
