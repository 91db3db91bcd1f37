import json
from fractions import Fraction

import numpy as np
import pytest

from discreet.cli import show


def test_json_is_strict(capsys: pytest.CaptureFixture[str]) -> None:
    record = {
        "budget": Fraction(1, 3),
        "error": float("nan"),
        "most": np.float64("inf"),
        "count": np.int64(3),
        "items": ("a", "b"),
        "none": None,
        "yes": True,
    }
    show.as_json(record)
    assert json.loads(capsys.readouterr().out, parse_constant=pytest.fail) == {
        "budget": "1/3",
        "error": None,
        "most": None,
        "count": 3,
        "items": ["a", "b"],
        "none": None,
        "yes": True,
    }


def test_facts_are_readable(capsys: pytest.CaptureFixture[str]) -> None:
    show.facts({"total_count": 1234567, "error": 0.123456, "nested": {"a_b": None}, "ok": True})
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    assert [[part.strip() for part in line if part] for line in lines] == [
        ["total count", "1,234,567"],
        ["error", "0.1235"],
        ["nested: a b", "-"],
        ["ok", "yes"],
    ]


def test_a_large_set_is_cut() -> None:
    assert show.items([str(number) for number in range(10)]).endswith("7 and 2 more")


def test_warnings_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    show.warn("careful \x1b[31m")
    show.loud("stop")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "warning: careful \\x1b[31m" in printed.err
    assert "WARNING: stop" in printed.err


def test_progress_is_shown_to_people_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with show.working("reading"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with show.working("reading [bold]"):
        pass
    assert "reading [bold]" in capsys.readouterr().err


@pytest.mark.parametrize(("columns", "widest"), [("50", 50), ("7", 40), ("200", 200)])
def test_tables_are_as_wide_as_columns_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str, widest: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    show.table(("name", "meaning"), [("a name", "word " * 80)])
    lines = capsys.readouterr().out.splitlines()
    assert widest - 10 < max(map(len, lines)) <= widest
