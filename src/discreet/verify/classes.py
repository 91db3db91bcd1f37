"""The classes of published tables: rows that agree in all quasi-identifiers."""

from collections.abc import Iterator
from typing import NamedTuple

from discreet.core.projected_tables import ProjectedTables
from discreet.lazy import pl

PEOPLE = "\0people"
"""A column that no table has."""


class Counts(NamedTuple):
    """How often each value of an attribute occurs, in each class and in the whole table."""

    where: str
    """The table and the attribute, in words."""
    attribute: str
    """The attribute."""
    classes: dict[tuple[str, ...], dict[str, int]]
    """For each class, by its quasi-identifiers, the counts of its values."""
    whole: dict[str, int]
    """The counts in the whole table."""


def classes_of(content: ProjectedTables) -> "Iterator[tuple[str, pl.DataFrame]]":
    """Yield for each table its name and its classes: quasi-identifiers and ``rows``."""
    for number in range(1, len(content) + 1):
        keys = [pl.col(name).alias(f"q{index}") for index, name in enumerate(content.qids)]
        yield f"table {number}", _counted(content, number, keys)


def counts_of(content: ProjectedTables) -> Iterator[Counts]:
    """Yield the counts of each sensitive attribute of each table."""
    for number in range(1, len(content) + 1):
        keys = [pl.col(name).alias(f"q{index}") for index, name in enumerate(content.qids)]
        for attribute in content.sensitive[number - 1]:
            value = pl.col(attribute).cast(pl.String).alias("value")
            counted = _counted(content, number, [*keys, value])
            classes: dict[tuple[str, ...], dict[str, int]] = {}
            whole: dict[str, int] = {}
            for *key, cell, rows in counted.iter_rows():
                classes.setdefault(tuple(key), {})[cell] = rows
                whole[cell] = whole.get(cell, 0) + rows
            yield Counts(f"table {number}, {attribute}", attribute, classes, whole)


def _counted(content: ProjectedTables, number: int, keys: "list[pl.Expr]") -> "pl.DataFrame":
    """Return the distinct keys of the rows of a table, and how many ``rows`` have each."""
    table = content.parts[number - 1]
    if not content.people:
        return by_class(table, keys, [pl.len().alias("rows")])
    people = pl.lit(pl.Series(content.people[number - 1])).alias(PEOPLE)
    return by_class(table.with_columns(people), keys, [pl.col(PEOPLE).sum().alias("rows")])


def by_class(
    table: "pl.DataFrame", keys: "list[pl.Expr]", facts: "list[pl.Expr]"
) -> "pl.DataFrame":
    """Return the distinct keys of a table and facts of the rows that have each.

    Without keys all rows are one class: the oldest polars that is allowed refuses to group by none.
    """
    return table.group_by(keys).agg(facts) if keys else table.select(facts)


def named(content: ProjectedTables, key: tuple[str, ...]) -> str:
    """Say which class is meant."""
    values = ", ".join(f"{name} {value}" for name, value in zip(content.qids, key, strict=True))
    return f"the class {values}" if values else "the whole table"
