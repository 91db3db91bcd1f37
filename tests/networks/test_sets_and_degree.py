"""People found by items and friends: Example 1 of the paper, and every claim by enumeration."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Release, Transactions
from discreet.core.graph import Network
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.errors import ParameterError
from discreet.networks import Acquainted, Circle, Neighbourhood, SetsAndDegree
from tests.releases import as_released

SECRETS = ("alpha", "gamma")
HIERARCHY = Hierarchy.of_pairs(
    [("a1", "A"), ("a2", "A"), ("b1", "B"), ("b2", "B"), ("A", "ALL"), ("B", "ALL")]
)


def published(content: Any) -> Release[Any]:
    return as_released(content, sensitive=tuple(SECRETS))


@st.composite
def joined(draw: st.DrawFn) -> SetsWithNetwork:
    many = draw(st.integers(1, 8))
    cuts = [("a1", "a2", "B"), ("A", "b1", "b2"), ("A", "B"), ("ALL",)]
    records = [
        draw(st.sets(st.sampled_from(draw(st.sampled_from(cuts)) + SECRETS), max_size=4))
        for _ in range(many)
    ]
    pairs = list(combinations(range(many), 2))
    edges = sorted(draw(st.sets(st.sampled_from(pairs)))) if pairs else []
    return SetsWithNetwork.of(records, [0] * many, edges, hierarchy=HIERARCHY)


def fits(record: tuple[str, ...], item: str) -> bool:
    return bool({item, *HIERARCHY.ancestors(item)} & {*record})


def expected(content: SetsWithNetwork, kinds: list[Any], least: float) -> set[tuple[Any, ...]]:
    """Return every claim that the definition allows: kind, item, secret, holders, people."""
    records = list(content.sets)
    found = set()
    for kind in set(kinds):
        alike = [place for place, other in enumerate(kinds) if other == kind]
        shown = {item for place in alike for item in records[place] if item not in SECRETS}
        for item in (None, *shown):
            rows = [place for place in alike if item is None or fits(records[place], item)]
            for secret in SECRETS:
                exact = [
                    p for p in rows if secret in records[p] and (item is None or item in records[p])
                ]
                holders = sum(secret in records[place] for place in rows)
                if exact and holders >= least * len(rows):
                    found.add((kind, item, secret, holders / len(rows), len(rows)))
    return found


def claimed(findings: Any, kinds: list[Any]) -> set[tuple[Any, ...]]:
    return {
        (
            kinds[claim.row],
            claim.known[0] if len(claim.known) > 1 else None,
            claim.inferred[0],
            claim.confidence,
            claim.people,
        )
        for claim in findings.claims
        if claim.inferred
    }


@settings(max_examples=100)
@given(joined(), st.sampled_from([0.3, 0.5, 1.0]))
def test_every_claim_by_item_and_degree_is_what_the_definition_gives(
    content: SetsWithNetwork, least: float
) -> None:
    findings = SetsAndDegree(confidence=least).attack([published(content)], Acquainted())
    kinds = content.degrees.tolist()
    assert claimed(findings, kinds) == expected(content, kinds, least)
    assert all(claim.degree == kinds[claim.row] for claim in findings.claims)
    assert len(findings.claims) == len(set(findings.claims))
    for claim in findings.claims:
        holders = sum(set(claim.inferred) <= set(record) for record in content.sets)
        assert claim.prior == (holders / len(content) if claim.inferred else None)


@settings(max_examples=60)
@given(joined())
def test_every_claim_by_neighbourhood_is_what_the_definition_gives(
    content: SetsWithNetwork,
) -> None:
    findings = Neighbourhood(confidence="1/2").attack([published(content)], Circle())
    around: list[Counter[int]] = [Counter() for _ in range(len(content))]
    for one, other in content.edges.tolist():
        around[one][int(content.degrees[other])] += 1
        around[other][int(content.degrees[one])] += 1
    kinds = [tuple(sorted(part.elements())) for part in around]
    assert claimed(findings, kinds) == expected(content, kinds, 0.5)
    assert all(claim.friends == kinds[claim.row] for claim in findings.claims)


@settings(max_examples=60)
@given(joined())
def test_a_row_is_singled_out_where_nobody_else_fits(content: SetsWithNetwork) -> None:
    findings = SetsAndDegree().attack([published(content)], Acquainted())
    records, degrees = list(content.sets), content.degrees.tolist()
    alone = set()
    for row, record in enumerate(records):
        same = [place for place, degree in enumerate(degrees) if degree == degrees[row]]
        ways = [same] + [
            [place for place in same if fits(records[place], item)]
            for item in record
            if item not in SECRETS
        ]
        if any(way == [row] for way in ways):
            alone.add(row)
    named = {claim.row for claim in findings.claims if not claim.inferred}
    assert named == alone == {c.row for c in findings.claims if not c.inferred and c.people == 1}
    assert findings.summary["singled_out_by_both"] == len(alone)


def test_sets_alone_and_a_graph_alone_are_attacked_each_by_itself() -> None:
    sets = Transactions.of([["a1", "alpha"], ["a1"], ["b1", "gamma"]])
    graph = Network.of_edges(3, [(0, 1), (1, 2)])
    releases = [published(sets), published(graph)]
    findings = SetsAndDegree().attack(releases, Acquainted(items=("b1",), degree=2))
    told = [(claim.release, claim.known, claim.inferred) for claim in findings.claims]
    assert (1, ("b1",), ("gamma",)) in told
    assert (2, ("2 friends",), ()) in told
    assert findings.summary == {"candidates_1": 1, "candidates_2": 1}
    everyone = SetsAndDegree(uses="items").attack(releases, Acquainted())
    assert everyone.summary["singled_out_by_items_1"] == 1
    assert "singled_out_by_both_2" not in everyone.summary


def test_what_is_not_used_does_not_count() -> None:
    content = SetsWithNetwork.of(
        [["a1", "alpha"], ["a1"], ["b1"]], [0] * 3, [(0, 1), (1, 2)], hierarchy=HIERARCHY
    )
    known = Acquainted(items=("a1",), degree=1)
    found = {
        uses: SetsAndDegree(uses=uses).attack([published(content)], known)
        for uses in ("both", "items", "degree")
    }
    candidates = {uses: each.summary["candidates"] for uses, each in found.items()}
    assert candidates == {"both": 1, "items": 2, "degree": 2}
    assert [claim.inferred for claim in found["both"].claims] == [("alpha",), ()]
    assert SetsAndDegree.threatens == Neighbourhood.threatens == ("singling out", "inference")


def test_friends_tell_apart_what_degrees_do_not() -> None:
    # a path of five: nodes 1 and 3 have equal circles, node 2 has not
    content = SetsWithNetwork.of(
        [[], ["a1"], ["a1", "alpha"], ["a1"], []], [0] * 5, [(0, 1), (1, 2), (2, 3), (3, 4)]
    )
    by_degree = SetsAndDegree().attack([published(content)], Acquainted(items=("a1",), degree=2))
    assert by_degree.claims == ()
    by_friends = Neighbourhood().attack([published(content)], Circle(items=("a1",), friends=(2, 2)))
    assert [claim.inferred for claim in by_friends.claims] == [("alpha",), ()]
    one = Neighbourhood().attack([published(content)], Circle(degree=2, friends=1))
    assert one.summary == {"candidates": 2}


def test_without_a_list_what_nothing_generalises_is_taken_for_a_secret() -> None:
    content = SetsWithNetwork.of([["A", "x"], ["A"]], [0, 0], [(0, 1)], hierarchy=HIERARCHY)
    bare = as_released(content)
    findings = SetsAndDegree(confidence="1/2").attack([bare], Acquainted())
    assert {claim.inferred for claim in findings.claims} == {("x",)}
    named = SetsAndDegree(confidence="1/2").attack([bare], Acquainted(sensitive=("A",)))
    assert {claim.inferred for claim in named.claims if claim.inferred} == {("A",)}


@pytest.mark.parametrize("method", [SetsAndDegree, Neighbourhood])
def test_bad_choices_are_refused(method: Any) -> None:
    with pytest.raises(ParameterError, match="confidence must be above 0"):
        method(confidence=0)
    with pytest.raises(ParameterError, match="limit must be at least 1, got 0"):
        method(limit=0)


def test_claims_are_cut_at_the_limit() -> None:
    content = SetsWithNetwork.of([["a1", "alpha"], ["b1"]], [0, 0], [(0, 1)])
    findings = SetsAndDegree(limit=1).attack([published(content)], Acquainted())
    assert len(findings.claims) == 1
    assert np.isclose(findings.claims[0].confidence, 1)


def test_nobody_has_fewer_than_no_friends() -> None:
    with pytest.raises(ParameterError, match="degree is a number of friends and must be at least"):
        Acquainted(degree=-1)
    with pytest.raises(ParameterError, match="degree is a number of friends and must be at least"):
        Circle(degree=-1)
    with pytest.raises(ParameterError, match=r"friends is a number of friends .* got -2"):
        Circle(friends=(3, -2))
    assert Acquainted(degree=0).degree == 0
