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

__all__ = ["log_factorials", "posteriors"]

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

MOST_RANGES = 62
"""Ranges that fit the bits of a word."""


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
    size: Whole,
    set_offsets: Whole,
    counts: Whole,
    weights: Whole,
    slot_owner: Whole,
    copies: Whole,
    slots: Whole,
    told_offsets: Whole,
    told_pattern: Whole,
    told_low: Whole,
    told_high: Whole,
    told_many: Whole,
    pattern_offsets: Whole,
    pattern_places: Whole,
    pattern_counts: Whole,
    table: Real,
    effort: int,
) -> tuple[Whole, Real, Real, Real, Real, Whole]:
    """Return for each slot and set of its cluster the posterior in three readings.

    First where each slot begins, last how each was counted: 0 exactly, 1 merged since the ways to
    hand out the copies are too many. Of equal sets that fit an overlap only in part the member
    with the larger posterior counts; beside the exact reading stands the mean over such members.
    """
    starts = np.zeros(len(slots) + 1, dtype=np.int64)
    for number in range(len(slots)):
        cluster = slot_owner[slots[number]]
        starts[number + 1] = starts[number] + set_offsets[cluster + 1] - set_offsets[cluster]
    by_paper = np.empty(starts[-1])
    by_merged = np.empty(starts[-1])
    by_exact = np.empty(starts[-1])
    by_mean = np.empty(starts[-1])
    short = np.zeros(len(slots), dtype=np.int64)
    for number in range(len(slots)):
        slot = slots[number]
        cluster, start = slot_owner[slot], starts[number]
        first, many = set_offsets[cluster], starts[number + 1] - starts[number]
        ns, n = copies[slot], size[cluster]
        prior = 1.0 if ns >= n else ns / n
        for place in range(many):
            by_paper[start + place] = prior
            by_merged[start + place] = prior
            by_exact[start + place] = prior
            by_mean[start + place] = prior
        begin, end = told_offsets[number], told_offsets[number + 1]
        if begin == end or ns >= n:
            continue
        # ranges about the same members stand together
        group_of = np.empty(end - begin, dtype=np.int64)
        pattern = np.empty(end - begin, dtype=np.int64)
        low = np.empty(end - begin, dtype=np.int64)
        high = np.empty(end - begin, dtype=np.int64)
        again = np.zeros(end - begin, dtype=np.int64)
        groups = 0
        for told in range(begin, end):
            mine = told_pattern[told]
            size_of = pattern_offsets[mine + 1] - pattern_offsets[mine]
            group = 0
            while group < groups:
                theirs = pattern[group]
                same = theirs == mine
                if not same and pattern_offsets[theirs + 1] - pattern_offsets[theirs] == size_of:
                    same = True
                    part = 0
                    while same and part < size_of:
                        one, two = pattern_offsets[mine] + part, pattern_offsets[theirs] + part
                        same = (
                            pattern_places[one] == pattern_places[two]
                            and pattern_counts[one] == pattern_counts[two]
                        )
                        part += 1
                if same:
                    break
                group += 1
            if group == groups:
                pattern[group] = mine
                low[group], high[group] = told_low[told], told_high[told]
                groups += 1
            low[group] = max(low[group], told_low[told])
            high[group] = min(high[group], told_high[told])
            group_of[told - begin] = group
            for before in range(begin, told):
                if (
                    group_of[before - begin] == group
                    and told_low[before] == told_low[told]
                    and told_high[before] == told_high[told]
                ):
                    again[told - begin] = 1
        inside = np.zeros(groups * many, dtype=np.int64)
        common = np.zeros(groups, dtype=np.int64)
        for group in range(groups):
            for part in range(pattern_offsets[pattern[group]], pattern_offsets[pattern[group] + 1]):
                place = pattern_places[part]
                inside[group * many + place - first] = pattern_counts[part]
                common[group] += pattern_counts[part] * weights[place]
        # two readings as products of likelihoods
        for reading in range(2):
            ones = np.zeros(many)
            twos = np.zeros(many)
            rounds = end - begin if reading == 0 else groups
            for part in range(rounds):
                if reading == 0:
                    if again[part]:
                        continue
                    group, times = group_of[part], float(told_many[begin + part])
                    least, most = told_low[begin + part], told_high[begin + part]
                else:
                    group, times = part, 1.0
                    least, most = low[part], high[part]
                    if least > most:
                        continue
                o = common[group]
                in_one = _log_likelihood(table, ns - 1, n - ns, o - 1, least - 1, most - 1)
                in_two = _log_likelihood(table, ns, n - ns - 1, o - 1, least, most)
                out_one = _log_likelihood(table, ns - 1, n - ns, o, least, most)
                out_two = _log_likelihood(table, ns, n - ns - 1, o, least, most)
                for place in range(many):
                    fits = inside[group * many + place]
                    use_in = fits > 0
                    if 0 < fits < counts[first + place]:
                        # which of the equal sets is the person's is open: the worse for the person
                        use_in = (out_one == -inf and in_one > -inf) or (
                            out_one > -inf
                            and in_one > -inf
                            and out_two > -inf
                            and (in_two == -inf or in_one - in_two >= out_one - out_two)
                        )
                    if use_in:
                        ones[place] += times * in_one
                        twos[place] += times * in_two
                    else:
                        ones[place] += times * out_one
                        twos[place] += times * out_two
            for place in range(many):
                chance = _told(prior, ones[place], twos[place])
                if reading == 0:
                    by_paper[start + place] = chance
                else:
                    by_merged[start + place] = chance
                    by_exact[start + place] = chance
                    by_mean[start + place] = chance
        # the exact reading: cells of members that are in the same ranges
        kept = np.empty(groups, dtype=np.int64)
        ranges = 0
        for group in range(groups):
            if low[group] <= high[group]:
                kept[ranges] = group
                ranges += 1
        if ranges == 0:
            continue
        if ranges > MOST_RANGES:
            short[number] = 1
            continue
        cells = 1  # the first is of those in no range
        room = 64
        masks = np.zeros(room, dtype=np.int64)
        people = np.zeros(room, dtype=np.int64)
        met = 0
        for place in range(many):
            since = 0
            while since < counts[first + place]:
                mask, until = 0, counts[first + place]
                for part in range(ranges):
                    fits = inside[kept[part] * many + place]
                    if fits > since:
                        mask |= 1 << part
                        until = min(until, fits)
                cell = 0
                while cell < cells and masks[cell] != mask:
                    cell += 1
                if cell == room:
                    wider = np.zeros(2 * room, dtype=np.int64)
                    wider_people = np.zeros(2 * room, dtype=np.int64)
                    for old in range(room):
                        wider[old] = masks[old]
                        wider_people[old] = people[old]
                    masks, people, room = wider, wider_people, 2 * room
                if cell == cells:
                    masks[cell] = mask
                    cells += 1
                if mask:
                    people[cell] += (until - since) * weights[first + place]
                    met += (until - since) * weights[first + place]
                since = until
        people[0] = n - met  # less those who are known to be counterfeits
        ways, spread, subsets = 1.0, 1.0, 1.0
        for cell in range(1, cells):
            most = min(people[cell], ns)
            for part in range(ranges):
                if masks[cell] >> part & 1:
                    most = min(most, high[kept[part]])
            ways = min(ways * (most + 1), 1e18)
        for part in range(min(ns, 64)):
            spread = min(spread * (cells - 1 + ns - part) / (part + 1), 1e18)
            subsets = min(subsets * (n - part) / (part + 1), 1e18)
        if ns > 64:
            spread, subsets = 1e18, 1e18
        if min(ways, spread, subsets) > effort:
            short[number] = 0 if ranges == 1 else 1  # one range: the product is exact
            continue
        taken = np.zeros(cells, dtype=np.int64)
        logs = np.zeros(cells + 1)
        sums = np.zeros(ranges, dtype=np.int64)
        shares = np.zeros(cells)
        whole = 0.0
        everything = _log_choose(table, n, ns)
        cell, left = 1, ns
        taken[1] = -1
        while cell > 0:
            # one more copy for this cell, if it can have one
            taken[cell] += 1
            possible = taken[cell] <= people[cell] and (taken[cell] == 0 or left > 0)
            if taken[cell] > 0:
                left -= 1
                for part in range(ranges):
                    if masks[cell] >> part & 1:
                        sums[part] += 1
                        if sums[part] > high[kept[part]]:
                            possible = False
            if not possible:
                left += taken[cell]
                for part in range(ranges):
                    if masks[cell] >> part & 1:
                        sums[part] -= taken[cell]
                taken[cell] = 0
                cell -= 1
                continue
            logs[cell] = logs[cell - 1] + _log_choose(table, people[cell], taken[cell])
            if cell < cells - 1:
                cell += 1
                taken[cell] = -1
                continue
            if left > people[0]:
                continue
            good = True
            for part in range(ranges):
                if sums[part] < low[kept[part]]:
                    good = False
            if good:
                weight = exp(logs[cell] + _log_choose(table, people[0], left) - everything)
                whole += weight
                taken[0] = left
                for each in range(cells):
                    if people[each] > 0:
                        shares[each] += weight * taken[each] / people[each]
        for place in range(many):
            best, total, since = 0.0, 0.0, 0
            while whole > 0 and since < counts[first + place]:
                mask, until = 0, counts[first + place]
                for part in range(ranges):
                    fits = inside[kept[part] * many + place]
                    if fits > since:
                        mask |= 1 << part
                        until = min(until, fits)
                cell = 0
                while masks[cell] != mask:
                    cell += 1
                best = max(best, shares[cell] / whole)
                total += (until - since) * shares[cell] / whole
                since = until
            by_exact[start + place] = min(best, 1.0) if whole > 0 else prior
            mean = min(total / counts[first + place], 1.0)
            by_mean[start + place] = mean if whole > 0 else prior
    return starts, by_paper, by_merged, by_exact, by_mean, short
