"""A study as a page of a few screens: the best settings that the verdict allows, and pictures.

Every number stands in the tables that are written beside the page.
"""

from importlib.metadata import version
from typing import Any, Final

from discreet.lazy import pl
from discreet.report.draw import Axis, Bar, Series, bars, plot
from discreet.report.figure import Figure
from discreet.report.page import page
from discreet.study import Study, front, summary
from discreet.study.cell import LEVELS
from discreet.study.table import SETTING

BEST: Final = 12
"""The most settings of one data set that the page lists; all are in the table beside it."""
CLAIMS: Final = 8
"""The most bars of a picture."""
REASONS: Final = 6
"""The most kinds of failures that the page lists."""
ALLOWED: Final = "allowed by the verdict"


def study_page(study: Study, table: "pl.DataFrame") -> str:
    """Return a study as one page; the tables it names lie beside it."""
    settings = numbered(front(table, study.exposure, study.loss))
    failures = _failures(table)
    best = settings.filter("best")
    return page(
        "study.html",
        study={
            "title": study.title,
            "tool": f"discreet {version('discreet')}",
            "cells": table.select([*SETTING, "seed"]).n_unique(),
            "settings": table.select(SETTING).n_unique(),
            "seeds": len(study.seeds),
            "failed": table.filter(pl.col("part") == "failed").height,
            "refused": settings.filter(pl.col("verdict") == LEVELS[-1]).height,
            "judged": settings.filter(pl.col("verdict").is_not_null()).height,
            "best": best.filter(pl.col("number") <= BEST).to_dicts(),
            "more": best.filter(pl.col("number") > BEST).height,
            "failures": failures[:REASONS],
            "further": max(0, len(failures) - REASONS),
        },
        drawings=study_figures(settings, summary(table)),
    )


def numbered(settings: "pl.DataFrame") -> "pl.DataFrame":
    """Give the best settings of each data set numbers, by what they expose and then lose."""
    ordered = settings.sort("data", "exposure", "loss", maintain_order=True)
    rank = pl.when("best").then(pl.col("best").cast(pl.Int64).cum_sum().over("data"))
    return ordered.with_columns(rank.alias("number"))


def _failures(table: "pl.DataFrame") -> list[dict[str, Any]]:
    """Return what failed or was not tried, alike ones together, the most frequent first."""
    unsaid = table.filter(pl.col("part").is_in(["failed", "skipped"]))
    return (
        unsaid.group_by("by", "note", maintain_order=True)
        .agg(pl.struct(SETTING).n_unique().alias("settings"))
        .sort("settings", descending=True, maintain_order=True)
        .to_dicts()
    )


def study_figures(settings: "pl.DataFrame", numbers: "pl.DataFrame") -> list[Figure]:
    """Return every figure of a study that its numbers allow."""
    figures = (exposure_against_loss(settings), claims_by_setting(numbers), plans(numbers))
    return [figure for figure in figures if figure is not None]


def exposure_against_loss(settings: "pl.DataFrame") -> Figure | None:
    """Draw exposure against loss, a panel for each data set and way to measure loss."""
    placed = settings.drop_nulls(["exposure", "loss"])
    if not placed.height:
        return None
    description = (
        "What the best attack gains over the base rate, against what is lost: lower left is "
        "best. The numbers are those of the table above; settings in grey should not be released."
    )
    panels = placed.select("data", "measure").unique(maintain_order=True).rows()
    svgs = [
        _trade(data, measure, placed.filter(data=data, measure=measure)) for data, measure in panels
    ]
    return Figure(
        name="exposure-against-loss",
        title="Exposure against loss",
        words=description,
        table=placed,
        svgs=tuple(svgs),
    )


def _trade(data: str, measure: str, rows: "pl.DataFrame") -> str:
    # of a file its name is enough
    short = data.rsplit("/", 1)[-1]

    refused = pl.col("verdict").is_not_null() & (pl.col("verdict") == LEVELS[-1])
    groups = {
        "best": rows.filter(~refused & pl.col("best")),
        ALLOWED: rows.filter(~refused & ~pl.col("best")),
        LEVELS[-1]: rows.filter(refused),
    }
    shown = [
        Series(
            name=name,
            points=group.select("loss", "exposure").rows(),
            labels=_labels(group) if name == "best" else (),
            pale=name == LEVELS[-1],
        )
        for name, group in groups.items()
        if group.height
    ]
    across, up = Axis(title=f"loss: {measure}"), Axis(title=f"{short}: exposure")
    return plot(f"{short}: exposure against loss", "", across, up, shown)


def _labels(best: "pl.DataFrame") -> list[str]:
    """Return the numbers of settings; those at the same place are told together, once."""
    by_point: dict[tuple[float, float], list[str]] = {}
    for loss, exposure, number in best.select("loss", "exposure", "number").rows():
        by_point.setdefault((round(loss, 2), round(exposure, 2)), []).append(str(number))
    labels = [
        by_point.pop((round(loss, 2), round(exposure, 2)), [])
        for loss, exposure in best.select("loss", "exposure").rows()
    ]
    return [", ".join(numbers) for numbers in labels]


def claims_by_setting(numbers: "pl.DataFrame") -> Figure | None:
    """Draw how many claims the attacks make that make most; of APLs, how many there are."""
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
    some = made.filter(pl.col("claims") > 0)
    most = some.sort("claims", descending=True, maintain_order=True).head(CLAIMS)
    shown = [
        Bar(
            f"{row['data']}: {row['method']} {row['parameters']}"[:58],
            row["attack"][:21],
            row["claims"],
            row["low"],
            row["high"],
        )
        for row in most.to_dicts()
    ]
    description = (
        f"Where attacks make most claims, up to {CLAIMS} of them: the mean over the seeds, and "
        "with several seeds its 95 % interval as a line. The claims of attribute-linkage are "
        "attribute privacy leakages."
    )
    title = "Claims by setting"
    svg = bars(title, description, shown, together=True)
    return Figure(name="claims-by-setting", title=title, words=description, table=made, svgs=(svg,))


def plans(numbers: "pl.DataFrame") -> Figure | None:
    """Draw what each plan of tables loses in associations against what it exposes."""
    names = {"association loss ratio": "lost", "information exposure ratio": "exposed"}
    ratios = numbers.filter(pl.col("quantity").is_in(list(names)))
    if not ratios.height:
        return None
    table = (
        ratios.with_columns(pl.col("quantity").replace(names))
        .pivot("quantity", index=list(SETTING), values="mean")
        .drop_nulls()
    )
    description = (
        "What each plan loses of the associations between sensitive attributes, over how much of "
        "one another they expose; one table for all is at the upper left, one for each attribute "
        "at the lower right."
    )
    shown = [
        Series(name=method, points=table.filter(method=method).select("lost", "exposed").rows())
        for method in table["method"].unique(maintain_order=True)
    ]
    title = "Plans of tables"
    axes = (Axis(title="association loss ratio"), Axis(title="information exposure ratio"))
    svg = plot(title, description, *axes, shown)
    return Figure(name="plans", title=title, words=description, table=table, svgs=(svg,))


LINES: Final = 6
"""The most lines of a picture: what colours tell apart."""


def curves(settings: "pl.DataFrame") -> list[Figure]:
    """Draw loss and exposure of the settings of a study over each parameter that is swept.

    Parameters
    ----------
    settings
        What ``study.front`` returns.

    Returns
    -------
    list of Figure
        One figure for each parameter with two values or more, with a picture of each quantity.
    """
    rows = [row | {"typed": _typed(row["parameters"])} for row in settings.to_dicts()]
    names = dict.fromkeys(name for row in rows for name in row["typed"])
    figures = []
    for name in names:
        svgs = [_curve(rows, name, quantity) for quantity in ("loss", "exposure")]
        if drawn := tuple(svg for svg in svgs if svg):
            description = (
                "A line for each method; other parameters, where there are some, beside it."
            )
            title = f"By {name}"
            figures.append(
                Figure(
                    name=f"by-{name}", title=title, words=description, table=settings, svgs=drawn
                )
            )
    return figures


def _typed(parameters: str) -> dict[str, float]:
    """Return the parameters that are numbers.

    >>> _typed("k=5 m=2 loss=ncp")
    {'k': 5.0, 'm': 2.0}
    """
    numbers = {}
    for setting in parameters.split(" "):
        name, _, text = setting.partition("=")
        try:
            numbers[name] = float(text)
        except ValueError:
            continue
    return numbers


def _curve(rows: list[dict[str, Any]], name: str, quantity: str) -> str | None:
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if name in row["typed"] and row[quantity] is not None:
            settings = " ".join(
                f"{other}={row['typed'][other]:g}" for other in row["typed"] if other != name
            )
            lines.setdefault(f"{row['method']} {settings}".strip(), []).append(
                (row["typed"][name], float(row[quantity]))
            )
    swept = {line: sorted(points) for line, points in lines.items() if len(points) > 1}
    if not swept:
        return None
    shown = [
        Series(name=line, points=points, kind="line") for line, points in [*swept.items()][:LINES]
    ]
    title = f"{quantity} by {name}"
    return plot(title, title, Axis(title=name), Axis(title=quantity), shown)
