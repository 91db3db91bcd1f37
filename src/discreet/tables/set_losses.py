"""What a set column lost when its table was published."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.bitmap import cells_as_sets
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.errors import DataError
from discreet.kernels.ragged import runs

if TYPE_CHECKING:
    import polars as pl

__all__ = ["set_losses"]


def set_losses(
    original: Microdata,
    content: ProjectedTables,
    by_column: Mapping[str, float],
    key: LinkageKey | None,
) -> dict[str, float]:
    """Return what quasi-identifiers and sets lose on average, from 0 to 1.

    An occurrence in a block of n items loses 1 - 1/n, the chance that who names a member at random
    is wrong; one that is left out loses all. Which row is whose only the key says: without it there
    is no ``transaction_loss``. The error of an item's count is by blocks read evenly.
    """
    name = content.set_column
    if name is None or original.set_column != name:
        msg = (
            "the original must have the set column of the release, and has none or another; read "
            "it with the same roles"
        )
        raise DataError(msg, parameter="set_column")
    occurrences = _items(cells_as_sets(original.table[name], original.separator))
    shown = _blocks(content)
    every = max(1, occurrences.height)
    figures = {
        "relational_loss": float(np.mean(list(by_column.values()))) if by_column else 0.0,
        "occurrences_by_name": shown.filter(shown["share"] == 1.0).height / every,
        "item_count_error": _count_error(occurrences, shown) / every,
    }
    if key is None:
        return figures
    records = key.records(content.parts[0].height, len(original), "rows_1")
    own = shown.with_columns(row=records[shown["row"].to_numpy()])
    matched = occurrences.join(own, on=["row", "item"], how="inner")
    return figures | {"transaction_loss": max(0.0, 1.0 - float(matched["share"].sum()) / every)}


def _items(cells: "pl.Series") -> "pl.DataFrame":
    """Return row and item of every occurrence."""
    import polars as pl

    rows = np.repeat(np.arange(len(cells)), cells.list.len().to_numpy())
    return pl.DataFrame({"row": rows, "item": cells.explode(empty_as_null=False)})


def _blocks(content: ProjectedTables) -> "pl.DataFrame":
    """Return row, item and share of every member of every block; the shares of a block are 1."""
    import polars as pl

    rows, numbers, blocks = content.blocks
    members = [content.items_of(block) for block in blocks]
    items = pl.Series([item for each in members for item in each], dtype=pl.String)
    lengths = np.array([len(each) for each in members], dtype=np.int64)
    sizes = lengths[numbers]
    return pl.DataFrame(
        {
            "row": np.repeat(rows, sizes),
            "item": items.gather(runs((np.cumsum(lengths) - lengths)[numbers], sizes)),
            "share": np.repeat(1.0 / np.maximum(1, sizes), sizes),
        }
    )


def _count_error(occurrences: "pl.DataFrame", shown: "pl.DataFrame") -> float:
    """Return how far the counts of items are off, in all."""
    import polars as pl

    true = occurrences.group_by("item").agg(pl.len().cast(pl.Float64).alias("true"))
    read = shown.group_by("item").agg(pl.col("share").sum())
    both = true.join(read, on="item", how="full", coalesce=True).fill_null(0.0)
    return float((both["true"] - both["share"]).abs().sum())
