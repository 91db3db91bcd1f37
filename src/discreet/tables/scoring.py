"""What claims about published tables are worth."""

from collections.abc import Sequence

from discreet.core.findings import Findings
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Score
from discreet.errors import DataError
from discreet.measure.score import score
from discreet.tables.published.facts import published_facts


def score_tables(
    findings: Findings,
    truth: Sequence[Microdata],
    releases: Sequence[Release[ProjectedTables]],
    keys: Sequence[LinkageKey],
) -> Score:
    """Score claims about published tables through the owner's key."""
    if len(releases) != 1 or len(truth) != 1:
        msg = f"claims about tables are scored for one release at a time, got {len(releases)}"
        raise DataError(msg)
    key = keys[0] if keys else None
    return score(findings, published_facts(truth[0], releases[0], key))
