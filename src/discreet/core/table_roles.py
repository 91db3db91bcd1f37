"""The columns of a table that have a role: each is there, and has one role only."""

from collections.abc import Iterable, Sequence

from discreet.errors import DataError, ParameterError
from discreet.io.text import normalised
from discreet.lazy import pl


def names_of(role: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns of one role as a table has them, refusing what is no list.

    >>> names_of("qids", [" age", "sex"])
    ('age', 'sex')
    """
    listed = None if isinstance(names, str) or not isinstance(names, Iterable) else tuple(names)
    if listed is None or not all(isinstance(name, str) for name in listed):
        got = f"a text; one column is [{names!r}]" if isinstance(names, str) else "something else"
        msg = f"`{role}` must be a list of names of columns, got {got}"
        raise ParameterError(msg, parameter=role)
    return tuple(map(normalised, listed))


def refuse_roles(roles: Sequence[str], table: "pl.DataFrame") -> None:
    """Refuse no role at all, two roles for one column, and roles for columns that are not there."""
    if not roles:
        cure = "name them with `qid` and `sensitive_attributes`"
        msg = "a table must have at least one quasi-identifier or sensitive attribute, got none"
        raise DataError(f"{msg}; {cure}{_listing(table)}")
    if twice := [column for at, column in enumerate(roles) if column in roles[:at]]:
        msg = f"the column {twice[0]!r} was given two roles; a column has one"
        raise DataError(msg)
    if several := [name for name in roles if name == "*" or (name[:1] + name[-1:]) == "^$"]:
        msg = f"rename the column {several[0]!r}: its name would stand for several columns"
        raise DataError(msg)
    absent = [_with_hint(name, table.columns) for name in roles if name not in table.columns]
    if absent:
        some = f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} not"
        raise DataError(f"a column that is named must be in the table, and {some}{_listing(table)}")


def _listing(table: "pl.DataFrame") -> str:
    from discreet.io.header import columns_there

    return columns_there(table.columns, lambda at: map(str, table.to_series(at)))


def _with_hint(name: str, columns: Sequence[str]) -> str:
    from discreet.io.header import nearest_column

    near = nearest_column(name, columns)
    return f"{name!r} (did you mean {near!r}?)" if near else repr(name)
