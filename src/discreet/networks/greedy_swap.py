"""Greedy_Swap: a graph in which k nodes share each degree, swapped towards the original."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.graph import Network
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.graphs import KDegree
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.sets_with_network import ascending
from discreet.errors import DataError, InfeasibleError
from discreet.lazy import pl
from discreet.networks.graphs.degree_sequences import fewest_degrees, near_graph, probed
from discreet.networks.record_order import random_order
from discreet.rng import Rng, secure

Degrees: TypeAlias = Literal["best", "raised", "nearest"]
"""How degrees may change: upwards only, either way, or whichever of these is nearer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GreedySwap:
    """A graph in which at least k nodes share every degree, with most edges kept.

    Liu and Terzi 2008, Greedy_Swap. Degrees are changed as little as possible by dynamic
    programming, a graph with these degrees is built, and pairs of its edges are swapped as long as
    this restores an edge of the original. Nodes get new numbers.
    """

    in_memory: ClassVar[str] = "it goes by the whole network"

    k: Annotated[int, Doc("Least number of people who have the same number of friends.")]
    degrees: Annotated[
        Degrees,
        Doc(
            "Whether degrees are only raised, as in the paper, or moved to the nearest shared "
            "one, which keeps more edges where a few nodes have very many; best takes what "
            "keeps more, unless that would change more edges than there are; then what changes "
            "fewest, nearly no edges among them."
        ),
    ] = "best"

    def __post_init__(self) -> None:
        check_fields(self)
        _ = self.guarantees

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Every degree is shared by k nodes."""
        return (KDegree(k=self.k),)

    def publish(self, data: Network, rng: Rng | None = None) -> Publication[Network]:
        """Publish the graph under fresh node numbers."""
        refuse_misfits(data, Network, rng)
        rng = rng or secure()
        content, number = swapped(data, self.k, rng, degrees=self.degrees)
        release = Release(content, self.guarantees, manifest_of(self, "greedy-swap", rng))
        return Publication(release, _key(data, number))


def swapped(
    data: Network, k: int, rng: Rng, *, degrees: Degrees = "best"
) -> tuple[Network, NDArray[np.int64]]:
    """Return the k-degree graph under fresh numbers, and the number of each input node."""
    _refuse(data, k)
    count = len(data)
    number = np.argsort(random_order(data, rng))
    edges = ascending(number[data.edges])
    ways: tuple[Degrees, ...] = ("raised", "nearest") if degrees == "best" else (degrees,)
    made = _nearest(count, edges, k, ways, rng)
    return _ending_in_an_edge(Network(count, made), number, rng)


def _nearest(
    count: int, edges: NDArray[np.int64], k: int, ways: tuple[Degrees, ...], rng: Rng
) -> NDArray[np.int64]:
    """Return the graph that keeps most edges, by the first way where several keep as many.

    One that changes more edges than there are is farther from them than no graph at all: where
    none changes fewer, the one that changes fewest is returned, of several ways or of nearly no
    edges.
    """
    old = np.bincount(edges.ravel(), minlength=count)
    best, least = edges, (np.inf, np.inf)
    for way in ways:
        new = probed(old, k, rng.permutation, raised=way == "raised")
        if not new.any():
            # the nearest shared degree of a sparse graph is 0, and a file of edges cannot say that
            new = fewest_degrees(old, k)
        if np.array_equal(old, new):
            return edges
        made = near_graph(new, edges, rng.permutation)
        loss = _loss(count, edges, made)
        if loss < least:
            best, least = made, loss
        if least == (len(edges), -len(edges)):
            break
    if len(ways) > 1 and least[0] > len(edges):
        made = near_graph(fewest_degrees(old, k), edges)
        best = made if _loss(count, edges, made) < least else best
    return best


def _loss(count: int, edges: NDArray[np.int64], made: NDArray[np.int64]) -> tuple[float, float]:
    """Return what a graph loses: the edges changed, where more than there are, then those kept."""
    common = int(np.isin(edges @ [count, 1], made @ [count, 1], assume_unique=True).sum())
    changed = len(edges) + len(made) - 2 * common
    return max(changed, len(edges)), -common


def _refuse(data: Network, k: int) -> None:
    if not len(data.edges):
        msg = "a network must have at least one edge to be published, and this one has none"
        raise DataError(msg)
    if k > len(data):
        msg = (
            f"`k` nodes must share a degree, and there are fewer than {k}; "
            f"the largest `k` that would do is {len(data)}"
        )
        raise InfeasibleError(msg, parameter="k")


def _ending_in_an_edge(
    network: Network, number: NDArray[np.int64], rng: Rng
) -> tuple[Network, NDArray[np.int64]]:
    """Give the last number to a node with edges, one drawn of them: so a file names them all."""
    last = len(network) - 1
    if network.degrees[last]:
        return network, number
    joined = np.flatnonzero(network.degrees)
    drawn = joined[rng.integers(len(joined), 1)[0]]
    exchange = np.arange(last + 1)
    exchange[[drawn, last]] = last, drawn
    return Network(last + 1, ascending(exchange[network.edges])), exchange[number]


def _key(data: Network, number: NDArray[np.int64]) -> LinkageKey:
    """Return the key: for each published node the number, and the name, of the input's node."""
    record = np.argsort(number)
    names = {} if data.ids is None else {"id": data.ids[record].tolist()}
    columns = {"row": np.arange(len(number), dtype=np.int64), "record": record} | names
    return LinkageKey({"rows": pl.DataFrame(columns)})
