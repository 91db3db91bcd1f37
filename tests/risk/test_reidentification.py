"""Prosecutor, journalist and marketer, person by person."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.risk import Population, reidentification
from discreet.risk.reidentification import population_sizes

CLASSES = st.lists(st.tuples(st.integers(1, 8), st.integers(0, 9)), min_size=1, max_size=12)


@given(CLASSES)
def test_risks_are_those_of_each_person(classes: list[tuple[int, int]]) -> None:
    sizes = np.array([size for size, _ in classes])
    everyone = np.array([size + more for size, more in classes])
    told = reidentification(sizes, Population(), everyone)
    for name, among in (("prosecutor", sizes), ("journalist", everyone)):
        risks = [1 / each for each in np.repeat(among, sizes)]
        assert told[name]["highest"] == pytest.approx(max(risks))
        assert told[name]["mean"] == pytest.approx(sum(risks) / len(risks))
        above = sum(risk > 0.2 for risk in risks) / len(risks)
        assert told[name]["share_above_20_percent"] == pytest.approx(above)
    assert told["marketer"] == told["journalist"]["mean"]
    assert told["k_map"] == everyone.min()
    alone = (np.repeat(everyone, sizes) == 1).mean()
    assert told["population_uniqueness"]["share"] == pytest.approx(alone)


def test_without_a_population_the_data_are_it() -> None:
    told = reidentification(np.array([1, 4]), Population())
    assert told["marketer"] == 2 / 5
    assert told["journalist"] == told["prosecutor"] | {"population_given": False}


def test_nobody_is_at_no_risk() -> None:
    told = reidentification(np.array([], dtype=np.int64), Population())
    assert told["prosecutor"]["highest"] is None
    assert told["k_map"] is None


def test_a_population_smaller_than_the_data_is_refused() -> None:
    with pytest.raises(DataError, match="for 2 rows"):
        reidentification(np.array([3, 1]), Population(), np.array([1, 5]))


def test_quasi_identifiers_may_have_any_name() -> None:
    classes = pl.DataFrame({"people": ["1", "2"], "published": ["a", "b"]})
    everybody = pl.DataFrame({"people": ["1", "1", "2"], "published": ["a", "a", "c"]})
    assert population_sizes(classes, everybody).tolist() == [2, 0]


def test_what_is_suppressed_as_a_whole_may_have_been_a_gap() -> None:
    everybody = pl.DataFrame({"job": ["?", "spy", "cook", "cook"]})
    for root in ("*", "**"):
        assert population_sizes(pl.DataFrame({"job": [root]}), everybody).tolist() == [4]
    # beside other cells it is a value like others
    assert population_sizes(pl.DataFrame({"job": ["**", "spy"]}), everybody).tolist() == [0, 1]
    ages = pl.DataFrame({"age": ["<20", ">=80", "?", "35"]})
    assert population_sizes(pl.DataFrame({"age": ["* or ?"]}), ages).tolist() == [4]
