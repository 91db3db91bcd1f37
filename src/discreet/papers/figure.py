"""The table of a figure: a row for each number, the paper's beside ours, alike for all papers."""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from discreet.lazy import pl

Row: TypeAlias = dict[str, Any]
"""A number of a figure by column; a column that is left out is empty.

``method`` is for people and may name parameters too; ``publisher`` is the name alone, ``against``
the other one where two are compared. ``printed_as`` is "at least" where the paper prints a bound,
``refused`` says why a setting has no number, and ``note`` is for people only.
"""
SETTINGS: Final = ("epsilon", "theta", "c1", "fan_out", "occurrences")
"""Columns that say at which setting a number was measured; empty where the method names it all."""
WORDS: Final = (
    "figure", "data", "method", "publisher", "against", "measure", "printed_as", "refused", "note",
)  # fmt: skip
WHOLE: Final = ("fan_out", "occurrences", "releases")
COLUMNS: Final = (
    "figure", "data", "method", "publisher", "against", *SETTINGS, "measure", "value", "low",
    "high", "releases", "paper", "printed_as", "refused", "note",
)  # fmt: skip


def table_of(
    figure: str, rows: Iterable[Row], *, data: str | None = None, note: str | None = None
) -> "pl.DataFrame":
    """Return the rows as a table; ``data`` and ``note`` stand where a row has none of its own.

    >>> table_of("figure-1", [row_of("made up", "people", 3)], data="all").row(0)[:3]
    ('figure-1', 'all', 'made up')
    """
    types = {
        name: pl.String() if name in WORDS else pl.Int64() if name in WHOLE else pl.Float64()
        for name in COLUMNS
    }
    full = [
        {"data": data, "publisher": row.get("method")}
        | row
        | {"figure": figure, "note": row.get("note") or note}
        for row in rows
    ]
    return pl.DataFrame(full, schema=types)


def row_of(method: str, measure: str, value: float, paper: float | None = None) -> Row:
    """Return the row of a number that one release tells, without chance and so without a spread."""
    exact = {"low": value, "high": value, "releases": 1}
    return {"method": method, "measure": measure, "value": value, "paper": paper} | exact
