"""A new corpus on its way to release: copies in clusters and in the bag, and counterfeits.

BP and FP1 are here. Every step returns another draft, and the steps only ever add.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.rng import Rng
from discreet.series.clusters.sanitising import Room, refined, rounded_shares, sanitised
from discreet.series.evidence.overlaps import Demand, Overlaps, backward, forward, range_of
from discreet.series.republishing.comparison import Comparison

Ints: TypeAlias = NDArray[np.int64]
Level: TypeAlias = Literal["number", "rate"]
"""What of a term stays as earlier clusters showed it: its number of copies, or its rate."""
ROUNDS = 12
"""Passes after which the phases must have nothing to add any more."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A corpus on its way to release; every step makes another one."""

    comparison: Comparison
    copies: Mapping[int, Ints]
    """For each term that clusters show its copies in every cluster."""
    bag: Ints
    """For each term its copies in the bag."""
    declared: Ints
    """For each cluster the counterfeits of BP and FP1."""
    hidden: Ints
    """For each cluster the counterfeits of FP2."""
    printed: bool
    """Whether a cluster must tell nothing of another, as printed, or nothing above a bound."""

    @classmethod
    def all_in_the_bag(cls, comparison: Comparison, *, printed: bool) -> "Draft":
        """Begin with everything private in the bag."""
        nothing = np.zeros(len(comparison.real), dtype=np.int64)
        return cls(comparison, {}, comparison.corpus.supports, nothing, nothing, printed)

    @cached_property
    def size(self) -> Ints:
        """The published transactions of each cluster."""
        size: Ints = self.comparison.real + self.declared + self.hidden
        return size

    @cached_property
    def honest(self) -> Ints:
        """The transactions of each cluster that are not declared to be counterfeits."""
        honest: Ints = self.comparison.real + self.hidden
        return honest

    @cached_property
    def people(self) -> int:
        """Over how many the rates are: all but the counterfeits of FP2."""
        return int(self.comparison.real.sum() + self.declared.sum())

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
        return rounded_shares(self.honest, bag)

    def counted(self, term: int) -> Ints:
        """Return what each cluster counts as holding: its copies and its share of the bag."""
        counted: Ints = np.minimum(self.shown(term) + self.share(int(self.bag[term])), self.size)
        return counted

    def harmless(self, term: int) -> bool:
        """Whether no posterior can be above the bound in any release that holds the term."""
        factor, copies = self.comparison.factor, int(self.totals[term])
        # the bound in whole numbers: factor * copies / people >= 1
        within = copies * factor.numerator >= self.people * factor.denominator
        return self.comparison.harmless_before[term] and (within or not copies)

    def in_clusters(self, term: int) -> bool:
        """Whether a cluster counts copies of the term, here or in an earlier release."""
        return self.comparison.shown_before(term) or bool(self.counted(term).any())

    @cached_property
    def concerned(self) -> list[int]:
        """The terms whose posterior could rise above a bound."""
        return [term for term in range(len(self.bag)) if not self.harmless(term)]


def drafted(comparison: Comparison, rng: Rng, *, level: Level | None, share: Fraction) -> Draft:
    """Segregate, sanitise and refine; with a ``level``, keep clusters at what they showed before.

    Clusters that are kept at a level use this ``share`` of their bound.
    """
    draft = Draft.all_in_the_bag(comparison, printed=level is None)
    by_cluster = comparison.corpus.copies_in(comparison.cluster)
    order = rng.permutation(len(comparison.real))
    if level is not None:
        for phase in PHASES:
            draft = _whole_perturbed(draft, phase, rng)
    copies, bag = {}, draft.bag.copy()
    for term in range(len(bag)):
        true = by_cluster.of(term)
        concerned = level is not None and not draft.harmless(term)
        factor = max(Fraction(1), comparison.factor * share) if concerned else comparison.factor
        room = Room(comparison.real, int(bag[term]), factor, rounded=concerned)
        if concerned:
            limits = (_as_frequent if level == "rate" else _as_many)(draft, term)
            shown, bag[term] = _levelled(draft, limits, true, room, order)
        else:
            shown, bag[term] = refined(*sanitised(true, room), room, order)
        if shown.any():
            copies[term] = shown
    return replace(draft, copies=copies, bag=bag)


def _as_many(draft: Draft, term: int) -> tuple[Ints, Ints]:
    """Return the fewest and the most copies that make comparing with earlier clusters pointless.

    Where the earlier cluster shows fewer copies than there are common sets, the number must stay
    as it was; elsewhere it may be what it truly is, within limits.
    """
    over, real = draft.comparison.over, draft.comparison.real
    old_copies = draft.comparison.old_copies(term)
    low, high = range_of(over.old_size, old_copies, over.shared)
    least = np.zeros(len(real), dtype=np.int64)
    np.maximum.at(least, over.new, high)
    most = real.copy()
    np.minimum.at(most, over.new, real[over.new] - over.shared + low)
    fixed = np.zeros(len(real), dtype=bool)
    fixed[over.new[old_copies < over.shared]] = True
    return least, np.where(fixed, least, np.maximum(most, least))


def _as_frequent(draft: Draft, term: int) -> tuple[Ints, Ints]:
    """Return the copies by which a cluster shows a term as often as its members' earlier ones did.

    Then those who stay are no likelier to hold it than those who left, nor than who came.
    """
    over, real = draft.comparison.over, draft.comparison.real
    expected = over.shared * draft.comparison.old_copies(term) / over.old_size
    copies, members = (
        np.bincount(over.new, weights=weights, minlength=len(real))
        for weights in (expected, over.shared)
    )
    level = np.floor(real * copies / np.maximum(members, 1) + 0.5).astype(np.int64)
    return level, np.where(members > 0, level, real)


def _levelled(
    draft: Draft, limits: tuple[Ints, Ints], true: Ints, room: Room, order: Ints
) -> tuple[Ints, int]:
    """Return copies within the limits, and the bag.

    Copies that may not be shown go into the bag, and copies that are missing come from there.
    """
    least, most = limits
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
            clusters = order[shown[order] > floor[order]][:excess]
            if not len(clusters):
                break
            shown[clusters] -= 1
            excess -= len(clusters)
    return shown


@dataclass(frozen=True, eq=False)
class Pairs:
    """Overlaps of new clusters with earlier ones, or of whole corpora, and a term in each."""

    over: Overlaps
    size: Ints
    """The transactions of each new cluster."""
    copies: Ints
    """The copies it counts."""
    old_copies: Ints
    """For each overlap the copies of the earlier cluster."""
    real: Ints
    """The records of each new cluster."""
    declared: Ints
    """The counterfeits that everyone will know of."""

    def take(self, which: NDArray[np.bool_]) -> "Pairs":
        """Return some of the overlaps."""
        return replace(self, over=self.over.take(which), old_copies=self.old_copies[which])

    @property
    def telling(self) -> NDArray[np.bool_]:
        """Which overlaps tell something of the earlier cluster."""
        low, high = range_of(self.size[self.over.new], self.copies[self.over.new], self.over.shared)
        old_low, old_high = range_of(self.over.old_size, self.old_copies, self.over.shared)
        telling: NDArray[np.bool_] = (old_high > high) | (low > old_low)
        return telling

    def rest_above(self, bound: Fraction) -> NDArray[np.bool_]:
        """Return beyond which overlaps the rest of the new cluster may be above the bound."""
        over = self.over
        low, _ = range_of(self.size[over.new], self.copies[over.new], over.shared)
        old_low, _ = range_of(over.old_size, self.old_copies, over.shared)
        most, rest = self.copies[over.new] - np.maximum(low, old_low), self.size[over.new]
        # what derived clusters tell is not promised, so a float is exact enough
        above: NDArray[np.bool_] = most > float(bound) * (rest - over.shared)
        return above


Phase: TypeAlias = Literal["backward", "forward"]
PHASES: tuple[Phase, ...] = "backward", "forward"


def _demand(pairs: Pairs, phase: Phase) -> Demand:
    if phase == "backward":
        return backward(pairs.over, pairs.size, pairs.copies, pairs.old_copies)
    return forward(*(getattr(pairs, each.name) for each in fields(pairs)))


def perturbed(draft: Draft, rng: Rng) -> Draft:
    """Run BP and FP1, at the level of clusters and of whole corpora, until they add nothing."""
    for _ in range(ROUNDS):
        before = draft
        for phase in PHASES:
            draft = _whole_perturbed(_clusters_perturbed(draft, phase), phase, rng)
        if draft.declared is before.declared and draft.bag is before.bag:
            break
    return draft


def _risky(draft: Draft, term: int, pairs: Pairs, phase: Phase) -> NDArray[np.bool_]:
    """Return which overlaps of clusters tell too much: as printed, all that tell anything."""
    if draft.printed:
        return np.ones(len(pairs.over), dtype=np.bool_)
    if phase == "forward":
        return pairs.rest_above(draft.comparison.factor * draft.rate(term))
    name = draft.comparison.corpus.terms[term]
    risky = pairs.telling
    telling = pairs.over.take(risky)
    risky[risky] = draft.comparison.earlier.above(telling, name, pairs.size, pairs.copies)
    return risky


def _clusters_perturbed(draft: Draft, phase: Phase) -> Draft:
    """Add the counterfeits that the clusters need: as many as the most demanding term."""
    comparison = draft.comparison
    needs = np.zeros(len(comparison.real), dtype=np.int64)
    added = {}
    for term in draft.concerned if len(comparison.over) else ():
        if draft.in_clusters(term):
            copies = draft.counted(term), comparison.old_copies(term)
            people = comparison.real, draft.declared
            pairs = Pairs(comparison.over, draft.size, *copies, *people)
            demand = _demand(pairs.take(_risky(draft, term, pairs, phase)), phase)
            needs = np.maximum(needs, demand.with_term + demand.without)
            if demand.with_term.any():
                added[term] = draft.shown(term) + demand.with_term
    if not needs.any():
        return draft
    return replace(draft, copies={**draft.copies, **added}, declared=draft.declared + needs)


def _whole_perturbed(draft: Draft, phase: Phase, rng: Rng) -> Draft:
    """Add the counterfeits that the corpus needs, spread over its clusters; copies to the bag."""
    terms = np.array(draft.concerned, dtype=np.int64)
    demand = _demand(_of_wholes(draft, terms), phase)
    needs = int((demand.with_term + demand.without).max(initial=0))
    if not needs:
        return draft
    bag = draft.bag.copy()
    bag[terms] += demand.with_term
    added = allotted_at_random(draft.comparison, needs, rng)
    return replace(draft, bag=bag, declared=draft.declared + added)


def _of_wholes(draft: Draft, terms: Ints) -> Pairs:
    """Return the overlaps of whole corpora, once for every term, which stands for a cluster."""
    comparison, count = draft.comparison, len(draft.comparison.whole)
    over = comparison.whole.take(np.tile(np.arange(count), len(terms)))
    over = replace(over, new=np.repeat(np.arange(len(terms)), count))
    size, real, declared = (
        np.full(len(terms), counts.sum())
        for counts in (draft.size, comparison.real, draft.declared)
    )
    old_copies = comparison.old_totals[terms].reshape(-1)
    return Pairs(over, size, draft.totals[terms], old_copies, real, declared)


def allotted_at_random(comparison: Comparison, number: int, rng: Rng) -> Ints:
    """Return how many of so many counterfeits go to each cluster: to those of people drawn."""
    clusters = comparison.cluster[comparison.imitated(number, rng)]
    return np.bincount(clusters, minlength=len(comparison.real))
