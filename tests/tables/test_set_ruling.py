"""Rules of a table with a set column: the promise holds on other people, or they are refused."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings

from discreet import verify
from discreet.catalog import find
from discreet.core.rules import TableRules, read_rules, rules_text
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.study.ruling import published_by_rules, rules_shown_by
from discreet.tables import RtAnonymity
from discreet.tables.set_ruling import settled
from tests.tables.test_rt_anonymity import LIFTED, ROWS, below, people, rows_fitting

ENTRY = find("rt-anonymity")
MERGED = RtAnonymity(k=2, m=2, suppression="items", suppression_limit="0.5")
METHODS = [MERGED, replace(LIFTED, suppression="items", suppression_limit="0.5")]


def shown_by(method: RtAnonymity, rows: Sequence[tuple[str, ...]]) -> TableRules:
    data = people(rows)
    rules = rules_shown_by(ENTRY, method, method.publish(data, seeded(1)), data)
    assert isinstance(rules, TableRules)
    return rules


@pytest.mark.parametrize("method", METHODS)
@given(first=ROWS, second=ROWS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_other_people_keep_the_promise_or_are_refused(
    method: RtAnonymity, first: list[tuple[str, ...]], second: list[tuple[str, ...]]
) -> None:
    rules = shown_by(method, first)
    try:
        made = published_by_rules(ENTRY, method, rules, people(second), seeded(2))
    except (InfeasibleError, DataError):
        reject()
    assert verify(made.release).by_parts is True
    table = made.release.content.parts[0].to_dicts()
    (rule,) = rules.tables
    for row in table:
        cells = (row["age"], row["zip"], row["hue"])
        blocks = rule.blocks[rule.classes.index(cells)]
        assert all(tuple(block) in blocks for block in row["buys"])
        for item in {item for block in row["buys"] for item in below(block)}:
            assert rows_fitting(table, cells, {item}) >= method.k


@pytest.mark.parametrize("method", METHODS)
@given(rows=ROWS)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
def test_rules_always_do_for_their_own_people(
    method: RtAnonymity, rows: list[tuple[str, ...]]
) -> None:
    try:
        rules = shown_by(replace(method, suppression_limit=0), rows)
    except InfeasibleError as error:
        assert "highest level" in str(error)
        reject()
    assert rules.set_column == "buys"


def test_rules_survive_their_file(tmp_path: Path) -> None:
    rows = [("1", "a", "red", "x", "p|q"), ("2", "b", "blue", "y", "r")] * 4
    for number, method in enumerate(METHODS):
        rules = shown_by(method, rows)
        file = tmp_path / f"{number}.json"
        file.write_text(rules_text(rules), encoding="utf-8")
        assert read_rules(file).record() == rules.record()


def test_what_no_rule_can_say_is_refused_before_any_work() -> None:
    rows = [("1", "a", "red", "x", "p")] * 4
    with pytest.raises(ParameterError, match="no rule can say; choose suppression items"):
        shown_by(RtAnonymity(k=2, m=2), rows)
    assert shown_by(RtAnonymity(k=2, m=1), rows).tables[0].blocks == ((("p",),),)


def test_rules_are_about_one_set_column() -> None:
    rows = [("1", "a", "red", "x", "p")] * 4
    rules = shown_by(MERGED, rows)
    other = replace(rules, set_column="eats")
    with pytest.raises(DataError, match="about the set column 'eats'; choose the same"):
        published_by_rules(ENTRY, MERGED, other, people(rows), seeded(1))


def test_what_is_rare_among_other_people_is_left_out_and_counted() -> None:
    rules = shown_by(MERGED, [("1", "a", "red", "x", "p|q")] * 4)
    rows = [("1", "a", "red", "x", "p")] * 3 + [("1", "a", "red", "x", "p|q|t")]
    made = published_by_rules(ENTRY, MERGED, rules, people(rows), seeded(1))
    assert made.release.content.parts[0]["buys"].to_list() == [[["p"]]] * 4
    told = made.linkage_key.facts["report"]
    assert told == {"occurrences of blocks left out beyond the rules": 1}


def test_people_of_a_class_that_is_too_small_go_to_the_next_that_they_fit() -> None:
    pairs = np.array([[0, 0], [1, 0], [1, 1], [2, 1], [3, 2]])
    found = settled(pairs[:, 0], pairs[:, 1], np.array([2, 1, 1, 1]), 2)
    assert found.tolist() == [0, 0, -1, -1]
