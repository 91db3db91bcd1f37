"""Steps of one person that bring supports nearer, against the definition written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.counts.bounding.lattice_confidence import without_certainty
from discreet.counts.kernels.nearer_supports import CountedTable, bring_nearer
from discreet.counts.posterior.decision import distance, nearer
from discreet.kernels.supersets import superset_sums

ITEMS = 4
SETS = 1 << ITEMS
TABLES = st.lists(st.integers(0, 3), min_size=SETS, max_size=SETS).map(np.array)
WISHES = st.lists(st.floats(0, 5), min_size=SETS, max_size=SETS).map(np.array)


def holders(table: np.ndarray, known: int) -> list[int]:
    return [held for held in range(len(table)) if table[held] > 0 and held & known == known]


def certain(table: np.ndarray) -> list[int]:
    """Known sets that fit exactly one published set, which holds more."""
    found = [(known, holders(table, known)) for known in range(len(table))]
    return [known for known, fitting in found if len(fitting) == 1 and fitting != [known]]


def counted(table: np.ndarray, wanted: np.ndarray, costs: np.ndarray) -> CountedTable:
    published = (table > 0).astype(np.int64)
    supports = superset_sums(table.astype(np.float64))
    return CountedTable(table, supports, superset_sums(published), wanted, costs)


@given(TABLES, WISHES)
def test_nothing_gets_certain_and_no_table_gets_further_away(table, decided):
    start = without_certainty(table)
    found = nearer(decided, start)
    assert certain(found) == []
    assert (found >= 0).all()
    assert distance(decided, found) <= distance(decided, start) + 1e-9


@given(TABLES, WISHES, WISHES)
def test_what_is_kept_beside_the_counts_is_what_follows_from_them(table, decided, costs):
    kept = counted(without_certainty(table), superset_sums(decided.copy()), costs)
    bring_nearer(kept, np.arange(SETS), ITEMS, 1 << 20)
    assert kept.supports.tolist() == superset_sums(kept.people.astype(np.float64)).tolist()
    published = (kept.people > 0).astype(np.int64)
    assert kept.containing.tolist() == superset_sums(published).tolist()


@given(TABLES, WISHES, WISHES)
def test_at_the_end_no_person_more_or_less_would_help(table, decided, costs):
    wanted = superset_sums(decided.copy())
    kept = counted(without_certainty(table), wanted, costs)
    bring_nearer(kept, np.arange(SETS), ITEMS, 1 << 30)
    least = costs @ np.abs(kept.supports - wanted)
    for cell in range(1, SETS):
        for step in (1, -1):
            other = kept.people.copy()
            other[cell] += step
            if other[cell] >= 0 and not certain(other):
                supports = superset_sums(other.astype(np.float64))
                assert costs @ np.abs(supports - wanted) >= least - 1e-9


@pytest.mark.parametrize(
    "start",
    [
        [0, 3, 2, 4, 1, 1, 5, 9],  # seven people more hold everything
        [0, 3, 2, 5, 1, 1, 4, 2],  # another item instead of one
        [0, 2, 2, 4, 1, 2, 5, 2],  # an item more
    ],
)
def test_a_table_that_is_off_by_a_few_people_is_brought_back(start):
    decided = np.array([0.0, 3, 2, 4, 1, 1, 5, 2])
    assert certain(decided) == []
    assert nearer(decided, np.array(start)).tolist() == decided.tolist()


def test_no_work_is_no_step():
    start = np.array([1, 1, 1, 0])
    kept = counted(start.copy(), np.array([9.0, 9, 9, 9]), np.ones(4))
    bring_nearer(kept, np.arange(4), 2, 0)
    assert kept.people.tolist() == start.tolist()


@pytest.mark.parametrize("items", [0, 1])
def test_a_tiny_universe_is_brought_nearer_too(items):
    start = np.full(1 << items, 2)
    assert certain(nearer(np.full(1 << items, 3.0), start)) == []


def test_the_empty_set_stays_where_another_would_be_certain_without_it():
    # everybody should hold the item; without the empty set who is known to be there would hold it
    found = nearer(np.array([0.0, 10.0]), np.array([1, 4]))
    assert found.tolist() == [1, 10]
