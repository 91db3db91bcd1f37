"""What all clusters of all releases say together, by counting the worlds that fit them.

In a world a person holds a term or does not, the same in every release, and every cluster has as
many holders among its members as it counts copies. The posterior of a person is the number of
worlds in which that person is a holder over the number of all worlds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TypeAlias

Cluster: TypeAlias = tuple[int, int]
"""A release and one of its clusters."""
People: TypeAlias = Mapping[frozenset[Cluster], int]
"""How many people are in exactly these clusters."""
Kinds: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]

MOST_STATES = 200_000
"""Partly filled worlds that are looked at before the counting of a component is given up."""


def people_of(rows: Sequence[Iterable[tuple[int, int]]]) -> People:
    """Return who is where; ``rows`` are set and cluster of each row of each release.

    The first, second, ... of equal sets is the same person in every release. A set that is in
    several clusters of one release says of nobody who is where.
    """
    met: dict[int, list[list[Cluster]]] = defaultdict(list)
    for release, pairs in enumerate(rows):
        clusters_of: dict[int, list[Cluster]] = defaultdict(list)
        for kind, cluster in pairs:
            clusters_of[kind].append((release, cluster))
        for kind, clusters in clusters_of.items():
            met[kind].append(clusters)
    people: Counter[frozenset[Cluster]] = Counter()
    for by_release in met.values():
        if any(len(set(clusters)) > 1 for clusters in by_release):
            people.update(frozenset({cluster}) for clusters in by_release for cluster in clusters)
            continue
        for nth in range(max(map(len, by_release))):
            people[frozenset(clusters[nth] for clusters in by_release if nth < len(clusters))] += 1
    return people


def joint_posteriors(
    people: People, copies: Mapping[Cluster, int]
) -> Iterator[tuple[frozenset[Cluster], Fraction | None]]:
    """Yield who may hold the term, and the posterior; None where there is too much to count.

    Nothing is said of people whom no world fits: not all equal sets are the same people there.
    """
    free = [who for who in people if all(copies.get(cluster, 0) for cluster in who)]
    for group in _connected(free):
        number = {c: index for index, c in enumerate(sorted({c for who in group for c in who}))}
        kinds = tuple((tuple(sorted(number[c] for c in who)), people[who]) for who in group)
        totals = tuple(copies[cluster] for cluster in number)
        for who, chance in zip(group, _chances(kinds, totals), strict=True):
            if chance != -1:
                yield who, chance


def _connected(people: Sequence[frozenset[Cluster]]) -> list[list[frozenset[Cluster]]]:
    """Return people in groups that share no cluster."""
    group_of: dict[Cluster, set[frozenset[Cluster]]] = {}
    for who in people:
        together = {who}
        for cluster in who:
            together |= group_of.get(cluster, set())
        for member in together:
            for cluster in member:
                group_of[cluster] = together
    groups = {id(group): group for group in group_of.values()}
    return [sorted(group, key=lambda who: (min(who), sorted(who))) for group in groups.values()]


@lru_cache(maxsize=1 << 15)
def _chances(kinds: Kinds, totals: tuple[int, ...]) -> tuple[Fraction | None, ...]:
    """Return for each kind the posterior, -1 where no world fits."""
    worlds = _count_worlds(kinds, totals)
    if worlds is None:
        return (None,) * len(kinds)
    if worlds == 0:
        return (Fraction(-1),) * len(kinds)
    chances: list[Fraction | None] = []
    for number, (clusters, size) in enumerate(kinds):
        # one of them holds the term: the others share what is left
        remaining = (*kinds[:number], (clusters, size - 1), *kinds[number + 1 :])
        left = tuple(copies - (index in clusters) for index, copies in enumerate(totals))
        holding = _count_worlds(remaining, left)
        chances.append(None if holding is None else Fraction(holding, worlds))
    return tuple(chances)


class _TooManyError(Exception):
    """There is too much to count."""


def _count_worlds(kinds: Kinds, totals: tuple[int, ...]) -> int | None:
    """Count the ways to choose holders so that every cluster has as many as it counts."""
    room = [[0] * len(totals)]
    for clusters, size in reversed(kinds):
        room.append([n + size * (index in clusters) for index, n in enumerate(room[-1])])
    room.reverse()
    known: dict[tuple[int, tuple[int, ...]], int] = {}

    def count_from(first: int, left: tuple[int, ...]) -> int:
        if any(not 0 <= copies <= most for copies, most in zip(left, room[first], strict=True)):
            return 0
        if first == len(kinds):
            return 1
        if (first, left) not in known:
            if len(known) >= MOST_STATES:
                raise _TooManyError
            clusters, size = kinds[first]
            known[first, left] = sum(
                comb(size, n)
                * count_from(first + 1, tuple(c - n * (p in clusters) for p, c in enumerate(left)))
                for n in range(min([size, *(left[index] for index in clusters)]) + 1)
            )
        return known[first, left]

    try:
        return count_from(0, totals)
    except _TooManyError:
        return None
