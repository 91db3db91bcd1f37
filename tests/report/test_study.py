"""The page of a study: the best that may be released, a few screens, nothing from outside."""

import re
from typing import Any

import polars as pl
import pytest

from discreet.report import study_page
from discreet.report.study import BEST, curves, study_figures
from discreet.study import Study, studied
from discreet.study.file import study_of
from tests.report.test_pages import faults


def test_a_study_has_the_figures_that_its_numbers_allow() -> None:
    def row(method: str, part: str, by: str, quantity: str, mean: float) -> dict[str, Any]:
        return {
            "data": "d", "method": method, "parameters": "k=2", "part": part, "by": by,
            "quantity": quantity, "mean": mean, "low": mean - 9, "high": mean + 9, "seeds": 2,
        }  # fmt: skip

    numbers = [
        row("codip", "attack", "skewness", "claims", 7.0),
        row("codip", "measure", "ProjectedTables", "association loss ratio", 0.2),
        row("codip", "measure", "ProjectedTables", "information exposure ratio", 0.5),
    ]
    settings = [
        {"data": "d", "method": "codip", "parameters": "k=2", "exposure": 0.1, "loss": 0.2,
         "attack": "skewness", "measure": "association loss ratio", "best": True,
         "verdict": "release", "number": 1}
    ]  # fmt: skip
    figures = study_figures(pl.DataFrame(settings), pl.DataFrame(numbers))
    assert [figure.name for figure in figures] == [
        "exposure-against-loss",
        "claims-by-setting",
        "plans",
    ]
    assert all("<svg" in figure.svgs[0] for figure in figures)
    # fewer than none cannot be claimed
    assert figures[1].table.select("claims", "low", "high", "seeds").row(0) == (7.0, 0.0, 16.0, 2)
    without = study_figures(pl.DataFrame(settings), pl.DataFrame(numbers).head(0))
    assert [figure.name for figure in without] == ["exposure-against-loss"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("study")
    (folder / "baskets.dat").write_text("1 2\n" * 60 + "2 3\n" * 40 + "3\n" * 20 + "4 5\n")
    return study_of(
        {
            "title": "Baskets, <compared>",
            "seeds": 2,
            "data": [{"name": "baskets", "source": str(folder / "baskets.dat")}],
            "publish": [
                {"method": "sparse-histogram", "epsilon": [1, 30]},
                {"method": "km-anonymity", "k": [2, 5], "m": 2},
            ],
        }
    )


@pytest.fixture(scope="module")
def table(study: Study) -> pl.DataFrame:
    return studied(study, workers=1)


def test_families_are_compared_by_one_loss(study: Study, table: pl.DataFrame) -> None:
    page = study_page(study, table)
    assert "Baskets, &lt;compared&gt;" in page
    assert faults(page) == []
    assert page.count("error of counts of items and pairs") >= 2
    # an epsilon of 30 is not for release, whatever it keeps
    best = page[page.index("Best settings") : page.index("<figure")]
    assert ">km-anonymity</td>" in best
    assert "epsilon=30" not in best
    assert "1 is left out" in best


def test_the_rest_is_in_the_tables_beside_the_page(study: Study, table: pl.DataFrame) -> None:
    page = study_page(study, table)
    assert "front.csv" in page
    assert "<script" not in page
    named = re.findall(r"""(?:src|href)\s*=\s*["']([^"']+)""", page)
    assert all(address.startswith(("data:", "#")) for address in named)
    many = [
        table.with_columns(pl.col("parameters") + f" n={number}", pl.col("value") + number / 1000)
        for number in range(40)
    ]
    long = study_page(study, pl.concat(many))
    assert long.count("<tr>") < 2 * BEST + 40
    assert len(long) < 6 * len(page)


def test_what_failed_is_told_once_with_how_often(study: Study, table: pl.DataFrame) -> None:
    failed = table.head(2).with_columns(
        part=pl.lit("failed"),
        by=pl.lit("codip"),
        note=pl.lit("too few people"),
        parameters=pl.Series(["k=1", "k=9"]),
    )
    page = study_page(study, pl.concat([table, failed]))
    assert page.count("too few people") == 1
    assert "2 could not be published" in page


def _settings(rows: list[tuple[str, str, float | None, float | None]]) -> pl.DataFrame:
    names = ["method", "parameters", "loss", "exposure"]
    return pl.DataFrame(rows, schema=names, orient="row")


def test_a_parameter_with_several_values_is_a_curve() -> None:
    rows = [(name, f"k={k} m=2", k / 10, 0.5) for name in ("km", "lkc") for k in (2, 5, 9)]
    (figure,) = curves(_settings(rows))
    assert figure.title == "By k"
    assert len(figure.svgs) == 2
    assert "km m=2" in figure.svgs[0]
    assert "lkc m=2" in figure.svgs[1]


def test_one_value_or_no_number_is_no_curve() -> None:
    assert curves(_settings([("km", "k=2 loss=ncp", 0.1, 0.2), ("lkc", "k=5", 0.1, 0.2)])) == []
    (figure,) = curves(_settings([("km", "k=2", 0.1, None), ("km", "k=5", 0.3, None)]))
    assert len(figure.svgs) == 1
