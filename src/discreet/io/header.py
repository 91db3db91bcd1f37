"""Which columns there are, in an error: never where a record stands in place of a header."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

MOST = 30
"""Columns that are listed."""
LONGEST = 40
"""Letters of a name that is listed."""


def columns_there(header: Sequence[str], cells: Callable[[int], Iterable[str]]) -> str:
    """Return the names of the columns as a clause; ``cells`` gives those of a column.

    A file without a header begins with somebody's record. A name that is a number, is very long or
    occurs among the cells of its own column is taken for one, and then nothing is listed.

    >>> columns_there(["age", "job"], lambda at: ["39"] if at == 0 else ["cook"])
    '; there are the columns age, job'
    >>> columns_there(["39", "cook"], lambda at: [])
    '; is the line with the names of the columns missing?'
    >>> columns_there(["f", "cook"], lambda at: ["m", "f"] if at == 0 else [])
    '; is the line with the names of the columns missing?'
    """
    if not all(_is_name(name) and name not in set(cells(at)) for at, name in enumerate(header)):
        return "; is the line with the names of the columns missing?"
    more = f" and {len(header) - MOST} more" if len(header) > MOST else ""
    return f"; there are the columns {', '.join(header[:MOST])}{more}"


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST and not text.strip("+-.,:/ ")[:1].isdigit()


def nearest_column(name: str, header: Sequence[str]) -> str | None:
    """Return the column whose name is nearest to one that is not there, if any is near."""
    lower = {column.lower(): column for column in header}
    near = get_close_matches(name.lower(), list(lower), n=1)
    return lower[near[0]] if near and lower[near[0]] != name else None
