"""Multi-valued attributes as 0/1 columns, and back: nothing is lost on the way."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.lazy import pl

if TYPE_CHECKING:
    from discreet.core.microdata import Microdata

MOST_VALUES = 4096
"""Most values a multi-valued attribute may have, since each of them becomes a column."""


def bitmap_of(
    people: "Microdata", values: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Return what changes in microdata when each multi-valued attribute turns into bits.

    ``values`` are the values that get a column, by default those that occur.
    """
    columns: list[pl.Series] = [people.table[name] for name in people.qids]
    columns += [set_cells(people.table[name], people.separator) for name in people.set_columns]
    sensitive: list[str] = []
    harmless: dict[str, frozenset[str]] = {}
    for name in people.sensitive:
        derived = [people.table[name]]
        declared = people.non_sensitive.get(name, frozenset())
        if name in people.multi_valued:
            wanted = None if values is None else values[name]
            derived = _bits(people.table[name], people.separator, wanted)
            unprotected = {f"{name}={value}" for value in declared}
            both = frozenset({"0", "1"})
            harmless |= {bits.name: both for bits in derived if bits.name in unprotected}
        elif declared:
            harmless[name] = declared
        columns += derived
        sensitive += [bits.name for bits in derived]
    columns += [people.table[name] for name in people.kept]
    _refuse_twice([column.name for column in columns])
    return {
        "table": pl.DataFrame(columns),
        "sensitive": tuple(sensitive),
        "multi_valued": frozenset(),
        "non_sensitive": harmless,
    }


def joined_values(cells: "pl.Series", separator: str) -> "pl.Series":
    """Return cells of several values, or lists of them, as text: each value once, tidied.

    >>> import polars as pl
    >>> joined_values(pl.Series(["flu| flu |cold|"]), "|").to_list()
    ['flu|cold']
    """
    from discreet.io.frames import texts_of
    from discreet.io.text import normalised_series

    if isinstance(cells.dtype, pl.List | pl.Array):
        texts_of(cells.explode())  # refused unless its values are texts or numbers
        lists = cells.cast(pl.List(pl.String))
        if lists.explode().str.contains(separator, literal=True).any():
            msg = f"a value of {cells.name!r} holds the separator {separator!r}; choose another one"
            raise DataError(msg)
    else:
        lists = texts_of(cells).str.split(separator)
    values = pl.DataFrame({"row": range(len(lists)), "value": lists}).explode("value")
    values = values.with_columns(normalised_series(values["value"].fill_null("")))
    distinct = values.filter(pl.col("value") != "").unique(maintain_order=True)
    joined = distinct.group_by("row", maintain_order=True).agg(pl.col("value").str.join(separator))
    rows = pl.DataFrame({"row": range(len(lists))}).join(joined, on="row", how="left")
    return rows["value"].fill_null("").alias(cells.name)


def cells_as_sets(cells: "pl.Series", separator: str) -> "pl.Series":
    """Return the values in each cell, in the order of text, each once."""
    values = pl.element().str.strip_chars()
    distinct, codes = _distinct(cells)
    sets = distinct.str.split(separator).list.eval(values.filter(values != "").unique().sort())
    return sets.gather(codes).alias(cells.name)


def _distinct(cells: "pl.Series") -> "tuple[pl.Series, pl.Series]":
    """Return the distinct cells, and the place of each cell among them: few are looked at twice."""
    distinct = cells.unique()
    return distinct, cells.cast(pl.Enum(distinct)).to_physical()


def set_cells(cells: "pl.Series", separator: str) -> "pl.Series":
    """Return the cells with their values in the order of text, each once, as text again."""
    distinct, codes = _distinct(cells)
    sets = cells_as_sets(distinct, separator).list.join(separator)
    return sets.gather(codes).alias(cells.name)


def _bits(cells: "pl.Series", separator: str, wanted: Sequence[str] | None) -> "list[pl.Series]":
    """Return one column of 0 and 1 as text for each wanted value, in the order of text."""
    distinct, codes = _distinct(cells)
    sets = cells_as_sets(distinct, separator)
    values = sets.explode().drop_nulls().unique().sort().to_list() if wanted is None else wanted
    if len(values) > MOST_VALUES:
        msg = (
            f"a multi-valued attribute may have up to {MOST_VALUES:,} values, and {cells.name!r} "
            f"has {len(values):,}; check the separator, or group its values"
        )
        raise DataError(msg)
    return [
        sets.list.contains(value)
        .cast(pl.Int8)
        .cast(pl.String)
        .gather(codes)
        .alias(f"{cells.name}={value}")
        for value in values
    ]


def _refuse_twice(names: Sequence[str]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise DataError(f"two columns would be called {name!r}; rename the column of that name")
