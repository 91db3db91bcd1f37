"""Counterfeits that keep also chains of releases under the bound.

What all clusters of all releases say together is counted as an attacker would count it. Where it
is too much, the new clusters of the component get strangers who may hold the copies in place of
people; where that does not help, people who were seen before stay out of this release.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.series.evidence.joint_worlds import NONE, Fitted, Linked, fitted
from discreet.series.republishing.perturbing import Draft

Ints: TypeAlias = NDArray[np.int64]

EDGE = 1 - 1e-9
"""Posteriors are floats here: what is nearly at the bound counts as above it."""
CAP = 2
"""Up to how many times its people a cluster may grow before people stay out instead."""


def unchained(draft: Draft, *, grandfather: bool) -> tuple[Draft, list[int]]:
    """Add counterfeits where all releases together tell too much; also return whom to withhold.

    The same draft comes back where every posterior is within its bounds.
    """
    if not draft.comparison.past:
        return draft, []
    view = _View.of(draft, grandfather=grandfather)
    added = np.zeros(len(draft.hidden), dtype=np.int64)
    withheld: set[int] = set()
    for term in range(len(draft.bag)):
        if not draft.harmless(term):
            fit = fitted(view.linked, view.copies(term))
            above = view.above(term, fit)
            risky = np.isin(fit.component, fit.component[above])
            new = np.unique(view.linked.clusters[fit.kind[risky], -1])
            new = new[new != NONE] - view.start
            gone = above & (view.linked.clusters[fit.kind, -1] == NONE)
            if gone.any():
                # company enough, and still too likely: then nobody may link old clusters to new
                company = view.companions(term, fit.kind[gone])
                withheld.update(company or view.seen_in(new) or view.seen_with(fit.kind[gone]))
                continue
            full = draft.hidden[new] > CAP * draft.comparison.real[new]
            added[new[~full]] = np.maximum(draft.hidden[new[~full]], 1)
            withheld.update(view.seen_in(new[full]))
    if withheld or not added.any():
        return draft, sorted(withheld)
    return replace(draft, hidden=draft.hidden + added), []


@dataclass(frozen=True, eq=False)
class _View:
    """A draft as whoever holds all releases will see it."""

    draft: Draft
    linked: Linked
    start: int
    """The number of the first new cluster."""
    grandfather: bool
    """Whether the rates of earlier releases count for those they told of."""

    @classmethod
    def of(cls, draft: Draft, *, grandfather: bool) -> "_View":
        past, comparison = draft.comparison.past, draft.comparison
        linked = Linked.of(
            [*(earlier.kind for earlier in past), comparison.kind],
            [*(earlier.content.cluster for earlier in past), comparison.cluster],
            [*(earlier.content.count for earlier in past), len(comparison.real)],
        )
        start = linked.count - len(comparison.real)
        clusters = start + np.arange(len(comparison.real))
        strangers = linked.with_strangers(clusters, draft.declared + draft.hidden)
        return cls(draft, strangers, start, grandfather)

    @cached_property
    def sizes(self) -> Ints:
        """How many transactions every cluster of every release has."""
        return np.concatenate(
            [*(earlier.content.size for earlier in self.draft.comparison.past), self.draft.size]
        )

    def copies(self, term: int) -> Ints:
        """Return the copies that every cluster of every release counts."""
        name = self.draft.comparison.corpus.terms[term]
        old = [earlier.copies(name) for earlier in self.draft.comparison.past]
        return np.concatenate([*old, self.draft.counted(term)])

    def above(self, term: int, fit: Fitted) -> NDArray[np.bool_]:
        """Return whether a posterior is above the bound of a release that the people are in.

        What a cluster says by itself, its share of the bag rounded, is no news of a chain.
        """
        inside = self.linked.clusters[fit.kind] != NONE
        rates = [float(rate) for rate in self.draft.comparison.old_rates(term)]
        own = np.where(inside, np.array([*rates, float(self.draft.rate(term))]), 0.0)
        if self.grandfather:
            own = np.maximum.accumulate(own, axis=1)
        alone = (self.copies(term) / self.sizes)[self.linked.clusters[fit.kind]]
        bounds = np.maximum(float(self.draft.comparison.factor) * own * EDGE, alone / EDGE)
        above: NDArray[np.bool_] = (inside & (fit.posterior[:, None] > bounds)).any(axis=1)
        return above

    def seen_in(self, clusters: Ints) -> list[int]:
        """Return the records of new clusters whose sets stand in an earlier release."""
        here = np.isin(self.draft.comparison.cluster, clusters) & self.draft.comparison.seen
        return np.flatnonzero(here).tolist()

    def seen_with(self, kinds: Ints) -> list[int]:
        """Return a record of each earlier cluster of people who left.

        That others of it are in new clusters without a copy tells of those who left as well.
        """
        homes = [
            (release, name)
            for release, names in enumerate(self.linked.clusters[kinds, :-1].T)
            for name in np.unique(names[names != NONE]).tolist()
        ]
        return sorted({record for home in homes for record in self._of_cluster(*home, 1)})

    def companions(self, term: int, kinds: Ints) -> list[int]:
        """Return records to withhold so that people who left have enough company.

        Those of an earlier cluster who are in no new one hold at most all of its copies, so with
        many of them few are too likely. Nobody is returned where there are as many as that asks.
        """
        withheld: set[int] = set()
        for row in np.unique(self.linked.clusters[kinds, :-1], axis=0).tolist():
            homes = [(release, name) for release, name in enumerate(row) if name != NONE]
            rates = self.draft.comparison.old_rates(term)
            bound = self.draft.comparison.factor * min(rates[release] for release, _ in homes)
            lacking = {home: self._lacking(term, *home, bound) for home in homes}
            home = min(homes, key=lacking.__getitem__)
            withheld.update(self._of_cluster(*home, max(lacking[home], 1)))
        return sorted(withheld)

    def _lacking(self, term: int, release: int, name: int, bound: Fraction) -> int:
        """Return how many more of an earlier cluster must be in no new one."""
        inside = self.linked.clusters[:, release] == name
        gone = int(self.linked.people[inside & (self.linked.clusters[:, -1] == NONE)].sum())
        return ceil(int(self.copies(term)[name]) / bound) - gone

    def _of_cluster(self, release: int, name: int, number: int) -> list[int]:
        """Return so many new records who were in an earlier cluster, as far as there are."""
        past = self.draft.comparison.past
        start = sum(earlier.content.count for earlier in past[:release])
        times = past[release].kinds[name - start]
        by_kind: dict[int, list[int]] = {}
        for record in np.flatnonzero(np.isin(self.draft.comparison.kind, list(times))).tolist():
            by_kind.setdefault(int(self.draft.comparison.kind[record]), []).append(record)
        # of a set that is here more often than it was there, the surplus would have to go first
        surplus = {kind: max(len(records) - times[kind], 0) for kind, records in by_kind.items()}
        leaving: list[int] = []
        for kind in sorted(by_kind, key=surplus.__getitem__):
            away = min(number, len(by_kind[kind]) - surplus[kind])
            leaving += by_kind[kind][: surplus[kind] + away] if away else []
            number -= away
        return leaving
