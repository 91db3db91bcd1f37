"""The decorator of compiled code: one compilation for all constants, and compiling is told."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from discreet.compiled import compiling, kernel

SOURCE = dedent(
    """
    from discreet.compiled import kernel

    @kernel
    def twice(number: int) -> int:
        return 2 * number

    @kernel
    def four_and_six() -> int:
        return twice(2) + twice(3)
    """
)


def _module(folder: Path) -> dict[str, Callable[..., int]]:
    path = folder / "kernels.py"
    path.write_text(SOURCE)
    names: dict[str, Callable[..., int]] = {"__name__": "kernels", "__file__": str(path)}
    exec(compile(SOURCE, str(path), "exec"), names)
    return names


def test_one_compilation_serves_all_constants(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    names = _module(tmp_path)
    twice = names["twice"]
    assert names["four_and_six"]() == 10
    assert len(twice.compiled.signatures) == 1


def test_compiling_is_told_and_what_lies_in_the_cache_is_not(tmp_path: Path) -> None:
    first: list[str] = []
    with compiling(lambda: first.append("one")):
        _module(tmp_path)["four_and_six"]()
    assert len(first) == 2

    again: list[str] = []
    with compiling(lambda: again.append("one")):
        _module(tmp_path)["four_and_six"]()
    assert again == []


def test_with_the_compiler_off_the_same_code_runs(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(SOURCE)
    command = [sys.executable, "-c", "import kernels; print(kernels.four_and_six())"]
    folders = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": folders}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "10\n"
    assert not list(tmp_path.rglob("*.nbc"))


PAIRS = dedent(
    """
    from typing import NamedTuple

    from discreet.compiled import kernel

    class Pair(NamedTuple):
        one: int
        other: int

    @kernel
    def added(pair: Pair) -> int:
        return pair.one + pair.other

    def three() -> int:
        return added(Pair(1, 2))
    """
)


@pytest.mark.parametrize("renamed", ["Couple", "Pair"])
def test_a_cache_of_classes_that_are_called_otherwise_by_now_is_none(
    tmp_path: Path, renamed: str
) -> None:
    pytest.importorskip("numba")
    command = [sys.executable, "-c", "import pairs; print(pairs.three())"]
    folders = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    for name in ("Pair", renamed):
        (tmp_path / "pairs.py").write_text(PAIRS.replace("Pair", name) + f"# {name}\n")
        done = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": folders}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.stdout.split() == ["3"], done.stderr


def test_nobody_is_told_after_the_end(tmp_path: Path) -> None:
    calls: list[str] = []
    with compiling(lambda: calls.append("one")):
        pass
    _module(tmp_path)["twice"](1)
    assert calls == []


def test_a_kernel_keeps_its_name_and_its_words() -> None:
    @kernel
    def triple(number: int) -> int:
        """Return three times as much."""
        return 3 * number

    assert triple(2) == 6
    assert (triple.__name__, triple.__doc__) == ("triple", "Return three times as much.")
