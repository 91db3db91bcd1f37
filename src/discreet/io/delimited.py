"""Text tables: csv with commas or semicolons, or with tabs, in one dialect.

A text table has a header line; cells are separated by commas, semicolons or tabs, whichever the
header holds most of (tabs by the ending ``.tsv``). In a table with commas or semicolons a cell may
stand in double quotes and then hold anything, a doubled quote for a quote. In a table with tabs a
quote is a letter like any other. Blank lines are skipped, except where there is only one column:
there they are empty cells.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.source import ending, fault
from discreet.io.text import checked_blocks, lines_of, text_bytes
from discreet.lazy import pl

NO_HEADER = "the first line must name the columns of a table"

_BLOCK = 50_000
"""Rows that the slow reader holds as Python text at a time."""

_COMPLAINTS = {
    "unexpected end": "a cell begins with a quote that is never closed",
    "expected after": "after its closing quote a cell must end, and this one goes on",
}
"""What the standard library says of a row, and what we say."""


@dataclass(frozen=True, repr=False)
class Delimited:
    """A text table whose header was read, and whose columns are still to be parsed."""

    path: Path
    """The file."""
    header: list[str]
    """The names of the columns."""
    separator: str
    """What separates the cells of a row."""
    blocks: Callable[[], Iterable[bytes]]
    """Return the lines below the header, each with its newline, many at a time."""

    @classmethod
    def of(cls, path: Path, text: bytes) -> "Delimited":
        """Return the table that a text holds, as ``text_bytes`` returns it."""
        first, _, body = text.partition(b"\n")
        body += b"\n" if body[-1:] not in b"\n" else b""
        return cls._below(path, first, lambda: [body] if body else [])

    @classmethod
    def open(cls, path: Path) -> "Delimited":
        """Return the table that a file holds, of which only some is in memory at a time."""
        if not path.is_file():
            return cls.of(path, text_bytes(path))  # a pipe is read once
        first = next(checked_blocks(path)).partition(b"\n")[0]
        return cls._below(path, first, lambda: _without_first_line(checked_blocks(path)))

    @classmethod
    def _below(cls, path: Path, first: bytes, blocks: Callable[[], Iterable[bytes]]) -> "Delimited":
        line = first.decode()
        separator = "\t" if ending(path) == ".tsv" else max(",;\t", key=line.count)
        try:
            [(_, header)] = rows_of_csv(path, line, separator)
        except (DataError, ValueError):
            header = []
        if not line.strip() or not header:
            raise fault(path, NO_HEADER, line=1)
        return cls(path, header, separator, blocks)

    def parts(self, indices: Sequence[int]) -> "Iterator[pl.DataFrame]":
        """Yield the columns at some indices, by polars as long as it reads as this dialect does."""
        done = 0
        for block in self._whole_rows():
            frame = self._by_polars(block, indices)
            if frame is None:
                yield self._row_by_row(indices).slice(done)
                return
            done += frame.height
            yield frame
        if not done:
            yield pl.DataFrame(schema={str(index): pl.String for index in indices})

    def _whole_rows(self) -> Iterator[bytes]:
        """Yield the lines below the header, cut where no cell in quotes goes on."""
        waiting: list[bytes] = []
        open_quote = False
        for block in self.blocks():
            waiting.append(block)
            open_quote ^= self.separator != "\t" and block.count(b'"') % 2 == 1
            if not open_quote and any(waiting):
                yield b"".join(waiting)
                waiting = []
        if waiting:
            yield b"".join(waiting)

    def line(self, row: int) -> int:
        """Return the line on which a row begins."""
        return next(islice(self._rows(), row, None))[0]

    def _by_polars(self, body: bytes, indices: Sequence[int]) -> "pl.DataFrame | None":
        quoted = self.separator != "\t" and b'"' in body
        if not quoted and len(self.header) > 1:
            body = re.sub(rb"\n\n+", b"\n", body).lstrip(b"\n")
        rows = self._regular_rows(body, quoted=quoted)
        names = [str(index) for index in range(len(self.header))]
        if not rows:
            return None
        lazy = pl.scan_csv(
            body,
            separator=self.separator,
            quote_char='"' if quoted else None,
            has_header=False,
            schema=dict.fromkeys(names, pl.String),
        )
        try:
            frame = lazy.select(pl.col(names[index]).fill_null("") for index in indices).collect()
        except pl.exceptions.PolarsError:
            return None
        return frame if frame.height == rows else None

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
        return rows if marks == rows * (len(self.header) - 1) else None

    def _row_by_row(self, indices: Sequence[int]) -> "pl.DataFrame":
        """Return the columns of a table with odd quotes, refusing a row of another width."""

        def checked() -> Iterator[list[str]]:
            for line, cells in self._rows():
                if len(cells) != len(self.header):
                    due = f"a row must have as many cells as the header, {len(self.header)}"
                    raise fault(self.path, f"{due}, and this one has {len(cells)}", line=line)
                yield [cells[index] for index in indices]

        schema = {str(index): pl.String for index in indices}
        rows, blocks = checked(), [pl.DataFrame(schema=schema)]
        while block := list(islice(rows, _BLOCK)):
            blocks.append(pl.DataFrame(block, schema=schema, orient="row"))
        return pl.concat(blocks)

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the cells of each row."""
        body = b"".join(self.blocks()).decode()
        for line, cells in rows_of_csv(self.path, body, self.separator, first=2):
            if cells or len(self.header) == 1:
                yield line, cells or [""]


def _without_first_line(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines below the first."""
    yield next(blocks).partition(b"\n")[2]
    yield from blocks


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
    positions = np.flatnonzero(block == byte)
    return int(np.count_nonzero(np.searchsorted(quotes, positions) % 2 == 0))


def rows_of_csv(
    path: Path, text: str, separator: str, *, first: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row of a text, blank lines as no cells."""
    if separator == "\t":
        for line, row in enumerate(lines_of(text) if text else [], first):
            yield line, row.split("\t") if row else []
        return
    rows = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    line = first
    try:
        for cells in rows:
            yield line, cells
            line = first + rows.line_num
    except csv.Error as error:
        known = [ours for theirs, ours in _COMPLAINTS.items() if theirs in str(error)]
        complaint = known[0] if known else f"a row must be proper csv, and is not ({error})"
        raise fault(path, complaint, line=line) from None
