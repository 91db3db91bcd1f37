"""Plans are decided from folded rows alone and applied record by record."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from discreet import Microdata, rng, verify
from discreet.errors import InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.tables import Codip, CodipStar, Incognito, NaiveTCloseness
from discreet.tables.folding import FoldedTable, fold
from tests.tables.jobs_and_illnesses import ROWS, TREES, people

METHODS: list[Any] = [
    Incognito(k=2, hierarchy=TREES, suppression_limit="0.3"),
    Incognito(k=4, hierarchy=TREES, suppression_limit=1, m_confidentiality=2),
    NaiveTCloseness(k=2, t="0.4", hierarchy=TREES),
    Codip(k=2, t="0.3", hierarchy=TREES, suppression_limit="0.2"),
    CodipStar(k=2, t="0.5", hierarchy=TREES),
]


def published(method: Any, data: Microdata) -> dict[str, Any]:
    """Return the tables and notes of a release, or the sentence that refuses it."""
    try:
        release = method.publish(data, seeded(5)).release
    except InfeasibleError as error:
        return {"refused": str(error)}
    tables = {name: table.to_dicts() for name, table in release.to_polars().items()}
    return tables | {"notes": release.manifest.notes}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.called)
@given(rows=ROWS, chance=st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_a_release_does_not_depend_on_the_order_of_rows(
    method: Any, rows: list[tuple[str, ...]], chance: Any
) -> None:
    moved = chance.sample(rows, len(rows))
    assert published(method, people(rows)) == published(method, people(moved))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.called)
@given(rows=ROWS, cut=st.integers(0, 30))
@settings(max_examples=40, suppress_health_check=[HealthCheck.filter_too_much])
def test_slices_of_the_data_give_slices_of_the_tables(
    method: Any, rows: list[tuple[str, ...]], cut: int
) -> None:
    data = people(rows)
    try:
        plan = method.decide(fold(data), seeded(5))
    except InfeasibleError:
        plan = None
    assume(plan is not None)
    whole = method.apply(plan, data).parts
    slices = [
        method.apply(plan, replace(data, table=part)).parts
        for part in (data.table[:cut], data.table[cut:])
    ]
    for number, table in enumerate(whole):
        together = pl.concat([parts[number] for parts in slices])
        assert together.sort(together.columns).equals(table.sort(table.columns))
    released = method.publish(data, seeded(5)).release.content.parts
    assert all(
        one.equals(other.sort(other.columns)) for one, other in zip(whole, released, strict=True)
    )


@given(ROWS)
def test_folded_rows_are_distinct_sorted_and_counted(rows: list[tuple[str, ...]]) -> None:
    folded = fold(people(rows))
    assert isinstance(folded, FoldedTable)
    table = folded.distinct.table
    assert table.is_duplicated().sum() == 0
    assert table.select("age", "sex", "job").equals(
        table.select("age", "sex", "job").sort("age", "sex", "job")
    )
    bits = people(rows).bitmap.table.group_by(pl.all()).agg(pl.len())
    wanted = {row[:-1]: row[-1] for row in bits.iter_rows()}
    assert dict(zip(table.iter_rows(), folded.counts.tolist(), strict=True)) == wanted
    assert folded.people == len(rows)


@pytest.mark.parametrize("recoding", ["full-domain", "mondrian"])
def test_attributes_that_number_the_rows_alike_do_not_go_into_two_tables(recoding: Any) -> None:
    ranks = pl.DataFrame({"age": ["1"] * 4, "first": [*"uvwx"], "second": [*"vuxw"]})
    data = Microdata.of(ranks, qids=["age"], sensitive=["first", "second"])
    apart = Codip(k=2, t=1, plan=(("first",), ("second",)), recoding=recoding)
    with pytest.raises(InfeasibleError, match="'first' and 'second' hold the same values"):
        apart.publish(data, rng.seeded(1))
    together = Codip(k=2, t=1, plan=(("first", "second"),), recoding=recoding)
    assert verify(together.publish(data, rng.seeded(1))).by_parts is True


def test_the_rows_that_are_published_are_numbered_not_those_left_out() -> None:
    ranks = pl.DataFrame({"age": ["1"] * 4, "first": [*"uvwx"], "second": [*"vuxw"]})
    apart = Codip(k=2, t=1, plan=(("first",), ("second",)))
    rare = pl.concat([ranks, pl.DataFrame({"age": ["2"], "first": ["u"], "second": ["w"]})])
    fewer = Microdata.of(rare, qids=["age"], sensitive=["first", "second"])
    leaving = replace(apart, suppression_limit="0.2", highest_level={"age": "0"})
    with pytest.raises(InfeasibleError, match="hold the same values"):
        leaving.publish(fewer, rng.seeded(1))


def test_values_that_one_of_two_people_has_number_nobody() -> None:
    pair = pl.DataFrame({"age": ["1"] * 2, "ill": ["flu", ""], "had": ["", "flu"]})
    data = Microdata.of(pair, qids=["age"], sensitive=["ill", "had"], multi_valued=["ill", "had"])
    apart = Codip(k=2, t=1, plan=(("ill=flu",), ("had=flu",)))
    assert verify(apart.publish(data, rng.seeded(1))).by_parts is True


def test_a_plan_may_name_a_multi_valued_attribute_or_its_values() -> None:
    rows = {"age": ["1"] * 4, "job": [*"abab"], "ill": ["flu", "flu|cold", "", "cold"]}
    data = Microdata.of(
        pl.DataFrame(rows), qids=["age"], sensitive=["job", "ill"], multi_valued=["ill"]
    )
    whole, spelt = (
        Codip(k=2, t=1, plan=(("job",), ill)).publish(data, rng.seeded(1)).release
        for ill in (("ill",), ("ill=cold", "ill=flu"))
    )
    assert whole["table_2"].columns == ["age", "ill=cold", "ill=flu"]
    assert all(whole[name].equals(table) for name, table in spelt.to_polars().items())
    with pytest.raises(ParameterError, match="'ill=flu' occurs twice"):
        Codip(k=2, t=1, plan=(("job", "ill=flu"), ("ill",))).publish(data, rng.seeded(1))
