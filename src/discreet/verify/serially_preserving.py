"""Whoever holds all releases of a series learns no more of a private term than r_th allows.

Clusters of two releases that share non-private sets overlap. The copies of a term that can lie in
the overlap are limited by either cluster, so one release can tell something about a cluster of the
other. Every transaction of every release is looked at, at the level of its cluster and of its
whole corpus; the arithmetic is exact.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import BAG, Clusters
from discreet.core.guarantees.clusters import SeriallyPreserving
from discreet.core.lineage import FOLLOWS, content_of, follow
from discreet.core.posterior import Cell, Cover, Range, cells_of
from discreet.core.release import Release
from discreet.core.verdict import Verdict
from discreet.errors import DataError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["serially_preserving"]

Meeting: TypeAlias = tuple[int, int, tuple[tuple[int, int], ...]]
"""Release and cluster, and those of others that tell something about it."""

_CHECKED = (
    "for every transaction of {} releases and every private term, the posterior probability given "
    "all overlaps, of clusters and of whole corpora, against r_th times the published rate"
)


def serially_preserving(
    release: Release[Any], claim: SeriallyPreserving, after: Sequence[Release[Any]]
) -> Verdict:
    """Compare the posterior probability of every transaction and term with its bound."""
    earlier = len(release.manifest.notes.get(FOLLOWS, ()))
    if earlier and not after:
        whom = "the earlier release" if earlier == 1 else f"the {earlier} earlier releases"
        needed = f"needs {whom} of the series (--after, oldest first)"
        return Verdict(guarantee=claim, holds=None, checked=needed)
    series = (*after, release)
    follow(series)
    _refuse_other_claims(series, claim)
    contents = [content_of(part, place) for place, part in enumerate(series, start=1)]
    checked = _CHECKED.format(len(series))
    untold = False
    for levels in ([_clustered(part) for part in contents], [_whole(part) for part in contents]):
        for where, holds in _judged(levels, claim):
            untold |= holds is None
            if holds is False:
                return Verdict(guarantee=claim, holds=False, checked=checked, witness=where)
    if untold:
        checked += "; some posteriors were too much to count"
    return Verdict(guarantee=claim, holds=None if untold else True, checked=checked)


def _refuse_other_claims(series: Sequence[Release[Any]], claim: SeriallyPreserving) -> None:
    for place, part in enumerate(series, start=1):
        if not any(
            isinstance(other, SeriallyPreserving) and other.r_th == claim.r_th
            for other in part.guarantees
        ):
            msg = (
                f"all releases of a series must promise the same r_th, {claim.factor}, and release "
                f"{place} does not"
            )
            raise DataError(msg)


@dataclass(frozen=True, eq=False)
class _Level:
    """A release seen as clusters: its own, or one for all."""

    content: Clusters
    cluster: NDArray[np.int64]
    """The cluster of each row."""
    held: "dict[str, NDArray[np.int64]]"
    """For each term that a cluster holds, the copies in every cluster."""

    @cached_property
    def size(self) -> NDArray[np.int64]:
        return np.bincount(self.cluster)

    @cached_property
    def sets(self) -> "pl.DataFrame":
        """How often each non-private set occurs in each cluster."""
        import polars as pl

        items = self.content.tables()["sets"]["items"].list.sort()
        table = pl.DataFrame({"set": items, "cluster": self.cluster})
        return table.group_by("set", "cluster").agg(pl.len().cast(pl.Int64).alias("count"))

    @cached_property
    def kinds(self) -> dict[int, dict[tuple[str, ...], int]]:
        """For each cluster its sets and how often each occurs."""
        kinds: dict[int, dict[tuple[str, ...], int]] = defaultdict(dict)
        for items, cluster, count in self.sets.iter_rows():
            kinds[cluster][tuple(items)] = count
        return kinds

    def copies(self, term: str) -> NDArray[np.int64]:
        return self.held.get(term, np.zeros(len(self.size), dtype=np.int64))


def _clustered(content: Clusters) -> _Level:
    """Return the clusters, each with its copies and its rounded share of the bag."""
    real = content.size - content.counterfeits
    people = max(int(real.sum()), 1)
    held = {}
    for number, term in enumerate(content.terms):
        # half a copy counts as one: floor(x + 1/2)
        copies = (2 * real * content.bag[number] + people) // (2 * people)
        here = (content.private_term == number) & (content.private_cluster != BAG)
        copies[content.private_cluster[here]] += content.private_copies[here]
        if copies.any():
            held[term] = np.minimum(copies, content.size)
    return _Level(content, content.cluster, held)


def _whole(content: Clusters) -> _Level:
    """Return the corpus as one cluster with all copies."""
    totals = zip(content.terms, content.total, strict=True)
    held = {term: np.array([total], dtype=np.int64) for term, total in totals}
    return _Level(content, np.zeros(len(content), dtype=np.int64), held)


def _judged(levels: list[_Level], claim: SeriallyPreserving) -> Iterator[tuple[str, bool | None]]:
    """Yield every cluster and term that other releases tell something about, and the verdict."""
    overlaps = {
        (one, other): _overlaps(levels[one], levels[other])
        for one in range(len(levels))
        for other in range(len(levels))
        if one != other
    }
    meetings = _Meetings(levels)
    for one, level in enumerate(levels):
        for term in level.held:
            if claim.factor * level.content.rate(term) >= 1:
                continue
            for cluster, ranges in _informed(levels, overlaps, one, term).items():
                held = int(level.held[term][cluster])
                cover, places = _cover(meetings, one, cluster, ranges, held)
                bounds = [
                    claim.factor * _rate(levels, one, term, claim, [places[i] for i in place])
                    for place, _ in cover.cells
                ]
                yield f"release {one + 1}, cluster {cluster}: {term}", cover.within(bounds)


def _rate(
    levels: list[_Level], one: int, term: str, claim: SeriallyPreserving, seen: list[list[int]]
) -> Fraction:
    """Return the rate that counts for the members that are seen in other releases too."""
    own = levels[one].content.rate(term)
    earlier = [
        levels[other].content.rate(term) for places in seen for other in places if other < one
    ]
    return own if claim.rate == "own" else max([own, *earlier])


def _overlaps(one: _Level, other: _Level) -> NDArray[np.int64]:
    """Return rows of cluster, other cluster, and the number of sets they share."""
    import polars as pl

    shared = (
        one.sets.join(other.sets, on="set", suffix="_other")
        .group_by("cluster", "cluster_other")
        .agg(pl.min_horizontal("count", "count_other").sum())
    )
    return shared.to_numpy().astype(np.int64).reshape(-1, 3)


def _informed(
    levels: list[_Level], overlaps: "dict[tuple[int, int], NDArray[np.int64]]", one: int, term: str
) -> dict[int, dict[tuple[int, int], Range]]:
    """Return the clusters of which another release limits the copies more than they do."""
    informed: dict[int, dict[tuple[int, int], Range]] = defaultdict(dict)
    here = levels[one]
    for other, there in enumerate(levels):
        if other == one:
            continue
        mine, theirs, shared = overlaps[one, other].T
        held, held_there = here.held[term][mine], there.copies(term)[theirs]
        low = np.maximum(held - (here.size[mine] - shared), 0)
        high = np.minimum(shared, held)
        low_there = np.maximum(held_there - (there.size[theirs] - shared), 0)
        high_there = np.minimum(shared, held_there)
        least, most = np.maximum(low, low_there), np.minimum(high, high_there)
        tells = ((least > low) | (most < high)) & (least <= most) & (held > 0)
        for row in np.flatnonzero(tells):
            place = (other, int(theirs[row]))
            informed[int(mine[row])][place] = (int(least[row]), int(most[row]))
    return informed


@dataclass(frozen=True, eq=False)
class _Meetings:
    """Which members of a cluster stand elsewhere too: asked for each term, worked out once."""

    levels: list[_Level]
    known: "dict[Meeting, tuple[list[int], tuple[Cell, ...]]]" = field(default_factory=dict)

    def cells(self, meeting: "Meeting") -> tuple[list[int], tuple[Cell, ...]]:
        """Return for each place which overlap it is, the same members the same, and the cells."""
        if meeting not in self.known:
            one, cluster, places = meeting
            kinds = self.levels[one].kinds[cluster]
            numbers: dict[tuple[int, ...], int] = {}
            overlap = []
            for other, there in places:
                known = self.levels[other].kinds[there]
                shared = tuple(min(count, known.get(items, 0)) for items, count in kinds.items())
                overlap.append(numbers.setdefault(shared, len(numbers)))
            columns = zip(kinds.values(), zip(*numbers, strict=True), strict=True)
            self.known[meeting] = overlap, cells_of(columns, len(numbers))
        return self.known[meeting]


def _cover(
    meetings: _Meetings, one: int, cluster: int, ranges: dict[tuple[int, int], Range], held: int
) -> tuple[Cover, list[list[int]]]:
    """Return what the overlaps say, those of the same members united, and their releases."""
    overlap, cells = meetings.cells((one, cluster, tuple(ranges)))
    united: dict[int, Range] = {}
    places: dict[int, list[int]] = {}
    for number, ((other, _), (low, high)) in zip(overlap, ranges.items(), strict=True):
        least, most = united.get(number, (low, high))
        both = max(low, least), min(high, most)
        # ranges that exclude each other are not of the same people
        united[number] = both if both[0] <= both[1] else (low, high)
        places.setdefault(number, []).append(other)
    return Cover(held, cells, tuple(united.values())), list(places.values())
