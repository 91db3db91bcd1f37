"""People, their sets, and who knows whom."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.core.noun import Noun
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.lazy import pl

if TYPE_CHECKING:
    from discreet.core.tree import Locator


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedEdges:
    """What the input held beyond one row for each edge; ``rows`` is all of it and the edges."""

    rows: int = 0
    """Rows of the input."""
    self_loops: int = 0
    """Rows that join a person to himself: dropped."""
    doubled: int = 0
    """Rows that repeat an earlier one: dropped."""
    mutual: int = 0
    """Edges that the input holds in both directions: one edge each."""
    unmatched: int = 0
    """People whom only the edges name: kept with an empty set."""

    @property
    def report(self) -> dict[str, int]:
        """What the owner should hear of: what was folded, where there was any.

        >>> FoldedEdges(rows=3, mutual=1).report
        {'friendships that the file held in both directions': 1}
        """
        counted = {
            "people joined to themselves, dropped": self.self_loops,
            "friendships that the file repeated": self.doubled,
            "friendships that the file held in both directions": self.mutual,
            "people whom only the friendships name": self.unmatched,
        }
        return {words: count for words, count in counted.items() if count}


@dataclass(frozen=True, eq=False, repr=False)
class SocialNetwork(Noun):
    """A simple undirected graph on the people of some transactions.

    >>> people = Transactions(Itemsets.of([["rock"], ["jazz"], []]), np.array(["Al", "Bo", "Cy"]))
    >>> network = SocialNetwork.of(people, [("Al", "Bo"), ("Bo", "Al"), ("Cy", "Cy")])
    >>> network.edges.tolist(), network.degrees.tolist(), network.folded_edges.mutual
    ([[0, 1]], [1, 1, 0], 1)
    """

    people: Transactions
    """The people with their sets; an edge names them by their number."""
    edges: NDArray[np.int64]
    """Each edge once, a row of two numbers of people, the lower first; rows ascend."""
    folded_edges: FoldedEdges = FoldedEdges()
    """How the edges of the input became these."""

    def __post_init__(self) -> None:
        self.edges.setflags(write=False)

    @classmethod
    def of(
        cls,
        people: Transactions | None,
        pairs: Iterable[tuple[str, str]],
        *,
        allow_unmatched: bool = False,
    ) -> "SocialNetwork":
        """Join people by pairs of their ids; without people, those the pairs name, without items.

        Direction and repetition are folded, self-loops dropped. An id that is not among the
        people's is an error unless ``allow_unmatched``, which adds it with an empty set.

        Parameters
        ----------
        people
            The sets, with ids.
        pairs
            Who knows whom, by id.
        allow_unmatched
            Add people who are only in the pairs, with an empty set.

        Returns
        -------
        SocialNetwork
            People and edges.

        Raises
        ------
        ParameterError
            Where ``pairs`` are no pairs: a text, texts or a frame.
        DataError
            Where an id is not among the people's.
        """
        from discreet.core.collections import pairs_of

        table = pl.DataFrame(pairs_of(pairs), schema=dict.fromkeys("st", pl.String), orient="row")
        return _joined(
            people,
            (table["s"], table["t"]),
            lambda index: f"edge {index + 1}",
            allow_unmatched=allow_unmatched,
        )

    @classmethod
    def read(
        cls,
        people: Transactions | None,
        edges: str | Path,
        *,
        columns: Mapping[str, str] | None = None,
        allow_unmatched: bool = False,
    ) -> "SocialNetwork":
        """Read edges from the columns ``source`` and ``target`` of a csv, tsv or parquet file.

        A named data set such as ``dataset:lastfm-friends`` knows its columns. Where the people are
        given, a file with nothing below its header joins nobody.

        Parameters
        ----------
        people
            The sets, with ids; None: those the edges name.
        edges
            The file, or a named data set.
        columns
            Which columns are ``source`` and ``target``, where they are called otherwise.
        allow_unmatched
            Add people who are only in the edges, with an empty set.

        Returns
        -------
        SocialNetwork
            People and edges.

        Raises
        ------
        DataError
            Where the file cannot be read, or an id is not among the people's.
        """
        from discreet.io.datasets import columns_of, source_path
        from discreet.io.table import open_table

        path = source_path(edges)
        wanted = {"source": "source", "target": "target"} | dict(columns or columns_of(edges))
        if unknown := wanted.keys() - {"source", "target"}:
            raise DataError(f"edges have the columns source and target, got {min(unknown)!r}")
        table = open_table(path)
        source, target = table.texts(wanted, may_be_empty=people is not None)
        return _joined(people, (source, target), table.where, allow_unmatched=allow_unmatched)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"SocialNetwork({len(self)} people, {len(self.edges)} edges)"

    def __len__(self) -> int:
        return len(self.people)

    def to_polars(self) -> "pl.DataFrame":
        """Return a row for each edge: ``source`` and ``target``, by id."""
        ends = np.array(self.people.ids if self.people.ids is not None else range(len(self)))
        return pl.DataFrame(
            {
                name: ends[self.edges[:, end]].tolist()
                for end, name in enumerate(("source", "target"))
            }
        )

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """How many others each person is joined to."""
        return np.bincount(self.edges.ravel(), minlength=len(self))


def people_of(data: Any) -> Any:
    """Return the people of a network with their sets, and other data as they are."""
    return data.people if isinstance(data, SocialNetwork) else data


def _joined(
    people: Transactions | None,
    ends: "tuple[pl.Series, pl.Series]",
    locate: "Locator",
    *,
    allow_unmatched: bool,
) -> SocialNetwork:
    """Return the network of people and the two columns of edge ends."""
    if people is None:
        people, allow_unmatched = Transactions(Itemsets.of([]), np.array([], dtype=np.str_)), True
    ids = _ids_of(people)
    _refuse_ends([(end == "").fill_null(value=True) for end in ends], locate, "be named")
    if not allow_unmatched:
        _refuse_ends([~end.is_in(ids.implode()) for end in ends], locate, "be among the people")
    everyone = pl.concat([ids, *(end.alias("id") for end in ends)]).unique(maintain_order=True)
    # where nobody is, polars leaves a column of names as it is
    source, target = (
        end.replace_strict(everyone, np.arange(len(everyone))).cast(pl.Int64).to_numpy()
        for end in ends
    )
    added = everyone[len(ids) :].to_list()
    edges, folded = _simple(source, target, len(everyone))
    return SocialNetwork(
        _with_empty_sets(people, added), edges, replace(folded, unmatched=len(added))
    )


def _ids_of(people: Transactions) -> "pl.Series":
    """Return the people's ids, refusing none at all or one for two people."""
    if people.ids is None:
        msg = (
            "the people of a network must have ids for its edges to name, and these have none; "
            "read them from a file with an id column"
        )
        raise DataError(msg)
    ids = pl.Series("id", people.ids.tolist(), dtype=pl.String)
    again = (~ids.is_first_distinct()).arg_true()
    if len(again):
        msg = f"people must have different ids, but record {again[0] + 1} has an earlier one's id"
        raise DataError(msg)
    return ids


def _refuse_ends(faults: "list[pl.Series]", locate: "Locator", must: str) -> None:
    """Refuse edges of which an end is at fault; the id itself is private and not shown."""
    rows = (faults[0] | faults[1]).arg_true()
    if len(rows):
        msg = (
            f"{locate(rows[0])}: both ends of an edge must {must}, which {len(rows):,} edges do "
            "not fulfil; correct or remove these edges"
        )
        if must != "be named":
            msg += ", or keep such people, without items, by `allow_unmatched`"
        raise DataError(msg, parameter="allow_unmatched")


def _simple(
    source: NDArray[np.int64], target: NDArray[np.int64], count: int
) -> tuple[NDArray[np.int64], FoldedEdges]:
    """Return each undirected edge once, ascending, and what was folded on the way."""
    proper = source != target
    lower, upper = np.minimum(source, target)[proper], np.maximum(source, target)[proper]
    # The direction is the last bit: both directions of an edge are neighbours once sorted.
    directed = np.sort((lower * count + upper) * 2 + (source > target)[proper])
    directed = directed[np.diff(directed, prepend=-1) != 0]
    both = directed // 2
    both = both[np.diff(both, prepend=-1) != 0]
    edges = np.stack(np.divmod(both, max(count, 1)), axis=1)
    folded = FoldedEdges(
        rows=len(source),
        self_loops=len(source) - int(proper.sum()),
        doubled=int(proper.sum()) - len(directed),
        mutual=len(directed) - len(edges),
    )
    return edges, folded


def _with_empty_sets(people: Transactions, ids: list[str]) -> Transactions:
    """Return the people and, after them, others who hold nothing."""
    if not ids or people.ids is None:
        return people
    offsets = np.concatenate([people.offsets, np.full(len(ids), people.offsets[-1])])
    sets = Itemsets(offsets, people.items, people.universe)
    return Transactions(sets, np.concatenate([people.ids, np.array(ids)]), people.sensitive)
