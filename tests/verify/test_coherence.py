"""Coherence is judged at the point where its verdict turns, and its witnesses can be counted."""

import sys
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.core.guarantees.sets import Coherence, Lkc
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict
from discreet.verify import known_items
from discreet.verify.coherence import coherence

PUBLIC, SECRET = "abcd", "st"
DRAWN = st.lists(
    st.tuples(st.sets(st.sampled_from(PUBLIC + SECRET), min_size=1), st.integers(1, 3)),
    min_size=1,
    max_size=6,
)


WITH_SECRETS = Transactions.of([list(SECRET)])


def judged(
    rows: Any,
    *,
    h: Fraction | int | str,
    k: int,
    p: int,
    original: Transactions | None = WITH_SECRETS,
) -> Verdict:
    return coherence(Itemsets.of(rows), Coherence(h=h, k=k, p=p), frozenset(SECRET), original)


@given(DRAWN, st.integers(1, 3))
def test_the_verdict_turns_at_the_rarest_set_and_at_the_surest_secret(
    drawn: list[tuple[set[str], int]], p: int
) -> None:
    rows = [items for items, times in drawn for _ in range(times)]
    sets = [set(known) for size in range(p + 1) for known in combinations(PUBLIC, size)]
    fits = [fitting for known in sets if (fitting := [row for row in rows if known <= row])]
    k = min(map(len, fits))
    h = max(Fraction(sum(s in row for row in each), len(each)) for each in fits for s in SECRET)
    tiny = Fraction(1, 10**9)
    assert judged(rows, h=h or tiny, k=k, p=p).holds is True
    assert f" fits {k} records, not {k + 1}" in str(judged(rows, h=1, k=k + 1, p=p).witness)
    assume(h)
    witness = str(judged(rows, h=h - tiny, k=k, p=p).witness)
    words = witness.split()
    known = set(witness.split(" with ")[1].rsplit(", ", 1)[0].split(", ")) - {"nothing known"}
    fitting = [row for row in rows if known <= row]
    assert (len(fitting), Fraction(int(words[-4]), int(words[1]))) == (int(words[1]), h)
    assert any(Fraction(sum(s in row for row in fitting), len(fitting)) == h for s in SECRET)


def test_a_witness_counts_records_and_secrets() -> None:
    rows = [["a", "b", "s"], ["a", "b", "t"], ["a", "b", "c"], ["b", "c", "s"], ["c"], ["c"]]
    assert judged(rows, h=1, k=2, p=2).witness == "a, c fits 1 records, not 2"
    told = "of 4 records with b, 2 share a secret"
    assert judged(rows, h="0.4", k=1, p=1).witness == told
    assert (
        judged(rows, h="0.3", k=1, p=1).witness
        == "of 6 records with nothing known, 2 share a secret"
    )
    assert judged(rows, h=1, k=7, p=1).witness == "nothing known fits 6 records, not 7"
    same = coherence(Itemsets.of(rows), Lkc(l=2, k=2, c=1), frozenset(SECRET))
    assert same.witness == "a, c fits 1 records, not 2"


def test_sets_that_are_too_many_are_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["a"], ["a"], ["b", "c"], ["b", "c", "s"]]
    monkeypatch.setattr(sys.modules[coherence.__module__], "MOST", 1)
    verdict = judged(rows, h=1, k=2, p=2)
    assert verdict.holds is None
    assert verdict.checked == "sets that begin before item 2; the others are too many to count"
    monkeypatch.setattr(sys.modules[coherence.__module__], "MOST", 2)
    verdict = judged(rows, h=1, k=2, p=2)
    assert verdict.holds is True
    assert verdict.checked.endswith("every set of up to 2 public items that occurs")


def test_nothing_published_breaks_nothing() -> None:
    assert judged([], h="0.5", k=2, p=2).holds is True
    assert judged([[], []], h="0.5", k=2, p=2).holds is True
    assert judged([["s"], []], h="0.5", k=2, p=2).holds is True
    assert judged([["s"], []], h="0.4", k=2, p=2).holds is False


def test_secrets_that_nobody_holds_are_no_check() -> None:
    rows = [["a"], ["a"], ["a", "b"], ["a", "b"]]
    alone = judged(rows, h="0.5", k=2, p=2, original=None)
    assert (alone.holds, alone.needs) == (None, ("--against",))
    misspelt = judged(rows, h="0.5", k=2, p=2, original=Transactions.of(rows))
    assert (misspelt.holds, misspelt.needs) == (None, ())
    assert misspelt.checked.endswith("and none is in the original")
    assert judged(rows, h="0.5", k=2, p=2).holds is True
    assert judged(rows, h="0.5", k=3, p=2, original=None).holds is False


@pytest.mark.parametrize("h", ["0.30000000000000004", "0.333333333333333333", "1/3000000000001"])
@pytest.mark.parametrize("times", [1, 200])
def test_a_bound_of_many_digits_is_compared_exactly(h: str, times: int) -> None:
    rows = [{"a", "s"}] * (3 * times) + [{"a"}] * (7 * times)
    assert judged(rows, h=h, k=1, p=1).holds is (Fraction(h) >= Fraction(3, 10))


TREE = Hierarchy.of_levels(
    [("a", "ab", "*"), ("b", "ab", "*"), ("c", "cs", "*"), ("s", "cs", "*"), ("t", "t", "*")]
)
NAMES = ("a", "b", "c", "d", "s", "t", "ab", "cs", "*")


@given(
    st.lists(st.tuples(st.sets(st.sampled_from(NAMES)), st.integers(1, 4)), min_size=1, max_size=6),
    st.sampled_from(["1/3", "1/2", "2/3", "1"]),
    st.integers(1, 3),
    st.integers(1, 2),
)
def test_with_a_hierarchy_who_knows_an_item_fits_the_names_above_it(
    drawn: list[tuple[set[str], int]], h: str, k: int, p: int
) -> None:
    rows = [items for items, times in drawn for _ in range(times)]
    fits = {name: {name} for name in NAMES if name not in SECRET}
    items = [{item, *TREE.ancestors(item)} for item in "abc"]
    asked = [*fits.values(), *items]
    claim = Coherence(h=h, k=k, p=p)
    verdict = coherence(Itemsets.of(rows), claim, frozenset(SECRET), WITH_SECRETS, TREE)
    broken = False
    for size in range(p + 1):
        for known in combinations(asked, size):
            fitting = [row for row in rows if all(names & row for names in known)]
            most = max(sum(secret in row for row in fitting) for secret in SECRET)
            broken |= 0 < len(fitting) < k or most > Fraction(h) * len(fitting)
    assert verdict.holds is not broken


def test_names_that_stand_for_too_many_items_are_not_passed(monkeypatch: Any) -> None:
    monkeypatch.setattr(known_items, "MOST", 1)
    rows = Itemsets.of([["a", "ab"], ["a", "ab"]])
    verdict = coherence(rows, Coherence(h=1, k=2, p=1), frozenset(SECRET), WITH_SECRETS, TREE)
    assert (verdict.holds, verdict.needs) == (None, ())
