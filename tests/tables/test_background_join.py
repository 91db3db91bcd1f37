"""Attacks on tables, against plain loops over the published rows."""

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import ParameterError
from discreet.tables import (
    Background,
    BackgroundJoin,
    Intersection,
    background_join,
)
from tests.tables.race_and_sex import COLUMNS, ROWS, release

# Table 1(b) of Fang, Ashrafi and Ng 2011
TABLE = pl.DataFrame(
    [
        ("white", "*", "HT", "HT", "teacher"),
        ("white", "*", "HT", "DB", "lawyer"),
        ("*", "m", "DB", "HT", "farmer"),
        ("*", "m", "AS", "AS", "teacher"),
    ],
    schema=["race", "sex", "diagnosis", "family_history", "job"],
    orient="row",
)


def test_eve_learns_of_bobs_asthma() -> None:
    bob = {"race": "black", "sex": "m"}
    told = BackgroundJoin().attack([release(TABLE)], Background(person=bob | {"job": "teacher"}))
    inferred = {claim.inferred: claim.confidence for claim in told.claims}
    assert inferred == {("diagnosis=AS",): 1.0, ("family_history=AS",): 1.0}
    # without a sensitive value there is nothing to join
    assert not BackgroundJoin().attack([release(TABLE)], Background(person=bob)).claims


def test_eve_learns_nothing_from_separate_tables() -> None:
    qids = ["race", "sex"]
    apart = release(TABLE.select(*qids, "diagnosis", "family_history"), TABLE.select(*qids, "job"))
    bob = {"race": "black", "sex": "m", "job": "teacher"}
    assert not BackgroundJoin().attack([apart], Background(person=bob)).claims
    told = BackgroundJoin().attack([apart], Background()).summary
    joined = BackgroundJoin().attack([release(TABLE)], Background()).summary
    assert told["guesses_right_with_join"] < joined["guesses_right_with_join"]


@given(ROWS, st.sampled_from(["0.5", "0.9", "1"]))
def test_every_join_that_tells_is_claimed(rows: list[tuple[str, ...]], least: str) -> None:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    claims = BackgroundJoin(confidence=least).attack([release(table)], Background()).claims
    wanted = Counter()
    for a in range(2, 5):
        for b in range(2, 5):
            for key in {(*row[:2], row[a]) for row in rows} if a != b else ():
                alone = [row[b] for row in rows if row[:2] == key[:2]]
                joined = [row[b] for row in rows if (*row[:2], row[a]) == key]
                value, held = Counter(joined).most_common(1)[0]
                sure = held / len(joined)
                ties = list(Counter(joined).values()).count(held)
                if ties == 1 and sure >= float(least) and sure > alone.count(value) / len(alone):
                    wanted[
                        (f"race={key[0]}", f"sex={key[1]}", f"{COLUMNS[a]}={key[2]}"),
                        (f"{COLUMNS[b]}={value}",),
                        round(sure, 9),
                        len(joined),
                    ] += 1
    found = Counter(
        (claim.known, claim.inferred, round(claim.confidence, 9), claim.people) for claim in claims
    )
    assert all(found[claim] == 1 for claim in wanted)
    # what else is claimed are equally likely values, at one half or less
    assert all(claim[2] <= 0.5 for claim in found - wanted)


def test_distinct_values_do_not_bound_a_guess() -> None:
    # 002-6: ten rows with values 9 + 1 are 2-anonymous and 2-diverse
    table = pl.DataFrame({"race": ["*"] * 10, "sex": ["*"] * 10, "s": ["x"] * 9 + ["y"]})
    told = Intersection().attack([release(table)], Background())
    assert told.summary["linkability"] == pytest.approx(0.9)


@pytest.mark.parametrize("attack", [BackgroundJoin, Intersection])
def test_choices_out_of_range_are_refused(attack: Any) -> None:
    for wrong in ({"confidence": 0}, {"confidence": 2}, {"limit": 0}):
        with pytest.raises(ParameterError):
            attack(**wrong)


def test_only_published_columns_can_be_known() -> None:
    with pytest.raises(ParameterError, match="'jobb' is not one"):
        BackgroundJoin().attack([release(TABLE)], Background(person={"jobb": "teacher"}))


def test_what_people_have_comes_first_and_lacks_only_where_the_class_left_them_open() -> None:
    rows = [("white", "f", "x", 1, 0)] * 3 + [("white", "f", "y", 0, 0)] * 3
    rows += [("white", "f", "z", 0, 1)] * 1 + [("white", "f", "z", 0, 0)] * 33
    table = pl.DataFrame(rows, schema=["race", "sex", "job", "ill=flu", "ill=rare"], orient="row")
    found = BackgroundJoin(confidence="0.9").attack(release(table), Background())
    inferred = [claim.inferred[0] for claim in found.claims]
    assert "ill=flu=1" in inferred
    lacks = [place for place, told in enumerate(inferred) if told.endswith("=0")]
    # nearly everyone lacks both: that a known job makes it certain tells nothing new
    assert not lacks
    open_class = table.filter(pl.col("job") != "z")
    told = BackgroundJoin(confidence="0.9").attack(release(open_class), Background())
    inferred = [claim.inferred[0] for claim in told.claims]
    lacks = [place for place, each in enumerate(inferred) if each.endswith("=0")]
    assert lacks
    assert min(lacks) > inferred.index("ill=flu=1")
    person = {"race": "white", "sex": "f", "job": "y"}
    about = BackgroundJoin(confidence="0.9").attack(release(table), Background(person=person))
    assert not about.claims


def test_claims_above_the_limit_are_counted() -> None:
    every = BackgroundJoin(confidence="0.1").attack(release(TABLE), Background())
    some = BackgroundJoin(confidence="0.1", limit=2).attack(release(TABLE), Background())
    assert len(some.claims) == 2
    assert some.summary["claims_above_the_limit"] == len(every.claims) - 2
    assert "claims_above_the_limit" not in every.summary


def test_an_attribute_may_be_called_count() -> None:
    named = TABLE.rename({"job": "count"})
    told = BackgroundJoin().attack([release(named)], Background()).summary
    assert told == BackgroundJoin().attack([release(TABLE)], Background()).summary


@given(rows=ROWS, confidence=st.sampled_from(["0.5", "0.9", "1"]))
def test_values_are_counted_alike_with_and_without_room_for_all(
    rows: list[tuple[str, ...]], confidence: str
) -> None:
    table = pl.DataFrame(rows, schema=TABLE.columns, orient="row").with_columns(
        (pl.col("job") == "teacher").cast(pl.Int64).alias("job=teacher")
    )
    attack = BackgroundJoin(confidence=confidence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background_join, "DENSE", 0)
        expected = attack.attack([release(table)])
        patch.setattr(background_join, "DENSE", 10**6)
        assert attack.attack([release(table)]) == expected


def test_pairs_of_values_are_not_sorted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # an attribute of a thousand values has a million pairs
    sorted_ = []
    guess = background_join.best_guesses
    monkeypatch.setattr(
        background_join, "best_guesses", lambda *args: sorted_.append(1) or guess(*args)
    )
    bits = {f"ill={value}": [int(value == row % 30) for row in range(60)] for value in range(30)}
    table = pl.DataFrame({"race": ["*"] * 60, "sex": ["*"] * 60} | bits)
    assert BackgroundJoin().attack([release(table)]).summary["attributes"] == 30
    assert len(sorted_) <= len(bits)


def test_of_a_table_without_rows_nothing_is_guessed() -> None:
    found = BackgroundJoin().attack([release(TABLE.clear())])
    assert not found.claims
    assert found.summary["guesses_right_with_join"] == 0
