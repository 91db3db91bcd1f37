"""COAT, PCTA and k^m-anonymity beside their bars, in processor time after a warm-up.

The generated baskets: their sizes are 1 plus a Poisson number, ten items on average before repeated
draws collapse; item ``i`` of ``n`` is drawn with a probability proportional to ``1 / (i + 1)``.
Constraints are 50 itemsets of one to three items, drawn uniformly from the items that occur; k = 5.
"""

from collections.abc import Iterator
from time import process_time

import numpy as np

from benchmarks.results import Results, data_at_hand
from discreet import Hierarchy, Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.itemsets import Itemsets
from discreet.generalised import Coat, Km, Pcta

K = 5


def main(results: Results) -> None:
    warm_up()
    for name, data, bar in samples():
        data.folded  # noqa: B018 (folding belongs to the noun, not to the method)
        by_constraints(results, name, data, bar)
    anonymity(results)


def baskets(people: int, items: int, seed: int = 0) -> Transactions:
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(people), 1 + rng.poisson(9, people))
    weights = 1 / np.arange(1, items + 1)
    drawn = np.sort(rng.choice(items, size=len(rows), p=weights / weights.sum()) + rows * items)
    drawn = drawn[np.diff(drawn, prepend=-1) > 0]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(drawn // items, minlength=people))])
    width = len(str(items))
    names = tuple(f"i{item:0{width}}" for item in range(items))
    return Transactions(Itemsets(offsets, (drawn % items).astype(np.int32), names))


def samples() -> Iterator[tuple[str, Transactions, float]]:
    yield "60,000 x 500", baskets(60_000, 500), 0.3
    if data_at_hand():
        for name in ("bms1", "bms2", "checkin"):
            yield name, Transactions.read(f"dataset:{name}"), 0.3
    yield "90,000 x 16,000", baskets(90_000, 16_000), 120.0


def drawn_constraints(data: Transactions, count: int = 50) -> Constraints:
    rng = np.random.default_rng(1)
    occurring = np.flatnonzero(data.supports)
    picked = [rng.choice(occurring, size=rng.integers(1, 4), replace=False) for _ in range(count)]
    return Constraints.of([[data.universe[item] for item in items] for items in picked])


def warm_up() -> None:
    data = Transactions.of(map(set, ["abc", "ab", "cd", "de", "aef", "f"]))
    tree = Hierarchy.of_levels([[item, "xy"[item > "c"], "*"] for item in "abcdef"])
    Coat(k=2, protect="items").publish(data, rng.seeded(1))
    Pcta(k=2, protect="rare").publish(data, rng.seeded(1))
    Km(k=2, m=3).publish(data, rng.seeded(1))
    Km(k=2, m=3, hierarchy=tree).publish(data, rng.seeded(1))


def by_constraints(results: Results, name: str, data: Transactions, bar: float) -> None:
    privacy = drawn_constraints(data)
    for method in (Coat(k=K, privacy=privacy), Pcta(k=K, privacy=privacy)):
        start = process_time()
        release = method.publish(data, rng.secure()).release
        taken = process_time() - start
        blocks = release.content.blocks
        merged = sum(len(block) > 1 for block in blocks)
        holds = verify(release, privacy=privacy).by_parts
        remark = f"{merged} of {len(blocks):,} blocks merged, verified: {holds}"
        results.seconds(f"{release.manifest.method}, {name}", taken, bar, remark)
    if bar > 1:
        start = process_time()
        Coat(k=K, protect="items").publish(data, rng.secure())
        results.seconds(f"coat, {name}, every item protected", process_time() - start, bar)


def anonymity(results: Results) -> None:
    data = baskets(60_000, 500)
    data.folded  # noqa: B018
    rows = [
        [u, f"a{i // 5}", f"b{i // 25}", f"c{i // 125}", "*"] for i, u in enumerate(data.universe)
    ]
    for m, bar in ((2, 2.0), (3, 10.0)):
        for how, tree in (("by sets", None), ("by hierarchy", Hierarchy.of_levels(rows))):
            start = process_time()
            release = Km(k=K, m=m, hierarchy=tree).publish(data, rng.secure()).release
            taken = process_time() - start
            start = process_time()
            holds = verify(release).by_parts
            remark = f"verified: {holds} in {process_time() - start:.2f} s"
            results.seconds(f"km-anonymity m = {m}, {how}", taken, bar, remark)
