"""The one reader of tables: csv, tsv, jsonl, parquet and xlsx (also ``.gz``) to columns."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.codes import Codes
from discreet.io.delimited import Delimited
from discreet.io.frames import texts_of, without_text
from discreet.io.header import columns_there, nearest_column
from discreet.io.json_lines import is_json_lines, json_lines
from discreet.io.parquet import is_parquet, parquet_content, parquet_header, parquet_rows
from discreet.io.source import ending, fault, whole
from discreet.io.text import normalised, normalised_series
from discreet.lazy import pl

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".xlsx")
"""What the names of tables end with."""

JSON = (
    "a file of one JSON value is not read; write one object or list a line and call it .jsonl, "
    "as jq -c '.[]' does"
)
SHEET = "such a spreadsheet is not read; save it as .xlsx or .csv"
OTHER_FORMATS = {".json": JSON, ".xls": SHEET, ".ods": SHEET}
"""Files that people have and nothing here reads, each with the way out."""

NO_RECORD = "there must be a record after the header, and there is none"


@dataclass(frozen=True, repr=False)
class Table:
    """A table whose file was read, and whose columns are still to be picked."""

    path: Path
    """The file."""
    header: tuple[str, ...]
    """The names of the columns, which need not differ."""
    parts: "Callable[[Sequence[int]], Iterable[pl.DataFrame]]"
    """Return the columns at some indices, as the file holds them, some rows at a time."""
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

    def load(self, indices: Sequence[int]) -> "pl.DataFrame":
        """Return the columns at some indices, as the file holds them."""
        frames = list(self.parts(indices))
        return frames[0] if len(frames) == 1 else pl.concat(frames, rechunk=True)

    def index(self, name: str, role: str) -> int:
        """Return where the column of that name is, which must be there once."""
        name = normalised(name)
        if (times := self.header.count(name)) == 1:
            return self.header.index(name)
        meant = nearest_column(name, self.header)
        hint = f" (did you mean {meant!r}?)" if meant else ""
        count = "is none" if times == 0 else f"are {times}"
        msg = (
            f"there must be one column {name!r}, and there {count}{hint}; say which column is the "
            f"{role} ({role}=NAME){self.listing}"
        )
        raise fault(self.path, msg, line=None if self.line is None else 1)

    @property
    def listing(self) -> str:
        """Which columns there are, as a clause of an error."""
        return columns_there(self.header, lambda at: map(str, self.load([at]).to_series()))

    def indices(self, names: Mapping[str, str]) -> list[int]:
        """Return where the columns of these roles (role -> name) are, each somewhere else."""
        indices = [self.index(name, role) for role, name in names.items()]
        if len(set(indices)) < len(indices):
            twice = next(self.header[at] for at in indices if indices.count(at) > 1)
            raise fault(self.path, f"the column {twice!r} was given two roles; name one for each")
        return indices

    def rows(self, indices: Sequence[int]) -> "Iterator[pl.DataFrame]":
        """Yield the columns at some indices, some rows at a time, refusing a table without rows."""
        n_rows = 0
        for frame in self.parts(indices):
            n_rows += frame.height
            yield frame
        if not n_rows:
            raise fault(self.path, NO_RECORD)

    def columns(self, names: Mapping[str, str]) -> "list[Column]":
        """Return the columns of these roles (role -> name) as codes."""
        indices = self.indices(names)
        columns = [Column(self, self.header[index]) for index in indices]
        for frame in self.rows(indices):
            for column, series in zip(columns, frame, strict=True):
                column.add(series)
        return [column.tidied() for column in columns]

    def texts(self, names: Mapping[str, str], *, may_be_empty: bool = False) -> "list[pl.Series]":
        """Return the columns of these roles (role -> name) as text, what is missing as ``""``."""
        indices = self.indices(names)
        frame = self.load(indices)
        if frame.is_empty() and not may_be_empty:
            raise fault(self.path, NO_RECORD)
        return [
            self.text(series.alias(self.header[at]))
            for series, at in zip(frame, indices, strict=True)
        ]

    def text(self, series: "pl.Series") -> "pl.Series":
        """Return a column as text, what is missing as ``""``."""
        try:
            return texts_of(series).fill_null("")
        except DataError as error:
            raise fault(self.path, str(error)) from None


class Column:
    """A column as codes of its distinct texts, numbered as they first occur, part by part."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.name = name
        self.names = Codes()
        """The texts; normalised once the column is tidied."""
        self.parts: list[NDArray[np.int32]] = []
        """The codes of the rows, some rows a part."""

    def add(self, series: "pl.Series") -> None:
        """Take further rows, text or whole numbers; what is missing is empty text."""
        kind = series.dtype
        if not kind.is_integer() and kind not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
            msg = f"the column {self.name!r} must hold text or whole numbers, not {kind}"
            raise fault(self.table.path, msg)
        self.parts.append(self.names.add(series.cast(pl.String).fill_null("")))

    def tidied(self) -> "Column":
        """Normalise the texts; those that differ by blanks or by how a letter is composed are one.

        The column is returned, as it is now.
        """
        if not self.names.plain:
            names = Codes()
            merged = [names.add(normalised_series(pl.Series(some))) for some in self.names.texts()]
            if len(names) < len(self.names):
                code = np.concatenate(merged)
                self.parts = [code[chunk] for chunk in self.parts]
            self.names = names
        return self

    @property
    def texts(self) -> list[str]:
        """The text of each code."""
        return list(self.each())

    def each(self) -> Iterator[str]:
        """Yield the text of each code."""
        return chain.from_iterable(self.names.texts())

    @property
    def codes(self) -> NDArray[np.int32]:
        """The codes of all rows."""
        return np.concatenate([np.empty(0, dtype=np.int32), *self.parts])

    def first(self, code: int) -> int:
        """Return the row in which a text first occurs, counted from 0."""
        before = 0
        for chunk in self.parts:
            if len(rows := np.flatnonzero(chunk == code)):
                return before + int(rows[0])
            before += len(chunk)
        raise ValueError

    def fault(self, code: int, complaint: str) -> DataError:
        """Return the error that points to the first row that holds the text."""
        return self.table.fault(self.first(code), complaint)


def read_table(path: str | Path, *, separator: str = "|") -> "pl.DataFrame":
    """Read a table with a header; every cell is text, and a missing one is empty text.

    Of a list the texts stand in one cell, with the ``separator`` between them. A table without rows
    is refused.
    """
    table = open_table(Path(path))
    _refuse_header(table)
    frame = table.load(range(len(table.header)))
    if frame.is_empty():
        raise fault(table.path, NO_RECORD)
    return pl.DataFrame(
        [
            table.text(_joined(table, series.alias(name), separator))
            for name, series in zip(table.header, frame, strict=True)
        ]
    )


def _joined(table: Table, series: "pl.Series", separator: str) -> "pl.Series":
    """Return lists of texts or numbers as one text each, anything else as it is."""
    inner = getattr(series.dtype, "inner", None)
    if inner is None or without_text(inner) or not separator:
        return series
    lists = series.cast(pl.List(pl.String))
    if lists.explode(empty_as_null=False).str.contains(separator, literal=True).any():
        msg = f"a value of {series.name!r} holds the separator {separator!r}; choose another one"
        raise fault(table.path, msg)
    return lists.list.join(separator)


def _refuse_header(table: Table) -> None:
    """Refuse a header in which a column has no name of its own."""
    # a file without header begins with a record, so its cells are counted, not shown
    line = None if table.line is None else 1
    for index, name in enumerate(table.header):
        first = table.header.index(name)
        if not name:
            msg = f"every column must have a name, and the name of column {index + 1} is empty"
            raise fault(table.path, msg, line=line)
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            msg = f"rename column {index + 1}: its name would stand for several columns"
            raise fault(table.path, msg, line=line)
        if first < index:
            columns = f"columns {first + 1} and {index + 1}"
            msg = f"every column must have its own name, but {columns} have the same"
            raise fault(table.path, msg, line=line)


def open_table(path: Path) -> Table:
    """Read a table's file and its header; the columns are parsed when they are asked for."""
    if is_parquet(path):
        return _open_parquet(path)
    if ending(path) == ".xlsx":
        return _open_excel(path)
    refuse_other_format(path)
    return _open_json(path) if is_json_lines(path) else _table_of_rows(Delimited.open(path))


def refuse_other_format(path: Path) -> None:
    """Refuse a file that another program writes, and say what to save it as."""
    if cure := OTHER_FORMATS.get(ending(path)):
        raise fault(path, cure)


def table_of_text(path: Path, text: bytes) -> Table:
    """Return the table that a text holds, as ``text_bytes`` returns it."""
    return _table_of_rows(Delimited.of(path, text))


def _table_of_rows(rows: Delimited) -> Table:
    return Table(rows.path, tuple(map(normalised, rows.header)), rows.parts, rows.line)


def _open_parquet(path: Path) -> Table:
    content = parquet_content(path)
    names = parquet_header(path, content)

    def parts(indices: Sequence[int]) -> "Iterator[pl.DataFrame]":
        return parquet_rows(path, content, [names[index] for index in indices])

    return Table(path, tuple(map(normalised, names)), parts)


def _open_excel(path: Path) -> Table:
    """Open the first sheet of a workbook."""
    try:
        from fastexcel import FastExcelError
    except ImportError:
        msg = "reading Excel needs fastexcel, which is not installed: pip install 'discreet[excel]'"
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
    return Table(path, tuple(map(normalised, frame.columns)), lambda at: [frame[:, list(at)]])


def _open_json(path: Path) -> Table:
    """Open lines of JSON objects; a field that a line lacks is missing there."""
    lines, rows = [], []
    for line, row in json_lines(path, "every line must be a JSON object"):
        if not isinstance(row, dict):
            raise fault(path, "every line must be a JSON object", line=line)
        lines.append(line)
        rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))

    def parts(indices: Sequence[int]) -> "Iterator[pl.DataFrame]":
        yield pl.DataFrame([_json_column(path, lines, rows, names[at], str(at)) for at in indices])

    return Table(path, tuple(map(normalised, names)), parts, lines.__getitem__)


def _json_column(
    path: Path, lines: Sequence[int], rows: Sequence[dict[str, Any]], name: str, called: str
) -> "pl.Series":
    """Return a field of all lines as text, or as lists of text where a line has a list."""
    values = [row.get(name) for row in rows]
    cells = zip(lines, values, strict=True)
    if not any(isinstance(value, list) for value in values):
        texts = [_json_cell(path, value, line) for line, value in cells]
        return pl.Series(called, texts, dtype=pl.String)
    lists = [
        None
        if value is None
        else [
            _json_cell(path, each, line) for each in (value if isinstance(value, list) else [value])
        ]
        for line, value in cells
    ]
    return pl.Series(called, lists, dtype=pl.List(pl.String))


def _json_cell(path: Path, value: Any, line: int) -> str | None:
    """Return a cell of JSON as text."""
    if isinstance(value, dict | list):
        msg = "a cell must be text, a number or a list of them, not an object or a list of lists"
        raise fault(path, msg, line=line)
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)
