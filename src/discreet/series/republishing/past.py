"""What earlier releases of a series have told: all that Sanony may know of the past."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import BAG, Clusters
from discreet.core.guarantees.clusters import SeriallyPreserving
from discreet.core.lineage import content_of, follow
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.series.clusters.sanitising import rounded_shares
from discreet.series.evidence.overlaps import counted_within

SHARE_OF_BOUND = Fraction(9, 10)
"""How much of its bound a cluster may use, so that it can show the same in later releases too."""
SHARE_WITH_CHAINS = Fraction(1, 3)
"""The same where chains of releases are kept under the bound: what they add needs room."""


@dataclass(frozen=True, eq=False, repr=False)
class Past:
    """One earlier release."""

    content: Clusters
    """Its clusters."""
    kind: NDArray[np.int64]
    """The number of each row's non-private set, the same for all releases and the new corpus."""

    @cached_property
    def _copies(self) -> dict[str, NDArray[np.int64]]:
        """For each term that clusters show the copies in each, with their rounded share."""
        content = self.content
        honest = content.size - content.counterfeits
        by_term = {}
        for number, term in enumerate(content.terms):
            copies = rounded_shares(honest, int(content.bag[number]))
            mask = (content.private_term == number) & (content.private_cluster != BAG)
            copies[content.private_cluster[mask]] += content.private_copies[mask]
            if copies.any():
                by_term[term] = np.minimum(copies, content.size)
        return by_term

    def copies(self, term: str) -> NDArray[np.int64]:
        """Return the copies of a term in each cluster, with its rounded share of the bag."""
        return self._copies.get(term, np.zeros(self.content.count, dtype=np.int64))

    def shows(self, term: str) -> bool:
        """Whether some cluster holds the term."""
        return term in self._copies

    def most_copies(self, factor: Fraction) -> NDArray[np.int64]:
        """Return for each cluster the most copies of a term whose posterior can be too high."""
        most = np.zeros(self.content.count, dtype=np.int64)
        for term, copies in self._copies.items():
            if factor * self.rates[term] < 1:
                most = np.maximum(most, copies)
        return most

    def least_size(self, factor: Fraction, share: Fraction) -> NDArray[np.int64]:
        """Return how many people each cluster must have to show what it showed at the same rate."""
        least = np.zeros(self.content.count, dtype=np.int64)
        for term, copies in self._copies.items():
            bound = factor * self.rates[term] * share
            if bound < 1:
                least = np.maximum(least, -(-copies * bound.denominator // bound.numerator))
        return least

    @cached_property
    def totals(self) -> dict[str, int]:
        """All copies of each term, in clusters and in the bag."""
        return dict(zip(self.content.terms, self.content.total.tolist(), strict=True))

    @cached_property
    def rates(self) -> dict[str, Fraction]:
        """The population rate of each term."""
        return dict(zip(self.content.terms, self.content.rates, strict=True))

    @cached_property
    def kinds(self) -> dict[int, dict[int, int]]:
        """For each cluster the numbers of its sets, and how often each occurs."""
        return counted_within(self.content.cluster, self.kind)


def refuse_other_series(
    after: Sequence[Release[Any]], data: Transactions, claim: SeriallyPreserving
) -> tuple[str, ...]:
    """Refuse releases that these data cannot follow; return the fingerprints of the others."""
    fingerprints = follow(after)
    for number, release in enumerate(after, start=1):
        content = content_of(release, number)
        promised = [g for g in release.guarantees if isinstance(g, SeriallyPreserving)]
        if not any(other.r_th == claim.r_th for other in promised):
            msg = (
                f"all releases of a series must have the same `r_th`, but release {number} was not "
                f"made with {claim.factor}; take its own"
            )
            raise DataError(msg, parameter="r_th")
        if not any(other.chains == claim.chains for other in promised):
            msg = (
                f"all releases of a series must be made alike, but release {number} was made "
                f"{'without' if claim.chains else 'with'} `chains`; choose as it did"
            )
            raise DataError(msg, parameter="chains")
        if claim.rate == "own" and not any(other.rate == "own" for other in promised):
            msg = (
                f"the promise is about all releases, and release {number} let people exceed its "
                "own rate (`hopeless` grandfather); choose as it did"
            )
            raise DataError(msg, parameter="hopeless")
        if not data.sensitive.issuperset(content.terms):
            msg = (
                f"what was private stays private: a private term of release {number} is not among "
                "the sensitive items now; add it to `sensitive`"
            )
            raise DataError(msg, parameter="sensitive")
        if data.sensitive.intersection(_used(content)):
            msg = (
                f"a sensitive item stood in the non-private sets of release {number}, so everyone "
                "knows who holds it; leave it out of `sensitive`, or begin a new series"
            )
            raise DataError(msg, parameter="sensitive")
    return fingerprints


def _used(content: Clusters) -> set[str]:
    numbers = np.unique(content.sets.items)
    return {content.sets.vocabulary[number] for number in numbers}
