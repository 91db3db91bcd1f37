"""How likely a member of a cluster holds a private term, given what overlaps tell, compiled.

A slot is a cluster with one of its terms. Each telling range says that some members of the cluster
together hold between so many and so many of the copies. Three readings: ``paper`` multiplies the
likelihoods of all ranges, ``merged`` first intersects the ranges about the same members, and
``exact`` counts every way to hand out the copies that keeps all ranges.
"""

from math import exp, inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["Members", "Patterns", "Slots", "Told", "log_factorials", "posteriors"]

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

MOST_RANGES = 62
"""Ranges that fit the bits of a word."""
ENOUGH = 1e18
"""A number of ways that nobody counts."""


class Members(NamedTuple):
    """Clusters by their distinct sets."""

    size: Whole
    """Of each cluster the number of its people."""
    offsets: Whole
    """Where its sets begin."""
    counts: Whole
    """How many of its people have each set."""
    weights: Whole
    """For how many sets each stands."""


class Slots(NamedTuple):
    """Clusters with one of their terms."""

    owner: Whole
    """Of each slot its cluster."""
    copies: Whole
    """How many of its people hold the term."""
    asked: Whole
    """The slots to judge."""


class Told(NamedTuple):
    """What overlaps tell about the slots to judge."""

    offsets: Whole
    """Where the ranges of each slot begin."""
    pattern: Whole
    """The members that a range is about."""
    low: Whole
    high: Whole
    many: Whole
    """How many overlaps say so."""


class Patterns(NamedTuple):
    """Members of a cluster: places of its sets, and how many people of each."""

    offsets: Whole
    places: Whole
    counts: Whole


class _Slot(NamedTuple):
    """The slot that is judged."""

    first: int
    """Where the sets of its cluster begin."""
    sets: int
    size: int
    copies: int
    prior: float


class _Ranges(NamedTuple):
    """What is said about a slot; each range is about a group of members."""

    group: Whole
    low: Whole
    high: Whole
    times: Whole
    """How often it counts."""


class _Groups(NamedTuple):
    """The groups of members that the ranges of a slot are about."""

    inside: Whole
    """By group and set, how many people with the set are in the group."""
    people: Whole


class _Cells(NamedTuple):
    """People who are in the same ranges; the first cell is of those in none."""

    masks: Whole
    people: Whole


def log_factorials(largest: int) -> Real:
    """Return the logarithms of 0!, 1!, ... up to ``largest``."""
    table = np.zeros(largest + 2)
    np.cumsum(np.log(np.arange(1, largest + 2)), out=table[1:])
    return table


@kernel
def _log_choose(table: Real, n: int, k: int) -> float:
    """Return the logarithm of n over k, of nothing where there is no such choice."""
    if k < 0 or k > n:
        return -inf
    return float(table[n] - table[k] - table[n - k])


@kernel
def _log_likelihood(table: Real, ns: int, rest: int, total: int, low: int, high: int) -> float:
    """Return the log-probability that ``total`` drawn of ``ns + rest`` hold low to high of ns."""
    below = _log_choose(table, ns + rest, total)
    if below == -inf:
        return -inf
    sums = 0.0
    for held in range(low, high + 1):
        way = _log_choose(table, ns, held) + _log_choose(table, rest, total - held)
        if way > -inf:
            sums += exp(way - below)
    return log(min(sums, 1.0)) if sums > 0 else -inf


@kernel
def _told(prior: float, one: float, two: float) -> float:
    """Return the posterior for a prior and the log-likelihoods with and without the term."""
    if one == -inf and two == -inf:
        return prior  # the ranges contradict each other: nothing follows
    if one == -inf:
        return 0.0
    if two == -inf:
        return 1.0
    gap = log((1 - prior) / prior) + two - one
    return 1 / (1 + exp(gap)) if gap < 700 else 0.0


@kernel
def posteriors(
    members: Members, slots: Slots, told: Told, patterns: Patterns, table: Real, effort: int
) -> tuple[Whole, Real, Real, Real, Real, Whole]:
    """Return for each slot and set of its cluster the posterior in three readings.

    First where each slot begins, last how each was counted: 0 exactly, 1 merged since the ways to
    hand out the copies are too many. Of equal sets that fit an overlap only in part the member
    with the larger posterior counts; beside the exact reading stands the mean over such members.
    """
    starts = _starts(members.offsets, slots)
    by_paper = np.empty(starts[-1])
    by_merged = np.empty(starts[-1])
    by_exact = np.empty(starts[-1])
    by_mean = np.empty(starts[-1])
    short = np.zeros(len(slots.asked), dtype=np.int64)
    for number in range(len(slots.asked)):
        begin, end = starts[number], starts[number + 1]
        slot = _slot(members, slots, number)
        for readings in (by_paper, by_merged, by_exact, by_mean):
            readings[begin:end] = slot.prior
        if told.offsets[number] == told.offsets[number + 1] or slot.copies >= slot.size:
            continue
        printed, merged, pattern = _ranges(told, patterns, number)
        groups = _groups(patterns, pattern, slot, members.weights)
        by_paper[begin:end] = _by_products(table, slot, members.counts, groups, printed)
        chances = _by_products(table, slot, members.counts, groups, merged)
        for readings in (by_merged, by_exact, by_mean):
            readings[begin:end] = chances
        if len(merged.group):
            exact, mean = by_exact[begin:end], by_mean[begin:end]
            short[number] = _by_counting(table, effort, slot, members, groups, merged, exact, mean)
    return starts, by_paper, by_merged, by_exact, by_mean, short


@kernel
def _starts(offsets: Whole, slots: Slots) -> Whole:
    """Return where the sets of each slot's cluster begin in the answer."""
    starts = np.zeros(len(slots.asked) + 1, dtype=np.int64)
    for number in range(len(slots.asked)):
        cluster = slots.owner[slots.asked[number]]
        starts[number + 1] = starts[number] + offsets[cluster + 1] - offsets[cluster]
    return starts


@kernel
def _slot(members: Members, slots: Slots, number: int) -> _Slot:
    slot = slots.asked[number]
    cluster = slots.owner[slot]
    first, copies, size = members.offsets[cluster], slots.copies[slot], members.size[cluster]
    prior = 1.0 if copies >= size else copies / size
    return _Slot(first, members.offsets[cluster + 1] - first, size, copies, prior)


@kernel
def _ranges(told: Told, patterns: Patterns, number: int) -> tuple[_Ranges, _Ranges, Whole]:
    """Return a slot's ranges as they are, those about the same members merged, and the patterns.

    A range that stands twice counts once, as often as its first mention says. Of merged ranges
    those that contradict each other are left out.
    """
    begin, most = told.offsets[number], told.offsets[number + 1] - told.offsets[number]
    pattern = np.empty(most, dtype=np.int64)
    printed, merged = _room(most), _room(most)
    used, groups = 0, 0
    for at in range(begin, begin + most):
        low, high, group = told.low[at], told.high[at], 0
        while group < groups and not _same(patterns, pattern[group], told.pattern[at]):
            group += 1
        if group == groups:
            pattern[group] = told.pattern[at]
            _put(merged, group, group, low, high, 1)
            groups += 1
        merged.low[group], merged.high[group] = (
            max(merged.low[group], low),
            min(merged.high[group], high),
        )
        if not _stands(printed, used, group, low, high):
            _put(printed, used, group, low, high, told.many[at])
            used += 1
    possible = 0
    for group in range(groups):
        if merged.low[group] <= merged.high[group]:
            _put(merged, possible, group, merged.low[group], merged.high[group], 1)
            possible += 1
    return _first(printed, used), _first(merged, possible), pattern[:groups]


@kernel
def _room(most: int) -> _Ranges:
    return _Ranges(
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
    )


@kernel
def _put(ranges: _Ranges, place: int, group: int, low: int, high: int, times: int) -> None:
    ranges.group[place], ranges.times[place] = group, times
    ranges.low[place], ranges.high[place] = low, high


@kernel
def _first(ranges: _Ranges, used: int) -> _Ranges:
    return _Ranges(ranges.group[:used], ranges.low[:used], ranges.high[:used], ranges.times[:used])


@kernel
def _stands(ranges: _Ranges, used: int, group: int, low: int, high: int) -> bool:
    """Whether a range is among the first ones."""
    for place in range(used):
        if ranges.group[place] == group and ranges.low[place] == low and ranges.high[place] == high:
            return True
    return False


@kernel
def _same(patterns: Patterns, one: int, other: int) -> bool:
    """Whether two patterns are the same members."""
    if one == other:
        return True
    first, second = patterns.offsets[one], patterns.offsets[other]
    length = patterns.offsets[one + 1] - first
    if patterns.offsets[other + 1] - second != length:
        return False
    for place in range(length):
        if (
            patterns.places[first + place] != patterns.places[second + place]
            or patterns.counts[first + place] != patterns.counts[second + place]
        ):
            return False
    return True


@kernel
def _groups(patterns: Patterns, pattern: Whole, slot: _Slot, weights: Whole) -> _Groups:
    inside = np.zeros((len(pattern), slot.sets), dtype=np.int64)
    people = np.zeros(len(pattern), dtype=np.int64)
    for group in range(len(pattern)):
        for part in range(patterns.offsets[pattern[group]], patterns.offsets[pattern[group] + 1]):
            place = patterns.places[part]
            inside[group, place - slot.first] = patterns.counts[part]
            people[group] += patterns.counts[part] * weights[place]
    return _Groups(inside, people)


@kernel
def _by_products(table: Real, slot: _Slot, counts: Whole, groups: _Groups, ranges: _Ranges) -> Real:
    """Return the posteriors of a slot's sets by the product of the likelihoods of its ranges."""
    with_term = np.zeros(slot.sets)
    without = np.zeros(slot.sets)
    held, rest = slot.copies, slot.size - slot.copies
    for number in range(len(ranges.group)):
        group, times = ranges.group[number], float(ranges.times[number])
        o, low, high = groups.people[group], ranges.low[number], ranges.high[number]
        in_one = _log_likelihood(table, held - 1, rest, o - 1, low - 1, high - 1)
        in_two = _log_likelihood(table, held, rest - 1, o - 1, low, high)
        out_one = _log_likelihood(table, held - 1, rest, o, low, high)
        out_two = _log_likelihood(table, held, rest - 1, o, low, high)
        worse_inside = _more_likely(in_one, in_two, out_one, out_two)
        for place in range(slot.sets):
            fits = groups.inside[group, place]
            # which of the equal sets is the person's is open: the worse for the person
            in_part = 0 < fits < counts[slot.first + place]
            if worse_inside if in_part else fits > 0:
                with_term[place] += times * in_one
                without[place] += times * in_two
            else:
                with_term[place] += times * out_one
                without[place] += times * out_two
    chances = np.empty(slot.sets)
    for place in range(slot.sets):
        chances[place] = _told(slot.prior, with_term[place], without[place])
    return chances


@kernel
def _more_likely(in_one: float, in_two: float, out_one: float, out_two: float) -> bool:
    """Whether a member inside a range is more likely to hold the term than one outside it."""
    if out_one == -inf or in_one == -inf:
        return in_one > -inf
    return out_two > -inf and (in_two == -inf or in_one - in_two >= out_one - out_two)


@kernel
def _by_counting(
    table: Real,
    effort: int,
    slot: _Slot,
    members: Members,
    groups: _Groups,
    ranges: _Ranges,
    exact: Real,
    mean: Real,
) -> int:
    """Write the posteriors by all ways to hand out the copies; return 1 where they are too many."""
    if len(ranges.group) > MOST_RANGES:
        return 1
    cells = _cells(slot, members, groups, ranges)
    if _ways(slot, cells, ranges) > effort:
        return 0 if len(ranges.group) == 1 else 1  # one range: the product is exact
    whole, shares = _shares(table, slot, cells, ranges)
    for place in range(slot.sets):
        count, best, total, since = members.counts[slot.first + place], 0.0, 0.0, 0
        while whole > 0 and since < count:
            mask, until = _mask(groups, ranges, place, since, count)
            share = shares[_find(cells.masks, len(cells.masks), mask)]
            best = max(best, share / whole)
            total += (until - since) * share / whole
            since = until
        exact[place] = min(best, 1.0) if whole > 0 else slot.prior
        mean[place] = min(total / count, 1.0) if whole > 0 else slot.prior
    return 0


@kernel
def _mask(groups: _Groups, ranges: _Ranges, place: int, since: int, count: int) -> tuple[int, int]:
    """Return which ranges the people with a set are in from a number on, and until which number."""
    mask, until = 0, count
    for number in range(len(ranges.group)):
        fits = groups.inside[ranges.group[number], place]
        if fits > since:
            mask |= 1 << number
            until = min(until, fits)
    return mask, until


@kernel
def _find(masks: Whole, used: int, mask: int) -> int:
    """Return where a mask stands, the number of those in use where it is new."""
    cell = 0
    while cell < used and masks[cell] != mask:
        cell += 1
    return cell


@kernel
def _wider(numbers: Whole) -> Whole:
    """Return twice the room."""
    wider = np.zeros(2 * len(numbers), dtype=np.int64)
    wider[: len(numbers)] = numbers
    return wider


@kernel
def _cells(slot: _Slot, members: Members, groups: _Groups, ranges: _Ranges) -> _Cells:
    """Return the people of a slot's cluster by the ranges they are in."""
    used, met = 1, 0
    masks = np.zeros(64, dtype=np.int64)
    people = np.zeros(64, dtype=np.int64)
    for place in range(slot.sets):
        since, count = 0, members.counts[slot.first + place]
        while since < count:
            mask, until = _mask(groups, ranges, place, since, count)
            cell = _find(masks, used, mask)
            if cell == len(masks):
                masks, people = _wider(masks), _wider(people)
            if cell == used:
                masks[cell] = mask
                used += 1
            if mask:
                people[cell] += (until - since) * members.weights[slot.first + place]
                met += (until - since) * members.weights[slot.first + place]
            since = until
    people[0] = slot.size - met  # less those who are known to be counterfeits
    return _Cells(masks[:used], people[:used])


@kernel
def _ways(slot: _Slot, cells: _Cells, ranges: _Ranges) -> float:
    """Return a bound on the ways to hand out the copies."""
    ways, spread, subsets = 1.0, 1.0, 1.0
    for cell in range(1, len(cells.masks)):
        most = min(cells.people[cell], slot.copies)
        for number in range(len(ranges.group)):
            if cells.masks[cell] >> number & 1:
                most = min(most, ranges.high[number])
        ways = min(ways * (most + 1), ENOUGH)
    if slot.copies > 64:
        return ways
    for number in range(slot.copies):
        spread = min(spread * (len(cells.masks) - 1 + slot.copies - number) / (number + 1), ENOUGH)
        subsets = min(subsets * (slot.size - number) / (number + 1), ENOUGH)
    return min(ways, min(spread, subsets))


@kernel
def _shares(table: Real, slot: _Slot, cells: _Cells, ranges: _Ranges) -> tuple[float, Real]:
    """Return the share of all ways that keeps every range, and each cell's share of copies in it.

    The cells take their copies in turn, the first what the others leave.
    """
    last = len(cells.masks) - 1
    taken = np.zeros(last + 1, dtype=np.int64)
    logs = np.zeros(last + 2)
    sums = np.zeros(len(ranges.group), dtype=np.int64)
    shares = np.zeros(last + 1)
    whole, everything = 0.0, _log_choose(table, slot.size, slot.copies)
    cell, left = 1, slot.copies
    taken[1] = -1
    while cell > 0:
        # one more copy for this cell, if it can have one
        taken[cell] += 1
        possible = taken[cell] <= cells.people[cell] and (taken[cell] == 0 or left > 0)
        if taken[cell] > 0:
            left -= 1
            within = _add(sums, ranges, cells.masks[cell], 1)
            possible = possible and within
        if not possible:
            left += taken[cell]
            _add(sums, ranges, cells.masks[cell], -taken[cell])
            taken[cell] = 0
            cell -= 1
            continue
        logs[cell] = logs[cell - 1] + _log_choose(table, cells.people[cell], taken[cell])
        if cell < last:
            cell += 1
            taken[cell] = -1
        elif left <= cells.people[0] and _enough(sums, ranges.low):
            weight = exp(logs[cell] + _log_choose(table, cells.people[0], left) - everything)
            whole += weight
            taken[0] = left
            for each in range(last + 1):
                if cells.people[each] > 0:
                    shares[each] += weight * taken[each] / cells.people[each]
    return whole, shares


@kernel
def _enough(sums: Whole, low: Whole) -> bool:
    """Whether every sum reaches its low end."""
    reached = 0
    for number in range(len(sums)):
        reached += sums[number] >= low[number]
    return reached == len(sums)


@kernel
def _add(sums: Whole, ranges: _Ranges, mask: int, copies: int) -> bool:
    """Add copies to the sums of the ranges of a mask; return whether these keep their high ends."""
    within = True
    for number in range(len(sums)):
        if mask >> number & 1:
            sums[number] += copies
            within = within and sums[number] <= ranges.high[number]
    return within
