from typing import Any

import pytest

from discreet.papers import Lab, aplkiller
from discreet.papers.drawing import SHAPES, drawn
from discreet.papers.recipes import SYNTHETIC, DataRecipe

SMALL = DataRecipe(name=SYNTHETIC, people=200, items=4, longest=4)


def test_there_is_a_plot_of_every_figure_but_not_of_a_table() -> None:
    assert set(SHAPES) == {f"aplkiller {name}" for name in aplkiller.FIGURES if name != "table-6"}


@pytest.mark.parametrize(
    ("figure", "settings"),
    [
        (aplkiller.figure_4, {"recipe": SMALL, "occurrences": (13, 80), "fan_outs": (2, 10, 4)}),
        (aplkiller.figure_7, {"recipes": (SMALL,)}),
        (aplkiller.figure_9, {"recipe": SMALL}),
        (aplkiller.figure_11, {"recipe": SMALL}),
    ],
)
def test_a_plot_holds_our_values_and_the_papers(figure: Any, settings: dict[str, Any]) -> None:
    with Lab(rounds=1, workers=1) as lab:
        table = figure(lab, **settings)
    chart = drawn(table).to_dict()
    points = [row for rows in chart["datasets"].values() for row in rows]
    for name in ("value", "paper"):
        shown = {row[name] for row in points if row[name] is not None}
        assert shown <= set(table[name].drop_nulls())
        assert shown


def test_panels_stand_in_the_order_of_the_table() -> None:
    with Lab(rounds=1, workers=1) as lab:
        table = aplkiller.figure_4(lab, recipe=SMALL, occurrences=(13,), fan_outs=(2, 10, 4))
    order = drawn(table).to_dict()["facet"]["column"]["sort"]
    # a method without a fan-out has a panel of its own, without a heading
    assert order == ["fan-out 2", "fan-out 10", "fan-out 4", ""]


def test_a_table_is_not_drawn(lab_table: Any) -> None:
    assert drawn(lab_table) is None


@pytest.fixture
def lab_table() -> Any:
    with Lab(rounds=1, workers=1) as lab:
        table = aplkiller.figure_5(lab, recipe=SMALL)
    return table.with_columns(
        figure=table["figure"].replace("aplkiller figure-5", "aplkiller table-6")
    )
