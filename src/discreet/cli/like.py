"""``discreet publish --like FILE DATA``: other data, by the choices of an earlier publication."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from discreet.catalog import Choices
from discreet.catalog.choices import series_parameter
from discreet.cli.listing import Listing

LIKE: Final = "--like"
"""What is typed before a file of choices."""


class LikeBefore(Listing):
    """The methods; where ``--like FILE`` is typed, the method and the rest are those of a file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the choices of a file in front of what is typed, which counts where both speak."""
        if ctx.resilient_parsing or not _values(args, LIKE):
            return super().parse_args(ctx, args)
        file, typed = _taken(ctx, args)
        chosen = Choices.read(file)
        if typed and typed[0] in self.offered():
            named = typed.pop(0)
            if named != chosen.method:
                msg = f"{Path(file).name} holds choices for {chosen.method}, not for {named}"
                raise click.UsageError(msg, ctx)
        if not {"--help", "-h"} & set(typed):
            _refuse_alone(ctx, chosen, typed)
        options = [arg.partition("=")[0] for arg in typed if arg.startswith("--")]
        # the files are laid out where only this user can look, and go when the command ends
        folder = Path(ctx.with_resource(TemporaryDirectory(prefix="discreet-")))
        return super().parse_args(ctx, [chosen.method, *chosen.words(folder, options), *typed])


def _values(args: Sequence[str], option: str) -> list[str | None]:
    """Return what is typed after an option, each time; None where nothing is."""
    return list(_each_value(args, option))


def _each_value(args: Sequence[str], option: str) -> Iterator[str | None]:
    for index, arg in enumerate(args):
        name, equals, value = arg.partition("=")
        if name == option:
            following = args[index + 1] if index + 1 < len(args) else None
            yield value if equals else following


def _taken(ctx: click.Context, args: Sequence[str]) -> tuple[str, list[str]]:
    """Return the file after ``--like``, and the words without both."""
    files = _values(args, LIKE)
    if len(files) > 1 or not files[0]:
        raise click.UsageError(f"{LIKE} takes one file, which publish --save-choices wrote", ctx)
    index = next(index for index, arg in enumerate(args) if arg.partition("=")[0] == LIKE)
    remaining = [*args[:index], *args[index + (1 if "=" in args[index] else 2) :]]
    return files[0], remaining


def _refuse_alone(ctx: click.Context, chosen: Choices, args: Sequence[str]) -> None:
    """Refuse a further release of a series that does not say what went out before."""
    parameter = series_parameter(chosen.entry)
    if parameter is None or "people" in chosen.about or _values(args, "--people"):
        return
    if any(value and Path(value).exists() for value in _values(args, parameter.option)):
        return
    msg = (
        f"a further release of {chosen.method} goes on from what went out before: name that with "
        f"{parameter.option}, or the population with --people"
    )
    raise click.UsageError(msg, ctx)
