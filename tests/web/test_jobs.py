"""Work in processes of its own: it outlives the page, is cancelled, and a crash is told."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.web.jobs import Job, Jobs, Step
from tests.waiting import until

SLOW = ("transactions", "--help")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Job]:
    """A job whose only command writes that it began, then sleeps."""
    script = tmp_path / "slow.sh"
    script.write_text("#!/bin/sh\ntouch begun\nexec sleep 1800\n")
    script.chmod(0o700)
    monkeypatch.setattr("sys.executable", str(script))
    return lambda: Job(kind="run", folder=tmp_path, steps=(Step(name="sleep", words=SLOW),))


def _begun(jobs: Jobs, job: Job) -> None:
    jobs.start(job)
    until(lambda: (job.folder / "begun").is_file() and job.process is not None)


def test_a_killed_command_is_told(slow: Callable[[], Job]) -> None:
    jobs, job = Jobs(), slow()
    _begun(jobs, job)
    os.kill(job.process.pid, signal.SIGKILL)
    until(lambda: job.state != "running")
    told = jobs.look(job.folder, "run")
    assert told["state"] == "failed"
    assert "ended from outside (signal 9)" in told["said"]


def test_a_cancelled_command_ends(slow: Callable[[], Job]) -> None:
    jobs, job = Jobs(), slow()
    _begun(jobs, job)
    process = job.process
    jobs.cancel(job.folder, "run")
    until(lambda: job.ended is not None)
    assert process.poll() is not None
    told = jobs.look(job.folder, "run")
    assert (told["state"], told["said"]) == (
        "cancelled",
        "cancelled; no release was left half written",
    )


def test_the_same_work_does_not_begin_twice(slow: Callable[[], Job]) -> None:
    jobs, first, second = Jobs(), slow(), slow()
    _begun(jobs, first)
    jobs.start(second)
    assert second.process is None
    jobs.close()
    until(lambda: first.ended is not None)


def test_what_a_closed_workbench_left_is_cut_off(slow: Callable[[], Job]) -> None:
    jobs, job = Jobs(), slow()
    _begun(jobs, job)
    told = Jobs().look(job.folder, "run")
    assert told["state"] == "cut off"
    jobs.close()
    until(lambda: job.ended is not None)


def test_a_file_is_copied_before_the_command_that_goes_on_from_it(
    slow: Callable[[], Job], tmp_path: Path
) -> None:
    (tmp_path / "before.key").write_text("state")
    jobs, job = Jobs(), slow()
    job.steps = (Step(name="go on", words=SLOW, copied=("before.key", "after.key")),)
    _begun(jobs, job)
    assert (tmp_path / "after.key").read_text() == "state"
    jobs.close()
    until(lambda: job.ended is not None)
