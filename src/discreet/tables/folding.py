"""What publishers of tables decide by: the distinct rows and how many people have each."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.core.bitmap import set_cells
from discreet.core.microdata import Microdata

__all__ = ["FoldedTable", "fold"]


@dataclass(frozen=True, eq=False)
class FoldedTable:
    """The distinct rows of a table in the order of their cells; who has them is not in it."""

    distinct: Microdata
    """Each row once, multi-valued attributes as bits."""
    counts: NDArray[np.int64]
    """How many people have each row."""
    multi_valued: frozenset[str]
    """The attributes that are bits."""

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.counts.sum())

    @cached_property
    def bits(self) -> dict[str, tuple[str, ...]]:
        """For each multi-valued attribute its values; each has a column ``NAME=VALUE``."""
        return {
            name: tuple(
                bit.removeprefix(f"{name}=")
                for bit in self.distinct.sensitive
                if bit.startswith(f"{name}=")
            )
            for name in sorted(self.multi_valued)
        }


def fold(data: Microdata) -> FoldedTable:
    """Count the people behind each distinct row of quasi-identifiers and sensitive values.

    The rows are sorted, so nothing that follows depends on the order of the input.
    """
    import polars as pl

    columns = [*data.qids, *data.set_columns, *data.sensitive]
    several = (*data.set_columns, *sorted(data.multi_valued))
    sets = [set_cells(data.table[name], data.separator) for name in several]
    counted = data.table.with_columns(sets).group_by(columns).agg(pl.len().alias("\0people"))
    ordered = counted.sort(columns)
    counts = ordered["\0people"].to_numpy().astype(np.int64)
    distinct = replace(data, table=ordered.select(columns), kept=()).bitmap
    return FoldedTable(distinct, counts, data.multi_valued)
