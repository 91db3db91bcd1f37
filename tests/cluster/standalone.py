"""A cluster of Spark on loopback: a master and workers, each a process that can be killed."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.waiting import until


def missing() -> str | None:
    """Return why Spark cannot run here; None: it can."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "pyspark is not installed (extra spark)"
    from discreet.scale.spark_session import JAVA, java_version

    found = java_version()
    return None if found and found >= JAVA else f"Java {JAVA} is not here"


needs_spark = pytest.mark.skipif(missing() is not None, reason=missing() or "")


class Cluster:
    """A master and the workers that were started for it."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.folder = folder
        self.home = Path(pyspark.__file__).parent
        self.workers: list[subprocess.Popen[bytes]] = []
        # a port that the master finds itself: one that is asked for may be taken by then
        self.master = self._start("master.Master", "--port", "0")
        until(self._listens)
        self.address = self._listens()

    def _listens(self) -> str:
        """Return where the master says that it listens; '' before it does."""
        log = (self.folder / "master.Master-0.log").read_text(errors="replace")
        found = re.search(r"Starting Spark master at (spark://[\d.]+:\d+)", log)
        return found[1] if found else ""

    def add_worker(self) -> None:
        place = self.folder / f"worker-{len(self.workers)}"
        place.mkdir()
        resources = ("--cores", "1", "--memory", "1g", "--work-dir", str(place))
        self.workers.append(self._start("worker.Worker", *resources, self.address))

    def kill_worker(self) -> None:
        """End the oldest worker that lives and what it runs, without a word."""
        _kill(next(worker for worker in self.workers if worker.poll() is None))

    def stop(self) -> None:
        for process in (*self.workers, self.master):
            if process.poll() is None:
                _kill(process)

    def _start(self, role: str, *words: str) -> subprocess.Popen[bytes]:
        command = [str(self.home / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}"]
        common = ["--host", "127.0.0.1", "--webui-port", "0"]
        environment = os.environ | {
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
        }
        with (self.folder / f"{role}-{len(self.workers)}.log").open("wb") as log:
            # a group of its own, so that its executors end with it
            return subprocess.Popen(
                [*command, *common, *words],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


@contextmanager
def cluster_of_two(folder: Path) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()


def wait_for_executors(session: Any, count: int) -> None:
    """Wait until so many executors have reported to the driver, which counts as one more."""
    context = session.sparkContext._jsc.sc()
    until(lambda: context.getExecutorMemoryStatus().size() == count + 1)


@contextmanager
def worker_killed_at_work(cluster: Cluster, session: Any) -> Iterator[None]:
    """Kill a worker as soon as a stage of the block is at work; that it came to it is asserted."""
    with at_work(session, cluster.kill_worker):
        yield


@contextmanager
def cluster_killed_at_work(cluster: Cluster, session: Any) -> Iterator[None]:
    """Kill the whole cluster when a stage is at work, and end what waits for it, as a person."""

    def kill() -> None:
        cluster.stop()
        session.sparkContext.cancelAllJobs()

    with at_work(session, kill):
        yield


@contextmanager
def at_work(session: Any, do: Callable[[], None]) -> Iterator[None]:
    """Do something as soon as a stage of the block is at work; that it came to it is asserted."""
    tracker, done, killed = session.sparkContext.statusTracker(), threading.Event(), []

    def watch() -> None:
        while not done.is_set() and not killed:
            for stage in tracker.getActiveStageIds():
                told = tracker.getStageInfo(stage)
                if told is not None and told.numActiveTasks and not killed:
                    killed.append(stage)
                    do()
            sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
    assert killed, "the work ended before a worker could be killed"


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
