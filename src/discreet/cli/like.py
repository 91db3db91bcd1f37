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
        file, rest = _taken(ctx, args)
        chosen = Choices.read(file)
        if rest and rest[0] in self.offered():
            named = rest.pop(0)
            if named != chosen.method:
                msg = f"{Path(file).name} holds choices for {chosen.method}, not for {named}"
                raise click.UsageError(msg, ctx)
        if not {"--help", "-h"} & set(rest):
            _refuse_alone(ctx, chosen, rest)
        given = [word.partition("=")[0] for word in rest if word.startswith("--")]
        # the files are laid out where only this user can look, and go when the command ends
        folder = Path(ctx.with_resource(TemporaryDirectory(prefix="discreet-")))
        return super().parse_args(ctx, [chosen.method, *chosen.words(folder, given), *rest])


def _values(words: Sequence[str], option: str) -> list[str | None]:
    """Return what is typed after an option, each time; None where nothing is."""
    return list(_each_value(words, option))


def _each_value(words: Sequence[str], option: str) -> Iterator[str | None]:
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == option:
            following = words[index + 1] if index + 1 < len(words) else None
            yield value if equals else following


def _taken(ctx: click.Context, args: Sequence[str]) -> tuple[str, list[str]]:
    """Return the file after ``--like``, and the words without both."""
    files = _values(args, LIKE)
    if len(files) > 1 or not files[0]:
        raise click.UsageError(f"{LIKE} takes one file, which publish --save-choices wrote", ctx)
    index = next(index for index, word in enumerate(args) if word.partition("=")[0] == LIKE)
    rest = [*args[:index], *args[index + (1 if "=" in args[index] else 2) :]]
    return files[0], rest


def _refuse_alone(ctx: click.Context, chosen: Choices, words: Sequence[str]) -> None:
    """Refuse a further release of a series that does not say what went out before."""
    parameter = series_parameter(chosen.entry)
    if parameter is None or "people" in chosen.about or _values(words, "--people"):
        return
    if any(value and Path(value).exists() for value in _values(words, parameter.option)):
        return
    msg = (
        f"a further release of {chosen.method} goes on from what went out before: name that with "
        f"{parameter.option}, or the population with --people"
    )
    raise click.UsageError(msg, ctx)
