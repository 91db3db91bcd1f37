"""Shao and Ong 2017, Tables I and II and Figures 13 to 16, re-measured on public texts.

AOL's queries were withdrawn and I2B2's reports are restricted, so Reuters-21578 and Brown stand in
for them (experiments.texts says which documents, and by which others they are scored). Each release
has its own seed for the protected items; every measure is a mean over releases with an interval.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from functools import cache
from statistics import median
from time import process_time
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.constraints import Constraints
from discreet.core.publication import LinkageKey
from discreet.generalised.coat import Coat
from discreet.generalised.elimination.reconstruction import Context, Distances, reconstruct
from discreet.generalised.elimination.rules import Method, eliminate
from discreet.generalised.scoring import Candidates, Eliminations, eliminations
from discreet.lazy import pl
from discreet.papers.figure import Row, table_of
from discreet.papers.sampling import Answer, Estimate, Lab
from discreet.papers.texts import SELECTIONS, Selection, selection
from discreet.rng import seeded
from discreet.semantics import WordNet

Utility: TypeAlias = float | Literal["nearest"] | None
"""The similarity in WordNet above which items may stand for each other, sets that share an item
joined; or each item only for the protected one it is nearest to; None: all may."""

METHODS: Final[tuple[Method, ...]] = ("ra", "mda", "tba", "wba", "gba", "rba")
KS = (2, 3, 4, 5, 6)
SHARE = 10
"""Percent of the items that are protected; the paper does not say its own."""
SEEDS = 5
"""Releases of a point."""
MOST_ROWS = 1000
STANDS_FOR = {"reuters-mixed": "AOL", "reuters-acq": "I2B2", "reuters-dense": "GoArticle"}
UTILITIES: Final[tuple[Utility, ...]] = (None, 0.5, 0.9, "nearest")
"""Utility sets of Figure 15."""
BASKETS = (("bms2", 50), ("bms2", 100), ("checkin", 20), ("checkin", 50))
"""Baskets, and a k that some of their items fall short of."""
SIZES = ((10, 10), (50, 10), (100, 20), (500, 20), (1000, 40), (2000, 80))
"""Tables of Figure 16, rows and columns."""


def attacked(name: str, k: int, seed: int, near: Utility = None) -> Answer:
    """Publish a selection by COAT with ``SHARE`` percent of its items protected, and attack it.

    Returns the number of generalised items, the share of the items that were left out, and for each
    of the six attacks what it uncovers.
    """
    chosen = selection(name)
    data = chosen.data
    protected = _protected(chosen, seed)
    general = {"utility": None} if near is None else {"utility": _near(chosen, protected, near)}
    privacy = Constraints.of([item] for item in protected)
    # items that may stand for no other can only be left out
    method = Coat(k=k, privacy=privacy, suppress=0 if near is None else 100, **general)
    publication = method.publish(data, seeded(seed))
    content, key = publication.release.content, publication.linkage_key
    distances = Distances.of(content, chosen.measure, Context(), seeded(seed))
    answers = {}
    for how in METHODS:
        gone = reconstruct(distances, how, seeded(seed), most_rows=MOST_ROWS)
        pairs = zip(gone.blocks.tolist(), gone.members.tolist(), strict=True)
        items = [content.blocks[block][member] for block, member in pairs]
        answers[how] = _answer(eliminations(data, content, key or LinkageKey({}), gone.rows, items))
    missing = 1 - sum(map(len, content.blocks)) / max(1, int((data.supports > 0).sum()))
    return {"generalised": int((~content.trivial).sum()), "suppressed": missing, "found": answers}


def _answer(result: Eliminations) -> Answer:
    """Return the measures of one attack, and its counts by class of density."""
    total = result.total
    return {
        "total": asdict(total),
        "measures": {
            "precision": total.precision.share,
            "precision at random": total.by_chance[0],
            "recall": total.recall.share,
            "F": total.f,
            "originals eliminated": result.excluded.share,
            "transactions reconstructed": result.reconstructed.share,
            "candidate people before": result.candidates_before,
            "candidate people after": result.candidates_after,
        },
        "by_density": [[low, asdict(candidates)] for low, candidates in result.by_density],
    }


def _protected(chosen: Selection, seed: int) -> list[str]:
    universe = chosen.data.universe
    count = -(-len(universe) * SHARE // 100)
    return [universe[index] for index in np.sort(seeded(seed).permutation(len(universe))[:count])]


@cache
def _pairs(name: str) -> tuple[Any, Any, Any]:
    """Return all pairs of items of a selection that WordNet relates, with the similarity."""
    return WordNet.read().related(selection(name).data.universe)


def _near(
    chosen: Selection, protected: Iterable[str], near: float | Literal["nearest"]
) -> Constraints:
    """Return the sets of items near a protected one, disjoint."""
    universe = chosen.data.universe
    number = {item: index for index, item in enumerate(universe)}
    secret = np.zeros(len(universe), dtype=np.bool_)
    secret[[number[item] for item in protected]] = True
    pairs = _pairs(chosen.name)
    group = _to_nearest(secret, *pairs) if near == "nearest" else _joined(secret, near, *pairs)
    sets = (np.flatnonzero(group == root) for root in np.unique(group[secret]))
    return Constraints.of([universe[index] for index in members.tolist()] for members in sets)


def _to_nearest(
    secret: NDArray[np.bool_],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    value: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Return for each item the protected one it is nearest to: itself where it is protected."""
    item, near = np.concatenate([left, right]), np.concatenate([right, left])
    both = np.concatenate([value, value])
    mask = secret[near] & ~secret[item]
    item, near, both = item[mask], near[mask], both[mask]
    order = np.lexsort((near, -both, item))
    items, first = np.unique(item[order], return_index=True)
    nearest = np.where(secret, np.arange(len(secret)), -1)
    nearest[items] = near[order[first]]
    return nearest


def _joined(
    secret: NDArray[np.bool_],
    near: float,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    value: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Return a number for each item, equal where a chain of near items joins them."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    mask = (value > near) & (secret[left] | secret[right])
    ones = np.ones(int(mask.sum()), dtype=np.int8)
    graph = coo_array((ones, (left[mask], right[mask])), shape=(len(secret), len(secret)))
    _, component = connected_components(graph, directed=False)
    return np.asarray(component, dtype=np.int64)


def _runs(lab: Lab, points: Iterable[tuple[str, int, Utility]]) -> Iterator[tuple[Any, ...]]:
    """Yield each point with its releases."""
    listed = list(points)
    seeds = range(lab.seed, lab.seed + min(SEEDS, lab.rounds))
    answers = lab.asked(
        attacked, [(name, k, seed, near) for name, k, near in listed for seed in seeds]
    )
    for name, k, near in listed:
        yield name, k, near, [answers[name, k, seed, near] for seed in seeds]


def _row(
    data: str, method: str, measure: str, values: Iterable[float], paper: float | None = None
) -> Row:
    estimate = Estimate.of([float(value) for value in values])
    return {"data": data, "method": method, "measure": measure, "paper": paper} | asdict(estimate)


def _table(figure: str, rows: Iterable[Row], note: str | None = None) -> "pl.DataFrame":
    return table_of(f"semantic {figure}", rows, note=note)


def table_1(lab: Lab) -> "pl.DataFrame":
    """Return density and length of each selection, over all k."""
    printed = {"AOL": (0.22, 23), "I2B2": (0.28, 216), "GoArticle": (0.55, 104)}
    rows = []
    for name in SELECTIONS:
        density, length = printed.get(STANDS_FOR.get(name, ""), (None, None))
        runs = [run for _, _, _, runs in _runs(lab, ((name, k, None) for k in KS)) for run in runs]
        dense = [
            Candidates(**run["found"]["rba"]["total"]).density for run in runs if run["generalised"]
        ]
        rows.append(_row(name, "", "density", dense, density))
        rows.append(_row(name, "", "length", [selection(name).data.sets.sizes.mean()], length))
    return _table("table-1", rows, "paper: the data set that each selection stands for")


def table_2(lab: Lab) -> "pl.DataFrame":
    """Return the number of transactions and, at k = 4, of generalised items."""
    printed = {"AOL": (758, 127), "I2B2": (643, 112), "GoArticle": (263, 45)}
    rows = []
    for name, _, _, runs in _runs(lab, ((name, 4, None) for name in SELECTIONS)):
        count, items = printed.get(STANDS_FOR.get(name, ""), (None, None))
        rows.append(_row(name, "", "transactions", [len(selection(name).data)], count))
        rows.append(
            _row(name, "k 4", "generalised items", (run["generalised"] for run in runs), items)
        )
    return _table("table-2", rows, "paper: the generalised items it attacked, not all it had")


def figure_13(lab: Lab) -> "pl.DataFrame":
    """Return precision, recall and F of six attacks against k."""
    rows: list[Row] = []
    for name, k, _, runs in _runs(lab, ((name, k, None) for name in SELECTIONS for k in KS)):
        rows += _scores(name, f"k {k}", runs, _printed_13(name))
    return _table("figure-13", rows, "paper: about, read from its text; its figure has no numbers")


def _printed_13(name: str) -> Mapping[tuple[Method, str], float]:
    mixed: dict[tuple[Method, str], float] = {("rba", "F"): 0.8, ("ra", "precision"): 0.7}
    return mixed if name == "reuters-mixed" else {}


def _scores(
    name: str,
    setting: str,
    runs: list[Answer],
    printed: Mapping[tuple[Method, str], float],
    methods: Iterable[Method] = METHODS,
) -> Iterator[Row]:
    """Yield the scores of each attack, and what is left of a hidden item's candidates."""
    usable = [run for run in runs if run["generalised"]]
    for how in methods if usable else ():
        measured = [run["found"][how]["measures"] for run in usable]
        for measure in measured[0]:
            values = [measures[measure] for measures in measured]
            yield _row(name, f"{how}, {setting}", measure, values, printed.get((how, measure)))


def figure_14(lab: Lab) -> "pl.DataFrame":
    """Return precision, recall and F against the density of generalised items."""
    points = [(name, k, None) for name in SELECTIONS for k in KS]
    together: dict[tuple[Method, float], dict[int, list[Candidates]]] = {}
    for _, _, _, runs in _runs(lab, points):
        for release, run in enumerate(runs):
            for how in METHODS[2:]:
                for low, counts in run["found"][how]["by_density"]:
                    seeds = together.setdefault((how, low), {})
                    seeds.setdefault(release, []).append(Candidates(**counts))
    rows = []
    for (how, low), seeds in sorted(together.items(), key=lambda each: each[0]):
        sums = [_summed(candidates) for candidates in seeds.values()]
        label = f"{how}, density {low:.1f} to {low + 0.1:.1f}"
        for measure, pick in PICKS.items():
            rows.append(_row("all selections", label, measure, map(pick, sums)))
    return _table("figure-14", rows, "generalised items of all selections and k, by their density")


PICKS: Final[Mapping[str, Callable[[Candidates], float]]] = {
    "precision": lambda counts: counts.precision.share,
    "precision at random": lambda counts: counts.by_chance[0],
    "recall": lambda counts: counts.recall.share,
    "F": lambda counts: counts.f,
}


def _summed(candidates: Iterable[Candidates]) -> Candidates:
    listed = list(candidates)
    names = [field.name for field in fields(Candidates)]
    return Candidates(**{name: sum(getattr(counts, name) for counts in listed) for name in names})


def figure_15(lab: Lab) -> "pl.DataFrame":
    """Return TBA and RBA where all items may stand for each other, and where only near ones may."""
    rows: list[Row] = []
    name = "reuters-mixed"
    points: list[tuple[str, int, Utility]] = [(name, k, near) for k in KS for near in UTILITIES]
    for _, k, near, runs in _runs(lab, points):
        setting = f"k {k}, {_label(near)}"
        rows += _scores(name, setting, runs, {}, ("tba", "rba"))
        rows.append(
            _row(name, f"coat, {setting}", "suppressed", (run["suppressed"] for run in runs))
        )
    return _table("figure-15", rows, "paper: slightly lower with semantically consistent sets")


def _label(near: Utility) -> str:
    if near is None:
        return "general"
    return "wordnet nearest" if near == "nearest" else f"wordnet above {near:g}"


def figure_16(lab: Lab) -> "pl.DataFrame":
    """Return the processor time of an attack on one table against its size."""
    rows = []
    for done, (count, wide) in enumerate(SIZES):
        lab.progress(done, len(SIZES))
        table = seeded(lab.seed).integers(1 << 40, count * wide).reshape(count, wide) / (1 << 40)
        for how in METHODS[2:]:
            eliminate(table, how, seeded(1))
            taken = [_milliseconds(table, how) for _ in range(1 if count > 500 else 5)]
            rows.append(_row(f"{count} x {wide}", how, "milliseconds", [median(taken)]))
            gone = len(eliminate(table, how, seeded(1)))
            rows.append(_row(f"{count} x {wide}", how, "eliminations", [gone]))
    return _table("figure-16", rows, "distances drawn uniformly: the most eliminations of all")


def _milliseconds(table: Any, how: Method) -> float:
    before = process_time()
    eliminate(table, how, seeded(1))
    return 1000 * (process_time() - before)


def shopping(lab: Lab) -> "pl.DataFrame":
    """Return the attacks on clicks and check-ins, scored by how items go together in other people.

    The paper takes such data for unsuitable (section 4.1), without a measurement.
    """
    rows: list[Row] = []
    for name, k, _, runs in _runs(lab, ((name, k, None) for name, k in BASKETS)):
        rows += _scores(name, f"k {k}", runs, {})
    return _table(
        "shopping", rows, "one half of the people is attacked, the other half is the corpus"
    )


FIGURES: Mapping[str, Callable[[Lab], "pl.DataFrame"]] = {
    "table-1": table_1,
    "table-2": table_2,
    "figure-13": figure_13,
    "figure-14": figure_14,
    "figure-15": figure_15,
    "figure-16": figure_16,
    "shopping": shopping,
}
"""Tables and figures by name."""
