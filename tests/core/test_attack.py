"""One release or several, and numbers that say which one they are about."""

import pytest

from discreet import DataError, Network, Transactions
from discreet.core.attack import each_of, numbers_of_one
from discreet.core.histogram import ItemsetHistogram
from tests.releases import as_released

RELEASE = as_released(ItemsetHistogram.of({("a",): 1}))


def test_one_release_is_a_series_of_one() -> None:
    assert list(each_of(RELEASE)) == [RELEASE]
    assert list(each_of([RELEASE, RELEASE])) == [RELEASE, RELEASE]


def test_another_content_is_refused_and_no_wish_takes_any() -> None:
    assert list(each_of(RELEASE, Transactions, ItemsetHistogram)) == [RELEASE]
    with pytest.raises(DataError, match="must hold Transactions or Network for this") as refused:
        each_of([RELEASE], Transactions, Network)
    assert refused.value.parameter == "releases"


def test_numbers_are_marked_only_where_there_are_several_releases() -> None:
    assert numbers_of_one({"claims": 2}, 0, [RELEASE]) == {"claims": 2}
    assert numbers_of_one({"claims": 2}, 1, [RELEASE, RELEASE]) == {"claims_2": 2}
