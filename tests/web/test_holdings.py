from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Hierarchy, Transactions
from discreet.web import holdings
from discreet.web.holdings import Holdings, levels_of

SETS = st.lists(st.sets(st.sampled_from("abcdef")), min_size=1, max_size=12)


@given(sets=SETS, sorted_out=st.booleans())
def test_the_smallest_group_is_counted_by_people(sets: list[set[str]], sorted_out: bool) -> None:
    data = Transactions.of([sorted(each) for each in sets], universe=tuple("abcdef"))
    many = dict(zip(data.universe, data.supports.tolist(), strict=True))
    held = Holdings({name: people for name, people in many.items() if people}, (), data)
    tree = Hierarchy.of_levels([[name, "abc" if name < "d" else "def", "*"] for name in "abcdef"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(holdings, "SEEN", 0 if sorted_out else holdings.SEEN)
        told = [each.fewest for each in levels_of(tree, held)]
    assert told == [
        _fewest(sets, groups) for groups in (tuple("abcdef"), ("abc", "def"), ("abcdef",))
    ]


def _fewest(sets: list[set[str]], groups: Any) -> int | None:
    counts = np.array([sum(bool(each & set(group)) for each in sets) for group in groups])
    return int(counts[counts > 0].min()) if counts.any() else None
