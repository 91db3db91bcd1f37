"""A full disk, a folder that cannot be written, a reader who leaves, an owner who is impatient."""

import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.power_cuts.killing import BASKETS, STUDY

COMMANDS = {
    "publish": "publish km-anonymity baskets.dat --k 3 --m 1 --out new/release --keep new/key",
    "audit": "audit standing --against baskets.dat --out new/audit.html",
    "compare": "compare study.toml --out new --workers 1",
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with data and a release."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "baskets.dat").write_text(BASKETS * 40)
    (tmp_path / "study.toml").write_text(STUDY)
    words = "publish km-anonymity baskets.dat --k 3 --m 1 --out standing"
    assert call(words).returncode == 0
    return tmp_path


def call(
    words: str, before: Callable[[], object] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "discreet.cli", *words.split()],
        capture_output=True, text=True, check=False, preexec_fn=before,
    )  # fmt: skip


def sentences(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert "Traceback" not in done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("discreet: ")]


def left(place: Path) -> list[str]:
    """Return what a command that failed has left in its new folder."""
    return [path.name for path in place.rglob("new/**/*") if path.is_file()]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_sentence(place: Path, name: str) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = call(COMMANDS[name], full)
    (told,) = sentences(done)
    assert done.returncode == 2
    assert "File too large" in told
    assert left(place) == []


IN_SMALL = """
mkdir -p new && mount -t tmpfs -o size=16k tmpfs new || exit 99
"$@"
code=$?
find new -type f
exit $code
"""
"""Runs a command where `new` is a disk of four pages, which nobody else sees."""


def in_small_disk(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    within = ["unshare", "--mount", "--map-root-user", "bash", "-c", IN_SMALL, "small", *words]
    return subprocess.run(within, capture_output=True, text=True, check=False)


def may_mount() -> bool:
    return shutil.which("unshare") is not None and in_small_disk(["true"]).returncode == 0


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("place")
def test_a_disk_that_is_full_indeed_is_one_sentence(name: str) -> None:
    if not may_mount():
        pytest.skip("no small disk can be mounted here")
    done = in_small_disk([sys.executable, "-m", "discreet.cli", *COMMANDS[name].split()])
    (told,) = sentences(done)
    assert done.returncode == 2
    assert "No space left on device" in told
    # a study keeps the results that it has, each in a file of its own, and goes on from them
    whole = [line for line in done.stdout.split() if re.fullmatch(r"new/cells/\w+\.json", line)]
    assert done.stdout.split() == (whole if name == "compare" else [])


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="/proc cannot be written, elsewhere?")
def test_a_folder_that_cannot_be_written_is_one_sentence(place: Path, name: str) -> None:
    (place / "new").symlink_to("/proc/self")
    done = call(COMMANDS[name].replace("--out new ", "--out new/x "))
    (told,) = sentences(done)
    assert done.returncode == 2
    assert len(told) < 300


@pytest.mark.usefixtures("place")
def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    words = f"set -o pipefail; {sys.executable} -m discreet.cli methods --json | head -1"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode in (0, 141)


TWICE = """
import os, signal
from discreet.io import writing

remove = writing.shutil.rmtree

def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)

def remove_interrupted(*args, **rest):
    interrupt()
    remove(*args, **rest)

# once as the folder is about to get its name, and once more as it is tidied away
writing._put_in_place, writing.shutil.rmtree = interrupt, remove_interrupted
from discreet.cli import main
main()
"""


def test_whoever_interrupts_twice_is_told_once_and_nothing_is_left(place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TWICE, *COMMANDS["publish"].split()],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    (told,) = sentences(done)
    assert (done.returncode, "interrupted" in told) == (130, True)
    assert not (place / "new").exists() or list((place / "new").iterdir()) == []


LOADING = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == "discreet.core":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
from discreet_command import main
main()
"""


def test_whoever_interrupts_while_it_loads_is_told_in_a_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING, "demo", "--out", "new"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert done.stderr == "discreet: interrupted; nothing was begun\n"
    assert done.returncode == 130
    assert list(tmp_path.iterdir()) == []
