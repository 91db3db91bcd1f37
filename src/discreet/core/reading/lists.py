"""Sets from lists: all items of a person in one cell, or on one line of JSON."""

import json
from array import array
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from discreet.core.itemsets import Itemsets
from discreet.core.reading.cells import open_table
from discreet.core.reading.codes import NOT_TEXT, Column
from discreet.core.reading.grouping import Growing
from discreet.core.reading.ids import id_column, own_ids
from discreet.core.reading.parquet import (
    is_parquet,
    list_sets,
    parquet_columns,
    parquet_header,
    plain_column,
)
from discreet.core.reading.source import ending, fault, read_ahead, text_blocks, whole_lines
from discreet.core.transactions import Transactions
from discreet.kernels.folding import gather

__all__ = ["is_json_lines", "read_lists"]

SEPARATOR = "|"
"""What separates the items in a cell, unless the person says otherwise."""

NO_LIST = "the items must be a JSON list of names or numbers, or names with a separator between"
NO_RECORD_HERE = "each line must be a JSON list of names or numbers, or an object that has one"


def is_json_lines(path: Path) -> bool:
    """Whether the file's ending says that each line is JSON."""
    return ending(path) in (".jsonl", ".ndjson")


def read_lists(path: Path, columns: Mapping[str, str], separator: str | None) -> Transactions:
    """Read a table with a row for each person and all items in one cell, or lines of JSON."""
    if is_json_lines(path):
        return _read_json_lines(path, columns)
    wanted = columns.get("items", "items")
    if is_parquet(path):
        names = [wanted, *id_column(parquet_header(path), columns)]
        lists, *rest = parquet_columns(path, names)
        owners = [plain_column(path, column) for column in rest]
        return Transactions(list_sets(path, lists), own_ids(owners))
    table = open_table(path)
    names = [wanted, *id_column(table.header, columns)]
    cells, *owners = table.columns([table.place(name) for name in names])
    return Transactions(_cell_sets(cells, separator or SEPARATOR), own_ids(owners))


def _cell_sets(cells: Column, separator: str) -> Itemsets:
    """Return the set in each cell: a JSON list, or items with a separator between them."""
    growing = Growing()
    for code, text in enumerate(cells.texts):
        try:
            parts = JSON.decode(text) if text.startswith("[") else text.split(separator)
            growing.add(_names(parts if text else [], growing.numbers))
        except (ValueError, RecursionError):
            raise cells.fault(code, NO_LIST) from None
    distinct = growing.sets()
    offsets, items = gather(distinct.offsets, distinct.items, cells.codes)
    return Itemsets(offsets, items, distinct.vocabulary)


def _read_json_lines(path: Path, columns: Mapping[str, str]) -> Transactions:
    """Read a JSON list a line, or an object a line with a list and perhaps an id."""
    growing = Growing()
    owners: list[str] = []
    lines = array("q")
    for line, text in _json_texts(path):
        try:
            names, owner = _json_record(text, columns)
            growing.add(_names(names, growing.numbers))
            owners += _names(owner, ())
        except (ValueError, RecursionError):
            raise fault(path, NO_RECORD_HERE, line=line) from None
        lines.append(line)
        if len(owners) != len(lines) and (owners or "id" in columns):
            raise fault(path, "every record must have an id, or none of them", line=line)
    if not lines:
        raise fault(path, "there must be a record, and there is none")
    ids = [Column.of(path, owners, lines)] if owners else []
    return Transactions(growing.sets(), own_ids(ids))


def _json_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is not blank."""
    line = 0
    for piece in whole_lines(read_ahead(text_blocks(path))):
        for raw in piece[:-1].split(b"\n"):
            line += 1
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError:
                raise fault(path, NOT_TEXT, line=line) from None
            if text.strip():
                yield line, text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, which must not repeat a key."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError
    return record


JSON = json.JSONDecoder(object_pairs_hook=_once)


def _json_record(text: str, columns: Mapping[str, str]) -> tuple[Any, list[Any]]:
    """Return the items of a line and the id in a list, which is empty where there is none."""
    record = JSON.decode(text)
    if not isinstance(record, dict):
        return record, []
    try:
        names = record[columns.get("items", "items")]
        owner = [record[name] for name in id_column(record, columns)]
    except KeyError:
        raise ValueError from None
    return [] if names is None else names, owner


def _names(parts: Any, known: Container[str]) -> list[str]:
    """Return the items as text, refusing what is no list of names or whole numbers."""
    if not isinstance(parts, list):
        raise ValueError
    names = [part if type(part) is str else _number(part) for part in parts]
    for name in names:
        if name not in known:
            name.encode("utf-8")  # half a surrogate pair is no letter
            if not name or "\0" in name:
                raise ValueError
    return names


def _number(part: Any) -> str:
    """Return a whole number as text."""
    if type(part) is not int:
        raise ValueError
    return str(part)
