"""The queries of an engine, which stand in an SQL file beside its module."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import PurePath

from discreet.errors import DataError


@cache
def queries(engine: str) -> dict[str, str]:
    """Return the queries of an engine by their names.

    >>> queries("duckdb")["whole"]
    'SELECT items FROM ({sets})'
    """
    sections = re.split(
        r"^-- name: (\w+)\n", (files(__package__) / f"{engine}.sql").read_text(), flags=re.M
    )
    bodies = [body.strip().removesuffix(";") for body in sections[2::2]]
    return dict(zip(sections[1::2], bodies, strict=True))


def filled(engine: str, name: str, **values: object) -> str:
    """Return a query of an engine with its gaps filled.

    >>> filled("duckdb", "whole", sets="SELECT 1 AS items")
    'SELECT items FROM (SELECT 1 AS items)'
    """
    return queries(engine)[name].format(**values)


def text(value: object) -> str:
    """Return a text as SQL writes it.

    >>> text("o'clock")
    "'o''clock'"
    """
    return "'" + str(value).replace("'", "''") + "'"


def column(name: str) -> str:
    """Return the name of a column or table as SQL writes it.

    >>> column('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""') + '"'


def same_in_sql(columns: Iterable[str]) -> list[str]:
    """Return columns that engines take for one: they differ in upper and lower case alone.

    >>> same_in_sql(["ill=flu", "age", "ill=Flu"]), same_in_sql(["age", "sex"])
    (['ill=flu', 'ill=Flu'], [])
    """
    by_name: dict[str, list[str]] = {}
    for column in columns:
        by_name.setdefault(column.lower(), []).append(column)
    return next((names for names in by_name.values() if len(names) > 1), [])


def refuse_same_in_sql(columns: Iterable[str]) -> None:
    """Refuse columns that an engine takes for one."""
    if names := same_in_sql(columns):
        msg = (
            f"an engine takes columns for one that differ in upper and lower case alone, such as "
            f"{names[0]!r} and {names[1]!r}; rename one, or use `engine` memory"
        )
        raise DataError(msg, parameter="engine")


def no_file_fits(pattern: str) -> str:
    """Return what is said where a pattern names no file.

    >>> no_file_fits("baskets/*.parquet")
    'no file fits the pattern *.parquet; check the folder and the ending'
    """
    return f"no file fits the pattern {PurePath(pattern).name}; check the folder and the ending"
