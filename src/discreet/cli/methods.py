"""``discreet methods``: what is on offer, from the catalog."""

import inspect

import click

from discreet.catalog import Entry, Parameter, entries, find
from discreet.cli import show

__all__ = ["methods"]


@click.command(short_help="What is on offer; parameters with their meaning.")
@click.argument("name", required=False)
@click.option("--json", is_flag=True, help="Print the result for machines, as JSON.")
def methods(name: str | None, *, json: bool) -> int:
    """Show what is on offer, or all about the method NAME."""
    if name is None:
        _list(json=json)
    elif json:
        show.as_json(find(name).record())
    else:
        _tell(find(name))
    return 0


def _list(*, json: bool) -> None:
    if json:
        show.as_json([entry.record() for entry in entries()])
        return
    rows = [(entry.name, entry.kind, entry.summary) for entry in entries()]
    show.table(("name", "kind", "what it does"), rows)


def _tell(entry: Entry) -> None:
    verb = {"publisher": "publish", "attack": "attack"}[entry.kind]
    content = " or ".join(kind.__name__ for kind in entry.contents) or "any content"
    reads = f"reads {entry.data.__name__}" if entry.kind == "publisher" else "attacks releases"
    show.lines(f"{entry.name}: {entry.summary}", "")
    show.lines(*inspect.cleandoc(entry.method.__doc__ or "").splitlines()[2:])
    show.heading(f"{reads} of {content}" if entry.kind == "attack" else f"{reads}, makes {content}")
    _parameters("parameters", entry.parameters)
    _parameters("what may be known", entry.facts)
    show.lines("", f"discreet {verb} {entry.name} --help shows how it is called.")


def _parameters(title: str, parameters: tuple[Parameter, ...]) -> None:
    if parameters:
        show.heading(title)
        show.table(("option", "meaning", "default"), [_row(part) for part in parameters])


def _row(part: Parameter) -> tuple[str, str, str]:
    default = part.written_default
    chosen = "must be chosen" if part.required else "-" if default is None else str(default)
    return f"{part.option} {part.usage}".rstrip(), part.meaning, chosen
