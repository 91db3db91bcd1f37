"""The counting queries that a table should answer well."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from discreet.errors import DataError
from discreet.io.text import lines_of, normalised, read_text


@dataclass(frozen=True)
class Workload:
    """Queries: for some columns the values, or ranges, that are asked for together.

    >>> Workload.of(["sex=Female; age=30-39", "education=Masters|Doctorate"]).queries[1]
    {'education': ('Masters', 'Doctorate')}
    """

    queries: tuple[Mapping[str, tuple[str, ...]], ...]
    """For each query its columns with the values asked for."""

    @classmethod
    def of(cls, lines: list[str], where: str = "query") -> "Workload":
        """Read queries, one a line: ``sex=Female; age=30-39; education=Masters|Doctorate``."""
        queries = [_query(line, f"{where} {n}") for n, line in enumerate(lines, 1) if line.strip()]
        if not queries:
            raise DataError("a workload must have at least one query, got none")
        return cls(tuple(queries))

    @classmethod
    def read(cls, path: str | Path) -> "Workload":
        """Read a file of queries, one a line."""
        return cls.of(lines_of(read_text(path)), f"{Path(path).name}, line")


def _query(line: str, where: str) -> dict[str, tuple[str, ...]]:
    asked: dict[str, tuple[str, ...]] = {}
    for clause in line.split(";"):
        name, equals, values = map(normalised, clause.partition("="))
        wanted = tuple(value for value in map(normalised, values.split("|")) if value)
        if not name or not equals or not wanted or name in asked:
            msg = f"{where}: must read column=value|value; column=value, each column once"
            raise DataError(msg)
        asked[name] = wanted
    return asked
