"""What several published releases say together: overlaps, ranges of copies, posteriors.

The clusters of all releases become one grouping; a corpus as a whole is a grouping with one group
for each release. The same machinery finds what overlaps tell about both.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.itemsets import Itemsets
from discreet.kernels.ragged import offsets_of, runs
from discreet.series.evidence.bag_shares import bag_shares
from discreet.series.evidence.overlaps import times_of
from discreet.series.evidence.posterior_bounds import Ranges, posterior_upper_bound
from discreet.series.kernels.cover import Groups, covers, number_sets
from discreet.series.kernels.derived_cover import Known, derive
from discreet.series.kernels.posteriors import log_factorials, posteriors
from discreet.series.kernels.slots import Members, OverlapRanges, Patterns, Slots

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

EFFORT = 50_000
"""Most ways to hand out the copies of one term that the exact posterior counts."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """People in groups over several releases, by what an outsider sees of them."""

    release: Whole
    """Of each group its release."""
    size: Whole
    """Of each group the number of its transactions."""
    counterfeits: Whole
    """Of each group how many of them are declared to be counterfeits."""
    set_offsets: Whole
    """Where the distinct sets of each group begin."""
    sets: Whole
    """At each position the number of a set, ascending within a group."""
    counts: Whole
    """How many transactions of the group have it."""
    weights: Whole
    """How many sets a position stands for; above 1 only where sets behave alike."""
    slot_offsets: Whole
    """Where the slots of each group begin: its private terms."""
    terms: Whole
    """The term of each slot."""
    copies: Whole
    """How many members of the group hold the term, the share of the bag rounded to whole copies."""
    exact_copies: Real
    """The same with the exact share of the bag."""

    @cached_property
    def owner(self) -> Whole:
        """Of each position its group."""
        return np.repeat(np.arange(len(self.size)), np.diff(self.set_offsets))

    @cached_property
    def slot_owner(self) -> Whole:
        """Of each slot its group."""
        return np.repeat(np.arange(len(self.size)), np.diff(self.slot_offsets))

    @cached_property
    def index(self) -> tuple[Whole, Whole]:
        """For each set where its positions begin in the second array, which lists them."""
        offsets = offsets_of(np.bincount(self.sets, minlength=int(self.sets.max(initial=-1)) + 1))
        return offsets, np.argsort(self.sets, kind="stable").astype(np.int64)

    @cached_property
    def prior(self) -> Real:
        """For each slot the probability of its term for any member, with the exact share."""
        return np.minimum(1.0, self.exact_copies / self.size[self.slot_owner])

    def linking(self) -> tuple["Grouping", Whole]:
        """Keep the sets that sit in one group of each release; also return where they were."""
        seen = np.unique(self.sets * (self.release.max() + 1) + self.release[self.owner])
        count = np.bincount(self.sets)
        linking = count == np.bincount(seen // (self.release.max() + 1), minlength=len(count))
        here = np.flatnonzero(linking[self.sets])
        linked = replace(
            self,
            set_offsets=offsets_of(np.bincount(self.owner[here], minlength=len(self.size))),
            sets=self.sets[here],
            counts=self.counts[here],
            weights=self.weights[here],
        )
        return linked, here.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Cover:
    """What overlaps tell: ranges of copies for some members of a group, slot by slot."""

    slot: Whole
    """The slot that a range is about."""
    pattern: Whole
    """Which members it is about."""
    low: Whole
    """Fewest copies that they hold."""
    high: Whole
    """Most copies that they hold."""
    overlapping: Whole
    """How many overlaps say so."""
    pattern_offsets: Whole
    """Where the members of each pattern begin."""
    positions: Whole
    """The positions of the members' sets."""
    counts: Whole
    """How many of the transactions with this set are meant."""
    overlaps: int
    """How many overlaps were looked at, each from both sides."""
    clashes: int
    """Ranges that do not meet: the members cannot be the same people, and nothing follows."""

    def moved(self, positions: Whole) -> "Cover":
        """Return the same, told of a grouping in which the positions have these numbers."""
        return replace(self, positions=positions[self.positions])

    def joined(self, other: "Cover") -> "Cover":
        """Return what both tell."""
        after = len(self.pattern_offsets) - 1
        begin = other.pattern_offsets[1:] + self.pattern_offsets[-1]
        return Cover(
            slot=np.concatenate([self.slot, other.slot]),
            pattern=np.concatenate([self.pattern, other.pattern + after]),
            low=np.concatenate([self.low, other.low]),
            high=np.concatenate([self.high, other.high]),
            overlapping=np.concatenate([self.overlapping, other.overlapping]),
            pattern_offsets=np.concatenate([self.pattern_offsets, begin]),
            positions=np.concatenate([self.positions, other.positions]),
            counts=np.concatenate([self.counts, other.counts]),
            overlaps=self.overlaps + other.overlaps,
            clashes=self.clashes + other.clashes,
        )


@dataclass(frozen=True, eq=False)
class Posteriors:
    """For some slots and each set of their groups: how likely a person with it has the term."""

    slots: Whole
    """The slots."""
    offsets: Whole
    """Where the sets of each slot begin."""
    paper: Real
    """By the product over all overlaps, as printed."""
    merged: Real
    """By the product after overlaps with the same members are intersected."""
    exact: Real
    """By counting; for slots beyond the effort merged, but no more than is possible at all."""
    mean: Real
    """The exact one for someone who does not know in which other releases the person is."""
    uncounted: int
    """Slots that were beyond the effort."""

    def positions(self, grouping: Grouping) -> Whole:
        """Return of each probability the position of its set."""
        begin = grouping.set_offsets[grouping.slot_owner[self.slots]]
        return runs(begin, np.diff(self.offsets))

    def slot(self) -> Whole:
        """Return of each probability its slot."""
        return np.repeat(self.slots, np.diff(self.offsets))

    def updated(self, newer: "Posteriors") -> "Posteriors":
        """Return these, which are about all slots, with what ``newer`` says of some of them."""
        at = runs(self.offsets[newer.slots], np.diff(newer.offsets))
        readings = {}
        for name in ("paper", "merged", "exact", "mean"):
            readings[name] = getattr(self, name).copy()
            readings[name][at] = getattr(newer, name)
        return replace(self, **readings, uncounted=self.uncounted + newer.uncounted)


@dataclass(frozen=True, eq=False)
class Series:
    """Releases read together: one numbering of their sets and of their private terms."""

    releases: tuple[Clusters, ...]
    """The contents, in the order of publication."""
    hidden: tuple[Whole, ...] = ()
    """Of each release, for each cluster, transactions known to be fakes without private terms."""

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The private terms of all releases, sorted."""
        return tuple(sorted(set().union(*(each.terms for each in self.releases))))

    @cached_property
    def numbers(self) -> tuple[Whole, ...]:
        """For each release the number of each row's set, equal sets alike throughout."""
        vocabulary = tuple(sorted(set().union(*(one.sets.vocabulary for one in self.releases))))
        sets = [one.sets.over(vocabulary) for one in self.releases]
        together = Itemsets.joined(sets)
        numbers, _ = number_sets(together.offsets, together.items)
        return tuple(np.split(numbers, np.cumsum([len(each) for each in sets])[:-1]))

    @cached_property
    def times(self) -> Whole:
        """For each release how often each set, by its number, occurs."""
        return times_of(self.numbers)

    @cached_property
    def rates(self) -> Real:
        """For each release and term the population rate; 0 where a release lacks the term."""
        rates = np.zeros((len(self.releases), len(self.terms)))
        for number, one in enumerate(self.releases):
            rates[number, self.numbered(one.terms)] = one.rate_num / one.rate_den
        return rates

    def numbered(self, terms: Iterable[str]) -> Whole:
        """Return the numbers of private terms among those of all releases."""
        number_of = {term: number for number, term in enumerate(self.terms)}
        return np.array([number_of[term] for term in terms], dtype=np.int64)

    @cached_property
    def first(self) -> Whole:
        """The number of the first cluster of each release in the grouping, and of the end."""
        return offsets_of(np.array([one.count for one in self.releases]))

    @cached_property
    def clusters(self) -> Grouping:
        """The clusters of all releases."""
        owners = np.concatenate(
            [one.cluster + self.first[number] for number, one in enumerate(self.releases)]
        )
        size = np.concatenate([one.size for one in self.releases])
        if self.hidden:
            size = size - np.concatenate(self.hidden)
        slots = [self._slots(number) for number in range(len(self.releases))]
        return _grouping(
            np.repeat(np.arange(len(self.releases)), [one.count for one in self.releases]),
            size,
            np.concatenate([one.counterfeits for one in self.releases]),
            (owners, np.concatenate(self.numbers)),
            tuple(np.concatenate(column) for column in zip(*slots, strict=True)),
        )

    def _slots(self, number: int) -> tuple[Whole, Whole, Whole, Real]:
        """Return cluster, term and copies, rounded and exact, of what a release's clusters hold."""
        one = self.releases[number]
        offsets, terms, copies = one.private
        key = np.repeat(np.arange(one.count), np.diff(offsets)) * len(one.terms) + terms
        from_bag = bag_shares(one)
        keys = np.concatenate([key, from_bag[0]])
        slots, index = np.unique(keys, return_inverse=True)
        inside, holders = np.zeros((2, len(slots)), dtype=np.int64)
        inside[index[: len(key)]] = copies
        np.add.at(holders, index, np.concatenate([copies, from_bag[1]]))
        count = max(1, len(one.terms))
        cluster, term = slots // count, slots % count
        holders = np.minimum(holders, one.size[cluster])
        people = one.size - one.counterfeits
        share = people[cluster] * one.bag[term] / max(1, int(people.sum()))
        return cluster + self.first[number], self.numbered(one.terms)[term], holders, inside + share

    @cached_property
    def corpora(self) -> tuple[Grouping, Whole]:
        """Each release as one group, and of each set the position that stands for it.

        Sets that occur equally often in every release behave alike, so one position stands for all
        of them, with their number as its weight.
        """
        kinds, kind, weight = np.unique(
            self.times.T, axis=0, return_inverse=True, return_counts=True
        )
        release, there = np.nonzero(kinds.T)
        slots = [
            (
                np.full(len(one.terms), number),
                self.numbered(one.terms),
                np.minimum(one.total, len(one)),
            )
            for number, one in enumerate(self.releases)
        ]
        owner, terms, copies = (np.concatenate(column) for column in zip(*slots, strict=True))
        grouping = Grouping(
            release=np.arange(len(self.releases)),
            size=np.array([len(one) for one in self.releases], dtype=np.int64),
            counterfeits=np.array([int(one.counterfeits.sum()) for one in self.releases]),
            set_offsets=offsets_of(np.bincount(release, minlength=len(self.releases))),
            sets=there.astype(np.int64),
            counts=kinds[there, release].astype(np.int64),
            weights=weight[there].astype(np.int64),
            slot_offsets=offsets_of(np.bincount(owner, minlength=len(self.releases))),
            terms=terms,
            copies=copies,
            exact_copies=copies.astype(np.float64),
        )
        return grouping, kind.reshape(-1).astype(np.int64)


def _grouping(
    release: Whole,
    size: Whole,
    counterfeits: Whole,
    rows: tuple[Whole, Whole],
    slots: tuple[Any, ...],
) -> Grouping:
    count = int(rows[1].max(initial=-1)) + 1
    codes, counts = np.unique(rows[0] * count + rows[1], return_counts=True)
    owner, terms, copies, exactly = slots
    order = np.lexsort((terms, owner))
    return Grouping(
        release=release.astype(np.int64),
        size=size,
        counterfeits=counterfeits,
        set_offsets=offsets_of(np.bincount(codes // max(1, count), minlength=len(size))),
        sets=codes % max(1, count),
        counts=counts.astype(np.int64),
        weights=np.ones(len(codes), dtype=np.int64),
        slot_offsets=offsets_of(np.bincount(owner, minlength=len(size))),
        terms=terms[order],
        copies=copies[order],
        exact_copies=exactly[order],
    )


def cover_of(groups: Grouping) -> Cover:
    """Return what the overlaps of every group with groups of other releases tell about it."""
    cover = covers(_arrays(groups), int(groups.terms.max(initial=-1)) + 1)
    return Cover(*cover[:8], int(cover[8][0]), int(cover[8][1]))


def derived(groups: Grouping, known: Cover) -> Cover:
    """Return what follows about groups from the rests of others, beyond what is known of them."""
    ranges = (known.slot, known.pattern, known.low, known.high)
    members = (known.pattern_offsets, known.positions, known.counts)
    cover = derive(_arrays(groups), Known(*ranges, *members))
    return Cover(*cover[:8], int(cover[8][0]), int(cover[8][1]))


def _arrays(groups: Grouping) -> Groups:
    people = (groups.release, groups.size, groups.counterfeits)
    sets = (groups.set_offsets, groups.sets, groups.counts, groups.weights)
    slots = (groups.slot_offsets, groups.slot_owner, groups.terms, groups.copies)
    return Groups(*people, *sets, *groups.index, groups.owner, *slots)


def judged(
    groups: Grouping, cover: Cover, slots: Whole | None = None, *, effort: int = EFFORT
) -> Posteriors:
    """Return the posteriors of these slots, of all by default, given the cover."""
    asked = np.arange(len(groups.terms)) if slots is None else slots
    order = np.argsort(cover.slot, kind="stable")
    starts = np.searchsorted(cover.slot[order], asked, side="left")
    ends = np.searchsorted(cover.slot[order], asked, side="right")
    offsets = offsets_of(ends - starts)
    taken = order[runs(starts, ends - starts)]
    begin, paper, merged, counted, mean, short = posteriors(
        Members(groups.size, groups.set_offsets, groups.counts, groups.weights),
        Slots(groups.slot_owner, groups.copies, asked.astype(np.int64)),
        OverlapRanges(
            *(offsets, cover.pattern[taken], cover.low[taken], cover.high[taken]),
            cover.overlapping[taken],
        ),
        Patterns(cover.pattern_offsets, cover.positions, cover.counts),
        log_factorials(int(groups.size.max(initial=1))),
        effort,
    )
    for number in np.flatnonzero(short).tolist():
        overlaps = taken[offsets[number] : offsets[number + 1]]
        most = _most(groups, cover, int(asked[number]), overlaps)
        for reading in (counted, mean):
            members = reading[begin[number] : begin[number + 1]]
            np.minimum(members, most, out=members)
    # where nothing is told the prior stands, with the exact share of the bag
    silent = np.repeat(ends == starts, np.diff(begin))
    prior = np.repeat(groups.prior[asked], np.diff(begin))
    for reading in (paper, merged, counted, mean):
        reading[silent] = prior[silent]
    return Posteriors(asked, begin, paper, merged, counted, mean, int(short.sum()))


def _most(groups: Grouping, cover: Cover, slot: int, overlaps: Whole) -> float:
    """Return what no posterior of a slot can exceed, by what these rows of the cover tell of it."""
    owner = int(groups.slot_owner[slot])
    first, last = groups.set_offsets[owner : owner + 2]
    seen = np.zeros(last - first, dtype=np.int64)
    ranges: Ranges = {}
    for at in overlaps.tolist():
        begin, end = cover.pattern_offsets[cover.pattern[at] : cover.pattern[at] + 2]
        positions, counts = cover.positions[begin:end], cover.counts[begin:end]
        np.maximum.at(seen, positions - first, counts)
        overlap = int(cover.pattern[at]), int((counts * groups.weights[positions]).sum())
        low, high = ranges.get(overlap, (0, overlap[1]))
        ranges[overlap] = max(low, int(cover.low[at])), min(high, int(cover.high[at]))
    outside = int(groups.size[owner]) - int((seen * groups.weights[first:last]).sum())
    return posterior_upper_bound(int(groups.size[owner]), int(groups.copies[slot]), outside, ranges)
