"""Verifiers of clusters against brute force, and the series they refuse."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Release, verify
from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import SeriallyPreserving, SPreserving, TermDiversity
from discreet.core.lineage import fingerprint
from discreet.core.release import Manifest
from discreet.errors import DataError


def claiming(content: Clusters, follows: list[str], *claims: Any) -> Release[Clusters]:
    manifest = Manifest(method="sanony", parameters={}, randomness="none", follows=tuple(follows))
    return Release(content, claims, manifest)


def series(*contents: Clusters, r_th: int | Fraction = 2) -> tuple[Release[Clusters], ...]:
    """Releases that claim to be of one series."""
    told = [fingerprint(content) for content in contents]
    return tuple(
        claiming(content, told[:place], SeriallyPreserving(r_th=r_th))
        for place, content in enumerate(contents)
    )


SETS = st.sampled_from([("a",), ("b",), ("a", "b"), ("c",), ()])
CLUSTER = st.lists(SETS, min_size=1, max_size=4)
CORPUS = st.lists(
    CLUSTER.flatmap(
        lambda sets: st.tuples(st.just(sets), st.integers(0, len(sets)), st.integers(0, 1))
    ),
    min_size=1,
    max_size=3,
)


def clusters(corpus: list[tuple[list[tuple[str, ...]], int, int]]) -> Clusters:
    parts = [(sets, {"s": held} if held else {}) for sets, held, _ in corpus]
    bag = {"s": count} if (count := sum(extra for _, _, extra in corpus)) else {}
    return Clusters.of(parts, bag=bag)


@given(corpus=CORPUS, factor=st.fractions(1, 4, max_denominator=3))
def test_s_preserving_is_the_definition(corpus: Any, factor: Fraction) -> None:
    held = sum(h for _, h, _ in corpus)
    people = sum(len(sets) for sets, _, _ in corpus)
    bag = sum(extra for _, _, extra in corpus)
    assume(held + bag <= people)
    content = clusters(corpus)
    rate = Fraction(held + bag, people)
    expected = all(
        (copies + Fraction(len(sets) * bag, people)) / len(sets) <= factor * rate
        for sets, copies, _ in corpus
    )
    verdict = verify(claiming(content, [], SPreserving(r_th=factor)))
    assert verdict.holds is expected


@given(corpus=CORPUS, factor=st.integers(1, 4))
def test_term_diversity_is_the_definition(corpus: Any, factor: int) -> None:
    assume(sum(h + extra for _, h, extra in corpus) <= sum(len(sets) for sets, _, _ in corpus))
    expected = all(copies * factor <= len(sets) for sets, copies, _ in corpus)
    assert verify(claiming(clusters(corpus), [], TermDiversity(l=factor))).holds is expected


Crowd: TypeAlias = tuple[list[tuple[str, ...]], int]
"""Sets that stand together, and the copies of s among them."""


def crowds(corpus: Any, *, whole: bool) -> list[Crowd]:
    """The clusters, each with its share of the bag, or the corpus as one cluster."""
    people = [items for sets, _, _ in corpus for items in sets]
    bag = sum(extra for _, _, extra in corpus)
    if whole:
        return [(people, sum(held for _, held, _ in corpus) + bag)]
    parts = []
    for sets, held, _ in corpus:
        share = int(Fraction(len(sets) * bag, len(people)) + Fraction(1, 2))
        parts.append((sets, min(held + share, len(sets))))
    return parts


def telling(mine: Crowd, other: Crowd) -> tuple[list[int], int, int] | None:
    """The members that both have, and how many copies these hold; None if that is no news."""
    (sets, held), (there, copies) = mine, other
    left, inside = list(there), []
    for place, items in enumerate(sets):
        if items in left:
            left.remove(items)
            inside.append(place)
    own = max(held - (len(sets) - len(inside)), 0), min(len(inside), held)
    low, high = max(own[0], copies - (len(there) - len(inside))), min(own[1], copies)
    return (inside, low, high) if low <= high and (low, high) != own else None


def worst(mine: Crowd, told: list[tuple[list[int], int, int]]) -> Fraction:
    """The largest posterior of a member, by trying all ways to hand out the copies."""
    sets, held = mine
    hits, ways = [0] * len(sets), 0
    for holders in combinations(range(len(sets)), held):
        if all(low <= len({*holders} & {*inside}) <= high for inside, low, high in told):
            ways += 1
            for holder in holders:
                hits[holder] += 1
    assume(ways)
    return Fraction(max(hits), ways)


@settings(deadline=None)
@given(corpora=st.lists(CORPUS, min_size=2, max_size=3), r_th=st.fractions(1, 3, max_denominator=3))
def test_serially_preserving_is_the_definition(corpora: Any, r_th: Fraction) -> None:
    for [(everyone, copies)] in (crowds(corpus, whole=True) for corpus in corpora):
        assume(copies <= len(everyone))
    broken = False
    for place, whole in product(range(len(corpora)), (False, True)):
        corpus, others = corpora[place], corpora[:place] + corpora[place + 1 :]
        [(everyone, copies)] = crowds(corpus, whole=True)
        for mine in crowds(corpus, whole=whole):
            news = [telling(mine, crowd) for each in others for crowd in crowds(each, whole=whole)]
            told = [each for each in news if each is not None]
            broken |= bool(told) and worst(mine, told) > r_th * Fraction(copies, len(everyone))
    *after, last = series(*map(clusters, corpora), r_th=r_th)
    assert verify(last, after=after).holds is not broken


def test_the_same_again_tells_nothing() -> None:
    content = Clusters.of([([["a"], ["b"]], ["s"]), ([["c"], ["d"]], [])])
    one, two = series(content, content)
    assert verify(two, after=[one]).holds is True


def test_an_attack_through_a_later_release_is_seen() -> None:
    first = Clusters.of([([["a"], ["b"]], ["s"]), ([["c"], ["d"], ["e"], ["f"]], [])])
    second = Clusters.of([([["b"], ["x"]], []), ([["y"], ["z"]], ["s"])])
    one, two = series(first, second)
    verdicts = verify(two, after=[one])
    assert verdicts.holds is False
    assert verdicts.witness == "release 1, cluster 0: s"


def test_the_largest_rate_is_that_of_any_earlier_release_that_told_of_the_same_people() -> None:
    both = [["a"], ["b"]]
    parts = (
        Clusters.of([(both, ["s"]), ([[f"e{n}"] for n in range(8)], [])]),
        Clusters.of([(both, ["s"]), ([["f"], ["g"]], ["s"])]),
        Clusters.of([([*both, ["c"]], ["s"]), ([[f"h{n}"] for n in range(7)], [])]),
    )
    told = [fingerprint(part) for part in parts]
    for rate, holds in (("largest", True), ("own", False)):
        claim = SeriallyPreserving(r_th=2, rate=rate)  # type: ignore[arg-type]
        one, two, three = (claiming(part, told[:n], claim) for n, part in enumerate(parts))
        assert verify(three, after=[one, two]).holds is holds


def contents() -> tuple[Clusters, Clusters, Clusters]:
    return (
        Clusters.of([([["a"], ["b"]], ["s"])]),
        Clusters.of([([["a"], ["b"], ["c"]], ["s"])]),
        Clusters.of([([["a"], ["d"]], ["s"])]),
    )


def refused(releases: Sequence[Release[Any]], words: str) -> None:
    with pytest.raises(DataError, match=words):
        verify(releases[-1], after=releases[:-1])


def test_without_the_earlier_releases_it_cannot_be_told() -> None:
    _, two, _ = series(*contents())
    assert verify(two).holds is None


def test_a_wrong_order_a_gap_and_a_change_are_refused() -> None:
    one, two, three = series(*contents())
    refused([two, one, three], "must follow 0 others, but it was made after 1")
    refused([one, three], "must follow 1 others, but it was made after 2")
    changed = claiming(Clusters.of([([["a"], ["b"]], ["t"])]), [], SeriallyPreserving(r_th=2))
    refused([changed, two], "another release 1 than this one")


def test_another_r_th_is_refused() -> None:
    one, two, _ = contents()
    mixed = (series(one, two, r_th=3)[0], series(one, two)[1])
    refused(mixed, "must promise the same r_th")


def test_a_release_that_was_not_made_to_be_followed_is_refused() -> None:
    one, two, _ = contents()
    alone = Release(one, (), Manifest(method="anony", parameters={}, randomness="none"))
    refused((alone, series(one, two)[1]), "begin the series with sanony")


def test_rates_of_different_populations_are_seen() -> None:
    content = Clusters.of(
        [([["a"], ["b"]], ["s", "t"])], rates={"s": Fraction(1, 2), "t": Fraction(1)}
    )
    verdict = verify(claiming(content, [], SPreserving(r_th=9)))
    assert verdict.witness == "the published rates are not rates of one population"
