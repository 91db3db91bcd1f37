"""Makes calls in a process of its own, which is watched: a call that does not end is a fault."""

import json
import random
import resource
import sys
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.fuzz.files import damaged

CPU = 10
"""Seconds of work that a call may take."""
WALL = 120
"""Seconds after which a call that does not work either is given up: the machine may be busy."""
DAMAGE = 4
"""Of so many calls one finds a file damaged that it names."""
FIRST = 3
"""A call in a new process may have to load what is compiled: it is tried again before it counts."""


def case(number: int) -> tuple[list[str], str | None]:
    """Return the words of a call, and the file that is damaged before it."""
    from tests.fuzz.calls import PLACES, call

    words, chance = call(number), random.Random(~number)
    named = [word for word in words if word in PLACES and "." in word]
    folders = [word for word in words if word == "release" or word.startswith("r-")]
    named += [f"{folder}/manifest.json" for folder in folders]
    return words, chance.choice(named) if named and chance.randrange(DAMAGE) == 0 else None


def _work(kept: Path, folder: Path, link: Connection) -> None:
    import warnings

    from tests.fuzz.scratch import Scratch

    warnings.simplefilter("ignore")
    scratch = Scratch(kept, folder)
    while (number := link.recv()) is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime) + CPU + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
        words, name = case(number)
        damage = None
        if name and (kept / name).is_file():
            damage = (name, _spoilt(kept, name, number))
        link.send(scratch.fault(words, damage))


def _spoilt(kept: Path, name: str, number: int) -> bytes:
    from discreet.io.release_folder import seal

    content = damaged((kept / name).read_bytes(), random.Random(number))
    if name.endswith("manifest.json"):
        try:
            manifest = json.loads(content)
            manifest["seal"] = seal(manifest)
            return json.dumps(manifest).encode()
        except (ValueError, TypeError, AttributeError):
            pass
    return content


class Caller:
    """A process that makes calls, replaced by another when it dies."""

    def __init__(self, kept: Path, folder: Path) -> None:
        self.kept, self.folder = kept, folder
        self.process: Any = None

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            with suppress(OSError):
                self.link.send(None)
            self.process.join()

    def fault(self, number: int) -> str | None:
        """Return what is wrong with the call of this number."""
        for _ in range(FIRST):
            said = self._tried(number)
            if said is None or not said.startswith("did not end"):
                return said
        return said

    def _tried(self, number: int) -> str | None:
        if self.process is None:
            context = get_context("spawn")
            self.link, theirs = context.Pipe()
            self.process = context.Process(target=_work, args=(self.kept, self.folder, theirs))
            self.process.start()
            theirs.close()
        with suppress(OSError, EOFError):
            self.link.send(number)
            if self.link.poll(WALL):
                return self.link.recv()
        self.process.kill()
        self.process.join()
        self.process = None
        words, name = case(number)
        return f"did not end: {words!r} with {name} damaged"


def prepared(state: Path) -> Path:
    """Return the folder of prepared files, made once."""
    kept = state / "prepared"
    if not kept.is_dir():
        context = get_context("spawn")
        beside = state / "prepared.new"
        maker = context.Process(target=_prepare, args=(beside,))
        maker.start()
        maker.join()
        if maker.exitcode:
            sys.exit("the files for the calls could not be made")
        beside.rename(kept)
    return kept


def _prepare(folder: Path) -> None:
    import os
    import shutil

    from tests.fuzz.scratch import prepare

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ |= {"DISCREET_STORE": "store.db", "XDG_STATE_HOME": str(folder.parent / "state")}
    os.environ |= {"XDG_DATA_HOME": str(folder.parent / "state")}
    os.environ.pop("DISCREET_DATA", None)
    prepare(folder)


def try_calls(state: Path, times: int) -> None:
    """Make so many calls more, and keep those that fail."""
    from tests.fuzz.__main__ import CALLS, count, done, keep

    kept = prepared(state.resolve())
    first = done(state, CALLS)
    with Caller(kept, state.resolve() / "scratch" / CALLS) as caller:
        for number in range(first, first + times):
            if said := caller.fault(number):
                keep(state, CALLS, said, json.dumps([number, *case(number)]).encode())
            if (number + 1 - first) % 50 == 0 or number + 1 == first + times:
                count(state, CALLS, number + 1 - done(state, CALLS))
