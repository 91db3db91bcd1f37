"""What an attacker knows of a person in a table, and which published rows fit that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.projected_tables import ProjectedTables
from discreet.core.ranges import covers
from discreet.core.spelling import nearest
from discreet.errors import ParameterError
from discreet.lazy import pl
from discreet.tables.generalising.lattice import first_rows, grouped
from discreet.tables.promises.closeness import classes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What the attacker knows of one person."""

    person: Annotated[
        Mapping[str, str] | None,
        Doc(
            "Columns with the person's values, such as sex=m,job=teacher; without any, "
            "everyone is attacked."
        ),
    ] = field(default=None, metadata={"option": "--knows"})

    def __post_init__(self) -> None:
        check_fields(self)


class Guess(NamedTuple):
    """The likeliest value of an attribute among the rows of each group."""

    rows: NDArray[np.int64]
    """How many rows each group has."""
    first: NDArray[np.int64]
    """A row of each group that holds the likeliest value."""
    support: NDArray[np.int64]
    """How many rows of the group hold it."""


def class_of_rows(content: ProjectedTables, table: "pl.DataFrame") -> NDArray[np.int64]:
    """Return the class of each row of a published table."""
    return classes_of(table, content.qids)[0]


def best_guesses(groups: NDArray[np.int64], values: NDArray[np.int64]) -> Guess:
    """Return the likeliest value in each group.

    >>> import numpy as np
    >>> groups, values = np.array([0, 0, 0, 1]), np.array([5, 7, 7, 5])
    >>> [part.tolist() for part in best_guesses(groups, values)]
    [[3, 1], [1, 3], [2, 1]]
    """
    pairs, counts = grouped([groups, values])
    first = first_rows(pairs, len(counts))
    rising = np.lexsort((counts, groups[first]))
    last = np.flatnonzero(np.diff(groups[first][rising], append=-1))
    best = rising[last]
    return Guess(np.bincount(groups), first[best], counts[best])


def class_in_words(content: ProjectedTables, table: "pl.DataFrame", row: int) -> tuple[str, ...]:
    """Say which quasi-identifiers a row has."""
    return tuple(f"{name}={table[name][row]}" for name in content.qids)


def fitting_rows(
    content: ProjectedTables, table: "pl.DataFrame", person: Mapping[str, str]
) -> NDArray[np.int64]:
    """Return the rows a person can be in: a published value is the person's or stands above it."""
    columns = {name for each in content.parts for name in each.columns}
    fits = np.ones(table.height, dtype=np.bool_)
    for name, value in person.items():
        if name not in columns:
            hint = nearest(name, columns)
            msg = f"what is known must name a published column, and {name!r} is not one{hint}"
            raise ParameterError(msg, parameter="known")
        if name in content.applied:
            shown = table[name].unique().to_list()
            fits &= table[name].is_in(_standing_for(content, name, value, shown)).to_numpy()
        elif name == content.set_column:
            fits &= _holding(content, table[name], value)
        elif name in table.columns:
            fits &= (table[name].cast(str) == value).to_numpy()
    return np.flatnonzero(fits)


def _holding(content: ProjectedTables, cells: "pl.Series", items: str) -> NDArray[np.bool_]:
    """Return which sets have a block for each of some items, which stand between bars."""
    fits = np.ones(len(cells), dtype=np.bool_)
    for item in filter(None, map(str.strip, items.split("|"))):
        names = [name for name, below in content.meanings.items() if item in below] or [item]
        named = pl.element().list.eval(pl.element().is_in(names)).list.any()
        blocks = cells.list.eval(named)
        fits &= blocks.list.any().fill_null(value=False).to_numpy()
    return fits


def _standing_for(
    content: ProjectedTables, name: str, value: str, shown: Sequence[str]
) -> list[str]:
    """Return which of the shown cells a value may have become."""
    above = dict(content.applied[name].select("child", "parent").iter_rows())
    if not above:
        return [cell for cell in shown if covers(cell, value)] or sorted(_roots(content, name))
    if value not in above and value not in above.values():
        # a value that no hierarchy names can stand below any published root
        return [value, *(set(above.values()) - set(above))]
    way = [value]
    while way[-1] in above:
        way.append(above[way[-1]])
    return way


def _roots(content: ProjectedTables, name: str) -> set[str]:
    """Return what a wholly suppressed column shows: its only value."""
    shown = {value for table in content.parts for value in table[name].unique().to_list()}
    return shown if len(shown) == 1 else set()
