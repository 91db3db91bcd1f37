"""A release of clusters: what it says does not depend on the order or the slices of the data."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.core.publication import State
from discreet.errors import InfeasibleError
from discreet.series import Anatomy, Anony, MInvariance, Sanony
from tests.series.small import PEOPLE, people


@settings(max_examples=40)
@given(records=PEOPLE, shuffled=st.randoms(use_true_random=False), ids=st.booleans())
@pytest.mark.parametrize("method", [Anony(r_th=2, cluster_size=3), Anatomy(l=1), Sanony(r_th=2)])
def test_a_release_does_not_depend_on_the_order_of_the_records(
    method: Any, records: list[list[str]], shuffled: Any, ids: bool
) -> None:
    order = list(range(len(records)))
    one = method.publish(people(records, order, ids=ids), rng.seeded(1))
    shuffled.shuffle(order)
    two = method.publish(people(records, order, ids=ids), rng.seeded(1))
    for name, table in one.release.to_polars().items():
        assert table.equals(two.release.to_polars()[name])
    assume(ids)
    rows = dict(two.linkage_key.tables["rows"].iter_rows())
    assert {row: order[record] for row, record in rows.items()} == dict(
        one.linkage_key.tables["rows"].iter_rows()
    )


@settings(max_examples=40)
@given(years=st.lists(PEOPLE, min_size=1, max_size=3), shuffled=st.randoms(use_true_random=False))
@pytest.mark.parametrize("name", ["sanony", "m-invariance"])
def test_nor_does_a_series_of_releases(
    name: str, years: list[list[list[str]]], shuffled: Any
) -> None:
    made: list[list[Any]] = [[], []]
    for records in years:
        order = list(range(len(records)))
        for releases in made:
            method: Any = Sanony(r_th=2, cluster_size=3, after=tuple(r.release for r in releases))
            if name == "m-invariance":
                state = State(releases[-1].linkage_key) if releases else None
                method = MInvariance(m=2, keep=state)
            try:
                releases.append(method.publish(people(records, order), rng.seeded(len(releases))))
            except InfeasibleError:
                continue
            shuffled.shuffle(order)
        assert len(made[0]) == len(made[1])
    for one, two in zip(*made, strict=True):
        for part, table in one.release.to_polars().items():
            assert table.equals(two.release.to_polars()[part])


@settings(max_examples=60)
@given(records=PEOPLE, cuts=st.lists(st.integers(0, 14), max_size=3))
@pytest.mark.parametrize("method", [Anony(r_th=2, cluster_size=3), Anatomy(l=1)])
def test_a_plan_applied_to_slices_gives_the_rows_of_the_release(
    method: Any, records: list[list[str]], cuts: list[int]
) -> None:
    data = people(records, list(range(len(records))))
    plan = method.decide(method.statistics(data, rng.seeded(1)), rng.seeded(1))
    content = method.publish(data, rng.seeded(1)).release.content
    rows: Counter[tuple[Any, ...]] = Counter()
    ends = sorted({0, *(min(cut, len(records)) for cut in cuts), len(records)})
    for begin, end in pairwise(ends):
        part = Transactions(data.sets.take(np.arange(begin, end)), None, data.sensitive)
        applied = method.apply(plan, part)
        rows.update(zip(applied.sets, applied.cluster.tolist(), strict=True))
    assert rows == Counter(zip(content.sets, content.cluster.tolist(), strict=True))
