"""How likely a member of a cluster holds a private term, given what overlaps tell, compiled.

A slot is a cluster with one of its terms. Each telling range says that some members of the cluster
together hold between so many and so many of the copies. Three readings: ``paper`` multiplies the
likelihoods of all ranges, ``merged`` first intersects the ranges about the same members, and
``exact`` counts every way to hand out the copies that keeps all ranges.
"""

from math import exp, inf, log

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.series.kernels.copy_counting import by_counting
from discreet.series.kernels.slots import (
    Members,
    OverlapRanges,
    Patterns,
    Slot,
    SlotGroups,
    SlotRanges,
    Slots,
    log_choose,
)

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


def log_factorials(largest: int) -> Real:
    """Return the logarithms of 0!, 1!, ... up to ``largest``."""
    table = np.zeros(largest + 2)
    np.cumsum(np.log(np.arange(1, largest + 2)), out=table[1:])
    return table


@kernel
def _log_likelihood(table: Real, ns: int, rest: int, total: int, low: int, high: int) -> float:
    """Return the log-probability that ``total`` drawn of ``ns + rest`` hold low to high of ns."""
    below = log_choose(table, ns + rest, total)
    if below == -inf:
        return -inf
    sums = 0.0
    for copies in range(low, high + 1):
        way = log_choose(table, ns, copies) + log_choose(table, rest, total - copies)
        if way > -inf:
            sums += exp(way - below)
    return log(min(sums, 1.0)) if sums > 0 else -inf


@kernel
def _posterior(prior: float, log_with: float, log_without: float) -> float:
    """Return the posterior for a prior and the log-likelihoods with and without the term."""
    if log_with == -inf and log_without == -inf:
        return prior  # the ranges contradict each other: nothing follows
    if log_with == -inf:
        return 0.0
    if log_without == -inf:
        return 1.0
    gap = log((1 - prior) / prior) + log_without - log_with
    return 1 / (1 + exp(gap)) if gap < 700 else 0.0


@kernel
def posteriors(
    members: Members,
    slots: Slots,
    evidence: OverlapRanges,
    patterns: Patterns,
    table: Real,
    effort: int,
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
        if evidence.offsets[number] == evidence.offsets[number + 1] or slot.copies >= slot.size:
            continue
        printed, merged, pattern = _ranges(evidence, patterns, number)
        groups = _groups(patterns, pattern, slot, members.weights)
        by_paper[begin:end] = _by_products(table, slot, members.counts, groups, printed)
        chances = _by_products(table, slot, members.counts, groups, merged)
        for readings in (by_merged, by_exact, by_mean):
            readings[begin:end] = chances
        if len(merged.group):
            exact, mean = by_exact[begin:end], by_mean[begin:end]
            short[number] = by_counting(table, effort, slot, members, groups, merged, exact, mean)
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
def _slot(members: Members, slots: Slots, number: int) -> Slot:
    slot = slots.asked[number]
    cluster = slots.owner[slot]
    first, copies, size = members.offsets[cluster], slots.copies[slot], members.size[cluster]
    prior = 1.0 if copies >= size else copies / size
    return Slot(first, members.offsets[cluster + 1] - first, size, copies, prior)


@kernel
def _ranges(
    evidence: OverlapRanges, patterns: Patterns, number: int
) -> tuple[SlotRanges, SlotRanges, Whole]:
    """Return a slot's ranges as they are, those about the same members merged, and the patterns.

    A range that stands twice counts once, as often as its first mention says. Of merged ranges
    those that contradict each other are left out.
    """
    begin, most = evidence.offsets[number], evidence.offsets[number + 1] - evidence.offsets[number]
    pattern = np.empty(most, dtype=np.int64)
    printed, merged = _room(most), _room(most)
    used, groups = 0, 0
    for row in range(begin, begin + most):
        low, high, group = evidence.low[row], evidence.high[row], 0
        while group < groups and not _same(patterns, pattern[group], evidence.pattern[row]):
            group += 1
        if group == groups:
            pattern[group] = evidence.pattern[row]
            _put(merged, group, group, low, high, 1)
            groups += 1
        merged.low[group], merged.high[group] = (
            max(merged.low[group], low),
            min(merged.high[group], high),
        )
        if not _stands(printed, used, group, low, high):
            _put(printed, used, group, low, high, evidence.times[row])
            used += 1
    possible = 0
    for group in range(groups):
        if merged.low[group] <= merged.high[group]:
            _put(merged, possible, group, merged.low[group], merged.high[group], 1)
            possible += 1
    return _first(printed, used), _first(merged, possible), pattern[:groups]


@kernel
def _room(most: int) -> SlotRanges:
    return SlotRanges(
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
    )


@kernel
def _put(ranges: SlotRanges, index: int, group: int, low: int, high: int, times: int) -> None:
    ranges.group[index], ranges.times[index] = group, times
    ranges.low[index], ranges.high[index] = low, high


@kernel
def _first(ranges: SlotRanges, used: int) -> SlotRanges:
    return SlotRanges(
        ranges.group[:used], ranges.low[:used], ranges.high[:used], ranges.times[:used]
    )


@kernel
def _stands(ranges: SlotRanges, used: int, group: int, low: int, high: int) -> bool:
    """Whether a range is among the first ones."""
    for index in range(used):
        if ranges.group[index] == group and ranges.low[index] == low and ranges.high[index] == high:
            return True
    return False


@kernel
def _same(patterns: Patterns, pattern: int, other: int) -> bool:
    """Whether two patterns are the same members."""
    if pattern == other:
        return True
    first, second = patterns.offsets[pattern], patterns.offsets[other]
    length = patterns.offsets[pattern + 1] - first
    if patterns.offsets[other + 1] - second != length:
        return False
    for index in range(length):
        if (
            patterns.positions[first + index] != patterns.positions[second + index]
            or patterns.counts[first + index] != patterns.counts[second + index]
        ):
            return False
    return True


@kernel
def _groups(patterns: Patterns, pattern: Whole, slot: Slot, weights: Whole) -> SlotGroups:
    inside = np.zeros((len(pattern), slot.sets), dtype=np.int64)
    people = np.zeros(len(pattern), dtype=np.int64)
    for group in range(len(pattern)):
        for member in range(patterns.offsets[pattern[group]], patterns.offsets[pattern[group] + 1]):
            position = patterns.positions[member]
            inside[group, position - slot.first] = patterns.counts[member]
            people[group] += patterns.counts[member] * weights[position]
    return SlotGroups(inside, people)


@kernel
def _by_products(
    table: Real, slot: Slot, counts: Whole, groups: SlotGroups, ranges: SlotRanges
) -> Real:
    """Return the posteriors of a slot's sets by the product of the likelihoods of its ranges."""
    with_term = np.zeros(slot.sets)
    without = np.zeros(slot.sets)
    copies, rest = slot.copies, slot.size - slot.copies
    for number in range(len(ranges.group)):
        group, times = ranges.group[number], float(ranges.times[number])
        o, low, high = groups.people[group], ranges.low[number], ranges.high[number]
        in_one = _log_likelihood(table, copies - 1, rest, o - 1, low - 1, high - 1)
        in_two = _log_likelihood(table, copies, rest - 1, o - 1, low, high)
        out_one = _log_likelihood(table, copies - 1, rest, o, low, high)
        out_two = _log_likelihood(table, copies, rest - 1, o, low, high)
        worse_inside = _more_likely(in_one, in_two, out_one, out_two)
        for index in range(slot.sets):
            fits = groups.inside[group, index]
            # which of the equal sets is the person's is open: the worse for the person
            in_part = 0 < fits < counts[slot.first + index]
            if worse_inside if in_part else fits > 0:
                with_term[index] += times * in_one
                without[index] += times * in_two
            else:
                with_term[index] += times * out_one
                without[index] += times * out_two
    chances = np.empty(slot.sets)
    for index in range(slot.sets):
        chances[index] = _posterior(slot.prior, with_term[index], without[index])
    return chances


@kernel
def _more_likely(in_one: float, in_two: float, out_one: float, out_two: float) -> bool:
    """Whether a member inside a range is more likely to hold the term than one outside it."""
    if out_one == -inf or in_one == -inf:
        return in_one > -inf
    return out_two > -inf and (in_two == -inf or in_one - in_two >= out_one - out_two)
