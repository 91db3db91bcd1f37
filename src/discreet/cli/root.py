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
    "demo": "See the whole workflow on built-in example data, in seconds.",
    "methods": "List all methods, or explain one with its parameters.",
    "profile": "Summarise data, and measure the risk of releasing them unprotected.",
    "publish": "Publish data with a method.",
    "verify": "Check the promises of a release, independently of its method.",
    "attack": "Attack releases as an outsider could.",
    "measure": "Measure how much of the original data a release preserves.",
    "audit": "Verify, attack and measure a release, and report it on one page.",
    "certify": "Sign a dated certificate of a release and its audit.",
    "compare": "Compare methods, parameters and seeds against every attack.",
    "audit-mechanism": "Test empirically whether a method keeps its epsilon.",
    "reproduce": "Measure a paper's figures again, next to its printed values.",
    "series": "Make, publish and attack a series of releases over time.",
    "hierarchy": "Build, show, check or convert a generalisation hierarchy.",
    "reconstruct": "Draw one possible original of a disassociated release.",
    "transactions": "Turn documents or queries into sets of nouns and noun phrases.",
    "corpus": "Index texts for the semantic attack.",
    "advise": "Propose parameters from public facts only.",
    "ledger": "Show and manage the privacy budgets of populations.",
    "shelf": "List the releases of a population and what they promise together.",
    "keygen": "Make a pair of keys for signing certificates.",
    "serve": "Open the workbench: from a file to a signed release, in a browser.",
    "doctor": "Check this installation.",
    "completion": "Print a script for completion in your shell.",
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
discreet publishes sets (baskets, clicks, diagnoses, places: one set for each person)
without exposing people, and attacks every release before anyone else can.

Where to begin:
  discreet demo                     see the whole workflow on built-in data, in seconds
  discreet serve --example          the workbench in a browser, on made-up data
  discreet profile baskets.csv      how exposed people would be if your data went out as they are
  discreet methods                  all methods, and when to use which
  discreet publish counts baskets.csv --universe items.txt --epsilon 1 --out release
  discreet audit release --against baskets.csv --out audit.html

A file of sets can be a csv with the columns id and item (a row for each item of a person), or one
of several other formats: see discreet publish METHOD --help. All commands: discreet --help."""
"""What is shown where only the name of the program is typed."""


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

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        """Run and exit."""
        try:
            code = super().main(*args, **settings | {"standalone_mode": False})
        except click.Abort:
            code = _said("interrupted; no release was left half written", INTERRUPTED)
        except click.UsageError as error:
            code = _said(_usage(error), WRONG)
        except InfeasibleError as error:
            code = _said(str(error), NO)
        except DiscreetError as error:
            code = _said(str(error), WRONG)
        except OSError as error:
            where = f"{Path(error.filename).name}: " if error.filename else ""
            code = _said(f"{where}{error.strerror}", WRONG)
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
    help=(
        "Publish set-valued data without exposing people, and attack every release before others "
        "can."
    ),
    epilog=(
        "Exit codes: 0 success, 1 the answer is no, 2 wrong usage or bad data, 3 cannot be "
        "checked from the file."
    ),
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
    with warming.announced():
        root.main(prog_name="discreet")
