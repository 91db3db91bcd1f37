"""Risks as rows: every number in words, nothing raw."""

import polars as pl
import pytest

from discreet import Release, Transactions
from discreet.core.guarantee import DifferentialPrivacy, Guarantee
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Content, Manifest
from discreet.report import audit_page, audit_record
from discreet.report.risk import risk_rows
from discreet.risk import Population, release_risk
from discreet.study import Evidence, examined

MADE = Manifest(method="none", parameters={}, randomness="none")
TABLE = ProjectedTables(
    (pl.DataFrame({"age": ["3*", "4*", "4*"], "job": ["spy", "cook", "nurse"]}),),
    {"age": pl.DataFrame()},
)


def released(content: Content, *guarantees: Guarantee) -> Release[Content]:
    return Release(content, guarantees, MADE)


def test_a_table_is_told_in_the_words_of_custodians() -> None:
    rows = {row.name: row for row in risk_rows(release_risk(released(TABLE)))}
    assert rows["Prosecutor risk, highest"].value == "100 %"
    assert rows["Marketer risk"].value == "66.6 %"
    assert rows["k-map"].value == "1"
    assert rows["job"].value == "l = 1, t = 0.667, beta = 2, delta = none holds"
    assert rows["Singling out"].value == "33.3 %"


def test_sets_are_told_by_known_items() -> None:
    content = Transactions.of([["a", "b"], ["a"], ["a"]])
    rows = {row.name: row for row in risk_rows(release_risk(released(content)))}
    assert rows["Alone by 2 items"].value == "100 %"
    assert "that tell most" in rows["Alone by one item"].meaning
    assert "Alone by 3 items" not in rows


@pytest.mark.parametrize("guarantees", [(), (DifferentialPrivacy(epsilon=1),)])
def test_the_page_tells_the_risks_and_the_occasion(guarantees: tuple[Guarantee, ...]) -> None:
    evidence = Evidence(population=Population())
    found = examined(released(TABLE, *guarantees), evidence, [])
    record = audit_record(found, evidence, {}, occasion={"purpose": "<research>"})
    text = audit_page(record, found, evidence)
    assert "&lt;research&gt;" in text
    assert ("Marketer risk" in text) is not bool(guarantees)
    assert ("bounded by epsilon instead" in text) is bool(guarantees)
    assert "None" not in text


def test_risks_that_were_not_counted_have_no_rows() -> None:
    assert risk_rows({}) == []
