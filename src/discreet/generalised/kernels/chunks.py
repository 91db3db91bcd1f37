"""Items of clusters into chunks of their own and into chunks that clusters share, compiled.

An entry is an item of a cluster. Entries are listed cluster by cluster, items ascending.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.generalised.kernels.coherent_items import Secrets, Shared, coherent_items

__all__ = ["Clustered", "own_chunks", "shared_chunks"]


class Clustered(NamedTuple):
    """Distinct sets by clusters, and the items of each cluster."""

    sets: NDArray[np.int64]
    """Cluster ``c`` has the sets from ``sets[c]`` to ``sets[c + 1]``."""
    offsets: NDArray[np.int64]
    """Set ``r`` is ``items[offsets[r]:offsets[r + 1]]``."""
    items: NDArray[np.int32]
    """Item numbers, ascending within a set."""
    counts: NDArray[np.int64]
    """How many people have each set."""
    starts: NDArray[np.int64]
    """Cluster ``c`` has the entries from ``starts[c]`` to ``starts[c + 1]``."""
    item: NDArray[np.int64]
    """The item of each entry."""
    support: NDArray[np.int64]
    """How many people of the cluster hold it."""
    width: int
    """How many items there are."""


@kernel
def _projected(
    data: Clustered, clusters: NDArray[np.int64], number: NDArray[np.int64], width: int
) -> Shared:
    """Return what the sets of these clusters hold of the items that have a number."""
    rows, places = 0, 0
    for cluster in clusters:
        first, last = data.sets[cluster], data.sets[cluster + 1]
        rows += last - first
        places += data.offsets[last] - data.offsets[first]
    offsets = np.zeros(rows + 1, dtype=np.int64)
    counts = np.empty(rows, dtype=np.int64)
    items = np.empty(places, dtype=np.int32)
    starts = np.zeros(width + 1, dtype=np.int64)
    many, filled = 0, 0
    for cluster in clusters:
        for row in range(data.sets[cluster], data.sets[cluster + 1]):
            for at in range(data.offsets[row], data.offsets[row + 1]):
                name = number[data.items[at]]
                if name >= 0:
                    items[filled] = name
                    starts[name + 1] += 1
                    filled += 1
            if filled > offsets[many]:
                counts[many] = data.counts[row]
                many += 1
                offsets[many] = filled
    for name in range(width):
        starts[name + 1] += starts[name]
    holders = np.empty(filled, dtype=np.int64)
    ends = starts.copy()
    for row in range(many):
        for at in range(offsets[row], offsets[row + 1]):
            holders[ends[items[at]]] = row
            ends[items[at]] += 1
    return Shared(offsets[: many + 1], items[:filled], counts[:many], starts, holders)


@kernel
def _together(sets: Shared, order: NDArray[np.int64], k: int, m: int) -> NDArray[np.bool_]:
    """Return which items, taken in this order, can be in one chunk: any m fit k people or none."""
    none = np.zeros(len(sets.offsets), dtype=np.int64)
    secrets = Secrets(none, np.zeros(0, dtype=np.int32), 0, 1, 1)
    return coherent_items(sets, secrets, order, k, m)


@kernel
def own_chunks(data: Clustered, term: int, k: int, m: int) -> NDArray[np.int64]:
    """Return the chunk of each entry within its cluster, ``term`` where fewer than k hold it.

    The commonest items come first, and each goes to the first chunk that can take it.
    """
    place = np.full(len(data.item), term, dtype=np.int64)
    number = np.full(data.width, -1, dtype=np.int64)
    for cluster in range(len(data.sets) - 1):
        first, last = data.starts[cluster], data.starts[cluster + 1]
        for entry in range(first, last):
            number[data.item[entry]] = entry - first
        sets = _projected(data, np.array([cluster]), number, last - first)
        order = np.argsort(-data.support[first:last], kind="mergesort")
        left = order[data.support[first + order] >= k]
        chunk = 0
        while len(left):
            there = _together(sets, left, k, m)
            for at in np.flatnonzero(there):
                place[first + at] = chunk
            left = left[~there[left]]
            chunk += 1
        for entry in range(first, last):
            number[data.item[entry]] = -1
    return place


@kernel
def _by_item(data: Clustered) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the entries of each item, and where they begin."""
    begins = np.zeros(data.width + 1, dtype=np.int64)
    for item in data.item:
        begins[item + 1] += 1
    for item in range(data.width):
        begins[item + 1] += begins[item]
    listed = np.empty(len(data.item), dtype=np.int64)
    ends = begins.copy()
    for entry in range(len(data.item)):
        listed[ends[data.item[entry]]] = entry
        ends[data.item[entry]] += 1
    return listed, begins


@kernel
def _cluster_of(data: Clustered) -> NDArray[np.int64]:
    """Return the cluster of each entry."""
    cluster = np.empty(len(data.item), dtype=np.int64)
    for each in range(len(data.sets) - 1):
        cluster[data.starts[each] : data.starts[each + 1]] = each
    return cluster


@kernel
def _groups(
    data: Clustered, mine: NDArray[np.int64], k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where runs of entries that k people hold begin and end; the rest joins the last."""
    begins, ends = np.empty(len(mine), np.int64), np.empty(len(mine), np.int64)
    left = 0
    for entry in mine:
        left += data.support[entry]
    many, at = 0, 0
    while left >= k:
        begins[many], held = at, 0
        while held < k:
            held += data.support[mine[at]]
            at += 1
        left -= held
        if left < k:
            at, left = len(mine), 0
        ends[many] = at
        many += 1
    return begins[:many], ends[:many]


@kernel
def shared_chunks(
    data: Clustered, free: NDArray[np.bool_], queue: NDArray[np.int64], k: int, m: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the shared chunk of each entry, -1 for none, and the clusters of each such chunk.

    Each item of the queue gets chunks over as few clusters as have it among their ``free`` entries
    k times, and takes along what else these have free and nowhere else; ``free`` is changed. The
    clusters of chunk ``n`` are a run of the last array from ``second[n]`` to ``second[n + 1]``.
    """
    entries, clusters = len(data.item), len(data.sets) - 1
    listed, begins = _by_item(data)
    cluster_of = _cluster_of(data)
    chunk_of = np.full(entries, -1, dtype=np.int64)
    over_ends, over = np.zeros(entries + 1, np.int64), np.empty(entries, np.int64)
    held_ends, held = np.zeros(entries + 1, np.int64), np.empty(entries, np.int64)
    # the chunks of a cluster are a chain of places in ``over``
    last, before = np.full(clusters, -1, np.int64), np.empty(entries, np.int64)
    chunk_at = np.empty(entries, np.int64)
    tally, number = np.zeros(data.width, np.int64), np.full(data.width, -1, np.int64)
    seen, taken = np.full(data.width, -1, np.int64), np.full(data.width, -1, np.int64)
    touched = np.empty(data.width, np.int64)
    chunk = 0
    for item in queue:
        mine = listed[begins[item] : begins[item + 1]]
        mine = mine[free[mine]]
        firsts, ends = _groups(data, mine, k)
        for group in range(len(firsts)):
            here = cluster_of[mine[firsts[group] : ends[group]]]
            new = 0
            for cluster in here:
                for entry in range(data.starts[cluster], data.starts[cluster + 1]):
                    name = data.item[entry]
                    if seen[name] != chunk:
                        seen[name] = chunk
                        tally[name] = 0
                        touched[new] = name
                        new += 1
                    tally[name] += data.support[entry]
                    if not free[entry]:
                        taken[name] = chunk
                at = last[cluster]
                while at >= 0:
                    for place in range(held_ends[chunk_at[at]], held_ends[chunk_at[at] + 1]):
                        taken[held[place]] = chunk
                    at = before[at]
            found = np.sort(touched[:new])
            found = found[(tally[found] >= k) & (taken[found] != chunk)]
            number[found] = np.arange(len(found))
            together = np.ones(len(found), dtype=np.bool_)
            if len(found) > 1:
                worth = -tally[found]
                # the item itself comes first
                worth[number[item]] = -np.int64(1 << 62)
                order = np.argsort(worth, kind="mergesort")
                together = _together(_projected(data, here, number, len(found)), order, k, m)
            for cluster in here:
                for entry in range(data.starts[cluster], data.starts[cluster + 1]):
                    name = number[data.item[entry]]
                    if name >= 0 and together[name]:
                        chunk_of[entry] = chunk
                        free[entry] = False
            number[found] = -1
            found = found[together]
            held[held_ends[chunk] : held_ends[chunk] + len(found)] = found
            held_ends[chunk + 1] = held_ends[chunk] + len(found)
            over_ends[chunk + 1] = over_ends[chunk] + len(here)
            for place in range(len(here)):
                at = over_ends[chunk] + place
                over[at], chunk_at[at] = here[place], chunk
                before[at], last[here[place]] = last[here[place]], at
            chunk += 1
    return chunk_of, over_ends[: chunk + 1], over[: over_ends[chunk]]
