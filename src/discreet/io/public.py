"""Readers of what is public and chosen: item lists, constraints, hierarchies.

These files describe no person, so messages may repeat the names in them.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from discreet.errors import DataError
from discreet.io.amnesia import amnesia_pairs, is_amnesia
from discreet.io.delimited import rows_of_csv
from discreet.io.json_lines import is_json_lines
from discreet.io.source import ending, fault
from discreet.io.table import Table, open_table, table_of_text
from discreet.io.text import lines_of, normalised, quoted, read_text


def read_items(path: str | Path) -> tuple[str, ...]:
    """Read a list of items, one a line, in the order of the file."""
    path = Path(path)
    seen: dict[str, int] = {}
    for line, item in enumerate(map(normalised, lines_of(read_text(path))), 1):
        if not item:
            msg = "every line must name an item; take the empty line out"
            raise fault(path, msg, line=line)
        first = seen.setdefault(item, line)
        if first != line:
            raise fault(path, f"items must differ, but line {first} has this one too", line=line)
    return tuple(seen)


def read_constraint_lines(path: str | Path) -> Iterator[tuple[str, list[str], int]]:
    """Yield where each constraint stands, its items, and the support it asks for (0 for none).

    Items are apart by spaces. A file that holds a tab is apart by tabs in every line, and its
    items may hold spaces; end a line with a tab where it has a single item with a space. A last
    entry such as ``>=10`` is no item: this constraint needs that support where it is more than k.
    Blank lines are skipped.
    """
    path = Path(path)
    text = read_text(path)
    separator = "\t" if "\t" in text else None
    for line, row in enumerate(lines_of(text), 1):
        if row.strip():
            items, support = _own_support(_items(row, separator))
            yield f"{path.name}, line {line}", items, support


def _own_support(items: list[str]) -> tuple[list[str], int]:
    """Return the items of a line and the support that its last entry asks for, 0 for none."""
    last = items[-1].removeprefix(">=") if items and items[-1].startswith(">=") else ""
    digits = last.isascii() and last.isdigit() and len(last) < 18
    return (items[:-1], int(last)) if digits else (items, 0)


def _items(row: str, separator: str | None) -> list[str]:
    if separator is None:
        return [normalised(item) for item in row.split(" ") if normalised(item)]
    return [normalised(item) for item in row.strip().split(separator)]


class Levels(NamedTuple):
    """A hierarchy as rows of a value, its level 1, ..., the top; and where each row stands."""

    rows: list[list[str]]
    where: Callable[[int], str]


class Pairs(NamedTuple):
    """A hierarchy as pairs of child and parent, and where each pair stands."""

    rows: list[tuple[str, str]]
    where: Callable[[int], str]


def read_hierarchy_file(
    path: str | Path, *, columns: Mapping[str, str] | None = None
) -> Levels | Pairs:
    """Read ARX's csv (``value;level 1;...;top``), pairs under ``child,parent``, or Amnesia's file.

    The file is read as pairs where ``columns`` says which ones, where its first line names
    ``child`` and ``parent``, and where it is no text.
    """
    path = Path(path)
    wanted = {"child": "child", "parent": "parent"} | dict(columns or {})
    if unknown := wanted.keys() - {"child", "parent"}:
        raise DataError(f"a hierarchy has the columns child and parent, got {quoted(min(unknown))}")
    if columns or ending(path) in (".parquet", ".xlsx") or is_json_lines(path):
        return _pairs(open_table(path), wanted)
    text = read_text(path)
    if is_amnesia(text):
        pairs, lines = amnesia_pairs(path, text)
        return Pairs(pairs, lambda index: f"{path.name}, line {lines[index]}")
    header = text.partition("\n")[0]
    separator = max("\t;,", key=header.count)
    if set(wanted) <= {cell.strip(' "') for cell in header.split(separator)}:
        return _pairs(table_of_text(path, text.encode()), wanted)
    separator = ";" if ";" in header else separator  # ARX's own comes first
    rows = [(line, cells) for line, cells in rows_of_csv(path, text, separator) if cells]
    levels = [[normalised(cell) for cell in cells] for _, cells in rows]
    return Levels(levels, lambda index: f"{path.name}, line {rows[index][0]}")


def _pairs(table: Table, wanted: Mapping[str, str]) -> Pairs:
    children, parents = table.texts(wanted)
    return Pairs(list(zip(children, parents, strict=True)), table.where)
