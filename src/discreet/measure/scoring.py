"""What the claims about a release are worth, by what the release holds.

The truth is handed over for each attacked release, and so is its owner's key. Every scorer has the
same four arguments; the catalog finds the one that fits by its annotations.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from discreet.data.contents import ItemsetHistogram
from discreet.data.findings import Findings
from discreet.data.microdata import Microdata
from discreet.data.publication import Keep
from discreet.data.release import Release
from discreet.data.tables import ProjectedTables
from discreet.data.transactions import Transactions
from discreet.errors import DataError
from discreet.measure.behind import people_behind
from discreet.measure.breach import Breach, Gain, Rate, score

__all__ = ["Score", "one_for_each", "score_histograms", "score_tables"]


class Score(Protocol):
    """What claims turned out to be worth."""

    def record(self) -> dict[str, Any]:
        """Return the score as a plain mapping."""
        ...

    def rates(self) -> list[tuple[str, Rate]]:
        """Return the shares that matter, each with its words and interval."""
        ...

    def gains(self) -> list[Gain]:
        """Return every way in which the claims could be right more often than by chance."""
        ...

    def remarks(self) -> list[str]:
        """Return what else is to be said, in sentences."""
        ...


def score_histograms(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[ItemsetHistogram]],
    keys: Sequence[Keep],
    *,
    control: Transactions | None = None,
) -> Breach:
    """Score claims about published itemsets, which need no key."""
    if len(truth) != 1:
        msg = f"claims about itemsets are scored against one set of people, got {len(truth)}"
        raise DataError(msg)
    return score(findings, truth[0], control)


def score_tables(
    findings: Findings,
    truth: Sequence[Microdata],
    releases: Sequence[Release[ProjectedTables]],
    keys: Sequence[Keep],
) -> Breach:
    """Score claims about published tables through the owner's key."""
    if len(releases) != 1 or len(truth) != 1:
        msg = f"claims about tables are scored for one release at a time, got {len(releases)}"
        raise DataError(msg)
    key = keys[0] if keys else None
    return score(findings, people_behind(truth[0], releases[0], key))


def one_for_each(
    truth: Sequence[Any], releases: Sequence[Release[Any]], keys: Sequence[Keep]
) -> None:
    """Refuse truths or keys that are not one for each release."""
    if not len(truth) == len(releases) == len(keys):
        msg = (
            f"{len(releases)} releases are scored through one truth and one key for each, got "
            f"{len(truth)} and {len(keys)}; give --truth and --key once for each, in the same order"
        )
        raise DataError(msg)
