"""What an attribute gives away, against the definitions read aloud."""

from fractions import Fraction
from math import exp, inf, log

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.risk import attribute_disclosure

ROWS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("12345")), min_size=1, max_size=25)


def measured(rows: list[tuple[int, str]]) -> dict[str, float]:
    numbers = {each: place for place, each in enumerate(sorted({owner for owner, _ in rows}))}
    classes = np.array([numbers[owner] for owner, _ in rows])
    return attribute_disclosure(classes, pl.Series([value for _, value in rows]))


def shares(rows: list[tuple[int, str]], values: list[str]) -> list[Fraction]:
    held = [value for _, value in rows]
    return [Fraction(held.count(value), len(rows)) for value in values]


@given(ROWS)
def test_every_number_is_that_of_its_definition(rows: list[tuple[int, str]]) -> None:
    told, values = measured(rows), sorted({value for _, value in rows})
    p = shares(rows, values)
    classes = [[row for row in rows if row[0] == owner] for owner in {owner for owner, _ in rows}]
    q_of = [shares(each, values) for each in classes]
    assert told["l"] == min(sum(q > 0 for q in each) for each in q_of)
    entropies = [-sum(q * log(q) for q in each if q) for each in q_of]
    assert told["entropy_l"] == pytest.approx(exp(min(entropies)))
    far = [sum(abs(q - p_) for q, p_ in zip(each, p, strict=True)) / 2 for each in q_of]
    assert told["t"] == pytest.approx(float(max(far)))
    pairs = [(q, p_) for each in q_of for q, p_ in zip(each, p, strict=True)]
    beta = max([(q - p_) / p_ for q, p_ in pairs if q > p_], default=Fraction(0))
    assert told["beta"] == pytest.approx(float(beta))
    kept = all((q - p_) / p_ <= -log(p_) + 1e-12 for q, p_ in pairs if q > p_)
    assert told["enhanced_beta"] == (pytest.approx(float(beta)) if kept else inf)
    present = max(abs(log(q / p_)) for q, p_ in pairs if q)
    assert told["delta_of_values_present"] == pytest.approx(present)
    assert told["delta"] == (inf if any(q == 0 for q, _ in pairs) else pytest.approx(present))


@given(ROWS)
def test_the_distance_by_rank_is_the_mean_gap_of_cumulated_shares(
    rows: list[tuple[int, str]],
) -> None:
    told, values = measured(rows), sorted({value for _, value in rows})
    if len(values) == 1:
        assert "t_ordered" not in told
    else:
        p = np.cumsum([float(share) for share in shares(rows, values)])
        far = [
            np.abs(np.cumsum([float(q) for q in shares(each, values)]) - p)[:-1].sum()
            for each in [[row for row in rows if row[0] == owner] for owner, _ in rows]
        ]
        assert told["t_ordered"] == pytest.approx(max(far) / (len(values) - 1))


def test_ranks_are_those_of_numbers_and_not_of_texts() -> None:
    told = measured([(0, "9"), (0, "10"), (1, "10"), (1, "100")])
    # class 0 holds ranks 0 and 1 of (9, 10, 100), the table (1/4, 1/2, 1/4)
    assert told["t_ordered"] == pytest.approx(1 / 4)


def test_a_gap_adds_nothing_to_diversity() -> None:
    told = measured([(0, "hiv")] * 9 + [(0, "?")] + [(1, "flu"), (1, "hiv")])
    assert (told["l"], told["entropy_l"]) == (1, 1.0)
    only_gaps = measured([(0, "?"), (0, "?")])
    assert only_gaps["l"] is None


def test_guesses_are_set_against_the_base_rate() -> None:
    told = measured([(0, "a"), (0, "a"), (1, "b"), (1, "a"), (1, "b")])
    assert told["guessed_right"] == pytest.approx(4 / 5)
    assert told["base_rate"] == pytest.approx(3 / 5)
    assert told["share_value_certain"] == pytest.approx(2 / 5)
