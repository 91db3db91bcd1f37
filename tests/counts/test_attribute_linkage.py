from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.catalog import ATTACKS
from discreet.counts import AttributeLinkage, Known
from discreet.errors import ParameterError
from discreet.verify import verify
from tests.verify.leakages import boundary_closed, containers, leakages, released, subsets

families = st.sets(st.frozensets(st.sampled_from("abcdef")), max_size=10)
# beyond 20 items a table over all sets gives way to an index
fillers = st.sampled_from([0, 30])


def attacked(release, *known, **choices):
    return AttributeLinkage(**choices).attack([release], Known(items=known))


@given(families, fillers)
def test_every_leakage_is_claimed_once(family, fillers):
    rows = sorted(family, key=sorted)
    findings = attacked(released(rows, fillers=fillers), all_subsets=True)
    claimed = Counter(
        (frozenset(claim.known), frozenset(claim.known + claim.inferred), claim.row)
        for claim in findings.claims
    )
    truth = {(known, held, rows.index(held)) for known, held in leakages(family).items()}
    assert claimed == Counter(truth)


@given(families, fillers)
def test_claims_are_the_missing_boundaries(family, fillers):
    findings = attacked(released(family, fillers=fillers))
    claimed = {(frozenset(claim.known), *claim.inferred) for claim in findings.claims}
    truth = {
        (known, *(held - known))
        for known, held in leakages(family).items()
        if len(held - known) == 1
    }
    assert claimed == truth
    assert findings.summary["leaks"] == len(findings) == len(truth)
    assert findings.summary["maximal"] == sum(len(containers(s, family)) == 1 for s in family)
    assert (len(findings) == 0) == verify(released(family)).by_parts


@given(families, fillers)
def test_knowledge_gives_what_all_candidates_share(family, fillers):
    release = released(family, fillers=fillers)
    for known in filter(None, subsets("abcdef")):
        fitting = containers(known, family)
        shared = frozenset.intersection(*fitting) - known if fitting else frozenset()
        findings = attacked(release, *sorted(known))
        assert {item for claim in findings.claims for item in claim.inferred} == shared
        assert len(findings) == bool(shared)
        assert findings.summary["candidates"] == len(fitting)


@given(families)
def test_nothing_is_certain_where_nothing_leaks(family):
    release = released(boundary_closed(family))
    assert len(attacked(release)) == 0
    assert not any(len(attacked(release, *known)) for known in subsets("abcdef") if known)


def test_worst_claims_come_first():
    release = released([{"a", "b"}, {"c", "d"}, {"e"}], [3, 9, 5])
    assert [(claim.people, claim.row) for claim in attacked(release).claims] == [
        (9, 1),
        (9, 1),
        (3, 0),
        (3, 0),
    ]
    assert attacked(release).summary["people_affected"] == 12


def test_less_knowledge_comes_first_among_the_same_people():
    release = released([{"a", "b"}, {"c"}])
    known = [claim.known for claim in attacked(release, all_subsets=True).claims]
    assert known == [("b",), ("a",)]
    three = released([{"a", "b", "c"}])
    known = [claim.known for claim in attacked(three, all_subsets=True).claims]
    assert [len(items) for items in known] == [0, 1, 1, 1, 2, 2, 2]


def test_lone_itemset_is_given_away_to_anyone():
    (claim,) = attacked(released([{"a"}], [4])).claims
    assert (claim.known, claim.inferred, claim.people) == ((), ("a",), 4)


def test_one_candidate_gives_all_its_items():
    findings = attacked(released([{"a", "b", "c"}, {"b"}], [7, 2]), "c")
    (claim,) = findings.claims
    assert (claim.known, claim.inferred, claim.row, claim.people) == (("c",), ("a", "b"), 0, 7)
    assert findings.summary["outcome"] == "one itemset fits: the person holds all of it"


def test_all_candidates_agree_on_an_item():
    findings = attacked(released([{"a", "b"}, {"a", "b", "c"}, {"b"}], [2, 7, 1]), "a")
    (claim,) = findings.claims
    assert (claim.inferred, claim.row, claim.people) == (("b",), 1, 9)
    assert findings.summary["outcome"] == "2 itemsets fit, and all of them hold the inferred items"


@pytest.mark.parametrize(
    ("known", "outcome"),
    [
        (("z", "a"), "nothing fits: items known that are not in the release: 1"),
        (("b", "c"), "nothing fits: no published itemset holds all that is known"),
        (("c", "d"), "one itemset fits, and holds nothing further"),
        (
            ("a",),
            "2 itemsets fit and share nothing further: no item follows with certainty",
        ),
    ],
)
def test_no_claim_without_certainty(known, outcome):
    findings = attacked(released([{"a", "b"}, {"a", "d"}, {"c", "d"}]), *known)
    assert findings.claims == ()
    assert findings.summary["outcome"] == outcome


def test_item_known_twice_counts_once():
    assert len(attacked(released([{"a", "b"}, {"c"}]), "a", "a")) == 1


def test_copied_row_hides_nothing():
    copied = released([{"a", "b", "c"}, {"a", "b", "c"}, {"d"}], [3, 2, 1])
    assert [claim.row for claim in attacked(copied).claims] == [0, 0, 0, 1, 1, 1]
    everything = attacked(copied, all_subsets=True)
    assert Counter(claim.row for claim in everything.claims) == {0: 6, 1: 6}
    (claim,) = attacked(copied, "a").claims
    assert (claim.inferred, claim.people) == (("b", "c"), 5)


def test_releases_are_told_apart():
    leaking, safe = released([{"a", "b"}], [3]), released([{"a"}, set()], [5, 2])
    findings = AttributeLinkage().attack([safe, leaking], Known())
    assert {claim.release for claim in findings.claims} == {2}
    assert findings.summary["people"] == 10
    assert findings.summary["leaks"] == 2
    linked = AttributeLinkage().attack([safe, leaking], Known(items=("a",)))
    assert [(claim.release, claim.inferred) for claim in linked.claims] == [(2, ("b",))]
    assert linked.summary["outcome"].count(";") == 1


def test_worst_release_comes_first():
    one, other = released([{"a", "b"}], [3]), released([{"a", "b"}], [5])
    findings = AttributeLinkage().attack([one, other], Known())
    assert [claim.release for claim in findings.claims] == [2, 2, 1, 1]


def test_nothing_released_gives_nothing_away():
    assert len(attacked(released([]))) == 0
    assert len(AttributeLinkage().attack([], Known())) == 0


@pytest.mark.parametrize("all_subsets", [False, True])
def test_limit_keeps_the_worst_and_says_so(all_subsets):
    release = released([{"a", "b", "c"}, {"d", "e", "f"}], [1, 2])
    findings = attacked(release, all_subsets=all_subsets, limit=2)
    assert [claim.row for claim in findings.claims] == [1, 1]
    assert "more than 2 leakages" in findings.summary["stopped"]


@pytest.mark.parametrize("limit", [6, 12, 13])
def test_walk_to_the_end_does_not_say_it_stopped(limit):
    release = released([{"a", "b", "c"}, {"d", "e", "f"}])
    everything = 2 * (3 + 3)
    findings = attacked(release, all_subsets=True, limit=limit)
    assert len(findings) == min(limit, everything)
    assert ("stopped" in findings.summary) == (limit < everything)


def test_limit_must_allow_a_claim():
    with pytest.raises(ParameterError, match="limit must be at least 1, got 0"):
        AttributeLinkage(limit=0)


def test_attack_is_on_offer():
    assert AttributeLinkage in [offered.method for offered in ATTACKS]
