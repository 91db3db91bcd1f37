import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.counts import AttributeLinkage, Known
from discreet.risk.profile import profile

records = st.lists(st.frozensets(st.sampled_from("abcdef")), max_size=15)
KNOWING = ("people", "share_alone", "share_below_5", "median_fitting", "share_further_item_certain")


def test_profile_counts_what_is_in_the_data():
    data = Transactions.of([["a", "b"]] * 3 + [["a"]] * 2 + [["c", "d", "e"], [], []])
    numbers = profile(data)
    knowing_2 = numbers.pop("knowing_2")
    knowing_3 = numbers.pop("knowing_3")
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
    assert knowing_3 == dict(zip(KNOWING, (1, 1.0, 1.0, 1.0, 0.0), strict=True))


@pytest.mark.parametrize("fillers", [0, 30])
def test_table_and_index_profile_alike(fillers):
    sets = [["a", "b", "c"], ["a", "b", "d"], ["a", "b"], ["c", "d", "e", "f"], ["e", "f"]] * 2
    universe = [*"abcdef", *map(str, range(fillers))]
    numbers = profile(Transactions.of([*sets, ["a", "f"]], universe=universe))
    expected = profile(Transactions.of([*sets, ["a", "f"]], universe="abcdef"))
    assert numbers == expected | {"items": 6 + fillers}


@given(records)
def test_leaks_are_those_the_attack_finds(people):
    data = Transactions.of(people)
    release = Release(data.folded, (), Manifest(method="none", parameters={}, randomness="none"))
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
    assert numbers["knowing_2"] == dict(zip(KNOWING, (0, 0.0, 0.0, 0.0, 0.0), strict=True))


def test_knowledge_is_a_uniform_choice_of_the_persons_items():
    # one person; of the three pairs only {a, b} is also held by five others
    data = Transactions.of([["a", "b", "c"]] + [["a", "b"]] * 5)
    numbers = profile(data)["knowing_2"]
    assert numbers["people"] == 6
    assert numbers["share_alone"] == pytest.approx(1 / 6 * 2 / 3, abs=0.02)
