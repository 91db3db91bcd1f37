from collections.abc import Iterator

import polars as pl
import pytest

from discreet.counts import AplKiller, DiffPart
from discreet.errors import InfeasibleError
from discreet.papers import PAPERS, Lab, aplkiller
from discreet.papers.recipes import SYNTHETIC, DataRecipe, made
from discreet.papers.settings import Setting

SMALL = DataRecipe(name=SYNTHETIC, people=300, items=5, longest=5)
LARGE = DataRecipe(name=SYNTHETIC, people=300, items=70, longest=4)
COLUMNS = [
    *("figure", "data", "method", "publisher", "against"),
    *("epsilon", "theta", "c1", "fan_out", "occurrences"),
    *("measure", "value", "low", "high", "releases", "paper", "printed_as", "refused", "note"),
]


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(rounds=2, workers=1) as lab:
        yield lab


def target(table: pl.DataFrame, *, ours: bool = False) -> pl.DataFrame:
    asked = pl.col("measure") == "P(APL for the target)"
    return table.filter(asked & (pl.col("method").is_in(aplkiller.OURS) == ours))


def test_every_figure_of_the_issue_is_there() -> None:
    numbers = [name.removeprefix("figure-") for name in PAPERS["aplkiller"]]
    assert numbers == ["table-6", "3", "4", "5", "7", "8", "9", "10", "11"]


def test_figure_3_varies_c1_and_occurrences(lab: Lab) -> None:
    table = aplkiller.figure_3(lab, recipe=SMALL, occurrences=(13, 80), fan_outs=(2,))
    assert table.columns == COLUMNS
    asked = target(table)
    assert asked["c1"].to_list() == [0.1, 0.1, 0.5, 0.5, 1.0, 1.0]
    assert asked["occurrences"].to_list() == [13, 80] * 3
    assert asked["paper"].to_list() == [0.4, 0.92] * 3
    younger = target(table, ours=True)
    assert younger["method"].to_list() == ["counts", "counts, tau 0.9"] * 2
    assert set(younger["value"]) == {0.0}
    assert set(table["releases"]) == {2}
    assert ((table["low"] <= table["value"]) & (table["value"] <= table["high"])).all()


def test_figure_4_varies_epsilon(lab: Lab) -> None:
    asked = target(aplkiller.figure_4(lab, recipe=SMALL, occurrences=(13,), fan_outs=(2,)))
    assert asked["epsilon"].to_list() == [0.4, 0.8, 1.2, 1.6, 2.0]
    assert asked["paper"].to_list() == [0.4, 0.4, 0.4, 0.6, 0.4]


def test_figure_8_shows_nothing_for_aplkiller(lab: Lab) -> None:
    table = aplkiller.figure_8(lab, recipe=SMALL, occurrences=(13, 60, 80), fan_outs=(2,))
    killer = table.filter(pl.col("method") == "apl-killer")
    leaks = killer.filter(pl.col("measure").is_in(["P(APL for the target)", "P(any APL)"]))
    assert set(leaks["value"]) == set(leaks["paper"]) == {0.0}
    assert set(killer["occurrences"]) == {13, 80}
    assert set(table["method"]) == {"apl-killer", "diff-part", *aplkiller.OURS}


def test_figures_5_and_9_are_about_priv_bayes(lab: Lab) -> None:
    five, nine = (
        target(figure(lab, recipe=SMALL)) for figure in (aplkiller.figure_5, aplkiller.figure_9)
    )
    assert five.height == 20
    assert set(five["theta"]) == {4.0, 5.0}
    bayes = nine.filter(pl.col("method") == "priv-bayes")
    assert bayes["value"].to_list() == five["value"].to_list()
    assert set(bayes["paper"]) == {0.972}
    assert set(nine.filter(pl.col("method") == "apl-killer")["value"]) == {0.0}


def test_figure_7_is_ratios(lab: Lab) -> None:
    table = aplkiller.figure_7(lab, recipes=(SMALL, LARGE))
    ratios = table.filter(pl.col("measure") == "time ratio")
    assert (ratios["value"] > 0).all()
    against = ratios.group_by("data").agg(pl.col("method").unique().sort()).sort("data")
    assert against["method"].to_list() == [
        ["apl-killer / diff-part", "apl-killer / priv-bayes", "counts / diff-part"],
        ["apl-killer / diff-part", "counts / diff-part"],
    ]


def test_figure_10_compares_and_marks_what_is_not_private(lab: Lab) -> None:
    table = aplkiller.figure_10(lab, recipes=(SMALL, LARGE))
    errors = table.filter(pl.col("measure") == "relative error")
    assert errors.filter(pl.col("data") == SMALL.label).height == 3 * 3 * 5 + 2 * 5
    assert errors.filter(pl.col("data") == LARGE.label).height == 2 * 3 * 5 + 2 * 5
    printed = table.filter(pl.col("method") == "apl-killer as printed")
    assert set(printed["note"]) == {"not differentially private"}


def test_a_reduction_is_the_mean_over_the_budgets(lab: Lab) -> None:
    table = aplkiller.figure_11(lab, recipe=SMALL)
    claims = table.filter(pl.col("measure") == "relative error reduced by")
    wanted = (pl.col("c1") == 0.1) & (pl.col("fan_out") == 2)
    errors = table.filter(wanted & (pl.col("measure") == "relative error"))
    ours, theirs = (
        errors.filter(pl.col("method") == name)["value"] for name in ("apl-killer", "diff-part")
    )
    claim = claims.filter(wanted & pl.col("method").str.ends_with("diff-part"))
    assert claim["value"].item() == pytest.approx((1 - ours / theirs).mean())
    assert claim["paper"].item() == 0.068
    assert claim["low"].item() <= claim["value"].item() <= claim["high"].item()
    bayes = claims.filter(pl.col("method").str.ends_with("priv-bayes"))
    assert bayes.height == 2 * 2 * 2
    assert set(bayes["paper"]) == {0.491}


def test_a_refused_setting_is_a_row_with_the_reason(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: DiffPart, _data: object, _rng: object) -> None:
        msg = "noise explodes"
        raise InfeasibleError(msg)

    monkeypatch.setattr(DiffPart, "publish", refuse)
    table = aplkiller.figure_3(lab, recipe=SMALL, occurrences=(13,), fan_outs=(2,))
    refused = table.filter(pl.col("method") == "diff-part")
    assert set(refused["refused"]) == {"noise explodes"}
    assert refused["value"].null_count() == refused.height == 3
    assert set(refused["releases"]) == {0}


def test_a_setting_is_the_publisher_it_names() -> None:
    plain = Setting(recipe=LARGE, method="diff-part", epsilon=0.5, c1=0.1, fan_out=2)
    assert plain.publisher() == DiffPart(
        epsilon=0.5, c1=0.1, c2=1, fan_out=2, max_size=4, universe=made(LARGE).universe
    )
    printed = Setting(recipe=SMALL, method="apl-killer as printed", c1=1.0, fan_out=4).publisher()
    assert isinstance(printed, AplKiller)
    assert printed.par == printed.empty_tests == printed.boundary_noise == "paper"


def test_table_6_has_the_papers_sizes(data_folder: object, lab: Lab) -> None:
    assert data_folder
    table = aplkiller.table_6(lab).filter(pl.col("data") != "checkin")
    assert table["value"].to_list() == table["paper"].to_list()
    assert table.height == 9
