"""A study as one page: the best settings, the trade between exposure and loss, every number."""

import base64
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from discreet.report.audit import NO_PLOTS
from discreet.report.figure import Figure, drawn, plots_at_hand
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
    drawings = [drawn(each) for each in study_figures(best)] if at_hand else []
    return page(
        "study.html", study=content, drawings=drawings, no_plots="" if at_hand else NO_PLOTS
    )


def study_figures(settings: "pl.DataFrame") -> list[Figure]:
    """Return exposure against loss, a panel for each data set."""
    import altair as alt

    if not settings.height:
        return []
    points = (
        alt.Chart(alt.InlineData(values=settings.to_dicts()), width=300, height=260)
        .mark_point(size=70, strokeWidth=2)
        .encode(
            x=alt.X("loss:Q"),
            y=alt.Y("exposure:Q"),
            shape=alt.Shape("method:N"),
            color=alt.Color("method:N", scale=alt.Scale(scheme="dark2")),
            opacity=alt.condition("datum.best", alt.value(1.0), alt.value(0.35)),
            tooltip=["method:N", "parameters:N", "exposure:Q", "loss:Q", "attack:N", "measure:N"],
        )
    )
    chart = points.facet(facet=alt.Facet("data:N", title=None), columns=2).resolve_scale(
        x="independent", y="independent"
    )
    return [
        Figure(
            name="exposure-against-loss",
            title="Exposure against loss",
            words="What the best attack gains over the base rate, over how wrong answers are; each "
            "shape is a method, and pale settings are beaten by another in both.",
            table=settings,
            chart=chart,
        )
    ]


def _file(name: str, table: "pl.DataFrame") -> tuple[str, str]:
    content = base64.b64encode(table.write_csv().encode()).decode()
    return name, f"data:text/csv;base64,{content}"
