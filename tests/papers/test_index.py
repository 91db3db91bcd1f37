"""Claims beside ours: what is the same, what is not, and that every difference has a reason."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.papers import PAPERS
from discreet.papers.explanations import REASONS
from discreet.papers.figure import row_of, table_of
from discreet.papers.index import compared_claims

TABLES = Path(__file__).parents[2] / "docs" / "reproduction" / "tables"


def claim(value: float, paper: float, **more: Any) -> dict[str, Any]:
    row = {"data": "msnbc"} | row_of("diff-part", "P(APL for the target)", value, paper) | more
    (told,) = compared_claims({"aplkiller": [table_of("aplkiller figure-3", [row])]}).to_dicts()
    return told


def test_a_difference_comes_with_its_reason() -> None:
    assert claim(0.92, 0.92)["why"] == ""
    told = claim(0.7, 0.92)
    assert told["comparison"] == "differs"
    assert told["why"].startswith("the fan-out is not printed")


def test_a_printed_bound_may_be_exceeded() -> None:
    bound = {"printed_as": "at least"}
    assert claim(0.82, 0.4, **bound)["comparison"] == "same"
    assert claim(0.82, 0.4)["comparison"] == "contradicts"
    assert claim(0.1, 0.4, **bound)["comparison"] == "contradicts"


def test_an_interval_that_holds_the_claim_and_its_contrary_decides_nothing() -> None:
    wide = claim(0.5, 0.4, low=0.1, high=0.9)
    assert wide["comparison"] == "undecided"
    assert "too wide to decide" in wide["why"]
    assert claim(0.41, 0.4, low=0.3, high=0.5)["comparison"] == "same"
    # it holds numbers far off, but not the printed one
    assert claim(0.9, 0.4, low=0.5, high=1.3)["comparison"] == "contradicts"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_difference_that_was_measured_has_a_reason(paper: str) -> None:
    tables = [
        pl.read_csv(file, infer_schema_length=None)
        for file in sorted((TABLES / paper).glob("*.csv"))
    ]
    assert tables, f"docs/reproduction/tables/{paper} must hold the tables of the paper"
    claims = compared_claims({paper: tables})
    differ = claims.filter(pl.col("comparison") != "same")
    assert differ.filter(pl.col("why") == "").is_empty()


def test_every_reason_is_about_a_figure_that_there_is() -> None:
    for reason in REASONS:
        assert set(reason.figure) <= {
            f"{paper} {name}" for paper in PAPERS for name in PAPERS[paper]
        }
