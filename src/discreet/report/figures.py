"""The plots of an audit: each is drawn where what it needs is there."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.histogram import ItemsetHistogram
from discreet.core.network import SocialNetwork, people_of
from discreet.core.projected_tables import ProjectedTables
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.synthetic_people import PublishedCounts, counts_in
from discreet.core.transactions import Transactions
from discreet.counts import workload_of
from discreet.lazy import pl
from discreet.measure import answers, relative_error
from discreet.report.draw import Axis, Bar, Series, bars, grid, plot
from discreet.report.figure import Figure
from discreet.report.lattice import lattice_of_plans
from discreet.report.posterior import posterior_and_rate
from discreet.study import Evidence, Examination

KEPT_BY_KNOWN: Final = "kept_by_known"
"""The measure that holds rows of: items known, share of secrets kept, share of names kept."""
BINS: Final = (0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000)
"""Where classes of query support begin."""


def audit_figures(examination: Examination, evidence: Evidence) -> Iterator[Figure]:
    """Give every figure that can be drawn of a release and what lies beside it."""
    for draw in FIGURES:
        figure = draw(examination, evidence)
        if figure is not None:
            yield figure


def claims_by_confidence(examination: Examination, _evidence: Evidence) -> Figure | None:
    """Draw how many claims each attack makes, by how sure it is."""
    counted = Counter(
        (attempt.entry.name, min(9, int(claim.confidence * 10)))
        for attempt in examination.attempts
        for claim in (attempt.findings.claims if attempt.findings else ())
    )
    if not counted:
        return None
    table = pl.DataFrame(
        [
            {"attack": name, "confidence": f"{band * 10} to {band * 10 + 10} %", "claims": count}
            for (name, band), count in sorted(counted.items(), reverse=True)
        ]
    )
    title = "Claims by confidence"
    description = "How many claims each attack makes, by how sure it is."
    return Figure(
        name="claims-by-confidence",
        title=title,
        words=description,
        table=table,
        svgs=(bars(title, description, [Bar(*row) for row in table.rows()]),),
    )


def supports_before_and_after(examination: Examination, evidence: Evidence) -> Figure | None:
    """Draw each item's support in the release over its support in the data."""
    content, data = examination.release.content, evidence.original
    data = people_of(data)
    after = _supports(content)
    if not isinstance(data, Transactions) or after is None:
        return None
    every = pl.DataFrame(
        {"before": data.supports, "after": [after.get(item, 0) for item in data.universe]}
    )
    # items of the same supports are one dot
    table = every.filter(pl.col("before") > 0).group_by("before", "after").len("items")
    table = table.sort("before", "after")
    if not table.height:
        return None
    most = float(max(map(max, table.select("before", "after").rows())))
    title = "Supports before and after"
    description = (
        "How many people hold each item in the data and in the release; for a generalised item, "
        "those who hold what it became. On the dashed line both are the same."
    )
    shown = [
        Series(name="the same", points=[(0, 0), (most, most)], kind="dash"),
        Series(name="an item", points=table.select("before", "after").rows()),
    ]
    across, up = (Axis(title=name, kind="symlog") for name in ("in the data", "in the release"))
    svg = plot(title, description, across, up, shown)
    return Figure(name="supports", title=title, words=description, table=table, svgs=(svg,))


def _supports(content: Any) -> dict[str, int] | None:
    """Return how many people hold each item in a release, or what it became."""
    if isinstance(content, GeneralisedSets):
        supports = content.supports.tolist()
        return {item: supports[block] for item, block in content.block_of.items()}
    if isinstance(content, ItemsetHistogram | Transactions):
        return dict(zip(content.sets.vocabulary, content.supports.tolist(), strict=True))
    if isinstance(content, SetsWithNetwork):
        return _supports(Transactions(content.sets))
    return None


def error_by_support(examination: Examination, evidence: Evidence) -> Figure | None:
    """Draw the relative error of counting queries by how many people they are about."""
    content, data = examination.release.content, evidence.original
    if not isinstance(data, Transactions) or not isinstance(content, PublishedCounts):
        return None
    work = workload_of(data)
    errors = relative_error(work.true, answers(counts_in(content), work.asked), work.sanity)
    bins = np.searchsorted(np.array(BINS), work.true, side="right") - 1
    table = (
        pl.DataFrame({"place": bins, "error": errors})
        .group_by("place", maintain_order=True)
        .agg(pl.col("error").mean(), pl.len().alias("queries"))
        .sort("place")
        .with_columns(pl.col("place").map_elements(_class, return_dtype=pl.String).alias("support"))
        .select("support", "error", "queries")
    )
    title = "Error by query support"
    description = "The mean relative error of counting queries, by how many people they are about."
    points = list(enumerate(table["error"].to_list()))
    svg = plot(
        title,
        description,
        Axis(title="people who hold the itemset", words=[_few(name) for name in table["support"]]),
        Axis(title="mean relative error"),
        [Series(name="", points=points, kind="line")],
    )
    return Figure(name="error-by-support", title=title, words=description, table=table, svgs=(svg,))


def _few(name: str) -> str:
    """Return where a class begins, as it fits below a plot.

    >>> _few("1,000-2,999"), _few("0")
    ('1,000+', '0')
    """
    low, dash, _ = name.partition("-")
    return f"{low}+" if dash else name.replace(" or more", "+")


def _class(index: int) -> str:
    last = index + 1 >= len(BINS)
    low, high = BINS[index], None if last else BINS[index + 1] - 1
    return (
        f"{low:,} or more" if high is None else f"{low:,}" if low == high else f"{low:,}-{high:,}"
    )


def degree_distributions(examination: Examination, evidence: Evidence) -> Figure | None:
    """Draw how many people have how many friends, in the release and in the data."""
    content, data = examination.release.content, evidence.original
    if not isinstance(content, SetsWithNetwork | Network):
        return None
    parts = [("release", content.degrees)]
    if isinstance(data, SocialNetwork | Network):
        parts.append(("data", data.degrees))
    table = pl.concat(
        [
            pl.DataFrame({"degree": degrees}).group_by("degree").len("people").sort("degree")
            .with_columns(pl.lit(name).alias("of"))
            for name, degrees in parts
        ]
    )  # fmt: skip
    if table["degree"].n_unique() < 2:
        return None
    title, description = "Degree distributions", "How many people have how many friends."
    shown = [
        Series(name=name, points=table.filter(of=name).select("degree", "people").rows())
        for name, _ in reversed(parts)
    ]
    svg = plot(
        title,
        description,
        Axis(title="friends", kind="symlog"),
        Axis(title="people", kind="log"),
        shown,
    )
    return Figure(name="degrees", title=title, words=description, table=table, svgs=(svg,))


def plan(examination: Examination, _evidence: Evidence) -> Figure | None:
    """Draw which sensitive attribute stands in which table."""
    content = examination.release.content
    if not isinstance(content, ProjectedTables):
        return None
    table = pl.DataFrame(
        [
            {"attribute": name, "table": f"table {number}", "rows": frame.height}
            for number, (frame, names) in enumerate(
                zip(content.parts, content.sensitive, strict=True), start=1
            )
            for name in names
        ],
        schema={"attribute": pl.String, "table": pl.String, "rows": pl.Int64},
    )
    if not table.height:
        return None
    title = "The plan of the tables"
    description = (
        "Which sensitive attribute is in which table; attributes in the same table can be joined."
    )
    names = table["attribute"].unique(maintain_order=True).to_list()
    columns = [f"{number}" for number in range(1, len(content.parts) + 1)]
    marked = {
        (names.index(name), int(label.split()[1]) - 1)
        for name, label in table.select("attribute", "table").rows()
    }
    svg = grid(title, description, names, columns, marked)
    return Figure(name="plan", title=title, words=description, table=table, svgs=(svg,))


def kept_by_known(examination: Examination, _evidence: Evidence) -> Figure | None:
    """Draw what is kept of secrets and names, by how many items an attacker may know."""
    points = examination.measured.get(KEPT_BY_KNOWN)
    if not points:
        return None
    rows = [(int(known), *(float(f"{share:.2g}") for share in shares)) for known, *shares in points]
    names = ["secrets kept", "names kept"]
    table = pl.DataFrame(rows, schema=["known", *names], orient="row")
    shown = [
        Series(name=name, points=table.select("known", name).rows(), kind="line") for name in names
    ]
    title = "What is kept, by how much may be known"
    description = (
        "The share of sensitive items, and of all items by name, that are kept in the release, "
        "against the number of items of a person that an attacker may know."
    )
    up = Axis(title="share kept", percent=True)
    svg = plot(title, description, Axis(title="items known"), up, shown)
    return Figure(name="kept-by-known", title=title, words=description, table=table, svgs=(svg,))


FIGURES: Final[tuple[Callable[[Examination, Evidence], Figure | None], ...]] = (
    claims_by_confidence,
    posterior_and_rate,
    degree_distributions,
    plan,
    lattice_of_plans,
    error_by_support,
    supports_before_and_after,
    kept_by_known,
)
"""Every figure of an audit."""
