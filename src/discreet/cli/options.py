"""Commands whose options are the fields of dataclasses: the words under a field are its help."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from discreet.cli.faults import all_out_of_range, faults_of, misread, one_error
from discreet.cli.listing import definitions
from discreet.errors import DiscreetError, ParameterError

if TYPE_CHECKING:
    from discreet.catalog import Parameter

T = TypeVar("T")
Sections = Mapping[str, type[Any]]
"""Headings of a help text, each with the dataclass whose fields are the options below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """An attack that needs to know nothing."""


class _Sectioned(click.Command):
    """A command whose help lists its options under headings, and whose refusals name options."""

    def __init__(
        self,
        name: str,
        *,
        sections: Mapping[str, list[click.Option]],
        parameters: Mapping[str, "Parameter"],
        **settings: Any,
    ):
        super().__init__(name, **settings)
        self.sections = sections
        self.parameters = parameters

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; where several things are wrong, all of them are told."""
        typed = list(args)
        try:
            left = super().parse_args(ctx, args)
        except click.UsageError:
            faults = faults_of(self, ctx, typed, self.parameters, self.spell)
            if len(faults) < 2:
                raise
            raise one_error(ctx, faults) from None
        values = ctx.params.items()
        faults = [fault for name, value in values for fault in self._misread(name, value)]
        # a single one is told by whoever reads the value
        if len(faults) > 1 and not ctx.resilient_parsing:
            raise one_error(ctx, faults)
        return left

    def _misread(self, name: str, value: Any) -> list[str]:
        return misread(self.parameters.get(name), value, self.spell)

    def invoke(self, ctx: click.Context) -> Any:
        """Run; below, a field has the name it has in Python, and here that of its option."""
        try:
            return super().invoke(ctx)
        except DiscreetError as error:
            raise type(error)(error.message(self.spell), parameter=error.parameter) from error

    def spell(self, field: str) -> str:
        """Return the option that stands for a field here, or the field where none does."""
        typed = (option for option in self.params if isinstance(option, click.Option))
        return {option.name: option.opts[0] for option in typed}.get(field, field)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed: dict[str, list[click.Parameter]] = {
            heading: list(options) for heading, options in self.sections.items()
        }
        known = [option for options in listed.values() for option in options]
        listed["Options"] = [
            option
            for option in self.get_params(ctx)
            if option not in known and isinstance(option, click.Option)
        ]
        for heading, options in listed.items():
            rows = [row for option in options if (row := option.get_help_record(ctx))]
            if rows:
                with formatter.section(heading):
                    definitions(formatter, rows)


def command(
    name: str,
    run: Callable[..., int],
    *,
    arguments: list[click.Parameter],
    sections: Sections,
    about: str,
    short: str | None = None,
) -> click.Command:
    """Make a command from dataclasses; ``run`` gets what was typed and returns the exit code."""
    from discreet.catalog import parameters_of

    options = _fresh({heading: _options_of(kind) for heading, kind in sections.items()})
    machine = click.Option(
        ["--json", "json"], is_flag=True, help="Print the result for machines, as JSON."
    )
    flat = [option for group in options.values() for option in group]
    return _Sectioned(
        name,
        sections=options,
        parameters={
            field.name: field
            for kind in [*sections.values()][::-1]
            for field in parameters_of(kind)
        },
        params=[*arguments, *flat, machine],
        callback=run,
        help=about,
        short_help=short,
    )


def _fresh(sections: Mapping[str, list[click.Option]]) -> dict[str, list[click.Option]]:
    """Leave out an option that an earlier section has: what is typed for it counts for both."""
    seen: set[str | None] = set()
    fresh: dict[str, list[click.Option]] = {}
    for heading, options in sections.items():
        fresh[heading] = [option for option in options if option.name not in seen]
        seen.update(option.name for option in options)
    return fresh


def _options_of(kind: type[Any]) -> list[click.Option]:
    from discreet.catalog import parameters_of

    return [
        click.Option(
            [field.typed, field.name],
            required=field.required,
            multiple=field.syntax.repeated,
            is_flag=field.syntax.flag or None,
            type=click.Choice(field.choices) if field.choices else None,
            metavar=field.usage or None,
            help=_help(field),
            **({"default": True} if field.negation else {}),
        )
        # what must be chosen, such as what is promised, comes first
        for field in sorted(parameters_of(kind), key=lambda field: not field.required)
    ]


def _help(field: "Parameter") -> str:
    meaning, default = field.meaning, field.shown_default
    # a default of None or False is no choice that a person could have typed
    return meaning if default is None or default is False else f"{meaning} [default: {default}]"


def filled(kind: type[T], typed: Mapping[str, Any]) -> T:
    """Make an instance of ``kind`` from what was typed; the rest is left to its defaults."""
    from discreet.catalog import parameters_of

    fields = {field.name: field for field in parameters_of(kind)}
    typed_fields = [field for field in fields.values() if field.chooses(typed[field.name])]
    values = {field.name: field.read(typed[field.name]) for field in typed_fields}
    try:
        return kind(**values)
    except ParameterError as error:
        raise all_out_of_range(kind, fields, values, error) from error


def readings(heading: str, nouns: Iterable[type[Any]] = ()) -> Sections:
    """Return sections for reading private data of these kinds, by default of every kind."""
    from discreet.catalog import NOUNS
    from discreet.core.release import Release

    chosen = [noun for noun in nouns or NOUNS if noun is not Release]
    if len(chosen) == 1:
        return {heading: NOUNS[chosen[0]]}
    return {f"{heading}: {NOUNS[noun].called}": NOUNS[noun] for noun in chosen}
