"""Sets from tables: a row for a person and an item, all items in a cell, or a column an item."""

from array import array
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.io.codes import Codes
from discreet.io.grouping import Growing, Sets, grouped, ranked, stitched
from discreet.io.header import columns_there
from discreet.io.json_lines import json_lines, strict_json
from discreet.io.parquet import is_parquet
from discreet.io.source import fault
from discreet.io.table import Column, Table
from discreet.io.text import NUL_IN_ID, normalised
from discreet.lazy import pl

LONGEST = 256
"""Most letters of an id, for an array of texts gives each the room of the longest."""

SEPARATOR = "|"
"""What separates the items in a cell, unless the person says otherwise."""

NO_LIST = "the items must be a JSON list of names or numbers, or names with a separator between"
NO_RECORD_HERE = "each line must be a JSON list of names or numbers, or an object that has one"
NO_SETS = (
    "name the columns of sets (--columns id=NAME,item=NAME or items=NAME) or of a table (--qid)"
)
"""What helps where the header does not say that a table holds sets."""
NO_MATRIX = f"this is read as a matrix, whose cells must be 0 or 1; {NO_SETS}"


def long_sets(table: Table, columns: Mapping[str, str]) -> Sets:
    """Return the sets of a table with a row for each person and item, by the ids' first rows.

    A row without item only names a person.
    """
    names = {"id": columns.get("id", "id"), "item": columns.get("item", "item")}
    ids, items = table.columns(names)
    _refuse_second_header(list(names.values()), [ids, items])
    _refuse_ids(ids)
    sets = grouped(ids.parts, items.parts, items.texts, len(ids.names))
    return sets._replace(ids=ids.names.array())


def _refuse_second_header(names: Sequence[str], columns: Sequence[Column]) -> None:
    """Refuse a row that holds the names of the columns, as where files were put together."""
    codes = [column.names.find(name) for name, column in zip(names, columns, strict=True)]
    known = [code for code in codes if code is not None]
    if len(known) == len(codes):
        rows = {column.first(code) for code, column in zip(known, columns, strict=True)}
        if len(rows) == 1:
            raise columns[0].fault(known[0], "the header must occur once, and here it is again")


def list_sets(table: Table, columns: Mapping[str, str], separator: str | None) -> Sets:
    """Return the sets of a table with a row for each person and all items in one cell."""
    names = {"items": columns.get("items", "items")} | _id_column(table.header, columns)
    indices = table.indices(names)
    field = names["items"]
    lists = _Lists(table, field) if is_parquet(table.path) else _Cells(table, field, separator)
    owners = [Column(table, names["id"])] if "id" in names else []
    for frame in table.rows(indices):
        for column, series in zip([lists, *owners], frame, strict=True):
            column.add(series)
    return lists.sets()._replace(ids=_own_ids(owners))


class _Lists(Column):
    """The sets of a column of lists; a missing list is an empty set."""

    def __init__(self, table: Table, name: str) -> None:
        super().__init__(table, name)
        self.ends: list[NDArray[np.int32]] = []

    def add(self, series: "pl.Series") -> None:
        """Take further rows."""
        if not isinstance(series.dtype, pl.List):
            raise fault(self.table.path, f"the column {self.name!r} must hold lists of items")
        sizes = series.list.len().fill_null(0).to_numpy()
        self.ends.append(np.cumsum(sizes, dtype=np.int32))
        super().add(series.filter(series.list.len() > 0).explode())

    def sets(self) -> Sets:
        """Return all sets."""
        nameless = self.tidied().names.find("")
        position = None if nameless is None else self.first(nameless)
        offsets, items = stitched(self.ends, self.parts)
        if position is not None:
            row = int(np.searchsorted(offsets, position, side="right")) - 1
            raise self.table.fault(row, "an item must have a name, and one is empty or missing")
        return ranked(offsets, items, self.texts)


class _Cells(Column):
    """The sets in the cells of a column: JSON lists, or items with a separator between them."""

    def __init__(self, table: Table, name: str, separator: str | None) -> None:
        super().__init__(table, name)
        self.separator = separator or SEPARATOR

    def sets(self) -> Sets:
        """Return all sets."""
        growing = Growing()
        for text in self.tidied().each():
            try:
                entries = strict_json(text) if text.startswith("[") else text.split(self.separator)
                growing.add(_names(entries if text else []))
            except (ValueError, RecursionError):
                raise self.fault(len(growing.sizes), NO_LIST) from None
        self.names = Codes()
        return growing.sets().at(self.codes)


def json_sets(path: Path, columns: Mapping[str, str]) -> Sets:
    """Return the sets of lines of JSON: a list, or an object with a list and perhaps an id."""
    growing = Growing()
    owners: list[str] = []
    lines = array("q")
    records = json_lines(path, NO_RECORD_HERE)
    for line, record in records:
        try:
            names, owner = _json_record(record, columns)
            growing.add(_names(names))
            owners += map(normalised, _names(owner))
        except ValueError:
            hint = _keys_there(record, records, columns)
            raise fault(path, NO_RECORD_HERE + hint, line=line) from None
        lines.append(line)
        if len(owners) != len(lines) and (owners or "id" in columns):
            raise fault(path, "every record must have an id, or none of them", line=line)
    if not lines:
        raise fault(path, "there must be a record, and there is none")
    ids = [Column(Table(path, (), lambda _: (), lines.__getitem__), "id")] if owners else []
    for column in ids:
        column.add(pl.Series(owners))
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


def _keys_there(
    record: Any, following: Iterator[tuple[int, Any]], columns: Mapping[str, str]
) -> str:
    """Return how to name the list of an object, and the keys that the next object has as well.

    A key that only one object has may be somebody's name, and is not told.

    >>> _keys_there({"who": 1, "what": []}, iter([(2, {"what": [], "who": 2})]), {})
    "; name its key, which is not 'items' (items=NAME); there are the columns who, what"
    """
    wanted = columns.get("items", "items")
    if not isinstance(record, dict) or wanted in record:
        return ""
    _, other = next(following, (0, None))
    shared = [key for key in record if isinstance(other, dict) and key in other]
    listing = columns_there(shared, lambda _: ()) if shared else ""
    return f"; name its key, which is not {wanted!r} (items=NAME){listing}"


def _names(entries: Any) -> list[str]:
    """Return the items as text, refusing what is no list of names or whole numbers."""
    if not isinstance(entries, list):
        raise ValueError
    return [entry if type(entry) is str else _number(entry) for entry in entries]


def _number(entry: Any) -> str:
    """Return a whole number as text."""
    if type(entry) is not int:
        raise ValueError
    return str(entry)


def matrix_sets(table: Table, columns: Mapping[str, str]) -> Sets:
    """Return the sets of a table with a row for each person and a column of 0 and 1 for each item.

    The vocabulary are the column names, in the order of the header.
    """
    named = _id_column(table.header, columns)
    own = table.indices(named)
    indices = [index for index in range(len(table.header)) if index not in own]
    vocabulary = _item_names(table, indices)
    owners = [Column(table, name) for name in named.values()]
    ends, items, row = [], [], 0
    for frame in table.rows([*indices, *own]):
        ones = np.empty((frame.height, len(indices)), dtype=np.bool_)
        for item, series in enumerate(frame.iter_columns()):
            if item < len(indices):
                ones[:, item] = _ones(table, series, row)
        for owner in owners:
            owner.add(frame.to_series(-1))
        ends.append(np.cumsum(np.count_nonzero(ones, axis=1), dtype=np.int32))
        items.append(np.nonzero(ones)[1].astype(np.int32))
        row += frame.height
    return Sets(*stitched(ends, items), vocabulary, _own_ids(owners))


def _ones(table: Table, series: "pl.Series", before: int) -> NDArray[np.bool_]:
    """Return where a column holds 1, refusing what is neither 0 nor 1."""
    cells = table.text(series)
    ones = cells == "1"
    if (wrong := ~(ones | (cells == "0"))).any():
        raise table.fault(before + int(wrong.arg_true()[0]), NO_MATRIX + table.listing)
    return ones.to_numpy()


def _item_names(table: Table, indices: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the item columns, which must differ and be names."""
    names = tuple(table.header[index] for index in indices)
    if set(names) <= {"0", "1"}:
        msg = "the first line must name the items, not hold a record; put their names there"
        raise fault(table.path, msg, line=1)
    first: dict[str, int] = {}
    for index, name in zip(indices, names, strict=True):
        if not name:
            raise fault(table.path, f"column {index + 1} must have a name, and has none", line=1)
        if first.setdefault(name, index) != index:
            msg = f"items must differ, but columns {first[name] + 1} and {index + 1} are the same"
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


def _refuse_ids(column: Column) -> None:
    """Refuse an id that cannot be one."""
    letters = column.names.letters()
    if len(wrong := np.flatnonzero((letters < 1) | (letters > LONGEST))):
        code = int(wrong[0])
        complaint = f"an id must have 1 to {LONGEST} letters, and this one has {letters[code]}"
        raise column.fault(code, complaint)
    if len(wrong := column.names.with_nul()):
        raise column.fault(int(wrong[0]), NUL_IN_ID)


def _own_ids(columns: Sequence[Column]) -> NDArray[np.str_] | None:
    """Return the id of each record, None where no column has them."""
    if not columns:
        return None
    [column] = columns
    codes = column.tidied().codes
    repeated = np.flatnonzero(codes != np.arange(len(codes)))
    if len(repeated):
        msg = (
            f"record {repeated[0] + 1}: each record must have its own id, and this one repeats an "
            "earlier one; unite the records of a person, or leave the ids out"
        )
        raise fault(column.table.path, msg)
    _refuse_ids(column)
    return column.names.array()
