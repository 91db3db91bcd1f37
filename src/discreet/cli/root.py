"""The command ``discreet``: which commands there are, and how each of them can end."""

import io
import os
import signal
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from discreet.cli import warming
from discreet.cli.faults import usage
from discreet.cli.listing import Listing
from discreet.errors import DiscreetError, InfeasibleError

COMMANDS: Final = {
    "demo": "The main job, on built-in example data, in seconds.",
    "methods": "What is on offer; parameters with their meaning.",
    "profile": "What is in the data, and how attackable they are as they stand.",
    "publish": "Publish data by a method.",
    "verify": "Check what a release promises.",
    "attack": "Attack releases, as an outsider could.",
    "measure": "How much of the data a release keeps.",
    "audit": "Everything that can be said about a release, on one page.",
    "certify": "A dated certificate of a release and its audit, signed.",
    "compare": "Methods, parameters and seeds against every attack, as a table and a page.",
    "audit-mechanism": "Whether a method keeps its epsilon, tried out.",
    "reproduce": "A paper's figures on its real data, its values beside ours.",
    "series": "Corpora over time: make them, publish them one after the other, attack them.",
    "hierarchy": "Build, show or check a hierarchy of generalisation.",
    "reconstruct": "A data set that could be behind a disassociated release, drawn at random.",
    "transactions": "Text to sets: nouns and noun phrases of documents or queries.",
    "corpus": "Index texts, so that an attack can ask how words go together.",
    "advise": "Parameters from public facts only, and what to expect of them.",
    "ledger": "Budgets and spends of populations.",
    "shelf": "The releases of a population, and what they promise together.",
    "keygen": "A pair of keys to sign certificates with.",
    "serve": "The workbench: from a file to a signed release, in a browser.",
    "doctor": "Check this installation.",
    "completion": "What a shell needs to complete commands and options.",
}
"""Each command with one line about it; ``discreet.cli.NAME`` holds the command NAME."""
ELSEWHERE: Final = {"serve": "discreet.web.serve"}
"""Commands that are held in another room."""

NO, WRONG, INTERRUPTED, BROKEN_PIPE, FAULT = 1, 2, 130, 141, 70
"""Exit codes beside 0, done, and 3, cannot be checked."""


def _build(name: str) -> click.Command:
    module = name.replace("-", "_")
    module_path = ELSEWHERE.get(name, f"discreet.cli.{module}")
    command: click.Command = getattr(import_module(module_path), module)
    return command


BEGINNING: Final = """\
discreet publishes sets (baskets, clicks, diagnoses, places: one person, one set) without giving
people away, and attacks every release before anyone else can.

Where to begin:
  discreet demo                         see the whole job on built-in data, in seconds
  discreet profile baskets.csv          how attackable your data are as they stand
  discreet methods                      what is on offer, and what each method needs
  discreet publish apl-killer baskets.csv --universe items.txt --epsilon 1 --out release
  discreet audit release --against baskets.csv --out audit.html

A file of sets may be a csv with the columns id and item, one line a basket, and more: see
discreet publish METHOD --help. All commands: discreet --help."""
"""What is shown to whoever types nothing further."""


class _Root(Listing):
    """The group at the top, which turns every way to fail into a sentence and an exit code."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Show where to begin to whoever types nothing further."""
        # a shell that completes asks about what is not yet typed
        if not args and not ctx.resilient_parsing:
            click.echo(BEGINNING)
            ctx.exit(0)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader who has seen enough is no error."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # what is still buffered must not fail again when Python ends
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE
        return code

    def main(self, *args: Any, **rest: Any) -> NoReturn:
        """Run and exit."""
        try:
            code = super().main(*args, **rest | {"standalone_mode": False})
        except click.Abort:
            code = _said("interrupted; no release was left half written", INTERRUPTED)
        except click.UsageError as error:
            code = _said(_usage(error), WRONG)
        except InfeasibleError as error:
            code = _said(str(error), NO)
        except DiscreetError as error:
            code = _said(str(error), WRONG)
        except OSError as error:
            code = _said(f"{Path(error.filename or '').name}: {error.strerror}", WRONG)
        except MemoryError:
            code = _said("this needs more memory than there is", WRONG)
        except Exception:  # noqa: BLE001 (a fault must not look like the answer no, which is 1)
            traceback.print_exc()
            code = _said("this is a fault of discreet itself; please report it", FAULT)
        sys.exit(code)


def _said(sentence: str, code: int) -> int:
    click.echo(f"discreet: {' '.join(sentence.split())}", err=True)
    return code


def _usage(error: click.UsageError) -> str:
    where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
    return f"{usage(error)}{where}"


root = _Root(
    "discreet",
    kind="command",
    offered=lambda: COMMANDS,
    build=_build,
    options_metavar="[OPTIONS]",
    help="Publish set-valued data without giving people away, and attack every release first.",
    epilog="Exit codes: 0 done, 1 the answer is no, 2 wrong call or bad data, 3 cannot be checked.",
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[],
)
click.version_option(package_name="discreet", prog_name="discreet")(root)


def _interrupt_once(*_: object) -> NoReturn:
    """Stop at the first Ctrl-C, and let nothing stop the tidying up after it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt_once)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a name that the terminal cannot show is shown by its code, and is no reason to stop
            stream.reconfigure(errors="backslashreplace")
    with warming.said():
        root.main(prog_name="discreet")
