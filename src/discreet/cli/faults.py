"""Everything that is wrong with a call, told at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from discreet.errors import DiscreetError

if TYPE_CHECKING:
    from discreet.catalog import Parameter

__all__ = ["faults_of", "misread", "one_error", "usage"]


def usage(error: click.UsageError) -> str:
    """Return what is wrong with a call, and what an option that is missing means."""
    option = getattr(error, "param", None)
    meaning = getattr(option, "help", None) if isinstance(error, click.MissingParameter) else None
    return f"{error.format_message()}{f' {meaning}' if meaning else ''}"


def one_error(ctx: click.Context, faults: Sequence[str]) -> click.UsageError:
    """Return the error that tells all faults."""
    told = " ".join(f"({number}) {fault}" for number, fault in enumerate(faults, start=1))
    return click.UsageError(f"{len(faults)} things are wrong: {told}", ctx)


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
