"""Published counts, spelled out as people."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet import Release, Transactions
from discreet.core.histogram import ItemsetHistogram
from discreet.core.synthetic_people import SyntheticPeople, counts_in, rows_in
from discreet.rng import seeded
from tests.releases import as_released

COUNTS = st.dictionaries(
    st.sets(st.sampled_from("abcd")).map(lambda held: tuple(sorted(held))), st.integers(1, 9)
)


@given(COUNTS, st.integers(0, 9))
def test_people_and_counts_tell_the_same(counts, seed):
    people = SyntheticPeople.of_counts(ItemsetHistogram.of(counts), seeded(seed))
    assert counts_in(people).as_dict() == counts
    assert len(people) == sum(counts.values())
    rows = rows_in(people)
    assert [people[row] for row in rows.tolist()] == list(counts_in(people).sets)
    assert all(people[row] not in list(people)[:row] for row in rows.tolist())


def test_the_order_of_people_is_drawn():
    counts = ItemsetHistogram.of({("a",): 50, ("b",): 50})
    orders = {tuple(SyntheticPeople.of_counts(counts, seeded(seed))) for seed in range(3)}
    assert len(orders) == 3
    switches = [np.diff([held == ("a",) for held in order]).sum() for order in orders]
    assert min(switches) > 20


def test_they_are_transactions_without_ids_in_a_file_of_rows(tmp_path):
    people = SyntheticPeople.of_counts(ItemsetHistogram.of({("a", "b"): 2, (): 1}), seeded(1))
    as_released(people).save(tmp_path / "out")
    back = Release.load(tmp_path / "out")
    assert type(back.content) is SyntheticPeople
    assert isinstance(back.content, Transactions)
    assert back.content.ids is None
    assert back.to_polars()["transactions"].columns == ["items"]
    assert "made-up person" in (tmp_path / "out" / "README.txt").read_text()
