"""The profile of a table against the same numbers, row by row."""

from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Microdata
from discreet.errors import DataError
from discreet.risk import Population, table_profile

COLUMNS = ["q", "r", "job", "ill"]
ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from("xy"),
        st.sampled_from("123"),
        st.sampled_from(["", "p", "q|p", "p|q"]),
    ),
    min_size=1,
    max_size=20,
)


def people(rows: list[tuple[str, ...]], qids: list[str]) -> Microdata:
    table = pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")
    return Microdata.of(table, qids=qids, sensitive=COLUMNS[2:], multi_valued=["ill"])


def share(values: list[bool]) -> float:
    return sum(values) / len(values)


@given(ROWS, st.sampled_from([["q", "r"], ["r"], []]))
def test_a_profile_is_that_of_the_rows(rows: list[tuple[str, ...]], qids: list[str]) -> None:
    key = lambda row: tuple(row[COLUMNS.index(name)] for name in qids)  # noqa: E731
    mates = [[other for other in rows if key(other) == key(row)] for row in rows]
    told = table_profile(people(rows, qids))
    assert told["rows"] == len(rows)
    assert told["classes"] == len({key(row) for row in rows})
    assert told["smallest_class"] == min(map(len, mates))
    assert told["share_alone"] == pytest.approx(share([len(each) == 1 for each in mates]))
    assert told["share_below_5"] == pytest.approx(share([len(each) < 5 for each in mates]))
    job = told["attributes"]["job"]
    assert job["values"] == len({row[2] for row in rows})
    certain = share([len({row[2] for row in each}) == 1 for each in mates])
    assert job["share_value_certain"] == pytest.approx(certain)
    far = max(
        sum(abs(part_of(each, 2, value) - part_of(rows, 2, value)) for value in "123") / 2
        for each in mates
    )
    assert job["t"] == pytest.approx(float(far))
    assert told["wp29"]["singling_out"]["share"] == told["share_alone"]
    assert told["wp29"]["linkability"]["share"] == pytest.approx(told["classes"] / len(rows))
    if any(row[3] for row in rows):
        same = share([len({frozenset(row[3].split("|")) for row in each}) == 1 for each in mates])
        assert told["attributes"]["ill"]["share_value_certain"] == pytest.approx(same)
    else:
        assert "ill" not in told["attributes"]


def part_of(rows: list[tuple[str, ...]], column: int, value: str) -> Fraction:
    return Fraction(sum(row[column] == value for row in rows), len(rows))


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(DataError, match="at least one row"):
        table_profile(people([], ["q"]))


def test_a_population_is_counted_class_by_class() -> None:
    rows = [("a", "x", "1", ""), ("a", "x", "2", ""), ("b", "x", "1", "")]
    everybody = pl.DataFrame({"q": ["a"] * 4 + ["b"] * 2 + ["c"], "r": ["x"] * 7})
    told = table_profile(people(rows, ["q", "r"]), Population(table=everybody))
    assert told["k_map"] == 2
    assert told["prosecutor"]["highest"] == 1.0
    assert told["journalist"]["highest"] == 0.5
    assert told["marketer"] == pytest.approx((2 / 4 + 1 / 2) / 3)
    assert told["population_uniqueness"] == {
        "share": 0.0, "model": "counted in the population", "models": {},
    }  # fmt: skip


def test_a_population_without_the_people_is_refused() -> None:
    rows = [("a", "x", "1", ""), ("a", "x", "2", "")]
    everybody = pl.DataFrame({"q": ["a"], "r": ["x"]})
    with pytest.raises(DataError, match="must hold everybody in the data, and for 1 rows"):
        table_profile(people(rows, ["q", "r"]), Population(table=everybody))
    with pytest.raises(DataError, match="'r' is not in it"):
        table_profile(people(rows, ["q", "r"]), Population(table=everybody.select("q")))
