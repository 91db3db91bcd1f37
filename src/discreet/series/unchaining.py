"""Counterfeits that keep also chains of releases under the bound.

What all clusters of all releases say together is counted as an attacker would count it. Where it
is too much, the new clusters of the component get strangers who may hold the copies in place of
people; where that does not help, people who were seen before stay out of this release.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.series.joint_worlds import NONE, Fitted, Linked, fitted
from discreet.series.perturbing import Draft

__all__ = ["unchained"]

Ints: TypeAlias = NDArray[np.int64]

EDGE = 1 - 1e-9
"""Posteriors are floats here: what is nearly at the bound counts as above it."""
CAP = 2
"""Up to how many times its people a cluster may grow before people stay out instead."""


def unchained(draft: Draft, *, grandfather: bool) -> tuple[Draft, list[int]]:
    """Add counterfeits where all releases together tell too much; also return whom to withhold.

    The same draft comes back where every posterior is within its bounds.
    """
    if not draft.beside.past:
        return draft, []
    view = _View.of(draft, grandfather=grandfather)
    added = np.zeros(len(draft.hidden), dtype=np.int64)
    withheld: set[int] = set()
    for term in range(len(draft.bag)):
        if not draft.harmless(term):
            copies = view.copies(term)
            told = fitted(view.linked, copies)
            risky = np.isin(told.component, told.component[view.above(term, told)])
            clusters = view.linked.clusters[told.kind[risky]]
            new = np.unique(clusters[:, -1])
            new = new[new != NONE] - view.start
            full = draft.hidden[new] > CAP * draft.beside.real[new]
            added[new[~full]] = np.maximum(draft.hidden[new[~full]], 1)
            withheld.update(view.seen_in(new[full]))
            withheld.update(view.excluded(clusters, copies))
    if withheld or not added.any():
        return draft, sorted(withheld)
    return replace(draft, hidden=draft.hidden + added), []


@dataclass(frozen=True, eq=False)
class _View:
    """A draft as who holds all releases will see it."""

    draft: Draft
    linked: Linked
    start: int
    """The number of the first new cluster."""
    grandfather: bool
    """Whether the rates of earlier releases count for those they told of."""

    @classmethod
    def of(cls, draft: Draft, *, grandfather: bool) -> "_View":
        past, beside = draft.beside.past, draft.beside
        linked = Linked.of(
            [*(part.kind for part in past), beside.kind],
            [*(part.content.cluster for part in past), beside.cluster],
            [*(part.content.count for part in past), len(beside.real)],
        )
        start = linked.count - len(beside.real)
        places = start + np.arange(len(beside.real))
        strangers = linked.with_strangers(places, draft.declared + draft.hidden)
        return cls(draft, strangers, start, grandfather)

    @cached_property
    def sizes(self) -> Ints:
        """How many transactions every cluster of every release has."""
        return np.concatenate(
            [*(part.content.size for part in self.draft.beside.past), self.draft.size]
        )

    def copies(self, term: int) -> Ints:
        """Return the copies that every cluster of every release counts."""
        name = self.draft.beside.corpus.terms[term]
        old = [part.held(name) for part in self.draft.beside.past]
        return np.concatenate([*old, self.draft.held(term)])

    def above(self, term: int, told: Fitted) -> NDArray[np.bool_]:
        """Return whether a posterior is above the bound of a release that the people are in.

        What a cluster says by itself, its share of the bag rounded, is no news of a chain.
        """
        inside = self.linked.clusters[told.kind] != NONE
        rates = [float(rate) for rate in self.draft.beside.old_rates(term)]
        own = np.where(inside, np.array([*rates, float(self.draft.rate(term))]), 0.0)
        if self.grandfather:
            own = np.maximum.accumulate(own, axis=1)
        alone = (self.copies(term) / self.sizes)[self.linked.clusters[told.kind]]
        bounds = np.maximum(float(self.draft.beside.factor) * own * EDGE, alone / EDGE)
        above: NDArray[np.bool_] = (inside & (told.posterior[:, None] > bounds)).any(axis=1)
        return above

    def seen_in(self, clusters: Ints) -> list[int]:
        """Return the records of new clusters whose sets stand in an earlier release."""
        here = np.isin(self.draft.beside.cluster, clusters) & self.draft.beside.seen
        return np.flatnonzero(here).tolist()

    def excluded(self, risky: Ints, copies: Ints) -> list[int]:
        """Return records that the new release excludes from holding, at the expense of others.

        They were in earlier clusters of a component that is at risk, and are in a new cluster
        without a copy.
        """
        theirs = risky[(risky[:, -1] == NONE)]
        new = self.linked.clusters[:, -1]
        none = (new != NONE) & (copies[new] == 0)
        met = np.isin(self.linked.clusters[:, :-1], theirs[theirs != NONE]).any(axis=1)
        sets, kinds = self.linked.rows
        names = sets[np.isin(kinds, np.flatnonzero(none & met))]
        return np.flatnonzero(np.isin(self.draft.beside.kind, names)).tolist()
