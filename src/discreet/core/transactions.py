"""One person, one set."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram, list_column, sets_of_column
from discreet.core.itemsets import Itemsets
from discreet.core.noun import Noun
from discreet.errors import DataError, ParameterError
from discreet.lazy import pl

ITEM_TREE = "hierarchy_items"
"""The table of the hierarchy by which the items of a release were generalised."""


@dataclass(frozen=True, eq=False, repr=False)
class Transactions(Noun):
    """Records of people, each a set of items: baskets, clicks, diagnoses, places.

    Immutable. What the methods work on is ``folded``: the distinct sets with their counts.

    >>> baskets = Transactions.of([["beer", "bread"], ["bread"], ["bread"], []])
    >>> len(baskets), baskets.universe, baskets.supports.tolist()
    (4, ('beer', 'bread'), [1, 3])
    >>> baskets.folded.as_dict()
    {(): 1, ('beer', 'bread'): 1, ('bread',): 2}
    """

    explained: ClassVar[tuple[str, ...]] = (
        "transactions: each row lists the items published for one person.",
        "hierarchy_items: a name among the items stands for one of those below it.",
    )
    """What a reader of the tables must be told."""

    sets: Itemsets
    """The set of each person, in the order of the input."""
    ids: NDArray[np.str_] | None = None
    """Who each record belongs to, where the input says so; private, never released."""
    sensitive: frozenset[str] = field(default_factory=frozenset)
    """The items whose possession is nobody's business."""
    applied: Hierarchy | None = None
    """The public hierarchy by which items of a release were generalised, where one was."""

    @classmethod
    def of(
        cls,
        records: Any,
        *,
        universe: Sequence[str] | None = None,
        sensitive: Iterable[str] = (),
    ) -> "Transactions":
        """Make transactions from Python collections, or from a matrix.

        Parameters
        ----------
        records
            A list of sets, a mapping of each person's id to the items, or a matrix of 0 and 1, of
            numpy or scipy, with a row a person and a column an item.
        universe
            The items in their public order, for a matrix the names of its columns; by default the
            items that occur, sorted, and for a matrix the numbers of its columns.
        sensitive
            The items whose possession is nobody's business.

        Returns
        -------
        Transactions
            Names are trimmed and in the Unicode form NFC.

        Raises
        ------
        ParameterError
            Where ``records`` is a text, a list of texts or a frame: its letters are no items.
        DataError
            Where an item has no name or is not in the universe.

        Examples
        --------
        >>> Transactions.of({"Ann": ["beer", "bread"], "Bob": ["bread"]}).ids.tolist()
        ['Ann', 'Bob']
        >>> list(Transactions.of(np.array([[1, 0], [1, 1]]), universe=["beer", "bread"]))
        [('beer',), ('beer', 'bread')]
        """
        from discreet.core.collections import names_of, records_of

        sets, ids = records_of(records, universe)
        return cls(sets, ids, sensitive=frozenset(names_of("sensitive", sensitive)))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        id: str = "id",  # noqa: A002 (as the column is called)
        item: str = "item",
        sensitive: Iterable[str] = (),
    ) -> "Transactions":
        """Make transactions from a frame of pandas, polars (also lazy) or pyarrow.

        Parameters
        ----------
        frame
            A row for each item that a person holds, or a row a person with a column of lists. A
            person whose item is missing holds nothing.
        id, item
            The columns.
        sensitive
            The items whose possession is nobody's business.

        Returns
        -------
        Transactions
            A record for each id, in the order in which ids first occur.

        Raises
        ------
        ParameterError
            Where ``frame`` is no frame or has no such column.
        DataError
            Where an id is missing.

        Examples
        --------
        >>> import polars as pl
        >>> frame = pl.DataFrame({"who": [1, 1, 2], "what": ["beer", "bread", "bread"]})
        >>> list(Transactions.from_frame(frame, id="who", item="what"))
        [('beer', 'bread'), ('bread',)]
        """
        from discreet.core.collections import ids_of, names_of
        from discreet.io.frames import as_polars, texts_of
        from discreet.io.text import normalised

        table = as_polars(frame)
        columns = {"id": id, "item": item}
        for field_, column in columns.items():
            name = normalised(str(column))
            if name not in table.columns:
                known = ", ".join(table.columns)
                msg = (
                    f"`{field_}` must name a column, and {column!r} is not one; there are the "
                    f"columns {known}"
                )
                raise ParameterError(msg, parameter=field_)
            columns[field_] = name
        rows = pl.DataFrame([table[name].alias(field_) for field_, name in columns.items()])
        if isinstance(rows.schema["item"], pl.List | pl.Array):
            rows = rows.explode("item", empty_as_null=True)
        rows = rows.select(texts_of(rows[name]) for name in ("id", "item"))
        if len(lost := (rows["id"].fill_null("") == "").arg_true()):
            msg = f"every row must say in its id whose it is, and row {lost[0] + 1} does not"
            raise DataError(msg)
        grouped = rows.group_by("id", maintain_order=True).agg(
            pl.col("item").filter(pl.col("item").fill_null("") != "").unique(maintain_order=True)
        )
        ids = ids_of(grouped["id"].to_list())
        secret = frozenset(names_of("sensitive", sensitive))
        return cls(sets_of_column(grouped["item"]), ids, secret)

    @classmethod
    def read(
        cls,
        source: str | Path,
        *,
        input_format: str | None = None,
        columns: Mapping[str, str] | None = None,
        separator: str | None = None,
    ) -> "Transactions":
        """Read a file in any of the set formats, or a named data set (``dataset:msnbc``).

        The format is guessed from the file's ending and header unless ``input_format`` says it.

        Parameters
        ----------
        source
            The file, or a named data set.
        input_format
            ``fimi``, ``seq``, ``long``, ``lists`` or ``matrix``.
        columns
            Which columns are ``id``, ``item`` or ``items``, where they are called otherwise.
        separator
            What stands between items in one cell.

        Returns
        -------
        Transactions
            A set a person; nothing is sensitive yet.

        Raises
        ------
        DataError
            Where the file cannot be read; the line is said, never what stands in it.
        """
        from discreet.io.datasets import is_dataset, read_dataset
        from discreet.io.sets import check_set_options, read_sets

        if is_dataset(source):
            check_set_options("the named data sets", (), columns or {}, separator)
            read = read_dataset(str(source))
        else:
            path = Path(source)
            read = read_sets(path, input_format=input_format, columns=columns, separator=separator)
        return cls(Itemsets(read.offsets, read.items, read.vocabulary), read.ids)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"Transactions({len(self)} records over {len(self.universe)} items)"

    def __len__(self) -> int:
        return len(self.sets)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.sets)

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> "Transactions": ...
    def __getitem__(self, index: int | slice) -> "tuple[str, ...] | Transactions":
        """Return the set of one person, or some of the people."""
        if not isinstance(index, slice):
            return self.sets[range(len(self))[index]]
        rows = np.arange(len(self))[index]
        ids = None if self.ids is None else self.ids[index]
        return Transactions(self.sets.take(rows), ids, self.sensitive, self.applied)

    def head(self, n: int = 5) -> "Transactions":
        """Return the first people.

        Parameters
        ----------
        n
            How many.

        Returns
        -------
        Transactions
            The same universe over fewer people.
        """
        return self[:n]

    def to_polars(self) -> "pl.DataFrame":
        """Return a row for each person: ``id`` where it is known, and the list ``items``."""
        who = {} if self.ids is None else {"id": pl.Series(self.ids.tolist(), dtype=pl.String)}
        return pl.DataFrame(who | {"items": list_column(self.sets)})

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where each record begins in ``items``."""
        return self.sets.offsets

    @property
    def items(self) -> NDArray[np.int32]:
        """Item numbers of all records, one after the other."""
        return self.sets.items

    @property
    def universe(self) -> tuple[str, ...]:
        """The items, in their public order."""
        return self.sets.vocabulary

    @cached_property
    def folded(self) -> ItemsetHistogram:
        """The distinct sets with their counts, ascending by the item numbers of each set."""
        from discreet.core.fold import fold

        return fold(self.sets)

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """For each item the number of people who hold it."""
        return np.bincount(self.items, minlength=len(self.universe))

    @cached_property
    def held(self) -> frozenset[str]:
        """The items that somebody holds."""
        return frozenset(compress(self.universe, (self.supports > 0).tolist()))

    def over(self, universe: Sequence[str]) -> "Transactions":
        """Renumber the items as in ``universe`` and drop the items outside it.

        Parameters
        ----------
        universe
            The items in their public order.

        Returns
        -------
        Transactions
            The same people; some may hold nothing any more.
        """
        return Transactions(
            self.sets.over(universe), self.ids, self.sensitive.intersection(universe)
        )

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the release's table: ``transactions`` with ``items``, and what was applied."""
        applied = self.applied.tables()["hierarchy"] if self.applied else None
        tables = {"transactions": pl.DataFrame({"items": list_column(self.sets)})}
        return tables if applied is None else tables | {ITEM_TREE: applied}

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "Transactions":
        """Read released transactions back from their table.

        Parameters
        ----------
        tables
            The table ``transactions`` of a release.

        Returns
        -------
        Transactions
            A set a row, without ids.
        """
        sets = sets_of_column(tables["transactions"]["items"])
        return cls(sets, applied=item_tree_in(tables))


def item_tree_in(tables: "Mapping[str, pl.DataFrame]") -> Hierarchy | None:
    """Return the hierarchy by which the items of a release were generalised, where one was."""
    pairs = tables.get(ITEM_TREE)
    return None if pairs is None else Hierarchy.of_tables({"hierarchy": pairs})
