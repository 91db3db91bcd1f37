import pytest

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.counts import Workload, histogram_measures, support_error
from discreet.measure import CountingQueries
from discreet.rng import seeded
from tests.releases import as_released

SHARES = ("overlap", "precision", "recall")
GROUPS = ("", "_existing", "_random")
DATA = Transactions.of([["a", "b"]] * 6 + [["a"]] * 3 + [["c"]] * 2 + [[]])


def measured(counts, rng=None, universe=None):
    content = ItemsetHistogram.of(counts, universe)
    return histogram_measures(DATA, as_released(content), rng)


def test_the_data_themselves_have_no_error():
    assert measured({("a", "b"): 6, ("a",): 3, ("c",): 2, (): 1}, universe="cba") == {
        "itemsets": 4,
        "total_count": 12,
        "records": 12,
        "support_error_mean": 0.0,
        "support_error_max": 0.0,
        "length_distance": 0.0,
        **{f"top_{k}_{what}": 1.0 for k in (10, 100) for what in SHARES},
        **{f"query_error{group}{end}": 0.0 for group in GROUPS for end in ("", "_low", "_high")},
    }


def test_a_release_of_nothing_loses_everything():
    numbers = measured({})
    assert numbers["itemsets"] == numbers["total_count"] == 0
    assert numbers["support_error_max"] == pytest.approx(9 / 12)
    assert all(numbers[f"top_10_{what}"] == 0.0 for what in SHARES)
    assert numbers["length_distance"] == 1.0
    # every existing set is answered by 0 instead of its support
    assert numbers["query_error_existing"] == 1.0
    # of the random sets {a}, {b}, {c}, {a, b} lose all; nobody holds the others
    assert 0.0 < numbers["query_error_random"] < 1.0
    mean = (numbers["query_error_existing"] + numbers["query_error_random"]) / 2
    assert numbers["query_error"] == pytest.approx(mean)


def test_doubled_counts_double_the_answers():
    numbers = measured({("a", "b"): 12, ("a",): 6, ("c",): 4, (): 2})
    assert numbers["query_error_existing"] == pytest.approx(1.0)
    assert numbers["support_error_mean"] == pytest.approx((9 + 6 + 2) / 12 / 3)
    assert numbers["top_10_overlap"] == 1.0


def test_noise_on_empty_queries_is_measured_against_the_sanity():
    # {b, c} is held by nobody; published for one person it is wrong by 1 / 0.0012
    wrong = measured({("a", "b"): 6, ("a",): 3, ("c",): 2, ("b", "c"): 1})
    assert wrong["query_error_random"] > 50


def test_queries_repeat_unless_chance_is_given():
    counts = {("a", "b"): 7, ("c",): 1}
    assert measured(counts) == measured(counts)
    assert measured(counts) == measured(counts, seeded(0))
    assert measured(counts) != measured(counts, seeded(1))


def test_no_records_are_no_reason_to_fail():
    release = as_released(ItemsetHistogram.of({("a",): 1}))
    numbers = histogram_measures(Transactions.of([]), release)
    assert numbers["records"] == 0
    assert numbers["query_error"] == 0.0


def test_intervals_hold_the_means():
    numbers = measured({("a", "b"): 7, ("c",): 1})
    for group in GROUPS:
        mean = numbers[f"query_error{group}"]
        assert numbers[f"query_error{group}_low"] < mean < numbers[f"query_error{group}_high"]


def test_a_given_workload_is_the_one_that_is_asked():
    release = as_released(ItemsetHistogram.of({("a",): 9}))
    queries = CountingQueries(Itemsets.of([["a"]], "abc"), Itemsets.of([["a", "b"]], "abc"))
    numbers = histogram_measures(DATA, release, workload=Workload.of(DATA, queries))
    assert numbers["query_error_existing"] == 0.0
    assert numbers["query_error_random"] == 1.0
    assert numbers["query_error"] == 0.5


FOUR = Transactions.of([["a", "b"], ["a"], ["c"], []])


def test_same_counts_have_no_error():
    release = ItemsetHistogram.of({("a",): 1, ("a", "b"): 1, ("c",): 1})
    assert support_error(FOUR, release) == (0.0, 0.0)


def test_errors_are_shares_of_all_people():
    release = ItemsetHistogram.of({("c", "a"): 4})
    # a 2 -> 4, b 1 -> 0, c 1 -> 4 of 4 people
    error = support_error(FOUR, release)
    assert error.mean == pytest.approx((2 + 1 + 3) / 4 / 3)
    assert error.largest == pytest.approx(3 / 4)


def test_item_of_the_release_alone_counts():
    assert support_error(FOUR, ItemsetHistogram.of({("z",): 2})).mean == pytest.approx(6 / 4 / 4)


def test_folded_data_measure_alike():
    folded = ItemsetHistogram.of({("b", "a"): 1, ("a",): 1, ("c",): 1, (): 1})
    release = ItemsetHistogram.of({("b",): 3})
    assert support_error(folded, release) == support_error(FOUR, release)


def test_universe_order_does_not_matter():
    release = ItemsetHistogram.of({("c", "a"): 4}, universe=["c", "b", "a"])
    assert support_error(FOUR, release).largest == pytest.approx(3 / 4)


def test_nothing_against_nothing():
    assert support_error(Transactions.of([]), ItemsetHistogram.of({})) == (0.0, 0.0)
