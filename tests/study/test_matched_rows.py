from typing import Any

import polars as pl
import pytest

from discreet import Microdata, SocialNetwork, Transactions, rng
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.study.matched_rows import matched_rows
from tests.samples import PUBLISHERS

ROWS = [
    (method, data)
    for method, data in PUBLISHERS.values()
    if isinstance(data, Transactions | Microdata | SocialNetwork)
]


@pytest.mark.parametrize(("method", "data"), ROWS, ids=lambda each: type(each).__name__)
def test_every_published_row_of_somebody_is_beside_their_record(method: Any, data: Any) -> None:
    made = method.publish(data, rng.seeded(1))
    people = data.people if isinstance(data, SocialNetwork) else data
    key = made.linkage_key
    matched = matched_rows(data, made.release.content, key, len(people)) if key else []
    tables = (
        [t for name, t in key.tables.items() if name.startswith(("rows", "shared"))] if key else []
    )
    kept = sum(t.filter(t["record"].is_not_null()).height for t in tables if "record" in t.columns)
    assert sum(len(each.after) for each in matched) == kept
    assert sorted(each.record for each in matched) == list(range(len(people) if matched else 0))


def test_records_that_changed_come_first() -> None:
    people = Transactions.of([["a"], ["b"], ["a", "c"], ["d"]])
    key = LinkageKey({"rows": pl.DataFrame({"row": [0, 1, 2], "record": [0, 1, 2]})})
    rows = matched_rows(people, Transactions.of([["a"], ["b"], ["a"]]), key, 3)
    assert [(each.record, each.changed) for each in rows] == [(2, True), (3, True), (0, False)]
    assert [each.after for each in rows] == [(("a",),), (), (("a",),)]


def test_counts_have_no_rows_of_people() -> None:
    from discreet.counts import SparseHistogram

    people = Transactions.of([["a"], ["b"]])
    made: Release[Any] = SparseHistogram(epsilon=1, universe=("a", "b")).publish(people).release
    assert matched_rows(people, made.content, LinkageKey({}), 2) == []
