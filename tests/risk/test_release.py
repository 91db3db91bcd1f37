"""Risks of releases of every kind, from the release alone."""

from math import exp

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Transactions
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import DifferentialPrivacy, KAnonymity
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.projected_tables import ProjectedTables
from discreet.core.synthetic_people import SyntheticPeople
from discreet.errors import DataError
from discreet.risk import release_risk, sets_risk
from discreet.risk.release import bounded_by_epsilon, occurring, posterior_at_most
from discreet.rng import seeded
from tests.releases import as_released


def test_rows_made_with_noise_are_nobodys() -> None:
    content = ItemsetHistogram.of({("a",): 1})
    told = release_risk(as_released(content, DifferentialPrivacy(epsilon=1)))
    assert "prosecutor" not in told
    assert told["taking_part"]["posterior_at_most"][2]["prior"] == 0.5


def test_a_promise_of_noise_hides_no_row_of_a_table() -> None:
    table = pl.DataFrame({"age": ["30", "41"], "job": ["spy", "cook"]})
    content = ProjectedTables((table,), {"age": pl.DataFrame()})
    told = release_risk(as_released(content, DifferentialPrivacy(epsilon=1)))
    assert told["prosecutor"]["highest"] == 1.0


def test_of_several_tables_the_worst_counts() -> None:
    fine = pl.DataFrame({"age": ["3*", "4*", "4*"], "job": ["spy", "cook", "nurse"]})
    rough = pl.DataFrame({"age": ["*"] * 3, "ill=flu": [1] * 3, "ill=gout": [0, 1, 0]})
    content = ProjectedTables((rough, fine), {"age": pl.DataFrame()})
    told = release_risk(as_released(content, KAnonymity(k=1)))
    assert told["prosecutor"]["highest"] == 1.0
    assert told["classes"] == 2
    assert set(told["attributes"]) == {"job", "ill"}
    assert told["attributes"]["ill"]["values"] == 2
    assert told["wp29"]["inference"]["share"] == pytest.approx(1 / 3)


def test_of_values_in_several_tables_the_worst_counts() -> None:
    ages = ["3*", "3*", "4*", "4*"]
    told_of = pl.DataFrame({"age": ages, "ill=flu": [1, 1, 0, 0], "ill=hay": [1, 0, 0, 0]})
    hidden = pl.DataFrame({"age": ages, "ill=gout": [1, 0, 1, 0]})
    content = ProjectedTables((told_of, hidden), {"age": pl.DataFrame()})
    told = release_risk(as_released(content, KAnonymity(k=2)))["attributes"]["ill"]
    assert (told["values"], told["l"], told["t"]) == (3, 1, 0.5)
    assert (told["share_value_certain"], told["guessed_right"]) == (0.5, 0.75)
    # ones and zeros of several columns are no number that could be ranked
    assert "t_ordered" not in told


def test_an_equals_sign_in_a_name_makes_no_value_of_an_attribute() -> None:
    table = pl.DataFrame({"age": ["*"] * 2, "a=b": ["x", "y"], "a=c": ["z", "z"]})
    content = ProjectedTables((table,), {"age": pl.DataFrame()})
    told = release_risk(as_released(content, KAnonymity(k=2)))["attributes"]
    assert set(told) == {"a=b", "a=c"}


def test_tables_without_a_row_are_not_counted() -> None:
    empty = pl.DataFrame({"age": [], "job": []}, schema={"age": pl.String, "job": pl.String})
    told = release_risk(as_released(ProjectedTables((empty,), {"age": pl.DataFrame()})))
    assert told["not_counted"] == "No row was published."


def test_a_network_is_at_risk_by_degrees() -> None:
    told = release_risk(as_released(Network.of_edges(4, [(0, 1), (0, 2), (0, 3)])))
    assert told["prosecutor"] == {
        "highest": 1.0, "mean": 2 / 4, "share_above_20_percent": 1.0,
    }  # fmt: skip


def test_counts_and_rows_of_the_same_people_are_at_the_same_risk() -> None:
    people = Transactions.of([["a", "b"]] * 3 + [["b"], ["a", "b", "c"]])
    rows, counts = (as_released(content) for content in (people, people.folded))
    assert release_risk(rows) == release_risk(counts)
    assert release_risk(rows)["knowing_2"] == sets_risk(people.folded)["knowing_2"]


def test_hidden_items_are_known_as_published() -> None:
    hidden = GeneralisedSets.of([[["a", "b"]]] * 5 + [[["a", "b"], ["c"]]])
    told = release_risk(as_released(hidden))
    assert told["knowing_1"]["share_alone_by_worst"] == pytest.approx(1 / 6)


shares = st.floats(0.001, 0.999)


@given(shares, st.floats(0, 8), shares)
def test_no_answer_of_a_private_method_tells_more(
    prior: float, epsilon: float, rare: float
) -> None:
    likely = min(1, rare * exp(epsilon))
    posterior = prior * likely / (prior * likely + (1 - prior) * rare)
    assert posterior <= posterior_at_most(prior, epsilon) + 1e-12


@given(st.floats(0.01, 8))
def test_randomised_response_reaches_the_bounds(epsilon: float) -> None:
    """Tell the truth with probability e^eps / (1 + e^eps): the best that epsilon allows."""
    truth = exp(epsilon) / (1 + exp(epsilon))
    told = bounded_by_epsilon([DifferentialPrivacy(epsilon=epsilon, neighbours="replace")])
    assert posterior_at_most(0.5, epsilon) == pytest.approx(truth)
    assert told["a_value_of_theirs"]["advantage_at_most"] == pytest.approx(2 * truth - 1)


def test_another_value_is_two_steps_where_records_come_and_go() -> None:
    one = bounded_by_epsilon([DifferentialPrivacy(epsilon="1/2")])
    assert one["taking_part"]["factor_at_most"] == pytest.approx(exp(0.5))
    assert one["a_value_of_theirs"]["factor_at_most"] == pytest.approx(exp(1))


def test_epsilons_add_up_and_may_be_huge() -> None:
    two = [DifferentialPrivacy(epsilon=1), DifferentialPrivacy(epsilon=100_000)]
    told = bounded_by_epsilon(two)
    assert told["epsilon"] == 100_001
    assert told["taking_part"]["factor_at_most"] is None
    assert told["taking_part"]["advantage_at_most"] == 1.0
    assert [each["posterior"] for each in told["taking_part"]["posterior_at_most"]] == [1.0] * 3


records = st.lists(st.sets(st.sampled_from("abcd"), max_size=3), max_size=12)


@given(records, records, records)
def test_people_with_a_set_of_their_own_are_those_by_hand(
    data: list[set[str]], others: list[set[str]], rows: list[set[str]]
) -> None:
    told = occurring(Transactions.of(rows).folded, Transactions.of(data), Transactions.of(others))
    everybody = [frozenset(each) for each in data + others]
    for name, group in (("in_the_data", data), ("in_the_control_group", others)):
        own = [each for each in group if each and everybody.count(frozenset(each)) == 1]
        hit = [each for each in own if each in rows]
        rate = told["occurring"][name]
        assert rate["people"] == len(own)
        assert rate["share"] == pytest.approx(len(hit) / max(1, len(own)))


def test_what_was_not_handed_in_is_named() -> None:
    rows, people = Transactions.of([["a"]]).folded, Transactions.of([["a"], ["b"]])
    assert "--against" in occurring(rows, None, None)["left_open"][0]
    alone = occurring(rows, people, None)
    assert "--control" in alone["left_open"][0]
    assert alone["occurring"]["in_the_data"]["share"] == 0.5


def test_a_control_group_of_the_same_people_is_refused() -> None:
    people = Transactions(Itemsets.of([["a"], ["b"]]), np.array(["1", "2"]))
    with pytest.raises(DataError, match="2 ids are in both"):
        occurring(people.folded, people, people)


def test_counts_and_made_up_people_are_at_the_same_risk() -> None:
    counts = Transactions.of([["a"], ["a"], ["b", "c"]]).folded
    promise = (DifferentialPrivacy(epsilon=1),)
    contents = (counts, SyntheticPeople.of_counts(counts, seeded(1)))
    original = Transactions.of([["b", "c"], ["d"]])
    told = [release_risk(as_released(each, *promise), original=original) for each in contents]
    assert told[0] == told[1]
    assert told[0]["occurring"]["in_the_data"]["share"] == 0.5
