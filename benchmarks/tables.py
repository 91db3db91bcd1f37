"""Tables beside their bars: Incognito on Adult, CODIP* and the measures on Census-Income."""

import os
from pathlib import Path
from time import perf_counter

from benchmarks.results import Results, data_at_hand
from discreet import Hierarchy, Microdata, rng, verify
from discreet.tables import CodipStar, Incognito, Mondrian, dependence, table_measures
from discreet.tables.folding import fold
from discreet.tables.generalising.lattice import lattice_of

ADULT = (
    "age", "education", "occupation", "native-country", "workclass", "marital-status", "race",
    "sex", "salary-class",
)  # fmt: skip


def main(results: Results) -> None:
    if not data_at_hand():
        return
    adult(results)
    mondrian(results)
    census(results)


def adult(results: Results) -> None:
    folder = Path(os.environ["DISCREET_DATA"]) / "adult_hierarchies"
    table = Microdata.read("dataset:adult-arx", qids=ADULT, sensitive=[]).table
    trees = {name: Hierarchy.read(folder / f"adult_hierarchy_{name}.csv") for name in ADULT}
    for columns in (6, 9):
        chosen = {name: trees[name] for name in ADULT[:columns]}
        for k, limit in ((5, 0.0), (10, 0.0), (5, 0.02), (5, 0.5)):
            start = perf_counter()
            scores = lattice_of(table, chosen).anonymous(k, int(limit * table.height))
            taken = perf_counter() - start
            remark = f"{len(scores.nodes):,} nodes, best {scores.discernibility.min():,}"
            work = f"incognito, adult, {columns} columns, k {k}, suppression {limit:g}"
            results.seconds(work, taken, 5, remark)


def mondrian(results: Results) -> None:
    """At most 5 % of Incognito's discernibility within a second after the first call."""
    folder = Path(os.environ["DISCREET_DATA"]) / "adult_hierarchies"
    for columns in range(6, 10):
        qids = ADULT[:columns]
        data = Microdata.read("dataset:adult-arx", qids=qids, sensitive=[])
        trees = tuple(
            (name, Hierarchy.read(folder / f"adult_hierarchy_{name}.csv")) for name in qids
        )
        best = int(Incognito(k=5, hierarchy=trees).search(fold(data)).scores.discernibility.min())
        for method in (Mondrian(k=5), Mondrian(k=5, relaxed=True), Mondrian(k=5, hierarchy=trees)):
            method.publish(data, rng.secure())
            start = perf_counter()
            release = method.publish(data, rng.secure()).release
            taken = perf_counter() - start
            cost = table_measures(data, release)["discernibility"]
            kind = "relaxed" if method.relaxed else "hierarchies" if method.hierarchy else "strict"
            share = int(str(cost)) / best
            work = f"mondrian, adult, {columns} columns, {kind}"
            results.seconds(work, taken, 1)
            results.add(f"{work}, discernibility", f"{cost:,}", "incognito's", share, "bar 0.05")


def census(results: Results) -> None:
    from discreet.papers.codip import census as people
    from discreet.papers.codip import hierarchies

    data = people()
    method = CodipStar(k=2, t="0.4", hierarchy=hierarchies())
    for _ in range(2):
        start = perf_counter()
        release = method.publish(data, rng.secure()).release
        taken = perf_counter() - start
    results.seconds(f"codip-star, {len(data):,} rows", taken, 2)
    start = perf_counter()
    holds = verify(release).by_parts
    checking = perf_counter() - start
    beside = "publishing it"
    results.add("codip-star, verified", f"{checking:.2f} s", beside, checking / taken, f"{holds}")
    start = perf_counter()
    dependence(data)
    results.seconds("mutual information of 15 attributes", perf_counter() - start, 0.2)
