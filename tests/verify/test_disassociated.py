"""Possible originals: counted, beside all of them listed."""

import sys
from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from discreet.core.disassociated import Disassociated
from discreet.core.guarantee import Disassociated as Promise
from discreet.verify.disassociated import disassociated
from discreet.verify.possible_originals import Originals

module = sys.modules[disassociated.__module__]


Way = tuple[list[int], set[tuple[frozenset[str], ...]]]


def parts(chunks: Any, place: int) -> list[frozenset[str]]:
    rows = [row for row, chunk in enumerate(chunks.chunk.tolist()) if chunk == place]
    return [frozenset(chunks.sets[row]) for row in rows]


def dealt(rows: list[frozenset[str]], people: list[int]) -> set[tuple[frozenset[str], ...]]:
    """Every way to give each of the rows to another of the people; the others get nothing."""
    bag = [*rows, *[frozenset[str]()] * (len(people) - len(rows))]
    return set(permutations(bag))


def ways_to_deal(content: Disassociated, owner: list[int]) -> Iterator[Way]:
    """For each chunk and each term the people it may be of, and all ways to deal it out."""
    for chunks in (content.chunks, content.shared):
        for place in range(len(chunks)):
            over = {int(name) for name in chunks.clusters[place]}
            people = [person for person, cluster in enumerate(owner) if cluster in over]
            yield people, dealt(parts(chunks, place), people)
    for cluster in range(content.count):
        people = [person for person, each in enumerate(owner) if each == cluster]
        for term in content.terms[cluster]:
            held = product([frozenset[str](), frozenset([term])], repeat=len(people))
            yield people, {way for way in held if any(way)}


def listed(content: Disassociated) -> Iterator[list[frozenset[str]]]:
    """Every possible original, by trying all ways to put the parts together."""
    owner = [each for each, many in enumerate(content.people.tolist()) for _ in range(many)]
    ways = list(ways_to_deal(content, owner))
    filled = {person for people, _ in ways for person in people}
    for choice in product(*(way for _, way in ways)):
        records = [frozenset[str]()] * len(owner)
        for (people, _), given_out in zip(ways, choice, strict=True):
            for person, held in zip(people, given_out, strict=True):
                records[person] |= held
        if all(records[person] for person in filled):
            yield records


def most_by_list(content: Disassociated, m: int) -> dict[frozenset[str], int]:
    """For each set of up to m items how many hold it in the possible original with the most."""
    most: dict[frozenset[str], int] = {}
    sets = [frozenset(s) for n in range(1, m + 1) for s in combinations(content.universe, n)]
    for records in listed(content):
        for items in sets:
            most[items] = max(most.get(items, 0), sum(items <= record for record in records))
    return most


def bags(items: str, most: int) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(st.sampled_from(items), min_size=1, unique=True), max_size=most)


@st.composite
def contents(draw: Any) -> Disassociated:
    clusters = []
    for number, most in enumerate((3, 2)):
        people = draw(st.integers(1, most))
        first, second = ("ab", "cd") if draw(st.booleans()) else ("ac", "b")
        own = [draw(bags(items, people)) for items in (first, second)]
        terms = draw(st.sampled_from(["", "t", "tu" if number else "t"]))
        clusters.append((people, [bag for bag in own if bag], list(terms)))
    over = draw(st.sampled_from([[0, 1], [0], [1]]))
    shared = draw(bags("xy", min(2, sum(clusters[each][0] for each in over))))
    return Disassociated.of(clusters, [(over, shared)] if shared else [])


@settings(max_examples=60)
@given(contents(), st.integers(1, 3))
def test_the_most_people_are_those_of_the_best_of_all_originals(
    content: Disassociated, m: int
) -> None:
    most = most_by_list(content, m)
    assume(most)
    assert_counted(content, most)


def assert_counted(content: Disassociated, most: dict[frozenset[str], int]) -> None:
    counted = Originals.of(content)
    number = {name: place for place, name in enumerate(content.universe)}
    for items, people in most.items():
        numbers = [number[item] for item in items]
        assert counted.most(numbers) == people
        least, upper = counted.between(numbers, enough=len(content) + 1)
        assert least <= people <= upper


def test_what_no_data_can_be_behind_keeps_no_promise() -> None:
    clusters = [(5, [[["a", "b"]] * 4], []), (4, [[["c"]] * 4], ["t"])]
    verdict = disassociated(Disassociated.of(clusters, []), Promise(k=2, m=2))
    assert verdict.holds is False
    assert verdict.witness.startswith("cluster 0: 4 sub-records are there for 5 people")
    mended = [(4, *clusters[0][1:]), clusters[1], (3, [], [])]
    assert disassociated(Disassociated.of(mended, []), Promise(k=2, m=2)).holds is True


@st.composite
def tied_contents(draw: Any) -> Disassociated:
    """Three small clusters, rarely with terms, that live on chunks shared by two of them."""
    clusters = []
    for _ in range(3):
        people = draw(st.integers(1, 2))
        own = draw(bags("ab", people))
        terms = draw(st.sampled_from(["", "", "t"]))
        clusters.append((people, [own] if own else [], list(terms)))
    shared = []
    for items, over in (("xy", [0, 1]), ("z", [1, 2])):
        bag = draw(bags(items, min(2, sum(clusters[each][0] for each in over))))
        shared += [(over, bag)] if bag else []
    return Disassociated.of(clusters, shared)


@settings(max_examples=150)
@given(st.one_of(contents(), tied_contents()), st.integers(1, 3), st.integers(1, 3))
def test_the_verdict_is_that_of_all_originals(content: Disassociated, k: int, m: int) -> None:
    """Where there are none no data is behind the release, and it keeps nothing."""
    assume(content.universe)  # or there is no set to ask for
    most = most_by_list(content, m)
    verdict = disassociated(content, Promise(k=k, m=m))
    broken = not most or any(0 < people < k for people in most.values())
    assert verdict.holds is not broken
    assert (verdict.witness is not None) is broken


@settings(max_examples=60)
@given(tied_contents(), st.integers(1, 3))
def test_most_people_where_clusters_live_on_shared_chunks(content: Disassociated, m: int) -> None:
    most = most_by_list(content, m)
    assume(most)
    assert_counted(content, most)


def test_clusters_that_need_the_same_shared_sub_record_have_no_data_behind_them() -> None:
    clusters = [(2, [[["a"]]], []), (2, [[["b"]]], []), (2, [[["c"]] * 2], [])]
    one = Disassociated.of(clusters, [([0, 1, 2], [["x"]])])
    verdict = disassociated(one, Promise(k=1, m=1))
    assert verdict.holds is False
    assert verdict.witness == (
        "clusters 0, 1: 2 people can hold nothing but a shared sub-record, and 1 of these are there"
    )
    two = Disassociated.of(clusters, [([0, 1, 2], [["x"], ["x"]])])
    assert disassociated(two, Promise(k=1, m=1)).holds is True


@settings(max_examples=40)
@given(contents(), st.sampled_from(["1/4", "1/2", "2/3", "1"]))
def test_an_item_that_must_follow_is_found_where_all_originals_have_it(
    content: Disassociated, cover: str
) -> None:
    originals = list(listed(content))
    assume(originals)
    claim = Promise(k=1, m=1, cover=cover)
    assume(disassociated(content, claim).holds)
    share = float(claim.cover or 1)
    for known, other, people in pairs_apart(content):
        holders = [
            [record for record in (records[each] for each in people) if known in record]
            for records in originals
        ]
        shares = [sum(other in each for each in held) / len(held) for held in holders if held]
        assert min(shares, default=0) <= share


def pairs_apart(content: Disassociated) -> Iterator[tuple[str, str, list[int]]]:
    """Items of a record chunk, items elsewhere in its cluster, and the cluster's people."""
    owner = [each for each, many in enumerate(content.people.tolist()) for _ in range(many)]
    for place in range(len(content.chunks)):
        cluster = int(content.chunks.clusters[place][0])
        own = frozenset().union(*parts(content.chunks, place))
        people = [person for person, each in enumerate(owner) if each == cluster]
        for known, other in product(own, set(content.universe) - own):
            yield known, other, people


def test_a_cluster_that_leaves_nobody_for_others_is_short() -> None:
    # everybody holds one part: no possible original puts a and b together
    exact = Disassociated.of([(4, [[["a"], ["a"]], [["b"], ["b"]]], [])])
    assert disassociated(exact, Promise(k=2, m=2)).holds is True
    # one part more than people: one person, not two, can hold both
    spare = Disassociated.of([(3, [[["a"], ["a"]], [["b"], ["b"]]], [])])
    verdict = disassociated(spare, Promise(k=2, m=2))
    assert (verdict.holds, verdict.witness) == (
        False,
        "a, b: at most 1 people can hold that, not 2",
    )
    terms = Disassociated.of([(3, [[["a"], ["a"]], [["b"], ["b"]]], ["t"])])
    assert disassociated(terms, Promise(k=2, m=2)).holds is True


def test_an_item_that_everybody_holds_follows_from_every_other() -> None:
    cut = Disassociated.of([(4, [[["a"]] * 4, [["b"], ["b"], ["b"]]], ["t"])])
    assert disassociated(cut, Promise(k=3, m=2)).holds is True
    verdict = disassociated(cut, Promise(k=3, m=2, cover="0.9"))
    assert (verdict.holds, verdict.witness) == (False, "of 3 people with b at least 3 hold a")
    assert disassociated(cut, Promise(k=3, m=2, cover=1)).holds is True


def test_other_clusters_count_too() -> None:
    cut = Disassociated.of(
        [(3, [[["a"], ["b"], ["b"]]], ["t"]), (3, [[["a"], ["c"], ["c"]]], ["t"])]
    )
    assert disassociated(cut, Promise(k=2, m=1)).holds is True
    verdict = disassociated(cut, Promise(k=3, m=1))
    assert verdict.witness == "a: at most 2 people can hold that, not 3"
    # two people can hold a, and only one of them c as well
    pair = Disassociated.of(
        [(3, [[["a"], ["b"], ["b"]], [["c"]] * 3], ["t"]), (3, [[["a"], ["b"], ["b"]]], ["t"])]
    )
    assert disassociated(pair, Promise(k=2, m=1)).holds is True
    verdict = disassociated(pair, Promise(k=2, m=2))
    assert verdict.witness == "a, c: at most 1 people can hold that, not 2"


def test_three_chunks_need_parts_for_all_three() -> None:
    # three people with a, b and c would leave nothing for the fourth
    cut = Disassociated.of([(4, [[["a"]] * 3, [["b"]] * 3, [["c"]] * 3], [])])
    assert disassociated(cut, Promise(k=3, m=2)).holds is True
    verdict = disassociated(cut, Promise(k=3, m=3))
    assert verdict.witness == "a, b, c: at most 2 people can hold that, not 3"


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from("abcd"), min_size=1), st.integers(1, 3)),
        min_size=1,
        max_size=6,
    ),
    st.integers(1, 3),
)
@example([({"a", "b", "c"}, 1), ({"a", "b", "d"}, 2), ({"b", "c"}, 1)], 2)
def test_the_verdict_turns_at_the_rarest_set_of_a_chunk(
    drawn: list[tuple[set[str], int]], m: int
) -> None:
    """With a term for whoever has nothing else, a chunk's sets are held by its sub-records."""
    rows = [sorted(items) for items, times in drawn for _ in range(times)]
    first = (3, [[["z"]] * 3], ["t"])
    content = Disassociated.of([first, (len(rows), [rows], ["t"])])
    sets = (frozenset(s) for n in range(1, m + 1) for s in combinations("abcd", n))
    supports = (sum(each <= set(row) for row in rows) for each in sets)
    rarest = min(filter(None, supports))
    assume(rarest <= 3)
    assert disassociated(content, Promise(k=rarest, m=m)).holds is True
    verdict = disassociated(content, Promise(k=rarest + 1, m=m))
    assert f" at most {rarest} people can hold that, not {rarest + 1}" in str(verdict.witness)


@pytest.mark.parametrize("cluster", [(2, [[["a"]] * 2], []), (3, [[["a"]] * 2], ["t"])])
def test_what_is_seen_at_once_is_not_counted(
    cluster: tuple[int, list[list[list[str]]], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SETS", 0)
    content = Disassociated.of([cluster])
    assert disassociated(content, Promise(k=2, m=1)).holds is True
    assert disassociated(content, Promise(k=3, m=1)).holds is None


def many_tied_clusters(people: int) -> Disassociated:
    """Three hundred clusters in a row, each tied to the next, where a release lost its terms."""
    clusters = [(people, [[["a"]] * 5, [["b"]] * 5, [["c"]] * 3], []) for _ in range(300)]
    shared = [([each, each + 1], [[f"s{each}"]] * 5) for each in range(299)]
    return Disassociated.of(clusters, shared)


def test_a_large_release_that_lost_its_terms_is_judged_without_solving_for_all_its_clusters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_SOLVED", 0)
    claim = Promise(k=5, m=2)
    for people, holds in ((6, True), (13, True), (25, False)):
        assert disassociated(many_tied_clusters(people), claim).holds is holds


def test_a_search_that_ends_at_its_limit_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = many_tied_clusters(6)
    for limit, value in (("MOST_SETS", 100), ("MOST_LOOKED", 100), ("MOST_ITEMS", 10)):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, value)
            verdict = disassociated(content, Promise(k=5, m=2))
        assert verdict.holds is None
        assert "where the search came to its limit" in verdict.checked


def test_what_must_follow_breaks_the_promise_wherever_the_search_came_to_its_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut = Disassociated.of(
        [(4, [[["a"]] * 4, [["b"]] * 3], ["t"]), (2, [[["c"], ["d"]]], ["t"]), (1, [], ["t"])]
    )
    monkeypatch.setattr(module, "MOST_SETS", 0)
    assert disassociated(cut, Promise(k=3, m=2)).holds is None
    assert disassociated(cut, Promise(k=3, m=2, cover=1)).holds is None
    verdict = disassociated(cut, Promise(k=3, m=2, cover="0.9"))
    assert (verdict.holds, verdict.witness) == (False, "of 3 people with b at least 3 hold a")
    assert verdict.checked.endswith("which item must follow from one of another chunk")


def test_a_count_that_is_too_large_is_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = Disassociated.of([(2, [[["a"], ["b"]]], ["t"]), (2, [[["a"], ["b"]]], ["t"])])
    monkeypatch.setattr(module, "MOST_SETS", 1)
    assert disassociated(cut, Promise(k=2, m=2)).holds is None
    monkeypatch.setattr(module, "MOST", 0)
    pairs = Disassociated.of([(2, [[["a", "b"]] * 2], [])])
    verdict = disassociated(pairs, Promise(k=2, m=2))
    assert verdict.holds is None
    assert verdict.checked == (
        "how many people can hold any item together; "
        "sub-records hold too many larger sets to be listed"
    )
    assert disassociated(pairs, Promise(k=3, m=2)).holds is False
    monkeypatch.setattr(module, "MOST", 2)
    assert disassociated(pairs, Promise(k=2, m=2)).holds is True
