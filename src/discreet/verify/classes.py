"""The classes of published tables: rows that agree in all quasi-identifiers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from discreet.core.projected_tables import ProjectedTables

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Counts", "classes_of", "counts_of", "named"]


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
    import polars as pl

    for number, table in enumerate(content.parts, start=1):
        keys = [pl.col(name).alias(f"q{index}") for index, name in enumerate(content.qids)]
        yield f"table {number}", table.group_by(keys).agg(pl.len().alias("rows"))


def counts_of(content: ProjectedTables) -> Iterator[Counts]:
    """Yield the counts of each sensitive attribute of each table."""
    import polars as pl

    for number, table in enumerate(content.parts, start=1):
        keys = [pl.col(name).alias(f"q{index}") for index, name in enumerate(content.qids)]
        for attribute in content.sensitive[number - 1]:
            value = pl.col(attribute).cast(pl.String).alias("value")
            counted = table.group_by([*keys, value]).agg(pl.len().alias("rows"))
            classes: dict[tuple[str, ...], dict[str, int]] = {}
            whole: dict[str, int] = {}
            for *key, held, rows in counted.iter_rows():
                classes.setdefault(tuple(key), {})[held] = rows
                whole[held] = whole.get(held, 0) + rows
            yield Counts(f"table {number}, {attribute}", attribute, classes, whole)


def named(content: ProjectedTables, key: tuple[str, ...]) -> str:
    """Say which class is meant."""
    values = ", ".join(f"{name} {value}" for name, value in zip(content.qids, key, strict=True))
    return f"the class {values}" if values else "the whole table"
