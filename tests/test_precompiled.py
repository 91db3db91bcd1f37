"""Machine code made ahead of time: taken where it fits, and nowhere else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from discreet import precompiled

LENGTH = "LENGTH = 3\n"
SOURCE = dedent(
    """
    from discreet.compiled import kernel
    from lengths import LENGTH

    @kernel
    def twice(number):
        return 2 * number

    @kernel
    def total():
        return twice(LENGTH) + twice(4)
    """
)
PROGRAM = dedent(
    """
    import sys
    from pathlib import Path

    from discreet import compiled, precompiled

    precompiled.FOLDER = Path(sys.argv[1])
    told = []
    with compiled.compiling(lambda: told.append(1)):
        import kernels
        print(int(kernels.total()), len(told))
    """
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two kernels, and the archive of both under ``archives``."""
    if precompiled.target() is None:
        pytest.skip("no archive is made for this processor")
    folder = tmp_path_factory.mktemp("made")
    (folder / "archives").mkdir()
    (folder / "lengths.py").write_text(LENGTH)
    (folder / "kernels.py").write_text(SOURCE)
    name, features = precompiled.target() or ("", "")
    printed = _run(folder, "made", NUMBA_CPU_NAME=name, NUMBA_CPU_FEATURES=features)
    assert printed == "14 2"
    archive = precompiled.archive_here()
    assert precompiled.pack(folder / "made", folder / "archives" / archive.name) == 2
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """Another folder with the same kernels and the same archive."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def _run(folder: Path, cache: str, **variables: str) -> str:
    """Return what the kernels give and how many were compiled, with this folder as the cache."""
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    variables |= {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder / cache)}
    command = [sys.executable, "-c", PROGRAM, str(folder / "archives")]
    done = subprocess.run(
        command, env=os.environ | variables, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_nothing_is_compiled_that_is_in_the_archive(folder: Path) -> None:
    assert _run(folder, "empty") == "14 0"
    assert not list((folder / "empty").rglob("*.nbc"))


def test_without_an_archive_everything_is_compiled(folder: Path) -> None:
    shutil.rmtree(folder / "archives")
    assert _run(folder, "empty") == "14 2"


def test_changed_code_is_compiled_anew(folder: Path) -> None:
    (folder / "kernels.py").write_text(SOURCE.replace("2 * number", "3 * number"))
    assert _run(folder, "empty") == "21 2"


def test_a_changed_number_of_another_file_is_seen(folder: Path) -> None:
    (folder / "lengths.py").write_text("LENGTH = 5\n")
    # what does not know the number is as it was
    assert _run(folder, "empty") == "18 1"


def test_another_processor_gets_no_code_of_this_one(folder: Path) -> None:
    assert _run(folder, "empty", NUMBA_CPU_NAME="generic") == "14 2"


def test_a_processor_that_can_less_has_no_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", dict)
    assert precompiled.target() is None
    assert precompiled.archive_here() is None
    monkeypatch.setattr("platform.machine", lambda: "s390x")
    assert precompiled.target() is None


def test_an_archive_is_of_one_python_and_one_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = precompiled.archive_here()
    monkeypatch.setattr("numba.__version__", "0.1")
    assert precompiled.archive_here() != archive or archive is None
