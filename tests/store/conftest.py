"""Stores to try things on: a file of SQLite, and a PostgreSQL that is started for the tests."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from discreet.store import Store
from tests.waiting import PATIENCE, until

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
"""Where Debian keeps its PostgreSQL."""


@pytest.fixture
def quick() -> Iterator[Path]:
    """A folder in memory where there is one: a ledger waits for the disk at every row."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def own_memory(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of a ledger, and where one is by default, is the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(quick / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(quick / "data"))
    monkeypatch.delenv("DISCREET_STORE", raising=False)
    monkeypatch.delenv("DISCREET_PASSPHRASE", raising=False)


def _as_somebody() -> list[str]:
    """Return how to run what refuses to run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


def _found() -> Path:
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL is not installed")
    names = [shutil.which("initdb"), *(str(each / "initdb") for each in PLACES)]
    programs = next((Path(name).parent for name in names if name and Path(name).exists()), None)
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    if os.geteuid() == 0 and "postgres" not in {each.pw_name for each in pwd.getpwall()}:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    return programs


@pytest.fixture(scope="session")
def server() -> Iterator[Path]:
    """A PostgreSQL on a socket of its own, started and stopped here; its folder."""
    programs = _found()
    # the name of a socket must be short
    with TemporaryDirectory(prefix="pg") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data, run = folder / "data", _as_somebody()
        making = [*run, programs / "initdb", "-D", data, "-A", "trust", "-U", "owner"]
        subprocess.run(making, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        serving = [*run, programs / "postgres", "-D", data, "-k", folder, "-h", "", "-F"]
        with subprocess.Popen(serving, stderr=subprocess.DEVNULL, cwd=folder) as process:
            _wait_for(folder)
            yield folder
            # the server itself: whoever was started to start it does not pass signals on
            os.kill(int((data / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
            process.wait(PATIENCE)


def _wait_for(folder: Path) -> None:
    import psycopg

    def answers() -> bool:
        try:
            psycopg.connect(f"host={folder} user=owner dbname=postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    until(answers)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, quick: Path) -> str:
    """A new, empty place for a store."""
    if request.param == "sqlite":
        return str(quick / "store.db")
    return _new_database(request.getfixturevalue("server"), quick)


def _new_database(server: Path, folder: Path) -> str:
    import psycopg

    name = f"t{abs(hash(str(folder)))}"
    with psycopg.connect(f"host={server} user=owner dbname=postgres", autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name}")
    return f"postgresql://owner@/{name}?host={server}"


@pytest.fixture
def opened(where: str) -> Callable[[], Store]:
    """Open the store anew, as the next process would."""
    return lambda: Store(where)
