"""Numbers that decide about privacy are exact: the fraction of their decimal text."""

import re
from fractions import Fraction
from functools import lru_cache
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.errors import ParameterError

Exact: TypeAlias = Fraction | int | float | str
"""A number as a person gives it; ``exact`` makes it a fraction."""

NUMBER = re.compile(r"\s*[+-]?\d{1,40}(/\d{1,40}|(\.\d{0,40})?([eE][+-]?\d{1,2})?)\s*")
"""What a person writes; a longer exponent would ask for a number without end."""


LARGEST = 10**12
"""The largest whole number that is taken: beyond, machine words would not hold its multiples."""


def exact(name: str, value: Exact) -> Fraction:
    """Return the fraction that the decimal text of ``value`` names.

    >>> exact("epsilon", 0.1), exact("epsilon", "1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(value, Fraction):
        return value
    # the repr of a float is the shortest text that names it: 0.1 is one tenth
    text = repr(float(value)) if isinstance(value, float) else str(value)
    fraction = _fraction(text)
    if fraction is None:
        msg = f"`{name}` must be a number such as 1 or 0.25, got {shown(value)}"
        raise ParameterError(msg, parameter=name)
    return fraction


@lru_cache(maxsize=1024)
def _fraction(text: str) -> Fraction | None:
    """Return the number that ``text`` names, if it names one."""
    text = f"0{text}" if text.startswith(".") else text
    try:
        return Fraction(text) if NUMBER.fullmatch(text) else None
    except ZeroDivisionError:
        return None


def positive(name: str, value: Exact) -> Fraction:
    """Return ``value`` as a fraction, refusing what is not above zero."""
    fraction = exact(name, value)
    if fraction <= 0:
        raise ParameterError(f"`{name}` must be above 0, got {value}", parameter=name)
    return fraction


def share(name: str, value: Exact) -> Fraction:
    """Return ``value`` as a fraction, refusing what is not from 0 to 1."""
    fraction = exact(name, value)
    if not 0 <= fraction <= 1:
        raise ParameterError(f"`{name}` must be a share from 0 to 1, got {value}", parameter=name)
    return fraction


def positive_share(name: str, value: Exact) -> Fraction:
    """Return ``value`` as a fraction, refusing what is no confidence: above 0, and at most 1."""
    fraction = exact(name, value)
    if not 0 < fraction <= 1:
        raise ParameterError(f"`{name}` must be above 0 and at most 1, got {value}", parameter=name)
    return fraction


def at_least_one(**counts: int | None) -> None:
    """Refuse a count, named as its parameter is, that is below 1; one that is left out will do.

    >>> at_least_one(k=5, m=2, limit=None)
    """
    in_range(1, None, **counts)


def in_range(low: int, high: int | None, **counts: int | None) -> None:
    """Refuse a count below ``low`` or above ``high``, where there is none above ``LARGEST``.

    >>> in_range(0, 5, known=5)
    """
    for name, value in counts.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int):
            msg = f"`{name}` must be a whole number, got {shown(value)}"
            raise ParameterError(msg, parameter=name)
        if value < low or value > (LARGEST if high is None else high):
            span = f"at least {low}" if high is None and value < low else ""
            span = span or f"from {low} to {LARGEST if high is None else high:,}"
            msg = f"`{name}` must be {span}, got {shown(value)}"
            raise ParameterError(msg, parameter=name)


def in_small_terms(value: Fraction, most: int, *, up: bool = False) -> Fraction:
    """Return the largest fraction up to ``value``, or smallest from it ``up``, in small terms.

    Its denominator is at most ``most``, so a share of up to ``most`` things is above ``value`` if
    it is above the one returned, and at or above it if so from the one ``up``: compiled code can
    compare in machine words, however many digits ``value`` has.

    >>> in_small_terms(Fraction("0.30000000000000004"), 100)
    Fraction(3, 10)
    >>> in_small_terms(Fraction(1, 3), 10) == in_small_terms(Fraction(1, 3), 10, up=True)
    True
    """
    if up:
        return 1 - in_small_terms(1 - value, most)
    most = max(most, 1)
    near = value.limit_denominator(most)
    if near <= value:
        return near
    # the neighbour below among all fractions with such denominators (Farey)
    above, terms = near.numerator, near.denominator
    below = most - (most - pow(above, -1, terms)) % terms
    return Fraction(above * below - 1, below * terms)


def exceeding(
    parts: NDArray[np.int64], wholes: NDArray[np.int64], bound: Fraction
) -> NDArray[np.bool_]:
    """Tell which parts are more than ``bound``, from 0 to 1, of their wholes, whatever the digits.

    >>> exceeding(np.array([1, 2]), np.array([3, 3]), Fraction(1, 3)).tolist()
    [False, True]
    """
    largest = int(max(parts.max(initial=0), wholes.max(initial=0)))
    bound = in_small_terms(bound, largest)
    if largest * bound.denominator > np.iinfo(np.int64).max:
        # products that no machine word holds are those of Python's own numbers
        parts, wholes = parts.astype(object), wholes.astype(object)
    return np.asarray(parts * bound.denominator > bound.numerator * wholes, dtype=np.bool_)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number, of Python or numpy; a truth value is none.

    >>> is_whole(3), is_whole(True), is_whole(2.5)
    (True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """Return a value of a few letters as it is, and of others what they are.

    >>> shown("two"), shown(10**60), shown(None)
    ("'two'", 'a longer number', 'something of type NoneType')
    """
    # Python itself refuses to write a number of thousands of digits
    if isinstance(value, int) and value.bit_length() > 128:
        return "a longer number"
    plainly = isinstance(value, str | int | float | tuple | list) and len(repr(value)) <= 40
    return repr(value) if plainly else f"something of type {type(value).__name__}"


def plain(value: Any) -> Any:
    """Return a value as JSON writes it: exact numbers as text, also those in a tuple.

    >>> plain((Fraction(1, 2), "age"))
    ['1/2', 'age']
    """
    if isinstance(value, tuple):
        return [plain(entry) for entry in value]
    return str(value) if isinstance(value, Fraction) else value


def written(value: Fraction) -> str:
    """Return a fraction as people write it: in decimals where these end, else as it is.

    >>> written(Fraction(5, 4)), written(Fraction(2)), written(Fraction(1, 3))
    ('1.25', '2', '1/3')
    """
    digits = next((n for n in range(41) if (value * 10**n).denominator == 1), None)
    if digits is None:
        return str(value)
    whole, rest = divmod(abs(value.numerator) * 10**digits // value.denominator, 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}}" if digits else f"{sign}{whole}"
