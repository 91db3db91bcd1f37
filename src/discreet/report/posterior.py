"""How sure one may be of private terms, by a release of clusters, beside what holds of anybody."""

from typing import Final

import numpy as np

from discreet.core.clusters import Clusters
from discreet.core.findings import Claim
from discreet.core.guarantee import SPreserving
from discreet.lazy import pl
from discreet.report.draw import Axis, Series, plot
from discreet.report.figure import Figure
from discreet.study import Evidence, Examination

POINTS: Final = {"by": str, "rate": float, "posterior": float}
"""Who says how sure one may be, of a term of which rate."""


def posterior_and_rate(examination: Examination, _evidence: Evidence) -> Figure | None:
    """Draw what is believed of people over the share of all who have it."""
    content = examination.release.content
    if not isinstance(content, Clusters) or not content.private[1].size:
        return None
    points = pl.concat([_within_clusters(content), _claimed(content, examination)])
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
    lines = [
        Series(name=name, points=_line(factor, least, most), kind="dash" if factor == 1 else "line")
        for name, factor in _lines(examination)
    ]
    marks = [
        Series(name=name, points=table.filter(by=name).select("rate", "posterior").rows())
        for name in table["by"].unique(maintain_order=True)
    ]
    title = "Posterior against population rate"
    description = (
        "How sure one can be that a person has a private term, against the share of all people "
        "who have it: from the person's cluster and the bag alone, and from what attacks claim. "
        "A point on the line of equal rates reveals nothing beyond the rate."
    )
    across, up = Axis(title="population rate", kind="log", percent=True), "posterior"
    svg = plot(
        title, description, across, Axis(title=up, kind="log", percent=True), [*marks, *lines]
    )
    return Figure(name="posterior", title=title, words=description, table=table, svgs=(svg,))


def _line(factor: float, least: float, most: float) -> list[tuple[float, float]]:
    """Return the corners of a line of so many times the rate, which never rises above 1."""
    rates = sorted({least, min(max(1 / factor, least), most), most})
    return [(rate, min(1.0, rate * factor)) for rate in rates]


def _lines(examination: Examination) -> list[tuple[str, float]]:
    """Return how many times the rate a posterior may be, with words."""
    bounds = [
        guarantee
        for guarantee in examination.release.guarantees
        if isinstance(guarantee, SPreserving)
    ]
    promised = [
        (f"promised: at most {float(bound.factor):g} times", float(bound.factor))
        for bound in bounds
    ]
    return [("the rate itself", 1.0), *promised]


def _within_clusters(content: Clusters) -> "pl.DataFrame":
    """Return the share of each term in each cluster, the cluster's part of the bag added.

    By published rows, as the promise is checked: which of them are counterfeits nobody is told,
    nor what these hold, and the rates count them too.
    """
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


def _claimed(content: Clusters, examination: Examination) -> "pl.DataFrame":
    """Return how sure the claims are, over the rate of the term they are about."""
    rates = dict(zip(content.terms, (content.rate_num / content.rate_den).tolist(), strict=True))
    points = [
        (_speaker(attempt.entry.name, claim), rates[claim.inferred[0]], claim.confidence)
        for attempt in examination.attempts
        for claim in (attempt.findings.claims if attempt.findings else ())
        if len(claim.inferred) == 1 and claim.inferred[0] in rates
    ]
    return pl.DataFrame(points, schema=POINTS, orient="row")


def _speaker(attack: str, claim: Claim) -> str:
    """Return who says it; chains of releases apart, for few promises are about these."""
    return f"{attack}, by chains" if claim.how == "chains" else attack
