"""What nobody can know is not claimed, even where counting would take too long."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.core.clusters import Clusters
from discreet.series.evidence.joint_evidence import Series, cover_of, judged
from discreet.series.evidence.posterior_bounds import posterior_upper_bound

OVERLAP = st.tuples(st.sets(st.integers(0, 6), min_size=1), st.integers(0, 3), st.integers(0, 4))


@given(size=st.integers(7, 9), copies=st.integers(0, 5), told=st.lists(OVERLAP, max_size=3))
def test_no_member_is_likelier_by_enumeration(size: int, copies: int, told: Any) -> None:
    hits, ways = [0] * size, 0
    for holders in combinations(range(size), copies):
        if all(low <= len(inside & {*holders}) <= low + more for inside, low, more in told):
            ways += 1
            for holder in holders:
                hits[holder] += 1
    assume(ways)
    outside = size - len(set().union(*(inside for inside, _, _ in told)))
    ranges = {
        (number, len(inside)): (low, low + more) for number, (inside, low, more) in enumerate(told)
    }
    assert posterior_upper_bound(size, copies, outside, ranges) >= max(hits) / ways - 1e-12


def test_the_product_stands_in_only_as_far_as_it_can_be_true() -> None:
    # three overlaps that share all but a few members, each with at most one of the 4 copies
    first = Clusters.of([([[f"p{n}"] for n in range(40)], {"s": 4})])
    others = [
        Clusters.of([([[f"p{n}"] for n in range(at, at + 30)] + [["x"]], {"s": 1})])
        for at in range(3)
    ]
    series = Series((first, *others))
    groups = series.clusters
    mine = groups.owner == 0
    counted = judged(groups, cover_of(groups))
    short = judged(groups, cover_of(groups), effort=1)
    assert (counted.uncounted, short.uncounted) == (0, 1)
    assert short.merged[: mine.sum()].max() > 0.87
    assert counted.exact[: mine.sum()].max() == pytest.approx(0.3741, abs=1e-4)
    # 8 are in no overlap, and nobody is likelier than they are
    for reading in (short.exact, short.mean):
        assert reading[: mine.sum()].max() == pytest.approx(4 / 8)
