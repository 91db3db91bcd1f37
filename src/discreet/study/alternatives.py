"""What trivial ways to publish would lose, in the unit in which the release is measured.

Sets lose occurrences of items, tables cells, graphs edges, counts the count itself. A release that
loses more than a trivial alternative is hardly worth its trouble.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from discreet.core.findings import rounded_percent
from discreet.core.graph import Network
from discreet.core.guarantee import ConstraintSupport, KAnonymity, KDegree, KmAnonymity
from discreet.core.histogram import ItemsetHistogram
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork, people_of
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.lazy import pl

RARE: Final = 5
"""Items, looks and numbers of friends of fewer people than this are rare, without a k promised."""
NOTHING: Final = "publishing nothing"
OCCURRENCES, CELLS, EDGES, COUNTS = (
    "of all occurrences of items", "of all cells", "of all edges", "of a count on average",
)  # fmt: skip
NO_SECRETS: Final = "deleting every sensitive item"
NO_ATTRIBUTES: Final = "leaving out every sensitive attribute"
NO_EDGES: Final = "publishing no edge"


def alternatives(original: Any, release: Release[Any]) -> dict[str, float]:
    """Return what trivial ways to publish would lose, as a share of what there is.

    Parameters
    ----------
    original
        The private data.
    release
        What is compared with them; where it promises a k, below that is rare.

    Returns
    -------
    dict
        Each alternative in words, and its loss from 0, nothing, to 1, everything.
    """
    promised = KmAnonymity | ConstraintSupport | KAnonymity | KDegree
    k = max((each.k for each in release.guarantees if isinstance(each, promised)), default=RARE)
    shares: dict[str, float] = {}
    if isinstance(original, Microdata):
        shares |= _of_table(original, k)
    if isinstance(original, SocialNetwork | Network):
        shares |= _of_edges(original, k)
    people = people_of(original)
    if isinstance(people, Transactions) and len(people.items):
        shares |= _of_sets(people, k)
    return shares | {NOTHING: 1.0}


def _of_sets(people: Transactions, k: int) -> dict[str, float]:
    supports, every = people.supports, len(people.items)
    counts = {f"suppressing items of fewer than {k} people": float(supports[supports < k].sum())}
    if people.sensitive:
        secret = [item in people.sensitive for item in people.universe]
        counts[NO_SECRETS] = float(supports[np.array(secret)].sum())
    return {words: lost / every for words, lost in counts.items()}


def _of_table(people: Microdata, k: int) -> dict[str, float]:
    """Return what goes with the sensitive columns, and with the rows that look like few others."""
    columns = len(people.qids) + len(people.sensitive)
    shares = {NO_ATTRIBUTES: len(people.sensitive) / max(1, columns)}
    if people.qids and len(people):
        alike = people.table.select(pl.len().over(list(people.qids)).alias("rows"))["rows"]
        few = float((alike.to_numpy() < k).mean())
        shares[f"leaving out rows that look like fewer than {k}"] = few
    return shares


def _of_edges(people: SocialNetwork | Network, k: int) -> dict[str, float]:
    """Return what goes with all edges, and with those of people with a rare number of friends."""
    edges = people.edges
    if not len(edges):
        return {}
    rare = np.bincount(people.degrees)[people.degrees] < k
    words = f"deleting the edges of people whose number of friends fewer than {k} have"
    return {words: float(rare[edges].any(axis=1).mean()), NO_EDGES: 1.0}


def remarks_on_alternatives(
    release: Release[Any], measured: Mapping[str, Any], others: Mapping[str, float]
) -> Iterator[str]:
    """Give a sentence where a trivial way to publish would have lost less, or as much.

    Parameters
    ----------
    release
        What was published.
    measured
        What it lost, by the name of the measure.
    others
        What the alternatives would lose.

    Yields
    ------
    str
        One sentence for each alternative.
    """
    lost_here = losses(release, measured)
    for words, other in others.items():
        unit = _unit(words) or next(iter(lost_here), "")
        lost = lost_here.get(unit)
        if lost is not None and (lost > other or lost >= other == 1):
            here = f"this release loses {rounded_percent(lost)}"
            yield f"{words} would lose {rounded_percent(other)} {unit}; {here}"


def _unit(words: str) -> str | None:
    """Return in what an alternative loses; None for nothing at all, which loses it in any."""
    if words == NOTHING:
        return None
    if "edge" in words:
        return EDGES
    return CELLS if words == NO_ATTRIBUTES or "rows" in words else OCCURRENCES


def losses(release: Release[Any], measured: Mapping[str, Any]) -> dict[str, float]:
    """Return what a release lost, by unit, as far as it was measured."""
    return dict(_losses(release, measured))


def _losses(release: Release[Any], measured: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    deleted = ("deleted_share", "occurrences_suppressed", "ncp")
    occurrences = [float(measured[name]) for name in deleted if measured.get(name) is not None]
    if occurrences:
        yield OCCURRENCES, max(occurrences)
    if isinstance(columns := measured.get("loss_by_column"), Mapping):
        # sensitive attributes are published as they are
        every = len(columns) + sum(map(len, release.content.sensitive))
        gone = float(measured.get("suppressed_share") or 0.0)
        yield CELLS, gone + (1 - gone) * sum(columns.values()) / max(1, every)
    if measured.get("edges_kept_share") is not None:
        yield EDGES, 1 - float(measured["edges_kept_share"])
    error = measured.get("query_error_existing")
    if isinstance(release.content, ItemsetHistogram) and error is not None:
        yield COUNTS, float(error)
