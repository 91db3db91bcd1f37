from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.catalog import ATTACKS
from discreet.counts import AttributeLinkage, Known, ProbabilisticLinkage
from discreet.errors import ParameterError
from discreet.verify import verify
from tests.papers.worked_examples.test_retail_example import TABLE_1B, TABLE_5, published
from tests.verify.leakages import boundary_closed, leakages, released

histograms = st.dictionaries(
    st.frozensets(st.sampled_from("abcdef")), st.integers(1, 40), max_size=10
)
# beyond 20 items a table over all sets gives way to an index
fillers = st.sampled_from([0, 30])
thresholds = st.sampled_from(["0", "1/3", "0.5", "0.9", "0.999999"])


def attacked(release, *known, **choices):
    return ProbabilisticLinkage(**choices).attack([release], Known(items=known))


def people(counts, wanted):
    return sum(count for held, count in counts.items() if wanted <= held)


def confident_boundaries(counts, above):
    """Every (known, item, confidence, people) by the definition."""
    found = []
    for held in counts:
        for item in held if len(held) >= 2 else ():
            both, known = people(counts, held), people(counts, held - {item})
            if Fraction(both, known) > Fraction(above):
                found.append((held - {item}, item, both / known, known))
    return found


@given(histograms, fillers, thresholds)
def test_search_finds_every_confident_boundary(counts, fillers, above):
    release = released(counts, counts.values(), fillers=fillers)
    findings = attacked(release, above=above)
    claimed = [
        (frozenset(claim.known), *claim.inferred, claim.confidence, claim.people)
        for claim in findings.claims
    ]
    expected = confident_boundaries(counts, above)
    assert Counter(claimed) == Counter(expected)
    assert findings.summary["inferences"] == len(expected)
    affected = {known | {item} for known, item, *_ in expected}
    able = sum(count for held, count in counts.items() if len(held) >= 2)
    assert findings.summary["people_with_two_items"] == able
    assert findings.summary["people_affected"] == sum(counts[held] for held in affected)
    assert findings.summary["share_affected"] == pytest.approx(
        findings.summary["people_affected"] / max(1, able)
    )


@given(histograms, fillers)
def test_claims_point_to_the_row_and_come_worst_first(counts, fillers):
    rows = list(counts)
    findings = attacked(released(rows, counts.values(), fillers=fillers), above=0)
    for claim in findings.claims:
        assert rows[claim.row] == {*claim.known, *claim.inferred}
    ranks = [(-claim.confidence, -claim.people) for claim in findings.claims]
    assert ranks == sorted(ranks)
    best = findings.summary["highest_confidence"]
    assert best == max((claim.confidence for claim in findings.claims), default=0.0)


@given(histograms, fillers, st.frozensets(st.sampled_from("abcdef"), min_size=1), thresholds)
def test_knowledge_gives_the_share_of_those_who_fit(counts, fillers, known, above):
    findings = attacked(
        released(counts, counts.values(), fillers=fillers), *sorted(known), above=above
    )
    fitting = people(counts, known)
    shares = {
        item: Fraction(people(counts, known | {item}), fitting)
        for item in set("abcdef") - known
        if fitting
    }
    claimed = {claim.inferred[0]: claim.confidence for claim in findings.claims}
    assert claimed == {
        item: float(share) for item, share in shares.items() if share > Fraction(above)
    }
    assert findings.summary["candidate_people"] == fitting
    assert findings.summary["highest_confidence"] == float(max(shares.values(), default=0))
    for claim in findings.claims:
        assert known | set(claim.inferred) <= list(counts)[claim.row]
        assert claim.people == fitting


@given(histograms, fillers)
def test_what_is_certain_is_likely_too(counts, fillers):
    release = released(counts, counts.values(), fillers=fillers)
    certain = {
        (claim.known, claim.inferred)
        for claim in AttributeLinkage().attack([release], Known()).claims
        # knowing nothing is not among the boundaries looked at here
        if claim.known
    }
    likely = {
        (claim.known, claim.inferred)
        for claim in attacked(release).claims
        if claim.confidence == 1.0
    }
    assert certain <= likely


def test_table_5_is_free_of_leakages_and_not_safe():
    release = published(TABLE_5)
    assert leakages(row.split() for row in TABLE_5) == {}
    assert verify(release).by_parts is True
    assert AttributeLinkage(all_subsets=True).attack([release], Known()).claims == ()
    findings = attacked(release)
    # counts of 2, 3 and 1 stand beside 23: 23/25, 23/26 (below 0.9) and 23/24
    assert [(c.inferred, c.confidence) for c in findings.claims if c.row == 0] == [
        (("scissor",), 23 / 24),
        (("beer",), 23 / 25),
    ]
    # who buys scissor and toothpaste buys beer: 31 of 33
    likely = {(frozenset(c.known), *c.inferred): c.confidence for c in findings.claims}
    assert likely[frozenset({"scissor", "toothpaste"}), "beer"] == 31 / 33
    assert findings.summary["share_affected"] > 0.8


def test_eve_still_learns_that_alice_bought_beer():
    knows = ("toothpaste", "scissor", "hanger")
    (claim,) = attacked(published(TABLE_5), *knows).claims
    assert (claim.inferred, claim.confidence, claim.people) == (("beer",), 0.92, 25)
    assert claim.row == 0
    (certain,) = attacked(published(TABLE_1B), *knows).claims
    assert (certain.inferred, certain.confidence) == (("beer",), 1.0)


@given(histograms.filter(bool), st.integers(1, 3))
def test_boundaries_with_small_counts_protect_nobody(counts, added):
    closed = boundary_closed(counts)
    filled = {held: counts.get(held, added) for held in closed}
    top = max(filled, key=len)
    # nothing contains the largest set: a count of 100 times what was added beside it decides
    filled[top] = 100 * sum(count for held, count in filled.items() if held != top) + 1
    findings = attacked(released(filled, filled.values()), above="0.98")
    assume(len(top) >= 2)
    assert findings.summary["people_affected"] >= filled[top]


def test_threshold_is_exact():
    release = released([{"a", "b"}, {"a"}], [9, 1])
    claimed = [(claim.known, claim.inferred) for claim in attacked(release, above="0.9").claims]
    # of those who hold a, exactly nine in ten hold b: not more
    assert claimed == [(("b",), ("a",))]
    assert len(attacked(release, above="0.899999")) == 2


def test_large_counts_do_not_overflow():
    release = released([{"a", "b"}, {"a"}], [10**12, 1])
    assert len(attacked(release, above="0.999999")) == 2


def test_limit_keeps_the_worst_and_says_so():
    release = released([{"a", "b"}, {"c", "d"}, {"c"}], [3, 99, 1])
    findings = attacked(release, limit=2)
    assert [claim.confidence for claim in findings.claims] == [1.0, 1.0]
    assert [claim.people for claim in findings.claims] == [99, 3]
    assert findings.summary["inferences"] == 4
    assert "more than 2 inferences" in findings.summary["stopped"]
    assert "stopped" not in attacked(release, limit=4).summary


def test_several_releases_are_summed_up():
    one, other = released([{"a", "b"}], [3]), released([{"c", "d"}, {"c"}, {"d"}], [1, 1, 1])
    findings = ProbabilisticLinkage().attack([other, one], Known())
    assert {claim.release for claim in findings.claims} == {2}
    assert findings.summary["itemsets"] == 4
    assert findings.summary["highest_confidence"] == 1.0
    assert findings.summary["share_affected"] == pytest.approx(3 / 4)
    linked = ProbabilisticLinkage().attack([other, one], Known(items=("c",)))
    assert linked.summary["likeliest_item"] == "d; none: no published itemset tells more"


def test_no_release_gives_nothing_away():
    assert len(ProbabilisticLinkage().attack([], Known())) == 0
    assert len(attacked(released([]))) == 0
    assert attacked(released([{"a"}, {"b"}])).summary["share_affected"] == 0.0


def test_unknown_items_fit_nobody():
    findings = attacked(released([{"a", "b"}]), "z")
    assert findings.claims == ()
    assert findings.summary["candidates"] == 0


@pytest.mark.parametrize("above", [-1, 1, "1.5"])
def test_threshold_is_checked(above):
    with pytest.raises(ParameterError, match=f"above must be .* got {above}"):
        ProbabilisticLinkage(above=above)


def test_limit_must_allow_a_claim():
    with pytest.raises(ParameterError, match="limit must be at least 1, got 0"):
        ProbabilisticLinkage(limit=0)


def test_attack_is_on_offer():
    assert ProbabilisticLinkage in [offered.method for offered in ATTACKS]


def test_a_known_thinning_is_divided_out():
    counts = {frozenset("ab"): 81, frozenset("a"): 19, frozenset("b"): 40}
    release = released(counts, counts.values())
    (claim,) = ProbabilisticLinkage(above="0.85", thinning="0.1").attack(release).claims
    assert (claim.known, claim.inferred) == (("a",), ("b",))
    assert claim.confidence == pytest.approx(0.9)
    assert ProbabilisticLinkage(above="0.85").attack(release).claims == ()
    asked = Known(items=("a",))
    assert ProbabilisticLinkage(above="0.85", thinning="0.1").attack(release, asked).claims


@given(st.integers(1, 400), st.sampled_from(["0.9", "0.8", "1/2"]))
def test_what_stands_at_a_bound_is_claimed_and_nothing_below(both, tau):
    # as many people as are needed to keep the bound, and one more than that
    enough = -(-both * Fraction(tau).denominator // Fraction(tau).numerator)
    for known, stands in ((enough, True), (enough + 1, False)):
        counts = {"ab": both, "a": known - both, "b": 2 * both + 9}
        kept = {frozenset(held): count for held, count in counts.items() if count}
        release = released(kept, kept.values())
        claims = ProbabilisticLinkage(above="0.999", bound=tau).attack(release).claims
        assert (("a",) in {claim.known for claim in claims}) is stands


@pytest.mark.parametrize("people", [3_000, 10**17])
@pytest.mark.parametrize("below", ["1/3", "0.3333333333333333", f"0.{'3' * 40}"])
def test_bounds_of_any_digits_are_compared_with_counts_of_any_size(people, below):
    counts = {frozenset(held): people for held in ("ab", "a", "b", "")}
    release = released(counts, counts.values())
    # an item follows from the other with confidence a half
    assert len(ProbabilisticLinkage(above="0.9", bound=below).attack(release).claims) == 2
    assert len(ProbabilisticLinkage(above=below).attack(release).claims) == 2
    above = f"0.5{'0' * 25}1"
    assert ProbabilisticLinkage(above=above, bound="0.9").attack(release).claims == ()


@pytest.mark.parametrize("wrong", [{"thinning": 1}, {"thinning": "-0.1"}, {"bound": 0}])
def test_a_thinning_or_bound_out_of_range_is_refused(wrong):
    with pytest.raises(ParameterError, match=f"{next(iter(wrong))} must be"):
        ProbabilisticLinkage(**wrong)
