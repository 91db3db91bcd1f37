"""A slice of ``make fuzz``: damaged files of every kind, and every file that ever failed."""

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.fuzz.files import SECRET, TARGETS, Target, damaged, fault

CORPUS = Path(__file__).parent / "corpus"
FAILED = sorted(file for name in TARGETS for file in (CORPUS / name).glob("*/*"))
"""Inputs that failed once: ``corpus/TARGET/SEED/NAME`` in place of the seed."""
TIMES = 40


@cache
def seeds_of(name: str) -> Mapping[str, bytes]:
    return TARGETS[name].seeds()


@pytest.mark.parametrize("name", TARGETS)
def test_sound_files_are_read(name: str, tmp_path: Path) -> None:
    target, seeds = TARGETS[name], seeds_of(name)
    for each, content in seeds.items():
        assert fault(target, seeds, tmp_path, each, content) is None, each


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    target, seeds, chance = TARGETS[name], seeds_of(name), random.Random(7)
    for _ in range(TIMES):
        each = chance.choice(sorted(seeds))
        content = damaged(seeds[each], chance)
        assert fault(target, seeds, tmp_path, each, content) is None, (each, content)


@pytest.mark.parametrize("file", FAILED, ids=lambda file: "/".join(file.parts[-3:]))
def test_what_failed_once_fails_no_more(file: Path, tmp_path: Path) -> None:
    name, each = file.parts[-3], unquote(file.parts[-2])
    assert fault(TARGETS[name], seeds_of(name), tmp_path, each, file.read_bytes()) is None


def test_a_reader_that_breaks_or_tells_is_caught(tmp_path: Path) -> None:
    from discreet.errors import DataError

    def breaks(_: Path) -> None:
        raise KeyError("x")

    def tells(path: Path) -> None:
        raise DataError(f"{path.name}: record {path.read_text().splitlines()[-1]} is wrong")

    seeds = {"a.csv": f"id\n{SECRET}1\n".encode()}
    caught = [
        fault(Target(read, lambda: seeds), seeds, tmp_path, "a.csv", seeds["a.csv"])
        for read in (breaks, tells, Path.read_bytes)
    ]
    assert "KeyError" in str(caught[0])
    assert "tells what a record holds" in str(caught[1])
    assert caught[2] is None


def test_a_reader_that_takes_too_long_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.fuzz.__main__ import LIMIT, fault_or_slow

    seeds, clock = {"a.csv": b"id\n1\n"}, iter([0.0, LIMIT + 0.5, 20.0, 20.0 + LIMIT])
    monkeypatch.setattr("tests.fuzz.__main__.time.process_time", lambda: next(clock))
    target = Target(Path.read_bytes, lambda: seeds)
    said = [fault_or_slow(target, seeds, tmp_path, "a.csv", b"id\n") for _ in range(2)]
    assert said == ["too slow: a.csv", None]
