"""Verifiers of clusters against brute force, and the series they refuse."""

import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Release, Transactions, verify
from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import SeriallyPreserving, SPreserving
from discreet.core.lineage import fingerprint
from discreet.errors import DataError
from discreet.verify.joint_worlds import joint_posteriors
from discreet.verify.posterior import Puzzle
from tests.releases import as_released
from tests.series.evidence.test_joint_worlds import enumerated, persons


def claiming(content: Clusters, follows: list[str], *claims: Any) -> Release[Clusters]:
    return as_released(content, *claims, method="sanony", follows=tuple(follows))


def series(
    *contents: Clusters, r_th: int | Fraction = 2, chains: bool = False
) -> tuple[Release[Clusters], ...]:
    """Releases that claim to be of one series."""
    told = [fingerprint(content) for content in contents]
    return tuple(
        claiming(content, told[:place], SeriallyPreserving(r_th=r_th, chains=chains))
        for place, content in enumerate(contents)
    )


SETS = st.sampled_from([("a",), ("b",), ("a", "b"), ("c",), ()])
CLUSTER = st.tuples(st.lists(SETS, min_size=1, max_size=4), st.integers(0, 4), st.integers(0, 2))
CORPUS = st.lists(
    CLUSTER.map(
        lambda part: (part[0], min(part[1], n := len(part[0])), min(part[2], max(n - part[1], 0)))
    ),
    min_size=1,
    max_size=2,
)
"""Clusters: the sets, the copies of s among them, and those that they give to the bag."""


def clusters(corpus: list[tuple[list[tuple[str, ...]], int, int]]) -> Clusters:
    parts = [(sets, {"s": held} if held else {}) for sets, held, _ in corpus]
    bag = {"s": count} if (count := sum(extra for _, _, extra in corpus)) else {}
    return Clusters.of(parts, bag=bag)


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


def least_factor(corpora: Any) -> Fraction:
    """The smallest r_th that direct comparison keeps."""
    least = Fraction(1)
    for place, whole in product(range(len(corpora)), (False, True)):
        corpus, others = corpora[place], corpora[:place] + corpora[place + 1 :]
        [(everyone, copies)] = crowds(corpus, whole=True)
        assume(copies <= len(everyone))
        for mine in crowds(corpus, whole=whole):
            news = [telling(mine, crowd) for each in others for crowd in crowds(each, whole=whole)]
            told = [each for each in news if each is not None]
            if told:
                least = max(least, worst(mine, told) / Fraction(copies, len(everyone)))
    return least


@settings(max_examples=30)
@given(corpora=st.lists(CORPUS, min_size=2, max_size=3))
def test_serially_preserving_turns_at_the_worst_posterior(corpora: Any) -> None:
    least = least_factor(corpora)
    *after, last = series(*map(clusters, corpora), r_th=least)
    # where no term is left in the last, everybody's whole set is
    beside = Transactions.of(last.content.sets)
    assert verify(last, after=after, against=beside).holds is True
    assume(least > 1)
    *after, last = series(*map(clusters, corpora), r_th=least - Fraction(1, 10**9))
    assert verify(last, after=after).holds is False


@settings(max_examples=30)
@given(corpora=st.lists(CORPUS, min_size=2, max_size=3))
def test_with_chains_it_turns_at_the_worst_posterior_of_all_releases_together(corpora: Any) -> None:
    corpora = [[(sets, held, 0) for sets, held, _ in corpus] for corpus in corpora]
    rows = [
        [(hash(items), number) for number, (sets, _, _) in enumerate(corpus) for items in sets]
        for corpus in corpora
    ]
    copies = {
        (release, number): held
        for release, corpus in enumerate(corpora)
        for number, (_, held, _) in enumerate(corpus)
    }
    rates = [
        Fraction(sum(h for _, h, _ in each), len(row))
        for each, row in zip(corpora, rows, strict=True)
    ]
    assume(len(persons(rows)) < 11)
    chances = enumerated(rows, copies)
    assume(chances is not None)
    least = least_factor(corpora)
    for who, chance in (chances or {}).items():
        for release, cluster in who:
            size = len(corpora[release][cluster][0])
            if chance > Fraction(copies[release, cluster], size):
                least = max(least, chance / rates[release])
    for r_th, holds in ((least, True), (least - Fraction(1, 10**9), False)):
        assume(r_th >= 1)
        *after, last = series(*map(clusters, corpora), r_th=r_th, chains=True)
        beside = Transactions.of(last.content.sets)
        assert verify(last, after=after, against=beside).holds is holds


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
        claim = SeriallyPreserving(r_th=2, rate=rate)
        one, two, three = (claiming(part, told[:n], claim) for n, part in enumerate(parts))
        assert verify(three, after=[one, two]).holds is holds


@pytest.mark.parametrize(("rate", "holds"), [("largest", True), ("own", False)])
def test_what_only_all_releases_together_tell_has_the_largest_rate_too(
    rate: Any, holds: bool
) -> None:
    """One of a and b, one of b and c, and one of a, c and d: so b and d hold it for sure."""
    parts = (
        Clusters.of([([["a"], ["b"]], ["s"])]),
        Clusters.of([([["b"], ["c"]], ["s"]), ([["f"], ["g"]], [])]),
        Clusters.of([([["a"], ["c"], ["d"]], ["s"]), ([["h"]], ["s"])]),
    )
    told = [fingerprint(part) for part in parts]
    for chains, expected in ((True, holds), (False, True)):
        claim = SeriallyPreserving(r_th=2, rate=rate, chains=chains)
        *after, last = (claiming(part, told[:n], claim) for n, part in enumerate(parts))
        verdict = verify(last, after=after)
        assert verdict.holds is expected
    claim = SeriallyPreserving(r_th=2, rate=rate, chains=True)
    backwards = parts[1], parts[0], parts[2]
    told = [fingerprint(part) for part in backwards]
    *after, last = (claiming(part, told[:n], claim) for n, part in enumerate(backwards))
    verdict = verify(last, after=after)
    assert verdict.witness == "release 1, cluster 0: s, by all releases at once"


def test_two_releases_can_say_together_how_many_copies_an_overlap_holds() -> None:
    # a and b hold one copy at least, by the second, and one at most, by the third
    parts = (
        Clusters.of([([[name] for name in "abcd"], {"s": 2}), ([["m"], ["n"]], [])]),
        Clusters.of([([[name] for name in "abxy"], {"s": 3})]),
        Clusters.of([([[name] for name in "abzw"], ["s"]), ([["u"], ["v"]], {"s": 2})]),
    )
    for r_th, holds in ((Fraction(5, 3), True), (Fraction(3, 2), False)):
        *after, last = series(*parts, r_th=r_th)
        assert verify(last, after=after).holds is holds


def test_counterfeits_have_no_share_of_the_bag() -> None:
    # one of the two copies in the bag is of a, b, x and y, two of whom are nobody
    first = Clusters.of([([[name] for name in "abcd"], {"s": 2})])
    names = [[name] for name in "abxy"]
    second = Clusters.of([(names, []), ([["e"], ["f"]], [])], bag={"s": 2}, counterfeits=[2, 0])
    for r_th, holds in ((Fraction(6, 5), True), (Fraction(119, 100), False)):
        one, two = series(first, second, r_th=r_th)
        assert verify(two, after=[one]).holds is holds


def test_where_anything_is_allowed_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    for counting in (joint_posteriors, Puzzle):
        monkeypatch.setattr(sys.modules[counting.__module__], "MOST_STATES", 0)
    first = Clusters.of([([["p"], ["q"]], ["s"])])
    second = Clusters.of([([["q"], ["x"], ["y"]], {"s": 2}), ([["z"]], [])])
    for r_th, holds in ((2, True), (Fraction(19, 10), None)):
        one, two = series(first, second, r_th=r_th, chains=True)
        assert verify(two, after=[one]).holds is holds


def contents() -> tuple[Clusters, Clusters, Clusters]:
    return (
        Clusters.of([([["a"], ["b"]], ["s"])]),
        Clusters.of([([["a"], ["b"], ["c"]], ["s"])]),
        Clusters.of([([["a"], ["d"]], ["s"])]),
    )


def refused(releases: Sequence[Release[Any]], words: str) -> None:
    with pytest.raises(DataError, match=words):
        verify(releases[-1], after=releases[:-1])


def test_an_earlier_release_that_tells_too_much_alone_breaks_the_series() -> None:
    # nobody of the first is in the second, so comparing them tells nothing
    crowded = Clusters.of([([["a"], ["b"]], {"s": 2}), ([["c"]] * 6, {})])
    later = Clusters.of([([["d"], ["e"]], {"s": 1})])
    claims = SPreserving(r_th=2), SeriallyPreserving(r_th=2)
    one = claiming(crowded, [], *claims)
    two = claiming(later, [fingerprint(crowded)], *claims)
    assert verify(one).holds is False
    alone, serial = verify(two, after=[one]).parts
    assert alone.holds is True
    assert serial.holds is False
    assert serial.witness == (
        "release 1, cluster 0: s is more than r_th times as frequent as anywhere"
    )


def test_without_the_earlier_releases_it_cannot_be_told() -> None:
    _, two, three = series(*contents())
    for release, whom in ((two, "the earlier release"), (three, "the 2 earlier releases")):
        (part,) = verify(release).parts
        assert (part.holds, part.needs) == (None, ("--after",))
        assert part.checked == f"needs {whom} of the series (--after, oldest first)"


def test_a_wrong_order_a_gap_and_a_change_are_refused() -> None:
    one, two, three = series(*contents())
    refused([two, one, three], "must follow 0 others, but it was made after 1")
    refused([one, three], "must follow 1 others, but it was made after 2")
    changed = claiming(Clusters.of([([["a"], ["b"]], ["t"])]), [], SeriallyPreserving(r_th=2))
    refused([changed, two], "another release 1 than this one")


def test_another_r_th_is_refused() -> None:
    one, two, _ = contents()
    mixed = (series(one, two, r_th=3)[0], series(one, two)[1])
    refused(mixed, "must promise the same r_th, 2, without chains, and release 1 does not")


def test_a_release_that_was_not_made_to_be_followed_is_refused() -> None:
    one, two, _ = contents()
    alone = as_released(one, method="anony")
    refused((alone, series(one, two)[1]), "begin the series with sanony")


def test_chains_that_are_too_much_to_count_are_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = [[f"n{number}"] for number in range(11)]
    first = Clusters.of([(sets[:6], {"s": 2}), (sets[6:], {"s": 1})])
    second = Clusters.of([(sets[:5], {"s": 2}), (sets[5:], {"s": 1})])
    one, two = series(first, second, r_th=3, chains=True)
    monkeypatch.setattr(sys.modules[joint_posteriors.__module__], "MOST_STATES", 0)
    (part,) = verify(two, after=[one]).parts
    assert part.holds is None
    assert part.checked.endswith("at once; some posteriors were too much to count")
