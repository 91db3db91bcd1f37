"""Compiling: said when it happens, and done ahead of time for every method (``doctor --warm``)."""

import io
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

import click

from discreet import compiled
from discreet.cli.examples import EXAMPLES
from discreet.core.randomness import Rng

COMMANDS: Final = (
    "publish", "verify", "attack", "measure", "demo", "profile", "series make", "series publish",
    "series attack", "hierarchy quantiles", "hierarchy from-data", "corpus build", "corpus show",
    "attack interactive-linkage",
)  # fmt: skip
"""The examples that are run one after the other, where they stand on each other's results."""
WIDE: Final = (
    "profile wide.dat",
    "publish item-supports wide.dat --epsilon 1 --max-size 5 --universe catalogue.txt --out counts",
)
"""What is run on sets of many items, one set a line, as the examples of the help texts have none.

Such files are read, and sets that fit no machine word are compared, by kernels of their own.
"""
WIDE_ITEMS: Final = 300
NO: Final = 1
"""How a command ends that works and finds something amiss, as an audit may."""
SECONDS: Final = 5.0
"""Seconds between two lines that say how far compiling is."""


@contextmanager
def announced(clock: Callable[[], float] = monotonic) -> Iterator[None]:
    """Say on standard error that functions are compiled, and every few seconds how many were."""
    functions, spoke = 0, 0.0

    def on_compile() -> None:
        nonlocal functions, spoke
        functions += 1
        now = clock()
        if functions == 1:
            spoke = now
            first = "compiling what this needs; later runs reuse it"
            click.echo(first, err=True)
        elif now - spoke >= SECONDS:
            spoke = now
            click.echo(f"compiling: {functions} functions so far", err=True)

    with compiled.compiling(on_compile):
        yield


def warm(run: Callable[[list[str]], object], done: Callable[[int, int], None]) -> int:
    """Run the examples of every method and of most commands; what they need is compiled then.

    Parameters
    ----------
    run
        Runs ``discreet`` with these words, and ends as a command ends.
    done
        Is told how many examples of how many are through.

    Returns
    -------
    int
        How many functions had to be compiled.
    """
    from discreet import rng
    from discreet.study.example_files import example_files

    compilations: list[None] = []
    files = {**example_files(rng.seeded(0)), **_wide_files(rng.seeded(0))}
    examples = [*_of_methods(), _of_commands(), WIDE]
    with compiled.compiling(lambda: compilations.append(None)):
        for number, lines in enumerate(examples, 1):
            # each in a folder of its own: they write to the same names
            with TemporaryDirectory() as folder, chdir(folder):
                for name, content in files.items():
                    Path(name).write_text(content)
                _quietly(run, lines)
            done(number, len(examples))
    return len(compilations)


def _wide_files(rng: Rng) -> dict[str, str]:
    """Return sets of many items as lines of numbers, and the list of all items."""
    from discreet.study.example import made_up

    items = [str(number) for number in range(WIDE_ITEMS)]
    people = made_up(items, 2 * WIDE_ITEMS, rng)
    return {
        "wide.dat": "".join(f"{' '.join(basket)}\n" for basket in people),
        "catalogue.txt": "\n".join(items),
    }


def _of_methods() -> Iterator[list[str]]:
    """Yield the example of each method; what is published is audited too."""
    from discreet import catalog

    for method in catalog.entries():
        lines = list(method.example)
        verb, _, data, *options = shlex.split(lines[-1])
        if verb == "publish" and Path(data).suffix == ".csv":
            typed = dict(pairwise(options))
            beside = [("--key", typed.get("--keep")), ("--edges", typed.get("--edges"))]
            known = "".join(f" {option} {file}" for option, file in beside if file)
            lines.append(f"audit release --against {data}{known} --out audit.html")
        yield lines


def _of_commands() -> list[str]:
    return [EXAMPLES[name] for name in COMMANDS]


def _quietly(run: Callable[[list[str]], object], lines: Iterable[str]) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for line in lines:
            try:
                run(shlex.split(line))
            except SystemExit as end:
                if end.code not in (None, 0, NO):
                    raise ChildProcessError(f"the example {line!r} ended with {end.code}") from None
