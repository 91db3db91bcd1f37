import builtins
import json
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import discreet.cli.reproduce
from discreet.cli.reproduce import _chosen
from discreet.errors import DataError
from discreet.papers import BY_NAME, LONG, PAPERS, aplkiller
from discreet.papers.recipes import SYNTHETIC, DataRecipe
from tests.cli.running import Run

SMALL = DataRecipe(name=SYNTHETIC, people=300, items=5, longest=5)
FIGURES = {
    "figure-3": partial(aplkiller.figure_3, recipe=SMALL, occurrences=(13, 80), fan_outs=(2,)),
    "figure-10": partial(aplkiller.figure_10, recipes=(SMALL,)),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discreet.cli.reproduce, "PAPERS", {"aplkiller": FIGURES})


def test_a_figure_is_written_and_told(run: Run, tmp_path: Path) -> None:
    words = ("reproduce", "aplkiller", "figure-3", "--out", tmp_path, "--rounds", 3)
    result = run(*words, "--workers", 1)
    assert result.exit_code == 0, result.stderr
    assert "figure-3" in result.stdout
    assert "30 releases were drawn now" in result.stdout
    assert "0.92" in result.stdout
    assert "figure-3: 10 of 10 points" in result.stderr
    table = pl.read_csv(tmp_path / "figure-3.csv")
    assert table.height == 40
    assert set(table["releases"]) == {3}
    asked = table.filter(pl.col("measure") == "P(APL for the target)")
    assert asked["paper"].drop_nulls().to_list() == [0.4, 0.92] * 3
    assert (tmp_path / "figure-3.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "figure-3.svg").read_text()[:500]


def test_a_second_run_computes_nothing(run: Run, tmp_path: Path) -> None:
    words = ("reproduce", "aplkiller", "3", "--out", tmp_path, "--rounds", 3, "--workers", 1)
    first, second = run(*words, "--json"), run(*words, "--json")
    one, two = json.loads(first.stdout), json.loads(second.stdout)
    assert one["releases_drawn"] == 30
    assert two["releases_drawn"] == 0
    assert one["figures"] == two["figures"]
    assert len(list((tmp_path / "points").glob("*.json"))) == 10


def test_without_a_name_there_are_all_figures(run: Run, tmp_path: Path) -> None:
    words = ("reproduce", "aplkiller", "--out", tmp_path, "--rounds", 2, "--workers", 1)
    record = json.loads(run(*words, "--json").stdout)
    assert list(record["figures"]) == list(FIGURES)
    for name, told in record["figures"].items():
        assert Path(told["table"]).name == f"{name}.csv"
        assert [Path(plot).suffix for plot in told["plots"]] == [".png", ".svg"]
        assert all(Path(plot).stat().st_size > 1000 for plot in told["plots"])
    rows = record["figures"]["figure-10"]["rows"]
    assert {row["measure"] for row in rows} >= {"relative error", "relative error reduced by"}


def test_a_point_names_all_it_depends_on(run: Run, tmp_path: Path) -> None:
    run("reproduce", "aplkiller", "fig3", "--out", tmp_path, "--rounds", 1, "--workers", 1)
    file = next((tmp_path / "points").glob("*.json"))
    record = json.loads(file.read_text())
    assert set(record["key"]) == {"data", "trial", "seed", "version"}
    assert isinstance(record["first_seed"], int)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("aplkiler",), "there is no paper called 'aplkiler'; did you mean aplkiller?"),
        (("aplkiller", "figur-3"), "there is no figure called 'figur-3'; did you mean figure-3?"),
        (("aplkiller", "99"), "there is no figure called '99'"),
    ],
)
def test_a_wrong_name_gets_a_suggestion(
    run: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    result = run("reproduce", *words, "--out", tmp_path / "new")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "new").exists()


def test_no_folder_is_made_where_the_data_are_missing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: object) -> pl.DataFrame:
        msg = "the data are not at hand"
        raise DataError(msg)

    monkeypatch.setattr(discreet.cli.reproduce, "PAPERS", {"aplkiller": {"figure-3": missing}})
    result = run("reproduce", "aplkiller", "--out", tmp_path / "new" / "figures")
    assert result.exit_code == 2
    assert "the data are not at hand" in result.stderr
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_a_file_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("reproduce", "aplkiller", "--out", tmp_path / "file" / "below")
    assert result.exit_code == 2
    assert "must be a folder that can be written" in result.stderr


def test_without_altair_there_are_tables_and_advice(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    importing = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name == "discreet.papers.drawing":
            raise ImportError(name)
        return importing(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    result = run("reproduce", "aplkiller", "3", "--out", tmp_path, "--rounds", 1, "--workers", 1)
    assert result.exit_code == 0
    assert "pip install 'discreet[plots]'" in result.stderr
    assert (tmp_path / "figure-3.csv").exists()
    assert not list(tmp_path.glob("*.png"))


def test_all_papers_end_on_one_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {"figure-3": FIGURES["figure-3"]}
    monkeypatch.setattr(discreet.cli.reproduce, "PAPERS", {"one": first, "two": first})
    result = run("reproduce", "all", "--out", tmp_path, "--rounds", 2, "--workers", 1)
    assert result.exit_code == 0, result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two", "claims.csv", "index.html"}
    claims = pl.read_csv(tmp_path / "claims.csv")
    assert set(claims["paper"]) == {"one", "two"}
    assert set(claims["comparison"]) <= {"same", "differs", "contradicts", "undecided"}
    assert claims["printed"].null_count() == 0
    page = (tmp_path / "index.html").read_text()
    assert "Papers, measured again" in page


def test_a_quick_run_draws_few_releases(run: Run, tmp_path: Path) -> None:
    run("reproduce", "aplkiller", "3", "--out", tmp_path, "--quick", "--workers", 1)
    assert set(pl.read_csv(tmp_path / "figure-3.csv")["releases"]) == {5}


def test_a_quick_run_obeys_fewer_rounds_and_says_what_it_drew(run: Run, tmp_path: Path) -> None:
    words = ("reproduce", "aplkiller", "3", "--out", tmp_path, "--workers", 1)
    few = run(*words, "--quick", "--rounds", 2).stdout
    assert set(pl.read_csv(tmp_path / "figure-3.csv")["releases"]) == {2}
    assert "20 releases were drawn now. At most 2 were requested for each point" in few
    assert "A point has at least 30" not in few
    assert "A point has at least 30" in run(*words, "--rounds", 30).stdout


def test_long_figures_are_left_out_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discreet.cli.reproduce, "PAPERS", PAPERS)
    everything = set(PAPERS["gpasn"])
    assert set(_chosen("gpasn", (), BY_NAME)) == everything - {"girvan-newman"}
    assert set(_chosen("gpasn", (), BY_NAME | LONG)) == everything - {"girvan-newman", "flixster"}
    assert set(_chosen("gpasn", ("flixster", "fig4"), BY_NAME | LONG)) == {"flixster", "figure-4"}
