"""A new corpus beside the releases before it: how many copies its clusters show, and to whom.

The state of a corpus on its way to release: copies in clusters and in the bag, counterfeits that
are declared and that are not. The phases only ever add.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.rng import Rng
from discreet.series.corpus import Corpus
from discreet.series.overlaps import Demand, Overlaps, backward, forward, overlaps, range_of
from discreet.series.past import Past
from discreet.series.posterior import Cell, cells_of
from discreet.series.sanitising import Room, refined, sanitised

__all__ = ["Draft", "draft_of", "exposed", "perturb"]

Ints: TypeAlias = NDArray[np.int64]
RESERVE = Fraction(9, 10)
"""How much of its bound a cluster may use, so that it can show the same in later releases too."""
ROUNDS = 12
"""Passes after which the phases must have nothing to add any more."""


@dataclass(eq=False)
class Draft:
    """A corpus on its way to release."""

    corpus: Corpus
    cluster: Ints
    """The cluster of each record."""
    kind: Ints
    """The number of each record's set in the series."""
    past: Sequence[Past]
    factor: Fraction
    rng: Rng
    copies: dict[int, Ints] = field(default_factory=dict)
    """For each term its copies in every cluster."""
    bag: Ints = field(init=False)
    """For each term its copies in the bag."""
    declared: Ints = field(init=False)
    """For each cluster the counterfeits of BP and FP1."""
    hidden: Ints = field(init=False)
    """For each cluster the counterfeits of FP2."""

    def __post_init__(self) -> None:
        self.bag = np.zeros(len(self.corpus.terms), dtype=np.int64)
        self.declared = np.zeros(len(self.real), dtype=np.int64)
        self.hidden = np.zeros(len(self.real), dtype=np.int64)

    @cached_property
    def real(self) -> Ints:
        """How many records each cluster has."""
        return np.bincount(self.cluster).astype(np.int64)

    @cached_property
    def records(self) -> list[Ints]:
        """The records of each cluster."""
        order = np.argsort(self.cluster, kind="stable")
        return np.split(order, np.cumsum(self.real)[:-1])

    @cached_property
    def over(self) -> Overlaps:
        """The overlaps of its clusters with those of every earlier release."""
        return Overlaps.joined(
            [
                overlaps((self.kind, self.cluster), (p.kind, p.content.cluster), i, p.content.size)
                for i, p in enumerate(self.past)
            ]
        )

    @cached_property
    def whole(self) -> Overlaps:
        """The overlaps of the corpus as a whole with every earlier one."""
        one = np.zeros(len(self.kind), dtype=np.int64)
        return Overlaps.joined(
            [
                overlaps(
                    (self.kind, one),
                    (p.kind, np.zeros(len(p.kind), dtype=np.int64)),
                    i,
                    np.array([len(p.kind)]),
                )
                for i, p in enumerate(self.past)
            ]
        )

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The records by the earlier corpora that hold their sets."""
        counts = [np.bincount(p.kind, minlength=int(self.kind.max()) + 1) for p in self.past]
        kinds, here = np.unique(self.kind, return_counts=True)
        there = np.stack([count[kinds] for count in counts], axis=1)
        shapes, times = np.unique(np.column_stack([here, there]), axis=0, return_counts=True)
        cells: dict[frozenset[int], int] = {}
        for (own, *others), many in zip(shapes.tolist(), times.tolist(), strict=True):
            for place, size in cells_of([(own, others)], len(others)):
                cells[place] = cells.get(place, 0) + size * many
        return tuple(sorted(cells.items(), key=lambda cell: sorted(cell[0])))

    @property
    def size(self) -> Ints:
        """The published transactions of each cluster."""
        return self.real + self.declared + self.hidden

    @property
    def people(self) -> int:
        """Over how many the rates are: all but the counterfeits of FP2."""
        return int(self.real.sum() + self.declared.sum())

    def total(self, term: int) -> int:
        """Return all copies of a term."""
        shown = self.copies.get(term)
        return int(self.bag[term]) + (0 if shown is None else int(shown.sum()))

    def rate(self, term: int) -> Fraction:
        """Return the population rate of a term as it will be published."""
        return Fraction(self.total(term), self.people)

    def shown(self, term: int) -> Ints:
        """Return the copies of a term in each cluster."""
        return self.copies.get(term, np.zeros(len(self.real), dtype=np.int64))

    def share(self, bag: int) -> Ints:
        """Return each cluster's rounded share of a bag, by the sizes everyone will see."""
        honest = self.real + self.hidden
        people = int(honest.sum())
        share: Ints = (2 * honest * bag + people) // (2 * people)
        return share

    def held(self, term: int) -> Ints:
        """Return what each cluster counts as holding: its copies and its share of the bag."""
        held: Ints = np.minimum(self.shown(term) + self.share(int(self.bag[term])), self.size)
        return held

    def old_held(self, term: int) -> Ints:
        """Return for each overlap the copies in the earlier cluster."""
        held = np.zeros(len(self.over), dtype=np.int64)
        for number, past in enumerate(self.past):
            there = self.over.release == number
            held[there] = past.held(self.corpus.terms[term])[self.over.old[there]]
        return held

    def old_totals(self, term: int) -> Ints:
        """Return for each overlap of whole corpora the copies in the earlier one."""
        name = self.corpus.terms[term]
        return np.array(
            [self.past[i].totals.get(name, 0) for i in self.whole.release], dtype=np.int64
        )

    def harmless(self, term: int) -> bool:
        """Whether no posterior can be above the bound in any release that holds the term."""
        name = self.corpus.terms[term]
        rates = [past.rates[name] for past in self.past if name in past.rates]
        here = [self.rate(term)] if self.total(term) else []
        return all(self.factor * rate >= 1 for rate in (*rates, *here))

    def in_clusters(self, term: int) -> bool:
        """Whether a cluster shows the term, here or in an earlier release."""
        name = self.corpus.terms[term]
        return any(past.shows(name) for past in self.past) or bool(self.held(term).any())

    def concerned(self) -> list[int]:
        """Return the terms whose posterior could rise above a bound."""
        return [term for term in range(len(self.corpus.terms)) if not self.harmless(term)]


def draft_of(draft: Draft, *, level: bool) -> Draft:
    """Segregate, sanitise and refine; with ``level``, keep clusters at what they showed before."""
    held = draft.corpus.held(draft.cluster)
    order = draft.rng.permutation(len(draft.real))
    draft.bag += draft.corpus.supports
    if level:
        _perturb_whole(draft, _backward)
        _perturb_whole(draft, forward)
    for term in range(len(draft.corpus.terms)):
        true = held.of(term)
        concerned = level and not draft.harmless(term)
        factor = max(Fraction(1), draft.factor * RESERVE) if concerned else draft.factor
        room = Room(draft.real, int(draft.bag[term]), factor, rounded=concerned)
        if concerned:
            shown, draft.bag[term] = _levelled(draft, term, true, room, order)
        else:
            shown, draft.bag[term] = refined(*sanitised(true, room), room, order)
        if shown.any():
            draft.copies[term] = shown
    return draft


def exposed(draft: Draft) -> list[int]:
    """Return records to withhold, because an earlier cluster would come back as a whole.

    Then everyone knows exactly how many copies its members hold, so that the others of the new
    cluster hold none; one member less is cheaper than the counterfeits that would hide it.
    """
    over = draft.over
    spare = np.zeros(len(over), dtype=np.int64)
    for term in draft.concerned():
        if any(past.shows(draft.corpus.terms[term]) for past in draft.past):
            old_held = draft.old_held(term)
            low, _ = range_of(over.old_size, old_held, over.shared)
            own, _ = range_of(draft.real[over.new], old_held, over.shared)
            spare = np.maximum(spare, np.where(low > own, low, 0))
    spare[draft.real[over.new] == over.known] = 0
    withheld: set[int] = set()
    for pair in np.flatnonzero(spare):
        there = draft.past[over.release[pair]].kinds[int(over.old[pair])]
        withheld.update(_cheapest(draft, int(over.new[pair]), there, int(spare[pair])))
    return sorted(withheld)


def _cheapest(draft: Draft, cluster: int, there: dict[int, int], spare: int) -> list[int]:
    """Return few records without which ``spare`` members of the earlier cluster stay away."""
    here: dict[int, list[int]] = {}
    for record in draft.records[cluster].tolist():
        if int(draft.kind[record]) in there:
            here.setdefault(int(draft.kind[record]), []).append(record)
    # of a set that is here more often than it was there, the surplus would have to go first
    surplus = {kind: max(len(records) - there[kind], 0) for kind, records in here.items()}
    withheld: list[int] = []
    for kind in sorted(here, key=surplus.__getitem__):
        away = min(spare, len(here[kind]) - surplus[kind])
        withheld += here[kind][: surplus[kind] + away] if away else []
        spare -= away
    return withheld


def _levelled(draft: Draft, term: int, true: Ints, room: Room, order: Ints) -> tuple[Ints, int]:
    """Return the copies that make comparing a cluster with earlier ones pointless, and the bag.

    Where the earlier cluster shows fewer copies than there are common sets, the number must stay
    as it was; elsewhere it may be what it truly is, within limits. Copies that may not be shown go
    into the bag, and copies that are missing come from there.
    """
    over, old_held = draft.over, draft.old_held(term)
    low, high = range_of(over.old_size, old_held, over.shared)
    least = np.zeros(len(draft.real), dtype=np.int64)
    np.maximum.at(least, over.new, high)
    most = draft.real.copy()
    np.minimum.at(most, over.new, draft.real[over.new] - over.shared + low)
    fixed = np.zeros(len(draft.real), dtype=bool)
    fixed[over.new[old_held < over.shared]] = True
    most = np.where(fixed, least, np.maximum(most, least))
    bag, shown = 0, true
    while True:
        wanted = np.clip(true, least, most) - draft.share(bag)
        shown = np.clip(wanted, 0, room.at(bag))
        if room.copies - int(shown.sum()) <= bag:
            break
        bag = room.copies - int(shown.sum())
    shown = _cut(shown, int(shown.sum()) - (room.copies - bag), least, order)
    return refined(shown, bag, room, order, np.maximum(most - draft.share(bag), 0))


def _cut(shown: Ints, excess: int, least: Ints, order: Ints) -> Ints:
    """Take copies away where there are more than exist, first from clusters that can spare them."""
    shown = shown.copy()
    for floor in (least, np.zeros_like(least)):
        while excess > 0:
            places = order[shown[order] > floor[order]][:excess]
            if not len(places):
                break
            shown[places] -= 1
            excess -= len(places)
    return shown


Phase: TypeAlias = Callable[[Overlaps, Ints, Ints, Ints, Ints, Ints], Demand]


def _backward(
    over: Overlaps, size: Ints, held: Ints, old_held: Ints, _real: Ints, _declared: Ints
) -> Demand:
    return backward(over, size, held, old_held)


def perturb(draft: Draft) -> bool:
    """Run BP and FP1, at the level of clusters and of whole corpora; say whether they added any."""
    before = (int(draft.declared.sum()), draft.people)
    for _ in range(ROUNDS):
        added = int(draft.declared.sum()) + int(draft.bag.sum())
        for phase in (_backward, forward):
            _perturb_clusters(draft, phase)
            _perturb_whole(draft, phase)
        if added == int(draft.declared.sum()) + int(draft.bag.sum()):
            break
    return before != (int(draft.declared.sum()), draft.people)


def _perturb_clusters(draft: Draft, phase: Phase) -> None:
    """Add the counterfeits that the clusters need: as many as the most demanding term."""
    needs = np.zeros(len(draft.real), dtype=np.int64)
    added = {}
    for term in draft.concerned():
        if len(draft.over) and draft.in_clusters(term):
            held, old_held = draft.held(term), draft.old_held(term)
            demand = phase(draft.over, draft.size, held, old_held, draft.real, draft.declared)
            needs = np.maximum(needs, demand.with_term + demand.without)
            if demand.with_term.any():
                added[term] = demand.with_term
    for term, copies in added.items():
        draft.copies[term] = draft.shown(term) + copies
    draft.declared += needs


def _perturb_whole(draft: Draft, phase: Phase) -> None:
    """Add the counterfeits that the corpus needs, spread over its clusters; copies to the bag."""
    needs = 0
    size, real = draft.size.sum(keepdims=True), draft.real.sum(keepdims=True)
    declared = draft.declared.sum(keepdims=True)
    for term in draft.concerned():
        if len(draft.whole):
            held = np.array([draft.total(term)], dtype=np.int64)
            demand = phase(draft.whole, size, held, draft.old_totals(term), real, declared)
            needs = max(needs, int((demand.with_term + demand.without)[0]))
            draft.bag[term] += demand.with_term[0]
    if needs:
        # like the cluster of someone drawn at random: the terms will be drawn from it
        places = draft.cluster[draft.rng.integers(len(draft.cluster), needs)]
        draft.declared += np.bincount(places, minlength=len(draft.real))
