"""Names beside names above them: what is checked of names says nothing of the items."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.core.guarantee import GroupedRhoUncertainty, RhoUncertainty
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.sets_with_network import SetsWithNetwork
from tests.releases import as_released

TREE = Hierarchy.of_pairs([("a", "X"), ("b", "X"), ("X", "*"), ("z", "*")])
# two of four hold s with a, two of four with X; of the six who may hold an a it is four
NESTED = [["a", "s"]] * 2 + [["a", "X"]] * 2 + [["X", "s"]] * 2 + [["z"]] * 4
APART = [["a", "s"]] * 2 + [["a"]] * 2 + [["X", "s"]] * 2 + [["X"]] * 2 + [["z"]] * 4


@pytest.mark.parametrize("known", [None, 1])
def test_what_fits_two_names_of_a_record_is_not_said_to_hold(known: int | None) -> None:
    claim = RhoUncertainty(rho="1/2", known=known)
    for rows, holds in ((NESTED, None), (APART, True)):
        people = Transactions(Itemsets.of(rows), applied=TREE)
        (verdict,) = verify(as_released(people, claim, sensitive=("s",))).parts
        assert verdict.holds is holds, verdict.checked


def test_groups_are_looked_at_too() -> None:
    for rows, holds in ((NESTED, None), (APART, True)):
        content = SetsWithNetwork.of(rows, [1] * len(rows), [], hierarchy=TREE)
        claim = GroupedRhoUncertainty(rho="1/2")
        (verdict,) = verify(as_released(content, claim, sensitive=("s",))).parts
        assert verdict.holds is holds, verdict.checked


@given(st.lists(st.sets(st.sampled_from("abmrsz")), max_size=8))
def test_what_stands_beside_a_name_above_it_is_counted(rows: list[set[str]]) -> None:
    tree = Hierarchy.of_pairs([("a", "m"), ("b", "m"), ("m", "r"), ("z", "r")])
    people = Transactions(Itemsets.of([*rows, {"s"}]), applied=tree)
    nested = sum(
        above in row for row in rows for name in row & set("abmz")
        for above in tree.ancestors(name)
    )  # fmt: skip
    (verdict,) = verify(as_released(people, RhoUncertainty(rho="1"), sensitive=("s",))).parts
    assert verdict.holds is (None if nested else True)
    assert not nested or f"; {nested:,} items stand in a record" in verdict.checked
