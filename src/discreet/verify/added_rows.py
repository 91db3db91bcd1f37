"""Rows of nobody: where more people are published than there are, counts of rows are not of people.

A row that is there twice looks like two people, so whoever adds rows makes everybody look less
alone. Only releases of a series have counterfeits, which `declared_counterfeits` weighs.
"""

from dataclasses import replace
from typing import Any

from discreet.core.clusters import Clusters
from discreet.core.disassociated import Disassociated
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict

__all__ = ["unless_added"]

ORIGINALS: dict[type[Any], type[Any]] = {
    Clusters: Transactions,
    Disassociated: Transactions,
    GeneralisedSets: Transactions,
    ProjectedTables: Microdata,
    SetsWithNetwork: SocialNetwork,
    Transactions: Transactions,
}
"""What contents of people are made from, with a row or less for each of them."""


def unless_added(
    verdicts: tuple[Verdict, ...], release: Release[Any], original: object
) -> tuple[Verdict, ...]:
    """Return the verdicts; nothing was checked where rows are there that nobody is behind."""
    made_from = ORIGINALS.get(type(release.content))
    if made_from is None or not isinstance(original, made_from):
        return verdicts
    # the manifest's word alone does not make a series of other content
    if isinstance(release.content, Clusters) and release.manifest.follows is not None:
        return verdicts
    published, people = _people(release.content), len(original)
    if published <= people:
        return verdicts
    checked = (
        f"nothing: {published:,} people are published, and the original has {people:,}: it is "
        "another one, or was read otherwise, or rows were added"
    )
    return tuple(
        replace(verdict, holds=None, checked=checked, needs=())
        if verdict.holds is True
        else verdict
        for verdict in verdicts
    )


def _people(content: Any) -> int:
    """Return how many people a content is about, by what it says."""
    if isinstance(content, Disassociated):
        return int(content.people.sum())
    if isinstance(content, ProjectedTables):
        return max(table.height for table in content.parts)
    return len(content)
