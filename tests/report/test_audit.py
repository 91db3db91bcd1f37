import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import SocialNetwork, rng
from discreet.core.guarantee import (
    DifferentialPrivacy,
    Guarantee,
    NoAttributeLeakage,
)
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdicts
from discreet.generalised import Km
from discreet.networks import GpAsn, TdControl
from discreet.report import audit_page, audit_record
from discreet.report.audit import aliases_of, nameless, without_names
from discreet.report.figures import audit_figures
from discreet.series import Anony
from discreet.study import Evidence, Examination, examined
from discreet.tables import CodipStar, Incognito
from tests import samples
from tests.releases import as_released

SECRET = ("the-planted-illness", "the-planted-drug")
PEOPLE = Transactions.of([["bread"]] * 40 + [["bread", "milk"]] * 30 + [list(SECRET)])


def published(*promises: Guarantee) -> Release[Any]:
    manifest = Manifest(method="planted", parameters={"k": 3}, randomness="system")
    counts = {("bread",): 40, ("bread", "milk"): 30, SECRET: 1}
    return Release(ItemsetHistogram.of(counts), promises, manifest)


def looked_at(*promises: Guarantee) -> tuple[Examination, Evidence]:
    evidence = Evidence(original=PEOPLE)
    return examined(published(*promises), evidence), evidence


def test_no_item_of_a_secret_record_is_in_the_public_copy() -> None:
    found, evidence = looked_at(NoAttributeLeakage())
    record = audit_record(found, evidence, {})
    text = audit_page(record, found, evidence) + json.dumps(record)
    assert "planted-illness" not in text
    assert "planted-drug" not in text
    mine = audit_record(found, evidence, {}, owner=True)
    assert "planted-illness" in audit_page(mine, found, evidence)
    assert "planted-illness" in json.dumps(mine)


def planted_publications() -> Iterator[tuple[Any, Any]]:
    import polars as pl

    rows = [["bread", "milk"]] * 20 + [["bread", "beer"]] * 20 + [["milk"]] * 19
    people = Transactions(
        Itemsets.of([*rows, ["bread", SECRET[0]]]),
        np.array([f"person {number}" for number in range(60)]),
        frozenset([SECRET[0], "beer"]),
    )
    friends = np.array([[number, number + 1] for number in range(59)])
    table = pl.DataFrame(
        {"sex": ["f", "m"] * 10, "illness": ["flu|cough"] * 10 + ["flu"] * 9 + [SECRET[0]]}
    )
    patients = Microdata.of(table, qids=["sex"], sensitive=["illness"], multi_valued=["illness"])
    yield Incognito(k=2), patients
    yield CodipStar(k=2, t=1, alpha=1, beta=1), patients
    yield Anony(r_th=4), people
    yield TdControl(rho="0.5"), people
    yield Km(k=2, m=1), people
    yield GpAsn(rho="0.5"), SocialNetwork(people, friends)


@pytest.mark.parametrize(("method", "data"), planted_publications())
def test_no_public_copy_of_any_family_names_a_planted_item(method: Any, data: Any) -> None:
    publication = method.publish(data, rng.seeded(1))
    evidence = Evidence(original=data, key=publication.linkage_key)
    found = examined(publication.release, evidence)
    record = audit_record(found, evidence, {})
    assert SECRET[0] not in json.dumps(record)
    assert SECRET[0] not in audit_page(record, found, evidence)


def test_numbers_from_private_data_stay_with_the_owner_under_differential_privacy() -> None:
    found, evidence = looked_at(DifferentialPrivacy(epsilon=1))
    record = audit_record(found, evidence, {})
    assert record["measured"] == {}
    assert "owner's copy" in record["unmeasured"]
    assert all(not attack["rates"] for attack in record["attacks"] if attack["claims"])
    assert "is right about" not in json.dumps(record["judgement"]["reasons"])
    mine = audit_record(found, evidence, {}, owner=True)
    assert mine["measured"]
    assert any(attack["rates"] for attack in mine["attacks"])


def test_a_public_copy_rounds_what_counts_people() -> None:
    found, evidence = looked_at(NoAttributeLeakage())
    record, mine = (audit_record(found, evidence, {}, owner=owner) for owner in (False, True))
    assert mine["measured"]["records"] == 71
    digits = re.sub(r"[^1-9]", "", f"{record['measured']['support_error_mean']:.10g}")
    assert len(digits) <= 2


def test_without_the_original_the_page_says_what_cannot_be_told() -> None:
    found = examined(published(NoAttributeLeakage()), Evidence())
    record = audit_record(found, Evidence(), {"manifest.json": "abc"})
    text = audit_page(record, found, Evidence())
    assert "it cannot be said what was lost" in text
    assert "from the release alone" in text
    assert "abc" in text


def test_a_share_of_nobody_is_not_told_as_a_number() -> None:
    manifest = Manifest(method="planted", parameters={}, randomness="system")
    evidence = Evidence(original=PEOPLE)

    def told(counts: dict[tuple[str, ...], int]) -> str:
        found = examined(Release(ItemsetHistogram.of(counts), (), manifest), evidence)
        return audit_page(audit_record(found, evidence, {}), found, evidence)

    assert "it claims nothing" in told({("bread",): 40, ("milk",): 30, (): 2})
    assert "none of its claims can be scored" in told({("gin", "wine"): 40, ("wine",): 30, (): 2})


def test_a_page_asks_for_nothing_outside() -> None:
    found, evidence = looked_at(NoAttributeLeakage())
    text = audit_page(audit_record(found, evidence, {}, owner=True), found, evidence)
    named = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"')>\s]+)""", text)
    assert named
    assert all(address.startswith(("data:", "#")) for address in named)
    assert "<script" not in text


def test_what_is_put_in_is_escaped() -> None:
    found, evidence = looked_at(NoAttributeLeakage())
    record = audit_record(found, evidence, {"<script>alert(1)</script>": "x"})
    text = audit_page(record, found, evidence)
    assert "<script>alert" not in text


@pytest.mark.parametrize("publisher", samples.PUBLISHERS)
def test_every_kind_of_release_can_be_audited(publisher: type) -> None:
    method, data = samples.PUBLISHERS[publisher]
    publication = method.publish(data, rng.seeded(5))
    original = None if isinstance(data, Release) else data
    evidence = Evidence(original=original, key=publication.linkage_key)
    found = examined(publication.release, evidence)
    record = audit_record(found, evidence, {}, owner=True)
    assert record["judgement"]["verdict"] == "do not release"  # the chance was seeded
    assert "Audit of a release" in audit_page(record, found, evidence)
    names = [figure.name for figure in audit_figures(found, evidence)]
    assert len(names) == len(set(names))


def test_what_is_nearly_useless_is_said_on_the_page() -> None:
    evidence = Evidence(original=PEOPLE)
    found = replace(examined(published(NoAttributeLeakage()), evidence), measured={"ncp": 0.97})
    record = audit_record(found, evidence, {})
    assert "nearly useless" in record["judgement"]["remarks"][0]
    assert "Remark:" in audit_page(record, found, evidence)
    noisy = replace(found, release=published(DifferentialPrivacy(epsilon=1)))
    assert audit_record(noisy, evidence, {})["judgement"]["remarks"] == []


def test_an_owner_sees_which_record_is_behind_a_row_of_a_table() -> None:
    import polars as pl

    table = pl.DataFrame({"sex": ["f"] * 3 + ["m"] * 3, "job": ["spy"] * 3 + ["a", "b", "c"]})
    data = Microdata.of(table, qids=["sex"], sensitive=["job"])
    publication = Incognito(k=3).publish(data, rng.seeded(5))
    evidence = Evidence(original=data, key=publication.linkage_key)
    record = audit_record(examined(publication.release, evidence), evidence, {}, owner=True)
    worst = [claim for attack in record["attacks"] for claim in attack.get("worst", ())]
    assert worst
    cells = publication.release.content.parts[0].rows()
    assert all(table.row(claim["record"] - 1) == cells[claim["row"]] for claim in worst)


def test_an_owner_sees_of_whom_no_more_is_learnt_than_the_row() -> None:
    data = Transactions.of([["tea"]] * 9 + [["rum"]])
    found = examined(as_released(data), evidence := Evidence(original=data))
    for owner in (True, False):
        page = audit_page(audit_record(found, evidence, {}, owner=owner), found, evidence)
        assert ("which row it is</td>" in page) is owner


VALUES = st.frozensets(st.text("xyz", min_size=1, max_size=3), min_size=1, max_size=6)


def tables(values: frozenset[str]) -> ProjectedTables:
    columns = {f"illness={value}": [1] for value in sorted(values)}
    return ProjectedTables((pl.DataFrame({"job": ["clerk"]} | columns),), {})


@given(VALUES)
def test_no_value_is_left_in_a_record(values: frozenset[str]) -> None:
    content = tables(values)
    aliases = aliases_of(content)
    names = [f"illness={value}" for value in values]
    assert sorted(aliases) == sorted(names)
    assert len(set(aliases.values())) == len(values)
    record = {name: [f"most have {name}", {"worst": name}] for name in names}
    assert not any(name in json.dumps(without_names(record, aliases)) for name in names)


def test_the_release_of_a_public_copy_has_other_columns() -> None:
    content = tables(frozenset({"flu", "gout"}))
    found = Examination(release=as_released(content), verdicts=Verdicts(parts=()), attempts=())
    assert nameless(found).release.content.parts[0].columns == [
        "job",
        "illness, value 1",
        "illness, value 2",
    ]


def test_other_releases_stay_as_they_are() -> None:
    release = as_released(ItemsetHistogram.of({("a",): 1}))
    found = Examination(release=release, verdicts=Verdicts(parts=()), attempts=())
    assert aliases_of(release.content) == {}
    assert nameless(found) is found
