"""Promises about columns that a release does not have, or treats otherwise than its owner."""

from typing import Any

import polars as pl
import pytest

from discreet import Microdata, Release, rng, verify
from discreet.core.guarantee import (
    BetaLikeness,
    DeltaDisclosure,
    Guarantee,
    KAnonymity,
    LDiversity,
    MConfidentiality,
    NTCloseness,
    TCloseness,
)
from discreet.core.projected_tables import ProjectedTables
from discreet.tables import CodipStar, Mondrian
from tests.releases import as_released

NOTHING = pl.DataFrame(schema={"child": pl.String, "parent": pl.String})
TABLE = pl.DataFrame(
    {"age": ["3*", "3*", "4*", "4*"], "job": ["spy", "cook"] * 2, "ill": ["flu", "flu", "", ""]}
)
SECRETS: list[Guarantee] = [
    TCloseness(t=0),
    NTCloseness(n=9, t=0),
    LDiversity(l=9),
    BetaLikeness(beta="0.001"),
    DeltaDisclosure(delta="0.001"),
    MConfidentiality(m=9),
]


def claiming(
    claim: Guarantee, *, qids: list[str], kept: tuple[str, ...] = (), table: pl.DataFrame = TABLE
) -> Release[Any]:
    content = ProjectedTables((table,), dict.fromkeys(qids, NOTHING), kept=kept)
    return as_released(content, claim)


def original(*, qids: list[str], sensitive: list[str], kept: tuple[str, ...] = ()) -> Microdata:
    return Microdata.of(TABLE, qids=qids, sensitive=sensitive, kept=kept)


@pytest.mark.parametrize("claim", SECRETS)
def test_a_promise_about_no_secret_was_not_checked(claim: Guarantee) -> None:
    release = claiming(claim, qids=["age"], kept=("job", "ill"))
    verdict = verify(release)
    assert verdict.holds is None
    assert verdict.needs == ("--against",)
    assert "nothing" in verdict.parts[0].checked
    owners = original(qids=["age"], sensitive=["ill"], kept=("job",))
    assert verify(release, against=owners).holds is False


@pytest.mark.parametrize("claim", [KAnonymity(k=4), *SECRETS])
def test_a_promise_without_quasi_identifiers_was_not_checked(claim: Guarantee) -> None:
    release = claiming(claim, qids=[])
    assert verify(release).holds is None
    owners = original(qids=["age"], sensitive=["ill"])
    verdict = verify(release, against=owners)
    assert verdict.holds is False
    assert verdict.witness == "age is a quasi-identifier in the original, and none here"


def test_what_the_owner_calls_sensitive_must_not_be_published_as_it_is() -> None:
    people = original(qids=["age"], sensitive=["ill"], kept=("job",))
    release = Mondrian(k=2, t=1).publish(people, rng.secure()).release
    assert verify(release, against=people).holds is True
    # who names fewer secrets asks for less
    assert verify(release, against=original(qids=["age"], sensitive=[])).holds is True
    verdict = verify(release, against=original(qids=["age"], sensitive=["ill", "job"]))
    assert verdict.witness == "job is sensitive in the original, and not protected here"
    assert [part.holds for part in verdict.parts] == [True, False]


def test_columns_of_a_multi_valued_attribute_have_its_role() -> None:
    people = Microdata.of(
        TABLE.with_columns(ill=pl.Series(["flu|cough", "flu", "cough", ""])),
        qids=["age"],
        sensitive=["job", "ill"],
        multi_valued=["ill"],
    )
    release = CodipStar(k=2, t=1).publish(people, rng.secure()).release
    assert verify(release, against=people).holds is True


def test_a_column_that_the_original_does_not_have_breaks_every_promise() -> None:
    people = original(qids=["age"], sensitive=["ill"], kept=("job",))
    named = TABLE.with_columns(name=pl.Series(["Ann", "Bob", "Cleo", "Dan"]))
    release = claiming(KAnonymity(k=2), qids=["age"], kept=("job",), table=named)
    verdict = verify(release, against=people)
    assert verdict.holds is False
    assert verdict.parts[0].witness == "name is no column of the original"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("age=exact", ["31", "34", "45", "46"]),
        ("age=31", [1, 0, 0, 0]),
        ("job=name", ["Ann", "Bob", "Cleo", "Dan"]),
        ("ill=", [7, 8, 9, 10]),
    ],
)
def test_a_column_called_as_one_value_of_an_attribute_is_no_hiding_place(
    name: str, cells: list[Any]
) -> None:
    people = original(qids=["age"], sensitive=["ill"], kept=("job",))
    more = TABLE.with_columns(pl.Series(name, cells))
    release = claiming(KAnonymity(k=2), qids=["age"], kept=("job",), table=more)
    verdict = verify(release, against=people)
    assert verdict.holds is False
    assert verdict.parts[0].witness == f"{name} is no column of the original"


def test_attributes_with_an_equals_sign_in_their_names_have_columns_of_values() -> None:
    table = {"age": ["3"] * 4, "ill=now": ["flu|b=c", "flu", "", "b=c"], "job": list("xyxy")}
    people = Microdata.of(
        table, qids=["age"], sensitive=["ill=now", "job"], multi_valued=["ill=now"]
    )
    release = CodipStar(k=2, t=1).publish(people, rng.secure()).release
    assert verify(release, against=people).holds is True
    assert verify(release, against=people.bitmap).holds is True


def test_the_original_may_be_at_hand_as_columns_of_the_values_that_somebody_has() -> None:
    table = TABLE.select("age", pl.Series("ill=flu", [1, 1, 0, 0]))
    people = Microdata.of(table, qids=["age"], sensitive=["ill=flu"])
    for name, holds in (("ill=rare", True), ("job=spy", False)):
        more = table.with_columns(pl.Series(name, [0] * 4))
        release = claiming(KAnonymity(k=2), qids=["age"], table=more)
        assert verify(release, against=people).holds is holds


def test_columns_of_both_kinds_are_checked_without_the_original() -> None:
    people = original(qids=["age"], sensitive=["ill"], kept=("job",))
    release = Mondrian(k=2, t=1).publish(people, rng.secure()).release
    assert [part.holds for part in verify(release).parts] == [True, True]


@pytest.mark.parametrize("claim", [each for each in SECRETS if each != MConfidentiality(m=9)])
def test_of_secrets_that_were_all_left_out_nothing_is_told(claim: Guarantee) -> None:
    release = claiming(claim, qids=["age"], table=TABLE.select("age"))
    owners = original(qids=["age"], sensitive=["ill"])
    assert verify(release, against=owners).holds is True
    # no column was a secret: then there was nothing to check, whoever knew what
    assert verify(release, against=original(qids=["age"], sensitive=[])).holds is None


@pytest.mark.parametrize(("k", "holds"), [(4, True), (5, False)])
def test_nobody_is_told_from_others_where_all_that_is_known_was_left_out(
    k: int, *, holds: bool
) -> None:
    release = claiming(KAnonymity(k=k), qids=[], table=TABLE.select("ill"))
    owners = original(qids=["age"], sensitive=["ill"])
    assert verify(release, against=owners).holds is holds
    assert verify(release, against=original(qids=[], sensitive=["ill"])).holds is None
