"""Sets from tables of plain cells: a row for each person and item, or a column for each item."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.core.itemsets import Itemsets
from discreet.core.reading.cells import NO_RECORD, QUOTE, Table, open_table
from discreet.core.reading.codes import Cells, Codes, Column
from discreet.core.reading.grouping import grouped
from discreet.core.reading.ids import ids_of, own_ids
from discreet.core.reading.parquet import is_parquet, parquet_columns, plain_column
from discreet.core.reading.parse import stitch
from discreet.core.reading.source import fault
from discreet.core.transactions import Transactions

__all__ = ["read_long", "read_matrix"]

ZERO, ONE = 48, 49


def read_long(path: Path, columns: Mapping[str, str]) -> Transactions:
    """Read a table with a row for each person and item; a row without item only names a person.

    Records stand in the order in which their ids first occur.
    """
    names = [columns.get("id", "id"), columns.get("item", "item")]
    if is_parquet(path):
        ids, items = (plain_column(path, column) for column in parquet_columns(path, names))
    else:
        table = open_table(path)
        ids, items = table.columns([table.place(name) for name in names])
        _refuse_second_header(names, [ids, items])
    sets = grouped(ids.codes, items.codes, items.texts, len(ids.texts))
    return Transactions(sets, ids_of(ids))


def _refuse_second_header(names: Sequence[str], columns: Sequence[Column]) -> None:
    """Refuse a row that holds the names of the columns, as where files were put together."""
    if all(name in column.texts for name, column in zip(names, columns, strict=True)):
        codes = [column.texts.index(name) for name, column in zip(names, columns, strict=True)]
        places = {int(column.firsts[code]) for code, column in zip(codes, columns, strict=True)}
        if len(places) == 1:
            raise columns[0].fault(codes[0], "the header must stand once, and here it is again")


def read_matrix(path: Path, columns: Mapping[str, str]) -> Transactions:
    """Read a table with a row for each person and a column of 0 and 1 for each item.

    The vocabulary are the column names, in the order of the header.
    """
    table = open_table(path)
    own = [table.place(columns["id"])] if "id" in columns else []
    places = [place for place in range(len(table.header)) if place not in own]
    vocabulary = _item_names(table, places)
    codes = Codes()
    end_parts, item_parts, id_parts = [], [], []
    for cells in table.rows([*places, *own]):
        ends, items = _ones(path, cells, len(places))
        end_parts.append(ends)
        item_parts.append(items)
        if own:
            id_parts.append(codes.of(cells, len(places)))
    offsets, held = stitch(end_parts, item_parts)
    if len(offsets) == 1:
        raise fault(path, NO_RECORD)
    owners = [table.column(codes, np.concatenate(id_parts))] if own else []
    return Transactions(Itemsets(offsets, held, vocabulary), own_ids(owners))


def _item_names(table: Table, places: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the item columns, which must differ and be names."""
    names = tuple(table.header[place] for place in places)
    if set(names) <= {"0", "1"}:
        msg = "the first line must name the items, not hold a record; put their names there"
        raise fault(table.path, msg, line=1)
    first: dict[str, int] = {}
    for place, name in zip(places, names, strict=True):
        if not name:
            raise fault(table.path, f"column {place + 1} must have a name, and has none", line=1)
        if first.setdefault(name, place) != place:
            msg = f"items must differ, but columns {first[name] + 1} and {place + 1} are the same"
            raise fault(table.path, msg, line=1)
    return names


def _ones(path: Path, cells: Cells, width: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return where each set ends and the items of all, which are the numbers of columns."""
    rows = len(cells.spans)
    ends, items = np.empty(rows, dtype=np.int32), np.empty(rows * width, dtype=np.int32)
    kept = _read_ones(cells.data, cells.spans, ends, items, width)
    if kept < 0:
        msg = (
            "every item must be 0 or 1, and one is not; "
            "if this is no matrix, say which columns hold the people and the items, such as "
            "--columns id=customer,item=product, or which format it has"
        )
        raise fault(path, msg, line=int(cells.spans[-1 - kept, 0]))
    return ends, items[:kept].copy()


@kernel
def _read_ones(
    data: NDArray[np.uint8],
    spans: NDArray[np.int64],
    ends: NDArray[np.int32],
    items: NDArray[np.int32],
    width: int,
) -> int:
    """Fill ends and items; return how many items there are, or -1 less the number of a bad row."""
    kept = 0
    for row in range(len(spans)):
        for column in range(width):
            begin, end = spans[row, 1 + 2 * column], spans[row, 2 + 2 * column]
            if end - begin == 3 and data[begin] == QUOTE:
                begin, end = begin + 1, end - 1
            if end - begin != 1 or data[begin] < ZERO or data[begin] > ONE:
                return -1 - row
            if data[begin] == ONE:
                items[kept] = column
                kept += 1
        ends[row] = kept
    return kept
