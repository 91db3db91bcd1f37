"""The fields of a method hold what their annotations say, checked when it is made."""

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from discreet.core.exact import LARGEST, shown
from discreet.errors import ParameterError
from discreet.io.text import normalised

MISFIT = object()
"""What a value becomes that its annotation does not allow."""


def check_fields(method: Any) -> None:
    """Refuse a field whose value its annotation does not allow; called by ``__post_init__``.

    A list stands for a tuple, a mapping for its pairs and a number of numpy's for Python's; texts
    are trimmed and in the Unicode form NFC. No truth value is a number, no text a sequence of
    texts, and an empty tuple will do only where it is the default.
    """
    kinds = _hints(cast("Any", type(method)))
    for field in fields(method):
        kind, value = kinds[field.name], getattr(method, field.name)
        fitted = _fitted(value, kind)
        hollow = isinstance(fitted, tuple) and not fitted and field.default != ()
        if fitted is MISFIT or hollow:
            msg = f"`{field.name}` must be {_words(kind)}, got {shown(value)}"
            raise ParameterError(msg, parameter=field.name)
        if isinstance(fitted, int) and abs(fitted) > LARGEST:
            msg = f"`{field.name}` must be a number up to {LARGEST:,}, got {shown(value)}"
            raise ParameterError(msg, parameter=field.name)
        if fitted is not value:
            object.__setattr__(method, field.name, fitted)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _fitted(value: Any, kind: Any) -> Any:
    """Return ``value`` as a value of ``kind``, or ``MISFIT``."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, NewType):
        return _fitted(value, kind.__supertype__)
    if origin in (Union, UnionType):
        fitting = (_fitted(value, member) for member in arguments)
        return next((result for result in fitting if result is not MISFIT), MISFIT)
    if origin is Literal:
        return value if isinstance(value, str) and value in arguments else MISFIT
    if origin is tuple:
        return _fitted_tuple(value, arguments)
    if origin is not None and issubclass(origin, Mapping):
        return _fitted_mapping(value, arguments)
    return _fitted_plain(value, origin or kind)


def _fitted_mapping(value: Any, arguments: tuple[Any, ...]) -> Any:
    if not isinstance(value, Mapping):
        return MISFIT
    fitted = {
        _fitted(name, arguments[0]): _fitted(_written(entry, arguments[1]), arguments[1])
        for name, entry in value.items()
    }
    if MISFIT in fitted or any(entry is MISFIT for entry in fitted.values()):
        return MISFIT
    return value if fitted == value else fitted


def _written(entry: Any, kind: Any) -> Any:
    """Return a number as the text that a bound of one attribute is written as."""
    is_number = isinstance(entry, int | float | Fraction) and not isinstance(entry, bool)
    return str(entry) if kind is str and is_number else entry


def _fitted_tuple(value: Any, arguments: tuple[Any, ...]) -> Any:
    if isinstance(value, Mapping) and get_origin(arguments[0]) is tuple:
        value = tuple(value.items())
    if not isinstance(value, tuple | list):
        return MISFIT
    kinds = arguments[:1] * len(value) if arguments[-1] is ... else arguments
    if len(kinds) != len(value):
        return MISFIT
    fitted = tuple(_fitted(entry, kind) for entry, kind in zip(value, kinds, strict=True))
    if any(entry is MISFIT for entry in fitted):
        return MISFIT
    same = isinstance(value, tuple) and all(a is b for a, b in zip(fitted, value, strict=True))
    return value if same else fitted


def _fitted_plain(value: Any, kind: Any) -> Any:
    if kind is Any or (kind is None and value is None):
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value) if kind is bool else MISFIT
    if kind is str and isinstance(value, str):
        # as in every file: one name has one spelling; a text of numpy becomes one of Python
        tidy = normalised(value)
        return value if type(value) is str and tidy == value else str(tidy)
    if kind is int and isinstance(value, np.integer):
        return int(value)
    if kind is float and isinstance(value, int | float | np.number):
        return float(value)
    return value if isinstance(value, kind) else MISFIT


NAMES: Mapping[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "True or False",
    Any: "anything",
}


def _words(kind: Any) -> str:
    """Say in words what a kind allows.

    >>> _words(int | None), _words(tuple[str, ...]), _words(Literal["fast", "slow"])
    ('a whole number or None', 'a tuple, each a text', 'one of fast, slow')
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, NewType):
        return _words(kind.__supertype__)
    if origin in (Union, UnionType):
        members = [member for member in arguments if member is not NoneType]
        said = [_words(member) for member in members]
        if {int, float, str} <= set(members):
            said = ["a number such as 1 or 0.25", *(word for word in said if "tuple" in word)]
        return " or ".join([*said, *["None"] * (NoneType in arguments)])
    if origin is Literal:
        return f"one of {', '.join(map(str, arguments))}"
    if origin is tuple:
        inner = dict.fromkeys(_words(argument) for argument in arguments if argument is not ...)
        return f"a tuple, each {', then '.join(inner)}"
    if origin is not None and issubclass(origin, Mapping):
        return f"a mapping of {_words(arguments[0])} to {_words(arguments[1])}"
    plain = origin or kind
    return NAMES.get(plain) or f"a {plain.__name__}"
