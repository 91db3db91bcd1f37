"""Sets from tables: a row for a person and an item, all items in a cell, or a column an item."""

from array import array
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.io.grouping import Growing, Sets, grouped
from discreet.io.json_lines import json_lines, strict_json
from discreet.io.parquet import is_parquet
from discreet.io.source import fault
from discreet.io.table import NO_RECORD, Column, Table
from discreet.io.text import normalised, normalised_series

if TYPE_CHECKING:
    import polars as pl

__all__ = ["json_sets", "list_sets", "long_sets", "matrix_sets"]

LONGEST = 256
"""Most letters of an id, for an array of texts gives each the room of the longest."""

SEPARATOR = "|"
"""What separates the items in a cell, unless the person says otherwise."""

NO_LIST = "the items must be a JSON list of names or numbers, or names with a separator between"
NO_RECORD_HERE = "each line must be a JSON list of names or numbers, or an object that has one"
NO_MATRIX = (
    "every item must be 0 or 1, and one is not; in a list of people and items name the columns "
    "(--columns id=customer,item=product), in an ordinary table --qid, with a method for tables"
)


def long_sets(table: Table, columns: Mapping[str, str]) -> Sets:
    """Return the sets of a table with a row for each person and item, by the ids' first rows.

    A row without item only names a person.
    """
    names = {"id": columns.get("id", "id"), "item": columns.get("item", "item")}
    ids, items = table.columns(names)
    _refuse_second_header(list(names.values()), [ids, items])
    sets = grouped(ids.codes, items.codes, items.texts, len(ids.texts))
    return sets._replace(ids=_ids(ids))


def _refuse_second_header(names: Sequence[str], columns: Sequence[Column]) -> None:
    """Refuse a row that holds the names of the columns, as where files were put together."""
    if all(name in column.texts for name, column in zip(names, columns, strict=True)):
        codes = [column.texts.index(name) for name, column in zip(names, columns, strict=True)]
        places = {int(column.firsts[code]) for code, column in zip(codes, columns, strict=True)}
        if len(places) == 1:
            raise columns[0].fault(codes[0], "the header must stand once, and here it is again")


def list_sets(table: Table, columns: Mapping[str, str], separator: str | None) -> Sets:
    """Return the sets of a table with a row for each person and all items in one cell."""
    names = {"items": columns.get("items", "items")} | _id_column(table.header, columns)
    lists, *rest = table.series(names)
    owners = [Column.of(table, series) for series in rest]
    if is_parquet(table.path):
        sets = _of_lists(table, lists)
    else:
        sets = _of_cells(Column.of(table, lists), separator or SEPARATOR)
    return sets._replace(ids=_own_ids(owners))


def _of_lists(table: Table, lists: "pl.Series") -> Sets:
    """Return the sets of a column of lists; a missing list is an empty set."""
    import polars as pl

    if not isinstance(lists.dtype, pl.List):
        raise fault(table.path, f"the column {lists.name!r} must hold lists of items")
    sizes = lists.list.len().fill_null(0).to_numpy().astype(np.int64)
    items = Column.of(table, lists.filter(lists.list.len() > 0).explode())
    records = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    if "" in items.texts:
        row = int(records[items.firsts[items.texts.index("")]])
        raise table.fault(row, "an item must have a name, and one is empty or missing")
    return grouped(records, items.codes, items.texts, len(sizes))


def _of_cells(cells: Column, separator: str) -> Sets:
    """Return the set in each cell: a JSON list, or items with a separator between them."""
    growing = Growing()
    for code, text in enumerate(cells.texts):
        try:
            parts = strict_json(text) if text.startswith("[") else text.split(separator)
            growing.add(_names(parts if text else []))
        except (ValueError, RecursionError):
            raise cells.fault(code, NO_LIST) from None
    return growing.sets().at(cells.codes)


def json_sets(path: Path, columns: Mapping[str, str]) -> Sets:
    """Return the sets of lines of JSON: a list, or an object with a list and perhaps an id."""
    import polars as pl

    growing = Growing()
    owners: list[str] = []
    lines = array("q")
    for line, record in json_lines(path, NO_RECORD_HERE):
        try:
            names, owner = _json_record(record, columns)
            growing.add(_names(names))
            owners += map(normalised, _names(owner))
        except ValueError:
            raise fault(path, NO_RECORD_HERE, line=line) from None
        lines.append(line)
        if len(owners) != len(lines) and (owners or "id" in columns):
            raise fault(path, "every record must have an id, or none of them", line=line)
    if not lines:
        raise fault(path, "there must be a record, and there is none")
    table = Table(path, (), lambda _: pl.DataFrame(), lines.__getitem__)
    ids = [Column.of(table, pl.Series("id", owners))] if owners else []
    return growing.sets()._replace(ids=_own_ids(ids))


def _json_record(record: Any, columns: Mapping[str, str]) -> tuple[Any, list[Any]]:
    """Return the items of a line and the id in a list, which is empty where there is none."""
    if not isinstance(record, dict):
        return record, []
    try:
        names = record[columns.get("items", "items")]
        owner = [record[name] for name in _id_column(record, columns).values()]
    except KeyError:
        raise ValueError from None
    return [] if names is None else names, owner


def _names(parts: Any) -> list[str]:
    """Return the items as text, refusing what is no list of names or whole numbers."""
    if not isinstance(parts, list):
        raise ValueError
    return [part if type(part) is str else _number(part) for part in parts]


def _number(part: Any) -> str:
    """Return a whole number as text."""
    if type(part) is not int:
        raise ValueError
    return str(part)


def matrix_sets(table: Table, columns: Mapping[str, str]) -> Sets:
    """Return the sets of a table with a row for each person and a column of 0 and 1 for each item.

    The vocabulary are the column names, in the order of the header.
    """
    own = [table.place(columns["id"], "id")] if "id" in columns else []
    places = [place for place in range(len(table.header)) if place not in own]
    vocabulary = _item_names(table, places)
    frame = table.load([*places, *own])
    if frame.is_empty():
        raise fault(table.path, NO_RECORD)
    ones = np.empty(frame.shape, dtype=np.bool_)[:, : len(places)]
    for item, series in enumerate(frame.iter_columns()):
        if item < len(places):
            ones[:, item] = _ones(table, series)
    offsets = np.zeros(len(ones) + 1, dtype=np.int64)
    np.cumsum(np.count_nonzero(ones, axis=1), out=offsets[1:])
    owners = [Column.of(table, frame.to_series(-1))] if own else []
    items = np.nonzero(ones)[1].astype(np.int32)
    return Sets(offsets, items, vocabulary, _own_ids(owners))


def _ones(table: Table, series: "pl.Series") -> NDArray[np.bool_]:
    """Return where a column holds 1, refusing what is neither 0 nor 1."""
    import polars as pl

    cells = normalised_series(series.cast(pl.String).fill_null(""))
    ones = cells == "1"
    if (wrong := ~(ones | (cells == "0"))).any():
        raise table.fault(int(wrong.arg_true()[0]), NO_MATRIX)
    return ones.to_numpy()


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


def _id_column(header: Container[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Return the role and the name of the id column where there is one.

    >>> _id_column(["items", "id"], {}), _id_column(["items"], {})
    ({'id': 'id'}, {})
    """
    if "id" in columns:
        return {"id": columns["id"]}
    return {"id": "id"} if "id" in header else {}


def _ids(column: Column) -> NDArray[np.str_]:
    """Return the distinct ids of a column, refusing what cannot be one."""
    for code, size in enumerate(map(len, column.texts)):
        if not 0 < size <= LONGEST:
            what = f"an id must have 1 to {LONGEST} letters, and this one has {size}"
            raise column.fault(code, what)
    return np.array(column.texts, dtype=np.str_)


def _own_ids(columns: Sequence[Column]) -> NDArray[np.str_] | None:
    """Return the id of each record, None where no column has them."""
    if not columns:
        return None
    [column] = columns
    repeated = np.flatnonzero(column.codes != np.arange(len(column.codes)))
    if len(repeated):
        msg = (
            f"record {repeated[0] + 1}: each record must have its own id, and this one repeats an "
            "earlier one; unite the records of a person, or leave the ids out"
        )
        raise fault(column.table.path, msg)
    return _ids(column)
