"""Attacks on tables, against plain loops over the published rows."""

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, Release, rng
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest
from discreet.errors import DataError, ParameterError
from discreet.measure import score
from discreet.tables import (
    Background,
    BackgroundJoin,
    Codip,
    CodipStar,
    Intersection,
    NaiveTCloseness,
    Skewness,
    published_facts,
)

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
RACE = Hierarchy.flat(["white", "black"]).tables()["hierarchy"]
SEX = Hierarchy.flat(["f", "m"]).tables()["hierarchy"]


def release(*tables: pl.DataFrame) -> Release[ProjectedTables]:
    content = ProjectedTables(tables, {"race": RACE, "sex": SEX})
    return Release(content, (), Manifest(method="any", parameters={}, randomness="none"))


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
    assert told["guesses_right_with_join"] < joined["guesses_right_with_join"]  # type: ignore[operator]


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["white", "black"]), st.sampled_from("fm"), *(st.sampled_from("xyz"),) * 3
    ),
    min_size=1,
    max_size=14,
)
COLUMNS = ["race", "sex", "s", "t", "u"]


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


@given(ROWS)
def test_the_skewest_value_of_each_class(rows: list[tuple[str, ...]]) -> None:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    told = Skewness(gain="0.000001").attack([release(table)], Background())
    rises = {}
    for column in range(2, 5):
        whole = [row[column] for row in rows]
        for key in {row[:2] for row in rows}:
            held = [row[column] for row in rows if row[:2] == key]
            rises[key, column] = max(
                held.count(v) / len(held) - whole.count(v) / len(whole) for v in set(held)
            )
    assert told.summary["largest_rise"] == pytest.approx(max(rises.values()))
    assert len(told.claims) == sum(rise >= 0.000001 for rise in rises.values())


@given(ROWS)
@settings(max_examples=40)
def test_under_closeness_no_value_rises_by_more_than_t(rows: list[tuple[str, ...]]) -> None:
    data = Microdata.of(
        pl.DataFrame(rows, schema=COLUMNS, orient="row"), qids=COLUMNS[:2], sensitive=COLUMNS[2:]
    )
    published = NaiveTCloseness(k=1, t="0.2").publish(data, rng.seeded(1)).release
    rise = Skewness().attack([published], Background()).summary["largest_rise"]
    assert isinstance(rise, float)
    assert rise <= 0.2 + 1e-9


@given(ROWS)
@settings(max_examples=40)
def test_tables_together_tell_no_more_than_one_of_them(rows: list[tuple[str, ...]]) -> None:
    data = Microdata.of(
        pl.DataFrame(rows, schema=COLUMNS, orient="row"), qids=COLUMNS[:2], sensitive=COLUMNS[2:]
    )
    published = CodipStar(k=1, t=1, beta=0).publish(data, rng.seeded(1)).release
    told = Intersection(confidence="0.000001").attack([published], Background())
    assert told.summary["joint_linkability_at_most"] <= told.summary["linkability"]  # type: ignore[operator]
    person = dict(zip(COLUMNS[:2], rows[0][:2], strict=True))
    for claim in (
        Intersection(confidence="0.000001").attack([published], Background(person=person)).claims
    ):
        alike = [row for row in rows if row[:2] == rows[0][:2]]
        sure = 1.0
        for fact in claim.inferred:
            name, value = fact.split("=")
            sure *= sum(row[COLUMNS.index(name)] == value for row in alike) / len(alike)
        assert claim.confidence == pytest.approx(sure)


def test_distinct_values_do_not_bound_a_guess() -> None:
    # 002-6: ten rows with values 9 + 1 are 2-anonymous and 2-diverse
    table = pl.DataFrame({"race": ["*"] * 10, "sex": ["*"] * 10, "s": ["x"] * 9 + ["y"]})
    told = Intersection().attack([release(table)], Background())
    assert told.summary["linkability"] == pytest.approx(0.9)


def test_claims_are_scored_through_the_key() -> None:
    rows = [
        ("white" if n % 3 else "black", "fm"[n % 2], "xyz"[n % 3], "xyz"[n % 3], "x")
        for n in range(60)
    ]
    data = Microdata.of(
        pl.DataFrame(rows, schema=COLUMNS, orient="row"), qids=COLUMNS[:2], sensitive=COLUMNS[2:]
    )
    publication = Codip(k=2, t=1, plan=(("s", "t"), ("u",))).publish(data, rng.seeded(2))
    findings = BackgroundJoin().attack([publication.release], Background())
    assert findings.claims
    people = published_facts(data, publication.release, publication.linkage_key)
    scored = score(findings, people)
    assert scored.figures["tested"] == len(findings.claims)
    assert scored.success.share == pytest.approx(1.0)
    assert scored.baseline.share < 1
    with pytest.raises(DataError, match="give it with key"):
        published_facts(data, publication.release, None)
    other = NaiveTCloseness(k=2, t=1).publish(data, rng.seeded(2))
    with pytest.raises(DataError, match="must belong to this release"):
        published_facts(data, publication.release, other.linkage_key)


@pytest.mark.parametrize("attack", [BackgroundJoin, Intersection])
def test_choices_out_of_range_are_refused(attack: Any) -> None:
    for wrong in ({"confidence": 0}, {"confidence": 2}, {"limit": 0}):
        with pytest.raises(ParameterError):
            attack(**wrong)


def test_a_gain_out_of_range_is_refused() -> None:
    with pytest.raises(ParameterError, match="gain"):
        Skewness(gain=0)


def test_only_published_columns_can_be_known() -> None:
    with pytest.raises(ParameterError, match="'jobb' is none"):
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
