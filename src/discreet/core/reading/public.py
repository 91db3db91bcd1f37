"""Readers of what is public and chosen: item lists, constraints, hierarchies.

These files describe no person, so messages may repeat the names in them.
"""

from collections.abc import Mapping
from pathlib import Path

from discreet.core.constraints import Constraints, itemset
from discreet.core.hierarchy import Hierarchy
from discreet.core.reading.parquet import is_parquet
from discreet.core.reading.table import (
    cells_of,
    named_columns,
    place_of_row,
    read_table,
    separator_of,
)
from discreet.core.reading.text import lines_of, quoted, read_text
from discreet.core.tree import tree_of_levels, tree_of_pairs
from discreet.errors import DataError

__all__ = ["read_constraints", "read_hierarchy", "read_items"]


def read_items(path: str | Path) -> tuple[str, ...]:
    """Read a list of items, one a line, in the order of the file."""
    path = Path(path)
    seen: dict[str, int] = {}
    for line, item in enumerate(map(str.strip, lines_of(read_text(path))), 1):
        if not item:
            msg = f"{path.name}, line {line}: every line must name an item; take the empty line out"
            raise DataError(msg)
        first = seen.setdefault(item, line)
        if first != line:
            msg = f"{path.name}, line {line}: items must differ, but line {first} has this one too"
            raise DataError(msg)
    return tuple(seen)


def read_constraints(path: str | Path) -> Constraints:
    """Read constraints, one a line; blank lines are skipped.

    Items are apart by spaces. A file that holds a tab is apart by tabs in every line, and its
    items may hold spaces; end a line with a tab where it has a single item with a space. A last
    entry such as ``>=10`` is no item: this constraint needs that support where it is more than k.
    """
    path = Path(path)
    text = read_text(path)
    separator = "\t" if "\t" in text else None
    itemsets, least = [], []
    for line, row in enumerate(lines_of(text), 1):
        if row.strip():
            items, support = _own_support(_items(row, separator))
            itemsets.append(itemset(items, where=f"{path.name}, line {line}"))
            least.append(support)
    return Constraints.of(itemsets, least)


def _own_support(items: list[str]) -> tuple[list[str], int]:
    """Return the items of a line and the support that its last entry asks for, 0 for none."""
    last = items[-1].removeprefix(">=") if items and items[-1].startswith(">=") else ""
    digits = last.isascii() and last.isdigit() and len(last) < 18
    return (items[:-1], int(last)) if digits else (items, 0)


def _items(row: str, separator: str | None) -> list[str]:
    if separator is None:
        return [item for item in row.split(" ") if item]
    return [item.strip() for item in row.strip().split(separator)]


def read_hierarchy(
    path: str | Path, *, columns: Mapping[str, str] | None = None, root: str | None = None
) -> Hierarchy:
    """Read ARX's csv (``value;level 1;...;top``), or pairs under a header ``child,parent``.

    The file is read as pairs where ``columns`` says which ones, where its first line names
    ``child`` and ``parent``, and where it is parquet. ``root`` is put above several trees.
    """
    path = Path(path)
    wanted = {"child": "child", "parent": "parent"} | dict(columns or {})
    if unknown := wanted.keys() - {"child", "parent"}:
        msg = f"a hierarchy has the columns child and parent, got {quoted(min(unknown))}"
        raise DataError(msg)
    if columns or is_parquet(path):
        return _pairs(path, wanted, root)
    text = read_text(path)
    header = text.partition("\n")[0]
    if set(wanted) <= {cell.strip(' "') for cell in header.split(separator_of(header))}:
        return _pairs(path, wanted, root)
    separator = ";" if ";" in header else separator_of(header)  # ARX's own comes first
    rows = [(line, cells) for line, cells in cells_of(text, separator, path.name) if cells]
    return Hierarchy(
        *tree_of_levels(
            (cells for _, cells in rows), lambda index: f"{path.name}, line {rows[index][0]}"
        )
    )


def _pairs(path: Path, wanted: Mapping[str, str], root: str | None) -> Hierarchy:
    children, parents = named_columns(read_table(path), wanted, path.name)
    pairs = zip(children.to_list(), parents.to_list(), strict=True)
    return Hierarchy(*tree_of_pairs(pairs, lambda row: place_of_row(path, row), root=root))
