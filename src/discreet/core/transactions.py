"""One person, one set."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram, list_column, sets_of_column
from discreet.core.itemsets import Itemsets

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Transactions"]

APPLIED = "hierarchy_items"
"""The table of an applied hierarchy."""


@dataclass(frozen=True, eq=False, repr=False)
class Transactions:
    """Records of people, each a set of items: baskets, clicks, diagnoses, places.

    Immutable. What the methods work on is ``folded``: the distinct sets with their counts.

    >>> baskets = Transactions.of([["beer", "bread"], ["bread"], ["bread"], []])
    >>> len(baskets), baskets.universe, baskets.supports.tolist()
    (4, ('beer', 'bread'), [1, 3])
    >>> baskets.folded.as_dict()
    {(): 1, ('beer', 'bread'): 1, ('bread',): 2}
    """

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
        records: Iterable[Iterable[str]],
        *,
        universe: Sequence[str] | None = None,
        sensitive: Iterable[str] = (),
    ) -> "Transactions":
        """Make transactions from Python collections."""
        return cls(Itemsets.of(records, universe), sensitive=frozenset(sensitive))

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
        """Renumber the items as in ``universe`` and drop the items outside it."""
        return Transactions(
            self.sets.over(universe), self.ids, self.sensitive.intersection(universe)
        )

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the release's table: ``transactions`` with ``items``, and what was applied."""
        import polars as pl

        applied = self.applied.tables()["hierarchy"] if self.applied else None
        held = {"transactions": pl.DataFrame({"items": list_column(self.sets)})}
        return held if applied is None else held | {APPLIED: applied}

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "Transactions":
        """Read released transactions back from their table."""
        applied = Hierarchy.of_tables({"hierarchy": tables[APPLIED]}) if APPLIED in tables else None
        return cls(sets_of_column(tables["transactions"]["items"]), applied=applied)
