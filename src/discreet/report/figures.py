"""The plots of an audit: each is drawn where what it needs is there."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.histogram import ItemsetHistogram
from discreet.core.network import SocialNetwork
from discreet.core.projected_tables import ProjectedTables
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.synthetic_people import PublishedCounts, counts_in
from discreet.core.transactions import Transactions
from discreet.counts import workload_of
from discreet.measure import answers, relative_error
from discreet.report.figure import Figure
from discreet.report.lattice import lattice_of_plans
from discreet.report.posterior import posterior_and_rate
from discreet.study import Evidence, Examination

__all__ = ["FIGURES", "audit_figures", "decades"]

WIDTH, HEIGHT = 520, 260
BINS: Final = (0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000)
"""Where classes of query support begin."""


def audit_figures(found: Examination, evidence: Evidence) -> Iterator[Figure]:
    """Give every figure that can be drawn of a release and what lies beside it."""
    for draw in FIGURES:
        figure = draw(found, evidence)
        if figure is not None:
            yield figure


def claims_by_confidence(found: Examination, _evidence: Evidence) -> Figure | None:
    """Draw how many claims each attack makes, by how sure it is."""
    import altair as alt
    import polars as pl

    counted: dict[tuple[str, int], int] = {}
    for attempt in found.attempts:
        for claim in attempt.findings.claims if attempt.findings else ():
            place = (attempt.entry.name, min(9, int(claim.confidence * 10)))
            counted[place] = counted.get(place, 0) + 1
    if not counted:
        return None
    table = pl.DataFrame(
        [
            {"attack": name, "confidence": f"{band * 10} to {band * 10 + 10} %", "claims": many}
            for (name, band), many in sorted(counted.items())
        ]
    )
    bands = [f"{band * 10} to {band * 10 + 10} %" for band in range(9, -1, -1)]
    bars = alt.Chart(width=WIDTH, height=alt.Step(20)).encode(
        x=alt.X("claims:Q", axis=alt.Axis(format=",d", tickMinStep=1, tickCount=6)),
        y=alt.Y("confidence:N", sort=bands, title="confidence"),
    )
    many = bars.mark_text(align="left", dx=4).encode(text=alt.Text("claims:Q", format=",d"))
    head = alt.Header(labelOrient="top", labelAnchor="start", labelFontWeight="bold")
    chart = (
        alt.layer(bars.mark_bar(color="#555"), many, data=_rows(table))
        .facet(row=alt.Row("attack:N", title=None, header=head))
        # an attack with few claims is to be seen beside one with many
        .resolve_scale(x="independent", y="independent")
    )
    return Figure(
        name="claims-by-confidence",
        title="Claims by confidence",
        words="How many claims each attack makes, by how sure it is of them.",
        table=table,
        chart=chart,
    )


def supports_before_and_after(found: Examination, evidence: Evidence) -> Figure | None:
    """Draw each item's support in the release over its support in the data."""
    import altair as alt
    import polars as pl

    content, data = found.release.content, evidence.original
    data = data.people if isinstance(data, SocialNetwork) else data
    after = _supports(content)
    if not isinstance(data, Transactions) or after is None:
        return None
    table = pl.DataFrame(
        {
            "before": data.supports,
            "after": [after.get(item, 0) for item in data.universe],
        }
    ).filter(pl.col("before") > 0)
    most = int(max(table["before"].max() or 1, table["after"].max() or 1))  # type: ignore[arg-type]
    scale, axis = alt.Scale(type="symlog"), decades(most)
    points = (
        alt.Chart(_rows(table), width=WIDTH, height=HEIGHT + 60)
        .mark_point(color="#333", filled=False, size=30)
        .encode(
            x=alt.X("before:Q", scale=scale, axis=axis), y=alt.Y("after:Q", scale=scale, axis=axis)
        )
    )
    same = (
        alt.Chart(
            alt.InlineData(values=[{"before": 0, "after": 0}, {"before": most, "after": most}])
        )
        .mark_line(color="#999", strokeDash=[4, 4])
        .encode(x="before:Q", y="after:Q")
    )
    return Figure(
        name="supports",
        title="Supports before and after",
        words="People who hold each item in the data, and in the release; there, of an item that "
        "was generalised, people who hold what it became. On the dashed line both are the same.",
        table=table,
        chart=same + points,
    )


def _supports(content: Any) -> dict[str, int] | None:
    """Return how many people hold each item in a release, or what it became."""
    if isinstance(content, GeneralisedSets):
        many = content.supports.tolist()
        return {item: many[block] for item, block in content.block_of.items()}
    if isinstance(content, ItemsetHistogram | Transactions):
        return dict(zip(content.sets.vocabulary, content.supports.tolist(), strict=True))
    if isinstance(content, SetsWithNetwork):
        return _supports(Transactions(content.sets))
    return None


def decades(most: int) -> Any:
    """Return an axis that begins at 0 and shows powers of ten; its scale is symlog."""
    import altair as alt

    return alt.Axis(values=[0, *(10**power for power in range(len(str(most))))], format=",d")


def error_by_support(found: Examination, evidence: Evidence) -> Figure | None:
    """Draw the relative error of counting queries by how many people they are about."""
    import altair as alt
    import polars as pl

    content, data = found.release.content, evidence.original
    if not isinstance(data, Transactions) or not isinstance(content, PublishedCounts):
        return None
    work = workload_of(data)
    errors = relative_error(work.true, answers(counts_in(content), work.asked), work.sanity)
    places = np.searchsorted(np.array(BINS), work.true, side="right") - 1
    table = (
        pl.DataFrame({"place": places, "error": errors})
        .group_by("place")
        .agg(pl.col("error").mean(), pl.len().alias("queries"))
        .sort("place")
        .with_columns(pl.col("place").map_elements(_class, return_dtype=pl.String).alias("support"))
        .select("support", "error", "queries")
    )
    chart = (
        alt.Chart(_rows(table), width=WIDTH, height=HEIGHT)
        .mark_line(color="#333", point=alt.OverlayMarkDef(color="#333", shape="square"))
        .encode(
            x=alt.X(
                "support:N",
                sort=None,
                title="people who hold the itemset",
                axis=alt.Axis(labelAngle=0),
            ),
            y=alt.Y("error:Q", title="mean relative error"),
        )
    )
    return Figure(
        name="error-by-support",
        title="Error by query support",
        words="The mean relative error of counting queries, by how many people they are about.",
        table=table,
        chart=chart,
    )


def _class(place: int) -> str:
    last = place + 1 >= len(BINS)
    low, high = BINS[place], None if last else BINS[place + 1] - 1
    return (
        f"{low:,} or more" if high is None else f"{low:,}" if low == high else f"{low:,}-{high:,}"
    )


def degree_distributions(found: Examination, evidence: Evidence) -> Figure | None:
    """Draw how many people have how many friends, in the release and in the data."""
    import altair as alt
    import polars as pl

    content, data = found.release.content, evidence.original
    if not isinstance(content, SetsWithNetwork | Network):
        return None
    parts = [("release", _degrees(content))]
    if isinstance(data, SocialNetwork | Network):
        parts.append(("data", _degrees(data)))
    table = pl.concat(
        [
            pl.DataFrame({"degree": degrees}).group_by("degree").len("people").sort("degree")
            .with_columns(pl.lit(name).alias("of"))
            for name, degrees in parts
        ]
    )  # fmt: skip
    chart = (
        alt.Chart(_rows(table), width=WIDTH, height=HEIGHT)
        .mark_point(filled=False, size=40)
        .encode(
            x=alt.X("degree:Q", scale=alt.Scale(type="symlog"), title="friends"),
            y=alt.Y("people:Q", scale=alt.Scale(type="log")),
            shape=alt.Shape("of:N", title=None),
            color=alt.Color("of:N", title=None, scale=alt.Scale(range=["#000", "#888"])),
        )
    )
    return Figure(
        name="degrees",
        title="Degree distributions",
        words="How many people have how many friends.",
        table=table,
        chart=chart,
    )


def _degrees(graph: Any) -> Any:
    return np.bincount(graph.edges.ravel(), minlength=len(graph)).astype(np.int64)


def plan(found: Examination, _evidence: Evidence) -> Figure | None:
    """Draw which sensitive attribute stands in which table."""
    import altair as alt
    import polars as pl

    content = found.release.content
    if not isinstance(content, ProjectedTables):
        return None
    table = pl.DataFrame(
        [
            {"attribute": name, "table": f"table {number}", "rows": part.height}
            for number, (part, names) in enumerate(
                zip(content.parts, content.sensitive, strict=True), start=1
            )
            for name in names
        ],
        schema={"attribute": pl.String, "table": pl.String, "rows": pl.Int64},
    )
    if not table.height:
        return None
    chart = (
        alt.Chart(_rows(table), width=40 * len(content.parts), height=14 * table.height)
        .mark_point(filled=True, color="#333", size=60, shape="square")
        .encode(
            x=alt.X("table:N", sort=None, title=None),
            y=alt.Y("attribute:N", sort=None, title=None),
        )
    )
    return Figure(
        name="plan",
        title="The plan of the tables",
        words="Which sensitive attribute stands in which table; those of one table can be joined.",
        table=table,
        chart=chart,
    )


def _rows(table: Any) -> Any:
    import altair as alt

    # values, not a frame: the chart carries its numbers along
    return alt.InlineData(values=table.to_dicts())


FIGURES: Final[tuple[Callable[[Examination, Evidence], Figure | None], ...]] = (
    claims_by_confidence,
    posterior_and_rate,
    degree_distributions,
    plan,
    lattice_of_plans,
    error_by_support,
    supports_before_and_after,
)
"""Every figure of an audit."""
