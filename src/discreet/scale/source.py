"""What is handed in, as a table of an engine whose columns have their parts."""

from collections.abc import Mapping
from typing import Any

from discreet.errors import DataError, ParameterError
from discreet.scale.verbs import Engine, SetColumns


def set_columns(engine: Engine, table: str, columns: Mapping[str, str]) -> SetColumns:
    """Return where people and items stand, by the names that were given or the usual ones.

    As for files read into memory, ``item`` is one of a row, ``items`` a list, ``id`` the person.
    """
    kinds = engine.kinds(table)
    if unknown := sorted(columns.keys() - {"id", "item", "items"}):
        msg = f"sets of an engine take columns for id and item or items, got {unknown[0]}"
        raise ParameterError(msg, parameter="columns")
    lists = "item" not in columns and ("items" in columns or "item" not in kinds)
    item = columns.get("items", "items") if lists else columns.get("item", "item")
    person = columns.get("id") or ("id" if "id" in kinds or not lists else None)
    _refuse(kinds, item, ("list",) if lists else ("text", "whole number"))
    if person is not None:
        _refuse(kinds, person, ("text", "whole number"))
    return SetColumns(item, person, lists)


def _refuse(kinds: Mapping[str, Any], name: str, wanted: tuple[str, ...]) -> None:
    if name not in kinds:
        msg = (
            f"there must be a column {name!r}, and there is none; say which columns hold the "
            "people and the items with `columns`"
        )
        raise DataError(msg, parameter="columns")
    if kinds[name] not in wanted:
        words = "lists of items" if wanted == ("list",) else "text or whole numbers"
        raise DataError(f"the column {name!r} must hold {words}, not {kinds[name]}")
