"""Whoever holds all releases of a series learns no more of a private term than r_th allows.

Clusters of two releases that share non-private sets overlap. The copies of a term that can lie in
the overlap are limited by either cluster, so one release can tell something about a cluster of the
other. Every transaction of every release is looked at, at the level of its cluster and of its
whole corpus; the arithmetic is exact.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import BAG, Clusters
from discreet.core.guarantees.clusters import SeriallyPreserving, SPreserving
from discreet.core.lineage import content_of, earlier_missing, follow
from discreet.core.release import Release
from discreet.core.verdict import Verdict
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.verify.joint_worlds import joint_posteriors, people_of
from discreet.verify.posterior import Cell, Limits, Puzzle
from discreet.verify.s_preserving import s_preserving

Ints: TypeAlias = NDArray[np.int64]
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
    if needed := earlier_missing(release, after):
        return Verdict(guarantee=claim, holds=None, checked=needed, needs=("--after",))
    series = (*after, release)
    follow(series)
    _refuse_other_claims(series, claim)
    contents = [content_of(version, index) for index, version in enumerate(series, start=1)]
    checked = _CHECKED.format(len(series))
    if after:
        checked += "; that each earlier release keeps its bound by itself"
    if claim.chains:
        checked += "; and given all clusters of all releases at once"
    if witness := _broken_before(after):
        return Verdict(guarantee=claim, holds=False, checked=checked, witness=witness)
    untold = False
    for where, holds in _all_judged(contents, claim):
        untold |= holds is None
        if holds is False:
            return Verdict(guarantee=claim, holds=False, checked=checked, witness=where)
    if untold:
        checked += "; some posteriors were too much to count"
    return Verdict(guarantee=claim, holds=None if untold else True, checked=checked)


def _all_judged(
    contents: Sequence[Clusters], claim: SeriallyPreserving
) -> Iterator[tuple[str, bool | None]]:
    """Yield whatever is to be checked, and the verdict."""
    kinds = _kinds(contents)
    for seen_as in (_clustered, _as_one):
        yield from _judged(list(map(seen_as, contents, kinds)), claim)
    if claim.chains:
        yield from _chained(list(map(_clustered, contents, kinds)), claim)


def _refuse_other_claims(series: Sequence[Release[Any]], claim: SeriallyPreserving) -> None:
    for index, version in enumerate(series, start=1):
        if not any(
            isinstance(promise, SeriallyPreserving)
            and (promise.r_th, promise.chains) == (claim.r_th, claim.chains)
            for promise in version.guarantees
        ):
            msg = (
                f"all releases of a series must promise the same r_th, {claim.factor}, "
                f"{'with' if claim.chains else 'without'} chains, and release {index} does not"
            )
            raise DataError(msg)


def _broken_before(after: Sequence[Release[Any]]) -> str | None:
    """Find an earlier release whose clusters tell too much by themselves, which it promised not to.

    Comparing takes for granted what a cluster tells alone.
    """
    for number, version in enumerate(after, start=1):
        for promise in version.guarantees:
            if isinstance(promise, SPreserving):
                witness = s_preserving(content_of(version, number), promise).witness
                if witness:
                    return f"release {number}, {witness}"
    return None


@dataclass(frozen=True, eq=False)
class _Level:
    """A release seen as clusters: its own, or one for all."""

    content: Clusters
    cluster: Ints
    """The cluster of each row."""
    kind: Ints
    """The number of each row's non-private set: equal sets alike throughout the series."""
    by_term: dict[str, Ints]
    """For each term that a cluster holds, the copies in every cluster."""

    @cached_property
    def size(self) -> Ints:
        return np.bincount(self.cluster)

    @cached_property
    def rows(self) -> "pl.DataFrame":
        """The rows by cluster and set, each with its number among the equal ones."""
        rows = pl.DataFrame({"cluster": self.cluster, "kind": self.kind}).sort("cluster", "kind")
        return rows.with_columns(nth=pl.int_range(pl.len()).over("cluster", "kind"))

    @cached_property
    def members(self) -> tuple[Ints, Ints, Ints]:
        """Where the rows of each cluster begin, then their sets and numbers among equal ones."""
        starts = np.concatenate([[0], np.cumsum(self.size)])
        return starts, self.rows["kind"].to_numpy(), self.rows["nth"].to_numpy()

    @cached_property
    def counts(self) -> "pl.DataFrame":
        """How often each non-private set occurs in each cluster."""
        return self.rows.group_by("cluster", "kind").agg(pl.len().cast(pl.Int64).alias("count"))

    @cached_property
    def times(self) -> dict[int, dict[int, int]]:
        """For each cluster its sets and how often each occurs."""
        times: dict[int, dict[int, int]] = defaultdict(dict)
        for cluster, kind, count in self.counts.iter_rows():
            times[cluster][kind] = count
        return times

    def copies(self, term: str) -> Ints:
        return self.by_term.get(term, np.zeros(len(self.size), dtype=np.int64))


def _kinds(contents: Sequence[Clusters]) -> list[Ints]:
    """Return for each release the number of each row's set."""
    number: dict[tuple[str, ...], int] = {}
    return [
        np.array(
            [number.setdefault(tuple(sorted(items)), len(number)) for items in content.sets],
            dtype=np.int64,
        )
        for content in contents
    ]


def _clustered(content: Clusters, kind: Ints) -> _Level:
    """Return the clusters, each with its copies and its rounded share of the bag."""
    real = content.size - content.counterfeits
    people = max(int(real.sum()), 1)
    by_term = {}
    for number, term in enumerate(content.terms):
        # half a copy counts as one: floor(x + 1/2)
        copies = (2 * real * content.bag[number] + people) // (2 * people)
        mask = (content.private_term == number) & (content.private_cluster != BAG)
        copies[content.private_cluster[mask]] += content.private_copies[mask]
        if copies.any():
            by_term[term] = np.minimum(copies, content.size)
    return _Level(content, content.cluster, kind, by_term)


def _as_one(content: Clusters, kind: Ints) -> _Level:
    """Return the corpus as one cluster with all copies."""
    totals = zip(content.terms, content.total, strict=True)
    by_term = {term: np.array([total], dtype=np.int64) for term, total in totals}
    return _Level(content, np.zeros(len(content), dtype=np.int64), kind, by_term)


def _judged(levels: list[_Level], claim: SeriallyPreserving) -> Iterator[tuple[str, bool | None]]:
    """Yield every cluster and term that other releases tell something about, and the verdict."""
    overlaps = {
        (one, other): _overlaps(levels[one], levels[other])
        for one, other in permutations(range(len(levels)), 2)
    }
    meetings = _Meetings(levels)
    for one, level in enumerate(levels):
        for term in level.by_term:
            own = level.content.rate(term)
            if claim.factor * own >= 1:
                continue
            rates = [own] * len(levels)
            if claim.rate == "largest":
                rates[:one] = [max(own, past.content.rate(term)) for past in levels[:one]]
            for cluster, ranges in _informed(levels, overlaps, one, term).items():
                copies = int(level.by_term[term][cluster])
                puzzle, told_by = _puzzle(meetings, one, cluster, ranges, copies)
                bounds = [
                    claim.factor
                    * max([own, *(rates[j] for i in cell.overlaps for j in told_by[i])])
                    for cell in puzzle.cells
                ]
                yield f"release {one + 1}, cluster {cluster}: {term}", puzzle.keeps(bounds)


def _chained(levels: list[_Level], claim: SeriallyPreserving) -> Iterator[tuple[str, bool | None]]:
    """Yield people and terms, and whether what all releases tell together keeps the bound."""
    rows = [zip(level.kind.tolist(), level.cluster.tolist(), strict=True) for level in levels]
    people = people_of(rows)
    for term in sorted({term for level in levels for term in level.by_term}):
        rates = [level.content.rate(term) for level in levels]
        if all(claim.factor * rate >= 1 for rate in rates if rate):
            continue
        copies = {
            (release, cluster): count
            for release, level in enumerate(levels)
            for cluster, count in enumerate(level.copies(term).tolist())
            if count
        }
        for who, chance in joint_posteriors(people, copies):
            for release, cluster in who:
                earlier = [rates[i] for i, _ in who if i < release and claim.rate == "largest"]
                # what a cluster says by itself is judged with its exact share of the bag
                alone = Fraction(copies[release, cluster], int(levels[release].size[cluster]))
                bound = max(claim.factor * max([rates[release], *earlier]), alone)
                where = f"release {release + 1}, cluster {cluster}: {term}, by all releases at once"
                yield where, None if chance is None else chance <= bound


def _overlaps(one: _Level, other: _Level) -> Ints:
    """Return rows of cluster, other cluster, and the number of sets they share."""
    shared = (
        one.counts.join(other.counts, on="kind", suffix="_other")
        .group_by("cluster", "cluster_other")
        .agg(pl.min_horizontal("count", "count_other").sum())
        .sort("cluster", "cluster_other")
    )
    return shared.to_numpy().astype(np.int64).reshape(-1, 3)


def _informed(
    levels: list[_Level], overlaps: dict[tuple[int, int], Ints], one: int, term: str
) -> dict[int, dict[tuple[int, int], Limits]]:
    """Return the clusters of which another release limits the copies more than they do."""
    informed: dict[int, dict[tuple[int, int], Limits]] = defaultdict(dict)
    level = levels[one]
    for other, other_level in enumerate(levels):
        if other == one:
            continue
        mine, theirs, shared = overlaps[one, other].T
        copies, other_copies = level.by_term[term][mine], other_level.copies(term)[theirs]
        low = np.maximum(copies - (level.size[mine] - shared), 0)
        high = np.minimum(shared, copies)
        other_low = np.maximum(other_copies - (other_level.size[theirs] - shared), 0)
        other_high = np.minimum(shared, other_copies)
        least, most = np.maximum(low, other_low), np.minimum(high, other_high)
        tells = ((least > low) | (most < high)) & (least <= most) & (copies > 0)
        for row in np.flatnonzero(tells):
            limits = Limits(int(least[row]), int(most[row]))
            informed[int(mine[row])][other, int(theirs[row])] = limits
    return informed


@dataclass(frozen=True, eq=False)
class _Meetings:
    """Which members of a cluster stand elsewhere too: asked for each term, worked out once."""

    levels: list[_Level]
    known: dict[Meeting, tuple[list[int], tuple[Cell, ...]]] = field(default_factory=dict)

    def cells(self, meeting: Meeting) -> tuple[list[int], tuple[Cell, ...]]:
        """Return for each other cluster which overlap it is, the same members the same; the cells.

        Of a set that occurs ``a`` times here and ``b`` times there, the first ``b`` are taken to
        be shared: equal sets cannot be told apart.
        """
        if meeting not in self.known:
            one, cluster, earlier = meeting
            insides = [self._inside(one, cluster, *other) for other in earlier]
            number: dict[tuple[bool, ...], int] = {}
            overlaps = [number.setdefault(inside, len(number)) for inside in insides]
            sizes = Counter(zip(*number, strict=True))
            cells = [
                Cell(frozenset(i for i, inside in enumerate(member) if inside), size)
                for member, size in sizes.items()
            ]
            cells.sort(key=lambda cell: sorted(cell.overlaps))
            self.known[meeting] = overlaps, tuple(cells)
        return self.known[meeting]

    def _inside(self, one: int, cluster: int, other: int, other_cluster: int) -> tuple[bool, ...]:
        """Return for each member of a cluster whether it stands in a cluster elsewhere too."""
        starts, kinds, nths = self.levels[one].members
        rows = slice(starts[cluster], starts[cluster + 1])
        times = self.levels[other].times[other_cluster]
        members = zip(kinds[rows].tolist(), nths[rows].tolist(), strict=True)
        return tuple(nth < times.get(kind, 0) for kind, nth in members)


def _puzzle(
    meetings: _Meetings, one: int, cluster: int, ranges: dict[tuple[int, int], Limits], copies: int
) -> tuple[Puzzle, list[list[int]]]:
    """Return what the overlaps say, those of the same members united, and their releases."""
    overlaps, cells = meetings.cells((one, cluster, tuple(ranges)))
    united: dict[int, Limits] = {}
    told_by: dict[int, list[int]] = {}
    for overlap, ((other, _), limits) in zip(overlaps, ranges.items(), strict=True):
        before = united.get(overlap, limits)
        both = Limits(max(limits.low, before.low), min(limits.high, before.high))
        # ranges that exclude each other are not of the same people
        united[overlap] = both if both.low <= both.high else limits
        told_by.setdefault(overlap, []).append(other)
    return Puzzle(copies, cells, tuple(united.values())), list(told_by.values())
