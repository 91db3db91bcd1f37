"""Wang, Lin, Bai, Chang, Li and Liu 2020, Table 4 and Figures 4 to 6, re-measured on Last.fm.

The paper prints its curves without numbers, does not say which artists are sensitive, and shows no
hierarchy. Here one in twenty of the artists with at least 20 listeners is sensitive, drawn with a
fixed seed, and the hierarchy has seven clusters of artists whom the same people hear. Flixster's
data are not distributed any more; made-up people of its size take their place. What the paper says
in words is set against our numbers in docs/reproduction/gpasn.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.graph import Network
from discreet.core.hierarchy import Hierarchy
from discreet.core.network import SocialNetwork
from discreet.core.publication import Publication
from discreet.core.sets_with_network import ascending
from discreet.core.transactions import Transactions
from discreet.lazy import pl
from discreet.measure import recoding_measures
from discreet.networks import (
    Acquainted,
    Circle,
    Dist,
    GpAsn,
    GreedySwap,
    Neighbourhood,
    RhoM,
    SetsAndDegree,
    SideBySide,
    TdControl,
    network_measures,
    score_with_friends,
    sets_network_measures,
)
from discreet.networks.graphs.communities import communities, modularity
from discreet.networks.hiding.local_recoding import Sparing
from discreet.networks.measures import communities_alike
from discreet.papers.figure import Row, table_of
from discreet.papers.figure import row_of as _row
from discreet.papers.made_up_friends import FLIXSTER, MadeUp, made_up_friends
from discreet.papers.sampling import Answer, Lab
from discreet.rng import seeded
from discreet.semantics.co_occurrence import clusters
from discreet.study.result_cache import ResultCache

Numbers: TypeAlias = Mapping[str, Any]

RHOS = ("0.3", "0.4", "0.5", "0.6", "0.7")
LARGE_RHOS = ("0.3", "0.5", "0.7")
"""Minutes each, at Flixster's size."""
KNOWN = (1, 2)
"""Items of a person that somebody knows, for the methods that bound this."""
SPLITS = (20, 10, 5)
K = 15
POPULAR, SHARE, PARENTS, SEED = 20, 0.05, 7, 2020


class People(NamedTuple):
    """People with sets and friends, and the hierarchy of their items."""

    network: SocialNetwork
    hierarchy: Hierarchy


@cache
def lastfm() -> People:
    """Return the people of Last.fm, with sensitive artists drawn among the popular ones."""
    people = Transactions.read("dataset:lastfm")
    popular = np.flatnonzero(people.supports >= POPULAR)
    drawn = popular[seeded(SEED).permutation(len(popular))[: round(SHARE * len(popular))]]
    secret = frozenset(people.universe[item] for item in drawn.tolist())
    people = replace(people, sensitive=secret)
    plain = people.over([item for item in people.universe if item not in secret])
    cluster = clusters(plain.sets, PARENTS).tolist()
    named = zip(plain.universe, cluster, strict=True)
    tree = Hierarchy.of_levels([item, f"cluster {index + 1}", "ALL"] for item, index in named)
    return People(SocialNetwork.read(people, "dataset:lastfm-friends"), tree)


@cache
def _made_up(size: MadeUp) -> People:
    return People(*made_up_friends(size, seeded(SEED)))


def _grouped(
    people: People, rho: str, split: int | None = None, known: int | None = None
) -> Publication[Any]:
    # whole groups as printed; against few known items the groups that the method chooses
    parts = split or (0 if known is None else None)
    # the search has the last word: with every secret gone there would be no curve
    sparing: Sparing = "spare" if known is None else "ncp"
    method = GpAsn(rho=rho, hierarchy=people.hierarchy, split=parts, known=known, secrets=sparing)
    return method.publish(people.network, seeded(SEED))


def _swapped(people: People) -> Publication[Any]:
    return GreedySwap(k=K).publish(Network.of_people(people.network), seeded(SEED))


def costs(
    method: str,
    rho: str | None = None,
    split: int | None = None,
    size: MadeUp | None = None,
    known: int | None = None,
) -> Answer:
    """Return what a method costs on Last.fm, or on made-up people of another size."""
    people = lastfm() if size is None else _made_up(size)
    measured: Numbers
    if method == "gp-asn":
        made = _grouped(people, str(rho), split, known)
        measured = sets_network_measures(people.network, made.release, key=made.linkage_key)
    elif method == "greedy-swap":
        made = _swapped(people)
        measured = network_measures(
            Network.of_people(people.network), made.release, key=made.linkage_key
        )
    else:
        hiding: Dist | RhoM | TdControl
        if method == "rho-m":
            hiding = RhoM(rho=str(rho), known=known or 1)
        else:
            kind = Dist if method == "dist" else TdControl
            hiding = kind(rho=str(rho), hierarchy=people.hierarchy)
        made = hiding.publish(people.network.people, seeded(SEED))
        measured = recoding_measures(people.network.people, made.release, key=made.linkage_key)
    return {
        name: float(value) for name, value in measured.items() if isinstance(value, int | float)
    }


def _table(figure: str, rows: Iterable[Row], note: str | None = None) -> "pl.DataFrame":
    return table_of(f"gpasn {figure}", rows, data="lastfm", note=note)


def table_4(lab: Lab) -> "pl.DataFrame":  # noqa: ARG001 (nothing to draw)
    """Return the sizes of the data, and the degree that Flixster's printed counts give."""
    network = lastfm().network
    sizes = {
        "users": (len(network), 1_892),
        "edges": (len(network.edges), 12_717),
        "average degree": (2 * len(network.edges) / len(network), 13.4),
        "items": (len(network.people.universe), 17_632),
    }
    rows = [_row("data", name, float(value), paper) for name, (value, paper) in sizes.items()]
    degree = 2 * FLIXSTER.edges / FLIXSTER.people
    note = "Flixster's average degree is printed as 18.5; its printed counts give 24.6"
    printed = _row("data", "average degree by the printed counts", degree, 18.5)
    return _table("table-4", [*rows, printed | {"data": "flixster"}], note)


def figure_4(lab: Lab) -> "pl.DataFrame":
    """Return the divergences of the items for rho from .3 to .7."""
    rows = _compared(lab, "kl_divergence", "jensen_shannon_divergence")
    return _table("figure-4", rows, "half an occurrence added to each item, in nats")


def figure_5(lab: Lab) -> "pl.DataFrame":
    """Return the certainty penalty, and beside it what deleting every secret would lose."""
    rows = _compared(
        lab,
        *("ncp", "deleted_share", "deleted_share_if_all_sensitive_were"),
        *("sensitive_deleted", "sensitive_deleted_if_all_were"),
    )
    return _table("figure-5", rows)


def rules(lab: Lab) -> "pl.DataFrame":
    """Return how many association rules are lost and new, announced in the paper, not shown."""
    rows = _compared(lab, "association_rules", "association_rules_lost", "association_rules_new")
    return _table("rules", rows, "one item to another, 1 % of the people, confidence 1/2")


def _compared(lab: Lab, *measures: str) -> Iterator[Row]:
    methods = ("gp-asn", "td-control", "dist")
    runs: dict[str, tuple[Any, ...]] = {
        f"{method}, rho {rho}": (method, rho) for rho in RHOS for method in methods
    }
    # not in the paper: whoever knows at most so many items of a person
    runs |= {
        f"{method}, rho 0.5, known {known}": (method, "0.5", None, None, known)
        for known in KNOWN
        for method in ("gp-asn", "rho-m")
    }
    return _measured(lab, runs, measures)


def _measured(
    lab: Lab, runs: Mapping[str, tuple[Any, ...]], measures: Iterable[str]
) -> Iterator[Row]:
    """Yield what each run costs by these measures, where it has them."""
    answers = lab.asked(costs, runs.values())
    for name, case in runs.items():
        for measure in measures:
            if measure in answers[case]:
                yield _row(name, measure.replace("_", " "), answers[case][measure])


GRAPH = (
    "community_jaccard", "community_jaccard_symmetric", "community_jaccard_by_people",
    "modularity_before", "modularity_after", "clustering_before", "clustering_after",
    "average_path_length_before", "average_path_length_after", "edges_kept_share",
    "degree_mean_change",
)  # fmt: skip
EDITS = ("edges_added", "edges_deleted", "edges_changed_at_least")


def figure_6(lab: Lab) -> "pl.DataFrame":
    """Return communities, clustering and path length beside Greedy_Swap with k = 15.

    The paper's groups are compared, and below them groups that are split by degree: more edges and
    communities stay, and more secrets go.
    """
    runs: dict[str, tuple[Any, ...]] = {f"gp-asn, rho {rho}": ("gp-asn", rho) for rho in RHOS}
    runs |= {f"gp-asn, rho 0.5, split {split}": ("gp-asn", "0.5", split) for split in SPLITS}
    runs[f"greedy-swap, k {K}"] = ("greedy-swap",)
    rows = _measured(lab, runs, (*GRAPH, *EDITS, "sensitive_deleted"))
    return _table("figure-6", rows, "communities by Leiden, mean of five runs")


def kept_communities(lab: Lab, count: int, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the community of each of ``count`` nodes, from the lab's folder if it is there.

    No chance is involved and nothing but the graph decides, so that is all the key holds: what was
    found once stays found, whatever else changes in the house.
    """
    ordered = ascending(edges)
    graph = sha256(ordered.astype("<i8").tobytes()).hexdigest()
    key = {"communities": "Girvan-Newman", "nodes": count, "edges": graph}
    cache = ResultCache(lab.folder)
    cached = cache.find(key)
    if cached is not None:
        return np.array(cached["member"], dtype=np.int64)
    member = communities(count, ordered, 0, algorithm="Girvan-Newman")
    cache.keep(key, {"member": member.tolist()})
    return member


def girvan_newman(lab: Lab) -> "pl.DataFrame":
    """Return the communities of figure 6 by the paper's own algorithm: slow, once, then kept."""
    people = lastfm()
    network = people.network
    count, rows = len(network), []
    before = kept_communities(lab, count, network.edges)
    made = {"gp-asn, rho 0.5": _grouped(people, "0.5"), f"greedy-swap, k {K}": _swapped(people)}
    lab.progress(1, 1 + len(made))
    for done, (method, publication) in enumerate(made.items(), 2):
        edges = publication.release.content.edges
        if publication.linkage_key is not None:
            edges = publication.linkage_key.records(count, count)[edges]
        after = kept_communities(lab, count, edges)
        measured = communities_alike(before, after) | {
            "modularity_before": modularity(before, network.edges),
            "modularity_after": modularity(after, edges),
        }
        rows += [_row(method, name.replace("_", " "), value) for name, value in measured.items()]
        lab.progress(done, 1 + len(made))
    return _table("girvan-newman", rows, "communities by Girvan and Newman")


def linkage(lab: Lab) -> "pl.DataFrame":  # noqa: ARG001 (nothing to draw)
    """Return how many people the attacks of the paper's Example 1 find and expose."""
    people = lastfm()
    apart = SideBySide(rho="0.5", k=K, hierarchy=people.hierarchy)
    made = {
        f"side-by-side, rho 0.5, k {K}": apart.publish(people.network, seeded(SEED)),
        "gp-asn, rho 0.5": _grouped(people, "0.5"),
    }
    rows = [row for name, publication in made.items() for row in _attacked(name, publication)]
    return _table("linkage", rows, "one item and friends known; claims above a confidence of 0.5")


def _attacked(name: str, made: Publication[Any]) -> Iterator[Row]:
    keys = [made.linkage_key] if made.linkage_key else []
    by_attack = {
        "sets-and-degree": SetsAndDegree(confidence="0.501").attack([made.release], Acquainted()),
        "neighbourhood": Neighbourhood(confidence="0.501").attack([made.release], Circle()),
    }
    for attack, findings in by_attack.items():
        for statistic, value in findings.summary.items():
            yield _row(f"{attack} on {name}", statistic.replace("_", " "), float(value))
        score = score_with_friends(findings, [lastfm().network], [made.release], keys)
        for sentence, rate in score.rates:
            interval = {"low": rate.low, "high": rate.high}
            yield _row(f"{attack} on {name}", sentence, rate.share) | interval


SETS = (
    "kl_divergence", "jensen_shannon_divergence", "ncp", "sensitive_deleted",
    "sensitive_deleted_if_all_were", "association_rules", "association_rules_lost",
    "association_rules_new",
)  # fmt: skip


def flixster(lab: Lab, size: MadeUp = FLIXSTER) -> "pl.DataFrame":
    """Return what figures 4 to 6 show and the rules, for made-up people of Flixster's size."""
    runs: dict[str, tuple[Any, ...]] = {
        f"{method}, rho {rho}": (method, rho, None, size)
        for rho in LARGE_RHOS
        for method in ("gp-asn", "td-control", "dist")
    }
    runs[f"greedy-swap, k {K}"] = ("greedy-swap", None, None, size)
    rows = _measured(lab, runs, (*SETS, *GRAPH))
    label = {"data": f"made up, {size.people:,} people"}
    return _table("flixster", [row | label for row in rows], "Flixster itself is not at hand")


FIGURES: Mapping[str, Callable[[Lab], "pl.DataFrame"]] = {
    "table-4": table_4,
    "figure-4": figure_4,
    "figure-5": figure_5,
    "figure-6": figure_6,
    "rules": rules,
    "linkage": linkage,
    "flixster": flixster,
    "girvan-newman": girvan_newman,
}
"""The figures by name; the last takes half an hour and is measured only if named."""
