"""Claims about people known by items and friends, against the truth and through the key."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet import Hierarchy, Release, SocialNetwork, Transactions, rng
from discreet.catalog import scorer_of
from discreet.core.findings import Claim, Findings
from discreet.core.graph import Network
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.errors import DataError
from discreet.networks import (
    Acquainted,
    Circle,
    Dist,
    GreedySwap,
    Neighbourhood,
    SetsAndDegree,
    SideBySide,
    score_with_friends,
)
from tests.releases import as_released
from tests.samples import rows_found

TABLE_1A = [
    ["a1"], ["a2", "alpha"], ["b1", "b3", "alpha"], ["b1", "b3"],
    ["a1", "b1", "alpha", "gamma"], ["a1", "b3"], ["a1", "b2", "gamma"],
]  # fmt: skip
EDGES = [(1, 3), (2, 3), (3, 6), (3, 7), (5, 6), (5, 7), (2, 5), (4, 5), (2, 4)]
NAMES = np.array([str(number) for number in range(1, 8)])
TREE = Hierarchy.of_pairs(
    [("a1", "A"), ("a2", "A"), ("b1", "B"), ("b2", "B"), ("b3", "B"), ("A", "ALL"), ("B", "ALL")]
)
PEOPLE = Transactions(Itemsets.of(TABLE_1A), NAMES, frozenset(["alpha", "gamma"]))
TRUTH = SocialNetwork.of(PEOPLE, [(str(one), str(other)) for one, other in EDGES])
SAME = LinkageKey({"rows": pl.DataFrame({"row": [*range(7)], "record": [*range(7)]})})


def published(sets: list[list[str]], edges: Any = TRUTH.edges) -> Release[Any]:
    pairs = [(int(one), int(other)) for one, other in edges]
    content = SetsWithNetwork.of(sets, [0] * 7, pairs, hierarchy=TREE)
    return as_released(content, sensitive=("alpha", "gamma"))


def claims(*made: Claim) -> Findings:
    return Findings(attack="any", claims=made)


def test_one_claim_is_scored_by_who_truly_fits() -> None:
    claim = Claim(
        row=2, known=("b3", "4 friends"), inferred=("alpha",), confidence=1, people=1, degree=4
    )
    alone = Claim(row=2, known=("b3", "4 friends"), inferred=(), confidence=1, people=1, degree=4)
    found = score_with_friends(claims(claim, alone), [TRUTH], [published(TABLE_1A)], [SAME])
    assert (found.claims, found.figures["tested"]) == (2, 2)
    assert (found.success.share, found.success.people) == (1, 1)
    assert found.baseline.share == pytest.approx(3 / 7)
    assert found.figures["exposed"].share == pytest.approx(1 / 7)
    assert found.figures["identified"].share == pytest.approx(1 / 7)
    assert found.figures["exposed"].people == 7
    assert found.record()["identified"]["people"] == 7
    assert len(found.rates) == 4
    assert "2 of 2 claims" in found.remarks[0]


@pytest.mark.parametrize(
    "known",
    [
        Circle(friends=(3,)),
        Circle(friends=(4, 4)),
        Circle(friends=2, degree=4),
        Circle(items=("b1",), friends=(2, 2)),
        Circle(items=("a1",), friends=(4,), degree=2),
    ],
    ids=["one friend", "two alike", "one of four", "an item", "all but one"],
)
def test_some_friends_known_are_scored_as_they_were_used(known: Circle) -> None:
    """What was published is the truth: a claim is right as often as it says, of as many."""
    findings = Neighbourhood(confidence="1/100").attack([published(TABLE_1A)], known)
    inferring = [claim for claim in findings.claims if claim.inferred]
    assert inferring
    for claim in inferring:
        assert "who have" in claim.known[-1]
        found = score_with_friends(claims(claim), [TRUTH], [published(TABLE_1A)], [SAME])
        assert found.success.share == pytest.approx(claim.confidence)
        assert found.success.people == claim.people


def test_a_general_item_is_known_by_what_hangs_below() -> None:
    claim = Claim(row=0, known=("B",), inferred=("gamma",), confidence=0.5, people=4)
    found = score_with_friends(claims(claim), [TRUTH], [published(TABLE_1A)], [SAME])
    # people 3 to 7 hold something below B; two of these five hold gamma
    assert (found.success.people, found.success.share) == (5, pytest.approx(2 / 5))


def test_a_row_that_is_not_the_persons_identifies_nobody() -> None:
    wrong = Claim(row=0, known=("b3", "4 friends"), inferred=(), confidence=1, people=1, degree=4)
    found = score_with_friends(claims(wrong), [TRUTH], [published(TABLE_1A)], [SAME])
    assert found.figures["identified"].share == 0
    nobody = Claim(
        row=0, known=("9 friends",), inferred=("alpha",), confidence=1, people=1, degree=9
    )
    found = score_with_friends(claims(nobody), [TRUTH], [published(TABLE_1A)], [SAME])
    assert (found.figures["tested"], found.success.people, found.success.share) == (0, 0, 0)


def test_whole_circles_are_compared_with_whole_circles() -> None:
    findings = Neighbourhood().attack([published(TABLE_1A)], Circle())
    found = score_with_friends(findings, [TRUTH], [published(TABLE_1A)], [SAME])
    # the graph is untouched, so whoever is alone is found, and every certain claim is right
    assert found.figures["identified"].share == findings.summary["singled_out_by_both"] / 7
    assert found.success.share >= 0.7


def test_sets_and_graph_by_themselves_are_scored_through_their_own_keys() -> None:
    graph = GreedySwap(k=1).publish(Network.of_people(TRUTH), rng.seeded(5))
    secret = tuple(sorted(PEOPLE.sensitive))
    sets = as_released(PEOPLE, sensitive=secret)
    findings = SetsAndDegree().attack([sets, graph.release], Acquainted())
    found = score_with_friends(findings, [TRUTH], [sets, graph.release], [SAME, graph.linkage_key])
    # by items alone 2 (a2) and 7 (b2); by the number of friends alone 1 and 2
    assert found.figures["identified"].share == pytest.approx(3 / 7)
    with pytest.raises(DataError, match="a key for each of the 2 releases, got 1 and 1"):
        score_with_friends(findings, [TRUTH], [sets, graph.release], [SAME])
    nameless = LinkageKey({"rows": graph.linkage_key.tables["rows"].drop("id")})
    with pytest.raises(DataError, match="must name its nodes"):
        score_with_friends(findings, [TRUTH], [sets, graph.release], [SAME, nameless])
    renamed = LinkageKey({"rows": graph.linkage_key.tables["rows"].with_columns(id=pl.lit("x"))})
    with pytest.raises(DataError, match="names others"):
        score_with_friends(findings, [TRUTH], [sets, graph.release], [SAME, renamed])


def test_side_by_side_keeps_two_promises_and_gives_people_away() -> None:
    made = SideBySide(rho="0.6", k=2, hierarchy=TREE).publish(TRUTH, rng.seeded(3))
    findings = SetsAndDegree(confidence="0.61").attack([made.release], Acquainted())
    found = score_with_friends(findings, [TRUTH], [made.release], [made.linkage_key])
    alone = max(findings.summary[f"singled_out_by_{way}"] for way in ("items", "degree"))
    assert findings.summary["singled_out_by_both"] > alone
    assert found.figures["identified"].share > 0
    # the rows of both are the same people
    record = made.linkage_key.tables["rows"].sort("row")["record"].to_list()
    degrees = made.release.content.degrees
    changed = [abs(degrees[row] - TRUTH.degrees[person]) for row, person in enumerate(record)]
    assert sum(changed) == 2
    for row, person in enumerate(record):
        assert {*made.release.content.sets[row]} <= {*TABLE_1A[person]}


def test_finding_rows_is_an_advantage_of_its_own() -> None:
    one = rows_found(people=100)
    assert [each.beats_baseline for each in one.advantages] == [False, True]
    assert one.advantages[1].baseline.share == 0.01


def test_sets_alone_are_scored_without_friends() -> None:
    made = Dist(rho="0.5").publish(PEOPLE, rng.seeded(1))
    findings = SetsAndDegree(confidence="0.1").attack([made.release], Acquainted())
    scorer = scorer_of([made.release])
    assert scorer.data is Transactions
    assert made.linkage_key is not None
    told = scorer(findings, [PEOPLE], [made.release], [made.linkage_key])
    same = score_with_friends(findings, [TRUTH], [made.release], [made.linkage_key])
    assert findings.claims
    assert told == same


def test_a_graph_alone_is_scored_without_sets() -> None:
    graph = Network.of([("a", "b"), ("a", "c"), ("a", "d"), ("b", "e"), ("e", "f"), ("f", "g")])
    made = GreedySwap(k=2).publish(graph, rng.seeded(1))
    findings = Neighbourhood().attack([made.release], Circle())
    scorer = scorer_of([made.release])
    assert scorer.data is Network
    assert made.linkage_key is not None
    score = scorer(findings, [graph], [made.release], [made.linkage_key])
    assert len(findings.claims) > 0
    assert score.figures["identified"].share > 0
