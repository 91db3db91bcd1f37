"""Figures as plots: our values with their intervals, the paper's printed numbers as diamonds."""

from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from discreet.lazy import pl
from discreet.papers.claims import AS_PRINTED, REDUCTION
from discreet.papers.trials import ERROR, RATIO, SOME, TARGET

PANEL = 190
"""Width and height of one panel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """Which column of a table is drawn as what."""

    measures: tuple[str, ...] = (TARGET,)
    x: str
    colour: tuple[str, ...]
    dash: str = ""
    row: tuple[str, ...] = ()
    column: tuple[str, ...] = ()
    scale: Literal["linear", "log"] = "linear"


TWO = (TARGET, SOME)
SHAPES = {
    "aplkiller figure-3": _Shape(x="occurrences", colour=("c1",), column=("fan_out",)),
    "aplkiller figure-4": _Shape(x="occurrences", colour=("epsilon",), column=("fan_out",)),
    "aplkiller figure-5": _Shape(x="epsilon", colour=("theta",), measures=TWO, column=("measure",)),
    "aplkiller figure-7": _Shape(x="c1", colour=("method",), column=("data",), measures=(RATIO,)),
    "aplkiller figure-8": _Shape(
        x="occurrences", colour=("epsilon", "c1"), row=("method",), column=("fan_out",)
    ),
    "aplkiller figure-9": _Shape(
        x="epsilon", colour=("method", "theta"), measures=TWO, column=("measure",)
    ),
    "aplkiller figure-10": _Shape(
        x="epsilon",
        colour=("method",),
        row=("data",),
        column=("c1",),
        measures=(ERROR,),
        scale="log",
    ),
    "aplkiller figure-11": _Shape(
        x="epsilon",
        colour=("method", "theta"),
        dash="c1",
        column=("fan_out",),
        measures=(ERROR,),
        scale="log",
    ),
}
WORDS = {"fan_out": "fan-out ", "c1": "c1 ", "epsilon": "epsilon ", "theta": "theta "}
"""What stands before a number in a label."""


def drawn(table: pl.DataFrame) -> Any:
    """Return the table as an altair chart, or nothing where a plot would say no more."""
    shape = SHAPES.get(table["figure"][0])
    if shape is None:
        return None
    chart = _curves(table.filter(pl.col("measure").is_in(shape.measures)), shape)
    claims = table.filter(pl.col("measure") == REDUCTION)
    if claims.height:
        chart = alt.vconcat(chart, _bars(claims)).resolve_scale(color="independent")
    paper, figure = table["figure"][0].split()
    title = f"{figure.replace('-', ' ').capitalize()} of {paper}, re-measured"
    below = "lines: ours with 95 % intervals; black diamonds: the paper, where it prints a number"
    return chart.properties(title=alt.Title(title, subtitle=below, anchor="start"))


def _label(names: tuple[str, ...]) -> pl.Expr:
    """Return several columns as the words of one label; what is missing is left out."""
    words = [
        pl.when(pl.col(name).is_null())
        .then(None)
        .otherwise(pl.lit(WORDS.get(name, "")) + _text(name))
        for name in names
    ]
    return pl.concat_str(words, separator=", ", ignore_nulls=True) if words else pl.lit("")


def _text(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.String).str.strip_suffix(".0")


def _curves(rows: pl.DataFrame, shape: _Shape) -> Any:
    labelled = rows.select(
        pl.col(shape.x).alias("x"),
        "value",
        "low",
        "high",
        "paper",
        _label(shape.colour).alias("curve"),
        _label((shape.dash,) if shape.dash else ()).alias("dash"),
        _label(shape.row).alias("row"),
        _label(shape.column).alias("column"),
    )
    kind = alt.Scale(type=shape.scale, zero=shape.scale == "linear")
    x = alt.X("x:Q", title=shape.x, scale=alt.Scale(zero=False, padding=8))
    colour = alt.Color("curve:N", title=None, sort=None)
    base = alt.Chart().encode(x=x)
    line = base.mark_line(point=True).encode(
        y=alt.Y("value:Q", title=shape.measures[0], scale=kind), color=colour
    )
    if shape.dash:
        line = line.encode(strokeDash=alt.StrokeDash("dash:N", title=None, sort=None))
    layers = alt.layer(
        line,
        base.mark_rule(opacity=0.6).encode(y="low:Q", y2="high:Q", color=colour),
        base.transform_filter("isValid(datum.paper)")
        .mark_point(shape="diamond", size=70, color="black", filled=True, opacity=0.9)
        .encode(y="paper:Q"),
        data=labelled,
    ).properties(width=PANEL, height=PANEL)
    panels: dict[str, Any] = {}
    if shape.row:
        panels["row"] = alt.Row("row:N", title=None, sort=_order(labelled["row"]))
    if shape.column:
        panels["column"] = alt.Column("column:N", title=None, sort=_order(labelled["column"]))
    return layers.facet(**panels) if panels else layers


def _order(labels: pl.Series) -> list[str]:
    """Return the labels in the order of the table; by themselves panels sort as text."""
    return labels.unique(maintain_order=True).to_list()


def _bars(rows: pl.DataFrame) -> Any:
    names = ("data", "method", "c1", "fan_out", "theta")
    labelled = rows.filter(pl.col("against") != AS_PRINTED).select(
        "value", "low", "high", "paper", _label(names).alias("pair")
    )
    side = alt.Y("pair:N", title=None, sort=None, axis=alt.Axis(labelLimit=500))
    base = alt.Chart(labelled).encode(y=side)
    return alt.layer(
        base.mark_bar(opacity=0.7).encode(
            x=alt.X("value:Q", title="relative error reduced by (mean over epsilon)")
        ),
        base.mark_rule().encode(x="low:Q", x2="high:Q"),
        base.transform_filter("isValid(datum.paper)")
        .mark_point(shape="diamond", size=70, color="black", filled=True)
        .encode(x="paper:Q"),
    ).properties(width=2 * PANEL)
