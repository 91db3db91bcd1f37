"""Coherent sets keep their promise, by brute force, and give up no item that they need not."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng, verify
from discreet.core.guarantees.sets import Coherence as CoherencePromise
from discreet.core.guarantees.sets import Lkc as LkcPromise
from discreet.core.release import Release
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.generalised import Coherence, Km, Lkc, certainty_penalty
from tests.releases import as_released

PUBLIC, SECRET = "abcde", "st"
rows = st.lists(st.sets(st.sampled_from(PUBLIC + SECRET), max_size=5), min_size=1, max_size=14)
shares = st.sampled_from(["0.3", "0.5", "2/3", "1"])


def incoherent(data: list[set[str]], h: Fraction, k: int, p: int) -> bool:
    """Whether some set of up to p public items fits too few, or tells a secret too surely."""
    for size in range(p + 1):
        for known in combinations(PUBLIC, size):
            fits = [row for row in data if set(known) <= row]
            if fits and (
                len(fits) < k or any(sum(s in row for row in fits) > h * len(fits) for s in SECRET)
            ):
                return True
    return False


def promise_of(release: Release[Transactions], people: Transactions) -> bool | None:
    (part,) = verify(release, against=people).parts
    return part.holds


def expected(people: Transactions) -> bool | None:
    """A promise about secrets that nobody has is no promise that could be checked."""
    return True if people.held & set(SECRET) else None


@settings(max_examples=200)
@given(rows, shares, st.integers(1, 4), st.integers(1, 3))
def test_the_verifier_is_the_definition(data: list[set[str]], h: str, k: int, p: int) -> None:
    content = Transactions.of(data, sensitive=list(SECRET))
    broken = incoherent(data, Fraction(h), k, p)
    for claim in (CoherencePromise(h=h, k=k, p=p), LkcPromise(l=p, k=k, c=h)):
        (part,) = verify(
            as_released(content, claim, sensitive=tuple(SECRET)), against=content
        ).parts
        assert part.holds is (False if broken else expected(content))
        assert (part.witness is not None) == broken


@settings(max_examples=100)
@given(rows, shares, st.integers(1, 4), st.integers(1, 3))
def test_any_data_become_coherent_and_no_item_can_come_back(
    data: list[set[str]], h: str, k: int, p: int
) -> None:
    people = Transactions.of(data, universe=list(PUBLIC + SECRET), sensitive=list(SECRET))
    method = Coherence(h=h, k=k, p=p, suppression="items", plan="all-secrets")
    try:
        release = method.publish(people, rng.seeded(1)).release
    except InfeasibleError:
        # only what follows from knowing nothing cannot be mended
        assert incoherent([row & set(SECRET) for row in data], Fraction(h), k, 0)
        return
    assert promise_of(release, people) is expected(people)
    shown = [set(row) for row in release.content]
    assert not incoherent(shown, Fraction(h), k, p)
    kept = set().union(*shown)
    assert sorted(sorted(row & kept) for row in data) == sorted(map(sorted, shown))
    for item in {item for row in data for item in row} - kept:
        assert incoherent([row & (kept | {item}) for row in data], Fraction(h), k, p)
    same = Lkc(l=p, k=k, c=h, suppression="items", plan="all-secrets")
    other = same.publish(people, rng.seeded(1)).release
    assert other.content.tables()["transactions"].equals(release.content.tables()["transactions"])


@settings(max_examples=150)
@given(rows, shares, st.integers(1, 4), st.integers(1, 3))
def test_by_occurrences_no_less_is_kept_than_by_items_and_every_secret(
    data: list[set[str]], h: str, k: int, p: int
) -> None:
    people = Transactions.of(data, universe=list(PUBLIC + SECRET), sensitive=list(SECRET))
    assume(not incoherent([row & set(SECRET) for row in data], Fraction(h), k, 0))
    made = Coherence(h=h, k=k, p=p, plan="all-secrets").publish(people, rng.seeded(1))
    shown = [set(row) for row in made.release.content]
    assert promise_of(made.release, people) is expected(people)
    assert not incoherent(shown, Fraction(h), k, p)
    for row, record in zip(shown, made.linkage_key.records(len(data), len(data)), strict=True):
        assert row <= data[record]
        assert row & set(SECRET) == data[record] & set(SECRET)
    by_items = Coherence(h=h, k=k, p=p, suppression="items", plan="all-secrets")
    items = by_items.publish(people, rng.seeded(1)).release
    assert sum(map(len, shown)) >= len(items.content.items)


def commonest(data: list[set[str]], k: int, p: int) -> int:
    """Occurrences kept of as many of the commonest public items as fit k people p by p."""
    order = sorted(PUBLIC, key=lambda item: -sum(item in row for row in data))
    cuts = [[row & set(order[:many]) for row in data] for many in range(len(order) + 1)]
    return max(sum(map(len, cut)) for cut in cuts if not incoherent(cut, Fraction(1), k, p))


@settings(max_examples=150)
@given(
    rows, shares, st.integers(1, 4), st.integers(1, 3), st.sampled_from(["occurrences", "items"])
)
@example(
    [{"e"}] * 3 + [{"d"}] * 2 + [{"c", "e"}, {"d", "e"}] * 2 + [{"b", "d", "e"}],
    "1",
    5,
    3,
    "occurrences",
)
def test_no_trivial_way_keeps_more(
    data: list[set[str]], h: str, k: int, p: int, suppression: Any
) -> None:
    people = Transactions.of(data, universe=list(PUBLIC + SECRET), sensitive=list(SECRET))
    assume(not incoherent([row & set(SECRET) for row in data], Fraction(h), k, 0))
    method = Coherence(h=h, k=k, p=p, suppression=suppression)
    made = method.publish(people, rng.seeded(1))
    shown = [set(row) for row in made.release.content]
    assert not incoherent(shown, Fraction(h), k, p)
    kept = sum(map(len, shown))
    assert kept >= commonest(data, k, p)
    every = replace(method, plan="all-secrets").publish(people, rng.seeded(1)).release
    assert kept >= len(every.content.items)
    public = Transactions.of([row & set(PUBLIC) for row in data], universe=list(PUBLIC))
    anonymous = Km(k=k, m=p, suppression=suppression).publish(public, rng.seeded(1)).release
    assert kept >= certainty_penalty(public, anonymous)["occurrences_by_name"] * len(public.items)
    # a secret stays for everybody or for nobody, and the manifest says which
    gone = 0
    for secret in SECRET:
        before, after = (sum(secret in row for row in of) for of in (data, shown))
        assert after in (0, before)
        gone += after < before
    stays = made.release.manifest.notes["plan"] == "all sensitive items stay"
    assert stays == (gone == 0)


def test_a_secret_that_costs_more_than_it_is_worth_goes_and_the_other_stays() -> None:
    fans = [{"a", "b", "s"}] * 4 + [{"a", "b"}] * 2
    data = fans + [{"c"}] * 9 + [{"c", "t"}]
    people = Transactions.of(data, sensitive=["s", "t"])
    release = Coherence(h="0.5", k=2, p=2).publish(people, rng.seeded(1)).release
    assert sorted(map(sorted, release.content)) == sorted(sorted(row - {"s"}) for row in data)
    told = "1 of 2 sensitive items deleted, for more occurrences are kept without them"
    assert release.manifest.notes == {"plan": told}
    kept = Coherence(h="0.5", k=2, p=2, plan="all-secrets").publish(people, rng.seeded(1)).release
    assert sum("s" in row for row in kept.content) == 4
    assert len(kept.content.items) < len(release.content.items)


def test_a_few_who_give_a_secret_away_lose_one_item_and_nobody_else_does() -> None:
    data = [{"a", "b"}] * 20 + [{"a", "s"}] * 3 + [{"a", "c", "s"}] * 2
    people = Transactions.of(data, sensitive=["s"])
    release = Coherence(h="0.5", k=2, p=2).publish(people, rng.seeded(1)).release
    assert sorted(map(sorted, release.content)) == [["a", "b"]] * 20 + [["a", "s"]] * 5


def test_a_refusal_says_what_would_do() -> None:
    data = Transactions.of([["a", "s"], ["a"], ["b", "s"]], sensitive=["s"])
    with pytest.raises(InfeasibleError, match=r"the lowest that would do is 0\.667"):
        Coherence(h="0.5", k=1, p=1).publish(data, rng.seeded(1))
    Coherence(h="0.667", k=1, p=1).publish(data, rng.seeded(1))
    with pytest.raises(InfeasibleError, match="there are 3"):
        Coherence(h=1, k=4, p=1).publish(data, rng.seeded(1))


def test_without_secrets_there_is_nothing_to_promise() -> None:
    with pytest.raises(DataError, match="sensitive"):
        Lkc(l=1, k=2, c="0.5").publish(Transactions.of(map(set, ["ab"])), rng.seeded(1))


@pytest.mark.parametrize(
    "wrong", [{"h": 0}, {"h": "1.1"}, {"k": 0}, {"p": 0}, {"p": 17}, {"k": 2.5}]
)
def test_choices_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Coherence(**({"h": "0.5", "k": 2, "p": 1} | wrong))


def test_a_release_that_does_not_name_its_secrets_cannot_be_told() -> None:
    content = Transactions.of(map(set, ["ab"] * 3))
    verdict = verify(as_released(content, CoherencePromise(h=1, k=2, p=2)))
    assert [part.holds for part in verdict.parts] == [None]


@settings(max_examples=30)
@given(rows, st.integers(2, 4))
def test_coherence_is_km_anonymity_where_nothing_is_too_sure(data: list[set[str]], k: int) -> None:
    assume(len(data) >= k)
    people = Transactions.of(data, universe=list(PUBLIC + SECRET), sensitive=list(SECRET))
    content = Coherence(h=1, k=k, p=2).publish(people, rng.seeded(1)).release.content
    shown = [set(row) & set(PUBLIC) for row in content]
    assert not incoherent(shown, Fraction(1), k, 2)


@pytest.mark.parametrize("h", ["0.30000000000000004", "0.666666666666666666", "0." + "6" * 30])
def test_a_bound_of_many_digits_costs_no_more_than_a_plain_one(h: str) -> None:
    people = Transactions.of(
        [["a", "s"]] * 200 + [["a"]] * 800 + [["b", "s"]] * 3 + [["b"]], sensitive=["s"]
    )
    release = Coherence(h=h, k=2, p=1).publish(people, rng.seeded(1)).release
    plain = Coherence(h=h[:4], k=2, p=1).publish(people, rng.seeded(1)).release
    assert promise_of(release, people) is True
    assert list(release.content) == list(plain.content)
