"""Orders of records by what they hold and by chance, never by where they stood in the input."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.core.fold import canonical_order
from discreet.core.graph import Network
from discreet.core.network import SocialNetwork
from discreet.core.sets_with_network import ascending
from discreet.core.transactions import Transactions
from discreet.rng import Rng


def random_order(data: Transactions | SocialNetwork | Network, rng: Rng) -> NDArray[np.int64]:
    """Return the records in a random order: the same people give the same one for a seed.

    People of a graph are told apart by their ids; without ids an edge names them by their numbers,
    which then are who they are. Without a graph equal sets may stand for each other.
    """
    if isinstance(data, Transactions):
        order = canonical_order(data)
    else:
        ids = data.ids if isinstance(data, Network) else data.people.ids
        order = np.arange(len(data)) if ids is None else np.argsort(ids, kind="stable")
    return order[rng.permutation(len(data))]


def in_order(data: SocialNetwork, order: NDArray[np.int64]) -> SocialNetwork:
    """Return the people in another order, with the edges between them."""
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    people = replace(data.people, sets=data.people.sets.take(order), ids=None)
    return SocialNetwork(people, ascending(number[data.edges]))
