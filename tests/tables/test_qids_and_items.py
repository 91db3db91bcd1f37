"""Columns and a few items single people out, and only where a table does not forbid it."""

import polars as pl
import pytest

from discreet import Microdata
from discreet.errors import ParameterError
from discreet.rng import seeded
from discreet.tables import Background, Mondrian, QidsAndItems, RtAnonymity, score_tables

TABLE = pl.DataFrame(
    {
        "age": ["30", "31", "30", "31", "50", "51", "50", "51"],
        "ill": ["flu|gout", "flu", "flu|cough", "flu|cough", "gout", "gout", "gout", "gout|flu"],
        "pay": ["low", "low", "high", "low", "low", "low", "high", "low"],
    }
)
OPEN = Microdata.of(TABLE, qids=["age"], sensitive=["ill", "pay"], multi_valued=["ill"])
SETS = Microdata.of(TABLE, qids=["age"], sensitive=["pay"], set_column="ill")


def test_a_table_that_hides_people_by_columns_alone_gives_them_away() -> None:
    made = Mondrian(k=4).publish(OPEN, seeded(1))
    found = QidsAndItems(known=(0, 1)).attack(made.release)
    assert found.summary["alone_by_0_of_ill"] == 0.0
    assert found.summary["alone_by_1_of_ill"] == 2 / 8
    assert found.summary["below_5_by_0_of_ill"] == 1.0
    claim = next(claim for claim in found.claims if "ill=gout=1" in claim.known)
    assert claim.known == ("age=30-31", "ill=gout=1")
    assert set(claim.inferred) == {"ill=flu=1", "pay=low"}
    told = score_tables(found, [OPEN], [made.release], [made.linkage_key])
    assert told.success.share == 1.0
    assert told.success.people == 2
    assert told.baseline.share < 0.9


def test_rt_anonymity_leaves_nobody_alone_by_what_it_promises() -> None:
    made = RtAnonymity(k=2, m=2).publish(SETS, seeded(1))
    found = QidsAndItems(known=(0, 1, 2)).attack(made.release)
    assert not found.claims
    assert [found.summary[f"alone_by_{size}_of_ill"] for size in (0, 1, 2)] == [0.0, 0.0, 0.0]


def test_claims_about_blocks_are_scored_through_the_key() -> None:
    rows = [("1", "p|q|r")] + [("1", pair) for pair in ("p|q", "q|r", "p|r") for _ in range(2)]
    table = pl.DataFrame(rows, schema=["age", "buys"], orient="row")
    data = Microdata.of(table, qids=["age"], sensitive=[], set_column="buys")
    made = RtAnonymity(k=2, m=2).publish(data, seeded(1))
    found = QidsAndItems(known=3).attack(made.release)
    assert [claim.known for claim in found.claims] == [("age=1", "buys=p", "buys=q", "buys=r")]
    told = score_tables(found, [data], [made.release], [made.linkage_key])
    assert (told.success.people, told.success.share) == (1, 1.0)


def test_one_person_is_looked_for_by_columns_and_items() -> None:
    made = RtAnonymity(k=2, m=1).publish(SETS, seeded(1))
    knows = Background(person={"age": "50", "ill": "gout"})
    assert QidsAndItems().attack(made.release, knows).summary == {"rows_that_fit_in_table_1": 2}
    nobody = Background(person={"age": "50", "ill": "gout|plague"})
    assert QidsAndItems().attack(made.release, nobody).summary == {"rows_that_fit_in_table_1": 0}
    alone = Mondrian(k=4).publish(OPEN, seeded(1))
    found = QidsAndItems().attack(alone.release, Background(person={"age": "51", "ill=flu": "1"}))
    assert len(found.claims) == 1
    assert "ill=gout=1" in found.claims[0].inferred


def test_claims_above_the_limit_are_counted_not_hidden() -> None:
    made = Mondrian(k=4).publish(OPEN, seeded(1))
    found = QidsAndItems(known=1, limit=1).attack(made.release)
    assert len(found.claims) == 1
    assert found.summary["claims_above_the_limit"] == 1


def test_a_table_without_any_set_is_not_attacked() -> None:
    plain = Microdata.of(TABLE, qids=["age"], sensitive=["pay"])
    found = QidsAndItems().attack(Mondrian(k=4).publish(plain, seeded(1)).release)
    assert not found.claims
    assert "no table has a set column" in found.not_run


def test_wrong_choices_are_refused() -> None:
    with pytest.raises(ParameterError, match="numbers from 0 to 5"):
        QidsAndItems(known=6)
    with pytest.raises(ParameterError, match="limit must be at least 1"):
        QidsAndItems(limit=0)
