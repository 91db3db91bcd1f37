from fractions import Fraction
from math import exp, inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.transactions import Transactions
from discreet.counts.interactive_linkage import Guess, InteractiveLinkage
from discreet.counts.queries.query import Query
from discreet.counts.query_server import QueryServer
from discreet.errors import ParameterError
from discreet.rng import seeded
from tests.rng.laws import laplace_law

KNOWS = ("toothpaste", "scissor", "hanger")
ALICE = Guess(items=KNOWS, guess="beer")
RULES = ("at-most-0", "equal-0")
GAMMAS = ("1/2", "2/3", "0.75", "0.9", "0.95", "0.99")


def shop(alone, both):
    return Transactions.of([KNOWS] * alone + [(*KNOWS, "beer")] * both)


def scripted(told):
    return lambda _: told.pop()


def test_the_two_questions():
    asked = []
    InteractiveLinkage(epsilon="1/2").attack(lambda query: asked.append(query) or 0, ALICE)
    assert asked == [
        Query(items=KNOWS, exactly=True, epsilon="1/2"),
        Query(items=(*KNOWS, "beer"), epsilon="1/2"),
    ]


@pytest.mark.parametrize(
    ("answers", "concluded", "by_paper"),
    [((0, 5), True, True), ((-2, 5), True, False), ((1, 5), False, False), ((0, 0), False, False)],
)
def test_the_conclusion(answers, concluded, by_paper):
    for rule, expected in zip(RULES, (concluded, by_paper), strict=True):
        told = list(reversed(answers))
        findings = InteractiveLinkage(epsilon=1, nobody=rule).attack(scripted(told), ALICE)
        assert len(findings) == expected
        assert tuple(findings.summary.values()) == (*answers, 2)
        for claim in findings.claims:
            assert (claim.known, claim.inferred, claim.people) == (KNOWS, ("beer",), answers[1])


@pytest.mark.parametrize("rule", RULES)
@given(alone=st.integers(0, 8), both=st.integers(0, 8))
def test_probability_by_adding_up_the_law(rule, alone, both):
    attack = InteractiveLinkage(epsilon="0.7", nobody=rule)
    law = laplace_law(0.7)
    none = sum(p for x, p in law.items() if attack.succeeds(alone + x, 1))
    some = sum(p for x, p in law.items() if both + x > 0)
    assert attack.success_probability(alone, both) == pytest.approx(none * some, rel=1e-9)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("alone", "both"), [(0, 20), (0, 1), (2, 18)])
def test_success_rate_over_many_runs(rule, alone, both):
    runs = 4_000
    attack = InteractiveLinkage(epsilon=1, nobody=rule)
    server = QueryServer(shop(alone, both), 2 * runs, seeded(alone + both))
    rate = sum(len(attack.attack(server, ALICE)) for _ in range(runs)) / runs
    expected = attack.success_probability(alone, both)
    assert abs(rate - expected) < 5 * sqrt(expected * (1 - expected) / runs)
    # each run has cost two queries, and the budget is gone
    assert server.left == 0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("epsilon", ["0.1", "1", "2"])
@pytest.mark.parametrize("gamma", GAMMAS)
def test_one_record_never_amplifies_beyond_epsilon(rule, epsilon, gamma):
    found = InteractiveLinkage(epsilon=epsilon, nobody=rule).amplification(gamma, 3)
    bound = exp(Fraction(epsilon))
    assert found.one_record <= bound * (1 + 1e-9)
    # and the correlation has nothing to do with it
    assert found.one_record == pytest.approx(bound)


@pytest.mark.parametrize("gamma", GAMMAS)
def test_the_printed_pair_differs_in_many_records(gamma):
    found = InteractiveLinkage(epsilon=1).amplification(gamma, 3)
    assert found.records == 1 / (1 - Fraction(gamma))
    assert found.paper == pytest.approx(exp(found.records))
    # even between data sets so far apart the conclusion is not much likelier than exp(epsilon)
    assert found.printed_pair < exp(1) * 1.05


def test_the_paper_s_example():
    found = InteractiveLinkage(epsilon=1).amplification("0.9", 2)
    assert found.paper == pytest.approx(exp(10))
    assert found.one_record == pytest.approx(exp(1))
    assert found.records == 10


def test_people_with_another_item_are_in_neither_answer():
    # everybody with Q holds wine, nobody but one beer; yet both questions say beer follows
    people = Transactions.of([(*KNOWS, "wine")] * 50 + [(*KNOWS, "beer")] * 9)
    attack = InteractiveLinkage(epsilon=4)
    server = QueryServer(people, 8 * 50, seeded(3))
    rate = sum(len(attack.attack(server, ALICE)) for _ in range(50)) / 50
    assert rate > 0.9


@pytest.mark.parametrize(("gamma", "alone"), [("0.7", 1), (0, 1), (1, 1), ("0.9", 0)])
def test_amplification_needs_whole_people(gamma, alone):
    with pytest.raises(ParameterError, match=f"got {gamma} and {alone}"):
        InteractiveLinkage(epsilon=1).amplification(gamma, alone)


def test_epsilon_is_checked():
    with pytest.raises(ParameterError, match="epsilon must be above 0, got 0"):
        InteractiveLinkage(epsilon=0)


@pytest.mark.parametrize("nobody", ["at-most-0", "equal-0"])
@pytest.mark.parametrize("alone", [300, 2000])
def test_amplification_holds_where_the_probabilities_are_tiny(nobody, alone):
    found = InteractiveLinkage(epsilon=5, nobody=nobody).amplification("0.9", alone)
    assert found.one_record == pytest.approx(exp(5))
    assert InteractiveLinkage(epsilon=5000).amplification("0.9", alone).paper == inf


def test_what_is_known_is_no_guess():
    with pytest.raises(ParameterError, match="guess must be an item that is not known already"):
        Guess(items=KNOWS, guess=KNOWS[0])
