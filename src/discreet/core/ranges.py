"""What a generalised cell stands for: a range of numbers or dates, or a set of values."""

import json
import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import date
from math import inf
from typing import NamedTuple

_NUMBER = r"-?\d{1,15}(?:\.\d+)?"
"""Longer ones are names: as numbers different ones would be taken for one."""
_DATE = r"\d{4}-\d{2}(?:-\d{2})?"
"""A day, or a month as a whole."""
_NUMBERS = (
    re.compile(rf"(?P<low>{_NUMBER})(?:-(?P<last>{_NUMBER})|\.\.<(?P<high>{_NUMBER}))?"),
    re.compile(rf"<(?:=(?P<last>{_NUMBER})|(?P<high>{_NUMBER}))"),
    re.compile(rf">=(?P<low>{_NUMBER})(?P<open>)"),
)
_DATES = re.compile(rf"(?P<low>{_DATE})(?:/(?P<last>{_DATE}))?")
OR_GAP = " or ?"
"""What follows a range that takes in missing cells."""


class Range(NamedTuple):
    """What a cell stands for: all numbers, or days, from ``low`` to ``high``."""

    low: float
    """The least."""
    high: float
    """The bound above."""
    closed: bool
    """Whether the bound belongs to it."""
    first: str
    """The least as it is written; empty for none."""
    last: str
    """The bound as it is written; empty for none."""

    @property
    def of_dates(self) -> bool:
        """Whether it is of days, and not of numbers."""
        return re.fullmatch(_DATE, self.first) is not None


def range_of(cell: str) -> Range | None:
    """Return what a cell stands for; None where it holds no number, date or range of them.

    A month stands for its days.

    >>> range_of("20-34")
    Range(low=20.0, high=34.0, closed=True, first='20', last='34')
    >>> range_of("2024-02").high - range_of("2024-02-01").low
    28.0
    >>> range_of("teacher")
    """
    for form in _NUMBERS:
        if match := form.fullmatch(cell.strip()):
            groups = match.groupdict()
            low, bound = groups.get("low") or "", groups.get("last") or groups.get("high") or ""
            if "open" not in groups and not bound:
                bound = low
            ends = (float(low) if low else -inf, float(bound) if bound else inf)
            if ends[0] <= ends[1]:
                return Range(*ends, closed=not groups.get("high"), first=low, last=bound)
    match = _DATES.fullmatch(cell.strip())
    return _of_dates(match["low"], match["last"] or match["low"]) if match else None


def _of_dates(first: str, last: str) -> Range | None:
    """Return the days from the first one of a date to the last one of another."""
    year, month = int(last[:4]), int(last[5:7])
    try:
        end = last if len(last) > len("2024-02") else f"{last}-{monthrange(year, month)[1]:02}"
        low, high = (date.fromisoformat(day).toordinal() for day in (f"{first}-01"[:10], end))
    except ValueError:  # such as the 31st of February
        return None
    ends = float(low), float(high)
    return Range(*ends, closed=True, first=first, last=last) if low <= high else None


def ranges_of(values: Iterable[str]) -> dict[str, Range] | None:
    """Return what each cell stands for, where all are numbers or all are dates.

    >>> ranges_of(["2024", "2024-02-01"]), ranges_of(["teacher"])
    (None, None)
    """
    ranges = {value: range_of(value) for value in values}
    told = {value: each for value, each in ranges.items() if each is not None}
    dates = sum(each.of_dates for each in told.values())
    return told if len(told) == len(ranges) and dates in (0, len(told)) else None


def range_name(ranges: Sequence[Range]) -> str:
    """Return the name of the least range that holds all of these.

    >>> range_name([Range(20, 20, True, "20", "20"), Range(34, 34, True, "34", "34")])
    '20-34'
    """
    least = min(ranges, key=lambda each: each.low)
    most = max(ranges, key=lambda each: (each.high, each.closed))
    if least.low == most.high:
        return least.first
    if least.low == -inf or most.high == inf:
        above = f">={least.first}" if least.low > -inf else "*"
        return f"<{'=' if most.closed else ''}{most.last}" if most.high < inf else above
    if least.first == most.last:  # a month, and days of it
        return least.first
    between = "/" if least.of_dates else "-"
    return f"{least.first}{between if most.closed else '..<'}{most.last}"


def set_name(values: Sequence[str]) -> str:
    """Return the name of a set of values.

    >>> set_name(["France", "Spain"]), set_name(["a, b", "c"])
    ('{France, Spain}', '["a, b", "c"]')
    """
    plain = not any(mark in value for value in values for mark in ("{", "}", ", "))
    return f"{{{', '.join(values)}}}" if plain else json.dumps(list(values), ensure_ascii=False)


def members_of(cell: str) -> tuple[str, ...]:
    """Return the values that a set's name stands for; a cell that names none stands for itself."""
    if cell.startswith("{") and cell.endswith("}"):
        return tuple(cell[1:-1].split(", "))
    if cell.startswith('["') and cell.endswith('"]'):
        try:
            return tuple(map(str, json.loads(cell)))
        except ValueError:
            return (cell,)
    return (cell,)


def is_root(cell: str, values: Iterable[str] = ()) -> bool:
    """Whether a cell is what a column without a hierarchy is suppressed to, and none of its values.

    >>> is_root("*"), is_root("**", ["*", "a"]), is_root("*", ["*", "a"]), is_root("a")
    (True, True, False, False)
    """
    return set(cell) == {"*"} and cell not in values


class Meant(NamedTuple):
    """A published cell, looked at once for many values."""

    cell: str
    """The cell."""
    members: frozenset[str]
    """The values that it names."""
    range: Range | None
    """The range that it names, if it does."""

    @classmethod
    def by(cls, cell: str) -> "Meant":
        """Return what a cell stands for."""
        return cls(cell, frozenset(members_of(cell)), range_of(cell.removesuffix(OR_GAP)))

    def takes_in(self, value: str, value_range: Range | None) -> bool:
        """Whether a value, with what ``range_of`` says of it, is among what the cell stands for."""
        if self.cell == value or value in self.members:
            return True
        if value == "?":
            return self.cell.endswith(OR_GAP)
        if self.range is None or value_range is None or value_range.low < self.range.low:
            return self.cell.removesuffix(OR_GAP) == "*"
        return value_range.high < self.range.high or (
            value_range.high == self.range.high and (self.range.closed or not value_range.closed)
        )


def covers(published: str, value: str) -> bool:
    """Whether a published range or set takes in a value.

    >>> covers("20-34", "27"), covers("20-34 or ?", "?"), covers("{a, b}", "b")
    (True, True, True)
    """
    return Meant.by(published).takes_in(value, range_of(value))
