"""A group that knows what it offers before it loads any of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import click

from discreet.cli.examples import with_example
from discreet.errors import ParameterError

COLUMN: Final = 30
"""Most characters of a name before what is said of it begins on the next line."""


def definitions(formatter: click.HelpFormatter, rows: Sequence[tuple[str, str]]) -> None:
    """Write names and what they mean; a narrow terminal leaves two thirds to the meaning."""
    formatter.write_dl(rows, col_max=min(COLUMN, formatter.width // 3))


class Listing(click.Group):
    """Commands by name, each with one line about it, built only when it is called."""

    def __init__(
        self,
        name: str,
        *,
        offered: Callable[[], Mapping[str, str]],
        build: Callable[[str], click.Command],
        kind: str | None = None,
        groups: Callable[[], Mapping[str, Sequence[str]]] | None = None,
        options_metavar: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(name, options_metavar=options_metavar, **settings)
        self.offered = offered
        self.build = build
        self.kind = kind
        self.groups = groups

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's)
        """Return the names, in the order in which they are offered."""
        return list(self.offered())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Build the command, or say which name comes nearest."""
        try:
            self._refuse_unknown(cmd_name)
            built = self.build(cmd_name)
        except ParameterError as error:
            if ctx.resilient_parsing:
                return None
            raise click.UsageError(str(error), ctx) from None
        return with_example(built, f"{ctx.command_path} {cmd_name}")

    def _refuse_unknown(self, name: str) -> None:
        """Refuse a name that is not offered; without a ``kind`` whoever builds looks it up."""
        if self.kind is not None and name not in self.offered():
            from discreet.catalog import unknown

            raise unknown(self.kind, name, self.offered())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Show the help to whoever types nothing further."""
        # a shell that completes asks about what is not yet typed
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 (click's)
        formatter: click.HelpFormatter,
    ) -> None:
        """List what is offered, each with its whole line, group by group."""
        for heading, names in self._grouped():
            with formatter.section(heading):
                definitions(formatter, names)

    def _grouped(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield headings with names and lines; what no group has comes last."""
        offered = dict(self.offered())
        # the same column for all groups
        width = max(map(len, offered), default=0)
        for heading, names in (self.groups() if self.groups else {}).items():
            listed = [(f"{name:<{width}}", offered.pop(name)) for name in names if name in offered]
            if listed:
                yield heading, listed
        if offered:
            # COMMAND [ARGS]... stands over Commands, METHOD DATA ... over Methods
            noun = self.subcommand_metavar.split()[0].strip("[]").title()
            heading = f"Other {noun.lower()}s" if self.groups else f"{noun}s"
            yield heading, [(f"{name:<{width}}", line) for name, line in offered.items()]
