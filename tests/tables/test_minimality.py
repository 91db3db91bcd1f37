"""The minimality attack against a plain count over all inputs."""

from fractions import Fraction
from functools import reduce
from itertools import islice, product
from operator import and_
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, Release
from discreet.core.guarantee import TCloseness
from discreet.core.workload import Workload
from discreet.errors import DataError, ParameterError
from discreet.rng import seeded
from discreet.tables import CodipStar, Incognito, Minimality, NaiveTCloseness, Register
from discreet.tables.folding import fold
from discreet.tables.inverting.alternatives import Alternatives, alternatives_of
from discreet.tables.inverting.possible_inputs import (
    assignments_of_class,
    permutations_of,
    posterior,
)
from discreet.tables.minimality import register_of

TREE = Hierarchy.of_levels([["1", "12", "*"], ["2", "12", "*"], ["3", "34", "*"], ["4", "34", "*"]])
ROWS = st.lists(
    st.tuples(st.sampled_from("1234"), st.sampled_from("fm"), st.sampled_from("xy")),
    min_size=2,
    max_size=7,
)


def people(rows: list[tuple[str, str, str]]) -> Microdata:
    table = pl.DataFrame(rows, schema=["q", "r", "s"], orient="row")
    return Microdata.of(table, qids=["q", "r"], sensitive=["s"])


def close_at(data: Microdata, t: Fraction, nodes: tuple[tuple[int, ...], ...]) -> list[bool]:
    method = CodipStar(k=2, t=t, hierarchy=(("q", TREE),))
    found = method.planner(fold(data)).generalisations
    return [found.closeness["s"][found.scores.nodes.index(node)] <= t for node in nodes]


@given(ROWS, st.sampled_from(["0.1", "0.25", "0.4"]))
@settings(max_examples=60)
def test_chances_are_shares_of_the_inputs_that_fit(
    rows: list[tuple[str, str, str]], t: str
) -> None:
    data = people(rows)
    method = NaiveTCloseness(k=2, t=t, hierarchy=(("q", TREE),))
    release = method.publish(data, seeded(1)).release
    found = alternatives_of(release.content, 0, data.table, 2)
    assert isinstance(found, Alternatives)
    nodes = len(found.better)
    classes = [
        assignments_of_class(values, nodes, found.judge(place, TCloseness(t=t)))
        for place, values in enumerate(found.values)
    ]
    told = [posterior(classes, place, nodes) for place in range(len(classes))]
    wanted, total = brute(found, Fraction(t))
    assert total > 0
    for place, chances in enumerate(told):
        assert chances is not None
        for person, likely in enumerate(chances):
            shares = {value: Fraction(n, total) for value, n in wanted[place][person].items()}
            assert {v: p for v, p in likely.items() if p} == shares


def brute(found: Alternatives, t: Fraction) -> tuple[list[list[dict[int, int]]], int]:
    """Count, over every way to give rows to people, those in which no better node is close."""
    total = 0
    wanted: list[list[dict[int, int]]] = [[{} for _ in values] for values in found.values]
    for world in product(*(list(permutations_of(values)) for values in found.values)):
        rows = [
            (*cells, found.rows[row][0])
            for members, given_rows in zip(found.people, world, strict=True)
            for cells, row in zip(members, given_rows, strict=True)
        ]
        if any(close_at(people(rows), t, found.better)):
            continue
        total += 1
        for place, given_rows in enumerate(world):
            for person, row in enumerate(given_rows):
                wanted[place][person][row] = wanted[place][person].get(row, 0) + 1
    return wanted, total


@given(
    st.lists(
        st.tuples(
            st.sampled_from("1234"),
            st.sampled_from("fm"),
            st.sampled_from("xy"),
            st.sampled_from("uv"),
        ),
        min_size=3,
        max_size=5,
    ),
    st.sampled_from(["discernibility", "precision", "loss", "class-size", "entropy", "workload"]),
    st.sampled_from([{}, {"q": "3"}, {"r": "5"}]),
)
@settings(max_examples=60)
def test_an_input_that_is_excluded_would_have_been_published_otherwise(
    rows: list[tuple[str, ...]], score: Any, weights: dict[str, str]
) -> None:
    own = {"score": score, "weights": weights, "t_by_attribute": {"u": "0.2"}}
    if score == "workload":
        own["workload"] = Workload.of(["q=1", "q=3; r=m"])
    method = NaiveTCloseness(k=2, t="0.6", hierarchy=(("q", TREE),), **own)

    def published(rows: list[tuple[str, ...]]) -> Release[Any]:
        table = pl.DataFrame(rows, schema=["q", "r", "s", "u"], orient="row")
        data = Microdata.of(table, qids=["q", "r"], sensitive=["s", "u"])
        return method.publish(data, seeded(1)).release

    release = published(rows)
    register = pl.DataFrame([row[:2] for row in rows], schema=["q", "r"], orient="row")
    found = alternatives_of(release.content, 0, register, 2)
    assert isinstance(found, Alternatives)
    judges = [found.judge(index, method.closeness) for index in range(len(found.values))]
    for world in islice(product(*map(permutations_of, found.values)), 40):
        close = [judge(given_rows) for judge, given_rows in zip(judges, world, strict=True)]
        if found.better and reduce(and_, close):
            again = published(
                [
                    (*cells, *found.rows[row])
                    for members, given_rows in zip(found.people, world, strict=True)
                    for cells, row in zip(members, given_rows, strict=True)
                ]
            )
            assert again.manifest.notes["levels"] != release.manifest.notes["levels"]


def test_a_minimal_table_gives_somebody_away(tmp_path: Path) -> None:
    # had one man x, the finer table would have been close: so both have x (1 input) or y (6 inputs)
    rows = [("1", "m", "y")] * 2 + [("1", "f", "x")] * 2 + [("1", "f", "y")] * 2
    data = people(rows)
    method = NaiveTCloseness(k=2, t="0.3", hierarchy=(("q", TREE),))
    release = method.publish(data, seeded(1)).release
    assert release.content.parts[0]["r"].unique().to_list() == ["*"]
    register = tmp_path / "register.csv"
    data.table.select("q", "r").write_csv(register)
    told = Minimality(confidence="0.8").attack([release], Register(register=register))
    assert [(claim.known, claim.inferred) for claim in told.claims] == [
        (("q=1", "r=m"), ("s=y",)),
        (("q=1", "r=m"), ("s=y",)),
    ]
    assert [claim.confidence for claim in told.claims] == [pytest.approx(6 / 7)] * 2
    assert told.summary["release 1, table 1"] == "attacked, 2 claims"
    at_hand = register_of(Register(), data)
    assert Minimality(confidence="0.8").attack([release], at_hand) == told
    assert register_of(Register(register=register), data) == Register(register=register)


def test_what_is_not_attacked_is_said(tmp_path: Path) -> None:
    data = people([("1", "m", "x"), ("2", "f", "y")] * 20)
    register = tmp_path / "register.csv"
    data.table.select("q", "r").write_csv(register)
    whole = Register(register=register)
    rng = seeded(1)
    close = NaiveTCloseness(k=2, t="0.1", hierarchy=(("q", TREE),)).publish(data, rng).release
    cases = [
        (close, Register(), "needs a register"),
        (close, whole, "more orders than the limit"),
        (Incognito(k=2).publish(data, rng).release, whole, "only k-anonymity with t-closeness"),
        (
            NaiveTCloseness(k=2, t=1, suppression_limit="0.1").publish(data, rng).release,
            whole,
            "suppression",
        ),
        (
            NaiveTCloseness(k=2, t=1, diversity=2).publish(data, rng).release,
            whole,
            "more was asked for",
        ),
        (NaiveTCloseness(k=2, t=1, n=3).publish(data, rng).release, whole, "more was asked for"),
    ]
    for release, knowledge, why in cases:
        told = Minimality(limit=100).attack([release], knowledge)
        assert not told.claims
        assert why in str(told.summary["release 1, table 1"])
    people([("3", "m", "x"), ("4", "m", "x")]).table.select("q", "r").write_csv(register)
    told = Minimality().attack([close], whole)
    assert "does not fit" in str(told.summary["release 1, table 1"])
    data.table.select("q").write_csv(register)
    with pytest.raises(DataError, match="'r' is missing"):
        Minimality().attack([close], whole)


def test_choices_out_of_range_are_refused() -> None:
    with pytest.raises(ParameterError):
        Minimality(confidence=0)
    with pytest.raises(ParameterError):
        Minimality(limit=0)
