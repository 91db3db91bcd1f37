"""The one reader of tables: csv, tsv, jsonl, parquet and xlsx (also ``.gz``) to columns.

A text table has a header line; cells are separated by commas, semicolons or tabs, whichever the
header holds most of (tabs by the ending ``.tsv``). In a table with commas or semicolons a cell may
stand in double quotes and then hold anything, a doubled quote for a quote. In a table with tabs a
quote is a letter like any other. Blank lines are skipped, except where there is only one column:
there they are empty cells.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.json_lines import is_json_lines, json_lines
from discreet.io.parquet import is_parquet, parquet_columns, parquet_content, parquet_header
from discreet.io.source import ending, fault, whole
from discreet.io.text import normalised, normalised_series, text_bytes

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "NO_RECORD",
    "TABLES",
    "Column",
    "Table",
    "open_table",
    "read_table",
    "rows_of_csv",
    "table_of_text",
]

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".xlsx")
"""What the names of tables end with."""

NO_RECORD = "there must be a record after the header, and there is none"
NO_HEADER = "the first line must name the columns of a table"

_BLOCK = 50_000
"""Rows that the slow reader holds as Python text at a time."""


@dataclass(frozen=True, repr=False)
class Table:
    """A table whose file was read, and whose columns are still to be picked."""

    path: Path
    """The file."""
    header: tuple[str, ...]
    """The names of the columns, which need not differ."""
    load: "Callable[[Sequence[int]], pl.DataFrame]"
    """Return the columns at some places, as the file holds them."""
    line: Callable[[int], int] | None = None
    """Return the line on which a row begins; a file without lines counts rows."""

    def where(self, row: int) -> str:
        """Return where a row, counted from 0, stands in the file."""
        if self.line is None:
            return f"{self.path.name}, row {row + 1}"
        return f"{self.path.name}, line {self.line(row)}"

    def fault(self, row: int, complaint: str) -> DataError:
        """Return the error that points to a row, counted from 0."""
        return DataError(f"{self.where(row)}: {complaint}")

    def place(self, name: str, role: str) -> int:
        """Return where the column of that name is, which must be there once."""
        name = normalised(name)
        if (times := self.header.count(name)) == 1:
            return self.header.index(name)
        near = get_close_matches(name.lower(), [other.lower() for other in self.header], n=1)
        meant = [other for other in self.header if other.lower() in near and other != name]
        hint = f" (did you mean {meant[0]!r}?)" if meant else ""
        found = "none" if times == 0 else str(times)
        msg = (
            f"there must be one column {name!r}, and there {'is' if not times else 'are'} "
            f"{found}{hint}; say which column is the {role}"
        )
        raise fault(self.path, msg, line=None if self.line is None else 1)

    def series(self, names: Mapping[str, str], *, may_be_empty: bool = False) -> "list[pl.Series]":
        """Return the columns of these roles (role -> name) as the file holds them."""
        places = [self.place(name, role) for role, name in names.items()]
        if len(set(places)) < len(places):
            raise fault(self.path, "a column cannot play two parts; name one column for each")
        frame = self.load(places)
        if frame.is_empty() and not may_be_empty:
            raise fault(self.path, NO_RECORD)
        return [series.alias(self.header[at]) for series, at in zip(frame, places, strict=True)]

    def columns(self, names: Mapping[str, str]) -> "list[Column]":
        """Return the columns of these roles (role -> name) as codes."""
        return [Column.of(self, series) for series in self.series(names)]

    def texts(self, names: Mapping[str, str], *, may_be_empty: bool = False) -> "list[pl.Series]":
        """Return the columns of these roles (role -> name) as text, what is missing as ``""``."""
        return [_as_text(self, series) for series in self.series(names, may_be_empty=may_be_empty)]


@dataclass(frozen=True, repr=False)
class Column:
    """A column as codes of its distinct texts, numbered as they first occur."""

    table: Table
    """Where it comes from."""
    codes: NDArray[np.int32]
    """The code of each row."""
    texts: list[str]
    """The text of each code, normalised."""
    firsts: NDArray[np.int64]
    """The row in which each text first occurs."""

    @classmethod
    def of(cls, table: Table, series: "pl.Series") -> "Column":
        """Return a column of text or whole numbers as codes; what is missing is empty text."""
        import polars as pl

        kind = series.dtype
        if not kind.is_integer() and kind not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
            msg = f"the column {series.name!r} must hold text or whole numbers, not {kind}"
            raise fault(table.path, msg)
        codes, firsts = _coded(series)
        names = normalised_series(series[firsts].cast(pl.String).fill_null(""))
        # names that differ by blanks or by how a letter is composed are one
        merged, once = _coded(names)
        return cls(table, merged[codes], names[once].to_list(), firsts[once])

    def fault(self, code: int, complaint: str) -> DataError:
        """Return the error that points to the first row that holds the text."""
        return self.table.fault(int(self.firsts[code]), complaint)


def _coded(series: "pl.Series") -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return for each row the number of its value, by first occurrence, and these rows."""
    import polars as pl

    rows = pl.DataFrame({"value": series}).with_row_index("row")
    first = rows.select(pl.col("row").first().over("value")).to_series().to_numpy()
    is_first = first == np.arange(len(first))
    number = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    return number[first], np.flatnonzero(is_first)


def read_table(path: str | Path, *, may_be_empty: bool = False) -> "pl.DataFrame":
    """Read a table with a header; every cell is text, and a missing one is empty text.

    A table without rows is an error unless it ``may_be_empty``.
    """
    import polars as pl

    table = open_table(Path(path))
    _refuse_header(table)
    frame = table.load(range(len(table.header)))
    if frame.is_empty() and not may_be_empty:
        raise fault(table.path, NO_RECORD)
    return pl.DataFrame(
        [
            _as_text(table, series.alias(name))
            for name, series in zip(table.header, frame, strict=True)
        ]
    )


def _refuse_header(table: Table) -> None:
    """Refuse a header in which a column has no name of its own."""
    # a file without header begins with a record, so its cells are counted, not shown
    line = None if table.line is None else 1
    for place, name in enumerate(table.header):
        first = table.header.index(name)
        if not name:
            msg = f"every column must have a name, and the name of column {place + 1} is empty"
            raise fault(table.path, msg, line=line)
        if first < place:
            columns = f"columns {first + 1} and {place + 1}"
            msg = f"every column must have its own name, but {columns} have the same"
            raise fault(table.path, msg, line=line)


def _as_text(table: Table, series: "pl.Series") -> "pl.Series":
    import polars as pl

    if series.dtype.is_nested() or series.dtype in (pl.Binary, pl.Object):
        msg = f"the column {series.name!r} must hold text or numbers, not {series.dtype}"
        raise fault(table.path, msg)
    return normalised_series(series.cast(pl.String).fill_null(""))


def open_table(path: Path) -> Table:
    """Read a table's file and its header; the columns are parsed when they are asked for."""
    if is_parquet(path):
        return _open_parquet(path)
    if ending(path) == ".xlsx":
        return _open_excel(path)
    return _open_json(path) if is_json_lines(path) else table_of_text(path, text_bytes(path))


def _open_parquet(path: Path) -> Table:
    content = parquet_content(path)
    names = parquet_header(path, content)

    def load(places: Sequence[int]) -> "pl.DataFrame":
        return parquet_columns(path, content, [names[place] for place in places])

    return Table(path, tuple(map(normalised, names)), load)


def _open_excel(path: Path) -> Table:
    """Open the first sheet of a workbook."""
    import polars as pl

    try:
        from fastexcel import FastExcelError
    except ImportError:
        msg = "Excel files are read by fastexcel, which is not here; pip install discreet[excel]"
        raise fault(path, msg) from None
    content = whole(path)
    try:
        frame = pl.read_excel(
            io.BytesIO(content),
            infer_schema_length=0,
            raise_if_empty=False,
            drop_empty_rows=False,
            drop_empty_cols=False,
        )
    except (FastExcelError, pl.exceptions.PolarsError, IndexError, ValueError):
        raise fault(path, "the Excel file is damaged or has no sheet; save it again") from None
    if frame.width > 1:
        frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    return Table(path, tuple(map(normalised, frame.columns)), lambda at: frame[:, list(at)])


def _open_json(path: Path) -> Table:
    """Open lines of JSON objects; a field that a line lacks is missing there."""
    import polars as pl

    lines, rows = [], []
    for line, row in json_lines(path, "every line must be a JSON object"):
        if not isinstance(row, dict):
            raise fault(path, "every line must be a JSON object", line=line)
        lines.append(line)
        rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))

    def load(places: Sequence[int]) -> "pl.DataFrame":
        return pl.DataFrame(
            {
                str(at): [_json_cell(path, row.get(names[at]), line) for line, row in pairs]
                for pairs in [list(zip(lines, rows, strict=True))]
                for at in places
            },
            schema={str(at): pl.String for at in places},
        )

    return Table(path, tuple(map(normalised, names)), load, lines.__getitem__)


def _json_cell(path: Path, value: Any, line: int) -> str | None:
    """Return a cell of JSON as text."""
    if isinstance(value, dict | list):
        raise fault(path, "a cell must be text or a number, not a list or an object", line=line)
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


# ---------------------------------------------------------------- text


def table_of_text(path: Path, text: bytes) -> Table:
    """Return the table that a text holds, as ``text_bytes`` returns it."""
    first, _, body = text.partition(b"\n")
    line = first.decode()
    separator = "\t" if ending(path) == ".tsv" else max(",;\t", key=line.count)
    try:
        [(_, header)] = rows_of_csv(path, line, separator)
    except (DataError, ValueError):
        header = []
    if not line.strip() or not header:
        raise fault(path, NO_HEADER, line=1)
    if body and not body.endswith(b"\n"):
        body += b"\n"
    rows = _Text(path, body, separator, len(header))
    return Table(path, tuple(map(normalised, header)), rows.load, rows.line)


@dataclass(frozen=True, repr=False)
class _Text:
    """The lines below the header of a text table."""

    path: Path
    body: bytes
    separator: str
    width: int

    def load(self, places: Sequence[int]) -> "pl.DataFrame":
        """Return the columns at some places: by polars where it reads as this dialect does."""
        import polars as pl

        body = self.body
        quoted = self.separator != "\t" and b'"' in body
        if not quoted and self.width > 1:
            body = re.sub(rb"\n\n+", b"\n", body).lstrip(b"\n")
        rows = self._regular_rows(body, quoted=quoted)
        names = [str(place) for place in range(self.width)]
        wanted = [names[place] for place in places]
        if rows == 0:
            return pl.DataFrame(schema=dict.fromkeys(wanted, pl.String))
        if rows is not None:
            try:
                lazy = pl.scan_csv(
                    body,
                    separator=self.separator,
                    quote_char='"' if quoted else None,
                    has_header=False,
                    schema=dict.fromkeys(names, pl.String),
                )
                frame = lazy.select(wanted).collect()
            except pl.exceptions.PolarsError:
                rows = None
            if rows is not None and frame.height == rows:
                return frame.select(pl.all().fill_null(""))
        return self._loaded_slowly(places)

    def _regular_rows(self, body: bytes, *, quoted: bool) -> int | None:
        """Return how many rows there are, None where they must be looked at one by one."""
        mark = self.separator.encode()
        if not quoted:
            rows, marks = body.count(b"\n"), body.count(mark)
        elif b"\n\n" in body or body.startswith(b"\n"):
            return None
        else:
            block = np.frombuffer(body, dtype=np.uint8)
            quotes = np.flatnonzero(block == ord('"'))
            if not _quotes_are_proper(block, quotes, ord(mark)):
                return None
            rows, marks = (_outside(block, quotes, byte) for byte in (ord("\n"), ord(mark)))
        # polars refuses a row that is too long; so if the sum is right no row is too short
        return rows if marks == rows * (self.width - 1) else None

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the cells of each row."""
        for line, cells in rows_of_csv(self.path, self.body.decode(), self.separator, 2):
            if cells or self.width == 1:
                yield line, cells or [""]

    def _loaded_slowly(self, places: Sequence[int]) -> "pl.DataFrame":
        """Return the columns of a table with odd quotes, refusing a row of another width."""
        import polars as pl

        def checked() -> Iterator[list[str]]:
            for line, cells in self._rows():
                if len(cells) != self.width:
                    due = f"a row must have as many cells as the header, {self.width}"
                    raise fault(self.path, f"{due}, and this one has {len(cells)}", line=line)
                yield [cells[place] for place in places]

        schema = {str(place): pl.String for place in places}
        rows, blocks = checked(), [pl.DataFrame(schema=schema)]
        while block := list(islice(rows, _BLOCK)):
            blocks.append(pl.DataFrame(block, schema=schema, orient="row"))
        return pl.concat(blocks)

    def line(self, row: int) -> int:
        """Return the line on which a row begins."""
        return next(islice(self._rows(), row, None))[0]


def _quotes_are_proper(block: NDArray[np.uint8], quotes: NDArray[np.int64], mark: int) -> bool:
    """Whether every quote opens or closes a cell, or is one of two inside of one."""
    opening, closing = quotes[::2], quotes[1::2]
    if len(quotes) % 2:
        return False
    before = np.where(opening > 0, block[opening - 1], ord("\n"))
    after = block[closing + 1]  # the text ends with a newline
    doubled = closing[:-1] + 1 == opening[1:]
    begins = np.isin(before, (mark, ord("\n")))
    ends = np.isin(after, (mark, ord("\n")))
    begins[1:] |= doubled
    ends[:-1] |= doubled
    return bool(begins.all() and ends.all())


def _outside(block: NDArray[np.uint8], quotes: NDArray[np.int64], byte: int) -> int:
    """Return how often a byte occurs outside quotes."""
    places = np.flatnonzero(block == byte)
    return int(np.count_nonzero(np.searchsorted(quotes, places) % 2 == 0))


def rows_of_csv(
    path: Path, text: str, separator: str, first: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row of a text, blank lines as no cells."""
    if separator == "\t":
        for line, row in enumerate(text.removesuffix("\n").split("\n") if text else [], first):
            yield line, row.split("\t") if row else []
        return
    rows = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    line = first
    try:
        for cells in rows:
            yield line, cells
            line = first + rows.line_num
    except csv.Error as error:
        raise fault(path, _complaint(str(error)), line=line) from None


def _complaint(reason: str) -> str:
    """Return what is wrong with a row, in the words of this house."""
    if "unexpected end" in reason:
        return "a cell begins with a quote that is never closed"
    if "expected after" in reason:
        return "after its closing quote a cell must end, and this one goes on"
    return f"a row must be proper csv, and this one is not ({reason})"
