"""FP2: counterfeits that nobody is told of, until no posterior probability is above its bound.

Where no number of them helps, some transactions must stay out of this release.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from discreet.series.overlaps import range_of
from discreet.series.perturbing import Draft, Ints
from discreet.series.posterior import Cell, Cover, Range, cells_of, s_range

__all__ = ["secure"]

CAP = 4
"""Up to how many times its size a cluster may grow by counterfeits of FP2."""


def secure(draft: Draft, *, grandfather: bool) -> tuple[bool, list[int]]:
    """Add counterfeits where a posterior is too high; return whether any, and whom to withhold."""
    judge = _Judge(draft, grandfather=grandfather)
    withheld: list[int] = []
    added = False
    for cluster in judge.unsafe():
        scene = judge.scene(cluster)
        more = _least(scene.safe, CAP * scene.size)
        if more is None:
            withheld += judge.at_risk(cluster)
        else:
            draft.hidden[cluster] += more
            added = True
    more = _least(judge.whole.safe, CAP * judge.whole.size)
    if more is None:
        withheld += judge.unhelped()
    elif more:
        places = draft.cluster[draft.rng.integers(len(draft.cluster), more)]
        draft.hidden += np.bincount(places, minlength=len(draft.real))
        added = True
    return added, withheld


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

    held: int
    """Copies it counts."""
    exact: Fraction
    """Copies and the exact share of the bag."""
    bound: Fraction
    """The largest posterior that is allowed."""
    old_held: Sequence[int]
    """For each overlap the copies in the earlier cluster."""
    old_bounds: Sequence[Fraction]
    """For each overlap the bound of that release."""


@dataclass(frozen=True, eq=False)
class _Scene:
    """A cluster, its overlaps with earlier ones, and the terms that could be at risk in it."""

    size: int
    """Its transactions, counterfeits among them."""
    cells: tuple[Cell, ...]
    """Its records by the overlaps they lie in."""
    other_sizes: Sequence[int]
    """For each overlap the size of the earlier cluster."""
    terms: list[_Term]
    """The terms that it holds."""
    grandfather: bool
    """Whether the bounds of earlier releases count for those they told of."""

    @cached_property
    def shared(self) -> list[int]:
        """For each overlap how many members lie in it."""
        return [
            sum(size for place, size in self.cells if number in place)
            for number in range(len(self.other_sizes))
        ]

    @cached_property
    def same(self) -> list[int]:
        """For each overlap the first one that has the same members."""
        places = [
            tuple(number in place for place, _ in self.cells)
            for number in range(len(self.other_sizes))
        ]
        return [places.index(place) for place in places]

    def safe(self, extra: int) -> bool:
        """Whether no posterior is above its bound once there are ``extra`` more counterfeits."""
        for place, term in enumerate(self.terms):
            if not self._calm(term, extra):
                # who failed is asked first the next time
                self.terms.insert(0, self.terms.pop(place))
                return False
        return True

    def _calm(self, term: _Term, extra: int) -> bool:
        """Whether the posteriors of one term are within their bounds."""
        if term.exact > term.bound * (self.size + extra):
            return False
        cover, bounds = self._cover(term, extra)
        return not cover.ranges or cover.within(bounds) is True

    def _cover(self, term: _Term, extra: int) -> tuple[Cover, list[Fraction]]:
        """Return what the overlaps tell of a term, and the bound of each cell."""
        told: dict[int, Range] = {}
        earlier: dict[int, Fraction] = {}
        for number, shared in enumerate(self.shared):
            own = s_range(self.size + extra, term.held, shared)
            other = s_range(self.other_sizes[number], term.old_held[number], shared)
            both = max(own[0], other[0]), min(own[1], other[1])
            if both == own or both[0] > both[1]:
                continue
            first = self.same[number]
            known = told.get(first, both)
            narrow = max(both[0], known[0]), min(both[1], known[1])
            told[first] = narrow if narrow[0] <= narrow[1] else both
            earlier[first] = max(term.old_bounds[number], earlier.get(first, Fraction(0)))
        cover = Cover(term.held, self._seen(tuple(told), extra), tuple(told.values()))
        olds = list(earlier.values()) if self.grandfather else [Fraction(0)] * len(told)
        return cover, [max([term.bound, *(olds[i] for i in place)]) for place, _ in cover.cells]

    def _seen(self, overlaps: tuple[int, ...], extra: int) -> tuple[Cell, ...]:
        """Return the cells by some of the overlaps; counterfeits are in none."""
        cells: dict[frozenset[int], int] = {}
        for place, size in self.cells:
            seen = frozenset(i for i, number in enumerate(overlaps) if number in place)
            cells[seen] = cells.get(seen, 0) + size
        fakes = self.size + extra - sum(size for _, size in self.cells)
        if fakes:
            cells[frozenset()] = cells.get(frozenset(), 0) + fakes
        return tuple(sorted(cells.items(), key=lambda cell: sorted(cell[0])))


class _Judge:
    """Looks for clusters in which a posterior may be above its bound."""

    def __init__(self, draft: Draft, *, grandfather: bool) -> None:
        self.draft = draft
        self.grandfather = grandfather
        self.terms = [
            term
            for term in draft.concerned()
            if draft.total(term) and draft.factor * draft.rate(term) < 1
        ]
        # undeclared counterfeits move no rate, so the bounds stay as they are
        self.bound = {term: draft.factor * draft.rate(term) for term in self.terms}
        self.old_bounds = {term: self._old_bounds(term) for term in self.terms}
        self.held = {term: draft.held(term) for term in self.terms if draft.in_clusters(term)}
        self.old_held = {term: draft.old_held(term) for term in self.held}
        self.seen: dict[int, list[int]] = {}

    def _old_bounds(self, term: int) -> list[Fraction]:
        """Return the bound of a term in each earlier release."""
        name = self.draft.corpus.terms[term]
        return [self.draft.factor * past.rates.get(name, Fraction(0)) for past in self.draft.past]

    def unsafe(self) -> list[int]:
        """Return the clusters that are above a bound, or of which others tell something."""
        doubtful: set[int] = set()
        over, size = self.draft.over, self.draft.size
        for term, held in self.held.items():
            frequent = self._too_frequent(term)
            for cluster in np.flatnonzero((held > 0) | frequent).tolist():
                self.seen.setdefault(cluster, []).append(term)
            doubtful.update(np.flatnonzero(frequent).tolist())
            low, high = range_of(size[over.new], held[over.new], over.shared)
            old_low, old_high = range_of(over.old_size, self.old_held[term], over.shared)
            least, most = np.maximum(low, old_low), np.minimum(high, old_high)
            tells = ((least > low) | (most < high)) & (least <= most) & (held[over.new] > 0)
            doubtful.update(over.new[tells].tolist())
        return sorted(cluster for cluster in doubtful if not self.scene(cluster).safe(0))

    def _too_frequent(self, term: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Whether copies and share of the bag, over the size, are above the bound: exactly."""
        draft, bound = self.draft, self.bound[term]
        honest = draft.real + draft.hidden
        people = int(honest.sum())
        exact = draft.shown(term) * people + honest * int(draft.bag[term])
        size, allowed = draft.size, people * bound.numerator
        if max(int(exact.max()) * bound.denominator, int(size.max()) * allowed) >= 1 << 62:
            exact, size = exact.astype(object), size.astype(object)
        return np.asarray(exact * bound.denominator > size * allowed, dtype=bool)

    @cached_property
    def _pairs(self) -> dict[int, Ints]:
        order = np.argsort(self.draft.over.new, kind="stable")
        ends = np.searchsorted(self.draft.over.new[order], np.arange(len(self.draft.real) + 1))
        return {c: order[ends[c] : ends[c + 1]] for c in range(len(self.draft.real))}

    def scene(self, cluster: int) -> _Scene:
        """Return all there is to know of one cluster."""
        draft, over = self.draft, self.draft.over
        pairs = self._pairs[cluster]
        honest = draft.real + draft.hidden
        people = int(honest.sum())
        terms = []
        for term in self.seen.get(cluster, ()):
            share = Fraction(int(honest[cluster]) * int(draft.bag[term]), people)
            counted = int(self.held[term][cluster]), int(draft.shown(term)[cluster]) + share
            old_held = self.old_held[term][pairs].tolist()
            terms.append(self._term(term, counted, old_held, over.release[pairs]))
        places = zip(over.release[pairs].tolist(), over.old[pairs].tolist(), strict=True)
        others = [draft.past[i].kinds[old] for i, old in places]
        kinds = _counts(draft.kind[draft.records[cluster]].tolist())
        columns = [[other.get(kind, 0) for other in others] for kind in kinds]
        cells = cells_of(zip(kinds.values(), columns, strict=True), len(others))
        old_sizes = over.old_size[pairs].tolist()
        return _Scene(int(draft.size[cluster]), cells, old_sizes, terms, self.grandfather)

    def at_risk(self, cluster: int) -> list[int]:
        """Return the records that cannot be helped: those that were seen before."""
        records = self.draft.records[cluster]
        seen = np.isin(self.draft.kind[records], np.concatenate([p.kind for p in self.draft.past]))
        helpless = records[seen] if seen.any() else records
        return [int(record) for record in helpless]

    @cached_property
    def whole(self) -> _Scene:
        """Return the corpus as one cluster."""
        draft, over = self.draft, self.draft.whole
        terms = []
        for term in self.terms:
            counted = draft.total(term), Fraction(0)
            terms.append(self._term(term, counted, draft.old_totals(term).tolist(), over.release))
        # an earlier corpus that shares nothing has no overlap
        numbers = {release: number for number, release in enumerate(over.release.tolist())}
        old_sizes = over.old_size.tolist()
        cells = tuple(
            (frozenset(numbers[i] for i in place if i in numbers), size)
            for place, size in draft.cells
        )
        return _Scene(int(draft.size.sum()), cells, old_sizes, terms, self.grandfather)

    def unhelped(self) -> list[int]:
        """Return everyone who was seen before, for whom no counterfeit helps."""
        seen = np.isin(self.draft.kind, np.concatenate([past.kind for past in self.draft.past]))
        return np.flatnonzero(seen).tolist()

    def _term(
        self, term: int, counted: tuple[int, Fraction], old_held: list[int], releases: Ints
    ) -> _Term:
        old = [self.old_bounds[term][i] for i in releases.tolist()]
        return _Term(*counted, self.bound[term], old_held, old)


def _counts(kinds: Iterable[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    return counts
