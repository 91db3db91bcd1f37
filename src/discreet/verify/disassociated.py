"""Any m items could be those of k people: possible originals counted, as the definition says."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Chunks, Disassociated
from discreet.core.exact import exact
from discreet.core.guarantees.sets import Disassociated as Promise
from discreet.core.verdict import Verdict
from discreet.verify.chunk_index import ChunkIndex
from discreet.verify.covering import covered
from discreet.verify.everybody_holds import Dealt, deal
from discreet.verify.possible_originals import Originals

MOST = 20_000_000
"""Sets of items in sub-records that are listed at once; beyond, the check says so."""
MOST_ITEMS = 2_000_000
"""Items of sub-records that are looked up one by one where a set is in doubt."""
MOST_SETS = 400_000
"""Sets with a doubtful part that are met; beyond, the check says where it stopped."""
MOST_LOOKED = 800_000
"""The same for the clusters that are looked at for these sets."""
MOST_SOLVED = 100_000
"""The same for the unknowns of the programs that tell what looking at clusters leaves open."""

Known: TypeAlias = frozenset[int]
"""Items that somebody knows, by number."""


class Rare(NamedTuple):
    """Sets of as many items each that some but few sub-records of a chunk hold, or are left for."""

    chunks: Chunks
    """The chunks."""
    sets: NDArray[np.int64]
    """A row for each of the sets: its chunk, then its items."""


class Doubts(NamedTuple):
    """Where a set is not at once seen to fit k people."""

    rare: list[Rare]
    """Sets that are rare in a chunk."""
    short: list[int]
    """Clusters that may have too few people or sub-records for any set."""
    size: int
    """How many items a set has at most."""

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self.short) or any(len(rare.sets) for rare in self.rare)


class Search(NamedTuple):
    """How far the sets in doubt were counted, and what came out."""

    witness: str
    """A set that some but too few people can hold; or ''."""
    counted: int
    """How many sets were counted."""
    complete: bool
    """Whether these are all."""


def disassociated(content: Disassociated, claim: Promise) -> Verdict:
    """Count the people who can hold up to m items together in some possible original.

    In one cluster k people can, if each chunk has k sub-records with those of the items that are
    its own, the cluster has k people, and what is left of its sub-records, or its terms, is enough
    for all others to hold something. Where a part of a set fails that, the sets with this part are
    counted over all clusters.
    """
    index = ChunkIndex(content)
    dealt = deal(index)
    if dealt.contradiction:
        checked = "whether any data could be behind it"
        return Verdict(guarantee=claim, holds=False, checked=checked, witness=dealt.contradiction)
    # larger sets than that nobody could hold
    sought = replace(claim, m=min(claim.m, max([1, *map(len, index.chunk_of)])))
    reach, rare = _rare_parts(content, sought)
    doubts = Doubts([*rare, *_tight(index, dealt, claim.k)], _short(content, sought), reach)
    reach = claim.m if reach == sought.m else reach
    return _verdict(content, claim, reach, _few(Originals(index, dealt), claim.k, doubts))


def _verdict(content: Disassociated, claim: Promise, reach: int, search: Search) -> Verdict:
    sets = f"any up to {reach:,} items" if reach > 1 else "any item"
    checked = f"how many people can hold {sets} together"
    if not search.witness and not search.complete:
        checked += (
            ": every set that is not in doubt, and of those in doubt the first "
            f"{search.counted:,}, where the search came to its limit"
        )
    if not search.witness and reach < claim.m:
        checked += "; sub-records hold too many larger sets to be listed"
    witness = search.witness
    if claim.cover is not None:
        checked = f"{checked}, and which item must follow from one of another chunk"
        witness = witness or covered(content, exact("cover", claim.cover))
    if witness:
        return Verdict(guarantee=claim, holds=False, checked=checked, witness=witness)
    holds = True if search.complete and reach == claim.m else None
    return Verdict(guarantee=claim, holds=holds, checked=checked)


def _few(originals: Originals, k: int, doubts: Doubts) -> Search:
    """Look for a set that some but too few people can hold, the smallest sets first."""
    content = originals.index.content
    if doubts.any and len(content.chunks.sets.items) + len(content.shared.sets.items) > MOST_ITEMS:
        return Search("", 0, complete=False)
    seen: set[Known] = set()
    open_sets: list[Known] = []
    for met, items in enumerate(_sets(originals.index, doubts)):
        if met == MOST_SETS or originals.looked > MOST_LOOKED:
            return Search("", len(seen), complete=False)
        if items in seen:
            continue
        seen.add(items)
        least, most = originals.between(items, k)
        if least > 0 and most < k:
            return Search(_witness(originals, items, most, k), len(seen), complete=True)
        if least < k and most > 0:
            open_sets.append(items)
    return _solve(originals, k, open_sets, len(seen))


def _solve(originals: Originals, k: int, open_sets: list[Known], counted: int) -> Search:
    """Count exactly what the bounds left open."""
    complete = True
    for number, items in enumerate(open_sets):
        if originals.solved > MOST_SOLVED:
            return Search("", counted - len(open_sets) + number, complete=False)
        people = originals.most(items)
        if people is None:
            complete = False
        elif 0 < people < k:
            return Search(_witness(originals, items, people, k), counted, complete=True)
    return Search("", counted, complete)


def _witness(originals: Originals, items: Known, people: int, k: int) -> str:
    names = ", ".join(originals.index.content.universe[item] for item in sorted(items))
    return f"{names}: at most {people} people can hold that, not {k}"


def _rare_parts(content: Disassociated, claim: Promise) -> tuple[int, list[Rare]]:
    """Return the sets that few sub-records of a chunk hold, and up to which size all are listed."""
    rare: list[Rare] = []
    reach = claim.m
    for chunks in (content.chunks, content.shared):
        sets = _rare(chunks, claim)
        reach = min(reach, len(sets))
        rare += [Rare(chunks, itemset) for itemset in sets]
    return reach, rare


def _tight(index: ChunkIndex, dealt: Dealt, k: int) -> list[Rare]:
    """Return the items of shared chunks of which people in need leave fewer than k sub-records.

    Whoever could hold one of these items in any cluster may have to leave it to them.
    """
    wanted = {chunk for _, chunk in dealt.given if dealt.spare[chunk] < k}
    first_shared = len(index.content.chunks)
    shared = index.content.shared
    chunk, item, _ = shared.supports
    there = np.isin(chunk, np.array(sorted(wanted), dtype=np.int64) - first_shared)
    return [Rare(shared, np.column_stack([chunk[there], item[there]]))]


def _short(content: Disassociated, claim: Promise) -> list[int]:
    """Return the clusters where k people with several items may leave others with nothing."""
    over, sizes = content.chunks.clusters.items, content.chunks.sizes
    pieces = np.minimum(np.bincount(over, minlength=content.count), claim.m)
    spare = np.bincount(over, sizes, minlength=content.count) - content.people
    few = (content.terms.sizes == 0) & (spare < claim.k * np.maximum(0, pieces - 1))
    return np.flatnonzero((content.people < claim.k) | few).tolist()


def _rare(chunks: Chunks, claim: Promise) -> list[NDArray[np.int64]]:
    """Return, by size, the sets of up to m items that some but under k sub-records of a chunk hold.

    Each round puts all later items of the sub-record behind those before; it ends where there are
    too many of them.
    """
    sets, width = chunks.sets, len(chunks.sets.vocabulary)
    ends = np.repeat(sets.offsets[1:], sets.sizes)
    position = np.arange(len(sets.items))
    prefix = np.repeat(chunks.chunk, sets.sizes)
    names = np.arange(len(chunks))[:, np.newaxis]
    rare: list[NDArray[np.int64]] = []
    while True:
        codes = prefix * width + sets.items[position]
        distinct, prefix, counts = np.unique(codes, return_inverse=True, return_counts=True)
        names = np.column_stack([names[distinct // width], distinct % width])
        rare.append(names[counts < claim.k])
        further = ends[position] - position - 1
        if len(rare) == claim.m or further.sum() > MOST:
            return rare
        within = np.arange(further.sum()) - np.repeat(np.cumsum(further) - further, further)
        prefix = np.repeat(prefix, further)
        position = np.repeat(position, further) + 1 + within


def _sets(index: ChunkIndex, doubts: Doubts) -> Iterator[Known]:
    """Return the sets with a doubtful part, the smallest first."""
    for size in range(1, doubts.size + 1):
        for cluster, doubtful in _parts(doubts, size):
            remaining = sorted(index.chunk_of[cluster].keys() - doubtful)
            for added in combinations(remaining, size - len(doubtful)):
                yield doubtful.union(added)


def _parts(doubts: Doubts, size: int) -> Iterator[tuple[int, Known]]:
    """Return each cluster with a part that is rare there, or with none where it is short."""
    for chunks, sets in doubts.rare:
        if sets.shape[1] - 1 > size:
            continue
        for chunk, *items in map(np.ndarray.tolist, sets):
            for cluster in chunks.over(chunk).tolist():
                yield cluster, frozenset(items)
    for cluster in doubts.short:
        yield cluster, frozenset()
