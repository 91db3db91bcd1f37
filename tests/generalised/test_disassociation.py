"""Disassociation: the promise, what stays of the data, and what follows all the same."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng, verify
from discreet.core.disassociated import Disassociated
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.generalised import Cover, Disassociation, possible_original
from discreet.generalised.guesses import score_covered
from discreet.generalised.pair_measures import expected_pairs, pairs_kept

RECORDS = st.lists(st.sets(st.sampled_from("abcdefg")), min_size=1, max_size=30)


def published(records: Any, seed: int = 1, **choices: Any) -> Any:
    data = Transactions.of([sorted(record) for record in records])
    return data, Disassociation(**choices).publish(data, rng.seeded(seed))


@settings(max_examples=80)
@given(
    RECORDS,
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 8),
    st.sampled_from([None, "1/2", "1/4"]),
)
def test_any_m_items_could_be_those_of_k_people(
    records: list[set[str]], k: int, m: int, more: int, cover: str | None
) -> None:
    holding = sum(map(bool, records))
    assume(not 0 < holding < k)
    data, made = published(records, k=k, m=m, cluster_size=k + more, cover=cover)
    assert verify(made.release, against=data).by_parts is True


@settings(max_examples=60)
@given(RECORDS, st.integers(1, 4), st.booleans())
def test_every_occurrence_is_in_a_chunk_or_a_term(
    records: list[set[str]], k: int, refine: bool
) -> None:
    assume(sum(map(bool, records)) >= k)
    data, made = published(records, k=k, m=2, cluster_size=2 * k, refine=refine)
    content, people = made.release.content, made.linkage_key.tables["people"]
    parts: dict[int, set[str]] = {}
    for name, chunks in (("rows", content.chunks), ("shared", content.shared)):
        for row, record in made.linkage_key.tables[name].iter_rows():
            mine = set(chunks.sets[row])
            assert mine <= set(data[record])
            assert not mine & parts.setdefault(record, set())
            parts[record] |= mine
    for record, cluster in people.iter_rows():
        rest = set(data[record]) - parts.get(record, set())
        assert rest <= set(content.terms[cluster])
    assert Counter(people["cluster"].to_list()) == dict(enumerate(content.people.tolist()))
    assert refine or not len(content.shared)


@settings(max_examples=40)
@given(RECORDS, st.integers(2, 4))
def test_a_term_is_rare_in_its_cluster_or_needed_there(records: list[set[str]], k: int) -> None:
    assume(sum(map(bool, records)) >= k)
    data, made = published(records, k=k, m=2, cluster_size=2 * k)
    content = made.release.content
    for cluster, terms in enumerate(content.terms):
        members = made.linkage_key.tables["people"].rows()
        held = [set(data[record]) for record, each in members if each == cluster]
        common = [term for term in terms if sum(term in record for record in held) >= k]
        # one item at most, so that people may hold something else
        assert len(common) <= (len(terms) == 1)


@settings(max_examples=40)
@given(RECORDS, st.integers(1, 3), st.integers(0, 99))
def test_a_possible_original_has_the_parts_and_nobody_without(
    records: list[set[str]], k: int, seed: int
) -> None:
    assume(sum(map(bool, records)) >= k)
    data, made = published(records, k=k, m=2, cluster_size=2 * k)
    content = made.release.content
    drawn = possible_original(content, rng.seeded(seed))
    assert len(drawn) == len(data)
    assert sum(map(bool, drawn)) == sum(map(bool, records))
    cluster = np.repeat(np.arange(content.count), content.people).tolist()
    for chunks in (content.chunks, content.shared):
        for place in range(len(chunks)):
            over = {int(name) for name in chunks.clusters[place]}
            rows = [row for row, chunk in enumerate(chunks.chunk.tolist()) if chunk == place]
            bag = Counter(chunks.sets[row] for row in rows)
            own = {item for part in bag for item in part}
            people = [drawn[person] for person, at in enumerate(cluster) if at in over]
            seen = Counter(tuple(item for item in held if item in own) for held in people)
            assert bag == Counter({part: many for part, many in seen.items() if part})
    for at, terms in enumerate(content.terms):
        together = {
            item for person, each in enumerate(cluster) if each == at for item in drawn[person]
        }
        assert set(terms) <= together


def test_expected_pairs_are_the_mean_over_many_reconstructions() -> None:
    content = Disassociated.of(
        [
            (4, [[["a", "b"], ["a"], ["b"]], [["c"], ["c"], ["c"]]], ["t"]),
            (3, [[["a"], ["a"]]], ["t"]),
        ],
        shared=[([0, 1], [["x"], ["x", "y"]])],
    )
    expected = expected_pairs(content, content.universe).toarray()
    draws = 4000
    seen = np.zeros_like(expected)
    chance = np.random.default_rng(3)
    owner = np.repeat([0, 1], [4, 3])
    # without the rule that nobody is empty, which the expectation leaves out
    for _ in range(draws):
        held = np.zeros((7, len(content.universe)))
        for chunks in (content.chunks, content.shared):
            for place in range(len(chunks)):
                over = [int(name) for name in chunks.clusters[place]]
                rows = np.flatnonzero(chunks.chunk == place)
                people = chance.permutation(np.flatnonzero(np.isin(owner, over)))[: len(rows)]
                for person, row in zip(people, rows, strict=True):
                    held[
                        person, [content.universe.index(item) for item in chunks.sets[int(row)]]
                    ] = 1
        for at, terms in enumerate(content.terms):
            for term in terms:
                person = chance.choice(np.flatnonzero(owner == at))
                held[person, content.universe.index(term)] = 1
        seen += held.T @ held
    upper = np.triu_indices(len(expected), 1)
    # five standard errors of at most 1 / sqrt(draws), for each of 21 pairs
    assert np.abs(seen / draws - expected)[upper].max() < 5 * 1.2 / np.sqrt(draws)


def test_pairs_that_stay_together_are_kept() -> None:
    data = Transactions.of([["a", "b"]] * 4 + [["a"]] * 4)
    release = Disassociation(k=2, m=2).publish(data, rng.seeded(1)).release
    told = pairs_kept(data, release)
    assert told["pair_error"] == pytest.approx(0)
    assert (told["pairs_kept"], told["top_pairs_lost"]) == (1, 0)
    assert told["occurrences_in_term_chunks"] == 0
    with pytest.raises(DataError, match="must be the data that were published"):
        pairs_kept(data[:3], release)


@pytest.mark.parametrize("records", [[["a"]] * 5, [[]] * 5])
def test_where_there_is_no_pair_none_is_lost(records: list[list[str]]) -> None:
    data, made = published(records, k=2, m=2)
    assert pairs_kept(data, made.release) == {
        "pairs_kept": 1.0,
        "pair_error": 0.0,
        "top_pairs_lost": 0.0,
        "occurrences_in_term_chunks": 0.0,
    }


def test_what_everybody_of_a_cluster_holds_follows_and_is_right() -> None:
    records = [["a", "b"]] * 3 + [["a", "c"]] * 3 + [["a", "b", "c"]] + [["d"]] * 5
    data = Transactions.of(records)
    made = Disassociation(k=2, m=2, cluster_size=7).publish(data, rng.seeded(1))
    found = Cover().attack(made.release)
    assert {(claim.known, claim.inferred) for claim in found.claims} >= {(("c",), ("a",))}
    score = score_covered(found, [data], [made.release], [made.linkage_key])
    (found_out,) = score.advantages
    assert found_out.success.share == 1 > found_out.baseline.share
    repaired = Disassociation(k=2, m=2, cluster_size=7, cover="1/2").publish(data, rng.seeded(1))
    assert not Cover(confidence="0.51").attack(repaired.release).claims


@settings(max_examples=40)
@given(RECORDS, st.sampled_from(["1/2", "3/4", "1"]))
def test_what_must_follow_does(records: list[set[str]], confidence: str) -> None:
    assume(sum(map(bool, records)) >= 2)
    data, made = published(records, k=2, m=2, cluster_size=4)
    members = made.linkage_key.tables["people"].rows()
    for claim in Cover(confidence=confidence).attack(made.release).claims:
        over = _clusters_of(made.release.content, claim)
        held = [set(data[record]) for record, cluster in members if cluster in over]
        having = [record for record in held if claim.known[0] in record]
        for item in claim.inferred:
            assert sum(item in record for record in having) >= claim.confidence * len(having) - 1e-9


def _clusters_of(content: Disassociated, claim: Any) -> set[int]:
    """The clusters of the place where the known item of a claim is."""
    for place in range(len(content.shared)):
        over = {int(name) for name in content.shared.clusters[place]}
        rows = np.flatnonzero(content.shared.chunk == place)
        own = {item for row in rows for item in content.shared.sets[int(row)]}
        if claim.known[0] in own and min(over) == claim.row:
            return over
    return {claim.row}


def test_refining_tells_supports_that_terms_hide() -> None:
    records = [["a", "x"], ["a"], ["a"], ["b", "x"], ["b"], ["b"]]
    data = Transactions.of(records)
    apart = Disassociation(k=2, m=2, cluster_size=3, refine=False).publish(data, rng.seeded(1))
    assert set(apart.release.content.terms) == {("x",)}
    shared = Disassociation(k=2, m=2, cluster_size=3).publish(data, rng.seeded(1)).release.content
    assert list(shared.shared.sets) == [("x",), ("x",)]
    assert list(shared.shared.clusters) == [("0", "1")]


def test_people_without_anything_are_a_cluster_of_their_own() -> None:
    _, made = published([[], [], ["a"], ["a"]], k=2, m=1)
    content = made.release.content
    assert sorted(content.people.tolist()) == [2, 2]
    assert verify(made.release).by_parts is True


def test_wrong_choices_and_too_few_people_are_refused() -> None:
    with pytest.raises(ParameterError, match="cluster_size must be at least k = 5, got 4"):
        Disassociation(k=5, m=2, cluster_size=4)
    with pytest.raises(ParameterError, match="cover"):
        Disassociation(k=5, m=2, cover=2)
    with pytest.raises(InfeasibleError, match="at least k = 3 records must hold an item, and 2 do"):
        published([["a"], ["b"], []], k=3, m=1)
    with pytest.raises(DataError, match="at least one record"):
        published([], k=3, m=1)


def test_sub_records_of_a_person_are_not_in_the_same_order_in_two_chunks() -> None:
    records = [["a", "b"]] * 20 + [["a", "c"]] * 20 + [["b", "c", "d"]] * 2 + [["a", "b", "c"]]
    _, made = published(records, k=5, m=2, cluster_size=60)
    rows = made.linkage_key.tables["rows"]["record"].to_list()
    chunk = made.release.content.chunks.chunk.tolist()
    orders = [[row for row, at in zip(rows, chunk, strict=True) if at == one] for one in set(chunk)]
    both = [
        [[record for record in order if record in set(other)] for order in (one, other)]
        for one, other in combinations(orders, 2)
    ]
    assert both
    assert all(
        sorted(one) != one and one != [r for r in other if r in set(one)] for one, other in both
    )


@pytest.mark.parametrize("sizes", [(6, 12), (12, 6)])
def test_the_key_of_another_release_scores_no_claim(sizes: tuple[int, int]) -> None:
    records = [["a", "b"]] * 6 + [["c", "d"]] * 6
    (data, made), (_, other) = (published(records, k=2, m=2, cluster_size=n) for n in sizes)
    assert made.release.content.count != other.release.content.count
    found = Cover().attack(made.release)
    with pytest.raises(DataError, match="the key must belong to this release"):
        score_covered(found, [data], [made.release], [other.linkage_key])
