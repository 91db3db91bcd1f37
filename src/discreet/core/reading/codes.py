"""Equal cells as one code, compiled: a column becomes numbers and the few texts they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.core.reading.source import fault
from discreet.errors import DataError

__all__ = ["NOT_TEXT", "Cells", "Codes", "Column"]

NOT_TEXT = "the file must be UTF-8 text, and here it is not; save it as UTF-8"

# where the encoder's memory holds what
ROW, DISTINCT, USED = range(3)


@dataclass(frozen=True, repr=False)
class Cells:
    """Some rows of a table, as places in the bytes they were read from."""

    data: NDArray[np.uint8]
    """The bytes."""
    spans: NDArray[np.int64]
    """For each row its line, then begin and end of each cell that was asked for."""


@dataclass(frozen=True, repr=False)
class Column:
    """A column as codes of its distinct texts, numbered as they first occur."""

    path: Path
    """The file it comes from."""
    codes: NDArray[np.int32]
    """The code of each row."""
    texts: list[str]
    """The text of each code."""
    firsts: NDArray[np.int64]
    """Where each text first occurs: the line in a text file, the row in a Parquet file."""
    counts_lines: bool = True
    """Whether ``firsts`` are lines, and not rows."""

    @classmethod
    def of(cls, path: Path, texts: Sequence[str], lines: Sequence[int]) -> "Column":
        """Return the column of these texts, which stand on these lines."""
        place = dict(zip(dict.fromkeys(texts), range(len(texts)), strict=False))
        codes = np.fromiter(map(place.__getitem__, texts), dtype=np.int32, count=len(texts))
        firsts = np.empty(len(place), dtype=np.int64)
        firsts[codes[::-1]] = np.array(lines, dtype=np.int64)[::-1]
        return cls(path, codes, list(place), firsts)

    def fault(self, code: int, complaint: str) -> DataError:
        """Return the error that points to the first place where the text occurs."""
        where = int(self.firsts[code])
        if self.counts_lines:
            return fault(self.path, complaint, line=where)
        return fault(self.path, f"row {where}: {complaint}")


class Codes:
    """Distinct cells and their codes, growing as rows come in."""

    def __init__(self) -> None:
        self.table = np.full(1 << 10, -1, dtype=np.int32)
        self.store = np.empty(1 << 12, dtype=np.uint8)
        self.entries = np.empty((1 << 10, 3), dtype=np.int64)
        self.memory = np.zeros(3, dtype=np.int64)

    def of(self, cells: Cells, slot: int) -> NDArray[np.int32]:
        """Return the codes of one column of ``cells``; a new text gets the next code."""
        spans = cells.spans[:, [0, 1 + 2 * slot, 2 + 2 * slot]]
        codes = np.empty(len(spans), dtype=np.int32)
        self._make_room(len(cells.data))
        self.memory[ROW] = 0
        while not _encode(
            cells.data, spans, self.table, self.store, self.entries, self.memory, codes
        ):
            held = self.entries[: self.memory[DISTINCT]]
            self.table = _table_of_entries(self.store, held, 2 * len(self.table))
            self.entries = np.empty((len(self.table), 3), dtype=np.int64)
            self.entries[: len(held)] = held
        return codes

    def _make_room(self, more: int) -> None:
        """See that the store can take that many bytes more."""
        used = int(self.memory[USED])
        if used + more > len(self.store):
            larger = np.empty(2 * (used + more), dtype=np.uint8)
            larger[:used] = self.store[:used]
            self.store = larger

    def column(self, path: Path, codes: NDArray[np.int32], *, quoted: bool) -> Column:
        """Return the column with these codes, its texts decoded and unquoted."""
        entries = self.entries[: self.memory[DISTINCT]]
        store = self.store[: self.memory[USED]].tobytes()
        spans = zip(entries[:, 0].tolist(), entries[:, 1].tolist(), strict=True)
        raws = [store[begin:end] for begin, end in spans]
        if quoted and b'"' in store:
            raws = [_unquoted(raw) for raw in raws]
        lines = entries[:, 2].tolist()
        texts = _texts(path, raws, lines)
        distinct = Column.of(path, texts, lines)
        if len(distinct.texts) < len(texts):
            codes = distinct.codes[codes]
        return replace(distinct, codes=codes)


def _unquoted(raw: bytes) -> bytes:
    """Return what stands in a cell."""
    return raw[1:-1].replace(b'""', b'"') if raw.startswith(b'"') else raw


def _texts(path: Path, raws: Sequence[bytes], lines: Sequence[int]) -> list[str]:
    """Return the texts of cells that first stand on these lines."""
    for raw, line in zip(raws, lines, strict=True):
        if b"\0" in raw:
            raise fault(path, "a cell must not hold a NUL byte", line=line)
    texts: list[str] = []
    try:
        texts.extend(map(bytes.decode, raws))
    except UnicodeDecodeError:
        # the texts before the bad one are there
        raise fault(path, NOT_TEXT, line=lines[len(texts)]) from None
    return texts


@kernel
def _encode(  # noqa: PLR0913, PLR0917  arrays in, arrays out
    data: NDArray[np.uint8],
    spans: NDArray[np.int64],
    table: NDArray[np.int32],
    store: NDArray[np.uint8],
    entries: NDArray[np.int64],
    memory: NDArray[np.int64],
    codes: NDArray[np.int32],
) -> bool:
    """Give each cell its code until all have one or the table is full enough."""
    last = len(table) - 1
    distinct, used = memory[DISTINCT], memory[USED]
    done = True
    for row in range(memory[ROW], len(spans)):
        begin, end = spans[row, 1], spans[row, 2]
        slot = _mixed(data, begin, end) & last
        while table[slot] >= 0:
            start = entries[table[slot], 0]
            if entries[table[slot], 1] - start == end - begin and _same(
                data[begin:end], store[start : start + end - begin]
            ):
                break
            slot = (slot + 1) & last
        if table[slot] < 0:
            if 3 * distinct >= 2 * len(table):
                memory[ROW] = row
                done = False
                break
            store[used : used + end - begin] = data[begin:end]
            entries[distinct, 0] = used
            used += end - begin
            entries[distinct, 1] = used
            entries[distinct, 2] = spans[row, 0]
            table[slot] = distinct
            distinct += 1
        codes[row] = table[slot]
    memory[DISTINCT], memory[USED] = distinct, used
    return done


@kernel
def _mixed(data: NDArray[np.uint8], begin: int, end: int) -> int:
    """Return a number that differs between most texts."""
    mixed = end - begin
    for place in range(begin, end):
        mixed = ((mixed ^ data[place]) * 0x1000193) & 0x1FFFFFFFFF
    return mixed ^ (mixed >> 17)


@kernel
def _same(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> bool:
    """Whether two texts of one length are equal."""
    place = 0
    while place < len(one) and one[place] == two[place]:
        place += 1
    return place == len(one)


@kernel
def _table_of_entries(
    store: NDArray[np.uint8], entries: NDArray[np.int64], size: int
) -> NDArray[np.int32]:
    """Return a table of that size that holds the entries."""
    table = np.full(size, -1, dtype=np.int32)
    for code in range(len(entries)):
        slot = _mixed(store, entries[code, 0], entries[code, 1]) & (size - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = code
    return table
