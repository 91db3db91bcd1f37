"""Measures of tables against plain sums over rows."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from discreet import Microdata
from discreet.errors import DataError
from discreet.rng import seeded
from discreet.tables import (
    Codip,
    CodipStar,
    Incognito,
    NaiveTCloseness,
    association_loss,
    closeness_of_classes,
    dependence,
    improvement,
    information_exposure,
    table_measures,
)
from tests.tables.harmless_values import ROWS, people


@given(ROWS)
def test_the_numbers_of_a_release(rows: list[tuple[str, ...]]) -> None:
    data = people(rows, {})
    release = Incognito(k=2, suppression_limit="0.4").publish(data, seeded(1)).release
    table = release.content.parts[0]
    sizes = Counter(table.select("q", "r").iter_rows())
    gone = len(rows) - table.height
    measured = table_measures(data, release)
    assert measured["discernibility"] == sum(n * n for n in sizes.values()) + gone * len(rows)
    assert measured["smallest_class"] == min(sizes.values())
    assert measured["average_class_size"] == pytest.approx(table.height / len(sizes))
    assert measured["suppressed_share"] == pytest.approx(gone / len(rows))
    assert measured["information_exposure_ratio"] <= 1
    worst = 0.0
    for key in sizes:
        held = [row[2] for row in table.iter_rows() if row[:2] == key]
        whole = table["s"].to_list()
        apart = sum(
            abs(held.count(v) / len(held) - whole.count(v) / len(whole)) for v in set(whole)
        )
        worst = max(worst, apart / 2)
    assert closeness_of_classes(release)["s"].max() == pytest.approx(worst)


def test_a_plan_is_compared_with_one_table() -> None:
    rows = [
        ("ab"[n % 2], "ab"[n // 2 % 2], *("xyz"[n // d % 3] for d in (2, 3, 5))) for n in range(60)
    ]
    data, rng = people(rows, {}), seeded(1)
    told = dependence(data)
    naive = NaiveTCloseness(k=2, t=1).publish(data, rng).release
    plan = Codip(k=2, t="0.1", plan=(("s", "t"), ("u",))).publish(data, rng).release
    gained = improvement(plan, naive, told)
    assert gained["association_loss"] == pytest.approx(100 * association_loss(told, plan.content))
    assert gained["reduced_join_threat"] == pytest.approx(
        100 * (1 - information_exposure(told, plan.content))
    )
    close, far = (
        max(float(np.max(each)) for each in closeness_of_classes(one).values())
        for one in (plan, naive)
    )
    assert gained["improvement_in_closeness"] == pytest.approx(100 * (1 - close / far))


def test_other_attributes_cannot_be_compared() -> None:
    data = people([("a", "a", "x", "y", "z")] * 4, {})
    release = CodipStar(k=2, t=1).publish(data, seeded(1)).release
    other = Microdata.of(data.table, qids=["q"], sensitive=["s"])
    with pytest.raises(DataError, match="same roles"):
        table_measures(other, release)


def test_a_table_without_secrets_has_no_ratios() -> None:
    data = Microdata.of(pl.DataFrame({"q": ["a", "a"]}), qids=["q"], sensitive=[])
    release = Incognito(k=2).publish(data, seeded(1)).release
    assert "closeness" not in table_measures(data, release)


def test_the_names_of_columns_change_no_number() -> None:
    rows = [("a", "a", "x", "y", "z"), ("b", "a", "y", "y", "z")] * 4
    plain = people(rows, {})
    release = CodipStar(k=2, t=1).publish(plain, seeded(1)).release
    called = {"q": "count", "r": "rows", "s": "value", "t": "class", "u": "q0"}
    table = plain.table.rename(called)
    named = Microdata.of(table, qids=["count", "rows"], sensitive=["value", "class", "q0"])
    other = CodipStar(k=2, t=1).publish(named, seeded(1)).release
    told, before = table_measures(named, other), table_measures(plain, release)
    assert told["loss_by_column"] == {
        called[name]: loss for name, loss in before["loss_by_column"].items()
    }
