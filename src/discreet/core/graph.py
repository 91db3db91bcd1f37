"""Who knows whom, and nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.network import SocialNetwork
from discreet.core.noun import Noun
from discreet.core.sets_with_network import ascending, refuse_edges
from discreet.errors import DataError
from discreet.lazy import pl


@dataclass(frozen=True, eq=False, repr=False)
class Network(Noun):
    """A simple undirected graph: how many nodes there are, and which of them are joined.

    As a file it is its edges. Nodes are numbered from 0 to the largest number that an edge names; a
    number in between that no edge names is a node without edges. So the last node of a published
    network has an edge, and no node is lost.

    >>> network = Network.of([("Al", "Bo"), ("Bo", "Al"), ("Bo", "Cy"), ("Di", "Di")])
    >>> len(network), network.edges.tolist(), network.degrees.tolist()
    (4, [[0, 1], [1, 3]], [1, 2, 0, 1])
    """

    explained: ClassVar[tuple[str, ...]] = (
        "edges: each row joins two people (nodes); the numbers say nothing about who they are.",
    )
    """What a reader of the tables must be told."""

    count: int
    """How many nodes there are."""
    edges: NDArray[np.int64]
    """Each edge once, a row of two nodes, the lower first; rows ascend."""
    ids: NDArray[np.str_] | None = None
    """Who each node is, where the input says so; private, never released."""

    def __post_init__(self) -> None:
        refuse_edges(self.edges, self.count)
        self.edges.setflags(write=False)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "Network":
        """Make a network of pairs of names; a name joined to itself is a node without that edge.

        Parameters
        ----------
        pairs
            Who is joined to whom.

        Returns
        -------
        Network
            Nodes in the order in which they are first named, all first ends before the second.
        """
        return cls.of_people(SocialNetwork.of(None, pairs))

    @classmethod
    def of_people(cls, people: SocialNetwork) -> "Network":
        """Return who knows whom among ``people``, without their sets.

        Parameters
        ----------
        people
            Sets and the graph of their holders.

        Returns
        -------
        Network
            The graph, its nodes named by the ids.
        """
        return cls(len(people), people.edges, people.people.ids)

    @classmethod
    def of_edges(cls, count: int, edges: Iterable[tuple[int, int]]) -> "Network":
        """Make a network of numbered nodes; edges may name their ends in either order.

        Parameters
        ----------
        count
            How many nodes there are.
        edges
            Pairs of node numbers.

        Returns
        -------
        Network
            A graph without names.

        Raises
        ------
        DataError
            Where an edge names a node that is not there.

        Examples
        --------
        >>> Network.of_edges(3, [(2, 0)]).degrees.tolist()
        [1, 0, 1]
        """
        return cls(count, ascending(np.array(list(edges), dtype=np.int64)))

    @classmethod
    def read(cls, source: str | Path, *, columns: Mapping[str, str] | None = None) -> "Network":
        """Read the columns ``source`` and ``target`` of a csv, tsv or parquet file.

        Direction and repetition are folded. A row that joins a node to itself keeps it in the
        network without an edge: so can a file of edges name people who know nobody.

        Parameters
        ----------
        source
            The file, or a named data set.
        columns
            Which columns are ``source`` and ``target``, where they are called otherwise.

        Returns
        -------
        Network
            The graph.

        Raises
        ------
        DataError
            Where the file cannot be read; the line is said.
        """
        return cls.of_people(SocialNetwork.read(None, source, columns=columns))

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"Network({self.count} nodes, {len(self.edges)} edges)"

    def __len__(self) -> int:
        return self.count

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """How many others each node is joined to."""
        return np.bincount(self.edges.ravel(), minlength=self.count)

    def to_polars(self) -> "pl.DataFrame":
        """Return a row for each edge: ``source`` and ``target``, by number."""
        return pl.DataFrame({"source": self.edges[:, 0], "target": self.edges[:, 1]})

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the release's table: ``edges`` with ``source`` and ``target``."""
        if self.count and not (len(self.edges) and self.edges[:, 1].max() == self.count - 1):
            msg = (
                "the last node of a published network must have an edge, for a file of edges "
                "names no other; number the nodes so, or leave nodes without edges out"
            )
            raise DataError(msg)
        return {"edges": self.to_polars()}

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "Network":
        """Read the network back from its edges, in whatever order they stand.

        Parameters
        ----------
        tables
            The table ``edges`` of a release.

        Returns
        -------
        Network
            The graph without names.
        """
        pairs = tables["edges"].select("source", "target").to_numpy().astype(np.int64)
        return cls(int(pairs.max(initial=-1)) + 1, ascending(pairs))
