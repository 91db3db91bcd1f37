"""Rules of one release applied to the next data: kept promises, or a refusal."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng, verify
from discreet.catalog import entries, find
from discreet.core.rules import read_rules, rules_text
from discreet.errors import DataError, DiscreetError, InfeasibleError, ParameterError
from discreet.generalised import Coat, Coherence, Disassociation, Km, Lkc
from discreet.study.ruling import published_by_rules, rules_shown_by
from discreet.tables import RtAnonymity
from tests import samples
from tests.conformance import permuted

RULED = [entry for entry in entries("publisher") if entry.rules]
RT = replace(samples.PUBLISHERS[RtAnonymity][0], suppression="items")
CHANGED = {
    Km: Km(k=20, m=2, suppression="items"),
    Coherence: Coherence(h="0.5", k=3, p=2, suppression="items"),
    Lkc: Lkc(l=2, k=3, c="0.5", suppression="items"),
    RtAnonymity: RT,
}
"""Samples whose releases are made by rules alone."""


def saved_and_read(rules: Any, folder: Path) -> Any:
    file = folder / "rules.json"
    file.write_text(rules_text(rules), encoding="utf-8")
    return read_rules(file)


def test_sets_and_tables_have_rules() -> None:
    assert {entry.name for entry in RULED} >= {"coat", "km-anonymity", "incognito", "mondrian"}


@pytest.mark.parametrize("entry", RULED, ids=lambda entry: entry.name)
def test_rules_do_to_the_same_people_what_was_done(entry: Any, tmp_path: Path) -> None:
    method, data = samples.PUBLISHERS[entry.method]
    method = CHANGED.get(entry.method, method)
    made = method.publish(data, rng.seeded(3))
    rules = saved_and_read(rules_shown_by(entry, method, made, data), tmp_path)
    again = published_by_rules(entry, method, rules, permuted(data, 1), rng.seeded(4))
    assert verify(again.release, key=again.linkage_key).by_parts is True
    before, after = made.release.to_polars(), again.release.to_polars()
    for name in before:
        if name.startswith(("table", "transactions", "blocks")):
            assert sorted(map(repr, before[name].rows())) == sorted(map(repr, after[name].rows()))


@settings(max_examples=60)
@given(
    st.lists(st.sets(st.sampled_from("abcd")), min_size=6, max_size=20),
    st.lists(st.sets(st.sampled_from("abcdxy")), min_size=1, max_size=20),
)
def test_other_sets_keep_the_promise_or_are_refused(
    first: list[set[str]], second: list[set[str]]
) -> None:
    entry, method = find("km-anonymity"), Km(k=3, m=2, suppression="items")
    old, new = (Transactions.of([sorted(held) for held in each]) for each in (first, second))
    rules = rules_shown_by(entry, method, method.publish(old, rng.seeded(1)), old)
    try:
        made = published_by_rules(entry, method, rules, new, rng.seeded(2))
    except InfeasibleError:
        # where nothing is published nothing can be broken
        shown = {item for block in rules.blocks for item in block}
        assert any(held & shown for held in second)
    else:
        assert verify(made.release, against=new).by_parts is True
        assert made.release.content.block_of.keys() <= {i for block in rules.blocks for i in block}


def test_rules_hold_nothing_that_the_release_does_not_show() -> None:
    data = Transactions.of([["a", "b"]] * 5 + [["a"]] * 5 + [["secret"]])
    entry, method = find("km-anonymity"), Km(k=5, m=2, suppression="items")
    made = method.publish(data, rng.seeded(1))
    assert "secret" not in rules_text(rules_shown_by(entry, method, made, data))


def test_what_became_of_single_records_is_no_rule() -> None:
    data = Transactions.of([["a", "b"]] * 2 + [["a"]] * 6 + [["b"]] * 6)
    entry, method = find("km-anonymity"), Km(k=5, m=2)
    made = method.publish(data, rng.seeded(1))
    with pytest.raises(InfeasibleError, match="which no rule can say"):
        rules_shown_by(entry, method, made, data)


def test_rules_of_others_are_refused() -> None:
    data = Transactions.of([["a"]] * 6)
    km, method = find("km-anonymity"), Km(k=5, m=2)
    rules = rules_shown_by(km, method, method.publish(data, rng.seeded(1)), data)
    with pytest.raises(DataError, match="the rules are of km-anonymity, and this is coat"):
        coat = Coat(k=5, protect="items")
        published_by_rules(find("coat"), coat, rules, data, rng.seeded(1))
    with pytest.raises(ParameterError, match="disassociation is not one of them"):
        parts = Disassociation(k=5, m=2)
        published_by_rules(find("disassociation"), parts, rules, data, rng.seeded(1))


@pytest.mark.parametrize("name", ["incognito", "mondrian"])
def test_other_people_keep_the_promise_or_are_refused(name: str) -> None:
    entry = find(name)
    method, data = samples.PUBLISHERS[entry.method]
    method = replace(method, suppression_limit="0.3")
    rules = rules_shown_by(entry, method, method.publish(data, rng.seeded(1)), data)
    kept = 0
    for seed in range(12):
        rows = np.random.default_rng(seed).choice(len(data), 25, replace=False)
        some = replace(data, table=data.table[np.sort(rows)])
        try:
            made = published_by_rules(entry, method, rules, some, rng.seeded(1))
        except DiscreetError:
            continue
        kept += 1
        assert verify(made.release).by_parts is True
        shown = {
            row for part in made.release.content.parts for row in part.select(data.qids).rows()
        }
        if name == "mondrian":
            assert shown <= set(rules.tables[0].classes)
    assert kept


def test_people_with_values_that_no_rule_knows_are_left_out_or_too_many() -> None:
    import polars as pl

    from discreet import Microdata
    from discreet.tables import Mondrian

    def people(ages: list[int]) -> Microdata:
        table = pl.DataFrame({"age": [str(age) for age in ages], "ill": ["flu"] * len(ages)})
        return Microdata.of(table, qids=["age"], sensitive=["ill"])

    entry, strict = find("mondrian"), Mondrian(k=2)
    old = people([20, 21, 40, 41])
    rules = rules_shown_by(entry, strict, strict.publish(old, rng.seeded(1)), old)
    assert rules.tables[0].classes == (("20-21",), ("40-41",))
    new = people([20, 20, 40, 41, 41, 41, 41, 41, 41, 99])
    with pytest.raises(InfeasibleError, match="1 of 10 people are in no class"):
        published_by_rules(entry, strict, rules, new, rng.seeded(1))
    mild = Mondrian(k=2, suppression_limit="0.1")
    table = published_by_rules(entry, mild, rules, new, rng.seeded(1)).release.content.parts[0]
    assert sorted(table["age"].to_list()) == ["20-21"] * 2 + ["40-41"] * 7
    with pytest.raises(DataError, match="about the quasi-identifiers age"):
        other = Microdata.of(
            pl.DataFrame({"town": ["a"], "ill": ["flu"]}), qids=["town"], sensitive=["ill"]
        )
        published_by_rules(entry, strict, rules, other, rng.seeded(1))
