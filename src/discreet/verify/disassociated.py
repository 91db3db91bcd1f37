"""Any m items could be those of k people: possible originals counted, as the definition says."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from discreet.core.disassociated import Chunks, Disassociated
from discreet.core.exact import exact
from discreet.core.guarantees.sets import Disassociated as Promise
from discreet.core.verdict import Verdict
from discreet.verify.covering import covered
from discreet.verify.possible_originals import Originals

__all__ = ["disassociated"]

MOST = 40_000_000
"""Sets of items in sub-records that are listed at once; beyond, the check says so."""
MOST_SETS = 20_000
"""Sets that are counted over all clusters one by one; beyond, the check says where it stopped."""
MOST_SOLVED = 100_000
"""The same for the unknowns of their programs, clusters that are tied together being one."""

Known: TypeAlias = frozenset[int]
"""Items that somebody knows, by number."""


class Doubtful(NamedTuple):
    """A place where a set with these items is not at once seen to fit k people."""

    cluster: int
    """The cluster."""
    items: Known
    """The items of one chunk that few sub-records hold; none where the cluster itself is short."""


def disassociated(content: Disassociated, claim: Promise) -> Verdict:
    """Count the people who can hold up to m items together in some possible original.

    In one cluster k people can, if each chunk has k sub-records with those of the items that are
    its own, the cluster has k people, and what is left of its sub-records, or its terms, is enough
    for all others to hold something. Where a part of a set fails that, the sets with this part are
    counted over all clusters.
    """
    if contradiction := _impossible(content):
        checked = "whether any data could be behind it"
        return Verdict(guarantee=claim, holds=False, checked=checked, witness=contradiction)
    doubtful = _doubtful(content, claim)
    if doubtful is None:
        checked = "nothing: sub-records hold too many sets to be counted"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    checked = f"how many people can hold any up to {claim.m} items together"
    witness = _few(content, claim, doubtful) if doubtful else ""
    if witness is None:
        checked = f"{checked}, until {MOST_SETS:,} sets or {MOST_SOLVED:,} unknowns were counted"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    if claim.cover is not None:
        checked = f"{checked}, and which item must follow from one of another chunk"
        witness = witness or covered(content, exact("cover", claim.cover))
    return Verdict(guarantee=claim, holds=not witness, checked=checked, witness=witness or None)


def _impossible(content: Disassociated) -> str:
    """Return a cluster that tells of items for some of its people and of none for others; or ''.

    Those who hold nothing are a cluster of their own, so that without terms everybody has a
    sub-record. Of data that cannot be, nothing follows, and every promise would seem kept.
    """
    parts = np.zeros(content.count, dtype=np.int64)
    for chunks in (content.chunks, content.shared):
        chunk, cluster = chunks.places
        np.add.at(parts, cluster, chunks.sizes[chunk])
    short = (content.terms.sizes == 0) & (parts > 0) & (parts < content.people)
    if not short.any():
        return ""
    first = int(np.argmax(short))
    there = f"{parts[first]:,} sub-records are there for {content.people[first]:,} people"
    return f"cluster {first}: {there}, and no terms for the others"


def _few(content: Disassociated, claim: Promise, doubtful: list[Doubtful]) -> str | None:
    """Return a set that some but too few people can hold, '' without one, None if sets are many."""
    originals = Originals(content)
    for number, items in enumerate(_sets(originals, doubtful, claim.m)):
        if number == MOST_SETS or originals.solved > MOST_SOLVED:
            return None
        people = originals.most(items)
        if 0 < people < claim.k:
            names = ", ".join(content.universe[item] for item in sorted(items))
            return f"{names}: at most {people} people can hold that, not {claim.k}"
    return ""


def _doubtful(content: Disassociated, claim: Promise) -> list[Doubtful] | None:
    """Return where a set may fit fewer than k people of a cluster; None where sets are many."""
    found: list[Doubtful] = []
    for chunks in (content.chunks, content.shared):
        rare = _rare(chunks, claim)
        if rare is None:
            return None
        found += [
            Doubtful(int(cluster), items) for chunk, items in rare for cluster in chunks.over(chunk)
        ]
    own = np.bincount(content.chunks.clusters.items, minlength=content.count)
    parts = np.bincount(
        content.chunks.clusters.items, content.chunks.sizes, minlength=content.count
    )
    pieces = np.minimum(own, claim.m)
    spare = parts - content.people - claim.k * np.maximum(0, pieces - 1)
    short = (content.people < claim.k) | ((content.terms.sizes == 0) & (spare < 0))
    return found + [Doubtful(cluster, frozenset()) for cluster in np.flatnonzero(short).tolist()]


def _rare(chunks: Chunks, claim: Promise) -> list[tuple[int, Known]] | None:
    """Return each set of up to m items that some but fewer than k sub-records of a chunk hold.

    Each round puts all later items of the sub-record behind those before.
    """
    sets, width = chunks.sets, len(chunks.sets.vocabulary)
    ends = np.repeat(sets.offsets[1:], sets.sizes)
    held = np.arange(len(sets.items))
    which = np.repeat(chunks.chunk, sets.sizes)
    names = np.arange(len(chunks))[:, np.newaxis]
    rare: list[tuple[int, Known]] = []
    for _ in range(claim.m):
        codes = which * width + sets.items[held]
        found, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
        names = np.column_stack([names[found // width], found % width])
        few = names[counts < claim.k].tolist()
        rare += [(chunk, frozenset(items)) for chunk, *items in few]
        further = ends[held] - held - 1
        if further.sum() > MOST:
            return None
        within = np.arange(further.sum()) - np.repeat(np.cumsum(further) - further, further)
        which = np.repeat(which, further)
        held = np.repeat(held, further) + 1 + within
    return rare


def _sets(originals: Originals, doubtful: list[Doubtful], m: int) -> Iterator[Known]:
    """Return the sets of up to m items with a doubtful part, the smallest first, each once."""
    seen: set[Known] = set()
    for size in range(1, m + 1):
        for cluster, part in doubtful:
            others = sorted(originals.possible[cluster] - part)
            more = combinations(others, size - len(part)) if size >= len(part) else ()
            for added in more:
                items = part.union(added)
                if items not in seen:
                    seen.add(items)
                    yield items
