"""What an engine does: the verbs that every engine has, DuckDB here and Spark on a cluster.

An engine reads the private rows where they lie, folds them, and writes what is left as Parquet
files into ``scratch``, a folder of this process that it must reach. Nothing random happens in it:
noise is drawn by whoever asks, and a keyed hash says how records are cut, so that a task that is
run again gives the same. Frames that go in are handed over as Parquet files in ``scratch`` too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

Kind: TypeAlias = Literal["text", "whole number", "list"]
"""What a column may hold: texts, whole numbers, or lists of either."""
PEOPLE = "people behind this row"
"""The column of counts beside the columns of a table."""
PLACE, COPIES = "place of this row", "copies of this row"
"""Columns beside those of a published table: by which its rows ascend, and how many are due."""
PRIME = (1 << 31) - 1
"""The modulus of the hash that cuts records."""


@dataclass(frozen=True, slots=True)
class SetColumns:
    """Where the sets of people stand in a table."""

    item: str
    """The column of items: one in each row, or a list of them."""
    person: str | None
    """The column that says whose a row is; None: a row is a person."""
    lists: bool
    """Whether a row holds a whole set; otherwise a row without item only names a person."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What becomes of people who hold more items than a public size."""

    size: int
    """The most items that are counted."""
    key: str | None
    """The key of the hash by which ``size`` of them stay; None: such people are left out."""


class Survey(NamedTuple):
    """What a first look at the rows tells, before anything is folded."""

    rows: int
    """How many rows there are."""
    people: int
    """About how many people: a sketch, some percent off."""
    nameless: int
    """How many rows do not say whose they are, or by more than 256 letters."""
    repeated: bool
    """Where a row is a person: whether an id stands in two of them."""


class Engine(Protocol):
    """Someone who can fold more rows than fit in memory."""

    scratch: Path
    """A folder for this process and the engine, removed at the end."""

    def table(self, source: Any) -> str:
        """Return the name under which the verbs know a source, refusing what cannot be read.

        A source is a path, a folder or a pattern of csv or Parquet files, a list of such files, a
        name of the engine's own catalog, or an object of it, such as a relation or a data frame.
        """
        ...

    def kinds(self, table: str) -> Mapping[str, Kind | str]:
        """Return what each column of a table holds; another kind in the words of the engine."""
        ...

    def survey(self, table: str, columns: SetColumns) -> Survey:
        """Look at the rows once."""
        ...

    def vocabulary(self, table: str, columns: SetColumns) -> Iterable[str]:
        """Return every text of the column of items once, in any order.

        A missing member of a list is ``""``; a row without an item or a list names none.
        """
        ...

    def fold(
        self, table: str, columns: SetColumns, codes: Path, cut: Cut | None, folded: Path
    ) -> None:
        """Write the distinct sets of people with their counts as Parquet files into a folder.

        ``codes`` is a Parquet file: ``item``, a text as ``vocabulary`` gave it, ``code``, its
        number, and ``hash``, the first word of the keyed hash of the item, below ``PRIME`` (0
        where nothing is cut). Items without a row there are left out; who then holds nothing is
        still counted. The files in ``folded`` have the columns ``items``, a list of 32-bit codes,
        ascending and each once, and ``people``, a 64-bit count. A set stands in one row of one
        file. With a ``cut`` that has a key, ``columns.person`` is given, and of a person with
        more items those stay whose value is least, by code where values are equal: with a, b, c,
        d the words of eight digits of ``md5(key || '|' || person)`` and x the hash of the item,
        each modulo ``PRIME``, the value is ``((a x + b) x + c) x + d`` modulo ``PRIME``.
        """
        ...

    def classes(self, table: str, columns: Sequence[str], folded: Path) -> None:
        """Write the distinct rows over some columns, as they are, and their counts (``PEOPLE``).

        A 64-bit count stands beside each row; a missing cell is a value like others.
        """
        ...

    def write(self, rows: Path, table: str, columns: Sequence[str], release: Path) -> None:
        """Write the rows of a published table as parts into the folder of a release.

        ``rows`` has a folder ``part=N`` of Parquet files for each part from 0 on, with the columns
        and besides ``PLACE``, by which the rows of a part ascend, and ``COPIES``, how often each
        is repeated. Part N becomes ``TABLE-0000N.parquet`` with the columns alone.
        """
        ...

    def faulty(self, table: str, lists: str) -> int:
        """Count the rows of a column of lists in which a member is missing or stands twice."""
        ...

    def subsets(
        self, table: str, lists: str, size: int, least: int
    ) -> tuple[tuple[str, ...], int] | None:
        """Find a set of up to ``size`` members of a column of lists that stands in few rows.

        Return its members, ascending, and the number of rows, where that is below ``least``; None
        where every set that stands in a row stands in that many. Of smaller sets one is told
        first, and among those of a size the first by their members.
        """
        ...

    def close(self) -> None:
        """Let go of what the engine holds, and remove ``scratch``."""
        ...
