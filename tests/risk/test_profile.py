import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.transactions import Transactions
from discreet.counts import AttributeLinkage, Known
from discreet.errors import ParameterError
from discreet.risk import Population, profile
from tests.releases import as_released

records = st.lists(st.frozensets(st.sampled_from("abcdef")), max_size=15)
KNOWING = (
    "people",
    "share_alone",
    "share_below_5",
    "median_fitting",
    "mean_risk",
    "share_further_item_certain",
    "share_alone_by_worst",
    "share_below_5_by_worst",
)


def test_profile_counts_what_is_in_the_data():
    data = Transactions.of([["a", "b"]] * 3 + [["a"]] * 2 + [["c", "d", "e"], [], []])
    numbers = profile(data)
    _, knowing_2, knowing_3, knowing_4, _ = (numbers.pop(f"knowing_{i}") for i in range(1, 6))
    whole, threats = numbers.pop("whole_set"), numbers.pop("wp29")
    assert numbers == {
        "records": 8,
        "empty_records": 2,
        "distinct_sets": 4,
        "items": 5,
        "length_mean": 11 / 8,
        "length_median": 1.5,
        "length_max": 3,
        "unique_records_share": 1 / 8,
        "maximal_sets": 2,
        # {b} leads to a; each pair of c, d, e leads to the third
        "missing_boundaries": 4,
        "people_with_missing_boundary": 4,
    }
    assert knowing_2["people"] == 4
    # one in four of those people is alone with any two items, and gives away the third
    assert knowing_2["share_alone"] == pytest.approx(1 / 4, abs=0.03)
    assert knowing_2["share_further_item_certain"] == knowing_2["share_alone"]
    assert knowing_2["share_below_5"] == 1.0
    assert knowing_2["median_fitting"] == 3.0
    assert knowing_3 == dict(zip(KNOWING, (1, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0), strict=True))
    assert knowing_4["people"] == 0
    # sets of 3, 2, 2 and 1 people
    assert whole["prosecutor"] == {
        "highest": 1.0, "mean": 4 / 8, "share_above_20_percent": 1.0,
    }  # fmt: skip
    assert [each["share"] for each in threats.values()] == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("fillers", [0, 30])
def test_table_and_index_profile_alike(fillers):
    sets = [["a", "b", "c"], ["a", "b", "d"], ["a", "b"], ["c", "d", "e", "f"], ["e", "f"]] * 2
    universe = [*"abcdef", *map(str, range(fillers))]
    numbers = profile(Transactions.of([*sets, ["a", "f"]], universe=universe))
    expected = profile(Transactions.of([*sets, ["a", "f"]], universe=list("abcdef")))
    assert numbers == expected | {"items": 6 + fillers}


@given(records)
def test_leaks_are_those_the_attack_finds(people):
    data = Transactions.of(people)
    release = as_released(data.folded)
    found = AttributeLinkage().attack([release], Known()).summary
    numbers = profile(data)
    assert numbers["maximal_sets"] == found["maximal"]
    assert numbers["missing_boundaries"] == found["leaks"]
    assert numbers["people_with_missing_boundary"] == found["people_affected"]


@given(records)
def test_profile_holds_finite_numbers_only(people):
    json.dumps(profile(Transactions.of(people)), allow_nan=False)


def test_profile_repeats_itself():
    data = Transactions.of([["a", "b", "c"], ["b", "c", "d"], ["a", "d"]])
    assert profile(data) == profile(data)


def test_who_holds_too_little_is_not_asked():
    numbers = profile(Transactions.of([["a"], ["b"], []]))
    assert numbers["knowing_2"] == dict(zip(KNOWING, (0, *[0.0] * 7), strict=True))


def test_knowledge_is_a_uniform_choice_of_the_persons_items():
    # one person; of the three pairs only {a, b} is also held by five others
    data = Transactions.of([["a", "b", "c"]] + [["a", "b"]] * 5)
    numbers = profile(data)["knowing_2"]
    assert numbers["people"] == 6
    assert numbers["share_alone"] == pytest.approx(1 / 6 * 2 / 3, abs=0.02)


def test_a_population_table_is_for_tables():
    with pytest.raises(ParameterError, match="is counted for tables"):
        profile(Transactions.of([["a"]]), Population(table=pl.DataFrame({"a": ["b"]})))
