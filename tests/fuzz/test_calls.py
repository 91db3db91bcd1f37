"""A slice of ``make fuzz``: hostile calls of the commands, and every call that ever failed."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.calling import Caller, case
from tests.fuzz.calls import call, verbs
from tests.fuzz.scratch import Scratch, prepare

FAILED = [
    json.loads(line)
    for line in (Path(__file__).parent / "corpus" / "calls.jsonl").read_text().splitlines()
]
"""The words of calls that failed once."""
CALLS = 60


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scratch]:
    kept, folder = tmp_path_factory.mktemp("kept"), tmp_path_factory.mktemp("scratch")
    before, there = dict(os.environ), Path.cwd()
    state = str(folder.with_name("state"))
    os.environ |= {"DISCREET_STORE": "store.db", "XDG_STATE_HOME": state, "XDG_DATA_HOME": state}
    prepare(kept, every=False)
    yield Scratch(kept, folder)
    os.chdir(there)
    os.environ.clear()
    os.environ.update(before)


def test_a_call_is_drawn_from_its_number_and_every_command_is_called() -> None:
    assert [call(number) for number in range(50)] == [call(number) for number in range(50)]
    drawn = {tuple(call(number)[:1]) for number in range(3000)}
    assert {verb.path[:1] for verb in verbs()} <= drawn


@pytest.mark.parametrize("first", range(0, CALLS, 20))
def test_hostile_calls_end_as_they_should(scratch: Scratch, first: int) -> None:
    for number in range(first, first + 20):
        assert scratch.fault(case(number)[0]) is None, number


@pytest.mark.parametrize("words", FAILED, ids=lambda words: " ".join(words)[:60])
def test_a_call_that_failed_once_fails_no_more(scratch: Scratch, words: list[str]) -> None:
    assert scratch.fault(words) is None


def test_what_a_call_must_not_do_is_caught(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(code: int, out: str = "", err: str = "", leave: str = "") -> str:
        def run(_: list[str]) -> tuple[int, str, str]:
            if leave:
                (scratch.folder / leave).parent.mkdir(exist_ok=True)
                (scratch.folder / leave).write_text("{}")
            return code, out, err

        monkeypatch.setattr("tests.fuzz.scratch.run", run)
        return str(scratch.fault(["verify", "release"]))

    assert judged(0) == "None"
    assert judged(70).endswith("fault")
    assert judged(1, err="Traceback (most recent call last)").endswith("fault")
    assert judged(2).endswith("no sentence, or several")
    assert judged(0, out="zq7k12").endswith("tells an id")
    assert "left behind" in judged(0, leave=".release.0a/x")
    assert "half a release" in judged(0, leave="new/manifest.json")
    assert "written before it failed" in judged(2, err="discreet: no", leave="new")
    assert not (scratch.folder / "new").exists()


def test_a_call_that_does_not_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # nothing was prepared there, so the process that makes the calls dies at once
    monkeypatch.setattr("tests.fuzz.calling.FIRST", 1)
    with Caller(tmp_path / "nothing", tmp_path / "scratch") as caller:
        assert str(caller.fault(1)).startswith("did not end")
