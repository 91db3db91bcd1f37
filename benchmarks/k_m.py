"""k^m-anonymity that is worth having: names kept and query error beside the trivial ways, and time.

Times are of the processor, the best of three after a warm-up, as a ratio to merging alone in the
same run.
"""

from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np

from benchmarks.generalising import baskets, warm_up
from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng, verify
from discreet.core.guarantee import KmAnonymity
from discreet.core.release import Manifest, Release
from discreet.generalised import Km, certainty_penalty, generalised_queries

K = 5
RUNS = 3
"""Of which the quickest counts."""
MOST_TIMES = 3.0
"""How many times as long as merging alone it may take."""


def main(results: Results) -> None:
    warm_up()
    for name, data in samples():
        data.folded  # noqa: B018 (folding belongs to the noun, not to the method)
        for m in (1, 2, 3):
            compare(results, name, data, m)


def samples() -> Iterator[tuple[str, Transactions]]:
    yield "60,000 x 500", baskets(60_000, 500)
    if not data_at_hand():
        return
    for name in ("checkin", "bms1", "bms2"):
        yield name, Transactions.read(f"dataset:{name}")


def compare(results: Results, name: str, data: Transactions, m: int) -> None:
    release, taken = timed(data, m)
    merged, before = timed(data, m, suppression="none")
    releases = {"found": release, "without the rarest": dropped(data, m), "merged": merged}
    remark = ", ".join(
        f"{title} {numbers(data, release)[0]:.1%} ({numbers(data, release)[1]:.2f})"
        for title, release in releases.items()
    )
    shares = [numbers(data, release)[0] for release in releases.values()]
    good = shares[0] >= max(shares) and verify(release).by_parts is not False
    work, bar = f"km-anonymity, {name}, m = {m}", f"{MOST_TIMES:g} times merging alone"
    note = f"{remark}; best and verified: {good}"
    results.add(work, f"{taken:.2f} s", bar, taken / before / MOST_TIMES, note)
    lost = (1 - shares[0]) / max(1 - max(shares[1:]), 1e-9)
    results.add(f"{work}, names lost", f"{1 - shares[0]:.2%}", "the better trivial way", lost)
    for loss in ("ncp", "query"):
        _, taken = timed(data, m, loss=loss)
        results.add(f"{work}, --loss {loss}", f"{taken:.2f} s", bar, taken / before / MOST_TIMES)


def timed(data: Transactions, m: int, **chosen: Any) -> tuple[Release[Any], float]:
    times = []
    for _ in range(RUNS):
        start = process_time()
        release = Km(k=K, m=m, **chosen).publish(data, rng.secure()).release
        times.append(process_time() - start)
    return release, min(times)


def numbers(data: Transactions, release: Release[Any]) -> tuple[float, float]:
    """Return the occurrences kept by name, and the error of queries."""
    penalty = certainty_penalty(data, release)["occurrences_by_name"]
    return penalty, generalised_queries(data, release)["query_error_expected"]


def dropped(data: Transactions, m: int) -> Release[Any]:
    """Return the data without their rarest items, as few as will do, found by halving."""
    order = np.argsort(-data.supports, kind="stable")
    works, fails = 0, len(order) + 1
    while fails - works > 1:
        middle = (works + fails) // 2
        if verify(_of(data, order[:middle], m)).by_parts:
            works = middle
        else:
            fails = middle
    return _of(data, order[:works], m)


def _of(data: Transactions, items: Any, m: int) -> Release[Any]:
    reduced = Transactions(data.sets.over([data.universe[item] for item in np.sort(items)]))
    manifest = Manifest(method="dropping rare items", parameters={}, randomness="none")
    return Release(reduced, (KmAnonymity(k=K, m=m),), manifest)
