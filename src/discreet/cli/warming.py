"""Compiling: said when it happens, and done ahead of time for every method (``doctor --warm``)."""

import io
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

import click

from discreet import compiled

__all__ = ["said", "warm"]

SECONDS: Final = 5.0
"""Seconds between two lines that say how far compiling is."""


@contextmanager
def said(clock: Callable[[], float] = monotonic) -> Iterator[None]:
    """Say on standard error that functions are compiled, and every few seconds how many were."""
    functions, spoke = 0, 0.0

    def told() -> None:
        nonlocal functions, spoke
        functions += 1
        now = clock()
        if functions == 1:
            spoke = now
            first = "compiling what this needs, once; the next run has it at hand"
            click.echo(first, err=True)
        elif now - spoke >= SECONDS:
            spoke = now
            click.echo(f"compiling: {functions} functions so far", err=True)

    with compiled.compiling(told):
        yield


def warm(run: Callable[[list[str]], object], done: Callable[[int, int], None]) -> int:
    """Run the example of every method on made-up files; what they need is compiled then.

    Parameters
    ----------
    run
        Runs ``discreet`` with these words, and ends as a command ends.
    done
        Is told how many methods of how many are through.

    Returns
    -------
    int
        How many functions had to be compiled.
    """
    from discreet import catalog, rng
    from discreet.study.example_files import example_files

    compilations: list[None] = []
    methods = catalog.entries()
    with TemporaryDirectory() as folder, compiled.compiling(lambda: compilations.append(None)):
        for name, content in example_files(rng.seeded(0)).items():
            (Path(folder) / name).write_text(content)
        with chdir(folder):
            for number, method in enumerate(methods, 1):
                _quietly(run, method.example)
                done(number, len(methods))
    return len(compilations)


def _quietly(run: Callable[[list[str]], object], lines: Iterable[str]) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for line in lines:
            try:
                run(shlex.split(line))
            except SystemExit as end:
                if end.code:
                    msg = f"the example {line!r} ended with {end.code}"
                    raise ChildProcessError(msg) from None
