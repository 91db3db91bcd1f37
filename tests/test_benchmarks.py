"""The table of benchmarks: written, kept for what did not run, and compared."""

import json
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES, PEERS, main
from benchmarks.results import COMMITTED, PAGE, Results, save, worsened


def _results(benchmark: str, **taken: float) -> Results:
    results = Results(benchmark=benchmark)
    for work, seconds in taken.items():
        results.seconds(work, seconds, 2)
    return results


def test_a_row_is_printed_as_it_comes(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = _results("one", sorting=0.5).rows
    assert (row.ours, row.beside, row.ratio) == ("0.50 s", "2 s", 0.25)
    assert capsys.readouterr().out == "sorting: 0.50 s, 0.25 of 2 s\n"


def test_what_did_not_run_keeps_its_rows(tmp_path: Path) -> None:
    table, page = tmp_path / "measured.json", tmp_path / "page.md"
    save(_results("one", sorting=0.5).rows, table, page)
    save(_results("two", reading=1).rows, table, page)
    save(_results("two", reading=3).rows, table, page)
    facts = json.loads(table.read_text())
    ratios = [(row["benchmark"], row["ratio"]) for row in facts["rows"]]
    assert ratios == [("one", 0.25), ("two", 1.5)]
    assert "| two | reading | 3.00 s | 2 s | 1.5 |" in page.read_text()


def test_a_ratio_that_grew_by_half_is_told(tmp_path: Path) -> None:
    table = tmp_path / "measured.json"
    save(_results("one", sorting=0.5, reading=1).rows, table, tmp_path / "page.md")
    assert worsened(_results("one", sorting=0.74, reading=1.4, writing=9).rows, table) == []
    (line,) = worsened(_results("one", sorting=0.5, reading=1.6).rows, table)
    assert line == "one, reading: 0.8 of 2 s, was 0.5"


@pytest.mark.parametrize("name", (*NAMES, *PEERS))
def test_every_benchmark_takes_the_table(name: str) -> None:
    first, *_ = signature(import_module(f"benchmarks.{name}").main).parameters
    assert first == "results"


@pytest.mark.parametrize(
    "name",
    ["large_universes", "leakage", "partitioning", "priv_bayes", "projections", "rho", "series",
     "series_publish", "tables"],
)  # fmt: skip
def test_without_the_papers_data_a_benchmark_is_left_out(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCREET_DATA", raising=False)
    results = Results()
    import_module(f"benchmarks.{name}").main(results)
    assert results.rows == []
    assert capsys.readouterr().out.startswith("skipped: DISCREET_DATA is not set")


def test_the_page_is_the_committed_table() -> None:
    committed = json.loads(COMMITTED.read_text())
    assert {row["benchmark"] for row in committed["rows"]} <= {*NAMES, *PEERS}
    page = PAGE.read_text()
    assert all(f"| {row['work']} | {row['ours']} |" in page for row in committed["rows"])


@pytest.mark.parametrize("args", [["--help"], ["reeding"], ["--sav"]])
def test_what_is_no_benchmark_runs_nothing(
    args: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", *args])
    with pytest.raises(SystemExit):
        main()
    printed = capsys.readouterr()
    assert "reading_memory" in printed.out + printed.err or "--sav" in args
    assert "==" not in printed.out
