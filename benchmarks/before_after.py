"""The same work by this house and by an earlier one, taking turns: processor time as ratios.

``python benchmarks/before_after.py FOLDER [NAME ...]``, with FOLDER a checkout of the earlier one,
such as ``git worktree add ../before dae1254``. Each house works in a process of its own, and both
run each piece several times, by turns; the least times are compared.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

BAR = 1.1
ROUNDS = 5
MODULES = (
    "discreet", "discreet.counts", "discreet.generalised", "discreet.tables", "discreet.series",
    "discreet.networks", "discreet.rng", "discreet.core.itemsets", "discreet.core.constraints",
    "discreet.core.graph", "discreet.core.publication", "discreet.core.fold",
    "discreet.counts.levels", "discreet.counts.knowledge", "discreet.tables.generalising.lattice",
    "discreet.series.segen", "discreet.series.folder", "discreet.semantics.co_occurrence",
    "discreet.generalised.elimination.rules", "discreet.papers.made_up_friends",
    # where the same stood before
    "discreet.publish", "discreet.attack", "discreet.chance", "discreet.data.itemsets",
    "discreet.data.constraints", "discreet.data.graph", "discreet.data.publication",
    "discreet.data.fold", "discreet.publish.counts.levels", "discreet.attack.knowledge",
    "discreet.engine.lattice", "discreet.experiments.segen", "discreet.experiments.serial",
    "discreet.engine.co_occurrence", "discreet.attack.elimination",
    "discreet.experiments.made_up_friends",
)  # fmt: skip

Work = Callable[[], object]


@cache
def known(name: str) -> Any:
    """Return what is called so in either house."""
    for module in MODULES:
        with suppress(ImportError, AttributeError):
            return getattr(import_module(module), name)
    raise LookupError(name)


def seeded() -> Any:
    return known("seeded")(1)


@cache
def data(name: str) -> Any:
    people = known("Transactions").read(f"dataset:{name}")
    _ = people.folded
    return people


def made_up(items: int, least: int, most: int, *, ids: bool = False) -> Any:
    """Return 500,000 baskets; of few items many are drawn again."""
    rng, people = np.random.default_rng(0), 500_000
    shares = np.cumsum(1 / np.arange(10, items + 10))
    sizes = rng.integers(least, most, people)
    drawn = np.searchsorted(shares / shares[-1], rng.random(sizes.sum())).clip(max=items - 1)
    keys = np.unique(np.repeat(np.arange(people), sizes) * items + drawn)
    offsets = np.zeros(people + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys // items, minlength=people), out=offsets[1:])
    names = tuple(map(str, range(items)))
    sets = known("Itemsets")(offsets, (keys % items).astype(np.int32), names)
    who = np.array([f"p{number}" for number in range(people)]) if ids else None
    return known("Transactions")(sets, who)


def folding(*shape: int) -> Work:
    people = made_up(*shape)
    return lambda: known("fold")(people.sets)


def cutting(*shape: int, ids: bool) -> Work:
    """Cut what is folded already to three items, as every count of large universes begins."""
    people = made_up(*shape, ids=ids)
    _ = people.folded
    try:
        limited = known("limited")
    except LookupError:
        limited = known("levels_of")
    return lambda: limited(people, None, 3, "cut", seeded())


def reading(name: str) -> Work:
    return lambda: known("Transactions").read(f"dataset:{name}").folded


def publishing(kind: str, name: str, **options: Any) -> Work:
    people = data(name)
    method = known(kind)(universe=people.universe, **options)
    return lambda: method.publish(people, seeded())


def linking() -> Work:
    release = known("DiffPart")(epsilon=1, universe=data("msnbc").universe).publish(
        data("msnbc"), seeded()
    )
    attack, knows = known("AttributeLinkage")(), known("Known")()
    return lambda: (attack.attack([release.release], knows), known("verify")(release.release))


def baskets(people: int, items: int) -> Any:
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(people), 1 + rng.poisson(9, people))
    weights = 1 / np.arange(1, items + 1)
    drawn = np.unique(rng.choice(items, size=len(rows), p=weights / weights.sum()) + rows * items)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(drawn // items, minlength=people))])
    names = tuple(f"i{item:05}" for item in range(items))
    sets = known("Itemsets")(offsets, (drawn % items).astype(np.int32), names)
    transactions = known("Transactions")(sets)
    _ = transactions.folded
    return transactions


def constrained(kind: str) -> Work:
    people, rng = baskets(60_000, 500), np.random.default_rng(1)
    occurring = np.flatnonzero(people.supports)
    picked = [rng.choice(occurring, size=rng.integers(1, 4), replace=False) for _ in range(50)]
    privacy = known("Constraints").of([[people.universe[at] for at in some] for some in picked])
    method = known(kind)(k=5, privacy=privacy)
    return lambda: method.publish(people, seeded())


def k_m(*, tree: bool) -> Work:
    people = baskets(60_000, 500)
    rows = [[u, f"a{i // 5}", f"b{i // 25}", "*"] for i, u in enumerate(people.universe)]
    options: dict[str, Any] = {"hierarchy": known("Hierarchy").of_levels(rows)} if tree else {}
    if "suppression" in known("Km").__dataclass_fields__:
        options["suppression"] = "none"  # as before; by default more is searched now
    method = known("Km")(k=5, m=2, **options)
    return lambda: method.publish(people, seeded())


def incognito() -> Work:
    names = ("age", "education", "occupation", "native-country", "workclass", "marital-status")
    folder = Path(os.environ["DISCREET_DATA"]) / "adult_hierarchies"
    table = known("Microdata").read("dataset:adult-arx", qids=names, sensitive=[]).table
    trees = {
        name: known("Hierarchy").read(folder / f"adult_hierarchy_{name}.csv") for name in names
    }
    return lambda: known("lattice_of")(table, trees).anonymous(5, 0)


def codip_star() -> Work:
    try:
        papers = import_module("discreet.papers.codip")
    except ImportError:
        papers = import_module("discreet.experiments.codip")
    people, trees = papers.census(), papers.hierarchies()
    method = known("CodipStar")(k=2, t="0.4", hierarchy=trees)
    # a copy each time: a table remembers what was derived from it
    return lambda: method.publish(replace(people), seeded())


@cache
def corpora() -> Any:
    return known("SeGen")(sample="0.05").make(data("bms2"), seeded()).corpora


def in_a_row(kind: str, **options: Any) -> Work:
    """Publish five corpora one after the other, each after the last."""

    def publish() -> None:
        past: Any = ()
        for corpus in corpora():
            if kind == "Sanony":
                made = known(kind)(after=past, **options).publish(corpus, seeded())
                past = (*past, made.release)
            else:
                made = known(kind)(keep=past or None, **options).publish(corpus, seeded())
                key = made.linkage_key if hasattr(made, "linkage_key") else made.keep
                past = known("State")(key)

    return publish


def composing() -> Work:
    series = known("publish_series")(known("Anony")(r_th=8), corpora(), seeded())
    releases = [each.release for each in series]
    return lambda: known("Composition")().attack(releases, known("Victim")())


@cache
def friends(people: int = 5_000) -> Any:
    size = known("MadeUp")(people=people, edges=8 * people, items=500, communities=30)
    return known("made_up_friends")(size, seeded())


def uncertain(kind: str, **options: Any) -> Work:
    network, tree = friends()
    people = network if kind == "GpAsn" else network.people
    method = known(kind)(rho="0.5", hierarchy=tree, **options)
    return lambda: method.publish(people, seeded())


def whole_groups() -> Work:
    """Publish by groups as they are, as before; by default they are split now if that is better."""
    # what stood for whole groups before is a choice between both ways now
    splits = "rewire" in known("GpAsn").__dataclass_fields__
    return uncertain("GpAsn", split=0 if splits else None)


def swapping() -> Work:
    graph = known("Network").of_people(friends()[0])
    return lambda: known("GreedySwap")(k=15).publish(graph, seeded())


def eliminating() -> Work:
    distances = np.random.default_rng(7).random((500, 20))
    return lambda: known("eliminate")(distances, "rba", seeded())


WORK: dict[str, Callable[[], Work]] = {
    "reading and folding msnbc": lambda: reading("msnbc"),
    "reading and folding bms2": lambda: reading("bms2"),
    "folding 500,000 of 17 items": lambda: folding(17, 1, 6),
    "folding 500,000 of 60 items": lambda: folding(60, 1, 8),
    "folding 500,000 of 1,000 items": lambda: folding(1000, 1, 8),
    "folding 500,000 of 2,000 items": lambda: folding(2000, 1, 12),
    "folding 500,000 longer ones of 500": lambda: folding(500, 5, 15),
    "cutting 500,000 of 17 items": lambda: cutting(17, 1, 6, ids=False),
    "cutting 500,000 of 60 items": lambda: cutting(60, 1, 8, ids=False),
    "cutting 500,000 of 1,000 items": lambda: cutting(1000, 1, 8, ids=False),
    "cutting 500,000 with ids, of 60 items": lambda: cutting(60, 1, 8, ids=True),
    "cutting 500,000 with ids, of 1,000": lambda: cutting(1000, 1, 8, ids=True),
    "2,000,000 draws of noise": lambda: lambda: known("discrete_laplace")(2_000_000, 1, seeded()),
    "apl-killer, msnbc": lambda: publishing("AplKiller", "msnbc", epsilon=1, fan_out=2),
    "diff-part, msnbc": lambda: publishing("DiffPart", "msnbc", epsilon=1, fan_out=2),
    "apl-killer, nltcs": lambda: publishing("AplKiller", "nltcs", epsilon=1, fan_out=2),
    "apl-killer, bms2": lambda: publishing("AplKiller", "bms2", epsilon=1, max_size=3),
    "diff-part, bms2": lambda: publishing("DiffPart", "bms2", epsilon=1, max_size=3),
    "priv-bayes, nltcs": lambda: publishing("PrivBayes", "nltcs", epsilon=1),
    "attribute-linkage and verify, msnbc": linking,
    "incognito's lattice, adult": incognito,
    "codip-star, census": codip_star,
    "coat": lambda: constrained("Coat"),
    "pcta": lambda: constrained("Pcta"),
    "km-anonymity by sets": lambda: k_m(tree=False),
    "km-anonymity by hierarchy": lambda: k_m(tree=True),
    "sanony, five releases": lambda: in_a_row("Sanony", r_th=8),
    "m-invariance, five releases": lambda: in_a_row("MInvariance", m=2),
    "composition": composing,
    "gp-asn, whole groups": whole_groups,
    "gp-asn, at its defaults": lambda: uncertain("GpAsn"),
    "td-control": lambda: uncertain("TdControl"),
    "dist": lambda: uncertain("Dist"),
    "greedy-swap": swapping,
    "semantic elimination": eliminating,
}


def work() -> None:
    """Do what standard input names, line by line, and answer each with the seconds it took."""
    ready: dict[str, Work] = {}
    for line in map(str.strip, sys.stdin):
        if line not in ready:
            ready.clear()
            ready[line] = WORK[line]()
            ready[line]()  # compiles
        start = process_time()
        ready[line]()
        print(f"took {process_time() - start}", flush=True)


def worker(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, __file__, "--work"],
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def taken(process: "subprocess.Popen[str]", name: str) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{name}\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("took "):
            return float(line.split()[1])
    raise SystemExit(f"{name} failed")


def main(folder: Path, names: list[str]) -> None:
    before, now = worker(folder), worker(Path(__file__).parents[1])
    print(f"{'':38} {'before':>8} {'now':>8}  ratio")
    for name in names or WORK:
        turns = [(taken(before, name), taken(now, name)) for _ in range(ROUNDS)]
        old, new = map(min, zip(*turns, strict=True))
        mark = "  above the bar" if new / old > BAR else ""
        print(f"{name:38} {old:8.3f} {new:8.3f}  {new / old:.2f}{mark}", flush=True)
    for process in (before, now):
        process.communicate()


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        main(Path(sys.argv[1]), sys.argv[2:])
