"""How many people could hold a few known items whose records were cut into parts, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["Parts", "candidates", "further_certain"]

Whole = NDArray[np.int64]


class Parts(NamedTuple):
    """Where each item stands in each cluster, and which parts hold it there.

    An item has one entry in a cluster: a chunk, which may be shared by several clusters, or the
    terms, of which no number is told.
    """

    starts: Whole
    """Item ``i`` has the entries ``starts[i]`` to ``starts[i + 1]``, ascending by cluster."""
    cluster: Whole
    """The cluster of each entry."""
    chunk: Whole
    """The chunk of each entry, -1 among the terms."""
    posting: Whole
    """Which list of parts holds the item there."""
    lists: Whole
    """List ``j`` is ``parts[lists[j]:lists[j + 1]]``, ascending."""
    parts: Whole
    """Numbers of parts."""
    of_cluster: Whole
    """Cluster ``c`` has the items ``items[of_cluster[c]:of_cluster[c + 1]]``."""
    items: Whole
    """Items, cluster by cluster."""
    people: Whole
    """How many people are in each cluster."""
    spare: Whole
    """How many parts of its own a cluster has beyond one for each; -1 where that binds nobody."""
    room: Whole
    """How many people each chunk is over."""
    shared: NDArray[np.bool_]
    """Whether each chunk is over several clusters."""


@kernel
def candidates(parts: Parts, offsets: Whole, known: NDArray[np.int32]) -> Whole:
    """Return for each set of known items how many people could hold it.

    In a cluster as many can as each chunk has parts with those of the items that are its own, and
    as leave every other person something; a part of a shared chunk goes to one cluster.
    """
    count = np.zeros(len(offsets) - 1, dtype=np.int64)
    left = np.zeros(len(parts.room), dtype=np.int64)
    asked = np.full(len(parts.room), -1, dtype=np.int64)
    for number in range(len(offsets) - 1):
        wanted = known[offsets[number] : offsets[number + 1]]
        at = np.empty(len(wanted), dtype=np.int64)
        rarest = _rarest(parts, wanted)
        for entry in range(parts.starts[rarest], parts.starts[rarest + 1]):
            cluster = parts.cluster[entry]
            if not _entries_in(parts, cluster, wanted, at):
                continue
            fitting = _fitting(parts, cluster, at)
            for each in range(len(at)):
                chunk = parts.chunk[at[each]]
                if chunk >= 0 and parts.shared[chunk]:
                    if asked[chunk] != number:
                        asked[chunk] = number
                        left[chunk] = _holding(parts, at, chunk, -1)
                    fitting = min(fitting, left[chunk])
            for each in range(len(at)):
                chunk = parts.chunk[at[each]]
                if chunk >= 0 and parts.shared[chunk] and not _before(parts, at, each):
                    left[chunk] -= fitting
            count[number] += fitting
    return count


@kernel
def further_certain(parts: Parts, offsets: Whole, known: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return for each set of known items whether all who could hold it hold a further item."""
    certain = np.zeros(len(offsets) - 1, dtype=np.bool_)
    for number in range(len(offsets) - 1):
        wanted = known[offsets[number] : offsets[number + 1]]
        at = np.empty(len(wanted), dtype=np.int64)
        further = np.empty(0, dtype=np.int64)
        first, rarest = True, _rarest(parts, wanted)
        for entry in range(parts.starts[rarest], parts.starts[rarest + 1]):
            cluster = parts.cluster[entry]
            if not _entries_in(parts, cluster, wanted, at) or not _fitting(parts, cluster, at):
                continue
            if not _shared_fitting(parts, at):
                continue
            if first:
                further = parts.items[parts.of_cluster[cluster] : parts.of_cluster[cluster + 1]]
                first = False
            further = _certain(parts, cluster, wanted, at, further)
            if not len(further):
                break
        certain[number] = len(further) > 0
    return certain


@kernel
def _rarest(parts: Parts, wanted: NDArray[np.int32]) -> int:
    """Return the item that stands in the fewest clusters."""
    rarest = int(wanted[0])
    for item in wanted[1:]:
        fewer = parts.starts[item + 1] - parts.starts[item]
        if fewer < parts.starts[rarest + 1] - parts.starts[rarest]:
            rarest = int(item)
    return rarest


@kernel
def _entries_in(parts: Parts, cluster: int, wanted: NDArray[np.int32], at: Whole) -> bool:
    """Write where each wanted item stands in a cluster; False where one does not occur in it."""
    for each in range(len(wanted)):
        at[each] = _entry(parts, cluster, wanted[each])
        if at[each] < 0:
            return False
    return True


@kernel
def _entry(parts: Parts, cluster: int, item: int) -> int:
    """Return the entry of an item in a cluster, -1 where it has none."""
    return _index_of(parts.cluster, parts.starts[item], parts.starts[item + 1], cluster)


@kernel
def _before(parts: Parts, at: Whole, each: int) -> bool:
    """Whether an item before this one stands in the same chunk."""
    seen = False
    for other in range(each):
        seen = seen or parts.chunk[at[other]] == parts.chunk[at[each]]
    return seen


@kernel
def _fitting(parts: Parts, cluster: int, at: Whole) -> int:
    """Return how many of a cluster could hold what stands at these entries, by its own chunks."""
    fitting, pieces = int(parts.people[cluster]), 0
    for each in range(len(at)):
        chunk = parts.chunk[at[each]]
        if chunk < 0 or parts.shared[chunk] or _before(parts, at, each):
            continue
        fitting = min(fitting, _holding(parts, at, chunk, -1))
        pieces += 1
    if parts.spare[cluster] >= 0 and pieces > 1:
        fitting = min(fitting, int(parts.spare[cluster]) // (pieces - 1))
    return fitting


@kernel
def _shared_fitting(parts: Parts, at: Whole) -> bool:
    """Whether every shared chunk has a part with all that stands in it."""
    fits = True
    for entry in at:
        chunk = parts.chunk[entry]
        if chunk >= 0 and parts.shared[chunk]:
            fits = fits and _holding(parts, at, chunk, -1) > 0
    return fits


@kernel
def _holding(parts: Parts, at: Whole, chunk: int, further: int) -> int:
    """Return how many parts of a chunk hold all that stands in it, and a ``further`` entry."""
    first, more = further, False
    for entry in at:
        if parts.chunk[entry] == chunk:
            more = more or first >= 0
            first = entry
    low, high = parts.lists[parts.posting[first]], parts.lists[parts.posting[first] + 1]
    if not more:
        return int(high - low)
    count = 0
    for part in parts.parts[low:high]:
        holds = further < 0 or _listed(parts, further, part)
        for entry in at:
            holds = holds and (parts.chunk[entry] != chunk or _listed(parts, entry, part))
        count += holds
    return count


@kernel
def _listed(parts: Parts, entry: int, part: int) -> bool:
    """Whether a part is among those that hold the item of an entry."""
    posting = parts.posting[entry]
    return _index_of(parts.parts, parts.lists[posting], parts.lists[posting + 1], part) >= 0


@kernel
def _index_of(ascending: Whole, low: int, high: int, value: int) -> int:
    """Return where a value stands between two positions, -1 where it does not."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low if low < end and ascending[low] == value else -1


@kernel
def _certain(
    parts: Parts, cluster: int, wanted: NDArray[np.int32], at: Whole, further: Whole
) -> Whole:
    """Return those of the further items that whoever is in the cluster with the wanted has too."""
    certain = np.zeros(len(further), dtype=np.bool_)
    for each in range(len(further)):
        entry = _entry(parts, cluster, further[each])
        if entry < 0 or (wanted == further[each]).any():
            continue
        chunk = parts.chunk[entry]
        if chunk < 0:
            certain[each] = parts.people[cluster] == 1
            continue
        holding, everybody = 0, parts.room[chunk]
        if (parts.chunk[at] == chunk).any():
            everybody = _holding(parts, at, chunk, -1)
            holding = _holding(parts, at, chunk, entry)
        else:
            holding = _holding(parts, at[:0], chunk, entry)
        certain[each] = holding == everybody
    return further[certain]
