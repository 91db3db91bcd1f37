"""The fast eliminations do what the definitions say, on any table."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet import rng
from discreet.generalised.elimination.rules import Elimination, Method, eliminate
from tests.generalised.naive_elimination import (
    Attacked,
    Distances,
    by_groups,
    by_threshold,
    by_weights,
)

METHODS: tuple[Method, ...] = ("ra", "mda", "tba", "wba", "gba", "rba")
CELLS = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    st.floats(min_value=0, max_value=8, allow_subnormal=False),
    st.just(float("nan")),
)
TABLES = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=CELLS)
)


def cells(gone: Elimination) -> list[tuple[int, int]]:
    return list(zip(gone.rows.tolist(), gone.columns.tolist(), strict=True))


@given(TABLES, st.booleans())
def test_groups_are_attacked_as_by_a_full_scan(table: Distances, redistribute: bool) -> None:
    fast = eliminate(table, "rba" if redistribute else "gba", rng.seeded(1))
    gone, evidence, threshold, _ = by_groups(table, redistribute=redistribute)
    assert cells(fast) == gone
    assert [*fast.evidence.tolist(), fast.stopped] == evidence
    assert fast.threshold == threshold or not np.isfinite(table).any()


@given(TABLES)
def test_weights_and_thresholds_are_those_of_a_full_scan(table: Distances) -> None:
    gone, evidence, threshold, _ = by_weights(table)
    fast = eliminate(table, "wba", rng.seeded(1))
    assert cells(fast) == gone
    assert [*fast.evidence.tolist(), fast.stopped] == evidence
    assert fast.threshold == threshold
    assume(np.isfinite(table).any())
    assert cells(eliminate(table, "tba", rng.seeded(1))) == by_threshold(table)


@pytest.mark.parametrize("shape", [(40, 9), (9, 40), (25, 25)])
@pytest.mark.parametrize("redistribute", [False, True])
def test_larger_tables_agree_too(shape: tuple[int, int], redistribute: bool) -> None:
    table = rng.seeded(3).integers(1 << 30, shape[0] * shape[1]).reshape(shape) / (1 << 30)
    fast = eliminate(table, "rba" if redistribute else "gba", rng.seeded(1))
    gone, evidence, _, _ = by_groups(table, redistribute=redistribute)
    assert len(gone) > 20
    assert cells(fast) == gone
    assert [*fast.evidence.tolist(), fast.stopped] == evidence


@given(TABLES, st.sampled_from(METHODS), st.integers(0, 3))
def test_every_row_and_column_keeps_one_and_the_unknown_stays(
    table: Distances, method: Method, seed: int
) -> None:
    gone = cells(eliminate(table, method, rng.seeded(seed)))
    known = np.isfinite(table)
    assert len(set(gone)) == len(gone)
    assert all(known[cell] for cell in gone)
    after = known.copy()
    for cell in gone:
        after[cell] = False
    assert (after.any(axis=1) == known.any(axis=1)).all()
    assert (after.any(axis=0) == known.any(axis=0)).all()
    # each row and each column that has cells keeps one
    assert len(gone) <= known.sum() - max(known.any(axis=1).sum(), known.any(axis=0).sum())


@given(TABLES, st.booleans())
def test_live_weights_sum_to_one_after_every_step(table: Distances, redistribute: bool) -> None:
    gone = by_groups(table, redistribute=redistribute)[0]
    left = Attacked(table)
    for cell in [None, *gone]:
        if cell is not None:
            (left.redistribute if redistribute else left.spread)(cell)
        for row in {i for i, _ in left.live}:
            assert sum(left.by_row[each] for each in left.row(row)) == pytest.approx(1)
        for column in {j for _, j in left.live}:
            assert sum(left.by_column[each] for each in left.column(column)) == pytest.approx(1)


@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (1, 6), (6, 1), (1, 1)])
@pytest.mark.parametrize("method", METHODS)
def test_tables_that_are_not_square_are_attacked(shape: tuple[int, int], method: Method) -> None:
    table = np.arange(shape[0] * shape[1], dtype=np.float64).reshape(shape) % 7 + 0.5
    gone = eliminate(table, method, rng.seeded(2))
    assert len(gone) <= table.size - max(shape)
    assert (np.isfinite(gone.evidence)).all()


def test_a_row_of_two_rows_loses_as_many_cells_as_it_has_columns_but_two() -> None:
    # as printed, N_r - E_r is 0 after two eliminations in a row of two rows, whatever it holds
    table = np.array([[0.1, 0.1, 3.0, 2.9, 2.8], [2.7, 2.6, 0.1, 0.1, 0.1]])
    gone = cells(eliminate(table, "rba", rng.seeded(1)))
    assert gone == [(0, 2), (0, 3), (0, 4)]


def test_the_cell_that_is_its_own_lower_cluster_shares_with_everyone() -> None:
    # (0, 0) tops its column and is alone at the bottom of its row
    table = np.array([[5.0, 90.0, 91.0, 92.0], [0.1, 90.0, 90.5, 91.5], [0.2, 89.0, 90.2, 91.1]])
    left = Attacked(table)
    assert left.lower(left.row(0)) == [(0, 0)]
    left.redistribute((0, 0))
    assert [left.by_row[0, column] for column in (1, 2, 3)] == pytest.approx([1 / 3] * 3)
    gone, evidence, _, _ = by_groups(table, redistribute=True)
    fast = eliminate(table, "rba", rng.seeded(1))
    assert cells(fast) == gone
    assert [*fast.evidence.tolist(), fast.stopped] == evidence


def test_the_random_attack_follows_its_coin() -> None:
    table = np.ones((30, 8))
    first, again, other = (cells(eliminate(table, "ra", rng.seeded(seed))) for seed in (4, 4, 5))
    assert first == again != other
    assert 70 <= len(first) <= 170  # 120 of 240 on average


def test_confidence_grows_with_the_evidence() -> None:
    table = np.array([[0.1, 3.0, 1.5], [2.0, 0.1, 0.2], [0.3, 1.0, 0.1]])
    gone = eliminate(table, "tba", rng.seeded(1))
    assert (np.diff(gone.evidence) <= 0).all()
    assert (np.diff(gone.confidence) <= 0).all()
    assert ((gone.confidence > 0.5) & (gone.confidence < 1)).all()
    assert (eliminate(table, "ra", rng.seeded(1)).confidence == 0.5).all()


def test_nothing_known_nothing_eliminated() -> None:
    table = np.full((3, 4), np.nan)
    for method in METHODS:
        assert len(eliminate(table, method, rng.seeded(1))) == 0
