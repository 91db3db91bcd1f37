"""The queries of an engine, which stand in an SQL file beside its module."""

import re
from functools import cache
from importlib.resources import files
from pathlib import PurePath


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


def no_file_fits(pattern: str) -> str:
    """Return what is said where a pattern names no file.

    >>> no_file_fits("baskets/*.parquet")
    'no file fits the pattern *.parquet; check the folder and the ending'
    """
    return f"no file fits the pattern {PurePath(pattern).name}; check the folder and the ending"
