"""Numbers as intervals with declared bounds, and the order of such values."""

import re
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from itertools import pairwise

from discreet.core.exact import Exact, exact
from discreet.errors import DataError, ParameterError
from discreet.lazy import pl

_ORDERED = re.compile(r"(<|>=|)\s*(-?\d+(?:\.\d+)?)(?:\.\.<?-?\d+(?:\.\d+)?)?")


def interval_names(bounds: Sequence[Exact]) -> tuple[str, ...]:
    """Return what the intervals between ascending bounds are called.

    >>> interval_names([0, "2.5"])
    ('<0', '0..<2.5', '>=2.5')
    """
    exacts = [exact("bounds", bound) for bound in bounds]
    if not exacts or sorted(set(exacts)) != exacts:
        msg = f"`bounds` must be ascending numbers, at least one, got {list(map(str, bounds))}"
        raise ParameterError(msg, parameter="bounds")
    texts = [_decimal(bound) for bound in exacts]
    between = [f"{low}..<{high}" for low, high in pairwise(texts)]
    return (f"<{texts[0]}", *between, f">={texts[-1]}")


def _decimal(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else repr(float(number))


def intervals(column: "pl.Series", bounds: Sequence[Exact]) -> "pl.Series":
    """Return the column with each number replaced by its interval; a missing cell stays."""
    from discreet.core.microdata import MISSING

    names = interval_names(bounds)
    missing = column.is_in(MISSING)
    numbers = column.str.strip_chars().cast(pl.Float64, strict=False).fill_nan(None)
    if (wrong := numbers.is_null() & ~missing).any():
        msg = (
            f"a column that is cut at bounds must hold numbers, and row "
            f"{wrong.arg_true()[0] + 1} of {column.name!r} holds something else"
        )
        raise DataError(msg)
    edges = [float(exact("bounds", bound)) for bound in bounds]
    # an interval takes in its lower bound, hence one step right of an equal edge
    index = pl.Series(edges).search_sorted(numbers.fill_null(0.0), side="right")
    cut = pl.Series(names).gather(index)
    return pl.DataFrame({"cut": cut, "old": column, "gap": missing}).select(
        pl.when("gap").then("old").otherwise("cut").alias(column.name)
    )[column.name]


def coded_ends(column: "pl.Series", below: Exact | None, from_: Exact | None) -> "pl.Series":
    """Return the column with numbers beyond a bound replaced by ``<bound`` or ``>=bound``."""
    if below is not None and from_ is not None:
        interval_names([below, from_])
    cut = column
    for bound, index in ((below, 0), (from_, 1)):
        if bound is not None:
            names = interval_names([bound])
            ends = intervals(column, [bound])
            cut = cut.zip_with(ends != names[index], ends)
    return cut


def in_order(values: Sequence[str]) -> list[str]:
    """Return values in their natural order: numbers and intervals by size.

    >>> in_order(["10", "9"]), in_order([">=5", "<1", "1..<5"])
    (['9', '10'], ['<1', '1..<5', '>=5'])
    """
    matches = [_ORDERED.fullmatch(value.strip()) for value in values]
    if not all(matches):
        msg = (
            "the values of an attribute with ordered distance must be numbers or intervals, "
            "and one is neither; give the order by a hierarchy of the attribute"
        )
        raise DataError(msg)
    rank = {"<": 0, "": 1, ">=": 2}
    keys = {
        value: (float(match[2]), rank[match[1]], value)
        for value, match in zip(values, matches, strict=True)
        if match
    }
    return sorted(values, key=lambda value: keys[value])


def nested_intervals(
    values: Sequence[str], widths: Sequence[Exact], origin: Exact, root: str
) -> list[list[str]]:
    """Return for each number its intervals of these widths, from the origin on, and the root.

    A missing cell stays as it is up to the root.
    """
    from discreet.core.microdata import GAP

    steps = [exact("a width", width) for width in widths]
    start = exact("origin", origin)
    above_zero = bool(steps) and min(steps) > 0
    if not above_zero or any(wide % narrow or wide == narrow for narrow, wide in pairwise(steps)):
        msg = (
            "`widths` must be above 0, at least one, each a multiple of the one before, "
            f"got {list(map(str, widths))}"
        )
        raise ParameterError(msg, parameter="widths")
    return [
        [value, *([GAP] * len(steps) if value == GAP else _nested(value, steps, start)), root]
        for value in values
    ]


def _nested(value: str, widths: Sequence[Fraction], origin: Fraction) -> list[str]:
    number = number_of(value)
    return [_interval(number, width, origin) for width in widths]


def number_of(value: str) -> Fraction:
    """Return the number that a cell holds."""
    try:
        return exact("values", value.strip())
    except ParameterError:
        msg = "intervals can be built for numbers only, and one value is not a number"
        raise DataError(msg) from None


def _interval(number: Fraction, width: Fraction, origin: Fraction) -> str:
    low = origin + (number - origin) // width * width
    return f"{_decimal(low)}..<{_decimal(low + width)}"


def nested_dates(values: Sequence[str], root: str) -> list[list[str]]:
    """Return for each day its month, year and decade, and the root; a missing cell stays."""
    from discreet.core.microdata import GAP

    rows = []
    for value in values:
        if value == GAP:
            rows.append([value, GAP, GAP, GAP, root])
            continue
        try:
            year = date.fromisoformat(value).year
        except ValueError:
            msg = "dates must be days such as 2024-03-09, and one value is not"
            raise DataError(msg) from None
        decade = f"{year // 10 * 10}..<{year // 10 * 10 + 10}"
        rows.append([value, value[:7], value[:4], decade, root])
    return rows
