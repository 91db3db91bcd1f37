"""Tables are merged in the order of their mutual information, and pairs are not weighed twice."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Microdata
from discreet.rng import seeded
from discreet.tables import CodipStar
from discreet.tables.projection.dependence import Dependence, Plan
from discreet.tables.projection.merging import Pairs, merged

INFORMATION = st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.1]), min_size=21, max_size=21)


def dependence(information: list[float], count: int) -> Dependence:
    names = tuple(f"a{number}" for number in range(count))
    mutual = np.zeros((count, count))
    for (one, other), bits in zip(combinations(range(count), 2), information, strict=False):
        mutual[one, other] = mutual[other, one] = bits
    return Dependence(names, np.ones(count), mutual, mutual)


def by_definition(told: Dependence, plan: Plan, left: set[frozenset[str]]) -> list[tuple[int, int]]:
    """Return all pairs that were not given up, sorted anew."""
    pairs = [
        (one, other)
        for one, other in combinations(range(len(plan)), 2)
        if frozenset({*plan[one], "|", *plan[other]}) not in left
    ]
    return sorted(pairs, key=lambda pair: -told.average((*plan[pair[0]], *plan[pair[1]])))


@given(INFORMATION, st.integers(0, 7), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_pairs_come_in_the_order_of_their_information(
    information: list[float], count: int, skipped: list[int]
) -> None:
    told = dependence(information, count)
    plan: Plan = tuple((name,) for name in told.names)
    pairs, left = Pairs.of(told), set[frozenset[str]]()
    for skip in skipped:
        expected = by_definition(told, plan, left)
        assert list(pairs.best_first()) == expected
        for one, other in expected[:skip]:
            pairs.give_up(one, other)
            left.add(frozenset({*plan[one], "|", *plan[other]}))
        if len(expected) <= skip:
            break
        after = merged(plan, *expected[skip])
        plan, pairs = pairs.merged(told, plan, expected[skip])
        assert plan == after


def test_a_value_more_is_no_more_pairs_weighed_at_each_merge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weighed = []
    average = Dependence.average
    monkeypatch.setattr(
        Dependence, "average", lambda self, names: weighed.append(1) or average(self, names)
    )
    values = 40
    held = ["|".join(f"v{row * step % values}" for step in (1, 3, 7)) for row in range(120)]
    table = pl.DataFrame({"age": ["3"] * 120, "ill": held})
    people = Microdata.of(table, qids=["age"], sensitive=["ill"], multi_valued=["ill"])
    CodipStar(k=2, t=1, beta=1).publish(people, seeded(1))
    # all pairs at every one of 39 merges would be 10,660
    assert len(weighed) <= values * values
