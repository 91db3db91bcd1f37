"""Everything that is wrong with a call, told at once."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import click

from discreet.errors import DiscreetError, ParameterError

if TYPE_CHECKING:
    from discreet.catalog import Parameter

__all__ = ["all_out_of_range", "faults_of", "misread", "one_error", "usage"]

STAND_INS: Final = ("1", "2", "5", "10", "100", "0.5", "0.1", "0.9")
"""Values, one of which most parameters of a method allow."""


def usage(error: click.UsageError) -> str:
    """Return what is wrong with a call, and what an option that is missing means."""
    option = getattr(error, "param", None)
    meaning = getattr(option, "help", None) if isinstance(error, click.MissingParameter) else None
    return f"{error.format_message()}{f' {meaning}' if meaning else ''}"


def one_error(ctx: click.Context, faults: Sequence[str]) -> click.UsageError:
    """Return the error that tells all faults."""
    return click.UsageError(_together(faults), ctx)


def _together(faults: Sequence[str]) -> str:
    told = " ".join(f"({number}) {fault}" for number, fault in enumerate(faults, start=1))
    return f"{len(faults)} things are wrong: {told}"


def faults_of(
    command: click.Command,
    ctx: click.Context,
    words: Sequence[str],
    parts: Mapping[str, "Parameter"],
    spell: Callable[[str], str],
) -> list[str]:
    """Return every fault of a call that can be seen before anything is read, in a sentence each."""
    typed, strange, meant = _without_strangers(command, ctx, words)
    options, rest, order = command.make_parser(ctx).parse_args(list(typed))
    faults = strange
    for part in click.core.iter_params_for_processing(order, command.get_params(ctx)):
        if part.is_eager:
            continue
        try:
            value, rest = part.handle_parse_result(ctx, options, rest)
        except click.MissingParameter as error:
            # an option that is misspelt is told once
            faults += [] if meant.intersection(part.opts) else [usage(error)]
        except click.UsageError as error:
            faults.append(usage(error))
        else:
            faults += misread(parts.get(str(part.name)), value, spell)
    return faults


def _without_strangers(
    command: click.Command, ctx: click.Context, words: Sequence[str]
) -> tuple[list[str], list[str], set[str]]:
    """Return the words that the command knows, what it does not know, and what may be meant."""
    left, strange, meant = list(words), [], set[str]()
    while True:
        try:
            command.make_parser(ctx).parse_args(list(left))
        except click.NoSuchOption as error:
            strange.append(usage(error))
            meant.update(error.possibilities or ())
            left = list(_without(left, error.option_name))
        else:
            return left, strange, meant


def _without(words: Sequence[str], option: str) -> Iterator[str]:
    """Yield the words but an option and what looks like its value."""
    skip = False
    for word in words:
        if word.partition("=")[0] == option:
            skip = "=" not in word
        elif skip and not word.startswith("-"):
            skip = False
        else:
            skip = False
            yield word


def misread(part: "Parameter | None", value: Any, spell: Callable[[str], str]) -> list[str]:
    """Return what is wrong with a value that was typed, where no file need be opened to see it."""
    typed = isinstance(value, str) or (isinstance(value, tuple) and len(value) > 0)
    if part is None or part.syntax.opens_file or not typed:
        return []
    try:
        part.read(value)
    except DiscreetError as error:
        return [f"{error.said(spell)}."]
    return []


def all_out_of_range(
    kind: Callable[..., Any],
    parts: Mapping[str, "Parameter"],
    values: Mapping[str, Any],
    first: ParameterError,
) -> ParameterError:
    """Return an error that tells ``first`` and every other value that is out of its own range.

    The value that was refused gives way to one that is allowed, and the next refusal is heard.
    """
    faults, tried = [first], dict(values)
    while following := _next_fault(kind, parts, tried, faults):
        faults.append(following)
    if len(faults) == 1:
        return first
    told = _together([f"{fault.args[0]}." for fault in faults])
    return ParameterError(told, parameter=first.parameter)


def _next_fault(
    kind: Callable[..., Any],
    parts: Mapping[str, "Parameter"],
    tried: dict[str, Any],
    faults: Sequence[ParameterError],
) -> ParameterError | None:
    """Return the fault that comes to light with another value for the one at fault last."""
    name, told = str(faults[-1].parameter), {fault.parameter for fault in faults}
    for value in _stand_ins(parts.get(name)):
        try:
            kind(**tried | {name: value})
        except ParameterError as error:
            if error.parameter in tried and error.parameter not in told and _stands_alone(error):
                tried[name] = value
                return error
        except DiscreetError:
            continue
        else:
            return None
    return None


def _stand_ins(part: "Parameter | None") -> Iterator[Any]:
    for typed in STAND_INS if part and not part.syntax.opens_file else ():
        with suppress(DiscreetError):
            yield part.read((typed,) if part.syntax.repeated else typed)  # type: ignore[union-attr]


def _stands_alone(error: ParameterError) -> bool:
    """Tell whether an error is about one value, and not about how it goes with another."""
    return set(re.findall(r"`(\w+)`", str(error.args[0]))) == {error.parameter}
