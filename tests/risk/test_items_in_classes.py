"""How few rows share a person's items, against all choices tried one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.risk import items_in_classes
from discreet.risk.items_in_classes import fewest_rows, shares_knowing_items

ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.sets(st.sampled_from("abcde"))), min_size=1, max_size=15
)


def arrays(rows: list[tuple[int, set[str]]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    _, classes = np.unique([place for place, _ in rows], return_inverse=True)
    sets = Itemsets.of([held for _, held in rows], "abcde")
    return classes, sets.offsets, sets.items.astype(np.int64)


def fitting(rows: list[tuple[int, set[str]]], place: int, known: set[str]) -> int:
    return sum(own == place and known <= held for own, held in rows)


@pytest.mark.parametrize("at_once", [1, 4_000_000])
@given(rows=ROWS, most=st.integers(0, 3))
def test_the_fewest_are_found(at_once: int, rows: list[tuple[int, set[str]]], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(items_in_classes, "AT_ONCE", at_once)
        fewest, worst = fewest_rows(*arrays(rows), most)
    for number, (place, held) in enumerate(rows):
        for size in range(most + 1):
            every = [
                fitting(rows, place, set(known))
                for many in range(size + 1)
                for known in combinations(sorted(held), many)
            ]
            assert fewest[size, number] == min(every)
        known = {"abcde"[item] for item in worst[number] if item >= 0}
        assert known <= held
        assert fitting(rows, place, known) == fewest[-1, number]


def test_shares_are_of_all_people() -> None:
    told = shares_knowing_items(*arrays([(0, {"a"}), (0, {"a", "b"}), (0, {"b", "a"}), (0, set())]))
    assert told["knowing_1_item_too"] == {"share_alone": 0.0, "share_below_5": 1.0}
    assert told["knowing_2_items_too"]["share_alone"] == 0.0
