"""Work told as it goes, by a server that serves: to whom, until when, and what stays behind."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from discreet.web import Session, Workspace, application
from discreet.web.jobs import Job, Step
from discreet.web.serve import listening
from tests.waiting import PATIENCE, until

SLOW = Step(name="Publish a secret-free thing", words=("--help",))
QUICK = Step(name="Read the data", words=("quick",))


class Served:
    """A workbench that serves from a thread of this process, and a project with slow work."""

    def __init__(self, workspace: Workspace, port: int) -> None:
        self.session = Session(port=port)
        guard = application(workspace, self.session)
        self.bench: Any = guard.app.state.bench
        config = uvicorn.Config(guard, log_level="critical", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.project = workspace.new("a", "data.csv")
        self.project.data.write_text("id,item\n1,a\n")
        self.job = Job(kind="run", folder=self.project.folder, steps=(QUICK, SLOW))
        self.home = f"http://127.0.0.1:{port}"
        self.path = f"{self.home}/p/{self.project.name}/events/run"

    def client(self) -> httpx.Client:
        made = httpx.Client(timeout=PATIENCE)
        made.cookies.set(self.session.cookie_name, self.session.cookie)
        return made

    @contextmanager
    def listening(self) -> Iterator[Iterator[str]]:
        with self.client() as client, client.stream("GET", self.path) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.headers["cache-control"] == "no-store"
            yield _events(answer)

    def begin(self) -> None:
        self.bench.jobs.start(self.job)
        until(lambda: (self.job.folder / "begun").is_file() and self.job.at == 1)


def _events(answer: httpx.Response) -> Iterator[str]:
    lines: list[str] = []
    for line in answer.iter_lines():
        lines.append(line)
        if not line:
            yield "\n".join(lines)
            lines = []


@pytest.fixture
def served(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Served]:
    script = tmp_path / "slow.sh"
    script.write_text(
        '#!/bin/sh\n[ "$3" = quick ] && exit 0\ntouch begun\n'
        "until [ -f go ]; do sleep 0.1; done\necho 'discreet: it is done' >&2\n"
    )
    script.chmod(0o700)
    monkeypatch.setattr("sys.executable", str(script))
    with closing(listening(0)) as opened:
        made = Served(workspace, opened.getsockname()[1])
        thread = threading.Thread(target=made.server.run, args=([opened],))
        thread.start()
        until(lambda: made.server.started)
        yield made
        made.server.should_exit = True
        thread.join(60)


def test_every_change_is_told_and_the_end_ends_it(served: Served) -> None:
    served.begin()
    with served.listening() as events:
        first = next(events)
        assert "✓ Read the data" in first
        assert 'aria-current="step">… Publish' in first
        (served.job.folder / "go").touch()
        told = list(events)
    assert "<b>Done</b> in" in told[-2]
    assert told[-1] == "event: ended\ndata: ended\n"
    assert all(before != after for before, after in zip([first, *told], told, strict=False))


def test_work_that_ended_or_never_began_is_told_once(served: Served) -> None:
    with served.listening() as events:
        assert list(events)[-1].startswith("event: ended")
    served.begin()
    (served.job.folder / "go").touch()
    until(lambda: served.job.state == "done")
    with served.listening() as events:
        assert len(list(events)) == 2


def test_a_crash_is_told(served: Served) -> None:
    served.begin()
    with served.listening() as events:
        next(events)
        os.kill(served.job.process.pid, signal.SIGKILL)
        told = list(events)
    assert "ended from outside (signal 9)" in told[-2]
    assert told[-1].startswith("event: ended")


def test_whoever_goes_away_leaves_nothing_behind_and_stops_nothing(served: Served) -> None:
    served.begin()
    state = served.server.server_state
    with served.listening() as events:
        next(events)
    until(lambda: not state.connections and not state.tasks)
    threads = threading.active_count()
    for _ in range(20):
        with served.listening() as events:
            next(events)
    until(lambda: not state.connections and not state.tasks)
    assert threading.active_count() <= threads
    assert served.job.state == "running"
    assert served.job.process.poll() is None


def test_nobody_else_is_told(served: Served) -> None:
    served.begin()
    with served.client() as client:
        for headers in (
            {"host": "evil.example"}, {"origin": "http://evil.example"},
            {"sec-fetch-site": "same-site"}, {"sec-fetch-site": "cross-site"},
        ):  # fmt: skip
            assert client.get(served.path, headers=headers).status_code == 403
        for path in ("events/else", "events/run.job", "events/..%2Frun", "events/compare"):
            assert client.get(f"{served.home}/p/{served.project.name}/{path}").status_code == 404
        assert client.get(f"{served.home}/p/0123456789abcdef/events/run").status_code == 404
    assert httpx.get(served.path).status_code == 403


def test_a_fault_is_told_without_a_word_of_the_data(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(*_: Any, **__: Any) -> str:
        raise ValueError("insulin")

    served.begin()
    monkeypatch.setattr("discreet.web.steps.run.fragment", faulty)
    with served.listening() as events:
        told = list(events)
    assert "a fault of discreet itself" in told[0]
    assert told[1].startswith("event: ended")
    said = capsys.readouterr()
    assert "insulin" not in "".join(told) + said.out + said.err
    assert "ValueError in test_events.py" in said.err


def test_a_server_that_is_closed_stops_its_work_and_says_so(served: Served) -> None:
    served.begin()
    with served.listening() as events:
        next(events)
        served.server.should_exit = True
        until(lambda: served.job.state == "cut off")
    assert served.job.process.poll() is not None
    # the state is set a moment before it is noted
    noted = served.job.folder / "run.job.json"
    until(lambda: "the workbench was closed while this ran" in noted.read_text())
