"""Published sets and the published graph of the same people, joined by fresh node numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import list_column, sets_of_column
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import ITEM_TREE, item_tree_in
from discreet.errors import DataError
from discreet.lazy import pl


@dataclass(frozen=True, eq=False, repr=False)
class SetsWithNetwork:
    """The set, the group and the friends of each node; node numbers say nothing of the input.

    >>> published = SetsWithNetwork.of([["rock"], ["rock", "jazz"]], [0, 0], [(1, 0)])
    >>> published.edges.tolist(), published.degrees.tolist()
    ([[0, 1]], [1, 1])
    """

    explained: ClassVar[tuple[str, ...]] = (
        "transactions: each row is one person (a node), with a group and a set of items.",
        "edges: each row says that two nodes are friends.",
        "hierarchy_items: a name among the items stands for one of those below it.",
    )
    """What a reader of the tables must be told."""

    sets: Itemsets
    """What each node holds: row ``i`` belongs to node ``i``."""
    group: NDArray[np.int64]
    """The group of each node, counted from 0."""
    edges: NDArray[np.int64]
    """Each edge once, a row of two nodes, the lower first; rows ascend."""
    applied: Hierarchy | None = None
    """The public hierarchy whose names stand among the items; None where nothing is recoded."""

    def __post_init__(self) -> None:
        count = len(self.sets)
        if len(self.group) != count:
            msg = f"every node must have one group, got {len(self.group)} groups for {count} nodes"
            raise DataError(msg)
        if count and self.group.min() < 0:
            raise DataError(f"groups must be counted from 0, got {self.group.min()}")
        refuse_edges(self.edges, count)
        self.group.setflags(write=False)
        self.edges.setflags(write=False)

    @classmethod
    def of(
        cls,
        records: Iterable[Iterable[str]],
        group: Sequence[int],
        edges: Iterable[tuple[int, int]],
        *,
        hierarchy: Hierarchy | None = None,
    ) -> "SetsWithNetwork":
        """Make the content from Python collections; edges may name their ends in either order."""
        pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
        return cls(
            Itemsets.of(records),
            np.array(group, dtype=np.int64),
            ascending(pairs),
            hierarchy,
        )

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"SetsWithNetwork({len(self)} nodes, {len(self.edges)} edges)"

    def __len__(self) -> int:
        return len(self.sets)

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """How many others each node is joined to."""
        return np.bincount(self.edges.ravel(), minlength=len(self))

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return ``transactions`` (node, group, items) and ``edges`` (source, target)."""
        people = {
            "node": np.arange(len(self), dtype=np.int64),
            "group": self.group,
            "items": list_column(self.sets),
        }
        ends = {"source": self.edges[:, 0], "target": self.edges[:, 1]}
        tables = {"transactions": pl.DataFrame(people), "edges": pl.DataFrame(ends)}
        if self.applied is not None:
            tables[ITEM_TREE] = self.applied.tables()["hierarchy"]
        return tables

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "SetsWithNetwork":
        """Read the sets and the graph back; rows may stand in any order."""
        people = tables["transactions"].sort("node")
        nodes = people["node"].to_numpy()
        if not np.array_equal(nodes, np.arange(len(nodes))):
            raise DataError(f"nodes must be numbered 0 to {len(nodes) - 1}, each once")
        pairs = tables["edges"].select("source", "target").to_numpy().astype(np.int64)
        group = people["group"].to_numpy().astype(np.int64)
        sets = sets_of_column(people["items"])
        return cls(sets, group, ascending(pairs), item_tree_in(tables))


def ascending(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return edges with the lower end first and the rows in ascending order.

    >>> ascending(np.array([[3, 1], [0, 2]])).tolist()
    [[0, 2], [1, 3]]
    """
    ends = np.sort(pairs.reshape(-1, 2), axis=1)
    return ends[np.lexsort((ends[:, 1], ends[:, 0]))]


def both_ways(edges: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return one end of each edge and the other, seen from both.

    >>> [ends.tolist() for ends in both_ways(np.array([[0, 1], [1, 2]]))]
    [[0, 1, 1, 2], [1, 2, 0, 1]]
    """
    tails, heads = np.concatenate([edges, edges[:, ::-1]]).T
    return tails, heads


def refuse_edges(edges: NDArray[np.int64], count: int) -> None:
    """Refuse what is no simple graph on these nodes."""
    if edges.shape != (len(edges), 2) or (
        len(edges) and not 0 <= edges.min() <= edges.max() < count
    ):
        raise DataError(f"an edge must join two of the nodes 0 to {count - 1}")
    lower, upper = edges[:, 0], edges[:, 1]
    if (lower >= upper).any() or (np.diff(lower * count + upper) <= 0).any():
        raise DataError("each edge must be listed once, its lower node first, in ascending order")
