"""How well counterfeits are told from people."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.clusters import Clusters
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.core.truth import with_truth
from discreet.errors import DataError
from discreet.series import Counterfeits, KnownRows
from discreet.series.counterfeit_detection import area
from tests.releases import as_released


@given(
    scores=st.lists(st.integers(0, 4), min_size=2, max_size=9),
    flags=st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_the_area_is_the_share_of_pairs_in_the_right_order(scores: Any, flags: Any) -> None:
    fake = np.array([True, False, *flags[: len(scores) - 2]])
    score = np.array(scores, dtype=float)
    pairs = [(one > two) + (one == two) / 2 for one in score[fake] for two in score[~fake]]
    assert area(score, fake) == pytest.approx(np.mean(pairs))


def release(rows: list[list[str]]) -> Release[Clusters]:
    return as_released(Clusters.of([(rows, {"s": 1})]), method="sanony", follows=())


def key_of(people: list[int]) -> KnownRows:
    table = pl.DataFrame({"row": people, "record": list(range(len(people)))})
    return KnownRows(rows=LinkageKey({"rows": table}))


def test_short_odd_sets_are_found_and_copies_of_common_ones_are_not() -> None:
    chance = np.random.default_rng(1)
    people = [[f"i{n}" for n in chance.choice(12, 5, replace=False)] for _ in range(150)]
    odd = release(people + [[f"x{n}"] for n in range(40)])
    found = Counterfeits().attack(odd, key_of(list(range(150)))).summary
    assert found["counterfeits"] == 40
    assert found["auc"] > 0.99
    same = release(people + [people[n] for n in range(40)] + [people[n] for n in range(40, 150)])
    hidden = [*range(150), *range(190, 300)]
    found = Counterfeits().attack(same, key_of(hidden)).summary
    assert 0.3 < found["auc"] < 0.7


def test_without_a_key_nothing_is_scored_and_with_few_neither() -> None:
    one = release([["a"], ["b"], ["c"]])
    assert Counterfeits().attack(one).summary == {
        "releases": 1,
        "rows": 3,
        "declared_counterfeits": 0,
    }
    assert "auc" not in Counterfeits().attack(one, key_of([0, 1])).summary


def test_the_key_of_a_later_release_of_the_series_is_refused() -> None:
    first, later = release([["a"], ["b"]]), release([["a"], ["c"]])
    key = key_of([0, 1]).rows
    with_both = with_truth(
        key,
        Transactions.of([["a"], ["c"]]),
        later,
        {},
        with_truth(key, Transactions.of([]), first, {}),
    )
    Counterfeits().attack([first, later], KnownRows(rows=with_both))
    with pytest.raises(DataError, match="that of another"):
        Counterfeits().attack(first, KnownRows(rows=with_both))


def test_the_key_of_another_release_is_refused() -> None:
    with pytest.raises(DataError, match="does not fit its rows"):
        Counterfeits().attack(release([["a"], ["b"]]), key_of([0, 7]))
