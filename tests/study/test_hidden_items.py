"""The owner's list of secrets beside that of a release: every difference is told."""

from typing import Any

import pytest

from discreet import Transactions
from discreet.core.clusters import Clusters
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Release
from discreet.study.hidden_items import HiddenItems, compared
from tests.releases import as_released


def released(content: Any, *hidden: str) -> Release[Any]:
    return as_released(content, sensitive=hidden or None)


SETS = Transactions.of([["flu", "hiv"]])


@pytest.mark.parametrize(
    ("release", "named", "differences"),
    [
        (released(SETS, "hiv"), ["hiv"], HiddenItems()),
        (released(SETS, "hiv"), [], HiddenItems()),
        (released(SETS, "hiv"), ["flu"], HiddenItems(exposed=("flu",), unnamed=("hiv",))),
        (released(SETS), ["hiv"], HiddenItems(undeclared=("hiv",))),
        (released(ItemsetHistogram.of({("hiv",): 3})), ["hiv"], HiddenItems()),
        (
            released(Clusters.of([([["flu"], ["flu"]], ["hiv"])])),
            ["flu"],
            HiddenItems(exposed=("flu",), unnamed=("hiv",)),
        ),
    ],
)
def test_every_difference_is_told(
    release: Release[Any], named: list[str], differences: HiddenItems
) -> None:
    assert compared(release, frozenset(named)) == differences
