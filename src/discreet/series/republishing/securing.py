"""FP2: counterfeits that nobody is told of, until no posterior probability is above its bound.

Where no number of them helps, some transactions must stay out of this release.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from discreet.rng import Rng
from discreet.series.evidence.overlaps import range_of
from discreet.series.republishing.meeting import Meeting
from discreet.series.republishing.perturbing import Draft, Ints, allotted_at_random
from discreet.series.republishing.posterior import Cover, cells_of

CAP = 4
"""Up to how many times its size a cluster may grow by counterfeits of FP2."""


def secured(draft: Draft, rng: Rng, *, grandfather: bool) -> tuple[Draft, list[int]]:
    """Add counterfeits where a probability is too high; also return whom to withhold instead.

    The same draft comes back where every term keeps its bounds in every cluster and as a whole.
    """
    judge = _Judge(draft, grandfather=grandfather)
    unsafe = judge.unsafe()
    if unsafe and (lacking := _lacking(draft)) > 0:
        return _with_hidden(draft, allotted_at_random(draft.comparison, lacking, rng)), []
    added = np.zeros(len(draft.hidden), dtype=np.int64)
    withheld: list[int] = []
    for cluster in unsafe:
        exposure = judge.exposure(cluster)
        more = _least(exposure.safe, CAP * exposure.size)
        if more is None:
            withheld += judge.at_risk(cluster)
        else:
            added[cluster] = more
    if draft.comparison.past:
        more = _least(judge.whole.safe, CAP * judge.whole.size)
        if more is None:
            withheld += np.flatnonzero(draft.comparison.seen).tolist()
        else:
            added += allotted_at_random(draft.comparison, more, rng)
    return _with_hidden(draft, added), sorted(set(withheld))


def _with_hidden(draft: Draft, added: Ints) -> Draft:
    return replace(draft, hidden=draft.hidden + added) if added.any() else draft


def _lacking(draft: Draft) -> int:
    """Return how many must be added lest what is in the bag alone be too frequent.

    Declared counterfeits lower the rates, but a cluster's share of the bag goes by the others.
    """
    return ceil(draft.people / draft.comparison.factor) - int(draft.honest.sum())


def _least(safe: Callable[[int], bool], cap: int) -> int | None:
    """Return a number that is safe, with one less that is not; None if none up to the cap is.

    More is not always safer (003-6), so numbers are tried at 0, 1, 2, 4 and so on first.
    """
    if safe(0):
        return 0
    low, high = 0, 1
    while not safe(high):
        low, high = high, 2 * high
        if high > cap:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if safe(middle) else (middle, high)
    return high


@dataclass(frozen=True, eq=False)
class _Term:
    """One private term as one cluster sees it."""

    counted: int
    """Copies it counts."""
    shown: int
    """Copies it shows."""
    bag: int
    """Copies in the bag."""
    bound: Fraction
    """The largest posterior that is allowed."""
    old_copies: Sequence[int]
    """For each overlap the copies in the earlier cluster."""
    old_bounds: Sequence[Fraction]
    """For each overlap the bound of that release."""


@dataclass(frozen=True, eq=False)
class _Exposure:
    """A cluster, its overlaps with earlier ones, and the terms that could be at risk in it."""

    meeting: Meeting
    """Its overlaps with earlier clusters."""
    honest: int
    """Those that are not declared to be counterfeits."""
    people: int
    """The same of the whole corpus."""
    terms: list[_Term]
    """The terms that it holds."""
    grandfather: bool
    """Whether the bounds of earlier releases count for those they told of."""

    @property
    def size(self) -> int:
        """Its transactions."""
        return self.meeting.size

    def safe(self, extra: int) -> bool:
        """Whether no posterior is above its bound once there are ``extra`` more counterfeits."""
        for index, term in enumerate(self.terms):
            if not self._within_bounds(term, extra):
                # the term that failed is asked about first the next time
                self.terms.insert(0, self.terms.pop(index))
                return False
        return True

    def _within_bounds(self, term: _Term, extra: int) -> bool:
        """Whether the posteriors of one term are within their bounds."""
        share = Fraction((self.honest + extra) * term.bag, self.people + extra)
        if term.shown + share > term.bound * (self.size + extra):
            return False
        if term.bound >= 1:
            return True
        cover, bounds = self._cover(term, extra)
        return not cover.ranges or cover.within(bounds) is True

    def _cover(self, term: _Term, extra: int) -> tuple[Cover, list[Fraction]]:
        """Return what the overlaps tell of a term, and the bound of each cell."""
        cover, telling = self.meeting.evidence(term.counted, term.old_copies, extra)
        olds = [
            max(term.old_bounds[number] for number in overlaps) if self.grandfather else Fraction(0)
            for overlaps in telling
        ]
        return cover, [max([term.bound, *(olds[i] for i in cell)]) for cell, _ in cover.cells]


class _Judge:
    """Looks for clusters in which a posterior may be above its bound."""

    def __init__(self, draft: Draft, *, grandfather: bool) -> None:
        self.draft = draft
        self.comparison = draft.comparison
        self.grandfather = grandfather
        # undeclared counterfeits move no rate, so the bounds stay as they are
        self.bound = {
            term: self.comparison.factor * draft.rate(term)
            for term in np.flatnonzero(draft.totals).tolist()
        }
        self.copies = {term: draft.counted(term) for term in self.bound}
        self.old_copies = {
            term: self.comparison.old_copies(term)
            for term, bound in self.bound.items()
            if bound < 1 and draft.in_clusters(term)
        }
        self.terms: dict[int, list[int]] = {}

    def unsafe(self) -> list[int]:
        """Return the clusters in which a probability is above its bound."""
        doubtful: set[int] = set()
        over, size = self.comparison.over, self.draft.size
        for term, copies in self.copies.items():
            frequent = self._too_frequent(term)
            for cluster in np.flatnonzero((copies > 0) | frequent).tolist():
                self.terms.setdefault(cluster, []).append(term)
            doubtful.update(np.flatnonzero(frequent).tolist())
            if term in self.old_copies:
                low, high = range_of(size[over.new], copies[over.new], over.shared)
                old_low, old_high = range_of(over.old_size, self.old_copies[term], over.shared)
                least, most = np.maximum(low, old_low), np.minimum(high, old_high)
                tells = ((least > low) | (most < high)) & (least <= most) & (copies[over.new] > 0)
                doubtful.update(over.new[tells].tolist())
        return sorted(cluster for cluster in doubtful if not self.exposure(cluster).safe(0))

    def _too_frequent(self, term: int) -> NDArray[np.bool_]:
        """Whether copies and share of the bag, over the size, are above the bound: exactly."""
        draft, bound = self.draft, self.bound[term]
        people = int(draft.honest.sum())
        exact = draft.shown(term) * people + draft.honest * int(draft.bag[term])
        size, allowed = draft.size, people * bound.numerator
        if max(int(exact.max()) * bound.denominator, int(size.max()) * allowed) >= 1 << 62:
            exact, size = exact.astype(object), size.astype(object)
        return np.asarray(exact * bound.denominator > size * allowed, dtype=bool)

    @cached_property
    def _pairs(self) -> list[Ints]:
        """The overlaps of each cluster."""
        new = self.comparison.over.new
        order = np.argsort(new, kind="stable")
        return np.split(order, np.searchsorted(new[order], np.arange(1, len(self.comparison.real))))

    def exposure(self, cluster: int) -> _Exposure:
        """Return all there is to know of one cluster."""
        draft, over, pairs = self.draft, self.comparison.over, self._pairs[cluster]
        terms = []
        for term in self.terms.get(cluster, ()):
            old_copies = self.old_copies[term][pairs].tolist() if term in self.old_copies else []
            shown = int(draft.shown(term)[cluster])
            counted = int(self.copies[term][cluster]), shown, int(draft.bag[term])
            terms.append(self._term(term, counted, old_copies, over.release[pairs]))
        earlier = zip(over.release[pairs].tolist(), over.old[pairs].tolist(), strict=True)
        others = [self.comparison.past[i].kinds[old] for i, old in earlier]
        kinds = Counter(self.comparison.kind[self.comparison.records[cluster]].tolist())
        columns = [[other.get(kind, 0) for other in others] for kind in kinds]
        cells = cells_of(zip(kinds.values(), columns, strict=True), len(others))
        meeting = Meeting(int(draft.size[cluster]), cells, over.old_size[pairs].tolist())
        honest = int(draft.honest[cluster]), int(draft.honest.sum())
        return _Exposure(meeting, *honest, terms, self.grandfather)

    def at_risk(self, cluster: int) -> list[int]:
        """Return the records that cannot be helped: those that were seen before."""
        records = self.comparison.records[cluster]
        seen = self.comparison.seen[records]
        at_risk: list[int] = (records[seen] if seen.any() else records).tolist()
        return at_risk

    @cached_property
    def whole(self) -> _Exposure:
        """Return the corpus as one cluster."""
        draft, over = self.draft, self.comparison.whole
        terms = []
        for term, bound in self.bound.items():
            if bound < 1:
                total = int(draft.totals[term])
                old_totals = self.comparison.old_totals[term].tolist()
                terms.append(self._term(term, (total, 0, 0), old_totals, over.release))
        # an earlier corpus that shares nothing has no overlap
        numbers = {release: number for number, release in enumerate(over.release.tolist())}
        cells = tuple(
            (frozenset(numbers[i] for i in inside if i in numbers), size)
            for inside, size in self.comparison.cells
        )
        size, honest = int(draft.size.sum()), int(draft.honest.sum())
        meeting = Meeting(size, cells, over.old_size.tolist())
        return _Exposure(meeting, honest, honest, terms, self.grandfather)

    def _term(
        self, term: int, counted: tuple[int, int, int], old_copies: list[int], releases: Ints
    ) -> _Term:
        old = [self.comparison.factor * rate for rate in self.comparison.old_rates(term)]
        return _Term(*counted, self.bound[term], old_copies, [old[i] for i in releases.tolist()])
