"""A study as one page: the best settings, the trade between exposure and loss, every number."""

import base64
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from discreet.report.audit import NO_PLOTS
from discreet.report.figure import Figure, drawn, plots_at_hand
from discreet.report.figures import decades
from discreet.report.page import page
from discreet.study import Study, front, summary
from discreet.study.table import SETTING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["study_figures", "study_page"]

COLUMNS: Final = (
    "data", "method", "parameters", "part", "by", "quantity", "mean", "low", "high", "seeds",
)  # fmt: skip
NUMERIC: Final = ("mean", "low", "high", "seeds")


def study_page(study: Study, table: "pl.DataFrame") -> str:
    """Return a study as one self-contained page."""
    import polars as pl

    numbers, best = summary(table), front(table, study.exposure, study.loss)
    unsaid = table.filter(pl.col("part").is_in(["failed", "skipped"])).unique(
        [*SETTING, "by", "note"], maintain_order=True
    )
    at_hand = plots_at_hand()
    content = {
        "title": study.title,
        "tool": f"discreet {version('discreet')}",
        "cells": table.select([*SETTING, "seed"]).n_unique(),
        "settings": table.select(SETTING).n_unique(),
        "seeds": len(study.seeds),
        "failed": table.filter(pl.col("part") == "failed").height,
        "best": best.filter("best").sort("data", "exposure").to_dicts(),
        "parts": numbers["part"].unique(maintain_order=True).to_list(),
        "columns": COLUMNS,
        "numeric": NUMERIC,
        "rows": numbers.to_dicts(),
        "files": [_file("table.csv", table), _file("summary.csv", numbers)],
        "failures": unsaid.to_dicts(),
    }
    drawings = [drawn(each) for each in study_figures(best, numbers)] if at_hand else []
    return page(
        "study.html", study=content, drawings=drawings, no_plots="" if at_hand else NO_PLOTS
    )


def study_figures(settings: "pl.DataFrame", numbers: "pl.DataFrame") -> list[Figure]:
    """Return every figure of a study that its numbers allow."""
    figures = (exposure_against_loss(settings), claims_by_setting(numbers), plans(numbers))
    return [figure for figure in figures if figure is not None]


def exposure_against_loss(settings: "pl.DataFrame") -> Figure | None:
    """Draw exposure against loss, a panel for each data set and way to measure loss."""
    import altair as alt
    import polars as pl

    placed = settings.drop_nulls(["exposure", "loss"])
    if not placed.height:
        return None
    panel = pl.concat_str(pl.col("data"), pl.lit(": "), pl.col("measure")).alias("panel")
    rows = placed.with_columns(panel).to_dicts()
    points = (
        alt.Chart(alt.InlineData(values=rows), width=300, height=260)
        .mark_point(size=70, strokeWidth=2)
        .encode(
            x=alt.X("loss:Q", axis=alt.Axis(tickCount=5)),
            y=alt.Y("exposure:Q"),
            shape=alt.Shape("method:N"),
            color=alt.Color("method:N", scale=alt.Scale(scheme="dark2")),
            opacity=alt.condition("datum.best", alt.value(1.0), alt.value(0.35)),
        )
    )
    return Figure(
        name="exposure-against-loss",
        title="Exposure against loss",
        words="What the best attack gains over the base rate, over how wrong answers are, by data "
        "and what measures the loss; each shape is a method, and pale settings are beaten by "
        "another in the same panel.",
        table=placed,
        chart=_panels(points, "panel"),
    )


def claims_by_setting(numbers: "pl.DataFrame") -> Figure | None:
    """Draw how many claims each attack makes about each setting; of APLs, how many there are."""
    import altair as alt
    import polars as pl

    made = numbers.filter((pl.col("part") == "attack") & (pl.col("quantity") == "claims")).select(
        *SETTING,
        pl.col("by").alias("attack"),
        pl.col("mean").alias("claims"),
        pl.col("low").clip(lower_bound=0.0),
        "high",
        "seeds",
    )
    if not made.height or not made["claims"].sum():
        return None
    setting = alt.Y("setting:N", title=None, sort=None, axis=alt.Axis(labelLimit=320))
    rows = [row | {"setting": f"{row['method']} {row['parameters']}"} for row in made.to_dicts()]
    scale = alt.Scale(type="symlog")
    axis = decades(int(max(max(row["claims"], row["high"] or 0.0) for row in rows)))
    base = alt.Chart(width=300).encode(y=setting)
    points = base.mark_point(filled=False, size=50).encode(
        x=alt.X("claims:Q", scale=scale, axis=axis, title="claims"),
        shape=alt.Shape("attack:N"),
        color=alt.Color("attack:N", scale=alt.Scale(scheme="dark2")),
    )
    # grey: a rule of its own colour would put the legend there twice
    ranges = base.mark_rule(color="#888").encode(
        x=alt.X("low:Q", scale=scale, axis=axis, title="claims"), x2="high:Q", detail="attack:N"
    )
    return Figure(
        name="claims-by-setting",
        title="Claims by setting",
        words="How many claims each attack makes, as a mean over the seeds, and with several seeds "
        "its 95 % interval as a line; the claims of attribute-linkage are attribute privacy "
        "leakages.",
        table=made,
        chart=_panels(alt.layer(ranges, points, data=alt.InlineData(values=rows))),
    )


def plans(numbers: "pl.DataFrame") -> Figure | None:
    """Draw what each plan of tables loses in associations against what it exposes."""
    import altair as alt
    import polars as pl

    names = {"association loss ratio": "lost", "information exposure ratio": "exposed"}
    kept = numbers.filter(pl.col("quantity").is_in(list(names)))
    if not kept.height:
        return None
    table = (
        kept.with_columns(pl.col("quantity").replace(names))
        .pivot("quantity", index=list(SETTING), values="mean")
        .drop_nulls()
    )
    points = (
        alt.Chart(alt.InlineData(values=table.to_dicts()), width=300, height=260)
        .mark_point(size=70, strokeWidth=2)
        .encode(
            x=alt.X("lost:Q", title="association loss ratio", axis=alt.Axis(tickCount=5)),
            y=alt.Y("exposed:Q", title="information exposure ratio"),
            shape=alt.Shape("method:N"),
            color=alt.Color("method:N", scale=alt.Scale(scheme="dark2")),
        )
    )
    return Figure(
        name="plans",
        title="Plans of tables",
        words="What each plan loses of the associations between sensitive attributes, over how "
        "much of one another they expose; one table for all is at the upper left, one for each "
        "attribute at the lower right.",
        table=table,
        chart=_panels(points),
    )


def _panels(chart: Any, by: str = "data") -> Any:
    """Return a panel for each data set, or whatever else, with axes of its own."""
    import altair as alt

    panels = chart.facet(facet=alt.Facet(f"{by}:N", title=None), columns=2)
    return panels.resolve_scale(x="independent", y="independent")


def _file(name: str, table: "pl.DataFrame") -> tuple[str, str]:
    content = base64.b64encode(table.write_csv().encode()).decode()
    return name, f"data:text/csv;base64,{content}"
