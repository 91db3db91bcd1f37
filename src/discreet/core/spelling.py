"""Names that must occur: a misspelt secret would protect nobody."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from discreet.errors import DataError

LISTED = 3
"""Absent names that are told, each with the nearest ones that occur."""


def refuse_absent(
    subject: str, names: Iterable[str], known: Collection[str], *, cure: str = ""
) -> None:
    """Refuse names of which one does not occur, with the nearest that do.

    >>> refuse_absent("the sensitive items", ["HIV"], ["hiv", "flu"])
    Traceback (most recent call last):
    discreet.errors.DataError: the sensitive items must occur in the data, and 1 does not: \
'HIV' (near: 'hiv')
    """
    lookup = known if isinstance(known, set | frozenset | dict) else set(known)
    absent = sorted(set(names).difference(lookup))
    if not absent:
        return
    listed = "; ".join(_with_nearest(name, lookup) for name in absent[:LISTED])
    more = f"; and {len(absent) - LISTED:,} more" if len(absent) > LISTED else ""
    verb = "does" if len(absent) == 1 else "do"
    msg = f"{subject} must occur in the data, and {len(absent):,} {verb} not: {listed}{more}{cure}"
    raise DataError(msg)


def refuse_disjoint(subject: str, names: Iterable[str], known: Collection[str]) -> None:
    """Refuse a public list that names nothing of what occurs; it may list more than that.

    >>> refuse_disjoint("the universe", ["Flu", "hiv"], ["flu", "hiv"])
    >>> refuse_disjoint("the universe", ["Flu"], ["flu", "hiv"])
    Traceback (most recent call last):
    discreet.errors.DataError: the universe must list items of the data, and it lists none of \
those that occur
    """
    if known and set(known).isdisjoint(names):
        msg = f"{subject} must list items of the data, and it lists none of those that occur"
        raise DataError(msg)


def nearest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the end of a complaint about a name: those that come near it, if any do.

    >>> nearest("sexe", ["age", "sex"])
    "; did you mean 'sex'?"
    >>> nearest("pay", ["age", "sex"], "; check its spelling")
    '; check its spelling'
    """
    near = _near(name, known)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else otherwise


def other_separator(values: Collection[str], used: str = "|") -> str | None:
    """Return what separates several things in most of the values, where ``used`` does not.

    A comma in a name alone is none: cut at it, the values must share their parts.

    >>> other_separator(["flu, asthma", "asthma, HIV", "HIV, flu", "flu"])
    ','
    >>> other_separator(["Smith, Al", "Jones, Bo"]), other_separator(["a,b|c", "c|a,b"])
    (None, None)
    """
    if any(used in value for value in values):
        return None
    for mark in (";", ",", "/", "|"):
        cut = [[part.strip() for part in value.split(mark)] for value in values]
        parts = {part for each in cut for part in each}
        if 2 * sum(len(each) > 1 for each in cut) > len(values) and len(parts) < len(values):
            return mark
    return None


def _with_nearest(name: str, known: Collection[str]) -> str:
    near = _near(name, known)
    return f"{name!r} (near: {', '.join(map(repr, near))})" if near else repr(name)


def _near(name: str, known: Iterable[str]) -> list[str]:
    lower = {candidate.casefold(): candidate for candidate in known}
    return [lower[each] for each in get_close_matches(name.casefold(), lower, n=3)]
