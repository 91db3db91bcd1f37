"""How near a published graph is to the original one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.graph import Network
from discreet.core.network import SocialNetwork
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.errors import DataError
from discreet.measure.recoding import Recoded, measured
from discreet.networks.graphs.communities import communities, modularity
from discreet.rng import seeded

EXACT = 5_000
"""Most nodes for a path length from all of them; above, from a sample."""
SOURCES = 64
"""Nodes of a sample."""
SEEDS = 5
"""Runs of Leiden's algorithm, which makes choices, that are averaged; one above ``LARGE`` edges."""
LARGE = 200_000

Whole = NDArray[np.int64]


def network_measures(
    data: Network, release: Release[Network], *, key: LinkageKey | None = None
) -> dict[str, Any]:
    """Return how near the published graph is; edges and communities are compared by the key.

    Where key and data name the nodes they are put together by name, so the rows of the file may
    have been put in another order since.
    """
    _refuse_others(len(data), len(release.content))
    if key is not None and data.ids is not None and key.names_people:
        records: Whole | None = key.records_by_name(len(data), data.ids)
    else:
        records = _records(key, len(data))
    return graph_measures(len(data), data.edges, release.content.edges, records)


def sets_network_measures(
    data: SocialNetwork, release: Release[SetsWithNetwork], *, key: LinkageKey | None = None
) -> dict[str, Any]:
    """Return what publishing cost, of the sets and of the graph."""
    content = release.content
    _refuse_others(len(data), len(content))
    recoded = Recoded.of(data.people, release, content.applied)
    records = _records(key, len(data))
    return measured(recoded, key) | graph_measures(len(data), data.edges, content.edges, records)


def _refuse_others(original: int, published: int) -> None:
    if original != published:
        msg = (
            f"the original must be the data that were published: the release has {published:,} "
            f"people and the original {original:,}; name those data with `against`"
        )
        raise DataError(msg, parameter="against")


def _records(key: LinkageKey | None, count: int) -> Whole | None:
    return None if key is None else key.records(count, count)


def graph_measures(
    count: int, before: Whole, after: Whole, records: Whole | None = None
) -> dict[str, Any]:
    """Return numbers of both graphs, and by ``records``, the node behind each, what changed."""
    changes = edges_changed(count, before, records[after]) if records is not None else {}
    changes |= degree_distance(count, before, after)
    if records is not None:
        changes |= community_jaccard(count, before, records[after])
    for name, edges in (("before", before), ("after", after)):
        path = average_path_length(count, edges)
        changes[f"modularity_{name}"] = modularity(communities(count, edges, 0), edges)
        changes[f"clustering_{name}"] = clustering(count, edges)
        changes[f"average_path_length_{name}"] = path.mean
        changes[f"average_path_length_{name}_within"] = path.reach
    return changes


def edges_changed(count: int, before: Whole, after: Whole) -> dict[str, Any]:
    """Return how many edges are kept, added and deleted, and the share that is kept.

    Beside them the fewest that had to change for each node to get the degree it has now: an edge
    more or less changes two degrees by one.

    Parameters
    ----------
    count
        How many nodes there are.
    before
        The edges of the original, pairs of nodes.
    after
        The edges that were published.

    Returns
    -------
    dict of str to float
        Numbers of edges and the share, by name.

    Examples
    --------
    >>> edges_changed(3, np.array([[0, 1], [1, 2]]), np.array([[2, 1], [0, 2]]))["edges_kept"]
    1
    """
    old, new = (np.sort(edges, axis=1) @ np.array([count, 1]) for edges in (before, after))
    common = len(np.intersect1d(old, new))
    degrees = [np.bincount(edges.ravel(), minlength=count) for edges in (before, after)]
    moved = int(np.abs(degrees[0] - degrees[1]).sum())
    return {
        "edges_kept": common,
        "edges_kept_share": common / max(1, len(old)),
        "edges_added": len(new) - common,
        "edges_deleted": len(old) - common,
        "edges_changed_at_least": -(-moved // 2),
    }


def degree_distance(count: int, before: Whole, after: Whole) -> dict[str, Any]:
    """Return how far the degrees are apart: in total variation, and by how much on average.

    Parameters
    ----------
    count
        How many nodes there are.
    before
        The edges of the original, pairs of nodes.
    after
        The edges that were published.

    Returns
    -------
    dict of str to float
        The distances by their names.

    Examples
    --------
    >>> degree_distance(3, np.array([[0, 1]]), np.array([[0, 1], [1, 2]]))
    {'degree_total_variation': 0.3333333333333333, 'degree_mean_change': 0.6666666666666666}
    """
    one, other = (np.bincount(edges.ravel(), minlength=count) for edges in (before, after))
    top = int(max(one.max(initial=0), other.max(initial=0))) + 1
    gap = np.bincount(one, minlength=top) - np.bincount(other, minlength=top)
    return {
        "degree_total_variation": float(np.abs(gap).sum() / 2 / max(1, count)),
        "degree_mean_change": float(np.abs(np.sort(one) - np.sort(other)).sum() / max(1, count)),
    }


def community_jaccard(count: int, before: Whole, after: Whole) -> dict[str, float]:
    """Return how alike the communities of two graphs are, as ``communities_alike`` has it.

    Nodes must have the same numbers in both graphs. Where the algorithm makes choices several runs
    are averaged.

    Parameters
    ----------
    count
        How many nodes there are.
    before
        The edges of the original, pairs of nodes.
    after
        The edges that were published.

    Returns
    -------
    dict of str to float
        The similarities by name.
    """
    pair = [np.sort(edges, axis=1) for edges in (before, after)]
    runs = [
        communities_alike(*(communities(count, edges, seed) for edges in pair))
        for seed in range(1 if len(before) > LARGE else SEEDS)
    ]
    return {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}


def communities_alike(before: Whole, after: Whole) -> dict[str, float]:
    """Return how alike two divisions are: as printed, both ways, and as most people see it.

    Of each community the largest Jaccard index with one of the other division, averaged; what is
    printed (Wang and others 2020, formulas 4 and 5) goes from the old communities only and changes
    when the divisions change places. By people each person counts once, not each community: else
    many pairs of friends who know nobody else outweigh one community of hundreds.

    >>> communities_alike(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0]))["community_jaccard"]
    0.5
    """
    pairs, shared = np.unique(before * (after.max() + 1) + after, return_counts=True)
    left, right = np.divmod(pairs, after.max() + 1)
    sizes = np.bincount(before)
    index = shared / (sizes[left] + np.bincount(after)[right] - shared)
    there, back = np.zeros(before.max() + 1), np.zeros(after.max() + 1)
    np.maximum.at(there, left, index)
    np.maximum.at(back, right, index)
    return {
        "community_jaccard": float(there.mean()),
        "community_jaccard_symmetric": float((there.mean() + back.mean()) / 2),
        "community_jaccard_by_people": float(np.average(there, weights=sizes)),
    }


def clustering(count: int, edges: Whole) -> float:
    """Return the mean over the nodes of how many pairs of friends are friends; 0 below two friends.

    Parameters
    ----------
    count
        How many nodes there are.
    edges
        Pairs of nodes.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> clustering(4, np.array([[0, 1], [0, 2], [1, 2], [2, 3]]))
    0.5833333333333334
    """
    import igraph

    graph = igraph.Graph(n=count, edges=edges.tolist())
    return float(graph.transitivity_avglocal_undirected(mode="zero")) if count else 0.0


@dataclass(frozen=True, slots=True)
class PathLength:
    """A mean number of steps between two nodes of the largest component."""

    mean: float
    """The mean, over all pairs or over those from a sample of nodes."""
    reach: float
    """Half the width of its 95 % interval; 0 where all pairs were measured."""


def average_path_length(nodes: int, edges: Whole, *, exact: int = EXACT) -> PathLength:
    """Return the mean number of steps within the largest component.

    Parameters
    ----------
    nodes
        How many nodes there are.
    edges
        Pairs of nodes.
    exact
        Up to how many nodes all pairs are measured; beyond, those from a sample of nodes.

    Returns
    -------
    PathLength
        The mean, with half the width of its interval.

    Examples
    --------
    >>> average_path_length(5, np.array([[0, 1], [1, 2], [3, 4]]))
    PathLength(mean=1.3333333333333333, reach=0.0)
    """
    import igraph

    graph = igraph.Graph(n=nodes, edges=edges.tolist())
    if not len(edges):
        return PathLength(0.0, 0.0)
    largest = graph.connected_components().giant()
    count = largest.vcount()
    if count <= exact:
        return PathLength(float(largest.average_path_length()), 0.0)
    sources = seeded(0).permutation(count)[:SOURCES].tolist()
    means = np.array([sum(largest.distances(source)[0]) / (count - 1) for source in sources])
    return PathLength(float(means.mean()), float(1.96 * means.std(ddof=1) / np.sqrt(SOURCES)))
