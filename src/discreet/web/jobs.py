"""Long work: commands one after the other, each in a process of its own, told as they go."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from discreet.errors import DiscreetError
from discreet.io.writing import write_file

State: TypeAlias = Literal["running", "done", "failed", "cancelled", "cut off"]
PATIENCE: Final = 10.0
"""Seconds that a cancelled command has to tidy up."""
CUT_OFF: Final[tuple[State, str]] = ("cut off", "the workbench was closed while this ran")
"""How work ends that nobody cancelled and nobody waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command with a name."""

    name: str
    """What it does, for the page."""
    words: tuple[str, ...]
    """What stands after ``discreet``."""
    output: Path | None = None
    """Where what it prints goes, if anywhere."""
    copied: tuple[str, ...] = ()
    """A file and what it is copied to before, where the command goes on from it."""
    fine: tuple[int, ...] = (0,)
    """Exit codes with which the work goes on; an audit that says no ends with 1."""

    @property
    def typed(self) -> str:
        """The command as a person types it."""
        first = f"{shlex.join(('cp', *self.copied))}\n" if self.copied else ""
        return first + command_line(("discreet", *self.words))


def command_line(args: Sequence[str]) -> str:
    r"""Write a command as a person types it, an option a line.

    >>> print(command_line(["discreet", "verify", "my release", "--json"]))
    discreet verify 'my release' \
      --json
    """
    lines: list[str] = []
    for arg in args:
        option = arg.startswith("--")
        lines += [shlex.quote(arg)] if option or not lines else []
        if not option and arg is not args[0]:
            lines[-1] += f" {shlex.quote(arg)}"
    return " \\\n  ".join(lines)


@dataclass(slots=True, kw_only=True)
class Job:
    """Commands under way for a project, or how they ended."""

    kind: str
    """What it is for: exposure, run or sign."""
    folder: Path
    """Where the commands run: paths are typed from here."""
    steps: tuple[Step, ...]
    at: int = 0
    """Which step is under way."""
    state: State = "running"
    message: str = ""
    """What went wrong, in a sentence."""
    begun: float = field(default_factory=time.time)
    ended: float | None = None
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def seconds(self) -> int:
        """How long it took so far."""
        return round((self.ended or time.time()) - self.begun)

    def record(self) -> dict[str, Any]:
        """Return how it stands, for the disk."""
        names = [step.name for step in self.steps]
        return {
            "state": self.state, "at": self.at, "names": names, "said": self.message,
            "seconds": self.seconds, "typed": [step.typed for step in self.steps],
        }  # fmt: skip


class Jobs:
    """The work of all projects; closing a page does not stop it."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, str], Job] = {}
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def start(self, job: Job, finished: Callable[[], None] | None = None) -> None:
        """Begin the work, unless the same is under way."""
        with self._lock:
            before = self._running.get((job.folder.name, job.kind))
            if before is not None and before.state == "running":
                return
            self._running[job.folder.name, job.kind] = job
        _note(job)
        thread = threading.Thread(target=_work, args=(job, finished), daemon=True)
        self._threads = [*(running for running in self._threads if running.is_alive()), thread]
        thread.start()

    def look(self, folder: Path, kind: str) -> dict[str, Any] | None:
        """Return how the work of a project stands; what a closed workbench left is cut off."""
        job = self._running.get((folder.name, kind))
        if job is not None:
            return job.record()
        path = folder / f"{kind}.job.json"
        if not path.is_file():
            return None
        record: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if record["state"] == "running":
            record["state"], record["said"] = CUT_OFF
        return record

    def cancel(self, folder: Path, kind: str) -> None:
        """Stop the work: its command is asked to tidy up first."""
        job = self._running.get((folder.name, kind))
        if job is None or job.state != "running":
            return
        job.state = "cancelled"
        process = job.process
        if process is not None and process.poll() is None:
            _signal(process, signal.SIGINT)
            last = threading.Timer(PATIENCE, _signal, (process, signal.SIGKILL))
            last.daemon = True
            last.start()

    def close(self) -> None:
        """Stop everything, and wait until it has tidied up."""
        going = [job for job in self._running.values() if job.state == "running"]
        for job in going:
            self.cancel(job.folder, job.kind)
        for thread in self._threads:
            thread.join(2 * PATIENCE)
        for job in going:
            job.state, job.message = CUT_OFF
            _note(job)


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)


def _note(job: Job) -> None:
    text = json.dumps(job.record())
    write_file(job.folder / f"{job.kind}.job.json", text, "the state of the work", private=True)


def _work(job: Job, finished: Callable[[], None] | None) -> None:
    try:
        for index, step in enumerate(job.steps):
            job.at = index
            _note(job)
            code, message = _run(job, step)
            if job.state == "cancelled":
                job.message = "cancelled; no release was left half written"
                break
            if code not in step.fine:
                job.state, job.message = "failed", message
                break
        else:
            if finished is not None:
                finished()
            job.state = "done"
    except DiscreetError as error:
        job.state, job.message = "failed", str(error)
    except OSError as error:
        job.state, job.message = "failed", f"the work could not go on: {error.strerror}"
    finally:
        if job.state == "running":
            job.state, job.message = (
                "failed",
                "this is a fault of discreet itself; please report it",
            )
        job.ended = time.time()
        _note(job)


def _run(job: Job, step: Step) -> tuple[int, str]:
    """Run one command in a process of its own; return its exit code and its last sentence."""
    command = [sys.executable, "-m", "discreet.cli", *step.words]
    if step.copied:
        before, after = (job.folder / name for name in step.copied)
        shutil.copy2(before, after)
    error_file = job.folder / f"{job.kind}.errors.txt"
    output = step.output or Path(os.devnull)
    with error_file.open("wb") as errors, output.open("wb") as printed:
        error_file.chmod(0o600)
        if step.output:
            output.chmod(0o600)
        job.process = subprocess.Popen(
            command, cwd=job.folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors,
            start_new_session=True,
        )  # fmt: skip
        if job.state == "cancelled":
            # asked for while the command was about to begin
            _signal(job.process, signal.SIGINT)
        code = job.process.wait()
    return code, _sentence(code, error_file.read_text("utf-8", "replace"))


def _sentence(code: int, message: str) -> str:
    if code < 0:
        return (
            f"the work was ended from outside (signal {-code}), most likely because it needs more "
            "memory than there is; no release was left half written"
        )
    mark = "discreet: "
    lines = [line.removeprefix(mark) for line in message.splitlines() if line.startswith(mark)]
    return lines[-1] if lines else "it ended without a word, which is a fault of discreet itself"
