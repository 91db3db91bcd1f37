"""Rates of private terms in clusters: the verdict turns at the worst of them, by fractions."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet import verify
from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import SPreserving, TermDiversity
from discreet.verify.s_preserving import s_preserving
from tests.verify.test_series import claiming

GROUPS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(0, 3), st.integers(0, 3), st.integers(0, 1)),
    min_size=1,
    max_size=3,
).map(lambda parts: [(n + fake, min(s, n), min(t, n), fake) for n, s, t, fake in parts])
"""For each cluster its size, the copies of two terms, and how many of it are counterfeits."""

FOLLOWS = ["a release before"]
"""Only a release that follows others has a reason for counterfeits."""


def grouped(parts: Any, bag: dict[str, int]) -> Clusters:
    return Clusters.of(
        [([["a"]] * size, +Counter(s=s, t=t)) for size, s, t, _ in parts],
        bag=+Counter(bag),
        counterfeits=[fake for *_, fake in parts],
    )


@given(parts=GROUPS, bag=st.fixed_dictionaries({"s": st.integers(0, 2), "t": st.integers(0, 2)}))
def test_s_preserving_turns_at_the_worst_cluster(parts: Any, bag: dict[str, int]) -> None:
    people = sum(size - fake for size, *_, fake in parts)
    held = {"s": sum(s for _, s, _, _ in parts), "t": sum(t for *_, t, _ in parts)}
    assume(all(held[term] + bag[term] <= people for term in held))
    shares = [
        (
            (copies + Fraction((size - fake) * bag[term], people))
            / (size * Fraction(held[term] + bag[term], people)),
            f"cluster {number}: {term}",
        )
        for term, place in (("s", 1), ("t", 2))
        if held[term] + bag[term]
        for number, (size, *_, fake) in enumerate(parts)
        for copies in (parts[number][place],)
    ]
    worst = max((share for share, _ in shares), default=Fraction(0))
    assume(worst > 1)
    content = grouped(parts, bag)
    tiny = Fraction(1, 10**30)
    for factor in (worst, worst + tiny):
        assert verify(claiming(content, FOLLOWS, SPreserving(r_th=factor))).holds is True
    verdict = verify(claiming(content, FOLLOWS, SPreserving(r_th=worst - tiny)))
    where = next(where for share, where in shares if share == worst)
    assert verdict.witness == f"{where} is more than r_th times as frequent as anywhere"


@given(parts=GROUPS, bag=st.integers(0, 2))
def test_term_diversity_turns_at_the_poorest_cluster(parts: Any, bag: int) -> None:
    people = sum(size - fake for size, *_, fake in parts)
    assume(sum(s for _, s, _, _ in parts) + bag <= people)
    content = grouped(parts, {"s": bag})
    # nobody can say whose the copies in the bag are: all may be with the people of one cluster
    least = min(
        (
            Fraction(size, most)
            for size, s, t, _ in parts
            for most in (min(s + bag, size), t)
            if most
        ),
        default=None,
    )
    assume(least is not None)
    assert verify(claiming(content, [], TermDiversity(l=least or 1))).holds is True
    tiny = Fraction(1, 10**6)
    verdict = verify(claiming(content, [], TermDiversity(l=(least or 1) + tiny)))
    assert verdict.holds is False


def test_the_poorest_cluster_is_named_with_its_term() -> None:
    content = Clusters.of([([["a"]] * 4, {"s": 1}), ([["a"]] * 4, {"s": 2, "t": 3})])
    verdict = verify(claiming(content, [], TermDiversity(l=2)))
    assert verdict.witness == "cluster 1: t has too many copies"


def test_copies_in_the_bag_belong_to_somebody() -> None:
    # four people and four copies: everybody holds the term, wherever the copies are written
    everyone = Clusters.of([([["a"], ["b"]], {}), ([["c"], ["d"]], {})], bag={"s": 4})
    verdict = verify(claiming(everyone, [], TermDiversity(l=2)))
    assert verdict.witness == "cluster 0: s has too many copies, those in the bag among them"


def test_rates_of_different_populations_are_seen() -> None:
    content = Clusters.of(
        [([["a"], ["b"]], ["s", "t"])], rates={"s": Fraction(1, 2), "t": Fraction(1)}
    )
    verdict = verify(claiming(content, [], SPreserving(r_th=9)))
    assert verdict.witness == "the published rates are not rates of one population"


@pytest.mark.parametrize(("people", "holds"), [(2, True), (4, True), (5, False)])
def test_rates_are_of_no_more_people_than_are_published(people: int, holds: bool) -> None:
    content = Clusters.of([([["a"]] * 4, ["s"])], rates={"s": Fraction(1, people)})
    verdict = verify(claiming(content, [], SPreserving(r_th=9)))
    assert verdict.holds is holds
    assert holds or "of more people than are published" in str(verdict.witness)


def test_one_person_is_a_population() -> None:
    alone = Clusters.of([([["a"]], ["s"])])
    assert verify(claiming(alone, [], SPreserving(r_th=2))).holds is True


def test_counts_that_pass_a_machine_word_are_compared_exactly() -> None:
    content = Clusters.of([([["a"]] * 2000, {"s": 1500}), ([["b"]] * 2000, {"s": 500})])
    tiny = Fraction(1, 10**12)
    for r_th, holds in ((Fraction(3, 2) + tiny, True), (Fraction(3, 2) - tiny, False)):
        assert verify(claiming(content, [], SPreserving(r_th=r_th))).holds is holds


@pytest.mark.parametrize("counterfeits", [0, 1000, 7000])
def test_one_copy_among_many_people_is_compared_exactly(counterfeits: int) -> None:
    # it is the people, and not the copies, that pass a machine word; counterfeits add to them
    content = Clusters.of(
        [([["a"]] * (1000 + counterfeits), {"s": 1})], counterfeits=[counterfeits]
    )
    for part, bits in product((4, 5, 6, 7), range(36, 56)):
        most = Fraction((part << bits - 3) + 1, 1 << bits)
        claim = SPreserving(r_th=most * 1000)
        assert s_preserving(content, claim).holds is True, bits


@pytest.mark.parametrize("l", ["3.333333333333333333", "3." + "3" * 30, "3.400000000000000001"])
@pytest.mark.parametrize("times", [1, 500])
def test_a_diversity_of_many_digits_is_compared_exactly(l: str, times: int) -> None:  # noqa: E741
    content = Clusters.of([([["a"]] * (10 * times), {"s": 3 * times})])
    verdict = verify(claiming(content, [], TermDiversity(l=l)))
    assert verdict.holds is (Fraction(l) * 3 <= 10)
