"""Everything that is wrong with a call, told at once."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import click

from discreet.errors import DiscreetError, ParameterError

if TYPE_CHECKING:
    from discreet.catalog import Parameter

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
    numbered = " ".join(f"({number}) {fault}" for number, fault in enumerate(faults, start=1))
    return f"{len(faults)} things are wrong: {numbered}"


def faults_of(
    command: click.Command,
    ctx: click.Context,
    args: Sequence[str],
    parameters: Mapping[str, "Parameter"],
    spell: Callable[[str], str],
) -> list[str]:
    """Return every fault of a call that can be seen before anything is read, in a sentence each."""
    typed, strange, meant = _without_strangers(command, ctx, args)
    options, arguments, order = command.make_parser(ctx).parse_args(list(typed))
    faults = strange
    for parameter in click.core.iter_params_for_processing(order, command.get_params(ctx)):
        if parameter.is_eager:
            continue
        try:
            value, arguments = parameter.handle_parse_result(ctx, options, arguments)
        except click.MissingParameter as error:
            # an option that is misspelt is told once
            faults += [] if meant.intersection(parameter.opts) else [usage(error)]
        except click.UsageError as error:
            faults.append(usage(error))
        else:
            faults += misread(parameters.get(str(parameter.name)), value, spell)
    return faults


def _without_strangers(
    command: click.Command, ctx: click.Context, args: Sequence[str]
) -> tuple[list[str], list[str], set[str]]:
    """Return the words that the command knows, what it does not know, and what may be meant."""
    left, strange, meant = list(args), [], set[str]()
    while True:
        try:
            command.make_parser(ctx).parse_args(list(left))
        except click.NoSuchOption as error:
            strange.append(usage(error))
            meant.update(error.possibilities or ())
            left = list(_without(left, error.option_name))
        else:
            return left, strange, meant


def _without(args: Sequence[str], option: str) -> Iterator[str]:
    """Yield the words but an option and what looks like its value."""
    skip = False
    for arg in args:
        if arg.partition("=")[0] == option:
            skip = "=" not in arg
        elif skip and not arg.startswith("-"):
            skip = False
        else:
            skip = False
            yield arg


def misread(parameter: "Parameter | None", value: Any, spell: Callable[[str], str]) -> list[str]:
    """Return what is wrong with a value that was typed, where no file need be opened to see it."""
    typed = isinstance(value, str) or (isinstance(value, tuple) and len(value) > 0)
    if parameter is None or parameter.syntax.opens_file or not typed:
        return []
    try:
        parameter.read(value)
    except DiscreetError as error:
        return [f"{error.message(spell)}."]
    return []


def all_out_of_range(
    kind: Callable[..., Any],
    parameters: Mapping[str, "Parameter"],
    values: Mapping[str, Any],
    first: ParameterError,
) -> ParameterError:
    """Return an error that tells ``first`` and every other value that is out of its own range.

    The value that was refused gives way to one that is allowed, and the next refusal is heard.
    """
    faults, tried = [first], dict(values)
    while following := _next_fault(kind, parameters, tried, faults):
        faults.append(following)
    if len(faults) == 1:
        return first
    message = _together([f"{fault.args[0]}." for fault in faults])
    return ParameterError(message, parameter=first.parameter)


def _next_fault(
    kind: Callable[..., Any],
    parameters: Mapping[str, "Parameter"],
    tried: dict[str, Any],
    faults: Sequence[ParameterError],
) -> ParameterError | None:
    """Return the fault that comes to light with another value for the one at fault last."""
    name, known = str(faults[-1].parameter), {fault.parameter for fault in faults}
    for value in _stand_ins(parameters.get(name)):
        try:
            kind(**tried | {name: value})
        except ParameterError as error:
            if error.parameter in tried and error.parameter not in known and _stands_alone(error):
                tried[name] = value
                return error
        except DiscreetError:
            continue
        else:
            return None
    return None


def _stand_ins(parameter: "Parameter | None") -> Iterator[Any]:
    for typed in STAND_INS if parameter and not parameter.syntax.opens_file else ():
        with suppress(DiscreetError):
            yield parameter.read((typed,) if parameter.syntax.repeated else typed)  # type: ignore[union-attr]


def _stands_alone(error: ParameterError) -> bool:
    """Tell whether an error is about one value, and not about how it goes with another."""
    return set(re.findall(r"`(\w+)`", str(error.args[0]))) == {error.parameter}
