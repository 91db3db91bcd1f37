"""The queries of an engine, which stand in an SQL file beside its module."""

import re
from functools import cache
from importlib.resources import files

__all__ = ["column", "queries", "text"]


@cache
def queries(engine: str) -> dict[str, str]:
    """Return the queries of an engine by their names.

    >>> queries("duckdb")["whole"]
    'SELECT items FROM ({sets})'
    """
    parts = re.split(
        r"^-- name: (\w+)\n", (files(__package__) / f"{engine}.sql").read_text(), flags=re.M
    )
    bodies = [body.strip().removesuffix(";") for body in parts[2::2]]
    return dict(zip(parts[1::2], bodies, strict=True))


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
