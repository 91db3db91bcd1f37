"""The risks of people in a graph, by how many others they know."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.graph import Network
from discreet.core.network import SocialNetwork
from discreet.risk.profile import profile
from discreet.risk.reidentification import Population, population_by_share, reidentification
from discreet.risk.threats import threats


def degrees_risk(
    edges: NDArray[np.int64], people: int, population: Population | None = None
) -> dict[str, Any]:
    """Return the risks of so many people, of whom an adversary knows how many others they know.

    Something further follows for certain where everybody with so many friends has a friend with
    the same number of them.

    Parameters
    ----------
    edges
        Pairs of people.
    people
        How many they are.
    population
        What is known of the population that the people are from.

    Returns
    -------
    dict of str to object
        The risks of the three attackers, by name.
    """
    about = population_by_share(population, "a graph")
    degrees = np.bincount(edges.ravel(), minlength=people)
    number, sizes = np.unique(degrees, return_inverse=True, return_counts=True)[1:]
    risks = reidentification(sizes, about)
    certain = int(sizes[_further(edges, number, sizes)].sum()) / max(1, people)
    wp29 = threats(risks["sample_uniqueness"], risks["marketer"], certain)
    return risks | {"wp29": wp29 if people else threats(None, None, None)}


def _further(
    edges: NDArray[np.int64], number: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return for each degree whether all who have it have a friend of the same degree."""
    ends = np.concatenate([edges, edges[:, ::-1]])
    befriended = np.unique(ends[:, 0] * len(sizes) + number[ends[:, 1]])
    pairs, having = np.unique(
        number[befriended // len(sizes)] * len(sizes) + befriended % len(sizes), return_counts=True
    )
    all_have = np.zeros(len(sizes), dtype=np.bool_)
    own = pairs // len(sizes)
    all_have[own[having == sizes[own]]] = True
    return all_have


def graph_profile(graph: Network, population: Population | None = None) -> dict[str, Any]:
    """Describe a graph: its size, and what would be given away if it were published.

    Parameters
    ----------
    graph
        The graph.
    population
        What is known of the population that the people are from.

    Returns
    -------
    dict of str to object
        Sizes and risks by name.
    """
    return {
        "people": len(graph),
        "edges": len(graph.edges),
        "degree_max": int(graph.degrees.max(initial=0)),
        **degrees_risk(graph.edges, len(graph), population),
    }


def network_profile(network: SocialNetwork, population: Population | None = None) -> dict[str, Any]:
    """Describe people with their sets and their network; of the threats the worse count.

    Parameters
    ----------
    network
        People with their sets and friends.
    population
        What is known of the population that the people are from.

    Returns
    -------
    dict of str to object
        Sizes and risks by name.
    """
    sets = profile(network.people, population)
    degree = degrees_risk(network.edges, len(network), population)
    return {"edges": len(network.edges)} | worse(sets, degree)


def worse(sets: dict[str, Any], degree: dict[str, Any]) -> dict[str, Any]:
    """Return the risks by items with those by ``degree`` beside them; of the threats the worse."""
    shares = [[each["wp29"][name]["share"] for each in (sets, degree)] for name in sets["wp29"]]
    most = [max((share for share in each if share is not None), default=None) for each in shares]
    return sets | {"degree": degree, "wp29": threats(*most)}
