"""Distinct sets with their counts, and sets as the columns of lists of a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.errors import DataError
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl


@dataclass(frozen=True, eq=False, repr=False)
class ItemsetHistogram:
    """Distinct sets, each with a count: folded records, or a release of noisy counts.

    >>> histogram = ItemsetHistogram.of({("a", "b"): 20, ("a",): 1, (): 3})
    >>> histogram.total, histogram.supports.tolist()
    (24, [21, 20])
    """

    explained: ClassVar[tuple[str, ...]] = (
        "itemsets: each row is a set of items with the number of people it is published for.",
    )
    """What a reader of the tables must be told."""

    sets: Itemsets
    """The distinct sets."""
    counts: NDArray[np.int64]
    """How often each of them occurs."""

    def __post_init__(self) -> None:
        self.counts.setflags(write=False)

    @classmethod
    def of(
        cls,
        counts: Mapping[tuple[str, ...], int] | Iterable[tuple[Sequence[str], int]],
        universe: Sequence[str] | None = None,
    ) -> "ItemsetHistogram":
        """Make a histogram from a mapping of itemset to count, or from such pairs."""
        pairs = list(counts.items() if isinstance(counts, Mapping) else counts)
        sets = Itemsets.of([itemset for itemset, _ in pairs], universe)
        return cls(sets, np.array([count for _, count in pairs], dtype=np.int64))

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"ItemsetHistogram({len(self)} itemsets over {len(self.sets.vocabulary)} items)"

    def __len__(self) -> int:
        return len(self.sets)

    @cached_property
    def total(self) -> int:
        """Sum of all counts: the number of people behind the histogram."""
        return int(self.counts.sum())

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """For each item the number of people who hold it."""
        weights = np.repeat(self.counts, self.sets.sizes)
        sums = np.bincount(self.sets.items, weights, minlength=len(self.sets.vocabulary))
        return sums.astype(np.int64)

    def as_dict(self) -> dict[tuple[str, ...], int]:
        """Return the histogram as a plain mapping of itemset to count."""
        return dict(zip(self.sets, self.counts.tolist(), strict=True))

    def take(self, index: NDArray[np.int64]) -> "ItemsetHistogram":
        """Return the rows at ``index``, in that order."""
        return ItemsetHistogram(self.sets.take(index), self.counts[index])

    def over(self, universe: Sequence[str]) -> "ItemsetHistogram":
        """Renumber the items as in ``universe``, drop those outside it, add up what is equal then.

        >>> ItemsetHistogram.of({("a", "b"): 20, ("a",): 1}).over(["a"]).as_dict()
        {('a',): 21}
        """
        from discreet.core.fold import fold

        moved = self.sets.over(universe)
        return self if moved is self.sets else fold(moved, self.counts)

    def sorted(self) -> "ItemsetHistogram":
        """Return the rows by their items, which sort as text, and then by their counts."""
        from discreet.kernels.folding import lexicographic

        by_count = np.argsort(self.counts, kind="stable")
        sets = self.sets.over(sorted(self.sets.vocabulary)).take(by_count)
        order = lexicographic(sets.offsets, sets.items, len(sets.vocabulary))
        return ItemsetHistogram(sets.take(order), self.counts[by_count[order]])

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the release's table: ``itemsets`` with ``items`` and ``count``."""
        columns = {"items": list_column(self.sets), "count": pl.Series(self.counts)}
        return {"itemsets": pl.DataFrame(columns)}

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "ItemsetHistogram":
        """Read the histogram back from its table."""
        table = tables["itemsets"]
        counts = table["count"].to_numpy().astype(np.int64)
        if len(counts) and counts.min() < 1:
            raise DataError(f"a published count must be at least 1, got {counts.min()}")
        return cls(sets_of_column(table["items"]), counts)


def refuse_damaged(must: str) -> NoReturn:
    """Refuse a release whose tables contradict each other; nothing of the content is shown."""
    raise DataError(f"{must}; the release is damaged")


def whole_numbers(column: "pl.Series") -> NDArray[np.int64]:
    """Return a column of whole numbers, refusing one with a gap."""
    if column.null_count():
        refuse_damaged(f"the column {column.name} must hold a number in every row")
    return column.to_numpy().astype(np.int64)


def list_column(sets: Itemsets) -> "pl.Series":
    """Return ``sets`` as a polars column of lists of item names."""
    names = pl.Series(sets.vocabulary, dtype=pl.String).gather(sets.items)
    return grouped_column(names, sets.sizes)


def grouped_column(values: "pl.Series", sizes: NDArray[np.int64]) -> "pl.Series":
    """Return ``values`` as a polars column of lists of the given sizes, one after the other."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    grouped = (
        pl.DataFrame({"row": rows, "items": values})
        .group_by("row", maintain_order=True)
        .agg(pl.col("items"))
    )
    all_rows = pl.DataFrame({"row": np.arange(len(sizes))})
    joined = all_rows.join(grouped, on="row", how="left", maintain_order="left")
    return joined["items"].fill_null(pl.lit([], dtype=pl.List(values.dtype)))


def sets_of_column(column: "pl.Series") -> Itemsets:
    """Return the sets of a polars column of lists; items sort as text."""
    return sets_of_columns([column])[0]


def sets_of_columns(columns: "Sequence[pl.Series]") -> list[Itemsets]:
    """Return the sets of several columns of lists over one vocabulary, that of all of them."""
    each = [column.explode(empty_as_null=False).cast(pl.String) for column in columns]
    names = pl.concat(each)
    vocabulary = names.unique().drop_nulls().sort()
    numbers = names.replace_strict(
        vocabulary, np.arange(len(vocabulary), dtype=np.int32), return_dtype=pl.Int32
    ).to_numpy()
    ends = np.cumsum([len(some) for some in each])
    items = tuple(vocabulary.to_list())
    return [
        _numbered(column.list.len().fill_null(0).to_numpy(), own, items)
        for column, own in zip(columns, np.split(numbers, ends[:-1]), strict=True)
    ]


def _numbered(
    sizes: NDArray[np.int64], numbers: NDArray[np.int32], vocabulary: tuple[str, ...]
) -> Itemsets:
    """Return sets of these sizes with their items ascending, refusing one that repeats an item."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((numbers, rows))
    items = numbers[order].astype(np.int32)
    repeated = (np.diff(items) <= 0) & (np.diff(rows) == 0)
    if repeated.any():
        index = int(rows[1:][repeated][0]) + 1
        msg = f"a set holds each item once, but row {index} repeats one"
        raise DataError(msg)
    return Itemsets(offsets_of(sizes), items, vocabulary)
