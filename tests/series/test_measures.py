"""What clusters keep, and what claims about a series are worth."""

import pytest

from discreet import Transactions, rng
from discreet.core.clusters import Clusters
from discreet.series import association_error, cluster_measures
from tests.releases import as_released
from tests.series.small import key_of


def test_a_cluster_in_which_all_hold_the_term_is_rebuilt_exactly() -> None:
    data = Transactions.of([["a", "s"]] * 5 + [["b"]] * 5, sensitive=["s"])
    exact = Clusters.of([([["a"]] * 5, {"s": 5}), ([["b"]] * 5, {})])
    assert association_error(data, exact, rng.seeded(1)).errors["low"] == 0
    mixed = Clusters.of([([["a"]] * 5 + [["b"]] * 5, {"s": 5})])
    found = association_error(data, mixed, rng.seeded(1), rounds=4000)
    # the number of a-people with s is hypergeometric: 5 of 10, 5 drawn
    ways = {0: 1, 1: 25, 2: 100, 3: 100, 4: 25, 5: 1}
    mean = sum(many * abs(5 - got) / ((5 + got) / 2) for got, many in ways.items()) / 252
    assert found.errors["low"] == pytest.approx(mean, rel=0.03)
    assert found.queries == {"low": 1, "medium": 0, "high": 0}


def test_people_who_hold_nothing_have_no_pairs() -> None:
    data = Transactions.of([[], []], sensitive=["s"])
    found = association_error(data, Clusters.of([([[], []], {})]), rng.seeded(1))
    assert found.queries == {"low": 0, "medium": 0, "high": 0}


def test_copies_in_the_bag_go_to_anyone() -> None:
    data = Transactions.of([["a", "s"]] * 25 + [["b"]] * 75, sensitive=["s"])
    bagged = Clusters.of([([["a"]] * 25, {}), ([["b"]] * 75, {})], bag={"s": 25})
    found = association_error(data, bagged, rng.seeded(1), rounds=400)
    # one quarter of 25 copies falls on the 25 people with a
    assert found.errors["medium"] == pytest.approx(2 * (25 - 6.25) / (25 + 6.25), rel=0.05)


def test_measures_tell_counterfeits_and_who_is_left_out() -> None:
    data = Transactions.of([["a", "s"], ["a"], ["b", "t"], ["b"], ["c"]], sensitive=["s", "t"])
    content = Clusters.of(
        [([["a"], ["a"], ["x"]], ["s"]), ([["b"], ["b"]], [])], bag=["t"], counterfeits=[1, 0]
    )
    release = as_released(content)
    told = cluster_measures(data, release, key=key_of(0, 1, -1, 2, 3))
    assert told["perturbation rate"] == pytest.approx(1 / 5)
    assert told["declared counterfeits, share"] == pytest.approx(1 / 5)
    assert told["withheld, share"] == pytest.approx(1 / 5)
    assert told["share of private copies in the bag"] == pytest.approx(1 / 2)
    assert (told["private terms"], told["private terms seen in clusters"]) == (2, 1)
    assert "perturbation rate" not in cluster_measures(data, release)
