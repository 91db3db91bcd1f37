"""Roles of a table: bits of multi-valued attributes, intervals, gaps, harmless values."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata
from discreet.errors import DataError, ParameterError

PATIENTS = pl.DataFrame(
    {
        "age": ["39", "40", "41"],
        "diagnosis": ["flu|cough", "", "flu"],
        "pay": ["0", "12.5", "?"],
    }
)


def people() -> Microdata:
    return Microdata.of(
        PATIENTS, qids=["age"], sensitive=["diagnosis", "pay"], multi_valued=["diagnosis"]
    )


def test_a_multi_valued_attribute_becomes_bits() -> None:
    bits = people().bitmap
    assert bits.sensitive == ("diagnosis=cough", "diagnosis=flu", "pay")
    assert bits.table.columns == ["age", *bits.sensitive]
    assert bits.table["diagnosis=cough"].to_list() == ["1", "0", "0"]
    assert bits.table["diagnosis=flu"].to_list() == ["1", "0", "1"]
    assert bits.multi_valued == frozenset()
    assert bits.bitmap is bits


@given(st.lists(st.frozensets(st.sampled_from("abcdef")), min_size=1, max_size=20))
def test_nothing_is_lost_in_bits(sets: list[frozenset[str]]) -> None:
    table = pl.DataFrame({"q": ["x"] * len(sets), "d": ["/".join(sorted(held)) for held in sets]})
    data = Microdata.of(table, qids=["q"], sensitive=["d"], multi_valued=["d"], separator="/")
    # with q among them: before polars 2 a table without columns has no rows either
    rows = data.bitmap.table.to_dicts()
    assert sets == [
        {name.removeprefix("d=") for name, bit in row.items() if bit == "1"} for row in rows
    ]


def test_a_harmless_value_is_harmless_as_a_bit() -> None:
    table = people().table
    data = Microdata(
        table,
        ("age",),
        ("diagnosis", "pay"),
        frozenset({"diagnosis"}),
        "|",
        {"diagnosis": frozenset({"flu"}), "pay": frozenset({"0"})},
    )
    assert not data.sens("pay", "0")
    assert data.sens("pay", "12.5")
    assert not data.bitmap.sens("diagnosis=flu", "1")
    assert not data.bitmap.sens("diagnosis=flu", "0")
    assert data.bitmap.sens("diagnosis=cough", "1")
    with pytest.raises(DataError, match="'age' is not one"):
        Microdata(table, ("age",), ("pay",), non_sensitive={"age": frozenset()})


def test_two_columns_of_one_name_are_refused() -> None:
    table = pl.DataFrame({"d=x": ["1"], "d": ["x"]})
    data = Microdata.of(table, qids=["d=x"], sensitive=["d"], multi_valued=["d"])
    with pytest.raises(DataError, match="'d=x'"):
        _ = data.bitmap


def test_gaps_are_treated_as_declared() -> None:
    assert people().treat_missing("value").table.height == 3
    # an empty set of diagnoses is no gap
    assert people().treat_missing("drop").table["age"].to_list() == ["39", "40"]
    with pytest.raises(DataError, match="row 3 has a missing cell"):
        people().treat_missing("error")
    with pytest.raises(DataError, match="none would be left"):
        Microdata.of(PATIENTS[2:], qids=["age"], sensitive=["pay"]).treat_missing("drop")


def test_numbers_become_intervals() -> None:
    cut = people().discretise("pay", [1, "12.5"]).discretise("age", [40])
    assert cut.table["pay"].to_list() == ["<1", ">=12.5", "?"]
    assert cut.table["age"].to_list() == ["<40", ">=40", ">=40"]
    with pytest.raises(DataError, match="row 1 of 'diagnosis' holds something else"):
        people().discretise("diagnosis", [1])
    not_a_number = Microdata.of(pl.DataFrame({"pay": ["1", "nan"]}), qids=["pay"], sensitive=[])
    with pytest.raises(DataError, match="row 2 of 'pay' holds something else"):
        not_a_number.discretise("pay", [1])
    with pytest.raises(ParameterError, match="ascending"):
        people().discretise("pay", [2, 1])
    with pytest.raises(DataError, match=r"'payy' .did you mean 'pay'.. is not"):
        people().discretise("payy", [1])


def test_hierarchies_are_built() -> None:
    ages = Hierarchy.intervals([str(age) for age in range(40)], [5, 10, 20])
    assert ages.ancestors("7") == ("5..<10", "0..<10", "0..<20", "*")
    assert ages.height == 4
    assert Hierarchy.intervals(["-3"], [10], origin=5).level("-3", 1) == "-5..<5"
    zips = Hierarchy.prefixes(["4712", "4725", "4713"])
    assert zips.ancestors("4712") == ("471*", "47**", "4***", "*")
    assert Hierarchy.flat(["a", "b"]).ancestors("a") == ("*",)
    for widths in ([], [0, 5], [5, 12], [5, 5]):
        with pytest.raises(ParameterError, match="multiple"):
            Hierarchy.intervals(["1"], widths)
    with pytest.raises(DataError, match="one value is not a number"):
        Hierarchy.intervals(["x"], [1])
    with pytest.raises(ParameterError, match="must fall"):
        Hierarchy.prefixes(["4712"], [4])


@pytest.mark.parametrize(
    "cells",
    [[" cafe\u0301 |caf\u00e9|\u00a0tea|", ""], [[" cafe\u0301 ", "caf\u00e9", "\u00a0tea"], None]],
)
def test_the_values_in_a_cell_are_tidied_each_once(cells: list[Any]) -> None:
    table = pl.DataFrame({"ill": cells})
    people = Microdata.of(table, qids=(), sensitive=["ill"], multi_valued=["ill"])
    assert people.table["ill"].to_list() == ["caf\u00e9|tea", ""]
    harmless = replace(people, non_sensitive={"ill": [" cafe\u0301"]})
    assert not harmless.sens("ill", "caf\u00e9")


def test_a_value_of_a_list_must_not_hold_the_separator() -> None:
    table = pl.DataFrame({"ill": [["a|b", "c"]]})
    with pytest.raises(DataError, match="choose another"):
        Microdata.of(table, qids=(), sensitive=["ill"], multi_valued=["ill"])
    told = Microdata.of(table, qids=(), sensitive=["ill"], multi_valued=["ill"], separator=";")
    assert told.table["ill"].to_list() == ["a|b;c"]
