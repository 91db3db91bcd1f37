from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.findings import Claim, Findings
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.measure import score, split
from discreet.rng import seeded

ITEMS = "abcde"
records = st.lists(st.frozensets(st.sampled_from(ITEMS)), max_size=12)
claims = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(ITEMS + "z"), max_size=3),
        st.frozensets(st.sampled_from(ITEMS + "z"), min_size=1, max_size=2),
        st.sampled_from([0.5, 0.9, 1.0]),
    ),
    max_size=6,
)
# beyond 20 items an index takes the place of the table over all sets
universes = st.sampled_from([0, 30]).map(lambda more: [*ITEMS, *map(str, range(more))])


def found(*pairs):
    return Findings(
        attack="any",
        claims=tuple(
            Claim(
                row=0,
                known=tuple(sorted(known)),
                inferred=tuple(sorted(inferred)),
                confidence=confidence,
                people=1,
            )
            for known, inferred, confidence in pairs
        ),
    )


def mean_over_people(people, pairs, value):
    """Everyone whom a claim is about counts once, with the mean over the claims about them."""
    means = []
    for held in people:
        about = [value(held, pair) for pair in pairs if pair[0] <= held]
        if about:
            means.append(sum(about) / len(about))
    return (sum(means) / len(means) if means else 0.0), len(means)


@given(records, records, claims, universes)
def test_score_by_asking_everyone(people, others, pairs, universe):
    truth, control = (Transactions.of(part, universe=universe) for part in (people, others))
    scored = score(found(*pairs), truth, control)

    def right(held, pair):
        return pair[1] <= held

    def base(_, pair):
        return sum(pair[1] <= held for held in people) / len(people)

    share, many = mean_over_people(people, pairs, right)
    assert (scored.success.share, scored.success.people) == (pytest.approx(share), many)
    share, many = mean_over_people(others, pairs, right)
    assert (scored.figures["control"].share, scored.figures["control"].people) == (
        pytest.approx(share),
        many,
    )
    assert scored.baseline.share == pytest.approx(mean_over_people(people, pairs, base)[0])
    claimed = mean_over_people(people, pairs, lambda _, pair: pair[2])[0]
    assert scored.figures["claimed"] == pytest.approx(claimed)
    assert scored.claims == len(pairs)
    assert scored.figures["tested"] == sum(
        any(pair[0] <= held for held in people) for pair in pairs
    )


def test_interval_covers_the_truth():
    # the claim is right about one in four of the population: 95 in 100 samples should say so
    claim = found((frozenset("a"), frozenset("b"), 1.0))
    hit = 0
    for seed in range(300):
        holds = seeded(seed).integers(4, 60) == 0
        people = Transactions.of([["a", "b"] if each else ["a"] for each in holds])
        success = score(claim, people).success
        hit += success.low <= 0.25 <= success.high
    assert abs(hit / 300 - 0.95) < 4 * sqrt(0.05 * 0.95 / 300)


def test_control_tells_the_population_from_taking_part():
    pairs = [(frozenset("a"), frozenset("b"), 1.0)]
    same = Transactions.of([["a", "b"]] * 90 + [["a"]] * 10)
    unlike = Transactions.of([["a", "b"]] * 10 + [["a"]] * 90)
    adds = score(found(*pairs), same, same).figures["by_taking_part"]
    assert adds["low"] < 0 < adds["high"]
    adds = score(found(*pairs), same, unlike).figures["by_taking_part"]
    assert adds["low"] > 0.65
    assert adds["high"] < 0.9


def test_a_score_without_control_says_so():
    scored = score(found(), Transactions.of([["a"]]))
    assert set(scored.record()) == {"claims", "tested", "claimed", "success", "baseline"}


def test_record_holds_every_number():
    data = Transactions.of([["a", "b"]] * 3 + [["a"]])
    record = score(found((frozenset("a"), frozenset("b"), 0.5)), data, data).record()
    assert record["success"]["share"] == record["control"]["share"] == 0.75
    assert record["by_taking_part"]["share"] == 0.0
    assert record["claimed"] == 0.5
    assert set(record["baseline"]) == {"share", "low", "high", "people"}


def test_split_parts_people_without_losing_any():
    data = Transactions(
        Transactions.of([[str(number)] for number in range(101)]).sets,
        ids=np.arange(101).astype(str),
        sensitive=frozenset({"7"}),
    )
    taking_part, control = split(data, seeded(1), control="1/4")
    assert (len(taking_part), len(control)) == (76, 25)
    assert sorted([*taking_part, *control]) == sorted(data)
    assert sorted([*taking_part.ids, *control.ids]) == sorted(data.ids)
    assert control.sensitive == {"7"}
    # at random, and the same under a seed
    assert list(control) != list(split(data, seeded(2), control="1/4")[1])
    assert list(control) == list(split(data, seeded(1), control="1/4")[1])


@pytest.mark.parametrize("control", [-1, "1.01"])
def test_share_of_the_control_group_is_checked(control):
    with pytest.raises(ParameterError, match=f"share from 0 to 1, got {control}"):
        split(Transactions.of([]), seeded(1), control=control)
