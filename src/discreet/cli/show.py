"""Printing: results on standard output, words, warnings and progress on standard error."""

import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

WIDTH = 100
"""Columns of a printed table where standard output is no terminal and COLUMNS is not set."""
NARROWEST = 40
"""Columns that a table takes even where there are fewer."""
MOST_ITEMS = 8
"""Items of a set shown in one cell of a table."""


json_option = click.option("--json", is_flag=True, help="Print the result for machines, as JSON.")
"""What every command offers."""


def as_json(record: Any) -> None:
    """Print a machine-readable result."""
    click.echo(json_text(record))


def json_text(record: Any) -> str:
    """Return a result as machines read it."""
    return json.dumps(_plain(record), indent=2, allow_nan=False)


def _plain(value: Any) -> Any:
    """Return ``value`` as JSON knows it: no fraction, path or numpy, and no number but finite."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Fraction | Path):
        return str(value)
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def lines(*texts: str) -> None:
    """Print lines of words for people."""
    for text in texts:
        click.echo(printable(text))


def heading(text: str) -> None:
    """Print a heading for people."""
    click.echo()
    click.secho(printable(text), bold=True)


def facts(record: Mapping[str, Any]) -> None:
    """Print names and values, one pair a line; what is nested moves in."""
    table((), list(flat(record)))


def record(content: Mapping[str, Any], *, json: bool) -> int:
    """Print what was found, for machines or for people; return that all went well."""
    (as_json if json else facts)(content)
    return 0


def result(record: Mapping[str, Any], *texts: str, json: bool) -> int:
    """Print a result, the record for machines or lines for people; return that all went well."""
    if json:
        as_json(record)
    else:
        lines(*texts)
    return 0


def flat(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and values as they are printed, nested ones after the name above them."""
    from discreet.report.page import flat as flattened

    return [(name, _shown(value)) for name, value in flattened(record)]


def _shown(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def items(names: Sequence[str]) -> str:
    """Return a set of items as one cell shows it.

    >>> items(["beer", "bread"]), items([])
    ('beer, bread', '(nothing)')
    """
    unshown = len(names) - MOST_ITEMS
    shown = ", ".join(names[:MOST_ITEMS]) or "(nothing)"
    return f"{shown} and {unshown} more" if unshown > 0 else shown


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table for people."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # rich draws, click prints: a broken pipe and the encoding are then handled in one place
    console = Console(width=_width(), color_system=None, highlight=False, legacy_windows=False)
    grid = Table(box=None, show_header=bool(headings), pad_edge=False, padding=(0, 2, 0, 0))
    for name in headings or ("", ""):
        grid.add_column(name, overflow="fold")
    for row in rows:
        # an item's name is anybody's text: neither markup nor a terminal's control codes
        grid.add_row(*(Text(printable(cell)) for cell in row))
    with console.capture() as drawn:
        console.print(grid)
    for line in drawn.get().splitlines():
        click.echo(line.rstrip())


def prose(text: str) -> None:
    """Print paragraphs for people, as wide as tables are."""
    click.echo(click.wrap_text(text, _width(), preserve_paragraphs=True))


def _width() -> int:
    watched = sys.stdout.isatty() or "COLUMNS" in os.environ
    return max(shutil.get_terminal_size((WIDTH, 0)).columns, NARROWEST) if watched else WIDTH


def printable(text: str) -> str:
    r"""Return ``text`` without characters that could steer a terminal.

    >>> printable("\x1b[2Jbread")
    '\\x1b[2Jbread'
    """
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in text
    )


def warn(text: str) -> None:
    """Warn the person at the terminal."""
    click.secho(f"warning: {printable(text)}", err=True, fg="yellow")


def loud(text: str) -> None:
    """Warn in a way that is not overlooked."""
    rule = "!" * 78
    click.secho(f"{rule}\nWARNING: {printable(text)}\n{rule}", err=True, fg="red", bold=True)


@contextmanager
def counting(name: str, unit: str = "") -> Iterator[Callable[[int, int], None]]:
    """Show how many parts are done: a bar where a person watches, else a line now and then."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(name, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
        return
    last = -1

    def say(done: int, total: int) -> None:
        nonlocal last
        tenths = 10 * done // max(total, 1)
        if tenths > last:
            last = tenths
            click.echo(f"{name}: {done} of {total} {unit}".rstrip(), err=True)

    yield say


def working(text: str) -> AbstractContextManager[Any]:
    """Show that work goes on, where a person watches."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(printable(text)))
