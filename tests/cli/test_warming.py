import sys
from pathlib import Path

import pytest

from discreet import compiled
from discreet.cli import warming


def _compile(*seconds: float) -> None:
    """Pretend that one function after the other has to be compiled."""
    clock = iter(seconds)
    with warming.announced(lambda: next(clock)):
        told = compiled._ON_COMPILE.get()
        for _ in seconds:
            told()


def test_compiling_is_said_once_and_then_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    _compile(0, 1, 2, 6, 6)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("compiling what this needs")
    assert second == "compiling: 4 functions so far"


def test_nothing_is_said_where_nothing_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    _compile()
    assert capsys.readouterr().err == ""


def test_every_method_is_run_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    ran: list[list[str]] = []
    steps: list[tuple[int, int]] = []

    def run(words: list[str]) -> None:
        print("a release")
        ran.append(words)
        sys.exit(0)

    assert warming.warm(run, lambda done, total: steps.append((done, total))) == 0
    assert {"publish", "attack"} <= {words[0] for words in ran}
    assert steps[-1][0] == steps[-1][1] == len(steps)
    assert capsys.readouterr().out == ""


def test_each_example_has_a_folder_of_its_own() -> None:
    made = []

    def run(words: list[str]) -> None:
        if "--out" in words:
            # refused where it exists, as a release is
            made.append(Path(words[words.index("--out") + 1]))
            made[-1].mkdir()

    warming.warm(run, lambda *_: None)
    assert len(made) > 20


def test_what_is_published_is_audited_against_its_data() -> None:
    ran: list[list[str]] = []
    warming.warm(ran.append, lambda *_: None)
    audited = [words for words in ran if words[0] == "audit"]
    assert [words[:4] for words in audited if "patients.csv" in words]
    assert ["audit", "release", "--against", "baskets.csv", "--out", "audit.html"] in audited
    assert "--key" in str(audited)


def test_an_audit_that_finds_something_works() -> None:
    ran: list[str] = []

    def run(words: list[str]) -> None:
        ran.append(words[0])
        sys.exit(words[0] == "audit")

    warming.warm(run, lambda *_: None)
    # an audit that ends with 1 does not end the rest
    assert ran.index("audit") < len(ran) - 1


def test_an_example_that_fails_is_told() -> None:
    with pytest.raises(ChildProcessError, match="ended with 2"):
        warming.warm(lambda _: sys.exit(2), lambda *_: None)


def test_sets_of_many_items_are_read_as_lines_too() -> None:
    lines: list[list[str]] = []

    def run(words: list[str]) -> None:
        if words[:2] == ["profile", "wide.dat"]:
            lines.append(Path("wide.dat").read_text().splitlines())

    warming.warm(run, lambda *_: None)
    (people,) = lines
    assert len({item for basket in people for item in basket.split()}) > 64
