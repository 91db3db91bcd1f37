"""Tables with named columns, as text: csv and tsv (also ``.gz``), parquet."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.core.reading.parquet import clear_faults, is_parquet, parquet_content
from discreet.core.reading.text import read_text
from discreet.errors import DataError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["cells_of", "named_columns", "place_of_row", "read_table", "separator_of"]

_BLOCK = 50_000
"""Rows that the slow reader holds as Python text at a time."""


def read_table(path: str | Path, *, may_be_empty: bool = False) -> "pl.DataFrame":
    """Read a table with a header; every cell is text, and a missing one is empty text.

    The separator of a csv is the one of tab, ``;`` and ``,`` that its header holds most often. A
    table without rows is an error unless it ``may_be_empty``.
    """
    path = Path(path)
    table = _parquet(path) if is_parquet(path) else _text(path)
    if table.is_empty() and not may_be_empty:
        msg = f"{path.name} must hold rows below its header and has none"
        raise DataError(msg)
    return table


def _text(path: Path) -> "pl.DataFrame":
    text = read_text(path)
    separator = separator_of(text.partition("\n")[0])
    header = _header(text, separator, path.name)
    table = _fast(text, separator, header)
    # A row that is too short ends in a missing cell, and quotes may be read too kindly.
    if table is None or '"' in text or table[header[-1]].has_nulls():
        _refuse_broken(text, separator, len(header), path.name)
    return _careful(text, separator, header) if table is None else table.fill_null("")


def separator_of(line: str) -> str:
    r"""Return the separator that occurs most often in a line.

    >>> separator_of("age;zip, code;job"), separator_of("source\ttarget")
    (';', '\t')
    """
    return max("\t;,", key=line.count)


def cells_of(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each csv record, blank lines as no cells."""
    rows = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in rows:
            yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        reason = str(error).strip()
        msg = f"{name}, line {line}: must be proper csv and is not ({reason}); check its quotes"
        raise DataError(msg) from None


def _header(text: str, separator: str, name: str) -> list[str]:
    _, header = next(cells_of(text, separator, name))
    header = [column.strip() for column in header]
    # A file without header begins with a record, so its cells are counted, not shown.
    if not all(header) or not header:
        msg = f"{name}, line 1: must name every column, and one name is empty"
        raise DataError(msg)
    for place, column in enumerate(header):
        first = header.index(column)
        if first < place:
            msg = (
                f"{name}, line 1: every column must have its own name, "
                f"but columns {first + 1} and {place + 1} have the same"
            )
            raise DataError(msg)
    return header


def _fast(text: str, separator: str, header: Sequence[str]) -> "pl.DataFrame | None":
    """Return the table as polars reads it, None where it cannot."""
    import polars as pl

    try:
        return pl.read_csv(
            text.rstrip("\n").encode(),
            separator=separator,
            has_header=False,
            skip_rows=1,
            schema=dict.fromkeys(header, pl.String),
        )
    except pl.exceptions.PolarsError:
        return None


def _refuse_broken(text: str, separator: str, width: int, name: str) -> None:
    """Refuse csv whose quotes are not proper or whose rows are not as wide as the header."""
    for line, cells in cells_of(text.rstrip("\n"), separator, name):
        if len(cells) != width:
            got = f"must have {width} cells as the header has, got {len(cells)}"
            msg = f"{name}, line {line}: {got}"
            raise DataError(msg)


def _careful(text: str, separator: str, header: Sequence[str]) -> "pl.DataFrame":
    """Return the table of proper csv that polars does not take, such as a quote within a cell."""
    import polars as pl

    schema = dict.fromkeys(header, pl.String)
    records = islice(cells_of(text.rstrip("\n"), separator, ""), 1, None)
    blocks = [pl.DataFrame(schema=schema)]
    while block := [cells for _, cells in islice(records, _BLOCK)]:
        blocks.append(pl.DataFrame(block, schema=schema, orient="row"))
    return pl.concat(blocks)


def _parquet(path: Path) -> "pl.DataFrame":
    import polars as pl

    content = parquet_content(path)
    with clear_faults(path):
        table = pl.read_parquet(io.BytesIO(content))
    for column, kind in table.schema.items():
        if kind.is_nested() or kind in (pl.Binary, pl.Object):
            msg = f"{path.name}: column {column!r} must hold text or numbers, got {kind}"
            raise DataError(msg)
    return table.select(pl.all().cast(pl.String).fill_null(""))


def named_columns(table: "pl.DataFrame", wanted: Mapping[str, str], name: str) -> "list[pl.Series]":
    """Return the columns that play the wanted roles: role -> column."""
    return [table[_present(column, table.columns, name, role)] for role, column in wanted.items()]


def _present(column: str, columns: Sequence[str], name: str, role: str) -> str:
    if column in columns:
        return column
    near = get_close_matches(column.lower(), [other.lower() for other in columns], n=1)
    hint = next((f" (did you mean {other!r}?)" for other in columns if other.lower() in near), "")
    msg = (
        f"{name} must have a column {column!r}, and its first line names none such{hint}; "
        f"say which column is the {role}"
    )
    raise DataError(msg)


def place_of_row(path: Path, row: int) -> str:
    """Return where row ``row``, counted from 0, stands in a table's file."""
    if is_parquet(path):
        return f"{path.name}, row {row + 1}"
    return f"{path.name}, line {row + 2}"
