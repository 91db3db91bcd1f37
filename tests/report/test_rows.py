"""Risks as rows: every number in words, nothing raw."""

import polars as pl
import pytest

from discreet import Release, Transactions
from discreet.core.disassociated import Disassociated
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Content
from discreet.report import audit_page, audit_record
from discreet.report.rows import loss_rows, risk_rows
from discreet.risk import Population, release_risk
from discreet.study import Evidence, examined
from tests.releases import as_released

TABLE = ProjectedTables(
    (pl.DataFrame({"age": ["3*", "4*", "4*"], "job": ["spy", "cook", "nurse"]}),),
    {"age": pl.DataFrame()},
)


def test_a_table_is_told_in_the_words_of_custodians() -> None:
    rows = {row.name: row for row in risk_rows(release_risk(as_released(TABLE)))}
    assert rows["Prosecutor risk, highest"].value == "100 %"
    assert rows["Marketer risk"].value == "66.6 %"
    assert rows["k-map"].value == "1"
    assert rows["job"].value == "l = 1, t = 0.667, beta = 2, delta = none holds"
    assert rows["Singling out"].value == "33.3 %"


def test_sets_are_told_by_known_items() -> None:
    content = Transactions.of([["a", "b"], ["a"], ["a"]])
    rows = {row.name: row for row in risk_rows(release_risk(as_released(content)))}
    assert rows["Alone by 2 items"].value == "100 %"
    assert "the most revealing one item" in rows["Alone by one item"].meaning
    assert "Alone by 3 items" not in rows


NOISY = ItemsetHistogram.of({("a",): 3, ("b", "c"): 1})
PRIVATE = DifferentialPrivacy(epsilon=1)


@pytest.mark.parametrize(
    ("release", "told"),
    [
        (as_released(TABLE), "Marketer risk"),
        (as_released(NOISY, PRIVATE), "at most 73.2 %"),
        (
            as_released(Disassociated.of([(9, [[["a"]] * 5], ["b"])])),
            "Not counted: everybody who could",
        ),
    ],
)
def test_the_page_tells_the_risks_and_the_occasion(release: Release[Content], told: str) -> None:
    evidence = Evidence(population=Population())
    found = examined(release, evidence, [])
    record = audit_record(found, evidence, {}, occasion={"purpose": "<research>"})
    text = audit_page(record, found, evidence)
    assert "&lt;research&gt;" in text
    assert told in text
    assert "None" not in text


def test_who_occurs_in_noisy_rows_is_for_the_owner() -> None:
    people = Transactions.of([["b", "c"], ["d"], ["a"], ["a"]])
    evidence = Evidence(original=people, population=Population())
    found = examined(as_released(NOISY, PRIVATE), evidence, [])
    for owner in (True, False):
        record = audit_record(found, evidence, {}, owner=owner)
        assert ("occurring" in record["risk"]) is owner
        assert (
            "those whose exact set was published" in audit_page(record, found, evidence)
        ) is owner
        assert any("--control" in each for each in record["judgement"]["unchecked"])


def test_a_bound_is_never_told_below_itself() -> None:
    told = risk_rows(release_risk(as_released(NOISY, DifferentialPrivacy(epsilon="1/100000"))))
    values = {row.name: row.value for row in told}
    assert values["That a person takes part, from 50 %"] == "at most 50.1 %"
    assert values["Gain in telling who takes part"] == "at most 0.1 %"


def test_risks_that_were_not_counted_have_no_rows() -> None:
    assert risk_rows({}) == []


def test_no_backtick_stands_in_a_page() -> None:
    found = examined(as_released(NOISY, PRIVATE), Evidence(), [])
    text = audit_page(audit_record(found, Evidence(), {}), found, Evidence())
    assert "<code>discreet audit-mechanism</code>" in text
    assert "`" not in text.partition("<body")[2].replace("<script>", "").partition("<script")[0]


SHARE = {"direction": "less is better", "unit": "share from 0 to 1", "sentence": "what is gone"}
PAIRS = {"direction": "neither", "unit": "pairs of rows", "sentence": "pairs that look alike"}


def test_a_share_is_told_in_percent() -> None:
    (row,) = loss_rows({"ncp": 0.25}, {"ncp": SHARE})
    assert row == ("certainty penalty (NCP)", "25.0 %", "What is gone, less is better.")


def test_an_interval_stands_beside_its_measure() -> None:
    measured = {"ncp": 0.25, "ncp_low": 0.2, "ncp_high": 0.3}
    (row,) = loss_rows(measured, {"ncp": SHARE})
    assert row.value == "25.0 % (20.0 % to 30.0 %)"


def test_parts_of_a_measure_share_its_meaning() -> None:
    measured = {"loss": {"age": 0.5}, "pairs": 12_345, "unknown": 3, "missing": None}
    rows = loss_rows(measured, {"loss": SHARE, "pairs": PAIRS})
    assert [row.name for row in rows] == ["loss: age", "pairs", "unknown"]
    assert rows[0].meaning == "What is gone, less is better."
    assert rows[1] == ("pairs", "12,345", "Pairs that look alike (pairs of rows).")
    assert rows[2].meaning == ""


def test_a_measure_has_the_name_that_people_use() -> None:
    names = [row.name for row in loss_rows({"ncp": 0.5, "kl_divergence": 0.1}, {})]
    assert names == ["certainty penalty (NCP)", "Kullback-Leibler divergence"]
