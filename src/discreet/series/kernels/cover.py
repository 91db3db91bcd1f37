"""What equal sets in several releases say about a cluster, compiled.

Clusters of all releases are numbered through. The sets of a cluster are places in one long list,
ascending within a cluster, and the index leads from a set to all places that hold it, so that two
clusters meet only where they share a set. The members that a cluster shares with another are a
path in a small tree: clusters that share the same members end in the same node, and what they say
about a term is kept once.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["covers", "derive", "number_sets"]

Whole = NDArray[np.int64]
Found = tuple[Whole, Whole, Whole, Whole, Whole, Whole, Whole, Whole, Whole]


@kernel
def number_sets(offsets: Whole, items: NDArray[np.int32]) -> tuple[Whole, int]:
    """Return the number of each set, equal sets alike, and how many numbers there are."""
    many = len(offsets) - 1
    room = 16
    while room < 2 * many:
        room *= 2
    table = np.full(room, -1, dtype=np.int64)
    firsts = np.empty(many, dtype=np.int64)
    numbers = np.empty(many, dtype=np.int64)
    groups = 0
    for row in range(many):
        begin, end = offsets[row], offsets[row + 1]
        mixed = end - begin
        for place in range(begin, end):
            mixed = ((mixed ^ items[place]) * 0x1000193) & 0x1FFFFFFFFF
        slot = (mixed ^ (mixed >> 17)) & (room - 1)
        while table[slot] >= 0:
            other = offsets[firsts[table[slot]]]
            same = offsets[firsts[table[slot]] + 1] - other == end - begin
            place = begin
            while same and place < end:
                same = items[place] == items[other + place - begin]
                place += 1
            if same:
                break
            slot = (slot + 1) & (room - 1)
        if table[slot] < 0:
            table[slot] = groups
            firsts[groups] = row
            groups += 1
        numbers[row] = table[slot]
    return numbers, groups


@kernel
def _grown(old: Whole, used: int) -> Whole:
    """Return twice the room with what is in use."""
    new = np.empty(2 * len(old) + 16, dtype=np.int64)
    for place in range(used):
        new[place] = old[place]
    return new


@kernel
def covers(
    release: Whole,
    size: Whole,
    set_offsets: Whole,
    sets: Whole,
    counts: Whole,
    weights: Whole,
    index_offsets: Whole,
    index: Whole,
    owner: Whole,
    slot_offsets: Whole,
    terms: Whole,
    copies: Whole,
    many_terms: int,
) -> Found:
    """Return what the overlaps of every cluster with clusters of other releases tell about it.

    For each telling range: its slot (cluster and term), its pattern of members, its low and high
    end, and how many overlaps say so. Then the patterns: where each begins, its places and
    their numbers of copies, and the size of each. Last: overlaps seen, and ranges that clash.
    """
    clusters = len(size)
    longest = 1
    for cluster in range(clusters):
        meets = 1
        for place in range(set_offsets[cluster], set_offsets[cluster + 1]):
            meets += index_offsets[sets[place] + 1] - index_offsets[sets[place]]
        longest = max(longest, meets)
    # the tree of patterns of one cluster
    first_child = np.empty(longest, dtype=np.int64)
    sibling = np.empty(longest, dtype=np.int64)
    parent = np.empty(longest, dtype=np.int64)
    held_at = np.empty(longest, dtype=np.int64)
    held = np.empty(longest, dtype=np.int64)
    head = np.empty(longest, dtype=np.int64)
    pattern_of = np.empty(longest, dtype=np.int64)
    # what is known of the other clusters it meets
    node_of = np.full(clusters, -1, dtype=np.int64)
    shared = np.zeros(clusters, dtype=np.int64)
    met = np.empty(clusters, dtype=np.int64)
    slot_of = np.full(many_terms, -1, dtype=np.int64)
    widest = 1
    for cluster in range(clusters):
        widest = max(widest, slot_offsets[cluster + 1] - slot_offsets[cluster])
    theirs = np.zeros(widest, dtype=np.int64)
    # what is found
    found_slot = np.empty(1024, dtype=np.int64)
    found_pattern = np.empty(1024, dtype=np.int64)
    found_low = np.empty(1024, dtype=np.int64)
    found_high = np.empty(1024, dtype=np.int64)
    found_many = np.empty(1024, dtype=np.int64)
    following = np.empty(1024, dtype=np.int64)
    found = 0
    pattern_offsets = np.zeros(1024, dtype=np.int64)
    pattern_places = np.empty(1024, dtype=np.int64)
    pattern_counts = np.empty(1024, dtype=np.int64)
    patterns = 0
    seen, clashes = 0, 0
    for cluster in range(clusters):
        begin, end = slot_offsets[cluster], slot_offsets[cluster + 1]
        nodes = 1
        first_child[0] = -1
        head[0] = -1
        meets = 0
        for place in range(set_offsets[cluster], set_offsets[cluster + 1]):
            for entry in range(index_offsets[sets[place]], index_offsets[sets[place] + 1]):
                other = owner[index[entry]]
                if release[other] == release[cluster]:
                    continue
                both = min(counts[place], counts[index[entry]])
                if node_of[other] < 0:
                    node_of[other] = 0
                    shared[other] = 0
                    met[meets] = other
                    meets += 1
                shared[other] += both * weights[place]
                above = node_of[other]
                node = first_child[above]
                while node >= 0 and not (held_at[node] == place and held[node] == both):
                    node = sibling[node]
                if node < 0:
                    node = nodes
                    nodes += 1
                    sibling[node] = first_child[above]
                    first_child[above] = node
                    first_child[node] = -1
                    parent[node] = above
                    held_at[node] = place
                    held[node] = both
                    head[node] = -1
                node_of[other] = node
        seen += meets
        for slot in range(begin, end):
            slot_of[terms[slot]] = slot - begin
        since = found
        for place in range(meets):
            other = met[place]
            node, common = node_of[other], shared[other]
            node_of[other] = -1
            for slot in range(end - begin):
                theirs[slot] = 0
            for slot in range(slot_offsets[other], slot_offsets[other + 1]):
                if slot_of[terms[slot]] >= 0:
                    theirs[slot_of[terms[slot]]] = copies[slot]
            for slot in range(begin, end):
                mine, yours = copies[slot], theirs[slot - begin]
                low = max(mine - (size[cluster] - common), 0)
                high = min(common, mine)
                lowest = max(low, yours - (size[other] - common))
                highest = min(high, yours)
                if lowest > highest:
                    clashes += 1
                    continue
                if lowest == low and highest == high:
                    continue
                entry = head[node]
                while entry >= 0 and not (
                    found_slot[entry] == slot
                    and found_low[entry] == lowest
                    and found_high[entry] == highest
                ):
                    entry = following[entry]
                if entry >= 0:
                    found_many[entry] += 1
                    continue
                if found == len(found_slot):
                    found_slot = _grown(found_slot, found)
                    found_pattern = _grown(found_pattern, found)
                    found_low = _grown(found_low, found)
                    found_high = _grown(found_high, found)
                    found_many = _grown(found_many, found)
                    following = _grown(following, found)
                found_slot[found] = slot
                found_pattern[found] = node
                found_low[found] = lowest
                found_high[found] = highest
                found_many[found] = 1
                following[found] = head[node]
                head[node] = found
                found += 1
        for slot in range(begin, end):
            slot_of[terms[slot]] = -1
        for node in range(nodes):
            pattern_of[node] = -1
        for entry in range(since, found):
            node = found_pattern[entry]
            if pattern_of[node] < 0:
                depth, above = 0, node
                while above > 0:
                    depth += 1
                    above = parent[above]
                last = pattern_offsets[patterns] + depth
                while last > len(pattern_places):
                    pattern_places = _grown(pattern_places, pattern_offsets[patterns])
                    pattern_counts = _grown(pattern_counts, pattern_offsets[patterns])
                if patterns + 2 > len(pattern_offsets):
                    pattern_offsets = _grown(pattern_offsets, patterns + 1)
                above = node
                while above > 0:
                    depth -= 1
                    pattern_places[pattern_offsets[patterns] + depth] = held_at[above]
                    pattern_counts[pattern_offsets[patterns] + depth] = held[above]
                    above = parent[above]
                pattern_of[node] = patterns
                patterns += 1
                pattern_offsets[patterns] = last
            found_pattern[entry] = pattern_of[node]
    used = pattern_offsets[patterns]
    return (
        found_slot[:found].copy(),
        found_pattern[:found].copy(),
        found_low[:found].copy(),
        found_high[:found].copy(),
        found_many[:found].copy(),
        pattern_offsets[: patterns + 1].copy(),
        pattern_places[:used].copy(),
        pattern_counts[:used].copy(),
        np.array([seen, clashes], dtype=np.int64),
    )


@kernel
def derive(
    release: Whole,
    size: Whole,
    counterfeits: Whole,
    set_offsets: Whole,
    sets: Whole,
    counts: Whole,
    index_offsets: Whole,
    index: Whole,
    owner: Whole,
    slot_offsets: Whole,
    slot_owner: Whole,
    terms: Whole,
    copies: Whole,
    found_slot: Whole,
    found_pattern: Whole,
    found_low: Whole,
    found_high: Whole,
    pattern_offsets: Whole,
    pattern_places: Whole,
    pattern_counts: Whole,
) -> Found:
    """Return what the rests of clusters, beyond overlaps whose ranges are known, tell about others.

    Where an overlap is known to hold so many copies of a term, the rest of its cluster holds the
    others: a derived cluster, which overlaps with clusters of other releases in its turn.
    """
    clusters = len(size)
    left = np.zeros(len(sets), dtype=np.int64)
    shared = np.zeros(clusters, dtype=np.int64)
    met = np.empty(clusters, dtype=np.int64)
    mine = np.full(clusters, -1, dtype=np.int64)
    last_of = np.empty(clusters, dtype=np.int64)
    room = 16
    for cluster in range(clusters):
        meets = 0
        for place in range(set_offsets[cluster], set_offsets[cluster + 1]):
            meets += index_offsets[sets[place] + 1] - index_offsets[sets[place]]
        room = max(room, meets)
    step_at = np.empty(room, dtype=np.int64)
    step_held = np.empty(room, dtype=np.int64)
    step_before = np.empty(room, dtype=np.int64)
    out_slot = np.empty(1024, dtype=np.int64)
    out_low = np.empty(1024, dtype=np.int64)
    out_high = np.empty(1024, dtype=np.int64)
    out_offsets = np.zeros(1025, dtype=np.int64)
    out_places = np.empty(1024, dtype=np.int64)
    out_counts = np.empty(1024, dtype=np.int64)
    out = 0
    seen, clashes = 0, 0
    for entry in range(len(found_slot)):
        cluster, term = slot_owner[found_slot[entry]], terms[found_slot[entry]]
        held = copies[found_slot[entry]]
        for place in range(set_offsets[cluster], set_offsets[cluster + 1]):
            left[place] = counts[place]
        overlap = 0
        begin, end = (
            pattern_offsets[found_pattern[entry]],
            pattern_offsets[found_pattern[entry] + 1],
        )
        for part in range(begin, end):
            left[pattern_places[part]] -= pattern_counts[part]
            overlap += pattern_counts[part]
        # which of the others are counterfeits is not known, nor whether these hold the term
        true_rest = size[cluster] - overlap - counterfeits[cluster]
        least = max(held - found_high[entry] - counterfeits[cluster], 0)
        most = min(true_rest, held - found_low[entry])
        meets, steps = 0, 0
        for place in range(set_offsets[cluster], set_offsets[cluster + 1]):
            if left[place] < counts[place]:
                continue  # which of the equal sets are the rest is open
            for pointer in range(index_offsets[sets[place]], index_offsets[sets[place] + 1]):
                other = owner[index[pointer]]
                if release[other] == release[cluster]:
                    continue
                if mine[other] < 0:
                    mine[other] = -2
                    for slot in range(slot_offsets[other], slot_offsets[other + 1]):
                        if terms[slot] == term:
                            mine[other] = slot
                    if mine[other] < 0:
                        mine[other] = -1
                        continue
                    shared[other] = 0
                    last_of[other] = -1
                    met[meets] = other
                    meets += 1
                both = min(counts[place], counts[index[pointer]])
                shared[other] += both
                step_at[steps] = index[pointer]
                step_held[steps] = both
                step_before[steps] = last_of[other]
                last_of[other] = steps
                steps += 1
        for place in range(meets):
            other = met[place]
            slot, common = mine[other], shared[other]
            mine[other] = -1
            seen += 1
            low = max(least - (true_rest - common), 0)
            high = min(common, most)
            if low <= max(held - (size[cluster] - common), 0) and high >= min(common, held):
                continue  # the whole cluster tells as much about these members
            own_low = max(copies[slot] - (size[other] - common), 0)
            own_high = min(common, copies[slot])
            low, high = max(low, own_low), min(high, own_high)
            if low > high:
                clashes += 1
                continue
            if low == own_low and high == own_high:
                continue
            depth, step = 0, last_of[other]
            while step >= 0:
                depth += 1
                step = step_before[step]
            if out + 2 > len(out_slot):
                out_slot = _grown(out_slot, out)
                out_low = _grown(out_low, out)
                out_high = _grown(out_high, out)
                out_offsets = _grown(out_offsets, out + 1)
            last = out_offsets[out] + depth
            while last > len(out_places):
                out_places = _grown(out_places, out_offsets[out])
                out_counts = _grown(out_counts, out_offsets[out])
            step = last_of[other]
            while step >= 0:
                depth -= 1
                out_places[out_offsets[out] + depth] = step_at[step]
                out_counts[out_offsets[out] + depth] = step_held[step]
                step = step_before[step]
            out_slot[out] = slot
            out_low[out] = low
            out_high[out] = high
            out += 1
            out_offsets[out] = last
    used = out_offsets[out]
    return (
        out_slot[:out].copy(),
        np.arange(out),
        out_low[:out].copy(),
        out_high[:out].copy(),
        np.ones(out, dtype=np.int64),
        out_offsets[: out + 1].copy(),
        out_places[:used].copy(),
        out_counts[:used].copy(),
        np.array([seen, clashes], dtype=np.int64),
    )
