"""Counterfeits that a release declares or reckons with and nothing explains: they are people.

A cluster's share of the bag goes by its size less its declared counterfeits, so whoever declares
too many makes a cluster look safer than it is. And rates are of the rows without counterfeits that
are not declared, so whoever writes larger rates makes every bound look wider. Only releases that
follow others need any of both; by the owner's key a counterfeit is a row without a record, by the
original one with nobody's set.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.core.truth import names_rows_of
from discreet.core.verdict import Verdict


def believing_less(
    release: Release[Clusters],
    check: Callable[[Release[Clusters]], Verdict],
    key: LinkageKey | None,
    original: Transactions | None,
) -> Verdict:
    """Check a release as it stands, and with counterfeits that nothing explains as people."""
    verdict = check(release)
    own = key if names_rows_of(key, release) else None
    contradiction = _nobody(release.content) or _not_by_key(release.content, own)
    if contradiction and verdict.holds is not None:
        return replace(verdict, holds=False, witness=contradiction)
    if verdict.holds is not True:
        return verdict
    believed, doubted = _believed(release, original)
    if not doubted:
        return verdict
    fewer = check(replace(release, content=believed))
    doubts = " and ".join(doubted)
    witness = fewer.witness and f"{fewer.witness}, where {doubts}"
    return replace(fewer, checked=f"{verdict.checked}; also where {doubts}", witness=witness)


def _believed(
    release: Release[Clusters], original: Transactions | None
) -> tuple[Clusters, list[str]]:
    """Return the clusters with what may be believed of them, and in words what was not."""
    content = release.content
    declared = _explained(release, original)
    people = _least_people(release, original, declared)
    doubted = []
    if left := int((content.counterfeits - declared).sum()):
        doubted.append(f"{left:,} counterfeits count as people that are declared")
        content = replace(content, counterfeits=declared)
    if any(rate * people > n for n, rate in zip(content.total, content.rates, strict=True)):
        doubted.append(f"rates are of {people:,} people at least")
        content = _with_rates(content, people)
    return content, doubted


def _least_people(
    release: Release[Any], original: Transactions | None, declared: NDArray[np.int64]
) -> int:
    """Return of how many rows the rates must be at least: all but counterfeits not declared."""
    content: Clusters = release.content
    if not release.manifest.follows:
        return len(content)
    if original is None:
        return 0
    return len(content) - int(_nobodys_rows(content, original).sum()) + int(declared.sum())


def _with_rates(content: Clusters, people: int) -> Clusters:
    """Return the clusters with rates that are of so many people, or of more as they were."""
    rates = [
        min(rate, Fraction(int(copies), people), Fraction(1))
        for copies, rate in zip(content.total, content.rates, strict=True)
    ]
    numerators = np.array([rate.numerator for rate in rates], dtype=np.int64)
    denominators = np.array([rate.denominator for rate in rates], dtype=np.int64)
    return replace(content, rate_num=numerators, rate_den=denominators)


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
