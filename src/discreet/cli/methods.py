"""``discreet methods``: what is on offer, from the catalog."""

import inspect
from typing import Final

import click

from discreet.catalog import FAMILIES, NOUNS, Entry, Parameter, entries, find
from discreet.cli import show
from discreet.cli.examples import shown
from discreet.errors import ParameterError

ON_SERVERS: Final = {"interactive-linkage": "Servers of noisy counts: what two answers reveal."}
"""Attacks on no release, which the catalog does not have, and when to use them."""


@click.command(short_help="List all methods, or explain METHOD with its parameters.")
@click.argument("name", required=False)
@show.json_option
def methods(name: str | None, *, json: bool) -> int:
    """Show what is on offer, or all about the method NAME."""
    if name is None:
        _list(json=json)
    elif name in ON_SERVERS:
        msg = f"{name} asks a server and attacks no release; see discreet attack {name} --help"
        raise ParameterError(msg)
    elif json:
        show.as_json(find(name).record())
    else:
        _tell(find(name))
    return 0


def _list(*, json: bool) -> None:
    if json:
        show.as_json([entry.record() for entry in entries()])
        return
    at_hand = {entry.name: entry for entry in entries()}
    for family in FAMILIES:
        show.heading(family.heading)
        for heading, offered in (("publish", family.publishers), ("attack", family.attacks)):
            rows = [(entry.name, at_hand[entry.name].when) for entry in offered]
            show.table((heading, "when to use it"), rows)
    show.heading("Query interfaces, not releases")
    show.table(("attack", "when to use it"), ON_SERVERS.items())
    show.lines("", "discreet methods NAME explains a method, with its options and an example.")


def _tell(entry: Entry) -> None:
    verb = {"publisher": "publish", "attack": "attack"}[entry.kind]
    content = " or ".join(kind.__name__ for kind in entry.contents) or "any content"
    reads = (
        f"reads: {NOUNS[entry.data].__doc__}" if entry.kind == "publisher" else "reads: releases"
    )
    show.prose(f"{entry.name}: {entry.summary}")
    show.prose(f"When to use it: {entry.when}")
    show.lines("")
    show.prose("\n".join(inspect.cleandoc(entry.method.__doc__ or "").splitlines()[2:]))
    package = ".".join(entry.method.__module__.split(".")[:2])
    show.lines(
        "",
        reads,
        f"{'makes' if verb == 'publish' else 'of'}: {content}",
        f"in Python: {package}.{entry.method.__name__}",
    )
    _parameters("parameters", entry.parameters)
    _parameters("what the attacker may know", entry.facts)
    show.heading("example")
    show.lines(*shown(entry.example))
    show.lines("", f"discreet {verb} {entry.name} --help lists how data are read and written.")


def _parameters(title: str, parameters: tuple[Parameter, ...]) -> None:
    if parameters:
        show.heading(title)
        show.table(("option", "meaning", "default"), [_row(parameter) for parameter in parameters])


def _row(parameter: Parameter) -> tuple[str, str, str]:
    default = parameter.shown_default
    chosen = "must be chosen" if parameter.required else "-" if default is None else str(default)
    return f"{parameter.typed} {parameter.usage}".rstrip(), parameter.meaning, chosen
