"""A text table as cells, compiled: where each cell begins and ends, and equal cells as one code.

A table has a header line; cells are separated by commas, semicolons or tabs. In a table with commas
or semicolons a cell may stand in double quotes and then hold anything, a doubled quote for a quote.
In a table with tabs a quote is a letter like any other. Blank lines are skipped, except where there
is only one column: there they are empty cells.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.core.reading.codes import NOT_TEXT, Cells, Codes, Column
from discreet.core.reading.source import ending, fault, read_ahead, text_blocks, whole_lines
from discreet.errors import DataError

__all__ = ["Table", "open_table"]

NEWLINE, RETURN, QUOTE = 10, 13, 34
NO_QUOTE = 256

# where the splitter's memory holds what
PLACE, ROWS, LINE, FAULT, WIDTH, DELIMITER, QUOTED = range(7)

# why the splitter stopped
DONE, OPEN, STRAY, RAGGED = 0, -1, -2, -3

NO_RECORD = "there must be a record after the header, and there is none"
NO_HEADER = "the first line must name the columns of a table"


@dataclass(frozen=True)
class Table:
    """A text table whose header was read and whose rows are still to come."""

    path: Path
    """The file."""
    header: tuple[str, ...]
    """The names of the columns."""
    delimiter: str
    """What separates the cells of a row."""
    pieces: Iterator[bytes]
    """The rest of the text, cut after line ends."""

    def place(self, name: str) -> int:
        """Return where the column of that name is, which must be there once."""
        if (times := self.header.count(name)) != 1:
            found = "there is none" if times == 0 else f"there are {times}"
            msg = f"the header must name one column {name!r}, and {found}"
            raise fault(self.path, msg, line=1)
        return self.header.index(name)

    def rows(self, places: Sequence[int]) -> Iterator[Cells]:
        """Yield the cells of the columns at ``places``, block by block."""
        if len(set(places)) < len(places):
            raise fault(self.path, "a column cannot play two parts; name one column for each")
        slots = np.full(len(self.header), -1, dtype=np.int64)
        slots[list(places)] = np.arange(len(places))
        line, wait = 2, 0
        parts: list[bytes] = []
        for piece in chain(self.pieces, [b""]):
            parts.append(piece)
            if piece and sum(map(len, parts)) < wait:
                continue
            data = b"".join(parts)
            cells, memory, outcome = self._split(data, slots, line)
            if outcome != DONE and (outcome != OPEN or not piece):
                raise self._complaint(outcome, memory)
            yield cells
            # a quoted cell may go on in the next piece; twice the size keeps a long one affordable
            line, parts = int(memory[LINE]), [data[memory[PLACE] :]]
            wait = 2 * len(parts[0])

    def columns(self, places: Sequence[int]) -> list[Column]:
        """Read the columns at ``places`` to the end, refusing a table without rows."""
        all_codes = [Codes() for _ in places]
        parts: list[list[NDArray[np.int32]]] = [[] for _ in places]
        for cells in self.rows(places):
            for slot, codes in enumerate(all_codes):
                parts[slot].append(codes.of(cells, slot))
        columns = [self.column(codes, np.concatenate(parts.pop(0))) for codes in all_codes]
        if not len(columns[0].codes):
            raise fault(self.path, NO_RECORD)
        return columns

    def column(self, codes: Codes, rows: NDArray[np.int32]) -> Column:
        """Return the column whose rows have these codes."""
        return codes.column(self.path, rows, quoted=self._quote == QUOTE)

    @property
    def _quote(self) -> int:
        return NO_QUOTE if self.delimiter == "\t" else QUOTE

    def _split(
        self, data: bytes, slots: NDArray[np.int64], line: int
    ) -> tuple[Cells, NDArray[np.int64], int]:
        block = np.frombuffer(data, dtype=np.uint8)
        # a row has at least one byte for each cell: a wide table of blank lines takes no more
        rows = min(int(np.count_nonzero(block == NEWLINE)), len(block) // len(slots) + 1)
        spans = np.empty((rows, 1 + 2 * int(slots.max() + 1)), dtype=np.int64)
        memory = np.array([0, 0, line, 0, 0, ord(self.delimiter), self._quote], dtype=np.int64)
        outcome = _split(block, slots, memory, spans)
        return Cells(block, spans[: memory[ROWS]]), memory, outcome

    def _complaint(self, outcome: int, memory: NDArray[np.int64]) -> DataError:
        wide, due = int(memory[WIDTH]), len(self.header)
        msg = {
            OPEN: "a cell begins with a quote that is never closed",
            STRAY: "after its closing quote a cell must end, and this one goes on",
            RAGGED: f"a row must have as many cells as the header, {due}, and this one has {wide}",
        }[outcome]
        return fault(self.path, msg, line=int(memory[FAULT]))


def open_table(path: Path) -> Table:
    """Read the header of a text table."""
    pieces = whole_lines(read_ahead(text_blocks(path)))
    line, _, rest = next(pieces).partition(b"\n")
    try:
        text = line.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError:
        raise fault(path, NOT_TEXT, line=1) from None
    delimiter = _delimiter(path, text)
    try:
        reader = csv.reader([text], delimiter=delimiter, strict=True)
        header = text.split("\t") if delimiter == "\t" else next(reader)
    except (csv.Error, StopIteration):
        raise fault(path, NO_HEADER, line=1) from None
    if not text.strip() or "\0" in text:
        raise fault(path, NO_HEADER, line=1)
    names = tuple(name.strip() for name in header)
    return Table(path, names, delimiter, chain([rest] if rest else [], pieces))


def _delimiter(path: Path, header: str) -> str:
    """Return what separates the cells: a tab by the file's ending, else the header's commonest."""
    if ending(path) == ".tsv":
        return "\t"
    return max(",;\t", key=header.count)


@kernel
def _split(
    data: NDArray[np.uint8],
    slots: NDArray[np.int64],
    memory: NDArray[np.int64],
    spans: NDArray[np.int64],
) -> int:
    """Fill ``spans`` from the whole rows in the data; leave the memory behind the last of them."""
    delimiter, quote = memory[DELIMITER], memory[QUOTED]
    begin = memory[PLACE]
    while begin < len(data):
        width, place = 0, begin
        last = len(slots) > 1 and _blank(data, begin)
        if last:
            place = begin + 1 + (data[begin] == RETURN)
        while not last:
            end = _cell_end(data, place, delimiter, quote)
            if end < 0:
                memory[FAULT] = memory[LINE] + _newlines(data, begin, place)
                return end
            last = data[end] == NEWLINE
            if width < len(slots) and slots[width] >= 0:
                returned = last and end > place and data[end - 1] == RETURN
                spans[memory[ROWS], 1 + 2 * slots[width]] = place
                spans[memory[ROWS], 2 + 2 * slots[width]] = end - returned
            width += 1
            place = end + 1
        if width > 0:
            memory[FAULT], memory[WIDTH] = memory[LINE], width
            if width != len(slots):
                return RAGGED
            spans[memory[ROWS], 0] = memory[LINE]
            memory[ROWS] += 1
        memory[LINE] += _newlines(data, begin, place)
        memory[PLACE] = begin = place
    return DONE


@kernel
def _blank(data: NDArray[np.uint8], place: int) -> bool:
    """Whether the line that begins here has nothing on it."""
    returned = data[place] == RETURN
    return bool(data[place + returned] == NEWLINE)


@kernel
def _newlines(data: NDArray[np.uint8], begin: int, end: int) -> int:
    """Return how many lines end between two places."""
    count = 0
    for place in range(begin, end):
        count += data[place] == NEWLINE
    return count


@kernel
def _cell_end(data: NDArray[np.uint8], place: int, delimiter: int, quote: int) -> int:
    """Return where the cell ends that begins here, or what is wrong with it."""
    if data[place] == quote:
        closed = False
        while not closed:
            place += 1
            while place < len(data) and data[place] != quote:
                place += 1
            if place >= len(data):
                return OPEN
            place += 1
            closed = place >= len(data) or data[place] != quote
        if place < len(data) and data[place] == RETURN:
            place += 1
        if place >= len(data):
            return OPEN
        return place if data[place] in (delimiter, NEWLINE) else STRAY
    while data[place] not in (delimiter, NEWLINE):
        place += 1
    return place
