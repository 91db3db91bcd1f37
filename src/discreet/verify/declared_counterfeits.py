"""Counterfeits that a release declares and nothing explains: they count as people.

A cluster's share of the bag goes by its size less its declared counterfeits, so whoever declares
too many makes a cluster look safer than it is. Only releases that follow others need any; by the
owner's key a counterfeit is a row without a record, by the original one with nobody's set.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict


def believing_less(
    release: Release[Clusters],
    check: Callable[[Release[Clusters]], Verdict],
    key: LinkageKey | None,
    original: Transactions | None,
) -> Verdict:
    """Check a release as it stands, and without the counterfeits that nothing explains."""
    verdict = check(release)
    contradiction = _nobody(release.content) or _not_by_key(release.content, key)
    if contradiction and verdict.holds is not None:
        return replace(verdict, holds=False, witness=contradiction)
    believed = _explained(release, original)
    if verdict.holds is not True or np.array_equal(believed, release.content.counterfeits):
        return verdict
    doubted = int((release.content.counterfeits - believed).sum())
    fewer = check(replace(release, content=replace(release.content, counterfeits=believed)))
    checked = f"{verdict.checked}; also with {doubted:,} counterfeits as people that are declared"
    witness = fewer.witness and f"{fewer.witness}, where {doubted:,} of them count as people"
    return replace(fewer, checked=checked, witness=witness)


def _nobody(content: Clusters) -> str | None:
    """Find that no person is behind what is published."""
    declared = int(content.counterfeits.sum())
    if declared and declared == len(content):
        return "all rows are declared to be counterfeits"
    return None


def _not_by_key(content: Clusters, key: LinkageKey | None) -> str | None:
    """Find a cluster that declares more counterfeits than it has rows without a record."""
    rows = key.tables.get("rows") if key else None
    if rows is None or "row" not in rows.columns:
        return None
    real = rows["row"].to_numpy()
    people = np.bincount(content.cluster[real[real < len(content)]], minlength=content.count)
    nobody = content.size - people
    above = np.flatnonzero(content.counterfeits > nobody)
    if not len(above):
        return None
    first = int(above[0])
    return (
        f"cluster {first} declares {content.counterfeits[first]:,} counterfeits, and by the key "
        f"{nobody[first]:,} of its rows are nobody's"
    )


def _explained(release: Release[Any], original: Transactions | None) -> NDArray[np.int64]:
    """Return for each cluster the declared counterfeits that there may be."""
    content: Clusters = release.content
    if not release.manifest.follows:
        return np.zeros_like(content.counterfeits)
    if original is None or not content.counterfeits.any():
        return content.counterfeits
    return np.minimum(content.counterfeits, _nobodys_rows(content, original))


def _nobodys_rows(content: Clusters, original: Transactions) -> NDArray[np.int64]:
    """Return for each cluster how many rows are left when everybody has one with their set."""
    private = original.sensitive.union(content.terms)
    people = Counter(tuple(sorted(set(items) - private)) for items in original.sets)
    rows = np.zeros(content.count, dtype=np.int64)
    for cluster, items in zip(content.cluster.tolist(), content.sets, strict=True):
        known_by = tuple(sorted(items))
        if people[known_by]:
            people[known_by] -= 1
        else:
            rows[cluster] += 1
    return rows
