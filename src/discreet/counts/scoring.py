"""What claims about published itemsets are worth."""

from collections.abc import Sequence

from discreet.core.findings import Findings
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Score
from discreet.core.synthetic_people import PublishedCounts
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.measure.score import score


def score_histograms(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[PublishedCounts]],
    keys: Sequence[LinkageKey],
    *,
    control: Transactions | None = None,
) -> Score:
    """Score claims about published itemsets, which need no key."""
    if len(truth) != 1:
        msg = f"claims about itemsets are scored against one set of people, got {len(truth)}"
        raise DataError(msg)
    return score(findings, truth[0], control)
