"""What a file seems to hold: read as the command line reads it, shown row by row to its owner."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from discreet.catalog import NOUNS
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import DataError, DiscreetError
from discreet.io.source import ending
from discreet.io.table import TABLES, read_table

__all__ = ["ROLES", "ROWS", "Understood", "reading_options", "understood"]

ROWS: Final = 20
"""How many rows are shown."""
MOST: Final = 2000
"""How many values can be chosen from by click; there may be more in the file."""
ROLES: Final[Mapping[str, str]] = {
    "qid": "others may know it",
    "sensitive_attributes": "secret",
    "multi_valued": "secret, several values",
    "keep_columns": "publish as it is",
    "": "leave out",
}
"""What a column of a table can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What a page shows of a file."""

    kind: str
    """Sets, or a table."""
    header: tuple[str, ...] = ()
    """The columns of the file, where it has some."""
    rows: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    values: tuple[tuple[str, int], ...] = field(default=(), repr=False)
    """The items with how many people hold each, commonest first."""
    people: int = 0
    oddities: tuple[str, ...] = ()
    fault: str = ""
    """Why it cannot be read so."""


def reading_options(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the data are read, by the names of the fields."""
    if choices.get("kind") == "table":
        roles = choices.get("roles", {})
        named = {
            role: [name for name, each in roles.items() if each == role] for role in ROLES if role
        }
        # an attribute of several values is a secret one as well
        named["sensitive_attributes"] += named["multi_valued"]
        return {role: tuple(names) for role, names in named.items() if names}
    columns = {part: name for part, name in choices.get("columns", {}).items() if name}
    options = {"columns": columns, "input_format": choices.get("input_format")}
    return {name: value for name, value in options.items() if value}


def understood(path: Path, choices: Mapping[str, Any]) -> Understood:
    """Read a file as chosen, or as it seems to be where nothing was chosen."""
    header = _header(path)
    kind = choices.get("kind")
    if kind == "table":
        return _table(path, choices, header)
    try:
        data = NOUNS[Transactions](**reading_options(choices)).read(str(path))
    except DiscreetError as error:
        if kind is None and header:
            return _table(path, choices, header)
        return Understood(kind="sets", header=header, rows=_raw(path), fault=str(error))
    return _sets(data, header)


def _header(path: Path) -> tuple[str, ...]:
    if ending(path) not in TABLES:
        return ()
    try:
        return tuple(read_table(path, may_be_empty=True).columns)
    except DataError:
        return ()


def _raw(path: Path) -> tuple[tuple[str, ...], ...]:
    if ending(path) not in TABLES:
        return ()
    try:
        table = read_table(path)
    except DataError:
        return ()
    return _first_rows(table)


def _first_rows(table: Any) -> tuple[tuple[str, ...], ...]:
    rows = table.head(ROWS).rows()
    return tuple(tuple("" if cell is None else str(cell) for cell in row) for row in rows)


def _sets(data: Transactions, header: tuple[str, ...]) -> Understood:
    counted = zip(data.universe, data.supports.tolist(), strict=True)
    values = sorted(counted, key=lambda each: (-each[1], each[0]))
    return Understood(
        kind="sets",
        header=header,
        rows=tuple(data[row] for row in range(min(ROWS, len(data)))),
        values=tuple(values),
        people=len(data),
        oddities=tuple(_odd_sets(data, values)),
    )


def _odd_sets(data: Transactions, values: list[tuple[str, int]]) -> Iterator[str]:
    sizes = data.sets.sizes
    if empty := int((sizes == 0).sum()):
        yield f"{empty:,} people hold nothing"
    if len(sizes) and sizes.max() > 10 * max(1.0, float(sizes.mean())):
        yield f"the longest set has {int(sizes.max()):,} items, the average {sizes.mean():.1f}"
    if alone := sum(many == 1 for _, many in values):
        yield f"{alone:,} of {len(values):,} items are held by one person only"
    spelled = Counter(" ".join(name.casefold().split()) for name, _ in values)
    if twice := sum(many > 1 for many in spelled.values()):
        yield f"{twice:,} items differ from another only by capitals or blanks"


def _table(path: Path, choices: Mapping[str, Any], header: tuple[str, ...]) -> Understood:
    try:
        table = read_table(path)
    except DataError as error:
        return Understood(kind="table", header=header, fault=str(error))
    options, fault = reading_options({**choices, "kind": "table"}), ""
    try:
        if options:
            NOUNS[Microdata](**options).read(str(path))
    except DiscreetError as error:
        fault = str(error)
    shown = _first_rows(table)
    return Understood(
        kind="table", header=header, rows=shown, people=table.height,
        oddities=tuple(_odd_columns(table)), fault=fault,
    )  # fmt: skip


def _odd_columns(table: Any) -> Iterator[str]:
    for name in table.columns:
        column = table[name]
        different = column.n_unique()
        if gaps := column.null_count() + int((column == "").sum() or 0):
            yield f"the column {name} has {gaps:,} empty cells"
        if different == 1:
            yield f"the column {name} has the same value everywhere"
        elif different == table.height and table.height > 1:
            yield f"the column {name} is different for everybody: it may name people"
