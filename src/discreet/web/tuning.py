"""The parameters of a method as fields of a page, in words and with limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from math import exp
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from discreet.catalog import Entry, Parameter
from discreet.catalog.syntax import bare, syntax_of
from discreet.core.exact import Exact
from discreet.core.findings import rounded_percent
from discreet.core.guarantee import VOID_EPSILON, WEAK_EPSILON
from discreet.errors import DiscreetError, ParameterError
from discreet.web.projects import stamp

Control: TypeAlias = Literal["whole", "number", "choice", "flag"]

LIMITS: Final[Mapping[str, tuple[str, str, str]]] = {
    "epsilon": ("0.05", "2", "0.05"),
    "k": ("2", "50", "1"),
    "m": ("1", "5", "1"),
    "p": ("1", "5", "1"),
    "known": ("1", "5", "1"),
    "h": ("0.05", "1", "0.05"),
    "c": ("0.05", "1", "0.05"),
    "rho": ("0.05", "1", "0.05"),
    "t": ("0.05", "1", "0.05"),
    "l": ("2", "10", "1"),
    "r_th": ("1", "10", "0.5"),
}
"""Least, most and step of a field; what is beyond is for the command line."""
STRICT: Final = ("strict, much is lost", "lenient")
ENDS: Final[Mapping[str, tuple[str, str]]] = {
    "epsilon": ("hardly anything visible", "little protection"),
    "k": ("lenient", "strict, much is lost"),
    "m": ("attackers know little", "attackers know much"),
    "p": ("attackers know little", "attackers know much"),
    "known": ("attackers know little", "attackers know much"),
    "l": ("lenient", "strict, much is lost"),
    "h": STRICT,
    "c": STRICT,
    "rho": STRICT,
    "t": STRICT,
    "r_th": STRICT,
}
"""What the least and the most of a slider stand for."""
KNOWN: Final = "This holds against anyone who knows up to {value} of a person's items."
SURE: Final = "No secret follows from what is known with a confidence above {share}."
MEANINGS: Final[Mapping[str, str]] = {
    "epsilon": "With or without one person, any result is {times}.",
    "k": "Anyone who looks for a person finds at least {value} who match, or nobody.",
    "m": KNOWN,
    "p": KNOWN,
    "known": KNOWN,
    "h": SURE,
    "c": SURE,
    "rho": SURE,
    "t": (
        "In no class may the distribution of secrets differ from the overall one by more than "
        "{share}."
    ),
    "r_th": "No secret is more than {value} times as likely as in the whole population.",
    "l": "Every class has at least the diversity of {value} different secrets.",
}
"""What a value means, by the name of the parameter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One parameter on the page."""

    parameter: Parameter
    control: Control
    value: str
    limits: tuple[str, str, str] | None = None
    words: str = ""
    """What the value means, in a sentence."""

    @property
    def ends(self) -> tuple[str, str] | None:
        """What the ends of a slider stand for."""
        return ENDS.get(self.parameter.name) if self.limits else None


def fields_of(entry: Entry, values: Mapping[str, str]) -> list[Field]:
    """Return the parameters that a page can ask for, those that must be chosen first."""
    fields = [_field(parameter, values) for parameter in entry.parameters]
    shown = [field for field in fields if field is not None]
    return sorted(shown, key=lambda field: not field.parameter.required)


def _field(parameter: Parameter, values: Mapping[str, str]) -> Field | None:
    kind = bare(parameter.kind)
    control: Control
    if parameter.choices:
        control = "choice"
    elif kind is bool and not parameter.default:
        # a box that is not ticked says nothing, so it cannot take a flag back
        control = "flag"
    elif kind is int:
        control = "whole"
    elif kind == Exact:
        control = "number"
    else:
        return None
    default = parameter.written_default
    value = values.get(parameter.name, "" if default is None else str(default))
    limits = LIMITS.get(parameter.name) if parameter.required else None
    return Field(
        parameter=parameter, control=control, value=value, limits=limits,
        words=in_words(parameter.name, value),
    )  # fmt: skip


def in_words(name: str, value: str) -> str:
    """Say what a value of a well-known parameter means.

    >>> in_words("k", "5")
    'Anyone who looks for a person finds at least 5 who match, or nobody.'
    """
    try:
        number = float(value)
    except ValueError:
        return ""
    times = (
        "without limit" if number > VOID_EPSILON else f"at most {exp(number):.2g} times as likely"
    )
    sentence = MEANINGS.get(name, "").format(
        value=value, share=rounded_percent(number), times=times
    )
    weak = name == "epsilon" and number > WEAK_EPSILON
    return f"{sentence} Above {WEAK_EPSILON} this is next to no protection." if weak else sentence


def fitted(entry: Entry, values: Mapping[str, Any]) -> Any:
    """Make the method from what was typed, refusing what it refuses, under its name on the page."""
    known = {parameter.name: parameter for parameter in entry.parameters}
    try:
        values = {name: text for name, text in values.items() if name in known and text}
        typed = {name: read_value(known[name], text) for name, text in values.items()}
        if absent := [
            name for name, parameter in known.items() if parameter.required and name not in typed
        ]:
            msg = f"`{absent[0]}` must be chosen; give it a value"
            raise ParameterError(msg, parameter=absent[0])
        return entry.method(**typed)
    except DiscreetError as error:
        # a page knows a parameter by its name, a terminal by its option
        raise type(error)(error.message(lambda name: name), parameter=error.parameter) from None


def read_value(parameter: Parameter, text: Any) -> Any:
    """Read what was typed for a parameter; a file is read again only when it was written again."""
    if bare(parameter.kind) is bool:
        return text == "True"
    named = [item.rpartition("=")[2] for item in ([text] if isinstance(text, str) else text)]
    files = tuple(stamp(Path(name)) for name in named if Path(name).is_file())
    if not files:
        return parameter.read(text)
    typed = text if isinstance(text, str) else tuple(text)
    return _read_files(parameter.kind, parameter.name, typed, files)


@lru_cache(maxsize=32)
def _read_files(kind: Any, name: str, text: str | tuple[str, ...], _files: Any) -> Any:
    read = partial(syntax_of(kind).read, name)
    return read(text) if isinstance(text, str) else tuple(map(read, text))
