"""Posteriors from overlaps equal the enumeration of every way to hand out the copies."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.clusters import Clusters
from discreet.series.evidence.joint_evidence import (
    Grouping,
    Posteriors,
    Series,
    cover_of,
    derived,
    judged,
)

SETS = [["a"], ["b"], ["a", "b"], ["c"], []]
TERMS = ("p", "q")


@st.composite
def releases(draw: st.DrawFn) -> Clusters:
    """Return a small release: clusters of people over few sets, so that many sets are equal."""
    clusters = []
    for _ in range(draw(st.integers(1, 3))):
        rows = draw(st.lists(st.sampled_from(SETS), min_size=1, max_size=5))
        held = {term: draw(st.integers(0, len(rows))) for term in TERMS}
        clusters.append((rows, {term: many for term, many in held.items() if many}))
    bag = {term: draw(st.integers(0, 2)) for term in TERMS}
    return Clusters.of(
        clusters,
        bag={term: many for term, many in bag.items() if many},
        rates=dict.fromkeys(TERMS, Fraction(1, 5)),
    )


def held_in(one: Clusters, cluster: int) -> Counter[str]:
    """Return the copies of a cluster with its share of the bag, rounded half up."""
    counts = Counter(one.copies(cluster))
    for term, bag in one.copies(-1).items():
        counts[term] += int(Fraction(int(one.size[cluster]) * bag, len(one)) + Fraction(1, 2))
    return Counter({term: min(many, int(one.size[cluster])) for term, many in counts.items()})


def rows_of(one: Clusters, cluster: int) -> list[tuple[str, ...]]:
    return [one.sets[int(row)] for row in np.flatnonzero(one.cluster == cluster)]


def copies_of(rows: list[tuple[str, ...]]) -> list[tuple[tuple[str, ...], int]]:
    """Number equal sets: the first, the second, ..."""
    seen: Counter[tuple[str, ...]] = Counter()
    named = []
    for row in rows:
        named.append((row, seen[row]))
        seen[row] += 1
    return named


def ranges(series: list[Clusters], number: int, cluster: int, term: str):
    """Yield members and range of each overlap, one by one, as the definitions read."""
    one = series[number]
    rows = rows_of(one, cluster)
    ns = held_in(one, cluster)[term]
    for other_number, other in enumerate(series):
        for rival in range(other.count) if other_number != number else ():
            theirs = rows_of(other, rival)
            common = Counter(rows) & Counter(theirs)
            o = sum(common.values())
            if not o:
                continue
            n, m, ms = len(rows), len(theirs), held_in(other, rival)[term]
            low = max(ns - (n - o), 0, ms - (m - o))
            high = min(o, ns, ms)
            if low <= high:
                members = frozenset(
                    (row, copy) for row, copy in copies_of(rows) if copy < common[row]
                )
                yield members, low, high


def telling(series: list[Clusters], number: int, cluster: int, term: str) -> bool:
    """Whether any overlap says more than the cluster itself."""
    n, ns = len(rows_of(series[number], cluster)), held_in(series[number], cluster)[term]
    return any(
        (low, high) != (max(ns - (n - len(members)), 0), min(len(members), ns))
        for members, low, high in ranges(series, number, cluster, term)
    )


def exact_prior(one: Clusters, cluster: int, term: str) -> Fraction:
    """Return the prior with the exact share of the bag."""
    size = int(one.size[cluster])
    share = Fraction(size * one.copies(-1).get(term, 0), len(one))
    return min(Fraction(1), (one.copies(cluster).get(term, 0) + share) / size)


def enumerated(series: list[Clusters], number: int, cluster: int, term: str):
    """Return for each set the largest and the mean posterior, by trying everything."""
    rows = rows_of(series[number], cluster)
    if not telling(series, number, cluster, term):
        return dict.fromkeys(rows, (exact_prior(series[number], cluster, term),) * 2)
    named = copies_of(rows)
    ns = held_in(series[number], cluster)[term]
    told: dict[frozenset, tuple[int, int]] = {}
    for members, low, high in ranges(series, number, cluster, term):
        old = told.get(members, (0, len(rows)))
        told[members] = (max(low, old[0]), min(high, old[1]))
    told = {members: ends for members, ends in told.items() if ends[0] <= ends[1]}
    good = [
        set(way)
        for way in combinations(named, ns)
        if all(low <= len(members & set(way)) <= high for members, (low, high) in told.items())
    ]
    chance = {
        row: Fraction(sum(row in way for way in good), len(good))
        if good
        else Fraction(ns, len(rows))
        for row in named
    }
    found = {}
    for row in set(rows):
        each = [chance[name] for name in named if name[0] == row]
        found[row] = (max(each), sum(each) / len(each))
    return found


def looked_up(series: Series, groups: Grouping, told: Posteriors):
    """Yield release, cluster, term, set and the readings of each posterior."""
    names = {}
    for number, part in enumerate(series.numbers):
        for row, which in enumerate(part.tolist()):
            names[which] = series.releases[number].sets[row]
    places, slots = told.positions(groups), told.slot()
    for at, (place, slot) in enumerate(zip(places.tolist(), slots.tolist(), strict=True)):
        owner = int(groups.owner[place])
        number = int(groups.release[owner])
        key = (
            number,
            owner - int(series.first[number]),
            series.terms[groups.terms[slot]],
            names[int(groups.sets[place])],
        )
        yield key, (told.paper[at], told.merged[at], told.exact[at], told.mean[at])


@given(st.lists(releases(), min_size=2, max_size=3))
@settings(max_examples=120)
def test_the_exact_posterior_is_the_enumeration(contents: list[Clusters]) -> None:
    series = Series(tuple(contents))
    groups = series.clusters
    told = judged(groups, cover_of(groups))
    assert told.uncounted == 0
    seen = set()
    for (number, cluster, term, row), (_, _, exact, mean) in looked_up(series, groups, told):
        worst, typical = enumerated(contents, number, cluster, term)[row]
        assert exact == pytest.approx(float(worst), abs=1e-9)
        assert mean == pytest.approx(float(typical), abs=1e-9)
        seen.add((number, cluster, term))
    wanted = {
        (number, cluster, term)
        for number, one in enumerate(contents)
        for cluster in range(one.count)
        for term in TERMS
        if held_in(one, cluster)[term]
    }
    assert seen == wanted


def binomial(n: int, k: int) -> int:
    return comb(n, k) if 0 <= k <= n else 0


def printed(ns: int, n: int, o: int, low: int, high: int, z: int) -> tuple[Fraction, Fraction]:
    """Return formulas 13 and 14 as printed."""
    below = binomial(n - 1, o - z)
    if not below:
        return Fraction(0), Fraction(0)
    having = sum(binomial(ns - 1, r - z) * binomial(n - ns, o - r) for r in range(low, high + 1))
    lacking = sum(binomial(ns, r) * binomial(n - ns - 1, o - r - z) for r in range(low, high + 1))
    return Fraction(having, below), Fraction(lacking, below)


@given(st.lists(releases(), min_size=2, max_size=3))
@settings(max_examples=120)
def test_the_papers_posterior_is_formula_12(contents: list[Clusters]) -> None:
    series = Series(tuple(contents))
    groups = series.clusters
    told = judged(groups, cover_of(groups))
    for (number, cluster, term, row), (paper, _, _, _) in looked_up(series, groups, told):
        rows = rows_of(contents[number], cluster)
        n, ns = len(rows), held_in(contents[number], cluster)[term]
        if not telling(contents, number, cluster, term):
            assert paper == pytest.approx(float(exact_prior(contents[number], cluster, term)))
            continue
        having, lacking = Fraction(ns, n), 1 - Fraction(ns, n)
        for members, low, high in ranges(contents, number, cluster, term):
            inside = sum(name[0] == row for name in members)
            ways = [1] * (inside > 0) + [0] * (inside < rows.count(row))
            one, two = max(
                (printed(ns, n, len(members), low, high, z) for z in ways),
                key=lambda pair: pair[0] / (pair[0] + pair[1]) if sum(pair) else Fraction(-1),
            )
            having, lacking = having * one, lacking * two
        both = having + lacking
        wanted = having / both if both else Fraction(ns, n)
        assert paper == pytest.approx(float(wanted), abs=1e-9)


@given(releases(), st.integers(2, 3))
@settings(max_examples=60)
def test_the_same_release_again_tells_nothing(one: Clusters, times: int) -> None:
    series = Series((one,) * times)
    unique, _ = series.clusters.linking()
    for groups in (unique, series.corpora[0]):
        told = judged(groups, cover_of(groups))
        prior = groups.prior[told.slot()]
        for reading in (told.paper, told.merged, told.exact, told.mean):
            assert np.allclose(reading, prior)
    assert len(derived(unique, cover_of(unique)).slot) == 0


@given(st.lists(releases(), min_size=2, max_size=3))
@settings(max_examples=60)
def test_a_corpus_as_a_whole_is_one_cluster(contents: list[Clusters]) -> None:
    whole = []
    for one in contents:
        held = {term: min(len(one), int(one.total[at])) for at, term in enumerate(one.terms)}
        held = {term: many for term, many in held.items() if many}
        rates = dict.fromkeys(TERMS, Fraction(1, 5))
        whole.append(Clusters.of([(list(one.sets), held)], rates=rates))
    series = Series(tuple(contents))
    groups, kind = series.corpora
    told = judged(groups, cover_of(groups))
    found = dict.fromkeys(range(0))
    for place, slot, worst in zip(told.positions(groups), told.slot(), told.exact, strict=True):
        found[int(groups.owner[place]), int(groups.terms[slot]), int(groups.sets[place])] = worst
    for number, one in enumerate(whole):
        for place, term in enumerate(series.terms):
            if not held_in(one, 0)[term]:
                continue
            wanted = enumerated(whole, number, 0, term)
            for row, which in enumerate(series.numbers[number].tolist()):
                name = series.releases[number].sets[row]
                assert found[number, place, int(kind[which])] == pytest.approx(
                    float(wanted[name][0]), abs=1e-9
                )


def test_too_many_ways_are_not_counted_and_it_is_said() -> None:
    people = [[f"x{number}"] for number in range(40)]
    first = Clusters.of([(people, {"p": 12})])
    second = Clusters.of([(people[:20], {"p": 5}), (people[20:30], {"p": 1}), (people[30:], {})])
    third = Clusters.of([(people[10:25], {"p": 4}), (people[25:35], {"p": 6})])
    groups = Series((first, second, third)).clusters
    cover = cover_of(groups)
    assert judged(groups, cover, effort=10).uncounted > 0
    assert judged(groups, cover, effort=10**7).uncounted == 0
