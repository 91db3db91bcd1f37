"""Items of clusters into chunks of their own and into chunks that clusters share, compiled.

An entry is an item of a cluster. Entries are listed cluster by cluster, items ascending.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel
from discreet.generalised.kernels.blocks import Rows
from discreet.generalised.kernels.coherent_items import Secrets, coherent_items

__all__ = ["Clustered", "own_chunks", "shared_chunks", "together"]


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
) -> Rows:
    """Return what the sets of these clusters hold of the items that have a number."""
    n_rows, n_items = 0, 0
    for cluster in clusters:
        first, last = data.sets[cluster], data.sets[cluster + 1]
        n_rows += last - first
        n_items += data.offsets[last] - data.offsets[first]
    offsets = np.zeros(n_rows + 1, dtype=np.int64)
    counts = np.empty(n_rows, dtype=np.int64)
    items = np.empty(n_items, dtype=np.int32)
    starts = np.zeros(width + 1, dtype=np.int64)
    count, filled = 0, 0
    for cluster in clusters:
        for row in range(data.sets[cluster], data.sets[cluster + 1]):
            for at in range(data.offsets[row], data.offsets[row + 1]):
                name = number[data.items[at]]
                if name >= 0:
                    items[filled] = name
                    starts[name + 1] += 1
                    filled += 1
            if filled > offsets[count]:
                counts[count] = data.counts[row]
                count += 1
                offsets[count] = filled
    for name in range(width):
        starts[name + 1] += starts[name]
    holders = np.empty(filled, dtype=np.int64)
    ends = starts.copy()
    for row in range(count):
        for at in range(offsets[row], offsets[row + 1]):
            holders[ends[items[at]]] = row
            ends[items[at]] += 1
    return Rows(offsets[: count + 1], items[:filled], counts[:count], starts, holders)


@kernel
def together(sets: Rows, order: NDArray[np.int64], k: int, m: int) -> NDArray[np.bool_]:
    """Return which items, taken in this order, can be in one chunk: any m fit k people or none."""
    none = np.zeros(len(sets.offsets), dtype=np.int64)
    secrets = Secrets(none, np.zeros(0, dtype=np.int32), 0, 1, 1)
    return coherent_items(sets, secrets, order, k, m)


@kernel
def own_chunks(data: Clustered, term: int, k: int, m: int) -> NDArray[np.int64]:
    """Return the chunk of each entry within its cluster, ``term`` where fewer than k hold it.

    The commonest items come first, and each goes to the first chunk that can take it.
    """
    chunk_of = np.full(len(data.item), term, dtype=np.int64)
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
            joined = together(sets, left, k, m)
            for at in np.flatnonzero(joined):
                chunk_of[first + at] = chunk
            left = left[~joined[left]]
            chunk += 1
        for entry in range(first, last):
            number[data.item[entry]] = -1
    return chunk_of


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
    count, at = 0, 0
    while left >= k:
        begins[count], support = at, 0
        while support < k:
            support += data.support[mine[at]]
            at += 1
        left -= support
        if left < k:
            at, left = len(mine), 0
        ends[count] = at
        count += 1
    return begins[:count], ends[:count]


class _Shared(NamedTuple):
    """Chunks over several clusters, as far as they are made."""

    chunk_of: NDArray[np.int64]
    """The chunk of each entry, -1 for none."""
    cluster_ends: NDArray[np.int64]
    """Where the clusters of each chunk begin, and the end of the last ..."""
    clusters: NDArray[np.int64]
    """... in this list."""
    item_ends: NDArray[np.int64]
    """Where the items of each chunk begin, and the end of the last ..."""
    items: NDArray[np.int64]
    """... in this list."""
    chunk_at: NDArray[np.int64]
    """The chunk of each place of ``clusters``."""
    last: NDArray[np.int64]
    """The last place of each cluster in ``clusters``, -1 for none ..."""
    before: NDArray[np.int64]
    """... and of each place the place before it of the same cluster."""


class _Tallies(NamedTuple):
    """What is known of each item while a chunk is made."""

    people: NDArray[np.int64]
    """How many people of the clusters hold it."""
    seen: NDArray[np.int64]
    """The last chunk for which it was counted."""
    taken: NDArray[np.int64]
    """The last chunk that it could not join."""
    touched: NDArray[np.int64]
    number: NDArray[np.int64]
    """Its number among the items that could join, -1 between two chunks."""


@kernel
def _joining(
    data: Clustered,
    free: NDArray[np.bool_],
    over: NDArray[np.int64],
    shared: _Shared,
    chunk: int,
    k: int,
    tallies: _Tallies,
) -> NDArray[np.int64]:
    """Return the items that k people of some clusters hold and that are free in all of these.

    An item is not free in a cluster either that shares a chunk with it already.
    """
    people, seen, taken, touched = tallies.people, tallies.seen, tallies.taken, tallies.touched
    starts, item_of, support = data.starts, data.item, data.support
    new = 0
    for cluster in over:
        for entry in range(starts[cluster], starts[cluster + 1]):
            item = item_of[entry]
            if seen[item] != chunk:
                seen[item] = chunk
                people[item] = 0
                touched[new] = item
                new += 1
            people[item] += support[entry]
            if not free[entry]:
                taken[item] = chunk
    joining = 0
    for at in range(new):
        if people[touched[at]] >= k and taken[touched[at]] != chunk:
            touched[joining] = touched[at]
            joining += 1
    # nearly always the item itself alone: then it need not be asked what its clusters share
    if joining > 1:
        _take_shared(over, shared, chunk, taken)
    items = np.sort(touched[:joining])
    left: NDArray[np.bool_] = taken[items] != chunk
    return items[left]


@kernel
def _take_shared(
    over: NDArray[np.int64], shared: _Shared, chunk: int, taken: NDArray[np.int64]
) -> None:
    """Mark the items of the chunks that are over some of the clusters already."""
    ends, chunk_at, last, before = shared.item_ends, shared.chunk_at, shared.last, shared.before
    members = shared.items
    for cluster in over:
        at = last[cluster]
        while at >= 0:
            for position in range(ends[chunk_at[at]], ends[chunk_at[at] + 1]):
                taken[members[position]] = chunk
            at = before[at]


@kernel
def _fitting(
    data: Clustered,
    over: NDArray[np.int64],
    item: int,
    items: NDArray[np.int64],
    bounds: tuple[int, int],
    tallies: _Tallies,
) -> NDArray[np.bool_]:
    """Return which of the items can share a chunk over some clusters; ``item`` comes first."""
    if len(items) < 2:
        return np.ones(len(items), dtype=np.bool_)
    worth = -tallies.people[items]
    worth[tallies.number[item]] = -np.int64(1 << 62)
    order = np.argsort(worth, kind="mergesort")
    return together(_projected(data, over, tallies.number, len(items)), order, *bounds)


@kernel
def _write_down(
    shared: _Shared, chunk: int, items: NDArray[np.int64], over: NDArray[np.int64]
) -> None:
    """Note the items of a chunk and its clusters."""
    begin = shared.item_ends[chunk]
    shared.items[begin : begin + len(items)] = items
    shared.item_ends[chunk + 1] = begin + len(items)
    begin = shared.cluster_ends[chunk]
    shared.cluster_ends[chunk + 1] = begin + len(over)
    for at in range(len(over)):
        cluster = over[at]
        shared.clusters[begin + at], shared.chunk_at[begin + at] = cluster, chunk
        shared.before[begin + at], shared.last[cluster] = shared.last[cluster], begin + at


@kernel
def _share(
    data: Clustered,
    free: NDArray[np.bool_],
    over: NDArray[np.int64],
    item: int,
    shared: _Shared,
    chunk: int,
    bounds: tuple[int, int],
    tallies: _Tallies,
) -> None:
    """Make one chunk over some clusters, with ``item`` and what can join it."""
    number, chunk_of = tallies.number, shared.chunk_of
    items = _joining(data, free, over, shared, chunk, bounds[0], tallies)
    number[items] = np.arange(len(items))
    together = _fitting(data, over, item, items, bounds, tallies)
    number[items] = -1
    for cluster in over:
        first, last = data.starts[cluster], data.starts[cluster + 1]
        for name in items[together]:
            entry = first + np.searchsorted(data.item[first:last], name)
            if entry < last and data.item[entry] == name:
                chunk_of[entry] = chunk
                free[entry] = False
    _write_down(shared, chunk, items[together], over)


@kernel
def shared_chunks(
    data: Clustered, free: NDArray[np.bool_], queue: NDArray[np.int64], k: int, m: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the shared chunk of each entry, -1 for none, and the clusters of each such chunk.

    Each item of the queue gets chunks over as few clusters as have it among their ``free`` entries
    k times, and takes along what else these have free and nowhere else; ``free`` is changed. The
    clusters of chunk ``n`` are a run of the last array from ``second[n]`` to ``second[n + 1]``.
    """
    entries, width = len(data.item), data.width
    listed, begins = _by_item(data)
    cluster_of = _cluster_of(data)
    shared = _Shared(
        np.full(entries, -1, np.int64),
        np.zeros(entries + 1, np.int64),
        np.empty(entries, np.int64),
        np.zeros(entries + 1, np.int64),
        np.empty(entries, np.int64),
        np.empty(entries, np.int64),
        np.full(len(data.sets) - 1, -1, np.int64),
        np.empty(entries, np.int64),
    )
    none, touched = np.full((3, width), -1, np.int64), np.empty(width, np.int64)
    tallies = _Tallies(np.zeros(width, np.int64), none[0], none[1], touched, none[2])
    chunk = 0
    for item in queue:
        mine = listed[begins[item] : begins[item + 1]]
        mine = mine[free[mine]]
        firsts, ends = _groups(data, mine, k)
        for group in range(len(firsts)):
            over = cluster_of[mine[firsts[group] : ends[group]]]
            _share(data, free, over, item, shared, chunk, (k, m), tallies)
            chunk += 1
    ends = shared.cluster_ends[: chunk + 1]
    return shared.chunk_of, ends, shared.clusters[: ends[chunk]]
