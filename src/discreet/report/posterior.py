"""How sure one may be of private terms, by a release of clusters, beside what holds of anybody."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from discreet.core.clusters import Clusters
from discreet.core.guarantee import SPreserving
from discreet.report.figure import Figure
from discreet.study import Evidence, Examination

if TYPE_CHECKING:
    import polars as pl

__all__ = ["posterior_and_rate"]

POINTS: Final = {"by": str, "rate": float, "posterior": float}
"""Who says how sure one may be, of a term of which rate."""


def posterior_and_rate(found: Examination, _evidence: Evidence) -> Figure | None:
    """Draw what is believed of people over the share of all who have it."""
    import altair as alt
    import polars as pl

    content = found.release.content
    if not isinstance(content, Clusters) or not content.private[1].size:
        return None
    points = pl.concat([_within_clusters(content), _claimed(content, found)])
    # points that lie close together are one, drawn where the highest of them lies
    close = [
        pl.col(name).round_sig_figs(2).alias(f"close_{name}") for name in ("rate", "posterior")
    ]
    table = (
        points.sort(pl.col("posterior") / pl.col("rate"), descending=True, maintain_order=True)
        .group_by("by", *close, maintain_order=True)
        .agg(pl.col("rate", "posterior").first(), pl.len().alias("times"))
        .select("by", "rate", "posterior", "times")
    )
    rates = points["rate"].to_list()
    least, most = min(rates), max(rates)
    size: dict[str, Any] = {"width": 520, "height": 320}
    marks = (
        alt.Chart(alt.InlineData(values=table.to_dicts()), **size)
        .mark_point(color="#333", filled=False)
        .encode(
            x=alt.X("rate:Q", title="population rate", scale=alt.Scale(type="log")),
            y=alt.Y("posterior:Q", scale=alt.Scale(type="log")),
            shape=alt.Shape("by:N", title=None),
            size=alt.Size("times:Q", scale=alt.Scale(type="log", range=[15, 150])),
        )
    )
    ends = [
        {"line": name, "rate": rate, "posterior": min(1.0, rate * factor)}
        for name, factor in _lines(found)
        for rate in sorted({least, min(max(1 / factor, least), most), most})
    ]
    lines = (
        alt.Chart(alt.InlineData(values=ends), **size)
        .mark_line(color="#888")
        .encode(x="rate:Q", y="posterior:Q", strokeDash=alt.StrokeDash("line:N", title=None))
    )
    return Figure(
        name="posterior",
        title="Posterior against population rate",
        words="How sure one may be that a person has a private term, over the share of all people "
        "who have it: by the person's cluster and the bag alone, and by what attacks claim. What "
        "lies on the rate itself tells no more than it.",
        table=table,
        chart=lines + marks,
    )


def _lines(found: Examination) -> list[tuple[str, float]]:
    """Return how many times the rate a posterior may be, with words."""
    bounds = [each for each in found.release.guarantees if isinstance(each, SPreserving)]
    promised = [
        (f"promised: at most {float(each.factor):g} times", float(each.factor)) for each in bounds
    ]
    return [("the rate itself", 1.0), *promised]


def _within_clusters(content: Clusters) -> "pl.DataFrame":
    """Return the share of each term in each cluster, the cluster's part of the bag added.

    By published rows, as the promise is checked: which of them are counterfeits nobody is told,
    nor what these hold, and the rates count them too.
    """
    import polars as pl

    offsets, term, copies = content.private
    owner = np.repeat(np.arange(content.count), np.diff(offsets))
    real = content.size - content.counterfeits
    from_bag = real[owner] * content.bag[term] / max(1, int(real.sum()))
    share = (copies + from_bag) / content.size[owner]
    rate = content.rate_num / content.rate_den
    return pl.DataFrame(
        {
            "by": ["a cluster by itself"] * len(term),
            "rate": rate[term],
            "posterior": np.minimum(1.0, share),
        },
        schema=POINTS,
    )


def _claimed(content: Clusters, found: Examination) -> "pl.DataFrame":
    """Return how sure the claims are, over the rate of the term they are about."""
    import polars as pl

    rates = dict(zip(content.terms, (content.rate_num / content.rate_den).tolist(), strict=True))
    points = [
        (attempt.entry.name, rates[claim.inferred[0]], claim.confidence)
        for attempt in found.attempts
        for claim in (attempt.findings.claims if attempt.findings else ())
        if len(claim.inferred) == 1 and claim.inferred[0] in rates
    ]
    return pl.DataFrame(points, schema=POINTS, orient="row")
