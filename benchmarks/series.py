"""Comparing five releases of BMS-WebView-2 beside the bar, and what twice the people cost."""

import resource
from time import process_time

from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng
from discreet.core.release import Release
from discreet.series import Composition, Victim
from discreet.series.anony import Anony
from discreet.series.evidence.before_and_after import compared
from discreet.series.evidence.joint_evidence import EFFORT, Series
from discreet.series.folder import publish_series
from discreet.series.segen import Choice, SeGen

BAR = 15.0
"""Seconds of one core for overlaps, all posteriors and derived clusters of the whole series."""
MEMORY = 2048
"""Megabytes."""


def main(results: Results) -> None:
    if not data_at_hand():
        return
    data = Transactions.read("dataset:bms2")
    releases_of(data, "0.05", "random", talk=False)
    for choice in ("random", "frequent"):
        half, less, few = attacked(results, releases_of(data, "0.5", choice), f"half, {choice}")
        full, more, claims = attacked(results, releases_of(data, "1", choice), f"full, {choice}")
        results.add(
            f"composition, {choice} terms, twice the people",
            f"{more / less:.2f} times",
            "2.3 times",
            more / less / 2.3,
            f"overlaps, posteriors {full / half:.2f} times for {claims / few:.2f} times the pairs",
        )


def releases_of(
    data: Transactions, sample: str, choice: Choice, *, talk: bool = True
) -> list[Release]:
    """Return the series by Anony; what it costs is told by series_publish."""
    made = SeGen(sample=sample, choice=choice).make(data, rng.seeded(1))
    releases = [each.release for each in publish_series(Anony(r_th=8), made.corpora, rng.seeded(2))]
    if not talk:
        # compile before anything is timed
        Composition().attack(releases, Victim())
    return releases


def attacked(results: Results, releases: list[Release], name: str) -> tuple[float, float, int]:
    """Return the seconds of overlaps and posteriors, of the whole attack, and the questions."""
    start = process_time()
    remark = compared(
        Series(tuple(each.content for each in releases)),
        overlaps="all",
        links="unique",
        depth=1,
        effort=EFFORT,
    )
    alone = process_time() - start
    start = process_time()
    findings = Composition().attack(releases, Victim())
    whole = process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    work = f"composition, {name} terms"
    note = f"{len(findings):,} claims, at risk {findings.summary['at_risk_exact']:,}"
    results.seconds(f"{work}, overlaps and posteriors", alone, BAR, f"{remark.overlaps:,} overlaps")
    results.seconds(f"{work}, the whole", whole, BAR, note)
    results.add(f"{work}, memory", f"{memory:,} MB", f"{MEMORY:,} MB", memory / MEMORY)
    return alone, whole, len(remark.groups.terms)
