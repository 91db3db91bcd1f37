import pytest

from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions
from discreet.counts import support_error

DATA = Transactions.of([["a", "b"], ["a"], ["c"], []])


def test_same_counts_have_no_error():
    release = ItemsetHistogram.of({("a",): 1, ("a", "b"): 1, ("c",): 1})
    assert support_error(DATA, release) == (0.0, 0.0)


def test_errors_are_shares_of_all_people():
    release = ItemsetHistogram.of({("c", "a"): 4})
    # a 2 -> 4, b 1 -> 0, c 1 -> 4 of 4 people
    error = support_error(DATA, release)
    assert error.mean == pytest.approx((2 + 1 + 3) / 4 / 3)
    assert error.largest == pytest.approx(3 / 4)


def test_item_of_the_release_alone_counts():
    assert support_error(DATA, ItemsetHistogram.of({("z",): 2})).mean == pytest.approx(6 / 4 / 4)


def test_folded_data_measure_alike():
    folded = ItemsetHistogram.of({("b", "a"): 1, ("a",): 1, ("c",): 1, (): 1})
    release = ItemsetHistogram.of({("b",): 3})
    assert support_error(folded, release) == support_error(DATA, release)


def test_universe_order_does_not_matter():
    release = ItemsetHistogram.of({("c", "a"): 4}, universe=["c", "b", "a"])
    assert support_error(DATA, release).largest == pytest.approx(3 / 4)


def test_nothing_against_nothing():
    assert support_error(Transactions.of([]), ItemsetHistogram.of({})) == (0.0, 0.0)
