"""Rho-uncertainty beside its bars: the exact check, GpASN on Last.fm, GpASN at Flixster's size.

Processor time. The bars are 8 s for the check of bms2, 20 s for Last.fm's, 60 s for GpASN on
Last.fm at each rho, 900 s and 8 GB at Flixster's size (``python -m benchmarks.rho``).
TDControl and Dist are to take no longer than GpASN on the same sets, and at most 3 times as long
for twice as many people and items.
"""

import resource
from dataclasses import replace
from time import process_time

import numpy as np

from benchmarks.results import Results, data_at_hand
from discreet import Hierarchy, SocialNetwork, Transactions, rng, verify
from discreet.core.guarantee import RhoUncertainty
from discreet.networks import Dist, GpAsn, TdControl
from discreet.papers.made_up_friends import FLIXSTER, MadeUp, made_up_friends
from discreet.semantics.co_occurrence import clusters
from discreet.verify.rho_uncertainty import rho_uncertainty


def main(results: Results) -> None:
    if not data_at_hand():
        return
    rho_uncertainty(Transactions.of([["a", "s"]]).sets, RhoUncertainty(rho=1), ["s"])
    check(results, "bms2", 8)
    check(results, "lastfm", 20)
    lastfm(results)
    rivals(results)


def check(results: Results, name: str, bar: float) -> None:
    """Meet every closed antecedent: at rho = 1 nothing is broken and nothing stops the search."""
    data = Transactions.read(f"dataset:{name}")
    secret = _drawn(np.arange(len(data.universe)))
    start = process_time()
    verdict = rho_uncertainty(
        data.sets, RhoUncertainty(rho=1), [data.universe[item] for item in secret]
    )
    taken = process_time() - start
    results.seconds(f"rho-uncertainty of raw {name}, checked", taken, bar, verdict.checked)


def lastfm(results: Results) -> None:
    people = Transactions.read("dataset:lastfm")
    for label, among in (
        ("popular", np.flatnonzero(people.supports >= 20)),
        ("any", np.arange(len(people.universe))),
    ):
        secret = frozenset(people.universe[item] for item in _drawn(among))
        data = SocialNetwork.read(replace(people, sensitive=secret), "dataset:lastfm-friends")
        tree = _kinds(data.people)
        total = _secrets(people.sets, secret)
        for rho in ("0.3", "0.5", "0.7"):
            start = process_time()
            release = (
                GpAsn(rho=rho, hierarchy=tree, split=0, secrets="spare")
                .publish(data, rng.seeded(1))
                .release
            )
            taken = process_time() - start
            remaining = _secrets(release.content.sets, secret)
            results.seconds(
                f"gp-asn, lastfm, {label} secrets, rho {rho}",
                taken,
                60,
                f"{total - remaining:,} of {total:,} sensitive occurrences lost; "
                f"verified: {verify(release).by_parts}",
            )


def rivals(results: Results) -> None:
    """TDControl and Dist beside GpASN on the same people, and how they grow."""
    for kind in (TdControl, Dist):
        seconds = []
        for people in (5_000, 10_000):
            size = MadeUp(people=people, edges=12 * people, items=people // 2, communities=50)
            data, tree = made_up_friends(size, rng.seeded(1))
            start = process_time()
            release = kind(rho="0.5", hierarchy=tree).publish(data.people, rng.seeded(1)).release
            seconds.append(process_time() - start)
        start = process_time()
        GpAsn(rho="0.5", hierarchy=tree, split=0, secrets="spare").publish(data, rng.seeded(1))
        beside = process_time() - start
        work = f"{release.manifest.method}, {people:,} people, rho 0.5"
        ours, holds = f"{seconds[1]:.1f} s", f"verified: {verify(release).by_parts}"
        results.add(work, ours, "gp-asn", seconds[1] / beside, holds)
        growth = seconds[1] / seconds[0]
        results.add(f"{work}, beside half", f"{growth:.1f} times", "3 times", growth / 3)


def flixster(results: Results) -> None:
    data, tree = made_up_friends(FLIXSTER, rng.seeded(1))
    total = _secrets(data.people.sets, data.people.sensitive)
    start = process_time()
    release = (
        GpAsn(rho="0.5", hierarchy=tree, split=0, secrets="spare")
        .publish(data, rng.seeded(1))
        .release
    )
    taken = process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    remaining = _secrets(release.content.sets, data.people.sensitive)
    work = "gp-asn at Flixster's size, rho 0.5"
    lost = f"{total - remaining:,} of {total:,} sensitive occurrences lost"
    results.seconds(work, taken, 900, f"{lost}; verified: {verify(release).by_parts}")
    results.add(f"{work}, memory", f"{memory:.1f} GB", "8 GB", memory / 8)


def _drawn(among: np.ndarray) -> list[int]:
    """Return a seeded twentieth."""
    order = rng.seeded(1).permutation(len(among))
    return among[np.sort(order[: len(among) // 20])].tolist()


def _kinds(people: Transactions) -> Hierarchy:
    plain = people.over([item for item in people.universe if item not in people.sensitive])
    named = zip(plain.universe, clusters(plain.sets, 7).tolist(), strict=True)
    return Hierarchy.of_levels([item, f"cluster {number}", "ALL"] for item, number in named)


def _secrets(sets, secret: frozenset[str]) -> int:
    is_secret = np.array([item in secret for item in sets.vocabulary])
    return int(is_secret[sets.items].sum())


if __name__ == "__main__":
    flixster(Results())
