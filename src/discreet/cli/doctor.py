"""``discreet doctor``: whether everything works on this machine."""

import os
import platform
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

import click

import discreet.compiled
from discreet.cli import show
from discreet.compiled import kernel
from discreet.errors import DiscreetError
from discreet.precompiled import archive_here
from discreet.semantics.sentence_model import cure_of_missing_model

__all__ = ["doctor"]

MARKS = {True: "ok", False: "FAILS", None: "-"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at."""

    name: str
    """What was looked at."""
    works: bool | None
    """Whether it works; None where it is a fact and no fault either way."""
    finding: str
    """What was found."""


@click.command(short_help="Check this installation.")
@click.option(
    "--warm",
    is_flag=True,
    help=(
        "Also compile what every method needs, by running all examples; takes a few minutes, once."
    ),
)
@show.json_option
def doctor(*, warm: bool, json: bool) -> int:
    """Check this installation. Exit 0: all works, 1: something does not."""
    with show.working("looking"):
        checks = [*_versions(), *_machine(), *_works(), *_datasets()]
    if warm:
        with show.counting("compiling", "methods") as done:
            checks.append(_tried("every method's example", lambda: _warmed(done)))
    healthy = all(check.works is not False for check in checks)
    if json:
        show.as_json({"healthy": healthy, "checks": [asdict(check) for check in checks]})
    else:
        rows = [(check.name, MARKS[check.works], check.finding) for check in checks]
        show.table(("what", "", "found"), rows)
        show.lines("", "Everything works." if healthy else "Something does NOT work: see above.")
    return 0 if healthy else 1


def _versions() -> Iterator[Check]:
    yield Check(name="python", works=None, finding=platform.python_version())
    yield _version("discreet")
    for requirement in requires("discreet") or ():
        if "extra ==" not in requirement:
            yield _version(re.split(r"[^\w.-]", requirement)[0])
    yield _plots()
    yield _sentence_model()


def _plots() -> Check:
    """Say whether figures of papers are drawn; without them everything else works."""
    at_hand = find_spec("altair") and find_spec("vl_convert")
    state = "installed" if at_hand else "not installed: reproduce draws no plots"
    return Check(name="discreet[plots]", works=None, finding=state)


def _sentence_model() -> Check:
    """Say whether an attack may go by a sentence model; without it everything else works."""
    cure = cure_of_missing_model()
    state = f"not installed: {cure}" if cure else "installed"
    return Check(name="sentence model", works=None, finding=state)


def _version(package: str) -> Check:
    try:
        return Check(name=package, works=True, finding=version(package))
    except PackageNotFoundError:
        return Check(name=package, works=False, finding="not installed")


def _machine() -> Iterator[Check]:
    yield Check(name="cores", works=None, finding=str(os.cpu_count()))
    folder = os.environ.get("NUMBA_CACHE_DIR")
    cache = Path(folder) if folder else Path(discreet.compiled.__file__).parent / "__pycache__"
    writable = os.access(cache if cache.exists() else cache.parent, os.W_OK)
    state = (
        "writable" if writable else "not writable: every run compiles again; set NUMBA_CACHE_DIR"
    )
    yield Check(name="cache of compiled code", works=writable or None, finding=state)
    archive = archive_here()
    fits = archive is not None and archive.is_file()
    state = "fits this Python, numba and processor" if fits else "none fits: compiled at need, once"
    yield Check(name="code compiled ahead", works=fits or None, finding=state)


@kernel
def _triangle(number: int) -> int:
    total = 0
    for step in range(number + 1):
        total += step
    return total


def _works() -> Iterator[Check]:
    yield _tried("compiled code", _compiles)
    yield _tried("secure chance", _is_random)
    yield _tried("seeded chance", _repeats)


def _tried(name: str, trial: Callable[[], str]) -> Check:
    try:
        return Check(name=name, works=True, finding=trial())
    except Exception as error:  # noqa: BLE001 (whatever goes wrong here is the finding)
        return Check(name=name, works=False, finding=f"{type(error).__name__}: {error}")


def _compiles() -> str:
    if _triangle(4) != 10:
        msg = "a compiled function returned a wrong number"
        raise ArithmeticError(msg)
    return "a function was compiled and counts right"


def _is_random() -> str:
    from discreet import rng

    first, second = rng.secure(), rng.secure()
    if (first.words(4) == second.words(4)).all():
        msg = "two streams of chance are the same"
        raise ArithmeticError(msg)
    return first.label


def _repeats() -> str:
    from discreet import rng

    if (rng.seeded(1).words(4) != rng.seeded(1).words(4)).any():
        msg = "one seed gave two streams"
        raise ArithmeticError(msg)
    return "the same seed gives the same draws"


def _warmed(done: Callable[[int, int], None]) -> str:
    from discreet.cli.root import root
    from discreet.cli.warming import warm

    functions = warm(lambda args: root.main(args, prog_name="discreet"), done)
    return f"runs; {functions} functions were compiled" if functions else "runs, all compiled"


def _datasets() -> Iterator[Check]:
    from discreet.io.datasets import FOLDER, dataset_path, names

    folder = os.environ.get(FOLDER)
    if not folder:
        state = "not set: dataset:NAME finds nothing, everything else works"
        yield Check(name=FOLDER, works=None, finding=state)
        return
    yield Check(name=FOLDER, works=Path(folder).is_dir(), finding=folder)
    for name in names():
        try:
            state = dataset_path(name).name
            yield Check(name=f"dataset:{name}", works=True, finding=state)
        except DiscreetError as error:
            yield Check(name=f"dataset:{name}", works=None, finding=str(error))
