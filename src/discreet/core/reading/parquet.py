"""Columns of Parquet files: plain ones as codes, lists as sets."""

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.itemsets import Itemsets
from discreet.core.reading.codes import Column
from discreet.core.reading.grouping import grouped
from discreet.core.reading.parquet_pages import pages_are_sound
from discreet.core.reading.source import ending, fault, whole

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "clear_faults",
    "is_parquet",
    "list_sets",
    "parquet_columns",
    "parquet_content",
    "parquet_header",
    "plain_column",
]

MAGIC = b"PAR1"
"""How a Parquet file begins and ends."""

DAMAGED = "the Parquet file is damaged; write it again"


def is_parquet(path: Path) -> bool:
    """Whether the file's ending says that it is Parquet."""
    return ending(path) == ".parquet"


def parquet_header(path: Path) -> tuple[str, ...]:
    """Return the names of the columns."""
    import polars as pl

    content = parquet_content(path)
    with clear_faults(path):
        return tuple(pl.read_parquet_schema(io.BytesIO(content)))


def parquet_columns(path: Path, names: Sequence[str]) -> "list[pl.Series]":
    """Read the columns of these names, refusing a file without rows."""
    import polars as pl

    content = parquet_content(path)
    with clear_faults(path):
        header = pl.read_parquet_schema(io.BytesIO(content))
    for name in names:
        if name not in header or names.count(name) > 1:
            msg = f"there must be a column {name!r} with one part to play, and there is none"
            raise fault(path, msg)
    with clear_faults(path):
        table = pl.read_parquet(io.BytesIO(content), columns=list(names))
    if table.is_empty():
        raise fault(path, "there must be a record, and there is none")
    return [table[name] for name in names]


def plain_column(path: Path, column: "pl.Series") -> Column:
    """Return a column of text or whole numbers as codes; what is missing is empty text."""
    import polars as pl

    _check_kind(path, column.name, column.dtype)
    with clear_faults(path):
        rows = pl.DataFrame({"value": column}).with_row_index("row", offset=1)
        known = rows.group_by("value", maintain_order=True).agg(pl.col("row").first())
        numbers = np.arange(len(known), dtype=np.int32)
        codes = column.replace_strict(known["value"], numbers, return_dtype=pl.Int32)
        texts = known["value"].cast(pl.String).fill_null("").to_list()
    firsts = known["row"].to_numpy().astype(np.int64)
    numbers = codes.to_numpy().astype(np.int32, copy=False)
    return Column(path, numbers, texts, firsts, counts_lines=False)


def list_sets(path: Path, column: "pl.Series") -> Itemsets:
    """Return the sets of a column of lists; a missing list is an empty set."""
    import polars as pl

    if not isinstance(column.dtype, pl.List):
        raise fault(path, f"the column {column.name!r} must hold lists of items")
    with clear_faults(path):
        sizes = column.list.len().fill_null(0).to_numpy().astype(np.int64)
        items = plain_column(path, column.filter(column.list.len() > 0).explode())
    if "" in items.texts:
        place = int(items.firsts[items.texts.index("")]) - 1
        row = int(np.searchsorted(np.cumsum(sizes), place, side="right")) + 1
        raise fault(path, f"row {row}: an item must have a name, and one is empty or missing")
    records = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return grouped(records, items.codes, items.texts, len(sizes))


def parquet_content(path: Path) -> bytes:
    """Return the bytes of a Parquet file, refusing what polars would stumble over."""
    content = whole(path)
    if len(content) < 3 * len(MAGIC) or content[:4] != MAGIC or content[-4:] != MAGIC:
        raise fault(path, "this must be a whole Parquet file, and it is not; write it again")
    if not pages_are_sound(content):
        raise fault(path, DAMAGED)
    return content


def _check_kind(path: Path, name: str, kind: "pl.DataType") -> None:
    import polars as pl

    if not kind.is_integer() and kind not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        raise fault(path, f"the column {name!r} must hold text or whole numbers, not {kind}")


@contextmanager
def clear_faults(path: Path) -> Iterator[None]:
    """Turn what polars complains about into one sentence with the file's name."""
    import polars as pl

    try:
        with _hushed():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        # a panic is how polars says that it did not expect what it found in the file
        raise fault(path, DAMAGED) from None


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep off the screen what the threads of polars print there when they panic."""
    try:
        screen = os.dup(2)
    except OSError:  # there is no screen
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
