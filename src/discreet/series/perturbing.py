"""A new corpus on its way to release: copies in clusters and in the bag, and counterfeits.

BP and FP1 are here. Every step returns another draft, and the steps only ever add.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.rng import Rng
from discreet.series.comparison import Comparison
from discreet.series.overlaps import Demand, Overlaps, backward, forward, range_of
from discreet.series.sanitising import Room, refined, sanitised

__all__ = ["Draft", "allotted_at_random", "drafted", "exposed", "perturbed"]

Ints: TypeAlias = NDArray[np.int64]
ROUNDS = 12
"""Passes after which the phases must have nothing to add any more."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A corpus on its way to release; every step makes another one."""

    beside: Comparison
    copies: Mapping[int, Ints]
    """For each term that clusters show its copies in every cluster."""
    bag: Ints
    """For each term its copies in the bag."""
    declared: Ints
    """For each cluster the counterfeits of BP and FP1."""
    hidden: Ints
    """For each cluster the counterfeits of FP2."""

    @classmethod
    def all_in_the_bag(cls, beside: Comparison) -> "Draft":
        """Begin with everything private in the bag."""
        nothing = np.zeros(len(beside.real), dtype=np.int64)
        return cls(beside, {}, beside.corpus.supports, nothing, nothing)

    @cached_property
    def size(self) -> Ints:
        """The published transactions of each cluster."""
        size: Ints = self.beside.real + self.declared + self.hidden
        return size

    @cached_property
    def honest(self) -> Ints:
        """The transactions of each cluster that are not declared to be counterfeits."""
        honest: Ints = self.beside.real + self.hidden
        return honest

    @cached_property
    def people(self) -> int:
        """Over how many the rates are: all but the counterfeits of FP2."""
        return int(self.beside.real.sum() + self.declared.sum())

    @cached_property
    def totals(self) -> Ints:
        """All copies of each term."""
        totals = self.bag.copy()
        for term, copies in self.copies.items():
            totals[term] += copies.sum()
        return totals

    def rate(self, term: int) -> Fraction:
        """Return the population rate of a term as it will be published."""
        return Fraction(int(self.totals[term]), self.people)

    def shown(self, term: int) -> Ints:
        """Return the copies of a term in each cluster."""
        return self.copies.get(term, np.zeros(len(self.honest), dtype=np.int64))

    def share(self, bag: int) -> Ints:
        """Return each cluster's rounded share of a bag, by the sizes everyone will see."""
        people = int(self.honest.sum())
        share: Ints = (2 * self.honest * bag + people) // (2 * people)
        return share

    def held(self, term: int) -> Ints:
        """Return what each cluster counts as holding: its copies and its share of the bag."""
        held: Ints = np.minimum(self.shown(term) + self.share(int(self.bag[term])), self.size)
        return held

    def harmless(self, term: int) -> bool:
        """Whether no posterior can be above the bound in any release that holds the term."""
        rates = [rate for rate in (*self.beside.old_rates(term), self.rate(term)) if rate]
        return all(self.beside.factor * rate >= 1 for rate in rates)

    def in_clusters(self, term: int) -> bool:
        """Whether a cluster counts copies of the term, here or in an earlier release."""
        return self.beside.shown_before(term) or bool(self.held(term).any())

    @cached_property
    def concerned(self) -> list[int]:
        """The terms whose posterior could rise above a bound."""
        return [term for term in range(len(self.bag)) if not self.harmless(term)]


def drafted(beside: Comparison, rng: Rng, *, level: bool, share: Fraction) -> Draft:
    """Segregate, sanitise and refine; with ``level``, keep clusters at what they showed before.

    Clusters that are kept at a level use this ``share`` of their bound.
    """
    draft = Draft.all_in_the_bag(beside)
    held = beside.corpus.held(beside.cluster)
    order = rng.permutation(len(beside.real))
    if level:
        draft = _whole_perturbed(_whole_perturbed(draft, _backward, rng), forward, rng)
    copies, bag = {}, draft.bag.copy()
    for term in range(len(bag)):
        true = held.of(term)
        concerned = level and not draft.harmless(term)
        factor = max(Fraction(1), beside.factor * share) if concerned else beside.factor
        room = Room(beside.real, int(bag[term]), factor, rounded=concerned)
        if concerned:
            shown, bag[term] = _levelled(draft, term, true, room, order)
        else:
            shown, bag[term] = refined(*sanitised(true, room), room, order)
        if shown.any():
            copies[term] = shown
    return replace(draft, copies=copies, bag=bag)


def exposed(beside: Comparison) -> list[int]:
    """Return records to withhold, because an earlier cluster would come back as a whole.

    Then everyone knows exactly how many copies its members hold, so that the others of the new
    cluster hold none; one member less is cheaper than the counterfeits that would hide it.
    """
    over, real = beside.over, beside.real
    spare = np.zeros(len(over), dtype=np.int64)
    for term in Draft.all_in_the_bag(beside).concerned:
        if beside.shown_before(term):
            old_copies = beside.old_copies(term)
            low, _ = range_of(over.old_size, old_copies, over.shared)
            own, _ = range_of(real[over.new], old_copies, over.shared)
            spare = np.maximum(spare, np.where(low > own, low, 0))
    spare[real[over.new] == over.known] = 0
    withheld: set[int] = set()
    for pair in np.flatnonzero(spare):
        there = beside.past[over.release[pair]].kinds[int(over.old[pair])]
        withheld.update(_cheapest(beside, int(over.new[pair]), there, int(spare[pair])))
    return sorted(withheld)


def _cheapest(beside: Comparison, cluster: int, there: dict[int, int], spare: int) -> list[int]:
    """Return few records without which ``spare`` members of the earlier cluster stay away."""
    here: dict[int, list[int]] = {}
    for record in beside.records[cluster].tolist():
        if int(beside.kind[record]) in there:
            here.setdefault(int(beside.kind[record]), []).append(record)
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
    over, real = draft.beside.over, draft.beside.real
    old_copies = draft.beside.old_copies(term)
    low, high = range_of(over.old_size, old_copies, over.shared)
    least = np.zeros(len(real), dtype=np.int64)
    np.maximum.at(least, over.new, high)
    most = real.copy()
    np.minimum.at(most, over.new, real[over.new] - over.shared + low)
    fixed = np.zeros(len(real), dtype=bool)
    fixed[over.new[old_copies < over.shared]] = True
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
    over: Overlaps, size: Ints, held: Ints, old_copies: Ints, _real: Ints, _declared: Ints
) -> Demand:
    return backward(over, size, held, old_copies)


def perturbed(draft: Draft, rng: Rng) -> Draft:
    """Run BP and FP1, at the level of clusters and of whole corpora, until they add nothing."""
    for _ in range(ROUNDS):
        before = draft
        for phase in (_backward, forward):
            draft = _whole_perturbed(_clusters_perturbed(draft, phase), phase, rng)
        if draft.declared is before.declared and draft.bag is before.bag:
            break
    return draft


def _clusters_perturbed(draft: Draft, phase: Phase) -> Draft:
    """Add the counterfeits that the clusters need: as many as the most demanding term."""
    beside = draft.beside
    needs = np.zeros(len(beside.real), dtype=np.int64)
    added = {}
    for term in draft.concerned if len(beside.over) else ():
        if draft.in_clusters(term):
            numbers = draft.held(term), beside.old_copies(term), beside.real, draft.declared
            demand = phase(beside.over, draft.size, *numbers)
            needs = np.maximum(needs, demand.with_term + demand.without)
            if demand.with_term.any():
                added[term] = draft.shown(term) + demand.with_term
    if not needs.any():
        return draft
    return replace(draft, copies={**draft.copies, **added}, declared=draft.declared + needs)


def _whole_perturbed(draft: Draft, phase: Phase, rng: Rng) -> Draft:
    """Add the counterfeits that the corpus needs, spread over its clusters; copies to the bag."""
    beside, needs, bag = draft.beside, 0, draft.bag.copy()
    size, real, declared = (
        part.sum(keepdims=True) for part in (draft.size, beside.real, draft.declared)
    )
    for term in draft.concerned if len(beside.whole) else ():
        held = draft.totals[[term]]
        demand = phase(beside.whole, size, held, beside.old_totals(term), real, declared)
        needs = max(needs, int((demand.with_term + demand.without)[0]))
        bag[term] += demand.with_term[0]
    if not needs:
        return draft
    return replace(draft, bag=bag, declared=draft.declared + allotted_at_random(beside, needs, rng))


def allotted_at_random(beside: Comparison, number: int, rng: Rng) -> Ints:
    """Return how many of so many counterfeits go to each cluster: to those of people drawn."""
    clusters = beside.cluster[beside.imitated(number, rng)]
    return np.bincount(clusters, minlength=len(beside.real))
