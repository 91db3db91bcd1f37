"""The retail example of Wang, Li, Lui and Sun 2022: Tables 1(a), 1(b) and 5."""

import pytest

from discreet.counts import AttributeLinkage, Known
from discreet.verify import verify
from tests.verify.leakages import leakages, released

TABLE_1A = {
    "beer toothpaste scissor hanger": 20,
    "beer toothpaste": 4,
    "beer": 1,
    "beer toothpaste scissor": 12,
    "scissor hanger": 3,
}
TABLE_1B = {
    "beer toothpaste scissor hanger": 23,
    "beer toothpaste": 2,
    "beer toothpaste scissor": 8,
    "scissor hanger": 5,
    "toothpaste": 2,
}
TABLE_5 = TABLE_1B | {
    "toothpaste scissor hanger": 2,
    "beer scissor hanger": 3,
    "beer toothpaste hanger": 1,
}
LEAKAGES = {
    frozenset(known.split())
    for known in (
        "beer hanger",
        "toothpaste hanger",
        "beer toothpaste hanger",
        "beer scissor hanger",
        "toothpaste scissor hanger",
    )
}


def family(table):
    return [row.split() for row in table]


def published(table):
    return released(family(table), table.values())


@pytest.mark.parametrize("table", [TABLE_1A, TABLE_1B], ids=["1a", "1b"])
def test_tables_1_leak_what_the_audit_says(table):
    assert set(leakages(family(table))) == LEAKAGES
    findings = AttributeLinkage(all_subsets=True).attack([published(table)], Known())
    assert len(findings) == len(LEAKAGES)
    assert {frozenset(claim.known) for claim in findings.claims} == LEAKAGES
    assert verify(published(table)).by_parts is False


@pytest.mark.parametrize(("table", "people"), [(TABLE_1A, 20), (TABLE_1B, 23)], ids=["1a", "1b"])
def test_attack_lists_the_missing_boundaries(table, people):
    findings = AttributeLinkage().attack([published(table)], Known())
    assert {frozenset(claim.known): claim.inferred for claim in findings.claims} == {
        frozenset({"toothpaste", "scissor", "hanger"}): ("beer",),
        frozenset({"beer", "scissor", "hanger"}): ("toothpaste",),
        frozenset({"beer", "toothpaste", "hanger"}): ("scissor",),
    }
    assert {(claim.row, claim.people, claim.confidence) for claim in findings.claims} == {
        (0, people, 1.0)
    }
    assert findings.summary == {
        "itemsets": 5,
        "maximal": 1,
        "leaks": 3,
        "people": sum(table.values()),
        "people_affected": people,
    }


def test_table_5_leaks_nothing():
    assert leakages(family(TABLE_5)) == {}
    findings = AttributeLinkage(all_subsets=True).attack([published(TABLE_5)], Known())
    assert findings.claims == ()
    assert findings.summary["leaks"] == 0
    assert verify(published(TABLE_5)).by_parts


def test_eve_learns_that_alice_bought_beer():
    knows = Known(items=("toothpaste", "scissor", "hanger"))
    (claim,) = AttributeLinkage().attack([published(TABLE_1B)], knows).claims
    assert (claim.row, claim.inferred, claim.confidence, claim.people) == (0, ("beer",), 1.0, 23)


def test_eve_learns_nothing_from_table_5():
    knows = Known(items=("toothpaste", "scissor", "hanger"))
    findings = AttributeLinkage().attack([published(TABLE_5)], knows)
    assert findings.claims == ()
    assert findings.summary["candidates"] == 2
    assert findings.summary["candidate_people"] == 25
